import STOLPack

/// The favourites in memory: what the rows of the file amount to.
///
/// A row keeps its id when the taxon is merged into another one, and counts for that one.
struct FavoriteSet: Sendable {
  /// The taxa that rows lead to.
  private var current: Set<TaxonID> = []
  /// The rows whose id is not that of their taxon, and that taxon.
  private var merged: [TaxonID: TaxonID] = [:]

  /// The favourites that rows with these ids are.
  ///
  /// - Complexity: O(n)
  init(_ rows: [TaxonID], currentID: (TaxonID) -> TaxonID) {
    current.reserveCapacity(rows.count)
    for id in rows { insert(id, current: currentID(id)) }
  }

  /// The number of taxa.
  var count: Int { current.count }

  /// Whether `id` is that of a favourite taxon, or that of a row.
  ///
  /// - Complexity: O(1)
  func contains(_ id: TaxonID) -> Bool {
    current.contains(id) || !merged.isEmpty && merged[id] != nil
  }

  /// The taxon that the row with this id leads to, if it is another one.
  func taxon(ofRow id: TaxonID) -> TaxonID? { merged[id] }

  /// The ids that rows of a taxon may have.
  ///
  /// - Complexity: O(number of rows whose id was merged)
  func rows(of taxon: TaxonID) -> [TaxonID] {
    [taxon] + merged.filter { $0.value == taxon }.keys.sorted()
  }

  /// Adds a row.
  mutating func insert(_ id: TaxonID, current taxon: TaxonID) {
    current.insert(taxon)
    if id != taxon { merged[id] = taxon }
  }

  /// Removes the rows of a taxon.
  mutating func remove(_ taxon: TaxonID, rows: [TaxonID]) {
    current.remove(taxon)
    for row in rows { merged[row] = nil }
  }

  /// Removes all rows.
  mutating func removeAll() {
    current = []
    merged = [:]
  }
}

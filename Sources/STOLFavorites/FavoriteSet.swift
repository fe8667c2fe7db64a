import STOLData
import STOLPack

/// The favourites in memory: what the rows of the file amount to in the active database.
struct FavoriteSet: Sendable {
  /// The keys of the rows that lead to a taxon.
  private var rows: [TaxonID: [Int64]] = [:]
  /// The rows that lead to none, by the written form of their reference; a source may give an id to
  /// another taxon, so that several have one.
  private var absent: [String: [Row]] = [:]
  private var absentCount = 0

  /// A row that leads to no taxon: its key, and the name in its reference.
  private struct Row {
    var key: Int64
    var name: String
  }

  /// The favourites that rows are.
  ///
  /// - Complexity: O(n)
  init(_ entries: [(key: Int64, reference: TaxonReference)], in database: FavoriteDatabase) {
    guard !entries.isEmpty else { return }
    rows.reserveCapacity(entries.count)
    for (entry, taxon) in zip(entries, database.taxa(entries.map(\.reference))) {
      insert(entry.key, entry.reference, taxon)
    }
  }

  /// The number of favourites; of one taxon one.
  var count: Int { rows.count + absentCount }

  /// Whether a taxon of the active database is one.
  ///
  /// - Complexity: O(1)
  func contains(_ taxon: TaxonID) -> Bool { rows[taxon] != nil }

  /// Whether a reference that leads to no taxon is there.
  func isAbsent(_ reference: TaxonReference) -> Bool { !absentKeys(reference).isEmpty }

  /// The keys of the rows of a taxon, or of a reference that leads to none; with `isAnyName` the id is enough
  /// where another taxon has it now.
  func keys(_ taxon: TaxonID, _ reference: TaxonReference, isAnyName: Bool = false) -> [Int64] {
    rows[taxon] ?? absentKeys(reference, isAnyName: isAnyName)
  }

  /// The keys of the rows with this id and name; no name is any.
  private func absentKeys(_ reference: TaxonReference, isAnyName: Bool = false) -> [Int64] {
    guard let rows = absent[reference.written] else { return [] }
    let isAny = isAnyName || reference.name.isEmpty
    return rows.filter { isAny || $0.name.isEmpty || $0.name == reference.name }.map(\.key)
  }

  /// Adds a row.
  mutating func insert(_ key: Int64, _ reference: TaxonReference, _ taxon: TaxonID?) {
    if let taxon {
      rows[taxon, default: []].append(key)
    } else {
      absent[reference.written, default: []].append(Row(key: key, name: reference.name))
      absentCount += 1
    }
  }

  /// Removes rows of a taxon, or of a reference that leads to none.
  mutating func remove(_ keys: [Int64], _ taxon: TaxonID, _ reference: TaxonReference) {
    if rows.removeValue(forKey: taxon) != nil { return }
    guard var kept = absent[reference.written] else { return }
    let count = kept.count
    kept.removeAll { keys.contains($0.key) }
    absentCount -= count - kept.count
    absent[reference.written] = kept.isEmpty ? nil : kept
  }

  /// Removes all rows.
  mutating func removeAll() {
    rows = [:]
    absent = [:]
    absentCount = 0
  }
}

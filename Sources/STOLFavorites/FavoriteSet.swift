import STOLData
import STOLPack

/// The favourites in memory: what the rows of the file amount to in the active database.
struct FavoriteSet: Sendable {
  /// The key of the first row that leads to a taxon.
  private var rows: [TaxonID: Int64] = [:]
  /// The keys of further rows that lead to one of these.
  private var furtherRows: [TaxonID: [Int64]] = [:]
  /// The rows that lead to none, by the written form of their reference; a source may give an id to
  /// another taxon, so that several have one.
  private var absent: [String: [Row]] = [:]
  private var absentCount = 0
  /// The ids of these, and perhaps of some that are gone.
  private var absentIDs: Set<TaxonID> = []

  /// A row that leads to no taxon: its key, and the name in its reference.
  private struct Row {
    var key: Int64
    var name: String
  }

  /// No favourites, with room for some.
  init(capacity: Int = 0) { rows.reserveCapacity(capacity) }

  /// The number of favourites; of one taxon one.
  var count: Int { rows.count + absentCount }

  /// Whether a taxon of the active database is one.
  ///
  /// - Complexity: O(1)
  func contains(_ taxon: TaxonID) -> Bool { rows[taxon] != nil }

  /// Whether a reference with this id may be among those that lead to no taxon.
  ///
  /// - Complexity: O(1)
  func mayBeAbsent(_ id: TaxonID) -> Bool { absentIDs.contains(id) }

  /// Whether a reference that leads to no taxon is there.
  func isAbsent(_ reference: TaxonReference) -> Bool { !absentKeys(reference).isEmpty }

  /// The keys of the rows of a taxon, or of a reference that leads to none; with `isAnyName` the id is enough
  /// where another taxon has it now.
  func keys(_ taxon: TaxonID, _ reference: TaxonReference, isAnyName: Bool = false) -> [Int64] {
    guard let first = rows[taxon] else { return absentKeys(reference, isAnyName: isAnyName) }
    return [first] + furtherRows[taxon, default: []]
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
      insert(key, taxon)
    } else {
      absent[reference.written, default: []].append(Row(key: key, name: reference.name))
      absentCount += 1
      absentIDs.insert(TaxonID(sourceText: reference.id))
    }
  }

  /// Adds a row that leads to a taxon.
  mutating func insert(_ key: Int64, _ taxon: TaxonID) {
    if rows[taxon] == nil {
      rows[taxon] = key
    } else {
      furtherRows[taxon, default: []].append(key)
    }
  }

  /// Removes rows of a taxon, or of a reference that leads to none.
  mutating func remove(_ keys: [Int64], _ taxon: TaxonID, _ reference: TaxonReference) {
    if rows.removeValue(forKey: taxon) != nil {
      furtherRows[taxon] = nil
      return
    }
    guard var kept = absent[reference.written] else { return }
    let count = kept.count
    kept.removeAll { keys.contains($0.key) }
    absentCount -= count - kept.count
    absent[reference.written] = kept.isEmpty ? nil : kept
  }

  /// Removes all rows.
  mutating func removeAll() {
    self = FavoriteSet()
  }
}

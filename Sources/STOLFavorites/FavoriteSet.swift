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
  /// The retired ids that stand for one, once many that are none have been asked for.
  private var retired: Set<TaxonID>?
  /// How often one that is none has been asked for.
  private var missCount = 0
  /// So many are looked up in the database before the retired ids are put together.
  private static let fewMisses = 64

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

  /// Whether an id is that of one, or a retired one that stands for one.
  ///
  /// - Parameters:
  ///   - id: an id of the active database, or of a reference that leads to no taxon of it.
  ///   - lookUp: the retired ids that stand for any of some taxa; nil where nobody can list them.
  /// - Returns: nil where the database has to say.
  /// - Complexity: O(1); of many that are none, one costs O(n) after each change.
  mutating func knows(
    _ id: TaxonID, retired lookUp: ([TaxonID]) -> [TaxonID]?
  ) -> Bool? {
    if rows[id] != nil { return true }
    if absentIDs.contains(id) { return nil }
    if let retired { return retired.contains(id) }
    missCount += 1
    guard missCount >= Self.fewMisses else { return nil }
    retired = lookUp(Array(rows.keys)).map { Set($0) }
    missCount = retired == nil ? .min : 0
    return retired?.contains(id)
  }

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
      retired = nil
    } else {
      furtherRows[taxon, default: []].append(key)
    }
  }

  /// Removes rows of a taxon, or of a reference that leads to none.
  mutating func remove(_ keys: [Int64], _ taxon: TaxonID, _ reference: TaxonReference) {
    if rows.removeValue(forKey: taxon) != nil {
      furtherRows[taxon] = nil
      retired = nil
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

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
  /// The other ids that stand for one, once many that do not have been asked for: retired ones, and those of
  /// references that lead to no taxon, where none has them now.
  private var others: Set<TaxonID>?
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

  /// Whether an id stands for one.
  ///
  /// - Parameters:
  ///   - id: an id of the active database, or of a reference that leads to no taxon of it.
  ///   - database: the active one.
  /// - Returns: nil where the database has to say.
  /// - Complexity: O(1); of many that are none, one costs O(n) after each change.
  mutating func knows(_ id: TaxonID, in database: FavoriteDatabase) -> Bool? {
    if rows[id] != nil { return true }
    if let others { return others.contains(id) }
    missCount += 1
    guard missCount >= Self.fewMisses else { return nil }
    missCount = .min
    guard let retired = database.retired(Array(rows.keys)) else { return nil }
    missCount = 0
    let others = Set(retired).union(absentIDs.filter { isAbsent($0, in: database) })
    self.others = others
    return others.contains(id)
  }

  /// Whether an id that no taxon of the database has is that of a reference that leads to none.
  func isAbsent(_ id: TaxonID, in database: FavoriteDatabase) -> Bool {
    absentIDs.contains(id) && database.current(id) == nil && isAbsent(database.reference(id))
  }

  /// Whether a reference that leads to no taxon is there.
  func isAbsent(_ reference: TaxonReference) -> Bool { !absentKeys(reference).isEmpty }

  /// The keys of the rows of a taxon, or of a reference that leads to none.
  func keys(_ taxon: TaxonID, _ reference: TaxonReference) -> [Int64] {
    guard let first = rows[taxon] else { return absentKeys(reference) }
    return [first] + furtherRows[taxon, default: []]
  }

  /// The keys of the rows with this id and name; no name is any.
  private func absentKeys(_ reference: TaxonReference) -> [Int64] {
    guard let rows = absent[reference.written] else { return [] }
    let isAny = reference.name.isEmpty
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
      others = nil
    }
  }

  /// Adds a row that leads to a taxon.
  mutating func insert(_ key: Int64, _ taxon: TaxonID) {
    if rows[taxon] == nil {
      rows[taxon] = key
      others = nil
    } else {
      furtherRows[taxon, default: []].append(key)
    }
  }

  /// Removes rows of a taxon, or of a reference that leads to none.
  mutating func remove(_ keys: [Int64], _ taxon: TaxonID, _ reference: TaxonReference) {
    if rows.removeValue(forKey: taxon) != nil {
      furtherRows[taxon] = nil
      others = nil
      return
    }
    others = nil
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

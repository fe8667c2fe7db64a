import GRDB
import STOLData
import STOLPack
import STOLSystem

/// A reference of the file, and what it leads to in a pack.
final class ResolvedReference: Sendable {
  /// What the taxon was called.
  let reference: TaxonReference
  /// What it leads to, in a word or two: `ReferenceOutcome.word`.
  let outcome: String
  /// The taxon of the pack.
  let taxon: TaxonOrdinal?
  /// The taxa that it may be, where a person has to say which one.
  let candidates: [TaxonOrdinal]
  /// The id of the taxon, as its source writes it.
  let currentID: String?
  /// What the taxon is called in the pack.
  let currentName: String?

  init(_ reference: TaxonReference, _ outcome: ReferenceOutcome, in view: borrowing PackView) {
    self.reference = reference
    self.outcome = outcome.word
    taxon = outcome.taxon
    candidates = outcome.candidates
    currentID = outcome.taxon.flatMap { view.sourceID(of: $0) }
    let name = outcome.taxon.map { view.names.scientificName(of: $0) }
    currentName = name == reference.name ? reference.name : name
  }
}

/// What references lead to in the pack that was asked last, which takes a while to find out.
///
/// It stays so: a row of `taxon_ref` is never changed, and its id never given to another one.
struct KnownReferences: Sendable {
  /// The label of the connections, which those to another file have not, and the pack that all of it is of.
  fileprivate var connection: String?
  fileprivate var mark: Int64?
  fileprivate var references: [Int64: ResolvedReference] = [:]
}

extension JournalFile {
  private static let referenceColumns = JournalLayout.indexes(of: "taxon_ref")

  /// What all references of the file lead to in a pack, those that were added first at first.
  func resolvedReferences(
    in pack: Pack
  ) throws -> [(id: TaxonRefID, resolved: ResolvedReference)] {
    try read { database in
      let ids = try Int64.fetchAll(database, sql: "SELECT id FROM taxon_ref ORDER BY id")
      let known = try resolve(ids, in: pack, database)
      return ids.compactMap { id in known[id].map { (TaxonRefID(rawValue: id), $0) } }
    }
  }

  /// What references lead to in a pack; the answer may have others too.
  ///
  /// - Complexity: O(number), and a look-up in the pack for each that nobody asked for before.
  func resolve(
    _ ids: [Int64], in pack: Pack, _ database: Database
  ) throws -> [Int64: ResolvedReference] {
    let (connection, mark) = (database.configuration.label, pack.mark)
    var known = knownReferences.withLock {
      $0.connection == connection && $0.mark == mark && mark != nil ? $0.references : [:]
    }
    let missing = ids.filter { known[$0] == nil }
    guard !missing.isEmpty else { return known }
    let view = pack.view
    var resolver = ReferenceResolver(view)
    let list = missing.map(String.init).joined(separator: ",")
    let rows = try Row.fetchCursor(
      database,
      sql: "SELECT t.* FROM json_each(?) j CROSS JOIN taxon_ref t ON t.id = j.value",
      arguments: ["[\(list)]"])
    // Most have the same few.
    var kingdoms: Set<[String]> = []
    while let row = try rows.next() {
      var reference = try RecordReader.reference(
        RecordRow(row: row, indexes: Self.referenceColumns))
      reference.kingdoms = kingdoms.insert(reference.kingdoms).memberAfterInsert
      known[try row.value("id")] = ResolvedReference(
        reference, resolver.resolve(reference, view), in: view)
    }
    knownReferences.withLock {
      ($0.connection, $0.mark, $0.references) = (connection, mark, known)
    }
    return known
  }
}

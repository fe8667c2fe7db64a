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
  /// What the taxon is called now, or where the pack has it not, what it was called.
  var name: String { currentName ?? reference.name }

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
  /// What references state, whatever the pack.
  fileprivate var written: [Int64: TaxonReference] = [:]
  fileprivate static let writtenLimit = 1 << 15

  /// Forgets what is of another file.
  fileprivate mutating func begin(_ connection: String?) {
    guard self.connection != connection else { return }
    self = KnownReferences()
    self.connection = connection
  }
}

extension JournalFile {
  /// What all references of the file lead to in a pack, those that were added first at first.
  func resolvedReferences(
    in pack: Pack
  ) throws -> [(id: TaxonRefID, resolved: ResolvedReference)] {
    try read { try resolvedReferences(in: pack, $0) }
  }

  /// The same within a transaction.
  func resolvedReferences(
    in pack: Pack, _ database: Database
  ) throws -> [(id: TaxonRefID, resolved: ResolvedReference)] {
    let ids = try Int64.fetchAll(database, sql: "SELECT id FROM taxon_ref ORDER BY id")
    let known = try resolve(ids, in: pack, database)
    return ids.compactMap { id in known[id].map { (TaxonRefID(rawValue: id), $0) } }
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
    for (id, reference) in try Self.written(missing, database) {
      known[id] = ResolvedReference(reference, resolver.resolve(reference, view), in: view)
    }
    knownReferences.withLock {
      $0.begin(connection)
      ($0.mark, $0.references) = (mark, known)
    }
    return known
  }

  /// What references state; the answer may have others too.
  ///
  /// - Complexity: O(number), and a row to read for each that nobody asked for before.
  func written(_ ids: Set<Int64>, _ database: Database) throws -> [Int64: TaxonReference] {
    let connection = database.configuration.label
    var known = knownReferences.withLock { $0.connection == connection ? $0.written : [:] }
    let missing = ids.filter { known[$0] == nil }
    guard !missing.isEmpty else { return known }
    if known.count + missing.count > KnownReferences.writtenLimit { known = [:] }
    let read = known.isEmpty ? ids : missing
    for (id, reference) in try Self.written(read.sorted(), database) { known[id] = reference }
    knownReferences.withLock {
      $0.begin(connection)
      $0.written = known
    }
    return known
  }

  private static func written(
    _ ids: [Int64], _ database: Database
  ) throws -> [(Int64, TaxonReference)] {
    let list = ids.map(String.init).joined(separator: ",")
    let rows = try Row.fetchCursor(
      database.cachedStatement(
        sql: "SELECT t.* FROM json_each(?) j CROSS JOIN taxon_ref t ON t.id = j.value"),
      arguments: ["[\(list)]"])
    // Most have the same few.
    var kingdoms: Set<[String]> = []
    var found: [(Int64, TaxonReference)] = []
    found.reserveCapacity(ids.count)
    while let row = try rows.next() {
      var reference = try RecordReader.reference(row)
      reference.kingdoms = kingdoms.insert(reference.kingdoms).memberAfterInsert
      found.append((try row.value(at: 0), reference))
    }
    return found
  }
}

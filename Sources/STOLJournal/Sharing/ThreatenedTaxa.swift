import GRDB
import STOLData
import STOLNames
import STOLPack

/// How threatened a taxon is that others may not know the place of.
enum Threat {
  /// Vulnerable or endangered.
  case threatened
  /// Critically endangered.
  case critical
}

/// The threats that a pack states.
struct Threats {
  private let critical: ConservationRow?
  private let threatened: [ConservationRow]

  init(in view: borrowing PackView) {
    critical = view.taxa.conservationCodes.row(of: "CR")
    threatened = ["EN", "VU"].compactMap { view.taxa.conservationCodes.row(of: $0) }
  }

  /// Whether the pack states any.
  ///
  /// - Complexity: O(number of taxa) where it states none
  func areKnown(in view: borrowing PackView) -> Bool {
    for index in 0..<UInt32(view.taxonCount) {
      let code = view.taxa.conservation(of: TaxonOrdinal(rawValue: index))
      if code == critical || threatened.contains(code) { return true }
    }
    return false
  }

  /// The highest threat to any of some taxa, or to what it is within; nil where the pack states none.
  ///
  /// - Complexity: O(number and depth)
  func highest(of taxa: [TaxonOrdinal], in view: borrowing PackView) -> Threat? {
    var found: Threat?
    for taxon in taxa {
      var next: TaxonOrdinal? = taxon
      while let taxon = next {
        let code = view.taxa.conservation(of: taxon)
        if code == critical { return .critical }
        if threatened.contains(code) { found = .threatened }
        next = view.tree.parent(of: taxon)
      }
    }
    return found
  }
}

extension JournalFile {
  /// The occurrences, deleted ones too, of which any identification is of a threatened taxon, whether it holds or not.
  ///
  /// What leads to several taxa of the pack, or to none, is of all that have its name; so is a name without a taxon,
  /// whatever doubt stands beside it.
  func threatenedOccurrences(
    in pack: Pack, _ database: Database
  ) throws -> [(occurrence: Int64, threat: Threat)] {
    let references = try Int64.fetchAll(database, sql: "SELECT id FROM taxon_ref ORDER BY id")
    let known = try resolve(references, in: pack, database)
    let view = pack.view
    let stated = Threats(in: view)
    var threats: [Int64: Threat] = [:]
    for id in references {
      guard let resolved = known[id] else { continue }
      var taxa = resolved.taxon.map { [$0] } ?? resolved.candidates
      if resolved.taxon == nil { taxa += Self.taxa(named: resolved.reference.name, in: view) }
      threats[id] = stated.highest(of: taxa, in: view)
    }
    var found: [(Int64, Threat)] = []
    func add(_ row: Row, _ threat: Threat?) throws {
      if let threat { found.append((try row.value(at: 0), threat)) }
    }
    if !threats.isEmpty {
      let list = threats.keys.sorted().map(String.init).joined(separator: ",")
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT i.occurrence_id, i.taxon_ref_id FROM identification i
          WHERE i.taxon_ref_id IN (SELECT value FROM json_each(?)) ORDER BY i.id
          """, arguments: ["[\(list)]"])
      while let row = try rows.next() { try add(row, threats[try row.value(at: 1)]) }
    }
    var reader = NameReader()
    var byName: [String: Threat?] = [:]
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT i.occurrence_id, i.verbatim_name FROM identification i
        WHERE i.taxon_ref_id IS NULL ORDER BY i.id
        """)
    while let row = try rows.next() {
      let name = try row.value(at: 1) as String
      if byName[name] == nil {
        let canonical = WrittenName(name, &reader).canonicalName
        let texts = canonical == name ? [name] : [name, canonical]
        byName.updateValue(
          stated.highest(of: texts.flatMap { Self.taxa(named: $0, in: view) }, in: view),
          forKey: name)
      }
      try add(row, byName[name] ?? nil)
    }
    return found
  }

  /// All taxa that have a name as one of theirs.
  private static func taxa(
    named name: String, in view: borrowing PackView
  ) -> [TaxonOrdinal] {
    guard !name.isEmpty else { return [] }
    let found = view.resolve(name)
    return found.taxon.map { [$0] } ?? found.candidates
  }
}

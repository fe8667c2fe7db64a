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

  /// The higher one of two.
  static func higher(_ one: Threat?, _ other: Threat?) -> Threat? {
    one == .critical || other == nil ? one : other
  }
}

/// The threats that a pack states.
struct Threats {
  private let critical: ConservationRow?
  private let threatened: [ConservationRow]

  init(in view: borrowing PackView) {
    critical = view.taxa.conservationCodes.row(of: "CR")
    threatened = ["EN", "VU"].compactMap { view.taxa.conservationCodes.row(of: $0) }
  }

  /// Whether the pack has words for threats, as it needs to state any.
  var mayBeKnown: Bool { critical != nil || !threatened.isEmpty }

  /// Whether the pack states any.
  ///
  /// - Complexity: O(number of taxa) where it states none
  func areKnown(in view: borrowing PackView) -> Bool {
    for index in 0..<UInt32(view.taxonCount) {
      if own(of: TaxonOrdinal(rawValue: index), in: view) != nil { return true }
    }
    return false
  }

  /// The threat that the pack states of a taxon itself.
  func own(of taxon: TaxonOrdinal, in view: borrowing PackView) -> Threat? {
    let code = view.taxa.conservation(of: taxon)
    if code == critical { return .critical }
    return threatened.contains(code) ? .threatened : nil
  }

  /// The highest threat to any of some taxa, or to what it is within; nil where the pack states none.
  ///
  /// - Complexity: O(number and depth)
  func highest(of taxa: [TaxonOrdinal], in view: borrowing PackView) -> Threat? {
    var found: Threat?
    for taxon in taxa {
      var next: TaxonOrdinal? = taxon
      while let taxon = next {
        switch own(of: taxon, in: view) {
        case .critical: return .critical
        case .threatened: found = .threatened
        case nil: break
        }
        next = view.tree.parent(of: taxon)
      }
    }
    return found
  }
}

extension JournalFile {
  /// The occurrences, deleted ones too, of which any identification is of a threatened taxon, whether it holds or not.
  ///
  /// What leads to several taxa of the pack, or to none, is of all that have its name. So is what has no taxon, or has
  /// a qualifier, and of all that any of its words may name: `ThreatenedNames`.
  func threatenedOccurrences(
    in pack: Pack, _ database: Database
  ) throws -> [(occurrence: Int64, threat: Threat)] {
    let view = pack.view
    let stated = Threats(in: view)
    guard stated.mayBeKnown else { return [] }
    let references = try Int64.fetchAll(database, sql: "SELECT id FROM taxon_ref ORDER BY id")
    let known = try resolve(references, in: pack, database)
    var threats: [Int64: Threat] = [:]
    var texts: Set<String> = []
    for id in references {
      guard let resolved = known[id] else { continue }
      let taxa = resolved.taxon.map { [$0] } ?? resolved.candidates
      threats[id] = stated.highest(of: taxa, in: view)
      if resolved.taxon == nil { texts.insert(resolved.reference.name) }
    }
    let isDoubtful = "(i.taxon_ref_id IS NULL OR i.qualifier NOT NULL)"
    let names = try Row.fetchCursor(
      database,
      sql: "SELECT i.verbatim_name, i.qualifier FROM identification i WHERE \(isDoubtful)")
    while let row = try names.next() { texts.insert(try Self.text(row, at: 0)) }
    let byText = Self.threats(of: texts, stated, in: view)
    for id in references {
      guard let resolved = known[id], resolved.taxon == nil else { continue }
      threats[id] = Threat.higher(threats[id], byText[resolved.reference.name])
    }
    var found: [(Int64, Threat)] = []
    if !threats.isEmpty {
      let list = threats.keys.sorted().map(String.init).joined(separator: ",")
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT i.occurrence_id, i.taxon_ref_id FROM identification i
          WHERE i.taxon_ref_id IN (SELECT value FROM json_each(?)) ORDER BY i.id
          """, arguments: ["[\(list)]"])
      while let row = try rows.next() {
        if let threat = threats[try row.value(at: 1)] {
          found.append((try row.value(at: 0), threat))
        }
      }
    }
    guard !byText.isEmpty else { return found }
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT i.occurrence_id, i.verbatim_name, i.qualifier FROM identification i
        WHERE \(isDoubtful) ORDER BY i.id
        """)
    while let row = try rows.next() {
      if let threat = byText[try Self.text(row, at: 1)] {
        found.append((try row.value(at: 0), threat))
      }
    }
    return found
  }

  /// How many live occurrences have an identification that leads to nothing in a pack.
  func unknownOccurrenceCount(in pack: Pack, _ database: Database) throws -> Int {
    let references = try Int64.fetchAll(database, sql: "SELECT id FROM taxon_ref ORDER BY id")
    let known = try resolve(references, in: pack, database)
    let lost = references.filter { id in
      known[id].map { $0.taxon == nil && $0.candidates.isEmpty } ?? true
    }
    guard !lost.isEmpty else { return 0 }
    return try Int.fetchOne(
      database,
      sql: """
        SELECT count(DISTINCT i.occurrence_id) FROM identification i
          JOIN record r ON r.id = i.occurrence_id AND r.deleted_ms IS NULL
        WHERE i.taxon_ref_id IN (SELECT value FROM json_each(?))
        """, arguments: ["[" + lost.map(String.init).joined(separator: ",") + "]"]) ?? 0
  }

  /// All that an identification says of what it is, in words: a name, and the qualifier behind it in the next column.
  private static func text(_ row: Row, at column: Int) throws -> String {
    let name = try row.value(at: column) as String
    guard row.hasValue(at: column + 1) else { return name }
    let qualifier = try row.value(at: column + 1) as String
    return name.contains(qualifier) ? name : name + " " + qualifier
  }

  /// The threats to what some texts may name, of those that may name something threatened.
  private static func threats(
    of texts: Set<String>, _ stated: Threats, in view: borrowing PackView
  ) -> [String: Threat] {
    var found: [String: Threat] = [:]
    var reader = NameReader()
    for text in texts {
      let canonical = WrittenName(text, &reader).canonicalName
      var taxa = Self.taxa(named: text, in: view)
      if canonical != text { taxa += Self.taxa(named: canonical, in: view) }
      found[text] = stated.highest(of: taxa, in: view)
    }
    let list = Array(texts)
    for (text, threat) in zip(list, ThreatenedNames(list, stated, in: view).threats) {
      found[text] = Threat.higher(found[text], threat)
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

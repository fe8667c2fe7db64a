import STOLPack
import STOLNames

/// Rows by their names, for sources that link by name.
struct NameTable {
  private var rows: [String: [UInt32]] = [:]

  mutating func insert(_ row: Int, _ key: String) { rows[key, default: []].append(UInt32(row)) }

  subscript(key: String) -> [UInt32] { rows[key] ?? [] }
}

/// The rows that a name may mean, of which only the first counts: all of that name, and those of them
/// with one authorship.
private struct NamedRows {
  /// What is known of some rows.
  struct Choice {
    var first: UInt32?
    var count = 0
    var firstAccepted: UInt32?
    var acceptedCount = 0

    /// The first accepted row, else the first one.
    var row: Int? { (firstAccepted ?? first).map { Int($0) } }
    /// Whether another row would do as well.
    var isAmbiguous: Bool { firstAccepted == nil ? count > 1 : acceptedCount > 1 }

    mutating func add(_ row: UInt32, isAccepted: Bool) {
      first = first ?? row
      count += 1
      guard isAccepted else { return }
      firstAccepted = firstAccepted ?? row
      acceptedCount += 1
    }
  }

  private var byName: [String: Choice] = [:]
  private var byAuthorship: [String: Choice] = [:]

  /// - Complexity: O(length of the texts)
  mutating func insert(_ row: Int, _ name: String, _ authorship: String, isAccepted: Bool) {
    byName[Resolver.key(name), default: Choice()].add(UInt32(row), isAccepted: isAccepted)
    byAuthorship[Self.key(name, authorship), default: Choice()]
      .add(UInt32(row), isAccepted: isAccepted)
  }

  /// The rows of a name; with an authorship those that have it, else those that have none.
  ///
  /// - Complexity: O(length of the texts)
  func choice(_ name: String, _ authorship: String) -> Choice? {
    guard !authorship.isEmpty else { return byName[Resolver.key(name)] }
    return byAuthorship[Self.key(name, authorship)] ?? byAuthorship[Self.key(name, "")]
  }

  private static func key(_ name: String, _ authorship: String) -> String {
    Resolver.key(name) + "\u{0}" + Resolver.key(authorship)
  }
}

extension Resolver {
  /// Looks up the parents and accepted taxa that are stated by name, where no id leads to them.
  ///
  /// What has no row becomes a taxon: without a rank, unless its name shows one, and below the higher
  /// taxa that the row's columns name.
  mutating func resolveNamedLinks() throws {
    let rows = (0..<intake.usages.count).filter { mayBeNamed($0) }
    guard !rows.isEmpty else { return }
    // Which rows are synonyms must be known before any name is looked up.
    for row in rows where intake.usages.flags[row].contains(.acceptedByName) {
      guard !intake.usages.flags[row].contains(.synonym) else { continue }
      let text = try intake.text(row)
      guard !isOwnName(text.acceptedName, text) else { continue }
      intake.usages.flags[row].insert(.synonym)
      intake.usages.flags[row].remove(.bare)
      links[row] = Resolution.none
    }
    var names = NamedRows()
    for row in 0..<intake.usages.count where fates[row] == .open {
      let text = try intake.text(row)
      let isAccepted = intake.usages.flags[row].isDisjoint(with: [.synonym, .bare])
      names.insert(row, text.name, text.authorship, isAccepted: isAccepted)
    }
    for row in rows where links[row] == Resolution.none {
      let text = try intake.text(row)
      let flags = intake.usages.flags[row]
      let name =
        flags.contains(.synonym)
        ? flags.contains(.acceptedByName) ? text.acceptedName : ""
        : flags.contains(.parentByName) && !flags.contains(.bare) ? text.parentName : ""
      guard !name.isEmpty, !isOwnName(name, text) else { continue }
      links[row] = UInt32(try self.row(named: name, of: row, text, &names))
    }
  }

  /// Whether a name may be what leads on from the row.
  private func mayBeNamed(_ row: Int) -> Bool {
    let flags = intake.usages.flags[row]
    guard fates[row] == .open else { return false }
    if flags.contains(.acceptedByName), !flags.contains(.synonym) { return true }
    return links[row] == Resolution.none
      && !flags.isDisjoint(with: [.parentByName, .acceptedByName])
  }

  /// Whether a name is that of the row, perhaps without the authorship.
  private func isOwnName(_ name: String, _ text: SourceUsage) -> Bool {
    let parts = ScientificNameParser.parse(name)
    return Self.key(parts.canonicalName) == Self.key(text.name)
      && (parts.authorship.isEmpty || text.authorship.isEmpty
        || Self.key(parts.authorship) == Self.key(text.authorship))
  }

  /// The row with a name that is not the row's own, which is made if there is none.
  ///
  /// One with the same authorship is better than one without, one with another does not count;
  /// an accepted one is better than a synonym.
  private mutating func row(
    named name: String, of row: Int, _ text: SourceUsage, _ names: inout NamedRows
  ) throws -> Int {
    let parts = ScientificNameParser.parse(name)
    if let choice = names.choice(parts.canonicalName, parts.authorship), let found = choice.row {
      if choice.isAmbiguous { findings.add(.ambiguousName, name) }
      return found
    }

    var usage = SourceUsage()
    usage.id = "name=\(name)"
    if let made = implicit[usage.id] { return made }
    usage.name = parts.canonicalName
    usage.authorship = parts.authorship
    usage.year = parts.year
    usage.rank = parts.shownRank
    let own = intake.usages.level(row) ?? .max
    usage.classification = text.classification.filter {
      $0.rank.level ?? .max < own
    }
    let made = try addImplicit(usage, below: nil)
    names.insert(made, usage.name, usage.authorship, isAccepted: true)
    return made
  }

  /// What of a name counts when names are compared: no hybrid sign, spaces or full stops, no case.
  static func key(_ name: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in name.unicodeScalars where !" .\u{D7}".unicodeScalars.contains(scalar) {
      result.append(scalar)
    }
    return String(result).lowercased()
  }

  /// Adds a taxon that has no row of its own.
  mutating func addImplicit(
    _ usage: SourceUsage, below parent: Int?
  ) throws -> Int {
    let id = TaxonID(sourceText: usage.id).rawValue
    if let other = table.row(id, ids: intake.usages.ids) {
      throw IngestError.idCollision(first: try intake.sourceID(other), second: usage.id)
    }
    let row = intake.usages.count
    try intake.addImplicit(usage)
    links.append(parent.map { UInt32($0) } ?? Resolution.none)
    fates.append(.open)
    implicit[usage.id] = row
    findings.add(.implicitTaxon, usage.id)
    return row
  }
}

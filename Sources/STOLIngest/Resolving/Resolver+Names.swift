import STOLPack

/// Rows by their names, for sources that link by name.
struct NameTable {
  private var rows: [String: [UInt32]] = [:]

  mutating func insert(_ row: Int, _ key: String) { rows[key, default: []].append(UInt32(row)) }

  subscript(key: String) -> [UInt32] { rows[key] ?? [] }
}

extension Resolver {
  /// Looks up the parents and accepted taxa that are stated by name, where no id leads to them.
  ///
  /// What has no row becomes a taxon: without a rank, unless its name shows one, and below the higher
  /// taxa that the row's columns name.
  mutating func resolveNamedLinks() throws(IngestError) {
    let rows = (0..<intake.usages.count).filter { mayBeNamed($0) }
    guard !rows.isEmpty else { return }
    var names = NameTable()
    for row in 0..<intake.usages.count where fates[row] == .open {
      names.insert(row, Self.key(try intake.text(row).name))
    }
    for row in rows {
      let text = try intake.text(row)
      if intake.usages.flags[row].contains(.acceptedByName), !isOwnName(text.acceptedName, text) {
        intake.usages.flags[row].insert(.synonym)
        links[row] = UInt32(try self.row(named: text.acceptedName, of: row, text, &names))
      } else if intake.usages.flags[row].contains(.parentByName),
        !intake.usages.flags[row].contains(.synonym), links[row] == Resolution.none,
        !isOwnName(text.parentName, text)
      {
        links[row] = UInt32(try self.row(named: text.parentName, of: row, text, &names))
      }
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
  private func isOwnName(_ name: String, _ text: UsageText) -> Bool {
    let parts = ScientificNameParser.parse(name)
    return Self.key(parts.canonicalName) == Self.key(text.name)
      && (parts.authorship.isEmpty || text.authorship.isEmpty
        || Self.key(parts.authorship) == Self.key(text.authorship))
  }

  /// The row with a name, which is made if there is none.
  ///
  /// One with the same authorship is better than one without, one with another does not count;
  /// an accepted one is better than a synonym.
  private mutating func row(
    named name: String, of row: Int, _ text: UsageText, _ names: inout NameTable
  ) throws(IngestError) -> Int {
    let parts = ScientificNameParser.parse(name)
    var candidates = names[Self.key(parts.canonicalName)].map { Int($0) }.filter { $0 != row }
    if !parts.authorship.isEmpty {
      var same: [Int] = []
      var without: [Int] = []
      for candidate in candidates {
        let authorship = try intake.text(candidate).authorship
        if authorship.isEmpty { without.append(candidate) }
        if Self.key(authorship) == Self.key(parts.authorship) { same.append(candidate) }
      }
      candidates = same.isEmpty ? without : same
    }
    let accepted = candidates.filter {
      intake.usages.flags[$0].isDisjoint(with: [.synonym, .bare])
    }
    if !accepted.isEmpty { candidates = accepted }
    if candidates.count > 1 { findings.add(.ambiguousName, name) }
    if let first = candidates.first { return first }

    var usage = SourceUsage()
    usage.id = "name=\(name)"
    if let made = implicit[usage.id] { return made }
    usage.name = parts.canonicalName
    usage.authorship = parts.authorship
    usage.year = parts.year
    usage.rank = parts.shownRank
    let own = intake.usages.level(row) ?? .max
    usage.classification = text.classification.filter {
      SourceRank($0.rank.rawValue)?.level ?? .max < own
    }
    let made = try addImplicit(usage, below: nil)
    names.insert(made, Self.key(usage.name))
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
  ) throws(IngestError) -> Int {
    let row = intake.usages.count
    try intake.addImplicit(usage)
    links.append(parent.map { UInt32($0) } ?? Resolution.none)
    fates.append(.open)
    implicit[usage.id] = row
    findings.add(.implicitTaxon, usage.id)
    return row
  }
}

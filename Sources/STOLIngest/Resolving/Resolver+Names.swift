import STOLPack

/// Rows by their names, for sources that link by name.
struct NameTable {
  private var rows: [String: [UInt32]] = [:]

  mutating func insert(_ row: Int, _ key: String) { rows[key, default: []].append(UInt32(row)) }

  subscript(key: String) -> [UInt32] { rows[key] ?? [] }
}

extension Resolver {
  /// Looks up the parents and accepted taxa that are stated by name.
  mutating func resolveNamedLinks() throws(IngestError) {
    let byName: UsageFlags = [.parentByName, .acceptedByName]
    let usages = intake.usages
    guard (0..<usages.count).contains(where: { !usages.flags[$0].isDisjoint(with: byName) }) else {
      return
    }
    var names = NameTable()
    for row in 0..<usages.count where fates[row] == .open {
      names.insert(row, Self.key(try intake.text(row).name))
    }
    for row in 0..<usages.count where fates[row] == .open {
      let flags = usages.flags[row]
      guard !flags.isDisjoint(with: byName) else { continue }
      let text = try intake.text(row)
      if flags.contains(.acceptedByName) {
        try resolveAcceptedName(of: row, text, names)
      } else if flags.contains(.parentByName), links[row] == Resolution.none,
        let parent = try self.row(named: text.parentName, names, except: row)
      {
        links[row] = UInt32(parent)
      }
    }
  }

  private mutating func resolveAcceptedName(
    of row: Int, _ text: UsageText, _ names: NameTable
  ) throws(IngestError) {
    let parts = ScientificNameParser.parse(text.acceptedName)
    // Its own name, perhaps without the authorship: it is accepted itself.
    if Self.key(parts.canonicalName) == Self.key(text.name),
      parts.authorship.isEmpty || text.authorship.isEmpty
        || Self.key(parts.authorship) == Self.key(text.authorship)
    {
      if intake.usages.flags[row].contains(.parentByName), links[row] == Resolution.none,
        let parent = try self.row(named: text.parentName, names, except: row)
      {
        links[row] = UInt32(parent)
      }
      return
    }
    intake.usages.flags[row].insert(.synonym)
    let accepted = try self.row(named: text.acceptedName, names, except: row)
    links[row] = accepted.map { UInt32($0) } ?? Resolution.none
  }

  /// The row with a name: with the same authorship if one is stated, else the first accepted one.
  private func row(
    named name: String, _ names: NameTable, except self: Int
  ) throws(IngestError) -> Int? {
    let parts = ScientificNameParser.parse(name)
    let candidates = names[Self.key(parts.canonicalName)].map { Int($0) }.filter { $0 != self }
    if !parts.authorship.isEmpty {
      for row in candidates
      where Self.key(try intake.text(row).authorship) == Self.key(parts.authorship) { return row }
    }
    if candidates.count > 1 { findings.add(.ambiguousName, name) }
    return candidates.first { !intake.usages.flags[$0].contains(.synonym) } ?? candidates.first
  }

  /// What of a name counts when names are compared: no hybrid sign, spaces or full stops, no case.
  static func key(_ name: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in name.unicodeScalars where !" .\u{D7}".unicodeScalars.contains(scalar) {
      result.append(scalar)
    }
    return String(result).lowercased()
  }
}

extension Resolver {
  /// Puts rows without a parent below the higher taxa that their columns name; what of these has no
  /// row of its own becomes a taxon.
  ///
  /// The highest ranks come first, so that rows are there for those below them. A taxon of that name
  /// and rank serves if the one found so far is among its ancestors.
  mutating func applyClassifications() throws(IngestError) {
    let classified = unplaced.map { Int($0) }.filter {
      intake.usages.flags[$0].contains(.classified)
    }
    guard !classified.isEmpty else { return }
    var taxa = NameTable()
    for row in 0..<intake.usages.count where fates[row] == .open {
      guard let rank = intake.usages.keptRank(row) else { continue }
      taxa.insert(row, Self.key(rank, try intake.text(row).name))
    }
    let ordered = classified.sorted {
      (intake.usages.level($0) ?? .max, $0) < (intake.usages.level($1) ?? .max, $1)
    }
    for row in ordered { try applyClassification(of: row, &taxa) }
  }

  private mutating func applyClassification(
    of row: Int, _ taxa: inout NameTable
  ) throws(IngestError) {
    let text = try intake.text(row)
    let own = intake.usages.level(row)
    var parent: Int?
    var path = ""
    for (rank, name) in text.classification {
      guard let position = TaxonRank.allCases.firstIndex(of: rank),
        let level = SourceRank(rank.rawValue)?.level, own.map({ level < $0 }) ?? true,
        Self.key(name) != Self.key(text.name) || own != nil
      else { continue }
      let key = Self.key(position, name)
      path += (path.isEmpty ? "" : ";") + "\(rank.rawValue)=\(name)"
      if let made = implicit[path] {
        if !isWithin(made, row) { parent = made }
        continue
      }
      if let found = taxa[key].map({ Int($0) }).first(where: {
        $0 != row && isWithin($0, parent) && !isWithin($0, row)
      }) {
        parent = found
        continue
      }
      let authored = ScientificNameParser.parse(text.parentName)
      let isParent = Self.key(authored.canonicalName) == Self.key(name)
      var usage = SourceUsage()
      usage.id = path
      usage.name = name
      if isParent {
        usage.authorship = authored.authorship
        usage.year = authored.year
      }
      usage.rank = SourceRank(rank.rawValue)
      let made = try addImplicit(usage, below: parent)
      implicit[path] = made
      taxa.insert(made, key)
      parent = made
    }
    if let parent { links[row] = UInt32(parent) }
  }

  /// Whether `ancestor` is nil, the row itself, or above it.
  private func isWithin(_ row: Int, _ ancestor: Int?) -> Bool {
    guard let ancestor else { return true }
    var row = row
    while row != ancestor {
      guard links[row] != Resolution.none else { return false }
      row = Int(links[row])
    }
    return true
  }

  /// Adds a taxon that only columns name.
  private mutating func addImplicit(
    _ usage: SourceUsage, below parent: Int?
  ) throws(IngestError) -> Int {
    let row = intake.usages.count
    try intake.addImplicit(usage)
    links.append(parent.map { UInt32($0) } ?? Resolution.none)
    fates.append(.open)
    findings.add(.implicitTaxon, usage.id)
    return row
  }

  private static func key(_ rank: Int, _ name: String) -> String { "\(rank) \(key(name))" }
}

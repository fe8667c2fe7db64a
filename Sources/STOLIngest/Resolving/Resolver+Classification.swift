import STOLPack
import STOLNames

extension Resolver {
  typealias HigherTaxon = (rank: SourceRank, name: String)

  /// Puts the higher taxa that columns name above what has no parent; those without a row of their
  /// own become taxa.
  ///
  /// The columns of a row say where the highest of its ancestors belongs, unless the rank of that one
  /// is unknown; that one's own columns come before those of rows below it. Rows of the highest ranks
  /// come first, so that they are there for those below them. A taxon of that name and rank serves if
  /// it has no higher taxon where the columns name none, and else if it is within the one above. Of
  /// several, the first serves whose own columns say the same, else the first that is next below.
  ///
  /// Of the eight ranks only such count for what is next below: a genus that is in its family stays there
  /// if columns name a subfamily as well. A taxon of another rank is made where something new stands in it.
  mutating func applyClassifications() throws {
    let classified = (0..<intake.usages.count).filter {
      fates[$0] == .open && intake.usages.flags[$0].contains(.classified)
    }
    let mapped = intake.classifiedRanks
    let species = try SpeciesTable(intake, fates)
    defer { settleBelowSpecies(species) }
    guard !classified.isEmpty else { return }
    let highest = mapped.min() ?? .max
    var taxa = NameTable()
    for row in 0..<intake.usages.count where fates[row] == .open {
      let level = intake.usages.level(row)
      guard level.map(mapped.contains) ?? mayTakeRank(row) else { continue }
      taxa.insert(row, Self.key(level, try intake.text(row).name))
    }
    let ordered = classified.sorted {
      (intake.usages.level($0) ?? .max, $0) < (intake.usages.level($1) ?? .max, $1)
    }
    var isDone = Set<Int>()
    for row in ordered {
      let first = root(of: row)
      if intake.usages.flags[first].contains(.classified), isDone.insert(first).inserted {
        try apply(try classification(of: first), above: first, mapped, &taxa)
      }
      let root = root(of: row)
      let level = intake.usages.level(root)
      if level == nil, root != row { continue }
      if let level, level <= highest { continue }
      try apply(try classification(of: row), above: root, mapped, &taxa)
    }
  }

  /// What the columns of a row say is above it.
  ///
  /// Of a species they make none where an id or a name says what the row belongs to: the parent may be
  /// a synonym that has become another's.
  private func classification(of row: Int) throws -> [HigherTaxon] {
    let stated = try intake.text(row).classification
    return isFromColumns(row) ? stated : stated.filter { $0.rank.kept != .species }
  }

  private mutating func apply(
    _ classification: [HigherTaxon], above root: Int, _ mapped: Set<Int>, _ taxa: inout NameTable
  ) throws {
    var classification = classification
    // A taxon without a rank that the lowest column names has the rank of that column.
    if intake.usages.level(root) == nil, mayTakeRank(root) || !intake.keepsAllRanks,
      let lowest = classification.last,
      Self.key(lowest.name) == Self.key(try intake.text(root).name)
    {
      classification.removeLast()
      setRank(lowest.rank, of: root, lowest.name, &taxa)
    }
    if let species = try speciesOfSynonym(in: classification, above: root, taxa) {
      links[root] = UInt32(species)
      return
    }
    let own = intake.usages.level(root) ?? .max
    var parent: Int?
    // The lowest one of the eight ranks.
    var main: Int?
    var path = ""
    // Of other ranks, those that are made if something below them is.
    var waiting: [SourceUsage] = []
    for (rank, name) in classification {
      guard let level = rank.level, level < own else { continue }
      path += (path.isEmpty ? "" : ";") + "\(rank.canonicalName)=\(name)"
      let found = try taxon(
        rank, name, above: root, below: main ?? parent, within: parent, of: classification, mapped,
        taxa)
      if let found {
        if intake.usages.level(found) == nil { setRank(rank, of: found, name, &taxa) }
        parent = found
      } else if let made = implicit[path] {
        // It was made without what is above it now, as other columns said.
        guard self.root(of: made) != root else { continue }
        parent = made
      } else {
        var usage = SourceUsage()
        usage.id = path
        usage.name = name
        usage.rank = rank
        waiting.append(usage)
        guard rank.kept != nil else { continue }
        parent = try make(waiting, below: parent, &taxa)
      }
      waiting = []
      if rank.kept != nil { main = parent }
    }
    parent = try make(waiting, below: parent, &taxa)
    if let parent { links[root] = UInt32(parent) }
  }

  /// Makes taxa that only columns name, each below the one before, and gives the last one.
  private mutating func make(
    _ usages: [SourceUsage], below parent: Int?, _ taxa: inout NameTable
  ) throws -> Int? {
    var parent = parent
    for usage in usages {
      let made = try addImplicit(usage, below: parent)
      taxa.insert(made, Self.key(usage.rank?.level, usage.name))
      parent = made
    }
    return parent
  }

  /// The accepted taxon of the species that columns name, where a row says that this is a synonym.
  private mutating func speciesOfSynonym(
    in classification: [HigherTaxon], above root: Int, _ taxa: NameTable
  ) throws -> Int? {
    guard let species = classification.last, species.rank.kept == .species,
      taxa[Self.key(species.rank.level, species.name)].isEmpty
    else { return nil }
    if speciesSynonyms == nil { speciesSynonyms = try synonymsOfSpecies() }
    let key = Self.key(species.name)
    guard let row = speciesSynonyms?[textHash(key)], row != Resolution.none,
      Self.key(try intake.text(Int(row)).name) == key
    else { return nil }
    let accepted = Int(links[Int(row)])
    return self.root(of: accepted) == root ? nil : accepted
  }

  /// The rows of synonyms that may be names of species by the hashes of their names; none where several lead
  /// to different taxa.
  private func synonymsOfSpecies() throws -> [UInt64: UInt32] {
    var rows: [UInt64: UInt32] = [:]
    for row in 0..<intake.usages.count where fates[row] == .synonym {
      let rank = intake.usages.keptRank(row)
      guard rank == .species || rank == nil && mayTakeRank(row) else { continue }
      let hash = textHash(Self.key(try intake.text(row).name))
      if let other = rows[hash] {
        if other != Resolution.none, links[Int(other)] != links[row] {
          rows[hash] = Resolution.none
        }
      } else {
        rows[hash] = UInt32(row)
      }
    }
    return rows
  }

  /// Puts what is below species by its rank and its name under its species, where the source has that
  /// and says nothing else below the family or genus that its columns name.
  private mutating func settleBelowSpecies(_ species: SpeciesTable) {
    for (row, candidates) in species.rows {
      let parent = links[row]
      // What a source says by an id or a name stands.
      guard parent == Resolution.none || isFromColumns(row) else { continue }
      if parent != Resolution.none, intake.usages.keptRank(Int(parent)) == .species { continue }
      let within = candidates.filter {
        $0 != row && (parent == Resolution.none || isWithin($0, Int(parent))) && !isWithin($0, row)
      }
      // Of several none is chosen.
      if within.count == 1 { links[row] = UInt32(within[0]) }
    }
  }

  /// Whether only columns say what is above a row.
  private func isFromColumns(_ row: Int) -> Bool {
    let usages = intake.usages
    return row < usages.links.count && usages.links[row] == Intake.none
      && !usages.flags[row].contains(.parentByName)
  }

  /// The taxon of a name and rank, or without a rank, that is where the columns say; of several in `parent`
  /// one in `inner` first.
  private mutating func taxon(
    _ rank: SourceRank, _ name: String, above root: Int, below parent: Int?, within inner: Int?,
    of classification: [HigherTaxon], _ mapped: Set<Int>, _ taxa: NameTable
  ) throws -> Int? {
    let stated = classification.prefix { $0.rank != rank }
    var innermost: Int?
    var direct: Int?
    var deeper: Int?
    var candidates = [taxa[Self.key(rank.level, name)], taxa[Self.key(nil, name)]]
    // Rows may call the subgenus Ferox of a column "Abies (Ferox)".
    if rank.isBetweenGenusAndSpecies, let genus = stated.last(where: { $0.rank.kept == .genus }) {
      candidates.append(taxa[Self.key(rank.level, "\(genus.name) (\(name))")])
    }
    for candidate in candidates.joined() {
      let row = Int(candidate)
      guard self.root(of: row) != root else { continue }
      let isDirect = isDirectly(row, below: parent, mapped)
      // Its own columns may not have been read yet.
      let isOpen = parent != nil && links[row] == Resolution.none
      if isDirect || isOpen {
        let own = try intake.text(row).classification.prefix { $0.rank != rank }
        if own.elementsEqual(stated, by: { $0.rank == $1.rank && $0.name == $1.name }) {
          return row
        }
      }
      if isDirect {
        direct = direct ?? row
        if innermost == nil, let inner, inner != parent, isWithin(row, inner) { innermost = row }
      } else if let parent, isWithin(row, parent) {
        deeper = deeper ?? row
      }
    }
    return innermost ?? direct ?? deeper
  }

  private mutating func setRank(
    _ rank: SourceRank, of row: Int, _ name: String, _ taxa: inout NameTable
  ) {
    intake.usages.setRank(intake.usages.ranks.code(rank), of: row)
    taxa.insert(row, Self.key(rank.level, name))
  }

  /// The highest row above a row, or the row itself.
  ///
  /// From here on only such rows get parents, so that what is found once shortens every further way
  /// (path compression: Tarjan and van Leeuwen 1984).
  ///
  /// - Complexity: O(log n) amortized
  private mutating func root(of row: Int) -> Int {
    while shortcuts.count < links.count { shortcuts.append(Resolution.none) }
    func above(_ row: Int) -> UInt32 {
      shortcuts[row] == Resolution.none ? links[row] : shortcuts[row]
    }
    var root = row
    while above(root) != Resolution.none { root = Int(above(root)) }
    var step = row
    while step != root {
      let next = Int(above(step))
      shortcuts[step] = UInt32(root)
      step = next
    }
    return root
  }

  /// Whether `ancestor` is the row itself or above it.
  private func isWithin(_ row: Int, _ ancestor: Int) -> Bool {
    var row = row
    while row != ancestor {
      guard links[row] != Resolution.none else { return false }
      row = Int(links[row])
    }
    return true
  }

  /// Whether `parent` is the next above the row of those of the eight ranks that matter; without one, whether
  /// there is none of the eight ranks.
  private func isDirectly(_ row: Int, below parent: Int?, _ mapped: Set<Int>) -> Bool {
    var row = row
    while links[row] != Resolution.none {
      row = Int(links[row])
      if row == parent { return true }
      if intake.usages.keptRank(row) != nil,
        parent == nil || intake.usages.level(row).map(mapped.contains) ?? false
      {
        return false
      }
    }
    return parent == nil
  }

  /// Whether nobody states the rank of a row, so that a column may.
  private func mayTakeRank(_ row: Int) -> Bool {
    let name = intake.usages.rankName(row)
    return name.isEmpty || SourceRank(name)?.saysNothing ?? false
  }

  private static func key(_ level: Int?, _ name: String) -> String {
    "\(level.map(String.init) ?? "") \(key(name))"
  }
}

/// What is below species, with the species that its name says.
private struct SpeciesTable {
  /// Rows of a rank below species, each with the rows of that species.
  private(set) var rows: [(row: Int, species: [Int])] = []

  /// - Complexity: O(n)
  init(_ intake: Intake, _ fates: Column<Resolution.Fate>) throws {
    let species = SourceRank.species.level ?? .max
    let below = (0..<fates.count).filter {
      fates[$0] == .open && intake.usages.level($0) ?? 0 > species
    }
    guard !below.isEmpty else { return }
    var names = NameTable()
    for row in 0..<fates.count
    where fates[row] == .open && intake.usages.keptRank(row) == .species {
      names.insert(row, Resolver.key(try intake.text(row).name))
    }
    for row in below {
      // "Aus bus cus", "Aus bus var. cus", "× Aus bus cus", "Aus (Dus) bus cus".
      let words = try intake.text(row).name.split(separator: " ").filter {
        $0 != "\u{D7}" && !$0.hasPrefix("(")
      }
      guard words.count > 2 else { continue }
      let found = names[Resolver.key(words.prefix(2).joined(separator: " "))]
      if !found.isEmpty { rows.append((row, found.map { Int($0) })) }
    }
  }
}

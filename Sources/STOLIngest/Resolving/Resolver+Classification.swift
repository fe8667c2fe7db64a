import STOLPack
import STOLNames

extension Resolver {
  /// Puts the higher taxa that columns name above what has no parent; those without a row of their
  /// own become taxa.
  ///
  /// The columns of a row say where the highest of its ancestors belongs, unless the rank of that one
  /// is unknown; that one's own columns come before those of rows below it. Rows of the highest ranks
  /// come first, so that they are there for those below them. A taxon of that name and rank serves if
  /// it has no higher taxon where the columns name none, and else if it is within the one above. Of
  /// several, the first serves whose own columns say the same, else the first that is next below.
  mutating func applyClassifications() throws {
    let classified = (0..<intake.usages.count).filter {
      fates[$0] == .open && intake.usages.flags[$0].contains(.classified)
    }
    guard !classified.isEmpty else { return }
    let mapped = intake.classifiedRanks
    let highest = mapped.min().flatMap { SourceRank($0).level } ?? .max
    var taxa = NameTable()
    for row in 0..<intake.usages.count where fates[row] == .open {
      let rank = intake.usages.keptRank(row)
      guard rank.map(mapped.contains) ?? isUnranked(row) else { continue }
      taxa.insert(row, Self.key(rank, try intake.text(row).name))
    }
    let ordered = classified.sorted {
      (intake.usages.level($0) ?? .max, $0) < (intake.usages.level($1) ?? .max, $1)
    }
    var isDone = Set<Int>()
    for row in ordered {
      let first = root(of: row)
      if intake.usages.flags[first].contains(.classified), isDone.insert(first).inserted {
        try apply(try intake.text(first).classification, above: first, mapped, &taxa)
      }
      let root = root(of: row)
      let level = intake.usages.level(root)
      if level == nil, root != row { continue }
      if let level, level <= highest { continue }
      try apply(try intake.text(row).classification, above: root, mapped, &taxa)
    }
  }

  private mutating func apply(
    _ classification: [(rank: MainRank, name: String)], above root: Int, _ mapped: Set<MainRank>,
    _ taxa: inout NameTable
  ) throws {
    var classification = classification
    // A taxon without a rank that the lowest column names has the rank of that column.
    if intake.usages.level(root) == nil, let lowest = classification.last,
      Self.key(lowest.name) == Self.key(try intake.text(root).name)
    {
      classification.removeLast()
      setRank(lowest.rank, of: root, lowest.name, &taxa)
    }
    let own = intake.usages.level(root) ?? .max
    var parent: Int?
    var path = ""
    for (rank, name) in classification {
      guard let level = SourceRank(rank).level, level < own else { continue }
      path += (path.isEmpty ? "" : ";") + "\(rank.name)=\(name)"
      let found = try taxon(
        rank, name, above: root, below: parent, of: classification, mapped, taxa)
      if let found {
        if intake.usages.keptRank(found) == nil { setRank(rank, of: found, name, &taxa) }
        parent = found
      } else if let made = implicit[path] {
        // It was made without what is above it now, as other columns said.
        if self.root(of: made) != root { parent = made }
      } else {
        var usage = SourceUsage()
        usage.id = path
        usage.name = name
        usage.rank = SourceRank(rank)
        let made = try addImplicit(usage, below: parent)
        taxa.insert(made, Self.key(rank, name))
        parent = made
      }
    }
    if let parent { links[root] = UInt32(parent) }
  }

  /// The taxon of a name and rank, or without a rank, that is where the columns say.
  private mutating func taxon(
    _ rank: MainRank, _ name: String, above root: Int, below parent: Int?,
    of classification: [(rank: MainRank, name: String)], _ mapped: Set<MainRank>, _ taxa: NameTable
  ) throws -> Int? {
    let stated = classification.prefix { $0.rank != rank }
    var direct: Int?
    var deeper: Int?
    let candidates = [taxa[Self.key(rank, name)], taxa[Self.key(nil, name)]]
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
      } else if let parent, isWithin(row, parent) {
        deeper = deeper ?? row
      }
    }
    return direct ?? deeper
  }

  private mutating func setRank(
    _ rank: MainRank, of row: Int, _ name: String, _ taxa: inout NameTable
  ) {
    intake.usages.setRank(intake.usages.ranks.code(SourceRank(rank)), of: row)
    taxa.insert(row, Self.key(rank, name))
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

  /// Whether `parent` is the next above the row of those ranks that matter; without one, whether
  /// there is none of the eight ranks.
  private func isDirectly(_ row: Int, below parent: Int?, _ mapped: Set<MainRank>) -> Bool {
    var row = row
    while links[row] != Resolution.none {
      row = Int(links[row])
      if row == parent { return true }
      if let rank = intake.usages.keptRank(row), parent == nil || mapped.contains(rank) {
        return false
      }
    }
    return parent == nil
  }

  /// Whether nobody states the rank of a row.
  private func isUnranked(_ row: Int) -> Bool {
    let name = intake.usages.ranks.names[Int(intake.usages.rankCodes[row])]
    return name.isEmpty || name == SourceRank.unranked.canonicalName
  }

  private static func key(_ rank: MainRank?, _ name: String) -> String {
    "\(rank?.name ?? "") \(key(name))"
  }
}

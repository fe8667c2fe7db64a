import STOLPack

extension Resolution {
  /// How many taxa there are.
  var taxonCount: Int {
    var count = 0
    for row in 0..<usages.count where fates[row] == .taxon { count += 1 }
    return count
  }

  /// Notes in the account of the source what became of every row with a name.
  func count(into intake: Intake, known: (Int) -> RowOutcome? = { _ in nil }) {
    for (number, file) in intake.account.files.enumerated() {
      var outcomes: [RowOutcome: Int] = [:]
      for row in file.firstUsage..<file.firstUsage + file.usageCount
      where !usages.flags[row].contains(.implicit) {
        outcomes[known(row) ?? outcome(row), default: 0] += 1
      }
      for (outcome, count) in outcomes { intake.account.add(outcome, file: number, count: count) }
    }
  }

  /// Whether there are several roots that are domains, kingdoms or realms, which one root goes above.
  ///
  /// - Complexity: O(n)
  var hasSeveralTops: Bool {
    var count = 0
    for row in 0..<usages.count where isRoot(row) && isTop(row) { count += 1 }
    return count > 1
  }

  /// Whether a row is a taxon without a parent.
  func isRoot(_ row: Int) -> Bool { fates[row] == .taxon && targets[row] == Self.none }

  /// Whether a row has a rank for which a root is implied.
  func isTop(_ row: Int) -> Bool {
    let main = usages.keptRank(row)
    return main == .domain || main == .kingdom || usages.rankName(row) == "realm"
  }

  /// The taxa above a row, the nearest first.
  func ancestors(of row: Int) -> [Int] {
    var ancestors: [Int] = []
    var next = targets[row]
    while next != Self.none {
      ancestors.append(Int(next))
      next = targets[Int(next)]
    }
    return ancestors
  }

  /// The only root, if that stands above domains, kingdoms or realms and is none itself, as NCBI's `root`.
  ///
  /// - Complexity: O(n)
  var rootOfTops: Int? {
    var root: Int?
    var hasTops = false
    for row in 0..<usages.count where fates[row] == .taxon {
      if isRoot(row) {
        guard root == nil, !isTop(row) else { return nil }
        root = row
      } else if isTop(row) {
        hasTops = true
      }
    }
    return hasTops ? root : nil
  }

  private func outcome(_ row: Int) -> RowOutcome {
    switch fates[row] {
    case .taxon, .open: .taxon
    case .collapsed: .collapsed
    case .synonym: targets[row] == Self.none ? .unknownTaxon : .synonym
    case .bare: .bareName
    case .cut, .cutName: .cut
    case .duplicate: .duplicate
    }
  }
}

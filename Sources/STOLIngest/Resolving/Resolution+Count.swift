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

  private func outcome(_ row: Int) -> RowOutcome {
    switch fates[row] {
    case .taxon, .open: .taxon
    case .collapsed: .collapsed
    case .synonym: targets[row] == Self.none ? .unknownTaxon : .synonym
    case .bare: .bareName
    case .duplicate: .duplicate
    }
  }
}

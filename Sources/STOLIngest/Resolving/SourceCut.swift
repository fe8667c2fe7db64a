import STOLSystem
import STOLFormats
import STOLNames
import STOLPack

/// Which part of a source is kept, with its ancestors.
public struct SourceCut: Equatable, Sendable {
  /// A taxon, by id or by its scientific name: it and what is below it.
  public var within: String?
  /// Only taxa of these ranks, in any usual spelling; none for all.
  public var ranks: [String]
  /// Only taxa of this status; nil for all.
  public var status: Status?

  /// Whether a source is sure of a taxon.
  public enum Status: String, CaseIterable, Sendable {
    /// It is.
    case accepted
    /// It has doubts.
    case provisional
  }

  /// A cut; without a value it keeps everything.
  public init(within: String? = nil, ranks: [String] = [], status: Status? = nil) {
    self.within = within
    self.ranks = ranks
    self.status = status
  }

  /// Whether nothing is left out.
  var isWhole: Bool { self == SourceCut() }
}

extension Resolution {
  /// Leaves out what a cut does not keep, and synonyms of that; ancestors of what is kept stay.
  ///
  /// - Returns: the taxon that the cut is within.
  /// - Throws: `FormatError.unreadable` where no taxon, or several, are what the cut is to be within,
  ///   and where there is no such rank.
  /// - Complexity: O(n)
  mutating func apply(_ cut: SourceCut, to intake: Intake, path: String) throws -> Int? {
    guard !cut.isWhole else { return nil }
    try checkRanks(of: cut, path: path)
    let top = try cut.within.map { try taxon(called: $0, intake, path: path) }
    let filter = CutFilter(cut)
    var isKept = Column(repeating: false, count: usages.count)
    for row in 0..<usages.count where fates[row] == .taxon {
      guard top.map({ isWithin(row, $0) }) ?? true, filter.keeps(row, usages) else { continue }
      var next = row
      while !isKept[next] {
        isKept[next] = true
        guard targets[next] != Self.none else { break }
        next = Int(targets[next])
      }
    }
    for row in 0..<usages.count {
      switch fates[row] {
      case .taxon where !isKept[row]: fates[row] = .cut
      case .synonym, .collapsed:
        guard targets[row] != Self.none, !isKept[Int(targets[row])] else { break }
        fates[row] = .cutName
      default: break
      }
    }
    return top
  }

  /// Refuses a rank that neither the table of ranks nor the source has.
  private func checkRanks(of cut: SourceCut, path: String) throws {
    let own = usages.ranks.names
    for word in cut.ranks where SourceRank(word)?.isKnown != true && !own.contains(word) {
      let meant = NearestWord.suggestion(for: word, among: KnownRanks.ordered.joined() + own)
      throw FormatError.unreadable(
        path: path, reason: "there is no rank '\(word)'\(meant)")
    }
  }

  private func isWithin(_ row: Int, _ top: Int) -> Bool {
    var row = row
    while row != top {
      guard targets[row] != Self.none else { return false }
      row = Int(targets[row])
    }
    return true
  }

  /// The taxon that a text is the id or the scientific name of.
  private func taxon(called text: String, _ intake: Intake, path: String) throws -> Int {
    if let row = table.row(TaxonID(sourceText: text).rawValue, ids: usages.ids),
      fates[row] == .taxon, try intake.sourceID(row) == text
    {
      return row
    }
    let key = Resolver.key(text)
    var found: [Int] = []
    for row in 0..<usages.count where fates[row] == .taxon {
      if Resolver.key(try intake.text(row).name) == key { found.append(row) }
    }
    guard let first = found.first else {
      throw FormatError.unreadable(
        path: path, reason: "it has no taxon \"\(text)\" to keep; give an id or a scientific name")
    }
    guard found.count == 1 else {
      let ids = try found.prefix(10).map { "\(try intake.sourceID($0)) (\(usages.rankName($0)))" }
      throw FormatError.unreadable(
        path: path,
        reason: "several taxa are called \"\(text)\"; give an id: \(ids.joined(separator: ", "))")
    }
    return first
  }

  /// Whether the usage with an id was left out by a cut.
  func isCut(_ id: Int64) -> Bool { table.row(id, ids: usages.ids).map { isCut(row: $0) } ?? false }

  /// Whether a row was left out by a cut.
  func isCut(row: Int) -> Bool { fates[row] == .cut || fates[row] == .cutName }
}

/// Which taxa a cut asks for by what their rows say.
struct CutFilter {
  private let ranks: Set<String>
  private let status: SourceCut.Status?

  /// What a cut asks for.
  init(_ cut: SourceCut) {
    ranks = Set(cut.ranks.map { SourceRank($0)?.canonicalName ?? $0 })
    status = cut.status
  }

  /// Whether it asks for the taxon in a row.
  ///
  /// - Complexity: O(1)
  func keeps(_ row: Int, _ usages: UsageTable) -> Bool {
    (ranks.isEmpty || ranks.contains(usages.rankName(row)))
      && status.map { ($0 == .provisional) == usages.flags[row].contains(.doubtful) } ?? true
  }
}

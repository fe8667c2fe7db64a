import STOLNames
import STOLPack

/// A row of a source, with what is above it.
struct Home {
  let row: Int
  let intake: Intake
  let resolution: Resolution
}

/// In which kingdoms taxa are, as far as their sources say it.
///
/// The names that say it are those that references to taxa have (Format/DATABASE.md, "Taxon references").
/// All taxa of a source have few of them: each lot of names has a number.
final class KingdomSigns {
  private struct Spot: Hashable {
    let intake: ObjectIdentifier
    let row: Int
  }
  /// The numbers of rows that say something, which hold for what is below them too.
  private var spots: [Spot: Int] = [:]
  private var numbers: [[String]: Int] = [:]
  private var lots: [(names: [String], sayKingdom: Bool)] = []
  /// What was asked of two numbers.
  private var areApart: [UInt64: Bool] = [:]

  private static let kingdomLevels = Set(KingdomNames.ranks.compactMap { SourceRank($0)?.level })
  private static let phylumLevels = Set(KingdomNames.phyla.compactMap { SourceRank($0)?.level })
  /// Whether taxa of a level say in which kingdom they are.
  private static let says: [Bool] = {
    let levels = kingdomLevels.union(phylumLevels)
    return (0...(levels.max() ?? 0)).map(levels.contains)
  }()

  /// Whether taxa of a level are kingdoms, domains or their like.
  static func isKingdom(_ level: Int?) -> Bool { level.map(kingdomLevels.contains) ?? false }

  /// The number of the names that say in which kingdom a taxon is: those of domains, kingdoms and their
  /// like above it or of itself, else of its two highest ancestors; where these are no kingdoms, those of
  /// its phyla as well.
  ///
  /// - Complexity: O(depth)
  func number(of home: Home) throws -> Int {
    let (usages, targets) = (home.resolution.usages, home.resolution.targets)
    var (second, row) = (home.row, home.row)
    while true {
      if let level = usages.level(row), level < Self.says.count, Self.says[level] { break }
      guard targets[row] != Resolution.none else {
        // Nothing says it: the two highest, but not the taxon itself.
        guard row != home.row else { return number(of: []) }
        return try number(at: second == home.row ? row : second, home) {
          second == home.row ? [row] : [row, second]
        }
      }
      (second, row) = (row, Int(targets[row]))
    }
    return try number(at: row, home) {
      let chain = Array(([row] + home.resolution.ancestors(of: row)).reversed())
      let kingdoms = chain.filter { Self.isKingdom(usages.level($0)) }
      let first = kingdoms.isEmpty ? Array(chain.prefix(2)) : kingdoms
      let phyla = chain.filter { usages.level($0).map(Self.phylumLevels.contains) ?? false }
      let sayKingdom = KingdomNames.sayKingdom(try first.map { try home.intake.text($0).name })
      return sayKingdom ? first : first + phyla.filter { !first.contains($0) }
    }
  }

  /// The number of what the rows say that `rows` gives, if it is not known yet for a row.
  private func number(at row: Int, _ home: Home, _ rows: () throws -> [Int]) throws -> Int {
    let spot = Spot(intake: ObjectIdentifier(home.intake), row: row)
    if let known = spots[spot] { return known }
    let number = number(of: try rows().map { try home.intake.text($0).name })
    spots[spot] = number
    return number
  }

  private func number(of names: [String]) -> Int {
    if let known = numbers[names] { return known }
    lots.append((names, KingdomNames.sayKingdom(names)))
    numbers[names] = lots.count - 1
    return lots.count - 1
  }

  /// Whether the kingdom is known of what has that number.
  func sayKingdom(_ number: Int) -> Bool { lots[number].sayKingdom }

  /// Whether nothing can be in the kingdoms of both numbers.
  func areApart(_ a: Int, _ b: Int) -> Bool {
    let key = UInt64(min(a, b)) << 32 | UInt64(max(a, b))
    if let known = areApart[key] { return known }
    let result = KingdomNames.areApart(lots[a].names, lots[b].names)
    areApart[key] = result
    return result
  }

  // MARK: Where no kingdom is known

  private static let familyLevel = SourceRank("family")?.level
  private static let aboveGenera: Range<Int> = {
    guard let kingdom = SourceRank(.kingdom).level, let genus = SourceRank.genus.level else {
      return 0..<0
    }
    return kingdom + 1..<genus
  }()

  /// Whether a name can be that of taxa in two kingdoms: it is of a genus or of what is within one, or of
  /// no rank.
  ///
  /// Names of families and of what is above them end as their code has it, or are rarely given twice.
  static func isOftenGivenTwice(_ level: Int?) -> Bool {
    level.map { $0 >= aboveGenera.upperBound } ?? true
  }

  /// Whether what is above two taxa says that they are two, although a kingdom is not known of both: they
  /// have no group in common, and other ones of one rank, or a family of another code of names.
  ///
  /// - Complexity: O(depth)
  func haveOtherGroups(_ a: Home, _ b: Home) throws -> Bool {
    let (groupsOfA, groupsOfB) = (try groups(above: a), try groups(above: b))
    for (name, level) in groupsOfA {
      guard let other = groupsOfB[name] else { continue }
      if level != nil || other != nil { return false }
    }
    let levels = Set(groupsOfA.values.compactMap(\.self))
    if groupsOfB.values.contains(where: { $0.map(levels.contains) ?? false }) { return true }
    let (namesOfA, namesOfB) = (
      lots[try number(of: a)].names + Self.kingdoms(ofFamilyIn: groupsOfA),
      lots[try number(of: b)].names + Self.kingdoms(ofFamilyIn: groupsOfB)
    )
    return KingdomNames.areApart(namesOfA, namesOfB)
  }

  private static func kingdoms(ofFamilyIn groups: [String: Int?]) -> [String] {
    groups.filter { $0.value == familyLevel }.keys.min().map { KingdomNames.kingdoms(ofFamily: $0) }
      ?? []
  }

  /// The names between kingdom and genus above a taxon, and those without a rank, with their levels.
  private func groups(above home: Home) throws -> [String: Int?] {
    var groups: [String: Int?] = [:]
    for row in home.resolution.ancestors(of: home.row) {
      let level = home.resolution.usages.level(row)
      guard level.map(Self.aboveGenera.contains) ?? true else { continue }
      let name = try home.intake.text(row).name
      // "Not assigned" and "incertae sedis" are no groups.
      guard name.first?.isUppercase ?? false, !name.contains(" ") else { continue }
      groups[Resolver.key(name)] = .some(level)
    }
    return groups
  }
}

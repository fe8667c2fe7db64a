import Foundation
import STOLMatch
import STOLPack
import TestSupport
import Testing

/// What must hold of every name, by random ones and by a brute force that knows nothing of the steps.
struct MatchModelTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Genera and species of few letters, so that many are alike; no two species have one name.
  private func taxonomy(_ random: inout SeededGenerator) -> String {
    func word(_ random: inout SeededGenerator) -> String {
      let letters = Array("abenorst")
      return String(
        (0..<Int.random(in: 5...9, using: &random)).map { _ in
          letters[Int.random(in: 0..<letters.count, using: &random)]
        })
    }
    var lines = ["1 0 domain Eukaryota", "2 1 kingdom Animalia", "3 2 family Aidae"]
    var id = 4
    var genera: Set<String> = []
    for _ in 0..<12 {
      let genus = word(&random).capitalized
      guard genera.insert(genus).inserted else { continue }
      let own = id
      lines.append("\(own) 3 genus \(genus)")
      id += 1
      var epithets: Set<String> = []
      for _ in 0..<8 {
        let epithet = word(&random)
        guard epithets.insert(epithet).inserted else { continue }
        lines.append("\(id) \(own) species \(genus) \(epithet)")
        id += 1
      }
    }
    return lines.joined(separator: "\n")
  }

  /// Edits between two texts, by the definition: optimal string alignment.
  private func edits(_ a: [Character], _ b: [Character]) -> Int {
    var rows = [[Int]](repeating: [Int](repeating: 0, count: b.count + 1), count: a.count + 1)
    for i in 0...a.count { rows[i][0] = i }
    for j in 0...b.count { rows[0][j] = j }
    for i in 0..<a.count {
      for j in 0..<b.count {
        var best = min(rows[i][j + 1] + 1, rows[i + 1][j] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          best = min(best, rows[i - 1][j - 1] + 1)
        }
        rows[i + 1][j + 1] = best
      }
    }
    return rows[a.count][b.count]
  }

  @Test(arguments: 1...6)
  func theNearestNamesAreFound(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let pack = try SmallPack.make(taxonomy(&random), folder: folder)
    let view = pack.view
    let species = view.tree.taxa.filter { view.rank(of: $0) == .species }
    let names = species.map { view.names.scientificName(of: $0) }
    var options = NameMatcher.Options()
    options.leastScore = 0
    options.candidateLimit = 1000
    var matcher = NameMatcher(options: options)
    for name in names {
      let exact = matcher.match(MatchQuery(name), in: view)
      #expect(
        exact.status == .exact && exact.taxon.map { view.names.scientificName(of: $0) } == name)
      var letters = Array(name)
      let place = Int.random(in: 1..<letters.count, using: &random)
      guard letters[place] != " " else { continue }
      letters[place] = letters[place] == "x" ? "y" : "x"
      let asked = String(letters)
      let near = names.filter { edits(Array($0.lowercased()), Array(asked.lowercased())) == 1 }
      let match = matcher.match(MatchQuery(asked), in: view)
      let found = Set(match.candidates.map { view.names.text(of: $0.name) })
      #expect(
        found.isSuperset(of: near) || match.difference == .ending, "\(asked): \(near), \(found)")
      if near.count == 1, let taxon = match.taxon, match.difference != .ending {
        #expect(near.contains(view.names.scientificName(of: taxon)), "\(asked)")
      }
    }
  }

  @Test(arguments: 1...4)
  func noTextHarmsAndEveryAnswerIsWhole(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed) &* 77)
    let pack = try SmallPack.make(SmallPack.life, folder: folder)
    let view = pack.view
    var matcher = NameMatcher()
    let pieces = [
      "Panthera", "leo", "L.", "(", ")", "1758", "×", "cf.", "sp.", "var.", "\u{0}", "é",
      "\u{202E}", "\"",
      "subsp.", "&", "ex", "BOLD:AAA1234", ",", "-", "'", "Oenanthe", "virus", "\u{1F981}",
    ]
    for _ in 0..<2_000 {
      let text = (0..<Int.random(in: 0...7, using: &random)).map { _ in
        pieces[Int.random(in: 0..<pieces.count, using: &random)]
      }.joined(separator: Bool.random(using: &random) ? " " : "")
      let match = matcher.match(MatchQuery(text), in: view)
      switch match.status {
      case .exact, .synonym, .fuzzy:
        #expect(match.taxon != nil && match.name != nil && match.score >= 90)
      case .partial: #expect(match.taxon != nil)
      case .ambiguous: #expect(match.taxon == nil && match.candidates.count > 1)
      case .notFound, .invalid: #expect(match.taxon == nil && match.name == nil)
      }
      #expect(!match.reason.isEmpty)
    }
  }

  @Test(arguments: 1...6)
  func aPlainNameIsMatchedAsAnyOther(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed) &* 31)
    let pack = try SmallPack.make(taxonomy(&random) + "\n" + synonyms, folder: folder)
    let view = pack.view
    let words =
      view.tree.taxa.flatMap { view.names.scientificName(of: $0).split(separator: " ") }
      .map(String.init) + [
        "Virus", "sp", "var", "Notavirus", "not", "npvabc", "phage", "Cus", "dus",
      ]
    var matcher = NameMatcher()
    var plainCount = 0
    for _ in 0..<2_000 {
      let first = words.randomElement(using: &random) ?? ""
      let second = words.randomElement(using: &random) ?? ""
      let text =
        [
          first, second, "\(first) \(second.lowercased())", "\(first) \(second)",
          "\(first)  \(second)", "\(first) \(second)-\(first.lowercased())",
        ].randomElement(using: &random) ?? ""
      let match = matcher.match(MatchQuery(text), in: view)
      guard let plain = matcher.matchPlain(Array(text.utf8).span, in: view) else { continue }
      plainCount += 1
      #expect(
        plain.status == match.status && plain.taxon == match.taxon && plain.name == match.name
          && plain.score == match.score && plain.reason == match.reason
          && plain.difference == match.difference && plain.edits == match.edits, "\(text)")
    }
    #expect(plainCount > 100)
    for taxon in view.tree.taxa where view.rank(of: taxon) == .species {
      let name = view.names.scientificName(of: taxon)
      #expect(matcher.matchPlain(Array(name.utf8).span, in: view)?.taxon == taxon, "\(name)")
    }
  }

  /// Further names: one that two taxa have, and others.
  private let synonyms = """
    = 2 kingdom Metazoa
    = 3 family Bidae
    = 3 family Dus
    = 2 kingdom Dus
    = 3 family Cus dus
    """

  @Test(arguments: 1...3)
  func manyAbsentNamesChangeNoLaterAnswer(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed) &* 53)
    let pack = try SmallPack.make(taxonomy(&random), folder: folder)
    let view = pack.view
    let names = view.tree.taxa.map { view.names.scientificName(of: $0) }
    var warm = NameMatcher()
    for number in 0..<60 { _ = warm.match(MatchQuery("Zzyzx quuxi\(number)us"), in: view) }
    for name in names {
      var letters = Array(name)
      for _ in 0..<Int.random(in: 1...2, using: &random) {
        letters[Int.random(in: 1..<letters.count, using: &random)] = "x"
      }
      let query = MatchQuery(String(letters))
      var cold = NameMatcher()
      let (a, b) = (warm.match(query, in: view), cold.match(query, in: view))
      #expect(
        a.status == b.status && a.taxon == b.taxon && a.candidates == b.candidates
          && a.reason == b.reason && a.score == b.score, "\(query.name)")
      for number in 0..<20 { _ = warm.match(MatchQuery("Qqqqq wwwww\(number)is"), in: view) }
    }
  }

  @Test func oneMatcherAnswersAsANewOneDoes() throws {
    let pack = try SmallPack.make(SmallPack.life, folder: folder)
    var warm = NameMatcher()
    for name in ["Panthera leo", "Oenanthe L.", "Bromus sp.", "Panthra pardus", "Felis leo", "Xus"]
    {
      var cold = NameMatcher()
      let (a, b) = (
        warm.match(MatchQuery(name), in: pack.view), cold.match(MatchQuery(name), in: pack.view)
      )
      #expect(a.status == b.status && a.taxon == b.taxon && a.candidates == b.candidates)
    }
  }
}

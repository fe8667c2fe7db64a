import Foundation
import STOLIngest
import Testing
import STOLNames

/// Names that other projects took apart, against what is made of them here.
struct NameOracleTests {
  private static let cases = "fuzzy/nameparse_gnparser/test_data.md"
  private static let archives = "col_testset/dwca"

  /// Letters and digits, without markers of ranks and subgenera, which other parsers leave out or rename.
  private func bare(_ name: String) -> String {
    var text = ""
    var depth = 0
    for character in name {
      if character == "(" { depth += 1 }
      if depth == 0 { text.append(character) }
      if character == ")" { depth -= 1 }
    }
    return letters(
      text.split(separator: " ").filter { !$0.hasSuffix(".") || $0.count > 7 }.joined())
  }

  private func letters(_ text: some StringProtocol) -> String {
    text.folding(options: [.diacriticInsensitive, .caseInsensitive], locale: nil)
      .filter { ($0.isLetter || $0.isNumber) && $0 != "×" }
  }

  private struct Case {
    var name = ""
    var canonical = ""
    var authorship = ""
  }

  private func parserCases() throws -> [Case] {
    var cases: [Case] = []
    var current = Case()
    for line in try RealSources.text(Self.cases).split(separator: "\n") {
      if line.hasPrefix("Name: ") { current.name = String(line.dropFirst(6)) }
      if line.hasPrefix("Canonical: ") { current.canonical = String(line.dropFirst(11)) }
      if line.hasPrefix("Authorship: ") { current.authorship = String(line.dropFirst(12)) }
      if line.hasPrefix("```json"), !current.name.isEmpty {
        cases.append(current)
        current = Case()
      }
    }
    return cases
  }

  /// The list holds rubbish on purpose; another parser makes something of it, here it is kept whole.
  @Test(
    .enabled(
      if: RealSources.isAvailable(cases),
      "needs ../shared/data/reference/fuzzy/nameparse_gnparser/test_data.md"))
  func agreesWithAnotherParser() throws {
    var agreed = 0
    var whole = 0
    var differs: [String] = []
    for item in try parserCases() {
      let name = NameCleaner.clean(item.name).text
      let parts = ScientificNameParser.parse(name)
      if parts.kind != .scientific {
        whole += 1
        #expect(letters(parts.canonicalName) == letters(name))
      } else if bare(parts.canonicalName) == bare(item.canonical) {
        agreed += 1
      } else {
        differs.append("\(name): \(parts.canonicalName)")
      }
    }
    #expect(agreed >= 440, "\(agreed) agree, \(whole) whole, \(differs.count) differ")
    #expect(differs.count <= 80, "\(differs)")
  }

  /// A table of names, the tree made of it, and its columns if it has no header.
  struct Archive: Sendable, CustomTestStringConvertible {
    let file: String
    let tree: Int
    let columns: (name: Int, author: Int?, rank: Int?)?

    init(_ file: String, _ tree: Int, _ columns: (Int, Int, Int)? = nil) {
      self.file = file
      self.tree = tree
      self.columns = columns.map { ($0.0, $0.1, $0.2) }
    }

    var testDescription: String { file }
  }

  /// Archives of the Catalogue of Life's importer, with the trees that it must make.
  @Test(
    .enabled(
      if: RealSources.isAvailable(archives), "needs ../shared/data/reference/col_testset/dwca"),
    arguments: [
      Archive("8/DarwinCore.txt", 8), Archive("10/worms.txt", 10), Archive("16/taxa.txt", 16),
      Archive("32/worms.txt", 32), Archive("34/Taxon.txt", 36), Archive("54/taxon.tsv", 54),
      Archive("6/if.txt", 6, (1, 2, 3)), Archive("18/taxon.txt", 18, (2, 16, 15)),
    ])
  func agreesWithExpectedTrees(_ archive: Archive) throws {
    var expected: Set<String> = []
    let folder = "\(Self.archives)/\(archive.tree)"
    var trees = try RealSources.text("\(folder)/expected.tree")
    if RealSources.isAvailable("\(folder)/expected-barenames.txt") {
      trees += try "\n" + RealSources.text("\(folder)/expected-barenames.txt")
    }
    for line in trees.split(separator: "\n") {
      let name = line.split(separator: " pro-parte:")[0].drop { " =$?*".contains($0) }
      expected.insert(letters(name.prefix { $0 != "[" }))
    }
    var lines = try RealSources.text("\(Self.archives)/\(archive.file)")
      .split(whereSeparator: \.isNewline)[...]
    var columns: (name: Int, author: Int?, rank: Int?)
    if let given = archive.columns {
      columns = given
    } else {
      let header = lines.removeFirst().split(separator: "\t", omittingEmptySubsequences: false)
        .map { $0.lowercased() }
      columns = (
        try #require(header.firstIndex(of: "scientificname")),
        header.firstIndex(of: "scientificnameauthorship"), header.firstIndex(of: "taxonrank")
      )
    }
    var missing: [String] = []
    for line in lines {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard columns.name < fields.count else { continue }
      let field = { (column: Int?) in column.flatMap { $0 < fields.count ? fields[$0] : nil } }
      let parts = ScientificNameParser.parse(
        NameCleaner.clean(fields[columns.name]).text, authorship: field(columns.author),
        rank: field(columns.rank).flatMap(SourceRank.init))
      // The tree writes "& al." for "et al.".
      let authorship = parts.authorship.replacing("et al", with: "al")
      if !expected.contains(letters(parts.canonicalName + authorship)) {
        missing.append("\(fields[columns.name]): \(parts.canonicalName) | \(parts.authorship)")
      }
    }
    #expect(missing.isEmpty, "\(missing)")
  }
}

import Foundation
import STOLPack
import TestSupport
import Testing
import STOLSystem

private enum VernacularNames {
  struct Line {
    var scientificName: String
    var language: String
    var name: String
  }

  static let file = "reference/vernacular/vernacular.tsv"

  static let lines = Result {
    try String(contentsOfFile: SharedData.path(file), encoding: .utf8).split(separator: "\n")
      .dropFirst()
      .compactMap { line -> Line? in
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
        guard fields.count == 3, !fields[2].isEmpty else { return nil }
        return Line(
          scientificName: String(fields[0]), language: String(fields[1]), name: String(fields[2]))
      }
  }
}

/// Searches of vernacular names in many scripts, with errors, against brute force.
@Suite(
  .enabled(
    if: SharedData.has(VernacularNames.file),
    "needs ../shared/data/reference/vernacular/vernacular.tsv"))
struct VernacularSearchTests {
  /// Languages by script.
  static let scripts: [String: Set<String>] = [
    "Greek": ["el", "grc"],
    "Cyrillic": ["ru", "uk", "bg", "be", "sr", "mk", "kk", "mn"],
    "Arabic and Hebrew": ["ar", "fa", "ur", "pnb", "arz", "ckb", "he"],
    "Indian": ["hi", "mr", "ne", "sa", "bn", "ml", "ta", "te", "kn", "gu", "pa"],
    "Chinese": ["zh", "zh-yue", "zh-hans", "zh-hant", "zh-cn", "zh-tw", "lzh", "wuu", "gan"],
    "Japanese": ["ja"],
    "Korean, Thai, Georgian, Armenian": ["ko", "th", "lo", "my", "km", "ka", "hy"],
    "Latin with marks": ["vi", "cs", "hu", "pl", "tr", "nv", "is", "fo", "lt", "lv", "br"],
  ]

  /// Species under their genera, with the names that they have in these languages.
  private static func taxonomy(_ lines: some Sequence<VernacularNames.Line>) -> TestTaxonomy {
    var taxonomy = TestTaxonomy()
    var ids: [String: Int64] = [:]
    func id(_ name: String, parent: Int64?, rank: String) -> Int64 {
      if let id = ids[name] { return id }
      let id = Int64(ids.count)
      ids[name] = id
      taxonomy.taxa.append(TaxonRow(id: id, parentID: parent, rank: rank, scientificName: name))
      return id
    }
    for (number, line) in lines.enumerated() {
      let genus = String(line.scientificName.prefix { $0 != " " })
      let genusID = id(genus, parent: nil, rank: "genus")
      let taxonID =
        genus == line.scientificName
        ? genusID : id(line.scientificName, parent: genusID, rank: "species")
      taxonomy.names.append(
        NameRow(
          id: Int64(number), taxonID: taxonID, name: line.name, language: line.language,
          type: "common"))
    }
    return taxonomy
  }

  @Test(arguments: scripts.keys.sorted())
  func misspeltNamesEqualBruteForce(script: String) throws {
    let seed = TestSeeds.first(1)[0]
    var generator = SeededGenerator(seed: seed)
    let languages = Self.scripts[script] ?? []
    let lines = try VernacularNames.lines.get().filter { languages.contains($0.language) }
      .shuffled(using: &generator).prefix(1_500)
    let oracle = SearchOracle(Self.taxonomy(lines))
    let pack = try oracle.taxonomy.pack()
    try pack.verify()
    let view = pack.view
    var session = SearchSession()
    var mismatches = Mismatches()
    for _ in 0..<Sweep.count(few: 200, full: 4_000) {
      guard let line = lines.randomElement(using: &generator) else { return }
      let letters = Array((lines.randomElement(using: &generator)?.name ?? "").unicodeScalars)
      var name = line.name
      if Int.random(in: 0..<4, using: &generator) == 0 {
        name = String(name.prefix(Int.random(in: 1...8, using: &generator)))
      }
      let text = Misspelling.random(
        name, count: Int.random(in: 0...3, using: &generator), letters: letters + [" "],
        &generator)
      let query = SearchQuery(
        text, mode: .random(&generator),
        maximumDistance: [nil, nil, 0, 1, 2, 3].randomElement(using: &generator) ?? nil,
        words: Bool.random(using: &generator) ? .anyForm : .asTyped,
        limit: [10, .max].randomElement(using: &generator) ?? 10)
      oracle.expect(query, in: view, &session, &mismatches)
    }
    let first = mismatches.first
    #expect(first == nil, "seed \(seed)")
  }
}

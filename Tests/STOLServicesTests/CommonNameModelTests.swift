import STOLData
import STOLPack
import TestSupport
import Testing

/// The names to show, against a plain reading of the rule over the rows.
@Suite("Common names, model")
struct CommonNameModelTests {
  private struct Row {
    let id: Int
    let taxon: Int64
    let name: String
    let language: String
    let type: String
    let isPreferred: Bool
  }

  private static let languages = [
    "en", "en-GB", "pt", "pt-BR", "pt-PT", "zh-Hans", "zh-Hant-TW", "de",
  ]
  private static let wishes = [
    nil, "en", "pt", "pt-BR", "pt-AO", "zh", "zh-Hans-CN", "zh-Hant", "de-CH-1996", "fr", "EN-gb",
    "pt-x-a", "",
  ]

  /// The languages tried one after another: each beginning of the wish exactly, then all that are more
  /// special, by tag; then English.
  private static func tried(_ wish: String?) -> [String] {
    var parts = (wish ?? "en").lowercased().split(separator: "-").map(String.init)
    var result: [String] = []
    var beginnings: [String] = []
    while !parts.isEmpty {
      if parts.last?.count != 1 { beginnings.append(parts.joined(separator: "-")) }
      parts.removeLast()
    }
    for beginning in beginnings + ["en"] {
      result += languages.filter { $0.lowercased() == beginning }
      result += languages.filter { $0.lowercased().hasPrefix(beginning + "-") }.sorted()
    }
    return result
  }

  @Test func equalsTheRule() throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    var generator = SeededGenerator(seed: seed)
    let taxa = 1...60
    var rows: [Row] = []
    for id in 1...400 {
      rows.append(
        Row(
          id: id, taxon: Int64(taxa.randomElement(using: &generator) ?? 1), name: "name \(id)",
          language: Self.languages.randomElement(using: &generator) ?? "en",
          type: ["common", "vernacular", "trade", "synonym"].randomElement(using: &generator) ?? "",
          isPreferred: Int.random(in: 0..<4, using: &generator) == 0))
    }
    let sql =
      taxa.map {
        "INSERT INTO taxa (id, rank, scientific_name) VALUES (\($0), 'genus', 'Taxon\($0)');"
      }
      .joined()
      + rows.map {
        "INSERT INTO names VALUES "
          + "(\($0.id), \($0.taxon), '\($0.name)', '\($0.language)', '\($0.type)', \($0.isPreferred ? 1 : 0));"
      }.joined()
    let folder = try TemporaryFolder()
    let provider = try SinglePackProvider(path: Taxonomy.compile(sql, in: folder))
    let store = LocalTaxonomyStore(provider: provider)
    for wish in Self.wishes {
      let shown = store.preferredNames(
        for: taxa.map { TaxonID(rawValue: Int64($0)) }, language: wish)
      for (taxon, name) in zip(taxa, shown) {
        let own = rows.filter { $0.taxon == taxon && $0.type != "synonym" }
        let expected = Self.tried(wish).lazy.compactMap { language -> Row? in
          let names = own.filter { $0.language == language }
          return names.first { $0.isPreferred } ?? names.first
        }.first
        #expect(name == expected?.name, "seed \(seed), taxon \(taxon), \(wish ?? "nil")")
      }
    }
    for taxon in taxa {
      let groups = try store.nameGroups(for: TaxonID(rawValue: Int64(taxon)))
      let own = rows.filter { $0.taxon == taxon }
      #expect(groups.synonyms.map(\.name) == own.filter { $0.type == "synonym" }.map(\.name))
      #expect(
        Set(groups.languages.flatMap { $0.names.map(\.name) })
          == Set(own.filter { $0.type != "synonym" }.map(\.name)), "seed \(seed)")
      for group in groups.languages {
        let names = own.filter { $0.language == group.language && $0.type != "synonym" }
        #expect(
          group.names.map(\.name)
            == (names.filter(\.isPreferred) + names.filter { !$0.isPreferred }).map(\.name))
      }
    }
  }
}

@testable import STOLPack
import TestSupport
import Testing

/// Stored completions against searches that do without them.
struct CompletionTests {
  /// Thousands of names whose words are made of few syllables, or that have one of a few frequent
  /// words, which are alone in their part of the trie.
  static func taxonomy(_ count: Int, _ generator: inout SeededGenerator) -> TestTaxonomy {
    let syllables = [
      "a", "al", "alba", "ca", "can", "le", "leo", "ri", "us", "é", "л", "ле", "獅", "🦁",
    ]
    let frequent = ["wak", "wakanda", "wakandus", "zoéa", "獅獅獅"]
    func word() -> String {
      if Int.random(in: 0..<5, using: &generator) < 2 {
        return frequent[Int.random(in: 0..<frequent.count, using: &generator)]
      }
      return (0..<Int.random(in: 1...4, using: &generator)).map { _ in
        // The first syllables come more often than the last ones.
        let place = Int.random(in: 0..<syllables.count, using: &generator)
        return syllables[Int.random(in: 0...place, using: &generator)]
      }.joined()
    }
    var taxonomy = TestTaxonomy()
    var genus: TaxonRow?
    for number in 0..<count {
      let id = Int64(number + 1)
      if let genus, Int.random(in: 0..<12, using: &generator) > 0 {
        let text =
          Int.random(in: 0..<9, using: &generator) == 0
          ? "\(word()) \(word())" : "\(genus.scientificName) \(word())"
        taxonomy.taxa.append(
          TaxonRow(
            id: id, parentID: genus.id, rank: "species", scientificName: text,
            status: Bool.random(using: &generator) ? "accepted" : "doubtful"))
      } else {
        let row = TaxonRow(
          id: id, parentID: nil, rank: "genus", scientificName: word().capitalisedFirst)
        genus = row
        taxonomy.taxa.append(row)
      }
      guard Int.random(in: 0..<3, using: &generator) == 0 else { continue }
      let text = Bool.random(using: &generator) ? word() : "\(word()) \(word())"
      taxonomy.names.append(
        NameRow(
          id: id, taxonID: Int64.random(in: 1...id, using: &generator), name: text, language: "en",
          type: Bool.random(using: &generator) ? "common" : "synonym",
          isPreferred: Bool.random(using: &generator)))
    }
    return taxonomy
  }

  /// Every beginning of a word, cut between scalars.
  private static func beginnings(_ view: borrowing PackView) -> [String] {
    var result: Set<String> = []
    for word in 0..<view.names.vocabulary.count {
      var text = ""
      for scalar in view.names.vocabulary.string(word).unicodeScalars {
        text.unicodeScalars.append(scalar)
        result.insert(text)
      }
    }
    return result.sorted()
  }

  @Test(arguments: TestSeeds.first(4))
  func storedCompletionsAreThoseOfASearch(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var mismatches = Mismatches()
    let pack = try Self.taxonomy(3_000, &generator).pack()
    try pack.verify()
    let view = pack.view
    var session = SearchSession()
    var plain = SearchSession()
    plain.usesStoredCompletions = false
    var nodeCount = 0
    var belowCount = 0
    for text in Self.beginnings(view) {
      let first = SearchQuery(text, words: .asTyped, limit: 1)
      session.search(first, in: view)
      if session.areHitsStored {
        if view.names.vocabulary.node(of: Array(text.utf8).span) == nil {
          belowCount += 1
        } else {
          nodeCount += 1
        }
      }
      for mode in [SearchQuery.Mode.prefix, .auto] {
        for limit in [1, 3, 9, 10, 11] {
          var query = SearchQuery(text, mode: mode, words: .asTyped, limit: limit)
          if limit == 3 { query.text = text.uppercased() }
          session.search(query, in: view)
          plain.search(query, in: view)
          mismatches.compare(session.hits, plain.hits, "\(mode) \(query.text) \(limit)")
        }
      }
    }
    let first = mismatches.first
    #expect(first == nil, "seed \(seed)")
    #expect(nodeCount > 20, "seed \(seed)")
    #expect(belowCount > 5, "seed \(seed)")
  }

  /// The words that have completions, and what these are, as PACK.md has it.
  @Test(arguments: TestSeeds.first(4))
  func completionsAreStoredForTheWordsOfTheDefinition(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var mismatches = Mismatches()
    let taxonomy = Self.taxonomy(600, &generator)
    let oracle = SearchOracle(taxonomy)
    let bytes = try taxonomy.packBytes()
    let pack = try Pack(PackBytes(copying: bytes))
    let view = pack.view
    let model = VocabularyModel(view.names.vocabulary.all)
    let counts = model.words.indices.map { Self.nameCount($0, view) }
    let paths = (0..<model.trie.count).map { Self.path(to: $0, model.trie) }
    var expected: [UInt64: [UInt64]] = [:]
    var belowCount = 0
    let beginnings = Set(model.words.flatMap { word in word.indices.map { Array(word[...$0]) } })
    for beginning in beginnings.sorted(by: { $0.count < $1.count }) {
      let words = model.words.indices.filter { model.words[$0].starts(with: beginning) }
      guard let text = String(validating: beginning, as: UTF8.self),
        Array(Folder.fold(text).utf8) == beginning, words.reduce(0, { $0 + counts[$1] }) > 64
      else { continue }
      let hits = oracle.search(text, mode: .prefix, words: .asTyped).prefix(10).map(\.name)
      guard hits.count == 10 else { continue }
      var value = paths.firstIndex(of: beginning)
      if value == nil {
        let leaf = paths.indices.last { beginning.starts(with: paths[$0]) } ?? 0
        let all = model.words.filter { $0.starts(with: paths[leaf]) }
        let isWhole = model.words[words[0]] == beginning
        if !isWhole, words.count == all.count, expected[UInt64(leaf)] != nil { continue }
        guard words.count <= 16 else { continue }
        value = model.trie.count + words[0] * 32 + (isWhole ? 16 : 0) + words.count - 1
        belowCount += 1
      }
      let names = hits.map { UInt64($0) }
      let before = expected.updateValue(names, forKey: UInt64(value ?? 0))
      mismatches.compare(before ?? names, names, "\(text) and a shorter one")
    }
    var words: [UInt64] = []
    var names: [UInt64] = []
    var parts = try PackParts(bytes)
    parts.edit(.completeWords) { words = $0 }
    parts.edit(.completeName) { names = $0 }
    mismatches.compare(words, expected.keys.sorted(), "values")
    for (row, value) in words.enumerated() {
      mismatches.compare(
        Array(names.dropFirst(10 * row).prefix(10)), expected[value] ?? [], "value \(value)")
    }
    let first = mismatches.first
    #expect(first == nil, "seed \(seed)")
    #expect(belowCount > 5, "seed \(seed)")
  }

  /// What is stored of the taxa below a node, as PACK.md has it, and what a search makes of it.
  @Test(arguments: TestSeeds.first(4))
  func bestTaxaAreThoseOfTheDefinition(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var mismatches = Mismatches()
    let bytes = try Self.taxonomy(900, &generator).packBytes()
    let pack = try Pack(PackBytes(copying: bytes))
    let view = pack.view
    let model = VocabularyModel(view.names.vocabulary.all)
    var parts = try PackParts(bytes)
    var stored: [UInt64] = []
    parts.edit(.trieBest) { stored = $0 }
    #expect(stored.count == model.trie.count, "seed \(seed)")
    var taxa = [Set<TaxonOrdinal>](repeating: [], count: model.words.count)
    for number in 0..<view.names.count {
      let name = NameOrdinal(number)
      for word in Folder.fold(view.names.text(of: name)).split(separator: " ") {
        guard let place = model.words.firstIndex(of: Array(word.utf8)) else { continue }
        taxa[place].insert(view.names.taxon(of: name))
      }
    }
    for (node, value) in stored.enumerated() {
      let path = Self.path(to: node, model.trie)
      var greatest = 0
      for word in model.words.indices where model.words[word].starts(with: path) {
        for taxon in taxa[word] {
          greatest = max(greatest, view.taxa.prominence(of: taxon))
          mismatches.require(
            view.bestTaxa.leastKey(below: node) <= view.prominenceKey(taxon),
            "node \(path), taxon \(taxon)")
        }
      }
      mismatches.compare(Int(value), greatest, "node \(node), \(path)")
    }
    let first = mismatches.first
    #expect(first == nil, "seed \(seed)")
  }

  /// The lengths of the list of a word and of the subtrees of its first names.
  private static func nameCount(_ word: Int, _ view: borrowing PackView) -> Int {
    let rows = view.postings.rows(of: word)
    var count = rows.count
    for row in rows.prefix(16) {
      let name = view.postings[row].index
      if name < view.taxonCount { count += view.tree.subtree(of: TaxonOrdinal(name)).count - 1 }
    }
    return count
  }

  /// The bytes that lead to a node.
  private static func path(to node: Int, _ trie: VocabularyModel.Trie) -> [UInt8] {
    guard node > 0 else { return [] }
    let parent = trie.children.indices.dropLast().first {
      trie.children[$0] <= node && node < trie.children[$0 + 1]
    }
    return path(to: parent ?? 0, trie) + [trie.bytes[node]]
  }
}

extension Vocabulary {
  /// All words.
  fileprivate var all: [String] {
    var words: [String] = []
    for word in 0..<count { words.append(string(word)) }
    return words
  }
}

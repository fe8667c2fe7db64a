import STOLPack
import TestSupport
import Testing

/// Searches for names of random words, longer and stranger than names are, against brute force.
struct FuzzyModelTests {
  /// Asks for misspelt names and beginnings of them.
  private static func expectAll(
    _ names: [[UInt32]], _ texts: [[UInt32]], distances: [Int?] = [1, 2, 3],
    _ mismatches: inout Mismatches
  ) throws {
    var taxonomy = TestTaxonomy()
    for (number, name) in names.enumerated() {
      taxonomy.taxa.append(
        TaxonRow(
          id: Int64(number), parentID: nil, rank: "species",
          scientificName: RandomWords.string(name)))
    }
    let oracle = SearchOracle(taxonomy)
    let pack = try taxonomy.pack()
    let view = pack.view
    var session = SearchSession()
    for text in texts where !text.isEmpty {
      for mode in [SearchQuery.Mode.fuzzy, .auto] {
        for distance in distances {
          let query = SearchQuery(
            RandomWords.string(text), mode: mode, maximumDistance: distance, limit: .max)
          oracle.expect(query, in: view, &session, &mismatches)
        }
      }
    }
  }

  @Test(arguments: TestSeeds.first(60))
  func randomWordsOfAllLengthsAndAlphabets(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var mismatches = Mismatches()
    let source = RandomWords(&generator)
    let count = [5, 60, 200].randomElement(using: &generator) ?? 60
    let words = source.words(count, &generator)
    func word() -> [UInt32] { words.randomElement(using: &generator) ?? words[0] }
    let names = words + (0..<count / 2).map { _ in word() + [0x20] + word() }
    let texts = (0..<6).map { round in
      var text = word()
      if round % 3 > 0 { text += [0x20] + word() }
      return Array(source.edited(text, 3, &generator).prefix(80))
    }
    try Self.expectAll(names, texts + [Array(words[0].prefix(3))], &mismatches)
    let first = mismatches.first
    #expect(first == nil, "seed \(seed)")
  }

  /// A text that is too long for one automaton is cut, and nothing may be missed.
  @Test(arguments: TestSeeds.first(20))
  func textsAboutAsLongAsAnAutomaton(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var mismatches = Mismatches()
    let letters: [UInt32] = seed % 2 == 0 ? [0x61, 0x62, 0x44F] : [0x61, 0x62, 0x44F, 0x20]
    let long = (0..<90).map { _ in letters.randomElement(using: &generator) ?? 0x61 }
    var source = RandomWords(&generator)
    while source.longest < 30 { source = RandomWords(&generator) }
    func part(_ lengths: ClosedRange<Int>) -> [UInt32] {
      Array(long.prefix(.random(in: lengths, using: &generator)))
    }
    let names = (0..<60).map { _ in source.edited(part(55...90), 3, &generator) }
    let texts = (0..<8).map { _ in source.edited(part(58...80), 2, &generator) }
    try Self.expectAll(
      names.filter { !$0.allSatisfy { $0 == 0x20 } }, texts, &mismatches)
    let first = mismatches.first
    #expect(first == nil, "seed \(seed)")
  }

  /// Where too many names have a word that begins like the last one, another plan is taken.
  @Test func beginningsWithACommonLastWord() throws {
    var generator = SeededGenerator(seed: 17)
    var mismatches = Mismatches()
    let source = RandomWords(&generator)
    let genera = (0..<40).map { _ in source.word(&generator).prefix(6) }
    let letters: [UInt32] = [0x61, 0x62, 0x63, 0x64, 0x65]
    let names = (0..<2_400).map { number in
      let tail = [number / 125, number / 25 % 5, number / 5 % 5, number % 5].map {
        letters[$0 % letters.count]
      }
      return Array(genera[number % genera.count]) + [0x20, 0x6B] + tail
    }
    let texts = (0..<12).map { round in
      let name = names.randomElement(using: &generator) ?? []
      return Array(source.edited(name, 2, &generator).prefix(name.count - round % 4))
    }
    try Self.expectAll(names, texts, distances: [nil, 1, 3], &mismatches)
    let first = mismatches.first
    #expect(first == nil)
  }

  /// Where very many names hold a word of the query, the other words are looked for instead.
  @Test(arguments: TestSeeds.first(6))
  func wordsThatVeryManyNamesHave(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var mismatches = Mismatches()
    func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }
    func text(_ letters: String, _ lengths: ClosedRange<Int>) -> String {
      let count = Int.random(in: lengths, using: &generator)
      return String((0..<count).map { _ in letters.randomElement(using: &generator) ?? "a" })
    }
    let common = ["lepidopterae", "uncultured", "a"]
    let middles = ["sp.", "virus", "cf. virus"]
    var names: [String] = []
    for number in 0..<3_600 {
      let first = common[number % 3]
      let middle = middles[number / 3 % 3]
      switch number % 12 {
      case 0..<8: names.append("\(first) \(middle) \(text("abcdefgh", 7...11))")
      case 8..<10: names.append("\(text("kmoprstu", 6...9)) \(middle)")
      case 10: names.append("\(first) \(text("kmoprstu", 5...9))")
      default: names.append(text("kmoprstu", 5...9))
      }
    }
    let unique = Array(Set(names)).sorted()
    let source = RandomWords(&generator)
    let texts = (0..<14).map { round in
      let name = unique.randomElement(using: &generator) ?? ""
      return source.edited(scalars(name), 1 + round % 2, &generator)
    }
    try Self.expectAll(unique.map(scalars), texts, distances: [1, 2, 3], &mismatches)
    let first = mismatches.first
    #expect(first == nil, "seed \(seed)")
  }

  /// Of many words some stand in every similar name as they are; spaces come, go and change places.
  @Test(arguments: TestSeeds.first(30))
  func namesOfManyWords(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var mismatches = Mismatches()
    let letters: [UInt32] = seed % 3 == 0 ? [0x61, 0x62] : [0x61, 0x62, 0x63, 0x44F]
    let longest = seed % 5 == 0 ? 14 : 4
    func word() -> [UInt32] {
      (0..<Int.random(in: 1...longest, using: &generator)).map { _ in
        letters.randomElement(using: &generator) ?? 0x61
      }
    }
    let few = (0..<6).map { _ in word() }
    let names = (0..<80).map { _ in
      let words = (0..<Int.random(in: 2...9, using: &generator)).map { _ in
        Bool.random(using: &generator) ? few.randomElement(using: &generator) ?? word() : word()
      }
      return Array(words.joined(separator: [0x20]))
    }
    let source = RandomWords(&generator)
    let texts = (0..<30).map { round in
      let name = names.randomElement(using: &generator) ?? []
      guard round % 2 == 0 else { return source.edited(name, 2, &generator) }
      // Edits of spaces alone.
      var text = name
      for _ in 0..<2 {
        let place = Int.random(in: 1..<text.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: text.insert(0x20, at: place)
        case 1: if let space = text.firstIndex(of: 0x20) { text.remove(at: space) }
        default: if text[place] == 0x20 { text.swapAt(place - 1, place) }
        }
      }
      return text
    }
    try Self.expectAll(names, texts, distances: [1, 2, 3], &mismatches)
    let first = mismatches.first
    #expect(first == nil, "seed \(seed)")
  }
}

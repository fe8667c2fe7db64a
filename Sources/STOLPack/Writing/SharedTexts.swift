/// The texts that taxa and names have in common, each numbered as it comes.
struct SharedTexts {
  var ranks = StringInterner()
  var authors = StringInterner([""])
  var codes = StringInterner([""])
  var nameStatuses = StringInterner([""])
  var statusWords = StringInterner([""])
  var sensuPhrases = StringInterner([""])

  /// The number of a text; 0 for none.
  static func number(_ text: String?, in table: inout StringInterner) -> UInt32 {
    text.map { table.intern($0) } ?? 0
  }

  /// Where each number goes once the texts are sorted.
  var newRows: NewRows {
    NewRows(
      authors: authors.sorted(keeping: 1).newRows, codes: codes.sorted(keeping: 1).newRows,
      nameStatuses: nameStatuses.sorted(keeping: 1).newRows,
      statusWords: statusWords.sorted(keeping: 1).newRows,
      sensuPhrases: sensuPhrases.sorted(keeping: 1).newRows)
  }

  /// The rows of the sorted tables, by the numbers of before.
  struct NewRows {
    let authors: [UInt32]
    let codes: [UInt32]
    let nameStatuses: [UInt32]
    let statusWords: [UInt32]
    let sensuPhrases: [UInt32]
  }
}

/// The rank table as it is written: PACK.md section 5.
struct RankRows {
  /// The ranks: those with a place first, by place, then by their bytes; then the others, by their bytes.
  private(set) var words: [String]
  /// The row of each rank that was numbered; 0 for one that nothing has.
  let newRows: [UInt32]

  /// The table of the ranks that something has, and of the main ranks.
  ///
  /// A main rank that nothing has is left out where another word for it is there.
  init(_ ranks: StringInterner, isUsed: [Bool]) {
    var words = ranks.strings.indices.filter { isUsed[$0] }.map { ranks.strings[$0] }
    let used = words
    for rank in MainRank.allCases {
      guard !used.contains(where: { KnownRanks.mainRank(of: $0) == rank }) else { continue }
      words.append(rank.name)
    }
    func isBefore(_ a: String, _ b: String) -> Bool {
      let places = (KnownRanks.place(of: a) ?? .max, KnownRanks.place(of: b) ?? .max)
      return places.0 == places.1
        ? a.utf8.lexicographicallyPrecedes(b.utf8) : places.0 < places.1
    }
    words.sort(by: isBefore)
    var newRows = [UInt32](repeating: 0, count: ranks.strings.count)
    for (number, word) in ranks.strings.enumerated() where isUsed[number] {
      let row = words.firstIndex { $0.utf8.elementsEqual(word.utf8) }
      newRows[number] = UInt32(row ?? 0)
    }
    self.words = words
    self.newRows = newRows
  }

  /// What is written of the places: 0 for a rank without one, else its place plus one.
  var places: [UInt32] {
    words.map { word in KnownRanks.place(of: word).map { UInt32($0) + 1 } ?? 0 }
  }

  /// What is written of the main ranks: 0 for none, else 1 for a domain to 8 for a species.
  var mainRanks: [UInt32] {
    words.map { word in KnownRanks.mainRank(of: word).map { UInt32($0.rawValue) + 1 } ?? 0 }
  }
}

/// What is known of the ranks of rows, by their numbers.
struct RankFacts {
  /// The place of each, or -1.
  let places: [Int32]
  /// Whether it is a main rank.
  let isMain: [Bool]

  init(_ ranks: StringInterner) {
    places = ranks.strings.map { word in KnownRanks.place(of: word).map { Int32($0) } ?? -1 }
    isMain = ranks.strings.map { KnownRanks.mainRank(of: $0) != nil }
  }
}

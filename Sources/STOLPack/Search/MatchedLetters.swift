/// Finds the letters of a name that a query matched, to mark them.
public enum MatchedLetters {
  /// The letters of `name` that stay as they are when the query is turned into what it matched: the
  /// name, a beginning of it, or words of it.
  ///
  /// - Returns: ranges in order, not overlapping.
  /// - Complexity: O(length of both) where the words of the query are in the name as they are, else
  ///   O(length of one times that of the other)
  public static func ranges(
    of query: String, in name: String, matchClass: MatchClass = .allWords
  ) -> [Range<String.Index>] {
    var text = QueryText()
    query.withUTF8Span { text.set($0) }
    text.splitScalars()
    let folded = FoldedName(name)
    var isMatched = [Bool](repeating: false, count: folded.scalars.count)
    switch matchClass {
    case .fuzzyName, .fuzzyPrefix:
      let alignment = Alignment(text.scalars, folded.scalars)
      let end = alignment.end(isPrefix: matchClass == .fuzzyPrefix)
      for letter in alignment.matches(before: end) { isMatched[letter] = true }
    case .acrossNames: markWords(text, folded.scalars, &isMatched, marksSimilar: false)
    case .allWords: markWords(text, folded.scalars, &isMatched, marksInside: true)
    case .exactForm where Array(text.scalars.filter { $0 != 0x20 }) == folded.scalars:
      for letter in isMatched.indices { isMatched[letter] = true }
    case .exactName, .exactForm, .headWord, .wholeWords, .namePrefix, .fuzzyWords:
      markWords(text, folded.scalars, &isMatched)
    }
    return folded.ranges(where: isMatched).map { range in
      let start = name.utf8.index(name.startIndex, offsetBy: range.lowerBound)
      return start..<name.utf8.index(start, offsetBy: range.count)
    }
  }

  /// Gives each word of the query the nearest word that is left, the last one perhaps its beginning; or only
  /// one that is equal; or one that it stands in rather than one that is like it.
  private static func markWords(
    _ text: QueryText, _ name: [UInt32], _ isMatched: inout [Bool], marksSimilar: Bool = true,
    marksInside: Bool = false
  ) {
    var words: [Range<Int>] = []
    findWords(in: name, &words)
    for index in text.wordScalars.indices {
      let word = text.scalars[text.wordScalars[index]]
      let isPrefix = index == text.wordScalars.count - 1
      let equal = words.firstIndex { range in
        (isPrefix ? range.count >= word.count : range.count == word.count)
          && name[range].starts(with: word)
      }
      if let equal {
        for letter in words[equal].prefix(word.count) { isMatched[letter] = true }
        words.remove(at: equal)
      } else if marksInside,
        let start = words.lazy.compactMap({ position(of: word, in: name[$0]) }).first
      {
        for letter in start..<start + word.count { isMatched[letter] = true }
      } else if marksSimilar,
        let nearest = markNearest(Array(word), isPrefix: isPrefix, words, name, &isMatched)
      {
        words.remove(at: nearest)
      }
    }
  }

  /// Where some letters stand in a word.
  private static func position(of letters: ArraySlice<UInt32>, in word: ArraySlice<UInt32>) -> Int?
  {
    word.indices.first { word[$0...].starts(with: letters) }
  }

  /// Marks the letters of the word that is nearest to a word of the query; returns its index.
  private static func markNearest(
    _ word: [UInt32], isPrefix: Bool, _ words: [Range<Int>], _ name: [UInt32],
    _ isMatched: inout [Bool]
  ) -> Int? {
    var best: (index: Int, alignment: Alignment, end: Int)?
    var least = SearchQuery.greatestDistance + 1
    for (index, range) in words.enumerated() {
      let alignment = Alignment(word, Array(name[range]))
      let end = alignment.end(isPrefix: isPrefix)
      guard alignment.distance(at: end) < least else { continue }
      least = alignment.distance(at: end)
      best = (index, alignment, end)
    }
    guard let best else { return nil }
    for letter in best.alignment.matches(before: best.end) {
      isMatched[words[best.index].lowerBound + letter] = true
    }
    return best.index
  }
}

/// A folded name whose letters know where in the name they come from.
private struct FoldedName {
  private(set) var scalars: [UInt32] = []
  /// Where the character of each scalar lies in the name, in bytes of UTF-8; empty where every byte is
  /// a letter.
  private var byteRanges: [Range<Int>] = []
  private static let space: UInt32 = 0x20

  init(_ name: String) {
    var folder = Folder()
    var bytes: [UInt8] = []
    folder.fold(name, into: &bytes)
    if bytes.count == name.utf8.count, name.utf8.allSatisfy({ $0 < 0x80 }) {
      scalars = bytes.map(UInt32.init)
      return
    }
    var start = 0
    for character in name {
      let end = start + character.utf8.count
      // Between points, which keep the spaces at the ends of what it folds to.
      folder.fold("." + String(character) + ".", into: &bytes)
      append(Array(bytes[1..<bytes.count - 1]), of: start..<end)
      start = end
    }
    if scalars.last == Self.space {
      scalars.removeLast()
      byteRanges.removeLast()
    }
  }

  /// Appends what a character folds to, which may be several letters, or none.
  ///
  /// Spaces that the hybrid sign brings belong to no byte, unless there is a space of the name beside it.
  private mutating func append(_ folded: [UInt8], of bytes: Range<Int>) {
    var letters: [UInt32] = []
    appendScalars(of: folded, to: &letters)
    for (index, letter) in letters.enumerated() {
      var range = bytes
      if letter == Self.space, letters.count > 1 {
        if index == 0 { range = bytes.lowerBound..<bytes.lowerBound }
        if index == letters.count - 1 { range = bytes.upperBound..<bytes.upperBound }
      }
      if letter == Self.space {
        guard let last = scalars.last else { continue }
        if last == Self.space {
          let lower = byteRanges[byteRanges.count - 1].lowerBound
          byteRanges[byteRanges.count - 1] = lower..<range.upperBound
          continue
        }
      }
      scalars.append(letter)
      byteRanges.append(range)
    }
  }

  /// The bytes of the characters that have a letter for which `isMatched` holds.
  func ranges(where isMatched: [Bool]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    for index in scalars.indices where isMatched[index] {
      let range = byteRanges.isEmpty ? index..<index + 1 : byteRanges[index]
      if range.isEmpty { continue }
      if let last = ranges.last, last.upperBound >= range.lowerBound {
        ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
      } else {
        ranges.append(range)
      }
    }
    return ranges
  }
}

/// How a pattern turns into each beginning of a text with the fewest edits.
private struct Alignment {
  private let pattern: [UInt32]
  private let text: [UInt32]
  /// One row a beginning of the pattern, one column a beginning of the text.
  private var table: [UInt32]
  private let width: Int

  init(_ pattern: [UInt32], _ text: [UInt32]) {
    self.pattern = pattern
    self.text = text
    width = text.count + 1
    table = [UInt32](repeating: 0, count: (pattern.count + 1) * width)
    for column in 0..<width { table[column] = UInt32(column) }
    for row in pattern.indices {
      let above = row * width
      table[above + width] = UInt32(row + 1)
      for column in text.indices {
        let cell = above + column
        var best = table[cell] + (pattern[row] == text[column] ? 0 : 1)
        best = min(best, table[cell + 1] + 1, table[cell + width] + 1)
        if isSwap(row, column) { best = min(best, table[cell - width - 1] + 1) }
        table[cell + width + 1] = best
      }
    }
  }

  private func isSwap(_ row: Int, _ column: Int) -> Bool {
    row > 0 && column > 0 && pattern[row] == text[column - 1] && pattern[row - 1] == text[column]
      && pattern[row] != text[column]
  }

  private subscript(row: Int, column: Int) -> UInt32 { table[row * width + column] }

  /// The distance between the pattern and the first `end` letters of the text.
  func distance(at end: Int) -> Int { Int(self[pattern.count, end]) }

  /// The end of the text, or of the longest of its nearest beginnings.
  func end(isPrefix: Bool) -> Int {
    guard isPrefix else { return text.count }
    return (0..<width).reduce(0) { best, end in
      self[pattern.count, end] <= self[pattern.count, best] ? end : best
    }
  }

  /// The letters before `end` that are letters of the pattern too, swapped ones among them.
  func matches(before end: Int) -> [Int] {
    var matches: [Int] = []
    var row = pattern.count
    var column = end
    while row > 0, column > 0 {
      let cost = self[row, column]
      if pattern[row - 1] == text[column - 1], cost == self[row - 1, column - 1] {
        matches.append(column - 1)
        (row, column) = (row - 1, column - 1)
      } else if isSwap(row - 1, column - 1), cost == self[row - 2, column - 2] + 1 {
        matches += [column - 1, column - 2]
        (row, column) = (row - 2, column - 2)
      } else if cost == self[row - 1, column - 1] + 1 {
        (row, column) = (row - 1, column - 1)
      } else if cost == self[row, column - 1] + 1 {
        column -= 1
      } else {
        row -= 1
      }
    }
    return matches
  }
}

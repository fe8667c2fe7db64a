/// Finds the letters of a name that a query matched, to mark them.
public enum MatchedLetters {
  /// The letters of `name` that stay as they are when the query is turned into what it matched: the
  /// name, a beginning of it, or words of it.
  ///
  /// - Returns: ranges in order, not overlapping.
  /// - Complexity: O(length of one times that of the other)
  public static func ranges(
    of query: String, in name: String, matchClass: MatchClass = .allWords
  ) -> [Range<String.Index>] {
    var text = QueryText()
    query.withUTF8Span { text.set($0) }
    text.splitScalars()
    let letters = FoldedLetter.letters(of: name)
    var isMatched = [Bool](repeating: false, count: letters.count)
    switch matchClass {
    case .fuzzyName, .fuzzyPrefix:
      let alignment = Alignment(text.scalars, letters.map(\.scalar))
      let end = alignment.end(isPrefix: matchClass == .fuzzyPrefix)
      for place in alignment.matches(before: end) { isMatched[place] = true }
    case .exactName, .namePrefix, .allWords, .fuzzyWords:
      markWords(text, letters, &isMatched)
    }
    var ranges: [Range<String.Index>] = []
    for (letter, isMatched) in zip(letters, isMatched) where isMatched {
      if let last = ranges.last, last.upperBound >= letter.range.lowerBound {
        ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, letter.range.upperBound)
      } else {
        ranges.append(letter.range)
      }
    }
    return ranges
  }

  /// Gives each word of the query the nearest word that is left, the last one perhaps its beginning.
  private static func markWords(
    _ text: QueryText, _ letters: [FoldedLetter], _ isMatched: inout [Bool]
  ) {
    var words = letters.indices.split { letters[$0].scalar == 0x20 }
    for index in text.wordScalars.indices {
      let word = Array(text.scalars[text.wordScalars[index]])
      let isPrefix = index == text.wordScalars.count - 1
      var best: (place: Int, distance: Int, matches: [Int])?
      for (place, range) in words.enumerated() {
        let alignment = Alignment(word, range.map { letters[$0].scalar })
        let end = alignment.end(isPrefix: isPrefix)
        let distance = alignment.distance(at: end)
        if distance < best?.distance ?? (SearchQuery.greatestDistance + 1) {
          let matches = alignment.matches(before: end).map { range.startIndex + $0 }
          best = (place, distance, matches)
        }
      }
      guard let best else { continue }
      for place in best.matches { isMatched[place] = true }
      words.remove(at: best.place)
    }
  }
}

/// One scalar of a folded name and the character that it comes from.
private struct FoldedLetter {
  let scalar: UInt32
  let range: Range<String.Index>

  static func letters(of name: String) -> [FoldedLetter] {
    var letters: [FoldedLetter] = []
    for index in name.indices {
      let range = index..<name.index(after: index)
      // Alone, a space folds to nothing.
      let folded = name[index].isWhitespace ? " " : Folder.fold(String(name[index]))
      for scalar in folded.unicodeScalars {
        letters.append(FoldedLetter(scalar: scalar.value, range: range))
      }
    }
    return letters
  }
}

/// How a pattern turns into each beginning of a text with the fewest edits.
private struct Alignment {
  private let pattern: [UInt32]
  private let text: [UInt32]
  /// One row a beginning of the pattern, one column a beginning of the text.
  private var table: [[Int]]

  init(_ pattern: [UInt32], _ text: [UInt32]) {
    self.pattern = pattern
    self.text = text
    table = (0...pattern.count).map { row in (0...text.count).map { row == 0 ? $0 : row } }
    for row in pattern.indices {
      for column in text.indices {
        var best = table[row][column] + (pattern[row] == text[column] ? 0 : 1)
        best = min(best, table[row][column + 1] + 1, table[row + 1][column] + 1)
        if isSwap(row, column) { best = min(best, table[row - 1][column - 1] + 1) }
        table[row + 1][column + 1] = best
      }
    }
  }

  private func isSwap(_ row: Int, _ column: Int) -> Bool {
    row > 0 && column > 0 && pattern[row] == text[column - 1] && pattern[row - 1] == text[column]
      && pattern[row] != text[column]
  }

  /// The distance between the pattern and the first `end` letters of the text.
  func distance(at end: Int) -> Int { table[pattern.count][end] }

  /// The end of the text, or of the longest of its nearest beginnings.
  func end(isPrefix: Bool) -> Int {
    guard isPrefix else { return text.count }
    let last = table[pattern.count]
    let least = last.min() ?? 0
    return last.lastIndex(of: least) ?? text.count
  }

  /// The letters before `end` that are letters of the pattern too, swapped ones among them.
  func matches(before end: Int) -> [Int] {
    var matches: [Int] = []
    var row = pattern.count
    var column = end
    while row > 0, column > 0 {
      let cost = table[row][column]
      if pattern[row - 1] == text[column - 1], cost == table[row - 1][column - 1] {
        matches.append(column - 1)
        (row, column) = (row - 1, column - 1)
      } else if isSwap(row - 1, column - 1), cost == table[row - 2][column - 2] + 1 {
        matches += [column - 1, column - 2]
        (row, column) = (row - 2, column - 2)
      } else if cost == table[row - 1][column - 1] + 1 {
        (row, column) = (row - 1, column - 1)
      } else if cost == table[row][column - 1] + 1 {
        column -= 1
      } else {
        row -= 1
      }
    }
    return matches
  }
}

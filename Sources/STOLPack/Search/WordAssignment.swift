/// Gives every word of a query a word of a name of its own, with the fewest edits in all.
///
/// Kuhn 1955 and Munkres 1957, by shortest augmenting paths.
struct WordAssignment {
  /// More than any limit.
  static let far = 1 << 16

  private var query: [UInt32] = []
  private var queryWords: [Range<Int>] = []
  /// The masks of each word; those past `queryWords` are kept for later queries.
  private var masks: [LetterMasks] = []
  private var editDistance = EditDistance()
  private var nameWords: [Range<Int>] = []
  private var nameScalars: [UInt32] = []
  /// One row a word of the query, one column a word of the name.
  private var costs: [Int] = []
  // Of the augmenting paths: potentials, the row of each column, the way back, and what was seen.
  private var rowPotential: [Int] = []
  private var columnPotential: [Int] = []
  private var rowOfColumn: [Int] = []
  private var way: [Int] = []
  private var least: [Int] = []
  private var isSeen: [Bool] = []

  /// Takes the words of a query.
  mutating func setQuery(_ text: borrowing QueryText) {
    query.removeAll(keepingCapacity: true)
    query.append(contentsOf: text.scalars)
    queryWords.removeAll(keepingCapacity: true)
    queryWords.append(contentsOf: text.wordScalars)
    while masks.count < queryWords.count { masks.append(LetterMasks()) }
    for index in queryWords.indices {
      masks[index].set(query, queryWords[index])
    }
  }

  /// The least sum of edits, or `far` if it is above `limit`; with `lastIsPrefix` the last word of the
  /// query may be the beginning of a word.
  ///
  /// - Complexity: O(m² n) for m words of the query and n of the name, besides their distances.
  mutating func cost(_ name: [UInt8], limit: Int, lastIsPrefix: Bool) -> Int {
    findWords(in: name, &nameWords)
    let rows = queryWords.count
    let columns = nameWords.count
    guard columns >= rows else { return Self.far }
    Self.reset(&costs, rows * columns, Self.far)
    var sum = 0
    // Names that come one after another mostly begin alike, so that the last words rule most of them out.
    for row in (0..<rows).reversed() {
      let isPrefix = lastIsPrefix && row == rows - 1
      var best = Self.far
      for column in 0..<columns {
        // What takes more is part of no assignment within the limit.
        let edits = distance(
          row, name, nameWords[column], limit: limit - sum, isPrefix: isPrefix)
        costs[row * columns + column] = edits
        best = min(best, edits)
      }
      sum += best
      if sum > limit { return Self.far }
    }
    if rows > 1 { sum = assign(rows, columns) }
    return sum <= limit ? sum : Self.far
  }

  private mutating func distance(
    _ row: Int, _ name: [UInt8], _ word: Range<Int>, limit: Int, isPrefix: Bool
  ) -> Int {
    let range = queryWords[row]
    let edits: UInt8
    if range.count == masks[row].count {
      let automaton = EditAutomaton(count: range.count, distance: limit)
      var state = automaton.start
      for index in word {
        state = automaton.step(state, byte: name[index], masks[row])
        if state.isDead { break }
      }
      edits = isPrefix ? state.reached : state.distance(at: range.count)
    } else {
      nameScalars.removeAll(keepingCapacity: true)
      appendScalars(of: name.span.extracting(word), to: &nameScalars)
      let result = editDistance.between(
        query, range, nameScalars, limit: limit, needsPrefix: isPrefix)
      edits = isPrefix ? result.prefix : result.whole
    }
    return edits <= UInt8(limit) ? Int(edits) : Self.far
  }

  private mutating func assign(_ rows: Int, _ columns: Int) -> Int {
    Self.reset(&rowPotential, rows + 1, 0)
    Self.reset(&columnPotential, columns + 1, 0)
    Self.reset(&rowOfColumn, columns + 1, 0)
    Self.reset(&way, columns + 1, 0)
    for row in 1...rows {
      rowOfColumn[0] = row
      var column = 0
      Self.reset(&least, columns + 1, Int.max)
      Self.reset(&isSeen, columns + 1, false)
      repeat {
        isSeen[column] = true
        let current = rowOfColumn[column]
        var delta = Int.max
        var next = 0
        for other in 1...columns where !isSeen[other] {
          let reduced =
            costs[(current - 1) * columns + other - 1] - rowPotential[current]
            - columnPotential[other]
          if reduced < least[other] {
            least[other] = reduced
            way[other] = column
          }
          if least[other] < delta {
            delta = least[other]
            next = other
          }
        }
        for other in 0...columns {
          if isSeen[other] {
            rowPotential[rowOfColumn[other]] += delta
            columnPotential[other] -= delta
          } else {
            least[other] -= delta
          }
        }
        column = next
      } while rowOfColumn[column] != 0
      repeat {
        let previous = way[column]
        rowOfColumn[column] = rowOfColumn[previous]
        column = previous
      } while column != 0
    }
    return -columnPotential[0]
  }

  private static func reset<Value>(_ array: inout [Value], _ count: Int, _ value: Value) {
    array.removeAll(keepingCapacity: true)
    array.append(contentsOf: repeatElement(value, count: count))
  }
}

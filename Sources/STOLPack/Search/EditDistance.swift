/// Optimal string alignment distance by a table of three rows, for texts of any length.
///
/// Only cells within `limit` of the diagonal are computed (Ukkonen 1985).
struct EditDistance {
  /// The distance between two texts, and the least one between the first and a beginning of the
  /// second; `EditAutomaton.tooMany` for more than the limit.
  struct Result: Equatable {
    var whole = EditAutomaton.tooMany
    var prefix = EditAutomaton.tooMany
  }

  private var rows: [[Int]] = [[], [], []]

  /// - Complexity: O(length of `text` times `limit`)
  mutating func between(
    _ scalars: [UInt32], _ range: Range<Int>, _ text: [UInt32], limit: Int,
    needsPrefix: Bool = false
  ) -> Result {
    let pattern = scalars[range].span
    var result = Result()
    let count = pattern.count
    if count == 0 {
      result.prefix = 0
      if text.count <= limit { result.whole = UInt8(text.count) }
      return result
    }
    if !needsPrefix, abs(count &- text.count) > limit { return result }
    for row in rows.indices {
      if rows[row].count <= count {
        rows[row].append(contentsOf: repeatElement(0, count: count &+ 1 &- rows[row].count))
      }
    }
    let far = limit &+ 1
    for index in 0...count { rows[0][index] = min(index, far) }
    if count <= limit { result.prefix = UInt8(count) }
    var last = 0
    var beforeLast = 2
    for column in 0...text.count {
      if column == text.count {
        if abs(column &- count) <= limit, rows[last][count] <= limit {
          result.whole = UInt8(rows[last][count])
        }
        break
      }
      let letter = text[column]
      let current = 3 &- last &- beforeLast
      let low = max(1, column &+ 1 &- limit)
      let high = min(count, column &+ 1 &+ limit)
      if low > high { break }
      rows[current][low &- 1] = low == 1 ? min(column &+ 1, far) : far
      var least = rows[current][low &- 1]
      for index in low...high {
        let isSame = pattern[index &- 1] == letter
        var best = rows[last][index &- 1] &+ (isSame ? 0 : 1)
        best = min(best, rows[current][index &- 1] &+ 1)
        // The cell above is outside the band at its right end.
        if index < column &+ 1 &+ limit { best = min(best, rows[last][index] &+ 1) }
        if column > 0, index > 1, pattern[index &- 2] == letter,
          pattern[index &- 1] == text[column &- 1]
        {
          best = min(best, rows[beforeLast][index &- 2] &+ 1)
        }
        best = min(best, far)
        rows[current][index] = best
        least = min(least, best)
      }
      if high == count, rows[current][count] <= limit {
        result.prefix = min(result.prefix, UInt8(rows[current][count]))
      }
      // A swap may yet come from the row before.
      if least > limit, rowIsFar(last, low &- 1, high, limit) { break }
      beforeLast = last
      last = current
    }
    return result
  }

  private func rowIsFar(_ row: Int, _ low: Int, _ high: Int, _ limit: Int) -> Bool {
    for index in low...high where rows[row][index] < limit { return false }
    return true
  }
}

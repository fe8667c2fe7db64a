/// Which beginnings of a pattern lie within how many edits of a text, edits closed to some of them.
///
/// Simple enough to be trusted: a table of truths, one edit after another.
struct AlignmentModel {
  /// The first position of the pattern that may have taken one, two and three edits; nil for none.
  typealias Schedule = (Int?, Int?, Int?)

  /// The truths after each letter of the text, none first: `[edits][position]`.
  private(set) var steps: [[[Bool]]] = []
  /// The least distance between the whole pattern and a beginning of the text read by then.
  private(set) var reached: [Int] = []

  init(_ pattern: [UInt32], _ text: [UInt32], from: Schedule) {
    let starts = [0, from.0, from.1, from.2]
    func isOpen(_ edits: Int, _ position: Int) -> Bool {
      guard position <= pattern.count, let start = starts[edits] else { return false }
      return position >= start
    }
    for read in 0...text.count {
      var step = [[Bool]](repeating: [Bool](repeating: false, count: pattern.count + 1), count: 4)
      for edits in 0...3 {
        for position in 0...pattern.count where isOpen(edits, position) {
          var isTrue = read == 0 && position == 0 && edits == 0
          if read > 0, position > 0, pattern[position - 1] == text[read - 1] {
            isTrue = isTrue || steps[read - 1][edits][position - 1]
          }
          if edits > 0 {
            if position > 0 { isTrue = isTrue || step[edits - 1][position - 1] }
            if read > 0 { isTrue = isTrue || steps[read - 1][edits - 1][position] }
            if read > 0, position > 0 {
              isTrue = isTrue || steps[read - 1][edits - 1][position - 1]
            }
            if read > 1, position > 1, pattern[position - 1] == text[read - 2],
              pattern[position - 2] == text[read - 1]
            {
              isTrue = isTrue || steps[read - 2][edits - 1][position - 2]
            }
          }
          step[edits][position] = isTrue
        }
      }
      steps.append(step)
      let distance = self.distance(at: pattern.count, after: read)
      reached.append(min(reached.last ?? 9, distance))
    }
  }

  /// The fewest edits between the first `position` letters of the pattern and the first `read` of the
  /// text; 9 for too many.
  func distance(at position: Int, after read: Int) -> Int {
    (0...3).first { steps[read][$0][position] } ?? 9
  }
}

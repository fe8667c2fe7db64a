/// What turns the folded form of a name into its spelling: PACK.md section 7, "Shapes".
///
/// One name in three of a source has capitals or underscores inside, in a few thousand different ways.
enum NameShape {
  /// The rest of the letters stay small.
  private static let smallRest = UInt8(ascii: "a")
  /// The rest of the letters are capitals.
  private static let capitalRest = UInt8(ascii: "A")
  /// One letter stays small.
  private static let small = UInt8(ascii: "b")
  /// One letter is a capital.
  private static let capital = UInt8(ascii: "B")
  private static let space = UInt8(ascii: " ")
  private static let underscore = UInt8(ascii: "_")

  /// Puts the shape that turns `folded` into `text` into `shape`.
  ///
  /// - Returns: whether there is one.
  /// - Complexity: O(length)
  static func find(_ text: Span<UInt8>, folded: [UInt8], into shape: inout [UInt8]) -> Bool {
    shape.removeAll(keepingCapacity: true)
    guard text.count == folded.count, !folded.isEmpty else { return false }
    // The end of the last symbol that changes something.
    var end = 0
    var index = 0
    while index < folded.count {
      if isLetter(folded[index]) {
        var runEnd = index
        // Where those letters at the end of the run begin that are of one kind.
        var tail = index
        while runEnd < folded.count, isLetter(folded[runEnd]) {
          guard text[runEnd] | 0x20 == folded[runEnd] else { return false }
          if isLetter(text[runEnd]) != isLetter(text[tail]) { tail = runEnd }
          runEnd &+= 1
        }
        for letter in index..<tail { shape.append(isLetter(text[letter]) ? small : capital) }
        shape.append(isLetter(text[tail]) ? smallRest : capitalRest)
        if tail > index || !isLetter(text[tail]) {
          end = shape.count &- (isLetter(text[tail]) ? 1 : 0)
        }
        index = runEnd
        continue
      }
      if folded[index] == space, text[index] == underscore {
        shape.append(underscore)
        end = shape.count
      } else {
        guard text[index] == folded[index] else { return false }
        if folded[index] == space { shape.append(space) }
      }
      index &+= 1
    }
    shape.removeLast(shape.count &- end)
    return true
  }

  /// Whether a text is its folded form with the first letter a capital.
  static func isCapitalised(_ text: Span<UInt8>, folded: [UInt8]) -> Bool {
    guard text.count == folded.count, !folded.isEmpty, isLetter(folded[0]),
      text[0] == folded[0] &- 0x20
    else { return false }
    for index in 1..<folded.count where text[index] != folded[index] { return false }
    return true
  }

  /// Turns the folded name in `output` from `start` on into its spelling.
  ///
  /// What a damaged pack says of places that are not there changes nothing.
  ///
  /// - Complexity: O(length)
  static func apply(_ shape: RawSpan, to output: inout [UInt8], from start: Int) {
    guard shape.byteCount > 0 else { return }
    var name = output.mutableSpan
    var index = start
    for row in 0..<shape.byteCount {
      while index < name.count, !isLetter(name[index]), name[index] != space { index &+= 1 }
      guard index < name.count else { return }
      let isAtLetter = name[index] != space
      switch shape.uint8(at: row) {
      case smallRest:
        while index < name.count, isLetter(name[index]) { index &+= 1 }
      case capitalRest:
        while index < name.count, isLetter(name[index]) {
          name[index] &-= 0x20
          index &+= 1
        }
      case capital where isAtLetter:
        name[index] &-= 0x20
        index &+= 1
      case underscore where !isAtLetter:
        name[index] = underscore
        index &+= 1
      case small where isAtLetter, space where !isAtLetter: index &+= 1
      default: break
      }
    }
  }

  /// Where the symbols behind so many words, and what divides them, begin in two shapes; nil if they do not
  /// spell these words alike.
  static func starts(behind words: Int, _ a: RawSpan, _ b: RawSpan) -> (a: Int, b: Int)? {
    let end = max(a.byteCount, b.byteCount)
    var left = words
    var index = 0
    while left > 0, index < end {
      let symbol = index < a.byteCount ? a.uint8(at: index) : b.uint8(at: index)
      if index < min(a.byteCount, b.byteCount) {
        guard symbol == b.uint8(at: index) else { return nil }
      } else {
        // The end of a shape leaves the rest as it is.
        guard symbol == smallRest || symbol == space else { return nil }
      }
      if symbol == space || symbol == underscore { left &-= 1 }
      index &+= 1
    }
    return (min(index, a.byteCount), min(index, b.byteCount))
  }

  @inline(__always)
  private static func isLetter(_ byte: UInt8) -> Bool { byte &- 0x61 < 26 }
}

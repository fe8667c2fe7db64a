import TestSupport

/// Texts with a few letters or spaces wrong.
enum Misspelling {
  /// `text` with `count` random edits of every kind, at any position.
  static func random(
    _ text: String, count: Int, letters: [Unicode.Scalar], _ generator: inout SeededGenerator
  ) -> String {
    var scalars = Array(text.unicodeScalars)
    for _ in 0..<count {
      let letter = (letters + scalars).randomElement(using: &generator) ?? "x"
      let place = Int.random(in: 0...scalars.count, using: &generator)
      let spaces = scalars.indices.filter { scalars[$0] == " " }
      switch Int.random(in: 0..<8, using: &generator) {
      case 0 where place < scalars.count: scalars.remove(at: place)
      case 1 where place < scalars.count: scalars[place] = letter
      case 2 where place + 1 < scalars.count: scalars.swapAt(place, place + 1)
      case 3: scalars.insert(" ", at: place)
      case 4 where !spaces.isEmpty:
        scalars.remove(at: spaces.randomElement(using: &generator) ?? 0)
      case 5 where !spaces.isEmpty:
        scalars[spaces.randomElement(using: &generator) ?? 0] = letter
      case 6 where !spaces.isEmpty:
        let space = spaces.randomElement(using: &generator) ?? 0
        let neighbour = space + (Bool.random(using: &generator) ? 1 : -1)
        scalars.swapAt(space, min(max(neighbour, 0), scalars.count - 1))
      default: scalars.insert(letter, at: place)
      }
    }
    return string(scalars)
  }

  /// Every text that is one edit away from `text`: every kind at every position.
  static func single(_ text: String, letters: [Unicode.Scalar]) -> [String] {
    let scalars = Array(text.unicodeScalars)
    var result: [[Unicode.Scalar]] = []
    for place in 0...scalars.count {
      for letter in letters { result.append(scalars[..<place] + [letter] + scalars[place...]) }
    }
    for place in scalars.indices {
      for letter in letters {
        result.append(scalars[..<place] + [letter] + scalars[(place + 1)...])
      }
      result.append(Array(scalars[..<place] + scalars[(place + 1)...]))
      guard place + 1 < scalars.count else { continue }
      var swapped = scalars
      swapped.swapAt(place, place + 1)
      result.append(swapped)
    }
    return result.map(string)
  }

  /// Every text of up to `length` letters.
  static func allTexts(of letters: [Unicode.Scalar], upTo length: Int) -> [String] {
    var result: [[Unicode.Scalar]] = [[]]
    var longest = result
    for _ in 0..<length {
      longest = longest.flatMap { text in letters.map { text + [$0] } }
      result += longest
    }
    return result.map(string)
  }

  private static func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }
}

import STOLPack

/// Words for what ids are ids of, as "ncbi" and "col".
package enum IDSpace {
  /// Whether a word can be one: a lower-case letter, then such letters, digits, "-" and "_", at most 32.
  ///
  /// - Complexity: O(1)
  package static func isWord(_ word: String) -> Bool {
    let isLetter = { (byte: UInt8) in byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") }
    guard let first = word.utf8.first, word.utf8.count <= 32 else { return false }
    return isLetter(first)
      && word.utf8.allSatisfy {
        isLetter($0) || $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")
          || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
      }
  }

  /// Whether a dataset may state a word as what its ids are ids of.
  ///
  /// Not "unstated", nor what begins with "unstated-": these stand in references and addresses for
  /// databases that state none.
  ///
  /// - Complexity: O(1)
  package static func isStatable(_ word: String) -> Bool {
    isWord(word) && word != unstated && !word.hasPrefix(unstated + "-")
  }

  private static let unstated = PackView.unstatedIDSpace
}

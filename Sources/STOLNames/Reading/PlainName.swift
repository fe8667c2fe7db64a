/// Names that need no reading: a genus, or a genus and an epithet, spelt as the codes want it.
package enum PlainName {
  /// Replaces `folded` with a name in small letters if it is plain; whether it is.
  ///
  /// A plain name is one word of letters of ASCII that begins with a capital, or that and a space and a
  /// word of three small letters or more, which may have hyphens within. No word of it means anything
  /// else in a name, so that `NameReader` reads a scientific name of nothing but these words.
  ///
  /// - Complexity: O(length)
  package static func fold(_ name: Span<UInt8>, into folded: inout [UInt8]) -> Bool {
    guard name.count > 2, name.count <= maximumByteCount, Letters.isCapital(name[0]) else {
      return false
    }
    folded.removeAll(keepingCapacity: true)
    folded.append(name[0] | 0x20)
    var index = 1
    while index < name.count, Letters.isSmall(name[index]) {
      folded.append(name[index])
      index &+= 1
    }
    guard index > 2, NameReader.isPlainWord(folded, 0..<index, isFirst: true) else { return false }
    if index == name.count { return true }
    guard name[index] == 0x20 else { return false }
    folded.append(0x20)
    let start = index &+ 1
    index = start
    let hyphen = UInt8(ascii: "-")
    while index < name.count,
      Letters.isSmall(name[index]) || name[index] == hyphen && index > start
    {
      folded.append(name[index])
      index &+= 1
    }
    guard index == name.count, index &- start > 2, name[index &- 1] != hyphen else {
      return false
    }
    return NameReader.isPlainWord(folded, start..<index, isFirst: false)
  }

  /// Longer ones are rare.
  private static let maximumByteCount = 128
}

extension NameReader {
  /// Whether a word in small letters tells nothing of what kind of text it stands in.
  static func isPlainWord(_ bytes: [UInt8], _ range: Range<Int>, isFirst: Bool) -> Bool {
    guard NameVocabulary.role(bytes, range) == nil, !virusWords.contains(bytes, range) else {
      return false
    }
    let last = bytes[range.upperBound - 1]
    if last == UInt8(ascii: "s") || last == UInt8(ascii: "e") || last == UInt8(ascii: "d"),
      hasVirusEnding(bytes, range)
    {
      return false
    }
    if isFirst { return !beginnings.contains(bytes, range) }
    return !beings.contains(bytes, range) && !bytes[range].starts(with: "npv".utf8)
  }

  /// Whether a word ends as those of viruses do.
  static func hasVirusEnding(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    // Each at its own last letter.
    let ending =
      switch Letters.lower(bytes[range.upperBound - 1]) {
      case UInt8(ascii: "s"): "virus"
      case UInt8(ascii: "e"): "phage"
      default: "viroid"
      }
    return isSame(bytes[range], from: range.upperBound - ending.utf8.count, as: ending)
  }
}

/// The heads of names: the words that say what is named, as "whale" in "blue whale": PACK.md section 7.
extension PackView {
  /// The inflections by which words of a name are forms of others, as bits; bit 0 for scientific names.
  @inline(__always)
  func inflections(of name: NameOrdinal) -> UInt16 {
    isCommonName(name) ? names.grammar.inflection(of: names.language(of: name)) | 1 : 1
  }

  /// Whether the head of a name is its first word, but for links.
  @inline(__always)
  func isHeadFirst(_ name: NameOrdinal) -> Bool {
    !isCommonName(name) || names.grammar.isHeadFirst(names.language(of: name))
  }

  @inline(__always)
  private func isCommonName(_ name: NameOrdinal) -> Bool {
    !names.isScientific(name) && names.type(of: name) != .synonym
  }

  /// Whether the word at `position` is a head of a name with these words.
  func isHead(_ position: Int, of words: [Int], _ name: NameOrdinal) -> Bool {
    if isHeadFirst(name) {
      if position == 0 { return true }
      return isCommonName(name) && names.grammar.isLink(words[position - 1])
    }
    return position == words.count - 1 || names.grammar.isLink(words[position + 1])
  }

  /// Whether `word`, one of the words of a name, is a head of it.
  func isHead(_ word: Int, of name: NameOrdinal, _ words: inout [Int]) -> Bool {
    let ends = names.ends(name)
    if isHeadFirst(name) ? ends.first == word : ends.last == word { return true }
    guard isCommonName(name) else { return false }
    words.removeAll(keepingCapacity: true)
    names.forEachWord(of: name) { words.append($0) }
    return words.indices.contains { words[$0] == word && isHead($0, of: words, name) }
  }
}

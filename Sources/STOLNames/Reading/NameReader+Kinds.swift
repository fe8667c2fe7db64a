/// Texts that are no scientific names, by the words in them.
extension NameReader {
  /// What the text is if nothing of it is the name of a taxon under the codes.
  func kindWithoutName() -> Kind? {
    let first = words.core(0)
    if isBarcode() { return .barcode }
    if Self.beginnings.contains(words.bytes, first) { return .informal }
    for word in 0..<words.count {
      let range = words.core(word)
      if isVirus(word, range) { return .virus }
      if word > 0, Self.beings.contains(words.bytes, range), !isAuthored(word),
        !(word == 1 && isKnownEpithet(1, of: words.ranges[0]))
      {
        return .informal
      }
    }
    return nil
  }

  /// "BOLD:AAA1234", "SH1140752.08FU", "UniRef..." : a prefix, then digits.
  private func isBarcode() -> Bool {
    guard words.count == 1 else { return false }
    let bytes = words.bytes[words.ranges[0]]
    if bytes.count == 12, starts(bytes, with: "bold:") { return true }
    guard bytes.count >= 10, starts(bytes, with: "sh") else { return false }
    let rest = bytes.dropFirst(2)
    return rest.prefix { $0.isDigit }.count >= 5
      && rest.suffix(2).allSatisfy { Letters.isASCII($0) }
      && rest.contains(UInt8(ascii: "."))
  }

  /// Whether bytes begin with a text in small letters, in any case.
  private func starts(_ bytes: ArraySlice<UInt8>, with text: String) -> Bool {
    Self.isSame(bytes, from: bytes.startIndex, as: text)
  }

  private func isVirus(_ word: Int, _ range: Range<Int>) -> Bool {
    guard let last = range.last else { return false }
    switch Letters.lower(words.bytes[last]) {
    case UInt8(ascii: "s"), UInt8(ascii: "e"), UInt8(ascii: "d"), UInt8(ascii: "v"),
      UInt8(ascii: "n"),
      UInt8(ascii: "r"), UInt8(ascii: "a"):
      break
    default: return false
    }
    if Self.virusWords.contains(words.bytes, range) {
      // "Phalium vector R. T. Abbott, 1993" is a snail.
      return word == 0 ? !words.isUpper(range) || words.count == 1 : !isAuthored(word)
    }
    if Self.hasVirusEnding(words.bytes, range) {
      // A genus: "Aghbyvirus ISAO8"; one word may be a genus as well: "Mahavira".
      if word == 0, words.isUpper(range) {
        return words.count > 1
          ? !isCode(1) && !isVirusBinomial
          : range.contains { words.bytes[$0].isDigit } || ends(range, with: "phage")
      }
      return !isAuthored(word)
    }
    switch Letters.lower(words.bytes[range.lowerBound]) {
    case UInt8(ascii: "n"): return word > 0 && starts(words.bytes[range], with: "npv")
    case UInt8(ascii: "i"): return starts(words.bytes[range], with: "ictv")
    case UInt8(ascii: "s"): return word > 0 && starts(words.bytes[range], with: "snpv")
    default: return false
    }
  }

  /// "Ausvirus bus", as species of viruses are called since 2021, with digits at will: "Ausvirus bus1".
  private var isVirusBinomial: Bool {
    guard words.count == 2, NameVocabulary.role(words.bytes, words.ranges[1]) == nil,
      !Self.virusWords.contains(words.bytes, words.ranges[1]),
      !ends(words.ranges[0], with: "phage"), !ends(words.ranges[1], with: "virus")
    else { return false }
    return isVirusEpithet(1)
  }

  /// Small letters, then perhaps digits.
  func isVirusEpithet(_ word: Int) -> Bool {
    let range = words.ranges[word]
    guard range.count > 2, Letters.isSmall(words.bytes[range.lowerBound]) else { return false }
    return words.bytes[range].allSatisfy { Letters.isSmall($0) || $0.isDigit || $0 == 0x2d }
  }

  /// Capitals and digits: "ISAO8".
  func isCode(_ word: Int) -> Bool {
    words.bytes[words.ranges[word]].allSatisfy { Letters.isCapital($0) || $0.isDigit || $0 == 0x2d }
  }

  /// Whether what follows a word in small letters is an author, so that it is an epithet.
  func isAuthored(_ word: Int) -> Bool {
    guard word > 0, word + 1 < words.count, words.isLower(words.ranges[word]) else { return false }
    let after = words.core(word + 1)
    if isBacteriumOfAuthor(word) { return true }
    guard words.isUpper(after) || words.bytes[words.ranges[word + 1].lowerBound] == 0x28 else {
      return false
    }
    let rest = (word + 1)..<words.count
    guard let end = AuthorshipParser.end(words, rest, isStrict: true) else { return false }
    for word in rest.lowerBound..<end {
      for index in words.ranges[word] where !words.bytes[max(index, 1) - 1].isDigit {
        if AuthorshipParser.yearValue(words.bytes, index) != nil { return true }
      }
    }
    return false
  }

  /// "Navicula bacterium Frenguelli": behind a genus, with a surname and no more.
  ///
  /// NCBI writes so of what it knows the family or order of only, and seldom without digits.
  private func isBacteriumOfAuthor(_ word: Int) -> Bool {
    guard word == 1, words.count == 3, words.isWord(1, "bacterium") else { return false }
    let author = words.ranges[2]
    return author.count > 4 && words.isUpper(author)
      && words.bytes[author].dropFirst().allSatisfy { Letters.isSmall($0) || $0 >= 0x80 }
      && words.isUpper(words.ranges[0])
      && !["ales", "aceae", "idae", "bacteria", "ota"].contains { ends(words.ranges[0], with: $0) }
  }

  private func ends(_ range: Range<Int>, with text: String) -> Bool {
    Self.isSame(words.bytes[range], from: range.upperBound - text.utf8.count, as: text)
  }

  /// Whether a text in small letters stands at `start` in bytes, in any case.
  static func isSame(_ bytes: ArraySlice<UInt8>, from start: Int, as text: String) -> Bool {
    guard start >= bytes.startIndex, start + text.utf8.count <= bytes.endIndex else { return false }
    var index = start
    for letter in text.utf8 {
      if Letters.lower(bytes[index]) != letter { return false }
      index += 1
    }
    return true
  }

  static let virusWords = WordSet(
    """
    virus viruses viroid viroids phage phages virophage bacteriophage prion prions plasmid vector
    satellite satellites betasatellites alphasatellites particle particles replicon npv nucleopolyhedrovirus
    """)
  static let beginnings = WordSet(
    """
    none not unidentified unknown unnamed uncultured unclassified undetermined incertae inc.sed. environmental
    indet. indet n/a na null non nec otu
    """)
  static let beings = WordSet(
    """
    bacterium cyanobacterium proteobacterium archaeon phytoplasma endosymbiont symbiont metagenome
    """)
}

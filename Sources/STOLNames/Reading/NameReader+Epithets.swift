/// What may stand where an epithet is expected, and is none or is written as none.
extension NameReader {
  /// Takes away what stands at an epithet and is no letter of it: a doubt, quotes, a full stop that ends no
  /// abbreviation, the asterisk before a subspecies.
  mutating func readEpithetMarks() {
    dropQuotes()
    splitAtStop()
    let range = words.ranges[next]
    if range.count > 3, words.isLower(range) || words.bytes[range.lowerBound] == UInt8(ascii: "?") {
      dropDoubt(next)
    }
    if next + 1 == end, range.count > 3, words.bytes[range.upperBound - 1] == UInt8(ascii: "."),
      !Self.furtherMarkers.contains(words.bytes, range), !isRemark(next, 1), !isUse(next),
      NameVocabulary.role(words.bytes, range) == nil
    {
      let rest = range.lowerBound..<(range.upperBound - 1)
      if isEpithetShape(rest), NameVocabulary.role(words.bytes, rest) == nil {
        words.ranges[next] = rest
      }
    }
    // "f.parva".
    if range.count > 4, words.bytes[range].starts(with: "f.".utf8), self.range(of: .species) != nil
    {
      let rest = (range.lowerBound + 2)..<range.upperBound
      if isEpithetShape(rest), NameVocabulary.role(words.bytes, rest) == nil {
        add(.marker, range.lowerBound..<rest.lowerBound)
        words.ranges[next] = rest
      }
    }
    if range.count > 3, words.bytes[range.lowerBound] == UInt8(ascii: "*") {
      let rest = (range.lowerBound + 1)..<range.upperBound
      if isEpithetShape(rest) { words.ranges[next] = rest }
    }
  }

  /// Makes two words of an epithet and what hangs on it by a full stop: "bus.Cus".
  private mutating func splitAtStop() {
    let range = words.ranges[next]
    guard range.count > 5, Letters.isSmall(words.bytes[range.lowerBound]),
      let stop = words.bytes[range].firstIndex(of: UInt8(ascii: ".")), stop > range.lowerBound + 2,
      stop + 1 < range.upperBound, !Letters.isSmall(words.bytes[stop + 1]),
      words.bytes[stop + 1] < 0x80,
      isEpithetShape(range.lowerBound..<stop),
      NameVocabulary.role(words.bytes, range.lowerBound..<stop) == nil,
      NameVocabulary.role(words.bytes, range.lowerBound..<(stop + 1)) == nil
    else { return }
    words.ranges[next] = range.lowerBound..<stop
    words.ranges.insert((stop + 1)..<range.upperBound, at: next + 1)
    end += 1
  }

  /// Makes two words of an epithet and the author who hangs on it: "busSmith"; whether there were such.
  mutating func splitAtCapital() -> Bool {
    let range = words.ranges[next]
    guard range.count > 5, Letters.isSmall(words.bytes[range.lowerBound]),
      let capital = range.first(where: { Letters.isCapital(words.bytes[$0]) }),
      capital - range.lowerBound > 3, capital + 1 < range.upperBound
    else { return false }
    let epithet = range.lowerBound..<capital
    let second = words.bytes[capital + 1]
    guard "aeimsrx".utf8.contains(words.bytes[capital - 1]), isEpithetShape(epithet),
      NameVocabulary.role(words.bytes, epithet) == nil,
      Letters.isSmall(second) || second == UInt8(ascii: ".")
    else { return false }
    words.ranges[next] = epithet
    words.ranges.insert(capital..<range.upperBound, at: next + 1)
    end += 1
    return true
  }

  /// Takes quotes away from an epithet; what a cultivar is called begins with a capital.
  private mutating func dropQuotes() {
    var range = words.ranges[next]
    guard range.count > 3 else { return }
    let first = words.bytes[range.lowerBound]
    let last = words.bytes[range.upperBound - 1]
    guard
      Self.isQuote(first) && Self.isQuote(last)
        || range.lowerBound > 0 && (Self.isQuote(first) || Self.isQuote(last))
          && self.range(of: .species) == nil
    else { return }
    if Self.isQuote(first) { range = (range.lowerBound + 1)..<range.upperBound }
    if Self.isQuote(last) { range = range.lowerBound..<(range.upperBound - 1) }
    guard Letters.isSmall(words.bytes[range.lowerBound]), range.count > 2, isEpithetShape(range),
      NameVocabulary.role(words.bytes, range) == nil
    else { return }
    words.ranges[next] = range
  }

  static func isQuote(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "`")
  }

  /// Capitals and digits behind a genus of viruses, or small letters and digits: "Aghbyvirus ISAO8".
  func isVirusName(_ word: Int) -> Bool {
    guard let genus = range(of: .uninomial),
      words.bytes[genus].suffix(5).elementsEqual("virus".utf8)
    else {
      return false
    }
    return isCode(word) || isVirusEpithet(word)
  }

  /// An author's "van" is none, nor is what links authors, "ex"; "Zodarion van" cannot be told apart by its
  /// form.
  func isParticle(_ word: Int, _ count: Int) -> Bool {
    switch NameVocabulary.role(words.bytes, words.ranges[word]) {
    case .particle: words.bytes[words.ranges[word + 1].lowerBound] != UInt8(ascii: "(")
    case .connector: count > 0 || !words.isWord(word, "ex")
    default: hasArticle(words.ranges[word])
    }
  }

  /// "van't", which is no epithet: a particle, and an article that is shortened.
  func hasArticle(_ range: Range<Int>) -> Bool {
    range.count > 3 && words.bytes[range.upperBound - 1] == UInt8(ascii: "t")
      && words.bytes[range.upperBound - 2] == UInt8(ascii: "'")
      && NameVocabulary.role(words.bytes, range.lowerBound..<(range.upperBound - 2)) == .particle
  }

  /// Whether a word behind authors is an epithet by its ending.
  func isLatinEpithet(_ word: Int) -> Bool {
    let range = words.ranges[word]
    guard range.count > 4, !isUse(word), !isRemark(word, 1),
      !Letters.isComma(words.bytes[words.ranges[word - 1].upperBound - 1])
    else { return false }
    return Self.epithetEndings.contains { ending in
      words.bytes[range].suffix(ending.utf8.count).elementsEqual(ending.utf8)
    }
  }

  /// Those of adjectives and of names in the genitive.
  private static let epithetEndings = [
    "us", "um", "is", "ii", "ae", "na", "ta", "ra", "la", "ca", "da", "sa", "ea", "ia", "ense",
    "oides", "ans", "ens", "nor", "jor", "lor",
  ]

  /// Words that say whose use of a name is meant, or what is said of it; "Agra not" is a beetle.
  func isUse(_ word: Int) -> Bool { Self.uses.contains(words.bytes, words.ranges[word]) }

  private static let uses = WordSet(
    "sensu sec auct auctt auctorum nec non nomen pro emend misapplied")

  /// "C-album", in which the letter is one that the animal bears.
  func hasLetter(_ word: Int) -> Bool {
    let range = words.ranges[word]
    return range.count > 4 && Letters.isCapital(words.bytes[range.lowerBound])
      && words.bytes[range.lowerBound + 1] == UInt8(ascii: "-")
      && isEpithetShape((range.lowerBound + 2)..<range.upperBound)
  }

  /// "st.johnii": a word that is shortened at the beginning of an epithet.
  func hasStop(_ word: Int) -> Bool {
    let range = words.ranges[word]
    guard range.count > 5, let stop = words.bytes[range].firstIndex(of: UInt8(ascii: ".")),
      stop - range.lowerBound <= 2,
      NameVocabulary.role(words.bytes, range.lowerBound..<(stop + 1)) != .doubt
    else { return false }
    return words.bytes[range.lowerBound..<stop].allSatisfy(Letters.isSmall)
      && isEpithetShape((stop + 1)..<range.upperBound) && range.upperBound - stop > 4
  }

  /// Words that say something of a name, and are no epithet of it.
  func isRemark(_ word: Int, _ count: Int) -> Bool {
    let range = words.ranges[word]
    if words.isWord(range, "or") || words.isWord(range, "vel") || words.isWord(range, "oder") {
      return true
    }
    return count > 0
      && (Self.remarks.contains(words.bytes, range)
        && !(word + 1 < end && words.isUpper(words.core(word + 1)) && range.count > 4)
        || isFurtherParticle(word))
  }

  private static let remarks = WordSet(
    """
    new nom nov comb stat orth syn synonym inval illeg nud partim circa sic the as an for on by to see also homonym
    misspelling misidentification corrected ou type name names part from sl ss n
    """)

  /// What a strain is called, capitals and digits: "K-12", "O157:H7", "H37Rv", "ATCC 25922".
  func isStrain(_ word: Int) -> Bool {
    let range = words.ranges[word]
    let first = words.bytes[range.lowerBound]
    if word + 1 < end, Self.collections.contains(words.bytes, range) {
      return words.bytes[words.ranges[word + 1]].contains { $0.isDigit }
    }
    guard Letters.isCapital(first), range.count > 1 else { return false }
    var digitCount = 0
    var smallCount = 0
    for byte in words.bytes[range] {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digitCount += 1
      case UInt8(ascii: "a")...UInt8(ascii: "z"):
        smallCount += 1
        if digitCount == 0 { return false }
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: ":"),
        UInt8(ascii: "_"),
        UInt8(ascii: "/"):
        break
      default: return false
      }
    }
    // "LINNAEUS1758".
    let isDated =
      digitCount == 4 && range.count > 6
      && AuthorshipParser.yearValue(words.bytes, range.upperBound - 4) != nil
    return digitCount > 0 && smallCount < 3 && !isDated
  }

  /// Collections of cultures, whose numbers name strains.
  private static let collections = WordSet(
    """
    ATCC DSM DSMZ NCTC CBS NBRC JCM CCUG LMG CIP NCIMB KCTC IFO NRRL PCC MTCC CCM CGMCC ICMP NCPPB CECT UTEX CCAP
    SAG CCMP NIES HAMBI BCRC IMI
    """)

  /// Whether the number of a specimen or of a sequence begins here: "USNM 1234", "(CBS 100)", "GenBank AB1",
  /// "voucher X12"; the authors of a name have no numbers but years.
  func isSpecimen(_ word: Int) -> Bool {
    guard word + 1 < end else { return false }
    var range = words.ranges[word]
    if !Letters.isASCII(words.bytes[range.lowerBound]) {
      range = words.core(word)
      guard let first = range.first, Letters.isASCII(words.bytes[first]) else { return false }
    }
    guard range.count > 1 else { return false }
    let isNamed = Self.specimens.contains(words.bytes, range)
    guard isNamed || Letters.isCapital(words.bytes[range.lowerBound + 1]) else { return false }
    let number = words.core(word + 1)
    guard words.contains(number, where: { $0.isDigit }) else {
      return isNamed && words.isLower(range) && number.count == 1
    }
    if isNamed || Self.collections.contains(words.bytes, range) { return true }
    guard range.count < 8, range.allSatisfy({ Letters.isCapital(words.bytes[$0]) }) else {
      return false
    }
    return AuthorshipParser.yearValue(words.bytes, number.lowerBound) == nil
      && words.bytes[number.lowerBound] != UInt8(ascii: "?")
  }

  /// What is said before the number of a specimen or of a sequence.
  private static let specimens = WordSet(
    """
    voucher vouchers specimen accession acc. genbank embl ddbj ncbi isolate coll. herb. museum
    """)

  /// "LEO" behind "PANTHERA".
  mutating func isCapitalised(_ count: Int) -> Bool {
    guard count == 0, let first = parts.last(where: { $0.role == .uninomial })?.range else {
      return false
    }
    return isInCapitals(first) && isInCapitals(words.ranges[next])
  }

  /// Whether a word is of capitals alone, with marks or without, and hyphens between them.
  private func isInCapitals(_ range: Range<Int>) -> Bool {
    guard range.count > 2 else { return false }
    var index = range.lowerBound
    while index < range.upperBound {
      let byte = words.bytes[index]
      let end = min(index + Letters.length(byte), range.upperBound)
      let isInside = index > range.lowerBound && end < range.upperBound
      guard
        Letters.isCapital(byte) || byte >= 0x80 && words.isUpper(index..<end)
          || byte == UInt8(ascii: "-") && isInside
      else { return false }
      index = end
    }
    return true
  }
}

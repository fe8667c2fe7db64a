/// The words that name a taxon.
extension NameReader {
  /// "×", "x", "X" or "+" before the first name, alone or attached to it, and "Candidatus".
  mutating func readHybridSign() {
    dropLeadingMarks()
    // "cf. Aus bus".
    if next + 1 < end, "acAC".utf8.contains(words.bytes[words.ranges[0].lowerBound]),
      words.isUpper(words.ranges[1]),
      NameVocabulary.role(words.bytes, words.ranges[0]) == .doubt
    {
      take(.qualifier, to: 1)
    }
    if words.isWord(0, "?") {
      marks.insert(.isUncertain)
      next = 1
    }
    if next + 1 < end, words.isWord(next, "Candidatus") || words.isWord(next, "Ca.") {
      marks.insert(.isCandidate)
      next += 1
      return
    }
    guard next < end else { return }
    dropDoubt(next)
    let range = words.ranges[next]
    let start = range.lowerBound
    let isSign = isTimes(next) || words.isWord(next, "+")
    if isSign {
      guard next + 1 < end else { return }
      marks.insert(.isHybrid)
      take(.hybridSign, to: next + 1)
      return
    }
    var length = 0
    if range.count > 3, words.isTimes(start..<(start + 2)) { length = 2 }
    if range.count > 3, words.bytes[start] == UInt8(ascii: "+") { length = 1 }
    if range.count > 4, words.bytes[start] | 0x20 == UInt8(ascii: "x"),
      Letters.isCapital(words.bytes[start + 1]), Letters.isSmall(words.bytes[start + 2])
    {
      length = 1
    }
    guard length > 0 else { return }
    marks.insert(.isHybrid)
    add(.hybridSign, start..<(start + length))
    words.ranges[next] = (start + length)..<range.upperBound
  }

  /// Takes away what stands before the first name and is no part of any: asterisks, dashes, quotes.
  private mutating func dropLeadingMarks() {
    let range = words.ranges[0]
    guard let first = range.first, range.count > 3, !Letters.isASCII(words.bytes[first]) else {
      return
    }
    let marks = words.bytes[range].prefix { Self.isQuote($0) || "*#-=~.,;:|>".utf8.contains($0) }
    guard !marks.isEmpty, marks.count < range.count - 2,
      Letters.isCapital(words.bytes[range.lowerBound + marks.count])
    else { return }
    words.ranges[0] = (range.lowerBound + marks.count)..<range.upperBound
    // The quote that ends what began with one: behind the name, or behind its first word.
    guard marks.contains(where: Self.isQuote) else { return }
    for word in [0, words.count - 1] {
      let range = words.ranges[word]
      guard range.count > 2, Self.isQuote(words.bytes[range.upperBound - 1]) else { continue }
      words.ranges[word] = range.lowerBound..<(range.upperBound - 1)
      return
    }
  }

  /// Takes "?" away from the beginning and the end of a word, which doubts it.
  mutating func dropDoubt(_ word: Int) {
    let range = words.ranges[word]
    guard range.count > 3 else { return }
    let mark = UInt8(ascii: "?")
    let hasFirst = words.bytes[range.lowerBound] == mark
    let hasLast = words.bytes[range.upperBound - 1] == mark
    guard hasFirst || hasLast else { return }
    marks.insert(.isUncertain)
    words.ranges[word] =
      (range.lowerBound + (hasFirst ? 1 : 0))..<(range.upperBound - (hasLast ? 1 : 0))
  }

  /// The first name; false where there is none.
  mutating func readUninomial() -> Bool {
    guard next < end else { return false }
    var range = words.ranges[next]
    while let last = range.last, Letters.isComma(words.bytes[last]) {
      range = range.lowerBound..<(range.upperBound - 1)
    }
    guard range.count > 1, isNameShape(range) else { return false }
    if words.bytes[range.upperBound - 1] == UInt8(ascii: ".") {
      guard range.count <= 5, next + 1 < end else { return false }
      marks.insert(.isAbbreviated)
    }
    words.ranges[next] = range
    take(.uninomial, to: next + 1)
    return true
  }

  /// Letters and hyphens with a capital at the beginning, in capitals or in small letters.
  private mutating func isNameShape(_ range: Range<Int>) -> Bool {
    var smallCount = 0
    var capitalCount = 0
    for index in range {
      let byte = words.bytes[index]
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): smallCount += 1
      case UInt8(ascii: "A")...UInt8(ascii: "Z"):
        if index > range.lowerBound, words.bytes[index - 1] != UInt8(ascii: "-") {
          capitalCount += 1
        }
      case UInt8(ascii: "-"):
        if index == range.lowerBound || index == range.upperBound - 1 { return false }
      case UInt8(ascii: "."): if index != range.upperBound - 1 { return false }
      case 0x80...0xff: break
      default: return false
      }
    }
    if smallCount > 0, capitalCount > 0 { return false }
    if !words.isUpper(range) || capitalCount > 1 { marks.insert(.hadOtherCase) }
    return true
  }

  /// The "×" or "+" from here on that stands between two names, or nil.
  ///
  /// "Aus × bus" with one epithet behind the sign is a hybrid that has a name.
  func formulaSign() -> Int? {
    for word in next..<end {
      let isGraft = words.isWord(word, "+")
      guard isTimes(word) || isGraft else { continue }
      // Behind a name it may be anything.
      guard word + 1 < end else { return nil }
      if !isGraft, isEpithet(word + 1), word == next || word == next + 1 && isParenthesised(next) {
        continue
      }
      // "Aus bus × ?".
      if word + 2 == end,
        words.isWord(word + 1, "?")
          || words.isLower(words.ranges[word + 1])
            && NameVocabulary.role(words.bytes, words.ranges[word + 1]) == .informal
      {
        return word
      }
      // "Aus bus subsp. cus × subsp. dus".
      if word > next, isEpithet(word + 2), marker(before: word + 2) { return word }
      let after = words.ranges[word + 1]
      guard words.isUpper(after) || isEpithet(word + 1) else { continue }
      // A capital X may be an author's, unless a name of two words follows.
      if words.bytes[words.ranges[word].lowerBound] == UInt8(ascii: "X"), words.isUpper(after),
        !isEpithet(word + 2)
      {
        continue
      }
      if word > next, isEpithet(word + 1), marker(before: word) { continue }
      return word
    }
    return nil
  }

  /// Whether a marker of a rank stands before a word.
  private func marker(before word: Int) -> Bool { isMarker(word - 1) }

  /// Whether a word is a marker below the species: "subsp.".
  func isMarker(_ word: Int) -> Bool {
    words.isLower(words.ranges[word])
      && NameVocabulary.role(words.bytes, words.ranges[word]) == .infraspecific
  }

  /// The epithets, with markers, marks of doubt and authors between them.
  mutating func readEpithets() {
    var count = 0
    if range(of: .infragenus) != nil { return }
    while next < end {
      readEpithetMarks()
      if count == 0, let genus = parts.last, genus.role == .uninomial,
        isKnownEpithet(next, of: genus.range)
      {
        count = 1
        takeEpithet(count)
        continue
      }
      if isTimes(next), isEpithet(next + 1) {
        marks.insert(.isHybrid)
        take(.hybridSign, to: next + 1)
      } else {
        takeAttachedTimes()
      }
      if readQualifier(count) { return }
      if readCultivar() { return }
      if count > 0, let epithet = epithet(behindMarker: next) {
        take(.marker, to: epithet)
        takeAttachedTimes()
        count += 1
        takeEpithet(count)
        continue
      }
      // "var. cf. bus".
      if count > 0, next + 2 < end, Letters.isSmall(words.bytes[words.ranges[next].lowerBound]),
        isMarker(next),
        NameVocabulary.role(words.bytes, words.ranges[next + 1]) == .doubt
      {
        take(.marker, to: next + 1)
        continue
      }
      // What follows a comma is no epithet.
      if count > 0,
        words.bytes[words.ranges[next - 1].upperBound..<words.ranges[next].lowerBound]
          .contains(where: Letters.isComma)
      {
        return
      }
      if next + 1 < end || count > 0, isRemark(next, count) { return }
      if count > 0, Letters.isSmall(words.bytes[words.ranges[next].lowerBound]), isSpecimen(next) {
        return
      }
      if isEpithet(next) && !hasArticle(words.ranges[next])
        || isAuthored(next) && count < 3 && isEpithetShape(words.ranges[next])
          && !isParticle(next, count) && !isUse(next)
        || isCapitalised(count) || count == 0 && (hasLetter(next) || hasStop(next))
      {
        count += 1
        takeEpithet(count)
        continue
      }
      if count > 0, isStrain(next) {
        kind = .open
        return
      }
      if splitAtCapital() { continue }
      if count == 0, isVirusName(next) {
        take(.species, to: next + 1)
        return
      }
      guard count > 0, let last = endOfFormerAuthors() else { return }
      take(.formerAuthorship, to: last)
      if isEpithet(next), epithet(behindMarker: next) == nil {
        count += 1
        takeEpithet(count)
      }
    }
  }

  private mutating func takeEpithet(_ count: Int) {
    var range = words.ranges[next]
    while let last = range.last, Letters.isComma(words.bytes[last]) {
      range = range.lowerBound..<(range.upperBound - 1)
    }
    words.ranges[next] = range
    take(count == 1 ? .species : .infraspecies, to: next + 1)
  }

  /// Takes the "×" away that is attached to an epithet.
  private mutating func takeAttachedTimes() {
    guard let length = attachedTimes(next) else { return }
    let range = words.ranges[next]
    marks.insert(.isHybrid)
    add(.hybridSign, range.lowerBound..<(range.lowerBound + length))
    words.ranges[next] = (range.lowerBound + length)..<range.upperBound
  }

  /// The length of a "×" that is attached to an epithet, or nil.
  private func attachedTimes(_ word: Int) -> Int? {
    let range = words.ranges[word]
    guard range.count > 3, words.isTimes(range.lowerBound..<(range.lowerBound + 2)),
      isEpithetShape((range.lowerBound + 2)..<range.upperBound)
    else { return nil }
    return 2
  }

  /// The epithet behind a marker, or nil.
  ///
  /// Such are "var. bus", "var. δ. bus" and "ab. n. bus".
  private func epithet(behindMarker marker: Int) -> Int? {
    var range = words.ranges[marker]
    if words.bytes[range.lowerBound] == UInt8(ascii: "[") { range = words.core(marker) }
    guard !range.isEmpty else { return nil }
    let role = NameVocabulary.role(words.bytes, range)
    let isForm =
      role == .filius && words.bytes[range.lowerBound] == UInt8(ascii: "f") && range.count <= 2
    let isLetter =
      range.count == 1 && Letters.isCapital(words.bytes[range.lowerBound]) || isGreek(range)
      || isSmallLetter(range, role)
    var word = marker + 1
    if isLetter || words.bytes[range].allSatisfy({ $0 == UInt8(ascii: "*") })
      || Self.furtherMarkers.contains(words.bytes, range)
      || role == .infraspecific && words.isUpper(range)
    {
      return isEpithet(word) ? word : nil
    }
    guard role == .infraspecific && words.isLower(range) || isForm else { return nil }
    // "forma specialis".
    if words.isWord(word, "specialis"), word + 1 < end, isEpithet(word + 1) { word += 1 }
    if word + 1 < end, words.ranges[word].count <= 3,
      isTimes(word) || !isEpithet(word) || isGreek(word), !isOpenWord(words.ranges[word]),
      words.isLower(words.ranges[word]) || isGreek(word)
    {
      word += 1
    }
    guard word < end, isEpithet(word) || attachedTimes(word) != nil else { return nil }
    return word
  }

  /// "b." and "c.", as varieties were counted by them.
  private func isSmallLetter(_ range: Range<Int>, _ role: NameVocabulary.Role?) -> Bool {
    role == nil && range.count == 2 && Letters.isSmall(words.bytes[range.lowerBound])
      && (words.bytes[range.lowerBound + 1] == UInt8(ascii: ".")
        || words.bytes[range.lowerBound + 1] == UInt8(ascii: ")"))
  }

  /// Markers below the species that are rare, or mean something else elsewhere.
  static let furtherMarkers = WordSet(
    """
    ser. ser sect. sect monst. sf. st. lus. pseudovar. ecas. subconvar. tax.vag. sublusus microf. mutatio modif. subssp. subfo.
    oec. nothomorpha agamosubsp. aest. eluc. subspec. supersubsp. pseudosubsp.
    fo prole pv bv nothosubsp nothossp nothosp. nothosp nothovar nothof nvar nothofo. nothofo agamosp agamossp
    agamovar ab mut monst pseudovar microg. microgen. subconvar subsubvar subsubf. f.spec. fspec. sp.f. tab. t.infr.
    patho. pathov. chemovar chemovar. biovar biovar. phagovar. phagovar variatio mod. sport. subssp supsp.
    """)

  /// One letter of Greek, as varieties were numbered by them.
  func isGreek(_ word: Int) -> Bool { isGreek(words.ranges[word]) }

  private func isGreek(_ range: Range<Int>) -> Bool {
    guard range.count <= 3, !range.isEmpty, let scalar = words.scalar(range) else { return false }
    return (0x370..<0x400).contains(scalar.value)
  }

  /// Where authors end who stand before a marker or an epithet, or nil where they go on to the end.
  private func endOfFormerAuthors() -> Int? {
    for word in (next + 1)..<max(next + 1, end) {
      let role = NameVocabulary.role(words.bytes, words.core(word))
      if role == .phrase || role == .informal || role == .doubt || words.isWord(word, "fide") {
        return nil
      }
      let isMarker =
        word + 1 < end && !Letters.isCapital(words.bytes[words.ranges[word].lowerBound])
        && epithet(behindMarker: word) != nil
      let isBare =
        !isMarker && isEpithet(word) && words.ranges[word].count > 3
        && word + 1 < end && mayFollowEpithet(word + 1, word) && !isSpecimen(word)
      guard isMarker || isBare else { continue }
      // Neither "(s. s.) bus" nor "Smith, bus Jones" is a subspecies.
      if isBare,
        NameVocabulary.role(words.bytes, words.core(next)) == .phrase
          || Letters.isComma(words.bytes[words.ranges[word - 1].upperBound - 1])
      {
        return nil
      }
      // "Smith & bus": somebody is missing.
      let last = words.core(word - 1)
      if NameVocabulary.role(words.bytes, last) == .connector,
        !words.bytes[last].starts(with: "al".utf8)
      {
        return nil
      }
      return AuthorshipParser.end(words, next..<word, isStrict: true) != nil ? word : nil
    }
    return nil
  }

  /// Whether a word can stand behind an epithet that has authors before it: an author, a marker, or another
  /// epithet.
  private func mayFollowEpithet(_ word: Int, _ epithet: Int) -> Bool {
    let core = words.core(word)
    guard words.isLower(core) else { return true }
    switch NameVocabulary.role(words.bytes, core) {
    case .particle: return true
    case nil where isLatinEpithet(word) && isLatinEpithet(epithet): return true
    default: return self.epithet(behindMarker: word) != nil
    }
  }

  /// A mark of open nomenclature: true where nothing that is certain can follow.
  private mutating func readQualifier(_ count: Int) -> Bool {
    let word = words.ranges[next]
    let range = withoutBrackets(word)
    let role = NameVocabulary.role(words.bytes, range)
    // "(f." is of an author, "(isolate A)" a remark.
    guard range == word || role == .doubt else { return false }
    switch role {
    case .doubt:
      let isComparison = Letters.lower(words.bytes[range.lowerBound]) == UInt8(ascii: "c")
      let isQuestion = words.bytes[range.lowerBound] == UInt8(ascii: "?")
      if isQuestion, count > 0, isEpithet(next + 1) {
        marks.insert(.isUncertain)
        take(.qualifier, to: next + 1)
        return false
      }
      kind = .open
      take(.qualifier, to: next + 1)
      guard isComparison, isEpithet(next) else { return true }
      take(.compared, to: next + 1)
      // The authors are those of what is compared.
      readAuthors()
      return true
    case .informal:
      guard !(isAuthored(next) && isEpithetShape(range)) else { return false }
      kind = .open
      take(.qualifier, to: next + 1)
      return true
    case .infraspecific
    where next + 1 == end
      || [.informal, .phrase].contains(NameVocabulary.role(words.bytes, words.ranges[next + 1])):
      kind = .open
      take(.qualifier, to: next + 1)
      return true
    default: return false
    }
  }

  /// A word without the brackets around it, or the one before it: "(cf.)", "[aff.", but not "(?)".
  func withoutBrackets(_ word: Range<Int>) -> Range<Int> {
    guard word.count > 3, let first = word.first,
      words.bytes[first] == UInt8(ascii: "(") || words.bytes[first] == UInt8(ascii: "[")
    else { return word }
    let last = words.bytes[word.upperBound - 1]
    let isClosed = last == UInt8(ascii: ")") || last == UInt8(ascii: "]")
    return (first + 1)..<(word.upperBound - (isClosed ? 1 : 0))
  }

  /// What a cultivar is called, behind a marker or in quotes.
  mutating func readCultivar() -> Bool {
    let range = words.ranges[next]
    if NameVocabulary.role(words.bytes, range) == .cultivar, next + 1 < end {
      take(.marker, to: next + 1)
      take(.cultivar, to: end)
      return true
    }
    // Double quotes may be those of somebody who doubts an author.
    if words.bytes[range].first == UInt8(ascii: "\""),
      words.bytes[words.ranges[end - 1]].last != UInt8(ascii: "\"")
    {
      return false
    }
    guard let first = words.bytes[range].first,
      first == UInt8(ascii: "'") || first == UInt8(ascii: "\"")
        || words.bytes[range].starts(with: "“".utf8), range.count > 2
    else { return false }
    for word in next..<end {
      guard let last = words.bytes[words.ranges[word]].last,
        last == UInt8(ascii: "'")
          || last == UInt8(ascii: "\"")
          || words.bytes[words.ranges[word]].suffix(3).elementsEqual("”".utf8)
      else { continue }
      take(.cultivar, to: word + 1)
      return true
    }
    return false
  }

  func isTimes(_ word: Int) -> Bool {
    guard word < end else { return false }
    let range = words.ranges[word]
    return words.isTimes(range)
      || range.count == 1 && words.bytes[range.lowerBound] | 0x20 == UInt8(ascii: "x")
  }

  /// Whether a word is an epithet that no other word is like.
  func isEpithet(_ word: Int) -> Bool {
    guard word < end else { return false }
    var range = words.ranges[word]
    while let last = range.last, Letters.isComma(words.bytes[last]) {
      range = range.lowerBound..<(range.upperBound - 1)
    }
    return isEpithetShape(range) && NameVocabulary.role(words.bytes, range) == nil
      && !(range.count <= 3 && isGreek(word))
  }

  /// Small letters with hyphens and apostrophes within; digits at the beginning.
  func isEpithetShape(_ range: Range<Int>) -> Bool {
    guard range.count > 1 else { return false }
    var start = range.lowerBound
    if words.bytes[start].isDigit {
      // But not "4x".
      guard let (_, end) = NumberWord.word(words.bytes, range), range.upperBound - end > 2 else {
        return false
      }
      start = end
    }
    guard words.isLower(start..<range.upperBound) else { return false }
    for index in start..<range.upperBound {
      switch words.bytes[index] {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), 0x80...0xff: break
      case UInt8(ascii: "-"), UInt8(ascii: "'"): if index == range.upperBound - 1 { return false }
      default: return false
      }
    }
    return true
  }
}

import STOLPack

/// Goes through the words of one name.
struct NameScanner {
  let words: NameWords
  /// Where the words of the name end; what follows is a separate authorship.
  var end: Int
  let rank: SourceRank?
  let hasGivenAuthorship: Bool
  let mayHoldAuthorship: Bool

  private var next = 0
  private var canonical: [UInt8] = []
  /// Words that are epithets or names, without markers.
  private var nameCount = 0
  private var species: Range<Int>?
  private var lastEpithet: Range<Int>?
  /// The authorship before a marker.
  private var middle: Range<Int>?

  init(
    words: NameWords, end: Int, rank: SourceRank?, hasGivenAuthorship: Bool, mayHoldAuthorship: Bool
  ) {
    self.words = words
    self.end = end
    self.rank = rank
    self.hasGivenAuthorship = hasGivenAuthorship
    self.mayHoldAuthorship = mayHoldAuthorship
  }

  /// Why a name cannot be taken apart.
  private struct Whole: Error {
    var kind = NameParts.Kind.informal
    var isUncertain = false
  }

  mutating func read() -> NameParts {
    do {
      return try readName()
    } catch {
      var parts = NameParts(canonicalName: words.text(0..<end))
      parts.kind = error.kind
      parts.isUncertain = error.isUncertain
      return parts
    }
  }

  private mutating func readName() throws(Whole) -> NameParts {
    guard end > 0 else { return NameParts(canonicalName: "") }
    try readFirstName()
    try readSecondName()
    var tail = try readEpithets()
    // "Cambarus Uhleri": an epithet with a capital, as they were written until about 1950.
    if nameCount == 1, !tail.isEmpty, isCapitalEpithet(tail.lowerBound, isLast: tail.count == 1) {
      append(words.ranges[next])
      species = words.ranges[next]
      next += 1
      tail = try readEpithets()
    }
    var parts = NameParts(canonicalName: "")
    if !tail.isEmpty {
      guard mayHoldAuthorship, let found = AuthorshipParser.scan(words, tail, isStrict: true) else {
        throw Whole()
      }
      if hasGivenAuthorship { parts.phrase = found.phrase } else { parts.take(found) }
    } else if let middle, !hasGivenAuthorship, isAutonym,
      let found = AuthorshipParser.scan(words, middle, isStrict: true)
    {
      parts.take(found)
    }
    parts.canonicalName = String(decoding: canonical, as: UTF8.self)
    return parts
  }

  private var isSpeciesOrBelow: Bool {
    rank.map { $0.kept == .species || $0.isBelowSpecies } ?? false
  }

  /// Articles 22.1 and 26.1 of the botanical code; the zoological one calls it nominotypical.
  private var isAutonym: Bool {
    guard let species, let lastEpithet, species != lastEpithet else { return false }
    return words.bytes[species].elementsEqual(words.bytes[lastEpithet])
  }

  private mutating func append(_ range: Range<Int>) {
    if !canonical.isEmpty { canonical.append(0x20) }
    canonical.append(contentsOf: words.bytes[range])
    nameCount += 1
  }

  private mutating func appendMark(_ text: String) {
    if !canonical.isEmpty { canonical.append(0x20) }
    canonical.append(contentsOf: text.utf8)
  }

  private mutating func appendTimes() { appendMark("×") }

  // MARK: The first word

  private mutating func readFirstName() throws(Whole) {
    var range = words.ranges[0]
    if words.isTimes(range) || range.count == 1 && role(0) == .times {
      guard end > 1 else { throw Whole() }
      appendTimes()
      next = 1
      range = words.ranges[1]
    } else if range.count > 2, words.isTimes(range.lowerBound..<(range.lowerBound + 2)) {
      appendTimes()
      range = (range.lowerBound + 2)..<range.upperBound
    } else if range.count > 2, words.bytes[range.lowerBound] == UInt8(ascii: "x"),
      words.isUpper((range.lowerBound + 1)..<range.upperBound)
    {
      appendTimes()
      range = (range.lowerBound + 1)..<range.upperBound
    }
    if words.bytes[range.lowerBound] == UInt8(ascii: "[") { throw Whole(isUncertain: true) }
    guard words.isUpper(range), isNameWord(range) else { throw Whole() }
    if NameVocabulary.isPlaceholder(words.bytes, range) { throw Whole() }
    switch NameVocabulary.role(words.bytes, range) {
    case .informal, .phrase, .doubt: throw Whole()
    default: break
    }
    append(range)
    next += 1
  }

  // MARK: The second word

  private mutating func readSecondName() throws(Whole) {
    guard next < end else { return }
    if isParenthesisedName(next) {
      let isBeforeEpithet = next + 1 < end && (isEpithet(next + 1) || isTimes(next + 1))
      let isLast = next + 1 == end
      if isBeforeEpithet || isInfragenericRank || isLast && rank == nil {
        append(words.ranges[next])
        nameCount -= 1
        next += 1
      }
    } else if role(next) == .infrageneric, next + 1 < end, words.isUpper(words.ranges[next + 1]),
      isNameWord(words.ranges[next + 1])
    {
      try readInfrageneric()
      return
    }
    guard next < end else { return }
    try checkInformal(next, isSecond: true)
    let range = words.ranges[next]
    if isTimes(next), next + 1 < end {
      guard isEpithet(next + 1) else { throw Whole(kind: .hybridFormula) }
      appendTimes()
      next += 1
      appendSpecies()
    } else if let epithet = afterTimes(range) {
      appendTimes()
      species = epithet
      append(epithet)
      next += 1
    } else if isEpithet(next) || isRoleAsEpithet(next) {
      appendSpecies()
    }
  }

  private mutating func appendSpecies() {
    species = words.ranges[next]
    append(words.ranges[next])
    next += 1
  }

  private mutating func readInfrageneric() throws(Whole) {
    while next + 1 < end, role(next) == .infrageneric, words.isUpper(words.ranges[next + 1]) {
      append(words.ranges[next])
      append(words.ranges[next + 1])
      nameCount += 1
      next += 2
    }
  }

  private var isInfragenericRank: Bool { rank?.isBetweenGenusAndSpecies ?? false }

  /// Words that mean something by themselves are epithets too: "Zodarion van Bosmans, 2009".
  private func isRoleAsEpithet(_ word: Int) -> Bool {
    guard isSpeciesOrBelow, role(word) != nil, isEpithetShape(words.ranges[word]) else {
      return false
    }
    switch role(word) {
    case .particle, .filius, .informal, .infraspecific, .infrageneric, .connector, .anonymous: break
    case .phrase:
      let isUse = ["sensu", "auct", "nec", "non", "sec", "nomen", "pro"].contains {
        words.text(word..<(word + 1)) == $0
      }
      if isUse { return false }
    default: return false
    }
    guard word + 1 < end else { return role(word) != .informal }
    let after = words.core(word + 1)
    return (words.isUpper(after) || role(word + 1) == .particle)
      && AuthorshipParser.scan(words, (word + 1)..<end, isStrict: true) != nil
  }

  private func isCapitalEpithet(_ word: Int, isLast: Bool) -> Bool {
    let range = words.ranges[word]
    guard words.isUpper(range), isNameWord(range), words.bytes[range].last != UInt8(ascii: "."),
      range.count > 2, !words.contains(range, where: { $0 == UInt8(ascii: ".") })
    else { return false }
    return isSpeciesOrBelow || hasGivenAuthorship && isLast
  }

  // MARK: Epithets

  /// Throws if the word says that this is no whole scientific name.
  private func checkInformal(_ word: Int, isSecond: Bool) throws(Whole) {
    switch role(word) {
    case .informal: if !(isSecond && isRoleAsEpithet(word)) { throw Whole() }
    case .doubt: throw Whole(isUncertain: true)
    case .cultivar: throw Whole(kind: .cultivar)
    default: break
    }
    if isQuotation(word) { throw Whole(kind: .cultivar) }
  }

  /// Reads markers and epithets, and returns where the authorship is.
  private mutating func readEpithets() throws(Whole) -> Range<Int> {
    while next < end {
      if isTimes(next) { throw Whole(kind: .hybridFormula) }
      if species != nil, isMarker(next) {
        try readMarked()
        continue
      }
      try checkInformal(next, isSecond: false)
      if species != nil, isEpithet(next), nameCount < 5 {
        lastEpithet = words.ranges[next]
        append(words.ranges[next])
        next += 1
        continue
      }
      guard let marker = try markerAfterAuthors() else { return next..<end }
      middle = next..<marker
      next = marker
      if role(marker) == .infrageneric, species == nil { try readInfrageneric() }
    }
    return end..<end
  }

  private mutating func readMarked() throws(Whole) {
    let range = words.ranges[next]
    let isSsp = words.isWord(next, "ssp.") || words.isWord(next, "ssp")
    if isSsp { appendMark("subsp.") } else { append(range) }
    if !isSsp { nameCount -= 1 }
    next += 1
    if isTimes(next) {
      appendTimes()
      next += 1
    }
    var epithet = words.ranges[next]
    if let range = afterTimes(epithet) {
      appendTimes()
      epithet = range
    }
    lastEpithet = epithet
    append(epithet)
    next += 1
  }

  /// The marker that follows authors, or nil if they go on to the end.
  private func markerAfterAuthors() throws(Whole) -> Int? {
    for word in next..<end {
      if word > next, role(word) == .cultivar || isQuotation(word) { throw Whole(kind: .cultivar) }
      if words.isTimes(words.ranges[word]) || words.isWord(word, "x") && word > next {
        throw Whole(kind: .hybridFormula)
      }
      let isInfrageneric =
        species == nil && role(word) == .infrageneric && word + 1 < end
        && words.isUpper(words.ranges[word + 1])
      guard word > next, isMarker(word) && species != nil || isInfrageneric else { continue }
      guard AuthorshipParser.scan(words, next..<word, isStrict: true) != nil else { throw Whole() }
      return word
    }
    return nil
  }
}

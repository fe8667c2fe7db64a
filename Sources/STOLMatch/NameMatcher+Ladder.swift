import STOLNames
import STOLPack

/// The steps: the first one with an answer ends it.
extension NameMatcher {
  mutating func answer(_ asked: Asked, _ view: borrowing PackView) -> NameMatch {
    var refused: [MatchCandidate] = []
    let name = asked.names[0]

    found.removeAll()
    let hasAuthor = !asked.authorship.isEmpty
    var whole = asked
    if let binomial = asked.binomial {
      findEqual(binomial, .none, hasAuthor: hasAuthor, view)
      if !found.isEmpty {
        whole.isOpen = false
        whole.authorship = asked.authorshipOfBinomial ?? whole.authorship
      }
    }
    let isOfBinomial = !found.isEmpty
    for spelling in asked.names where found.isEmpty {
      findEqual(spelling, .none, hasAuthor: hasAuthor, view)
    }
    if !isOfBinomial, let binomial = asked.binomialInCapitals,
      let match = answerByCapitals(binomial, asked, &refused, view)
    {
      return match
    }
    if found.isEmpty { findWithMarkers(name, hasAuthor: hasAuthor, view) }
    if !found.isEmpty {
      let asked = whole
      if let match = decide(asked, isWhole: true, &refused, view) { return match }
    } else if !asked.isWhole {
      findOtherEndings(of: name, hasAuthor: hasAuthor, view)
      if found.isEmpty, options.isStrict {
        findSimilar(to: name, edits: 1, within: 1, view)
        found.keep { $0.difference == .ending }
      }
      if let match = decide(asked, isWhole: true, &refused, view) { return match }
      if !options.isStrict,
        let match = answerBySimilar(name, asked, isWhole: true, &refused, view)
          ?? answerByFarther(asked, &refused, view)
      {
        return match
      }
    }
    guard !options.isStrict, options.allowsHigherTaxa, !(asked.isWhole && options.followsGBIF)
    else { return nothing(refused, view) }
    if !asked.isWhole, let match = answerByPart(asked, &refused, view) { return match }
    // A name that is there and contradicts the hint says that one of the two is wrong.
    let isKnown = refused.contains { $0.difference == .none }
    if let hint = asked.hints.lowest, options.followsGBIF || !isKnown {
      var match = NameMatch(.partial, NameDifference.hint.rawValue)
      match.taxon = hint
      match.name = NameOrdinal(rawValue: hint.rawValue)
      match.difference = .hint
      match.score = MatchScore.base(.hint) / 10
      match.candidates = Array(refused.prefix(options.candidateLimit))
      return match
    }
    return nothing(refused, view)
  }

  /// The answer to a name of one word behind which stands one that is not known to be its author: "Passer
  /// Domesticuss" for *Passer domesticus*, "Felidae Cat" for no more than the family; nil where what was found is all
  /// that it can be.
  private mutating func answerByCapitals(
    _ binomial: [UInt8], _ asked: Asked, _ refused: inout [MatchCandidate],
    _ view: borrowing PackView
  ) -> NameMatch? {
    let ofOneWord = found
    // What the pack says of the authors of these names, more than 0 where they agree.
    let authors = ofOneWord.candidates.compactMap { candidate in
      points(of: candidate, asked, isWhole: true, view).first { $0.part == "author" }?.value
    }
    if authors.contains(where: { $0 > 0 }) { return nil }
    found.removeAll()
    if !options.isStrict {
      var whole = asked
      (whole.names, whole.authorship) = ([binomial], asked.authorshipOfBinomial ?? "")
      findSimilar(to: binomial, edits: 1, within: 1, view)
      if let match = decide(whole, isWhole: true, &refused, view) { return match }
    }
    found = ofOneWord
    guard !found.isEmpty, authors.isEmpty else { return nil }
    guard !options.isStrict, options.allowsHigherTaxa else { return nothing(refused, view) }
    var open = asked
    (open.isOpen, open.authorship) = (true, "")
    return decide(open, isWhole: true, &refused, view)
  }

  /// The answer to a text that the pack has as a name with all that stands in it; nil where it has no such one.
  ///
  /// What was read of a text leaves out markers of ranks, hybrid signs, and what nobody could read.
  mutating func answerOfWholeText(
    _ query: MatchQuery, _ asked: Asked, _ view: borrowing PackView
  ) -> NameMatch? {
    let text = Array(query.name.utf8)
    guard !asked.isWhole, text != asked.names[0] else { return nil }
    found.removeAll()
    findEqual(text, .none, hasAuthor: false, view)
    guard !found.isEmpty else { return nil }
    let plain = Self.plainText(text)
    found.keep { plain == Self.plainText(Array(view.names.text(of: $0.name).utf8)) }
    var asked = asked
    asked.authorship = query.authorship ?? ""
    asked.year = nil
    (asked.isOpen, asked.isOfOthers, asked.isOfSpecimen) = (false, false, false)
    asked.isDoubted = false
    var refused: [MatchCandidate] = []
    return decide(asked, isWhole: true, &refused, view)
  }

  /// A text without what two who write one name may write differently: case, spaces, stops, commas, quotes and
  /// the sign of hybrids; all other signs stay.
  private static func plainText(_ text: [UInt8]) -> [UInt8] {
    var plain: [UInt8] = []
    var index = 0
    while index < text.count {
      switch text[index] {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): plain.append(text[index] | 0x20)
      case UInt8(ascii: " "), UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: "'"),
        UInt8(ascii: "\""):
        break
      case 0xC3 where index + 1 < text.count && text[index + 1] == 0x97:
        plain.append(UInt8(ascii: "x"))
        index += 1
      default: plain.append(text[index])
      }
      index += 1
    }
    return plain
  }

  /// Adds the names of three words with a marker between the last two, which a pack may have in them.
  private mutating func findWithMarkers(
    _ name: [UInt8], hasAuthor: Bool, _ view: borrowing PackView
  ) {
    let words = name.split(separator: UInt8(ascii: " "))
    guard words.count == 3 else { return }
    let own = reader.range(of: .marker).flatMap {
      SourceRank(String(decoding: reader.text[$0], as: UTF8.self))?.canonicalName
    }
    for (rank, marker) in Self.markers where own == nil || own == rank {
      var text = Array(words[0]) + [UInt8(ascii: " ")] + words[1] + [UInt8(ascii: " ")]
      text += marker.utf8
      text.append(UInt8(ascii: " "))
      text += words[2]
      findEqual(text, .none, hasAuthor: hasAuthor, view)
    }
  }

  /// How names of these ranks are written.
  private static let markers = [("subspecies", "subsp."), ("variety", "var."), ("form", "f.")]

  /// The answer to a text with names of several taxa, "Aus bus, Cus dus", "Aus bus / cus"; nil where it has one.
  mutating func answerOfSeveral(_ asked: Asked, _ view: borrowing PackView) -> NameMatch? {
    guard !asked.isWhole, reader.marks.contains(.hasRest), reader.range(of: .species) != nil,
      let genus = reader.range(of: .uninomial)
    else { return nil }
    let rest = reader.parts.filter { $0.role == .authorship || $0.role == .skipped }.map(\.range)
    guard let first = rest.map(\.lowerBound).min(), let last = rest.map(\.upperBound).max() else {
      return nil
    }
    let words = reader.text[first..<last].split {
      $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";")
        || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "&")
    }
    func isEpithet(_ word: ArraySlice<UInt8>) -> Bool {
      word.count > 2 && word.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x2D }
    }
    found.removeAll()
    let links = ["or", "vel", "oder", "and", "et"].map { Array($0.utf8) }
    for (number, word) in words.enumerated() where isEpithet(word) && !links.contains(Array(word)) {
      let before = number > 0 ? words[number - 1] : []
      let isNamed = before.first.map { (0x41...0x5A).contains($0) } ?? false
      let own = isNamed && before.last != UInt8(ascii: ".") ? before : reader.text[genus]
      findEqual(Array(own) + [UInt8(ascii: " ")] + word, .none, hasAuthor: false, view)
    }
    guard !found.isEmpty else { return nil }
    findEqual(asked.names[0], .none, hasAuthor: false, view)
    let taxa = Set(found.candidates.map(\.taxon))
    guard taxa.count > 1 else { return nil }
    var weighed = found
    weighed.weigh { points(of: $0, asked, isWhole: false, view) }
    return tied(
      weighed.candidates, taxa, weighed.candidates, MatchScore.base(.genusOnly) / 10, view)
  }

  /// The species of a subspecies that is not known, the genus of a species.
  private mutating func answerByPart(
    _ asked: Asked, _ refused: inout [MatchCandidate], _ view: borrowing PackView
  ) -> NameMatch? {
    let words = asked.names[0].split(separator: UInt8(ascii: " ")).map { Array($0) }
    func joined(_ words: [[UInt8]]) -> [UInt8] {
      Array(words.joined(separator: [UInt8(ascii: " ")]))
    }
    var names: [[UInt8]] = []
    if words.count > 2 {
      // No name has more epithets than these; what stands behind them is something else.
      for count in stride(from: min(words.count - 1, 4), through: 2, by: -1) {
        names.append(joined(Array(words.prefix(count))))
        if count == 2, words.count < 5 {
          names.append(joined([words[0], words[words.count - 1]]))
        }
      }
    }
    for part in names {
      for step in 0...1 {
        found.removeAll()
        if step == 0 {
          findEqual(part, .none, hasAuthor: false, view)
        } else {
          findOtherEndings(of: part, hasAuthor: false, view)
        }
        if let match = decide(asked, isWhole: false, as: .fewerEpithets, &refused, view) {
          return match
        }
      }
      if let match = answerBySimilar(
        part, asked, isWhole: false, as: .fewerEpithets, &refused, view)
      {
        return match
      }
    }
    guard let genus = words.count > 1 ? words.first : asked.genus else { return nil }
    found.removeAll()
    findEqual(genus, .none, hasAuthor: false, view)
    if let match = decide(asked, isWhole: false, as: .genusOnly, &refused, view) { return match }
    guard found.isEmpty, genus.count >= Self.shortestSimilarGenus else { return nil }
    findSimilar(to: genus, edits: 1, within: 1, view)
    return decide(asked, isWhole: false, as: .genusOnly, &refused, view)
  }

  /// The names within one edit, else those within two.
  ///
  /// To look for those within one takes a quarter of the time, which is lost where there are none: where most
  /// names of late had none, both are looked for at once.
  private mutating func answerBySimilar(
    _ name: [UInt8], _ asked: Asked, isWhole: Bool, as part: NameDifference? = nil,
    _ refused: inout [MatchCandidate], _ view: borrowing PackView
  ) -> NameMatch? {
    let searched = absence > Self.mostAbsent ? 2 : 1
    for edits in 1...2 {
      found.removeAll()
      let isSearched = edits == 2 && searched == 2
      findSimilar(
        to: name, edits: edits, within: max(edits, searched), isSearched: isSearched, view)
      let match = decide(asked, isWhole: isWhole, as: part, &refused, view)
      if edits == 1 { absence += ((match == nil ? 1000 : 0) - absence) / 16 }
      if let match { return match }
    }
    return nil
  }

  /// With more absent names than this in a thousand it is faster to look for two edits at once.
  private static let mostAbsent = 750

  /// A shorter genus is like too many others.
  private static let shortestSimilarGenus = 6

  private func nothing(_ refused: [MatchCandidate], _ view: borrowing PackView) -> NameMatch {
    var match = NameMatch(
      .notFound, refused.isEmpty ? "nothing is like it" : "nothing is near enough")
    if let best = refused.first {
      match.reason = Self.reason(best, against: true)
    }
    match.candidates = Array(refused.prefix(options.candidateLimit))
    return match
  }

  /// The answer that what was found amounts to; nil where it is none.
  mutating func decide(
    _ asked: Asked, isWhole: Bool, as part: NameDifference? = nil,
    _ refused: inout [MatchCandidate], _ view: borrowing PackView
  ) -> NameMatch? {
    guard !found.isEmpty else { return nil }
    var weighed = found
    weighed.weigh { points(of: $0, asked, isWhole: isWhole, view) }
    let all = weighed.candidates
    var fitting = all.filter { candidate in
      !candidate.isContradicted
        && !(options.isStrict && candidate.points.contains { $0 == .otherAuthor })
    }
    // Homonyms of which no author fits lead to the genus, where there is one.
    let isForeign = { (candidate: MatchCandidate) in
      candidate.points.contains { $0 == .otherAuthor }
    }
    if fitting.count > 1, asked.isBinomial, fitting.allSatisfy(isForeign) { fitting = [] }
    guard let best = fitting.first else {
      note(all, in: &refused)
      return nil
    }
    let equal = fitting.prefix { $0.total >= best.total - MatchPoints.tie }
    let taxa = Set(equal.map(\.taxon))
    var score = MatchScore.score(of: best, followingGBIF: options.followsGBIF)
    if let part {
      score = min(score, score * MatchScore.base(part) / 1000)
    }
    // Another taxon has the name as a synonym, which whoever wrote it may have meant.
    let isShared =
      !options.followsGBIF && part == nil && best.difference == .none
      && fitting.contains {
        $0.taxon != best.taxon && $0.difference == .none
          && $0.total > best.total - MatchPoints.sameAuthor / 2
      }
    if asked.isDoubted || isShared { score = min(score, MatchScore.doubted) }
    // Whoever wants nothing doubtful is told all the same of several that have the very name.
    let isHomonym = taxa.count > 1 && part == nil && best.difference == .none
    guard score >= options.leastScore || isHomonym else {
      note(all, in: &refused)
      return nil
    }
    guard taxa.count == 1 else {
      return tied(Array(equal), taxa, all, score, view)
    }
    let isAccepted = view.names.isScientific(best.name)
    let status: MatchStatus =
      part != nil || asked.isOpen
      ? .partial : best.difference != .none ? .fuzzy : isAccepted ? .exact : .synonym
    var match = NameMatch(
      status,
      Self.reason(
        best, only: part?.rawValue ?? (asked.isOpen ? "\(view.rank(of: best.taxon)) only" : nil),
        remark: isShared ? "of another taxon too" : asked.remark))
    match.taxon = best.taxon
    match.name = best.name
    match.difference = part ?? best.difference
    match.edits = best.edits
    match.score = score
    var candidates = all
    note(refused, in: &candidates)
    match.candidates = Array(candidates.prefix(options.candidateLimit))
    return match
  }

  /// Appends the candidates that are not there yet.
  private func note(_ candidates: [MatchCandidate], in list: inout [MatchCandidate]) {
    for candidate in candidates where !list.contains(where: { $0.name == candidate.name }) {
      list.append(candidate)
    }
  }

  /// Several taxa that fit equally.
  private func tied(
    _ equal: [MatchCandidate], _ taxa: Set<TaxonOrdinal>, _ all: [MatchCandidate], _ score: Int,
    _ view: borrowing PackView
  ) -> NameMatch {
    var match = NameMatch(.ambiguous, "\(taxa.count) taxa fit equally")
    match.candidates = Array(all.prefix(max(equal.count, options.candidateLimit)))
    guard options.allowsHigherTaxa, !options.isStrict,
      let ancestor = view.tree.lowestCommonAncestor(taxa), !view.isImplied(ancestor),
      options.followsGBIF || isWithinOrder(ancestor, view)
    else { return match }
    match.status = .partial
    match.taxon = ancestor
    match.reason = "the common ancestor of \(taxa.count) taxa that fit equally"
    match.difference = equal.first?.difference
    match.edits = equal.first?.edits ?? 0
    match.score = score
    return match
  }

  /// Whether a taxon is an order or in one: what is higher says less than the list of those that fit.
  private func isWithinOrder(_ taxon: TaxonOrdinal, _ view: borrowing PackView) -> Bool {
    (view.tree.ancestors(of: taxon) + [taxon]).contains {
      view.taxa.mainRank(of: $0).map { $0 >= .order } ?? false
    }
  }

  private static func reason(
    _ candidate: MatchCandidate, only part: String? = nil, remark: String? = nil,
    against: Bool = false
  ) -> String {
    var words: [String] = []
    if let part { words.append(part) }
    if candidate.difference != .none { words.append(candidate.difference.rawValue) }
    for point in candidate.points.dropFirst()
    where !MatchScore.differences.contains(point.part) {
      switch point.part {
      case "misapplied", "doubtful": words.append(point.part)
      default: words.append(point.part + (point.value < 0 ? " differs" : " agrees"))
      }
    }
    if words.isEmpty { words.append(against ? "not near enough" : "name") }
    if let remark { words.append(remark) }
    return words.joined(separator: "; ")
  }
}

extension Asked {
  /// What the text says besides of the name.
  fileprivate var remark: String? {
    if isOfOthers { return "auct." }
    if isDoubted { return "doubted" }
    return isOfSpecimen ? "of a specimen" : nil
  }
}

extension MatchCandidate {
  /// Whether it must be another taxon: by its kingdom, rank or code, or by author and family together.
  fileprivate var isContradicted: Bool {
    if points.contains(where: { $0.value <= -40 }) { return true }
    return points.contains(.otherAuthor)
      && points.contains { $0.part == "family" && $0.value < 0 }
  }
}

extension MatchPoint {
  /// That of an author who is another one.
  fileprivate static let otherAuthor = MatchPoint(part: "author", value: MatchPoints.otherAuthor)
}

public import STOLPack
import STOLNames

/// Finds the taxa that names as people write them stand for, with reasons; never a guess.
///
/// A text that a pack has as a name, marks and all, is that name. Else it is read tolerantly, and what was read
/// is looked for step by step: letter for letter, with other endings, with
/// one letter changed, with two where that is safe, without its last epithet, as its genus, as the
/// lowest hint that the pack knows. The first step with an answer ends it. Within a step each candidate
/// gets points for what agrees and loses some for what contradicts; several taxa with as many points are
/// answered by their common ancestor, or called ambiguous.
///
/// A matcher keeps its memory in between; any number of threads may match in one pack, each with its
/// own.
public struct NameMatcher: ~Copyable {
  /// What counts as an answer.
  public var options: NameMatcher.Options

  var session = SearchSession()
  var reader = NameReader()
  var other = NameReader()
  var hints = HintCache()
  var found = CandidateList()
  /// The name that is looked for, without authors.
  var canonical: [UInt8] = []
  private var buffer: [UInt8] = []
  // Buffers of one look-up.
  var folded: [UInt8] = []
  var quoted: [UInt8] = []
  /// How many of a thousand of the last names that were not there as they are had no name within an edit.
  var absence = 0

  /// A matcher without memory yet.
  public init(options: NameMatcher.Options = NameMatcher.Options()) { self.options = options }

  /// What a name stands for in the pack of `view`.
  ///
  /// - Complexity: for a name that is spelt right, that of an exact search; else that of a few searches for
  ///   similar names, however many words the text has.
  public mutating func match(_ query: MatchQuery, in view: borrowing PackView) -> NameMatch {
    guard query.name.utf8.count <= SearchQuery.maximumByteCount else {
      return NameMatch(.invalid, "longer than \(SearchQuery.maximumByteCount) bytes")
    }
    reader.read(Array(query.name.utf8))
    guard reader.kind != .empty else { return NameMatch(.invalid, "no name") }
    let asked = asked(query, view)
    if let whole = answerOfWholeText(query, asked, view) { return whole }
    if let several = answerOfSeveral(asked, view) { return several }
    return answer(asked, view)
  }

  /// What a plain name stands for where no other name is spelt so and nothing is said beside it.
  ///
  /// - Parameters:
  ///   - name: the name in UTF-8.
  ///   - view: the pack.
  /// - Returns: what `match` says, without the candidates; nil where it takes more to tell.
  /// - Complexity: that of an exact search.
  public mutating func matchPlain(_ name: Span<UInt8>, in view: borrowing PackView) -> NameMatch? {
    guard PlainName.fold(name, into: &buffer),
      case .one(let found) = session.namesEqual(to: buffer, in: view)
    else { return nil }
    let isScientific = view.names.isScientific(found)
    let taxon = view.names.taxon(of: found)
    guard !view.isImplied(taxon) else { return nil }
    if isScientific {
      guard isAccepted(taxon, view) else { return nil }
    } else {
      guard view.names.type(of: found) == .synonym else { return nil }
      switch view.names.status(of: found) {
      case .misapplied, .provisional, .ambiguous, .inPart, .bare: return nil
      default: break
      }
    }
    guard options.leastScore <= Self.plainScore else { return nil }
    return NameMatch(
      isScientific ? .exact : .synonym, "name", taxon: taxon, name: found, score: Self.plainScore)
  }

  /// The score of what differs in nothing, of which nothing more is known.
  private static let plainScore = MatchScore.score(evidence: 0, .none)

  /// The question in the terms of the pack.
  private mutating func asked(_ query: MatchQuery, _ view: borrowing PackView) -> Asked {
    var asked = Asked()
    let given = query.plainHints
    asked.hints = hints.taxa(of: given, view)
    asked.rank = query.rank.flatMap { SourceRank($0)?.canonicalName }
    asked.code = query.code.map(trimmingSpaces).flatMap { $0.isEmpty ? nil : $0 }
    asked.authorship = query.authorship ?? ""
    // Those behind "cf." have not named what is certain.
    if reader.kind != .open {
      if asked.authorship.isEmpty { asked.authorship = reader.authorship }
      asked.year = reader.year
    }
    asked.isWhole = isVerbatim
    if asked.isWhole {
      asked.names = [Array(query.name.utf8)]
      return asked
    }
    canonical.removeAll(keepingCapacity: true)
    reader.appendCanonical(isCertain: true, to: &canonical)
    fillGenus(given)
    buffer.removeAll(keepingCapacity: true)
    reader.appendCanonical(isCertain: true, isPlain: true, to: &buffer)
    asked.isOpen = reader.kind == .open || isCutShort || hasMarkerInRest
    asked.isDoubted = reader.marks.contains(.isUncertain)
    asked.isOfOthers = isOfOthers
    asked.isOfSpecimen = reader.kind == .scientific && reader.range(of: .designation) != nil
    if let (rank, genus) = infragenus {
      asked.rank = asked.rank ?? rank
      asked.hints.entries += hints.taxa(of: [("genus", genus)], view).entries
      asked.genus = Array(genus.utf8)
    }
    asked.names = [canonical]
    asked.binomial = binomialOfLetters
    if let (binomial, authorship) = binomialOfAuthor {
      (asked.binomial, asked.authorshipOfBinomial) = (binomial, authorship)
    }
    if buffer != canonical, !reader.marks.contains(.isAbbreviated) { asked.names.append(buffer) }
    return asked
  }

  /// Whether the name is meant as somebody other than its author has used it: "Aus bus auct.".
  private var isOfOthers: Bool {
    guard let phrase = reader.range(of: .phrase) else { return false }
    return reader.text[phrase].split(separator: UInt8(ascii: " ")).contains { word in
      let letters = word.drop { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: "[") }.prefix(4)
      return letters.elementsEqual("auct".utf8) || letters.elementsEqual("Auct".utf8)
    }
  }

  /// The rank of a name between genus and species, and its genus: a subgenus, and what it is in.
  private var infragenus: (rank: String, genus: String)? {
    guard reader.range(of: .infragenus) != nil, let genus = reader.range(of: .uninomial) else {
      return nil
    }
    let name = String(decoding: reader.text[genus], as: UTF8.self)
    guard let marker = reader.range(of: .marker) else { return ("subgenus", name) }
    let word = String(decoding: reader.text[marker], as: UTF8.self)
    guard let rank = SourceRank(word)?.canonicalName else { return nil }
    return (rank, name)
  }

  /// The genus with the word behind it that is an epithet if anything is called so, and the authors behind that:
  /// "Aus van" of "Aus van Bus, 1900", "Aus bus" of "Aus Bus L.".
  private var binomialOfAuthor: (name: [UInt8], authorship: String)? {
    guard !canonical.contains(UInt8(ascii: " ")), let range = reader.range(of: .authorship)
    else { return nil }
    let text = reader.text[range]
    let word = text.prefix { $0 != UInt8(ascii: " ") }
    guard word.count > 1, word.dropFirst().allSatisfy({ (0x61...0x7A).contains($0) }),
      (0x61...0x7A).contains(word[word.startIndex] | 0x20)
    else { return nil }
    let rest = text.dropFirst(word.count + 1)
    let name = canonical + [UInt8(ascii: " "), word[word.startIndex] | 0x20] + word.dropFirst()
    return (name, String(decoding: rest, as: UTF8.self))
  }

  /// The text where it is two words of letters of which the second is elsewhere no epithet: "Aus alii",
  /// "Aus forma"; what a database calls so is its name.
  private var binomialOfLetters: [UInt8]? {
    guard !canonical.contains(UInt8(ascii: " ")) else { return nil }
    let words = reader.text.split(separator: UInt8(ascii: " "))
    guard words.count == 2, words[1].count > 1,
      words[1].allSatisfy({ UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }),
      !["sp", "spp", "ssp", "cf", "aff", "spec", "indet"].contains(
        String(decoding: words[1], as: UTF8.self))
    else { return nil }
    return Array(words[0]) + [UInt8(ascii: " ")] + words[1]
  }

  /// Whether something follows a name of one word that may be its epithet, though nobody can read it so.
  private var isCutShort: Bool {
    guard !canonical.contains(UInt8(ascii: " ")) else { return false }
    return reader.parts.contains { part in
      let words = reader.text[part.range].split(separator: UInt8(ascii: " "))
      func isLower(_ word: ArraySlice<UInt8>) -> Bool {
        word.first.map { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 } ?? false
      }
      // "Aus OTU12"; "Aus non bus", but not "Aus non Bus, 1900", which is a homonym.
      return switch part.role {
      case .skipped:
        words.first.map {
          isLower($0) || $0.last.map { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ?? false
        }
          ?? false
      case .phrase:
        words.count == 2 && isLower(words[1])
          && ["non", "nec", "not"].contains(String(decoding: words[0], as: UTF8.self))
      default: false
      }
    }
  }

  /// Whether what nobody could read begins with the marker of a rank, so that a lower taxon is meant.
  private var hasMarkerInRest: Bool {
    guard let rest = reader.range(of: .skipped) else { return false }
    let word = reader.text[rest].prefix { $0 != UInt8(ascii: " ") }
    return word.last == UInt8(ascii: ".")
      && SourceRank(String(decoding: word, as: UTF8.self))?.level != nil
  }

  /// What is made of each part of a name: what it is, and its text.
  package mutating func reading(of name: String) -> [(role: String, text: String)] {
    reader.read(Array(name.utf8))
    let parts = reader.parts.map { part in
      (role: part.role.rawValue, text: String(decoding: reader.text[part.range], as: UTF8.self))
    }
    return [("kind", reader.kind.rawValue)] + parts
  }

  /// Whether the text is looked for as it stands: numbers of sequences, viruses, formulae of hybrids.
  private var isVerbatim: Bool {
    switch reader.kind {
    case .scientific, .open: false
    case .hybridFormula, .virus, .barcode, .informal, .empty: true
    }
  }

  /// Puts the genus that a hint names in the place of an abbreviated one, or before a lone epithet.
  private mutating func fillGenus(_ given: [(rank: String, name: String)]) {
    guard let genus = given.last(where: { $0.rank == "genus" })?.name, !genus.isEmpty else {
      return
    }
    if reader.marks.contains(.isAbbreviated), let dot = canonical.firstIndex(of: UInt8(ascii: ".")),
      genus.utf8.starts(with: canonical[..<dot])
    {
      canonical.replaceSubrange(...dot, with: genus.utf8)
    } else if let first = reader.text.first(where: { $0 > UInt8(ascii: " ") }),
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= first, !canonical.contains(UInt8(ascii: " ")),
      let capital = canonical.first
    {
      canonical[0] = capital | 0x20
      canonical.insert(contentsOf: genus.utf8 + [UInt8(ascii: " ")], at: 0)
    }
  }
}

/// A question in the terms of a pack.
struct Asked {
  /// The spellings that are looked for, the best first.
  var names: [[UInt8]] = []
  var authorship = ""
  var year: Int?
  var rank: String?
  var code: String?
  var hints = Hints()
  /// The genus of a name between genus and species.
  var genus: [UInt8]?
  /// What the text is if the first word of its authors is an epithet, and the authors that are left then.
  var binomial: [UInt8]?
  var authorshipOfBinomial: String?
  /// Whether nothing but the whole text can match.
  var isWhole = false
  /// Whether the taxon is known to a genus or species only, "Aus sp.".
  var isOpen = false
  /// Whether authors are meant who are not those of the name, "Aus bus auct.".
  var isOfOthers = false
  /// Whether somebody was not sure of it, "Aus ?bus".
  var isDoubted = false
  /// Whether the number of a specimen or sequence stands behind the name, "Aus bus USNM 1234".
  var isOfSpecimen = false

  /// The binomial where the text may be one whose words all begin with capitals: what stands behind its first word is
  /// words of letters, which nothing but their capitals makes authors.
  var binomialInCapitals: [UInt8]? {
    guard year == nil, let rest = authorshipOfBinomial,
      rest.utf8.allSatisfy({ $0 == UInt8(ascii: " ") || (0x61...0x7A).contains($0 | 0x20) })
    else { return nil }
    return binomial
  }
  /// Whether the name has more than one word.
  var isBinomial: Bool { names.first?.contains(UInt8(ascii: " ")) ?? false }

  /// Whether something is asked that only the record of a name says.
  var needsRecords: Bool { !authorship.isEmpty || year != nil || rank != nil || code != nil }
}

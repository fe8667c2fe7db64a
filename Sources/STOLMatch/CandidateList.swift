import STOLNames
import STOLPack

/// The names that a step of the ladder has found, each once.
struct CandidateList {
  private(set) var candidates: [MatchCandidate] = []

  var isEmpty: Bool { candidates.isEmpty }

  mutating func removeAll() { candidates.removeAll(keepingCapacity: true) }

  mutating func add(_ candidate: MatchCandidate) {
    guard !candidates.contains(where: { $0.name == candidate.name }) else { return }
    candidates.append(candidate)
  }

  mutating func keep(_ isKept: (MatchCandidate) -> Bool) { candidates.removeAll { !isKept($0) } }

  /// Weighs all of them, and puts the best first; those of as many points stay in their order.
  mutating func weigh(_ weigh: (MatchCandidate) -> [MatchPoint]) {
    for index in candidates.indices { candidates[index].points = weigh(candidates[index]) }
    candidates = candidates.enumerated().sorted {
      ($1.element.total, $0.offset) < ($0.element.total, $1.offset)
    }.map(\.element)
  }
}

extension NameMatcher {
  /// Adds the names that equal `name`, which have no authors in them.
  mutating func findEqual(
    _ name: [UInt8], _ difference: NameDifference, hasAuthor: Bool, _ view: borrowing PackView
  ) {
    if foldPlain(name) {
      switch session.namesEqual(to: folded, in: view) {
      case .none: return
      case .one(let only):
        let taxon = view.names.taxon(of: only)
        if isName(only, view), !view.isImplied(taxon) { add(only, taxon, difference, edits: 0) }
        return
      case .several: break
      }
    }
    session.search(
      name.span, SearchQuery("", mode: .exact, limit: Self.equalLimit), in: view)
    for hit in session.hits where !view.isImplied(hit.taxon) {
      if isName(hit.name, view) {
        add(hit.name, hit.taxon, difference, edits: 0)
        guard hasAuthor else { continue }
      }
      // A taxon may have several names that are spelt alike and were given by different people.
      let further = view.names.furtherNames(of: hit.taxon)
      guard !further.isEmpty else { continue }
      let folded = Folder.fold(view.names.text(of: hit.name))
      for other in further.prefix(Self.furtherLimit) where other != hit.name && isName(other, view)
      {
        if Folder.fold(view.names.text(of: other)) == folded {
          add(other, hit.taxon, difference, edits: 0)
        }
      }
    }
  }

  /// Replaces `folded` with a name in small letters where that is all that folding does to it, and it has one
  /// word or two; whether it has.
  private mutating func foldPlain(_ name: [UInt8]) -> Bool {
    folded.removeAll(keepingCapacity: true)
    var spaceCount = 0
    var last = UInt8(ascii: " ")
    for byte in name {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"): folded.append(byte)
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): folded.append(byte | 0x20)
      case UInt8(ascii: " "):
        if last == byte || spaceCount == 1 { return false }
        spaceCount += 1
        folded.append(byte)
      default: return false
      }
      last = byte
    }
    return last != UInt8(ascii: " ")
  }

  /// Adds the names that `name` becomes by another ending of one of its epithets.
  mutating func findOtherEndings(
    of name: [UInt8], hasAuthor: Bool, _ view: borrowing PackView
  ) {
    let words = name.split(separator: UInt8(ascii: " "))
    guard words.count > 1 else { return }
    for index in words.indices.dropFirst() {
      var variants: [[UInt8]] = []
      NameStem.forEachVariant(of: words[index]) { variants.append($0) }
      for variant in variants {
        var text: [UInt8] = []
        for (place, word) in words.enumerated() {
          if place > 0 { text.append(UInt8(ascii: " ")) }
          text += place == index ? variant : Array(word)
        }
        findEqual(text, .ending, hasAuthor: hasAuthor, view)
      }
    }
  }

  /// Adds the names of as many words within `edits` of `name` as a whole; of all those within `searched`,
  /// which are in `session.hits` if `isSearched`.
  ///
  /// Hits within fewer edits come first, so that they are the same whatever was searched.
  mutating func findSimilar(
    to name: [UInt8], edits: Int, within searched: Int, isSearched: Bool = false,
    _ view: borrowing PackView
  ) {
    if !isSearched {
      var text: [UInt8] = []
      swap(&text, &quoted)
      text.removeAll(keepingCapacity: true)
      text.append(UInt8(ascii: "\""))
      text += name
      text.append(UInt8(ascii: "\""))
      session.search(
        text.span,
        SearchQuery("", mode: .fuzzy, maximumDistance: searched, limit: Self.similarLimit),
        in: view)
      swap(&text, &quoted)
    }
    guard !session.hits.isEmpty else { return }
    let asked = Folder.fold(String(decoding: name, as: UTF8.self)).utf8
      .split(separator: UInt8(ascii: " ")).map { Array($0) }
    for hit in session.hits
    where (hit.matchClass == .fuzzyName && hit.distance <= edits || hit.matchClass == .exactName)
      && isName(hit.name, view) && !view.isImplied(hit.taxon)
    {
      guard let (difference, count) = difference(of: hit.name, from: asked, view) else { continue }
      add(hit.name, hit.taxon, difference, edits: count)
    }
  }

  /// How a name differs from the words that are asked for; nil where it is no variant of them.
  private mutating func difference(
    of name: NameOrdinal, from asked: [[UInt8]], _ view: borrowing PackView
  ) -> (NameDifference, edits: Int)? {
    let words = words(of: name, view)
    guard words.count == asked.count, let first = words.first, !asked.isEmpty else { return nil }
    if options.allowsScannerErrors,
      zip(asked, words).allSatisfy({ ScannerLetters.areAlike($0, $1) })
    {
      return (.scanner, zip(asked, words).reduce(0) { $0 + WordDistance.between($1.0, $1.1) })
    }
    let genus = WordDistance.between(asked[0], first)
    var epithets = 0
    var areEpithetsOneWord = true
    for (a, b) in zip(asked.dropFirst(), words.dropFirst()) where a != b {
      if NameStem.areOneWord(a[...], b[...]) { continue }
      areEpithetsOneWord = false
      epithets += WordDistance.between(a, b)
    }
    let edits = genus + epithets
    // Two letters of a short word make any other of it.
    guard genus < 2 || 3 * genus <= asked[0].count else { return nil }
    if words.count == 1 {
      return (edits <= 1 ? .uninomial : .uninomialTwo, edits)
    }
    if genus == 0 {
      if areEpithetsOneWord { return (.ending, 0) }
      return (epithets == 1 ? .epithet : .epithetTwo, edits)
    }
    return (genus == 1 && epithets == 0 ? .genus : genus == 1 ? .genusAndEpithet : .genusTwo, edits)
  }

  /// The words of a name without marks and markers, folded.
  mutating func words(of name: NameOrdinal, _ view: borrowing PackView) -> [[UInt8]] {
    other.read(Array(view.names.text(of: name).utf8))
    var text: [UInt8] = []
    other.appendCanonical(to: &text)
    return Folder.fold(String(decoding: text, as: UTF8.self)).utf8
      .split(separator: UInt8(ascii: " ")).map { Array($0) }
  }

  private mutating func add(
    _ name: NameOrdinal, _ taxon: TaxonOrdinal, _ difference: NameDifference, edits: Int
  ) {
    found.add(MatchCandidate(name: name, taxon: taxon, difference: difference, edits: edits))
  }

  /// Whether a name is one under the codes.
  func isName(_ name: NameOrdinal, _ view: borrowing PackView) -> Bool {
    view.names.isScientific(name) || view.names.type(of: name) == .synonym
  }

  /// So many homonyms are weighed; no name under the codes has more.
  private static let equalLimit = 256
  private static let furtherLimit = 4096
  private static let similarLimit = 64
}

/// The letters that have to be changed, left out, added or exchanged with their neighbour to make one
/// word of another: optimal string alignment.
enum WordDistance {
  static func between(_ a: [UInt8], _ b: [UInt8]) -> Int {
    if a == b { return 0 }
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in 0..<a.count {
      var row = [i + 1]
      for j in 0..<b.count {
        var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          best = min(best, beforeLast[j - 1] + 1)
        }
        row.append(best)
      }
      (beforeLast, last) = (last, row)
    }
    return last[b.count]
  }
}

/// Letters that scanners take for one another.
enum ScannerLetters {
  /// Whether two words in small letters are one to a scanner.
  static func areAlike(_ a: [UInt8], _ b: [UInt8]) -> Bool { a == b || plain(a) == plain(b) }

  /// A word with one letter for all that look like it.
  private static func plain(_ word: [UInt8]) -> [UInt8] {
    var plain: [UInt8] = []
    var index = 0
    while index < word.count {
      let next = index + 1 < word.count ? word[index + 1] : 0
      switch (word[index], next) {
      case (UInt8(ascii: "r"), UInt8(ascii: "n")), (UInt8(ascii: "n"), UInt8(ascii: "n")),
        (UInt8(ascii: "i"), UInt8(ascii: "n")):
        plain.append(UInt8(ascii: "m"))
        index += 1
      case (UInt8(ascii: "c"), UInt8(ascii: "l")), (UInt8(ascii: "c"), UInt8(ascii: "i")):
        plain.append(UInt8(ascii: "d"))
        index += 1
      case (UInt8(ascii: "v"), UInt8(ascii: "v")):
        plain.append(UInt8(ascii: "w"))
        index += 1
      case (UInt8(ascii: "l"), _), (UInt8(ascii: "1"), _), (UInt8(ascii: "j"), _),
        (UInt8(ascii: "t"), _),
        (UInt8(ascii: "f"), _):
        plain.append(UInt8(ascii: "i"))
      case (UInt8(ascii: "e"), _), (UInt8(ascii: "o"), _), (UInt8(ascii: "0"), _):
        plain.append(UInt8(ascii: "c"))
      case (UInt8(ascii: "u"), _), (UInt8(ascii: "v"), _): plain.append(UInt8(ascii: "n"))
      case (UInt8(ascii: "b"), _): plain.append(UInt8(ascii: "h"))
      case (UInt8(ascii: "q"), _), (UInt8(ascii: "9"), _): plain.append(UInt8(ascii: "g"))
      case (UInt8(ascii: "5"), _): plain.append(UInt8(ascii: "s"))
      case (let byte, _): plain.append(byte)
      }
      index += 1
    }
    return plain
  }
}

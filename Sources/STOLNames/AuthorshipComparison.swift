import STOLPack

/// Whether two authorships can be of one name.
///
/// What counts is whether the teams have an author in common: the same surname, one that is shortened
/// in one of them ("Rchb." of Reichenbach, "L." of Linnaeus) or misspelt by a letter, and initials and
/// "f." (the son) that do not contradict. "A ex B" is either of both. Years decide where nobody is
/// named, and help where surnames are merely alike. Authors of the basionym, in parentheses, are compared
/// with each other only, unless one of the two has no others.
package enum AuthorshipComparison: Equatable, Sendable {
  /// They have an author in common, or only the same year.
  case equal
  /// They name different people, or different years and nobody.
  case different
  /// One of them says nothing that could be compared.
  case unknown

  /// Compares two authorships, each with its year in the text or beside it.
  ///
  /// - Complexity: O(length a · length b)
  package static func compare(
    _ a: String, year yearA: Int? = nil, _ b: String, year yearB: Int? = nil
  ) -> AuthorshipComparison {
    let (a, b) = (Teams(a, year: yearA), Teams(b, year: yearB))
    let years = compare(a.year, b.year)
    guard !a.isEmpty, !b.isEmpty else {
      return a.isEmpty && b.isEmpty ? years : .unknown
    }
    guard !a.combination.isEmpty, !b.combination.isEmpty else {
      // "(Linnaeus, 1758) Smith" and "(Linnaeus, 1758)"; "Linnaeus, 1758" and "(Linnaeus, 1758)".
      let areOld = !a.basionym.isEmpty && !b.basionym.isEmpty
      let (a, b) = areOld ? (a.basionym, b.basionym) : (a.latest, b.latest)
      return areAlike(a, b, years) ? .equal : .different
    }
    guard areAlike(a.combination, b.combination, years) else { return .different }
    guard !a.basionym.isEmpty, !b.basionym.isEmpty else { return .equal }
    return areAlike(a.basionym, b.basionym, years) ? .equal : .different
  }

  /// Years within one of each other are the same: what is dated 1827 may have come out in 1828.
  private static func compare(_ a: Int?, _ b: Int?) -> AuthorshipComparison {
    guard let a, let b else { return .unknown }
    return abs(a - b) <= 1 ? .equal : .different
  }

  private static func areAlike(
    _ a: [Author], _ b: [Author], _ years: AuthorshipComparison
  ) -> Bool {
    a.contains { author in b.contains { author.canBe($0, years) } }
  }
}

/// The authors of a name.
private struct Teams {
  var combination: [Author] = []
  /// Those in parentheses.
  var basionym: [Author] = []
  var year: Int?

  var isEmpty: Bool { combination.isEmpty && basionym.isEmpty }
  /// Those of the combination, else those of the basionym.
  var latest: [Author] { combination.isEmpty ? basionym : combination }

  init(_ text: String, year: Int?) {
    let parsed = AuthorshipParser.parse(text)
    self.year = year ?? parsed.year
    var inside = ""
    var outside = ""
    var depth = 0
    for character in parsed.text {
      switch character {
      case "(", "[": depth += 1
      case ")", "]": depth = max(0, depth - 1)
      default: if depth > 0 { inside.append(character) } else { outside.append(character) }
      }
    }
    basionym = Self.authors(inside)
    combination = Self.authors(outside)
  }

  /// The authors of a team, those before and behind "ex" as well; behind "in" stand those of the book.
  private static func authors(_ text: String) -> [Author] {
    var authors: [Author] = []
    var words: [Substring] = []
    var isInBook = false
    var followsComma = false
    func close(_ separator: Character?) {
      defer {
        words = []
        followsComma = separator == ","
      }
      guard !isInBook, !words.isEmpty else { return }
      // "Walker, F." and "Smith, Jr.".
      if followsComma, let last = authors.indices.last, authors[last].take(words) { return }
      if let author = Author(words) { authors.append(author) }
    }
    for part in text.split(separator: " ") {
      let plain = part.lowercased()
      if ["&", "et", "and", "ex", "in", "und", "y"].contains(plain) {
        close(nil)
        isInBook = plain == "in" || isInBook && plain != "ex"
        continue
      }
      var piece = part.startIndex
      for index in part.indices where ",;&:".contains(part[index]) {
        if piece < index { words.append(part[piece..<index]) }
        close(part[index])
        piece = part.index(after: index)
      }
      if piece < part.endIndex { words.append(part[piece...]) }
    }
    close(nil)
    return authors
  }
}

/// One author, as "White", "Conrad von Baldenstein" or the son of Linnaeus.
private struct Author {
  /// The last part of the name, folded.
  private var surname = ""
  private var isShortened = false
  /// The first letters of what comes before it.
  private var initials: [Character] = []
  private var isSon = false

  private static let particles: Set<String> = [
    "von", "v", "van", "de", "der", "den", "d", "du", "da", "dos", "do", "la", "le", "el", "del",
    "della", "di", "ter", "zu", "zur", "st", "saint", "sainte", "san", "santa", "y",
  ]
  private static let sons: Set<String> = ["f", "fil", "filius", "fils", "jr", "jun", "junior"]
  /// Abbreviations that are not the beginning of a name, and those of one letter.
  private static let standard = ["l": "linnaeus", "linne": "linnaeus", "linn": "linnaeus"]

  /// A part of a name: "J", "Schultze" or "Motel" of "J.Schultze-Motel".
  private struct Part {
    var text: String
    var isShortened = false
    /// Whether a hyphen joins it with the next.
    var isJoined = false
  }

  /// The parts of some words, folded, without years.
  private static func parts(_ words: [Substring]) -> [Part] {
    var parts: [Part] = []
    for word in words {
      var part = ""
      func close(isShortened: Bool = false, isJoined: Bool = false) {
        let text = plain(part)
        part = ""
        guard !text.isEmpty, !text.contains(where: \.isNumber) else { return }
        // "Mc Vaugh".
        if let last = parts.last, last.text == "mc" || last.text == "mac" {
          parts[parts.count - 1] = Part(
            text: last.text + text, isShortened: isShortened, isJoined: isJoined)
        } else {
          parts.append(Part(text: text, isShortened: isShortened, isJoined: isJoined))
        }
      }
      for character in word {
        switch character {
        // "Sch.Bip." and "Schultz-Bip." are two parts, "L'Her." is one.
        case ".": close(isShortened: true)
        case "-": close(isJoined: true)
        case "'", "\u{2019}", "\u{2018}", "`": break
        default: part.append(character)
        }
      }
      close()
    }
    return parts
  }

  /// A word in small letters of which those with marks are plain, however these are written.
  private static func plain(_ word: String) -> String {
    var plain = ""
    for character in Folder.fold(word) {
      switch character {
      case "e" where plain.last.map { "aou".contains($0) } ?? false: continue
      case "\u{F8}": plain.append("o")
      case "\u{E6}": plain.append("a")
      case "\u{153}": plain.append("o")
      case "\u{DF}": plain += "ss"
      case "\u{142}": plain.append("l")
      case "\u{111}": plain.append("d")
      case "\u{131}": plain.append("i")
      default: plain.append(character)
      }
    }
    return plain
  }

  /// The author that some words are; nil for a year or "al.".
  init?(_ words: [Substring]) {
    var parts = Self.parts(words)
    while let last = parts.last, parts.count > 1, Self.sons.contains(last.text) {
      isSon = true
      parts.removeLast()
    }
    while parts.count > 1, let last = parts.last, last.text == "al" { parts.removeLast() }
    guard let last = parts.popLast(), last.text != "al" else { return nil }
    // "C. Linné" and "von Linné" too, but "L." alone is Linnaeus.
    let isWhole = parts.isEmpty || last.text.count > 1
    surname = isWhole ? Self.standard[last.text] ?? last.text : last.text
    if last.text == "dc" { surname = "candolle" }
    // "A." alone is nobody that could be told.
    guard surname.count > 1 || !last.isShortened else { return nil }
    isShortened = last.isShortened
    initials = parts.filter { part in
      // "Schultze-Motel" has no first name, "J.-P. Dubois" has two.
      !(part.isJoined && part.text.count > 2)
        && (!Self.particles.contains(part.text)
          || part.isShortened && part.text != "v" && part.text != "st")
    }.compactMap(\.text.first)
  }

  /// Takes words for initials, or for "Jr.", that stand behind the surname; whether they are such.
  mutating func take(_ words: [Substring]) -> Bool {
    let parts = Self.parts(words)
    if parts.count == 1, Self.sons.contains(parts[0].text), parts[0].text.count > 1 {
      isSon = true
      return true
    }
    guard initials.isEmpty, surname.count > 1, !parts.isEmpty,
      parts.allSatisfy({ $0.text.count == 1 && $0.isShortened })
    else { return false }
    initials = parts.compactMap(\.text.first)
    return true
  }

  /// Whether both can be one person, where they are of the same years, of others, or nobody knows.
  func canBe(_ other: Author, _ years: AuthorshipComparison) -> Bool {
    guard isSon == other.isSon else { return false }
    guard initials.isEmpty || other.initials.isEmpty || Self.agree(initials, other.initials) else {
      return false
    }
    return isAlike(other, isSure: years == .different)
      || years == .equal && Self.sharesMost(surname, other.surname)
  }

  /// Whether one begins as the other does.
  private static func agree(_ a: [Character], _ b: [Character]) -> Bool {
    zip(a, b).allSatisfy { $0 == $1 }
  }

  /// Whether one surname is the other, shortened or misspelt; if it must be sure, only a stop says that it is
  /// shortened, and it is not misspelt.
  private func isAlike(_ other: Author, isSure: Bool) -> Bool {
    let (a, b) = (surname, other.surname)
    if a == b { return true }
    let (short, long) = a.count <= b.count ? (a, b) : (b, a)
    let isShort = a.count <= b.count ? isShortened : other.isShortened
    // "Wu" is no beginning of another name, "Murr" is.
    let mayBegin = isShort ? short.count >= 2 : !isSure && short.count >= 4
    if mayBegin, long.hasPrefix(short) { return true }
    if isShort, short.count >= 3, Self.isContraction(short, of: long) { return true }
    // "Bruggen." and "Brug.", "Rollison" and "Rollisson".
    return !isSure && short.count >= 5 && Self.isOneEdit(Array(short), Array(long))
  }

  /// "rchb" of reichenbach, "michx" of michaux: some of its letters in their order, the first one first;
  /// where vowels are among them, the first two.
  private static func isContraction(_ short: String, of long: String) -> Bool {
    guard short.first == long.first else { return false }
    if short.contains(where: { "aeiou".contains($0) }), short.prefix(2) != long.prefix(2) {
      return false
    }
    var rest = long[...]
    for letter in short {
      guard let place = rest.firstIndex(of: letter) else { return false }
      rest = rest[rest.index(after: place)...]
    }
    return true
  }

  /// Whether one letter more, fewer or another one makes `b` of `a`, which is no longer.
  private static func isOneEdit(_ a: [Character], _ b: [Character]) -> Bool {
    guard b.count - a.count <= 1 else { return false }
    let start = zip(a, b).prefix { $0 == $1 }.count
    let skip = a.count == b.count ? 1 : 0
    return a.dropFirst(start + skip).elementsEqual(b.dropFirst(start + 1))
  }

  /// "baldenstein" and "baldenstone".
  private static func sharesMost(_ a: String, _ b: String) -> Bool {
    let shared = zip(a, b).prefix { $0 == $1 }.count
    return shared >= 6 && 3 * shared >= 2 * min(a.count, b.count)
  }
}

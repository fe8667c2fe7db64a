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
    let areSameYears = years == .equal
    guard !a.combination.isEmpty, !b.combination.isEmpty else {
      // "Linnaeus, 1758" and "(Linnaeus, 1758)".
      return areAlike(a.latest, b.latest, areSameYears) ? .equal : .different
    }
    guard areAlike(a.combination, b.combination, areSameYears) else { return .different }
    guard !a.basionym.isEmpty, !b.basionym.isEmpty else { return .equal }
    return areAlike(a.basionym, b.basionym, areSameYears) ? .equal : .different
  }

  /// Years within one of each other are the same: what is dated 1827 may have come out in 1828.
  private static func compare(_ a: Int?, _ b: Int?) -> AuthorshipComparison {
    guard let a, let b else { return .unknown }
    return abs(a - b) <= 1 ? .equal : .different
  }

  private static func areAlike(_ a: [Author], _ b: [Author], _ areSameYears: Bool) -> Bool {
    a.contains { author in b.contains { author.canBe($0, areSameYears) } }
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

  /// The authors of a team, those before and behind "ex" and "in" as well.
  private static func authors(_ text: String) -> [Author] {
    var authors: [Author] = []
    var words: [Substring] = []
    func close() {
      if let author = Author(words) { authors.append(author) }
      words = []
    }
    for part in text.split(separator: " ") {
      let plain = part.lowercased()
      if ["&", "et", "and", "ex", "in", "und", "y"].contains(plain) {
        close()
        continue
      }
      for (number, piece) in part.split(
        omittingEmptySubsequences: false, whereSeparator: { $0 == "," || $0 == ";" || $0 == "&" }
      ).enumerated() {
        if number > 0 { close() }
        if !piece.isEmpty { words.append(piece) }
      }
    }
    close()
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
    "della", "di", "ter", "zu", "zur",
  ]
  /// Abbreviations that are not the beginning of a name, and those of one letter.
  private static let standard = ["l": "linnaeus", "linne": "linnaeus", "linn": "linnaeus"]

  /// The author that some words are; nil for a year or "al.".
  init?(_ words: [Substring]) {
    // "Sch.Bip." and "Schultz-Bip." are two parts.
    var parts: [(text: String, isShortened: Bool)] = []
    for word in words {
      var part = ""
      for character in word {
        switch character {
        case ".":
          if !part.isEmpty { parts.append((part, true)) }
          part = ""
        case "-", "'", "\u{2019}":
          if !part.isEmpty { parts.append((part, false)) }
          part = ""
        default: part.append(character)
        }
      }
      if !part.isEmpty { parts.append((part, false)) }
    }
    parts = parts.map { (Folder.fold($0.text), $0.isShortened) }
      .filter { !$0.text.isEmpty && !$0.text.contains(where: \.isNumber) }
    while let last = parts.last, parts.count > 1, ["f", "fil", "filius"].contains(last.text) {
      isSon = true
      parts.removeLast()
    }
    while parts.count > 1, let last = parts.last, last.text == "al" { parts.removeLast() }
    guard let last = parts.last, last.text != "al" else { return nil }
    surname = parts.count == 1 ? Self.standard[last.text] ?? last.text : last.text
    if last.text == "dc" { surname = "candolle" }
    isShortened = last.isShortened
    initials = parts.dropLast().filter { !Self.particles.contains($0.text) || $0.isShortened }
      .filter { $0.text != "v" }.compactMap(\.text.first)
  }

  /// Whether both can be one person.
  func canBe(_ other: Author, _ areSameYears: Bool) -> Bool {
    guard isSon == other.isSon else { return false }
    guard initials.isEmpty || other.initials.isEmpty || Self.agree(initials, other.initials) else {
      return false
    }
    return isAlike(other) || areSameYears && Self.sharesMost(surname, other.surname)
  }

  /// Whether one begins as the other does.
  private static func agree(_ a: [Character], _ b: [Character]) -> Bool {
    zip(a, b).allSatisfy { $0 == $1 }
  }

  private func isAlike(_ other: Author) -> Bool {
    let (a, b) = (surname, other.surname)
    if a == b { return true }
    let (short, long) = a.count <= b.count ? (a, b) : (b, a)
    let isShort = a.count <= b.count ? isShortened : other.isShortened
    if short.count >= 2, long.hasPrefix(short) { return true }
    if isShort, short.count >= 3, Self.isSkeleton(short, of: long) { return true }
    // "Bruggen." and "Brug.", "Rollison" and "Rollisson".
    return short.count >= 5 && Self.isOneEdit(Array(short), Array(long))
  }

  /// "rchb" of reichenbach: consonants in their order, the first letter first.
  private static func isSkeleton(_ short: String, of long: String) -> Bool {
    guard short.first == long.first, !short.contains(where: { "aeiou".contains($0) }) else {
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

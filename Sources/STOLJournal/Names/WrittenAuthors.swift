/// Whether what stands behind a name reads as who named it, where no database says who that was.
///
/// Any word with a capital may be a surname: "Quercus robur Dead" is no work of a Mr Dead. So something must speak for
/// it: a year behind a comma, a name that is shortened as botanists do, two that are linked or of whom the first is in
/// parentheses, or a name that everybody knows.
enum WrittenAuthors {
  /// Whether a text can only be meant so.
  static func isPlausible(_ text: String) -> Bool {
    guard NameWords.first(in: text) == nil, hasBalancedParentheses(text) else { return false }
    var scan = Scan()
    for word in text.split(separator: " ") where !scan.take(word) { return false }
    return scan.close() && scan.hasEvidence && scan.authorCount > 0
  }

  private static func hasBalancedParentheses(_ text: String) -> Bool {
    var depth = 0
    for character in text {
      if character == "(" || character == "[" { depth += 1 }
      if character == ")" || character == "]" { depth -= 1 }
      guard 0...1 ~= depth else { return false }
    }
    return depth == 0
  }

  /// What was read of authors, one behind the other.
  private struct Scan {
    var authorCount = 0
    var hasEvidence = false
    /// Whether a surname has ended the author that is being read.
    private var isNamed = false
    /// Whether the authors of another combination have just ended: "(Matt.)".
    private var isBehindParentheses = false
    /// Whether initials, particles or a link ask for a surname.
    private var isOpen = false

    /// Takes a word with the marks at it; whether it may stand there.
    mutating func take(_ word: Substring) -> Bool {
      var piece = ""
      for character in word {
        switch character {
        case "(", "[":
          guard takePiece(&piece), !isOpen else { return false }
          isNamed = false
        case ")", "]":
          guard takePiece(&piece), !isOpen else { return false }
          isNamed = false
          isBehindParentheses = authorCount > 0
        case ",", ";", ":":
          guard takePiece(&piece), isNamed || authorCount > 0 else { return false }
          isNamed = false
        case ".":
          piece.append(character)
          guard takePiece(&piece) else { return false }
        default: piece.append(character)
        }
      }
      return takePiece(&piece)
    }

    /// Whether it may end here.
    func close() -> Bool { !isOpen }

    private mutating func takePiece(_ piece: inout String) -> Bool {
      let text = piece
      piece = ""
      guard let first = text.first else { return true }
      if first.isNumber { return takeYear(text) }
      let bare = text.filter { $0.isLetter || $0 == "'" || $0 == "-" || $0 == "\u{2019}" }
      let isShortened = text.hasSuffix(".")
      guard bare.count + (isShortened ? 1 : 0) == text.count || text == "&" else { return false }
      let plain = bare.lowercased()
      if text == "&" || WrittenAuthors.links.contains(plain) {
        guard authorCount > 0, !isOpen || plain == "al" else { return false }
        (isNamed, isOpen) = (false, plain != "al")
        hasEvidence = true
        return true
      }
      if authorCount > 0, WrittenAuthors.sons.contains(plain) { return true }
      // "Palisot de Beauvois", "De Notaris".
      if WrittenAuthors.particles.contains(plain), !isShortened {
        (isNamed, isOpen) = (false, true)
        return true
      }
      guard first.isUppercase, !NameWords.isOrdinary(plain) else { return false }
      return isShortened ? takeShortened(bare) : takeSurname(bare)
    }

    /// "L." and "Mill." are whole authors, and may be initials of what follows, as "A.Gray".
    private mutating func takeShortened(_ text: String) -> Bool {
      // Names are shortened before a vowel: "Thunb.", not "Thu.".
      guard !isNamed, text.count <= WrittenAuthors.longestShortened, let last = text.last,
        text.count < 3 || !"aeiou".contains(last)
      else { return false }
      authorCount += 1
      (isNamed, isOpen) = (false, false)
      hasEvidence = true
      return true
    }

    private mutating func takeSurname(_ text: String) -> Bool {
      // "J Smith" has an initial, and "DC" is an author.
      guard text.count > 1 else {
        isOpen = true
        return !isNamed
      }
      guard !isNamed else { return false }
      authorCount += 1
      (isNamed, isOpen) = (true, false)
      if isBehindParentheses || WrittenAuthors.wellKnown.contains(text) { hasEvidence = true }
      return true
    }

    private mutating func takeYear(_ text: String) -> Bool {
      guard authorCount > 0, !isOpen, let year = Int(text), WrittenAuthors.years.contains(year)
      else { return false }
      // Of the year alone one cannot tell whose it is: "Planted 1990", but "Linnaeus, 1758".
      if !isNamed { hasEvidence = true }
      isNamed = true
      return true
    }
  }

  /// Linnaeus began in 1753.
  private static let years = 1753...2100
  private static let longestShortened = 12
  private static let links: Set<String> = ["et", "ex", "in", "al", "und", "apud"]
  private static let sons: Set<String> = ["f", "fil", "filius", "bis", "jr", "junior", "sr"]
  private static let particles: Set<String> = [
    "d", "da", "de", "del", "della", "den", "der", "des", "di", "do", "dos", "du", "la", "le",
    "ten", "ter",
    "van", "vander", "vom", "von", "zu", "zur",
  ]
  /// Who is written without stop and year, too.
  private static let wellKnown: Set<String> = Set(
    """
    DC Linnaeus Linné Linn Gmelin Lamarck Cuvier Latham Pallas Fabricius Bonaparte Vieillot Temminck
    Boddaert Lesson Swainson Gould Audubon Schrank Scopoli Poda Bloch Schneider Lacepède Valenciennes Rüppell Bleeker Günther Forsskål Müller
    Marshall Miller Aiton Bailey Rehder Sargent Siebold Zuccarini Thunberg Nuttall Michaux Engelmann Lindley Hooker
    Bentham Endlicher Carrière Koehne Wangenheim Muenchhausen Münchhausen Moench Ehrhart Roth Medikus Scheele Blume
    Borkhausen Willdenow Desfontaines Jussieu Candolle Mueller Pursh Raf Rafinesque
    """.split(whereSeparator: \.isWhitespace).map(String.init))
}

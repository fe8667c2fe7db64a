/// What stands behind an authorship, taken apart: whose use of a name is meant, and what is said of
/// the name under its code.
package struct NamePhrase: Hashable, Sendable {
  /// Whose use is meant or how wide it is, as in "auct. non L."
  package private(set) var sensu = ""
  /// What is said of the name, as in "nom. cons."
  package private(set) var standing = ""

  /// The parts of a phrase of a name; no letter of it is lost.
  ///
  /// What is said of the name ends where a use begins: "nom. illeg. non Mill." What stands behind a
  /// use is of it, for it may be said of the other name: "non Mill., nom. nud."
  ///
  /// - Complexity: O(n)
  package init(_ phrase: String) {
    let words = phrase.split(separator: " ")
    guard let first = words.first, Self.standings.contains(Self.plain(first)) else {
      sensu = phrase
      return
    }
    let end = words.firstIndex { Self.uses.contains(Self.plain($0)) } ?? words.count
    standing = Self.withoutComma(words[..<end].joined(separator: " "))
    sensu = words[end...].joined(separator: " ")
  }

  /// A word without the signs around it, in lower case.
  private static func plain(_ word: Substring) -> String {
    String(word.filter { !"(),;[]:".contains($0) }).lowercased()
  }

  private static func withoutComma(_ text: String) -> String {
    var text = text
    while let last = text.last, ",; ".contains(last) { text.removeLast() }
    return text
  }

  /// The words with which something is said of a name: articles 6 to 58 of the International Code of
  /// Nomenclature for algae, fungi, and plants, the glossary of the zoological code.
  private static let standings: Set<String> = [
    "nom.", "nom", "nomen", "nom.cons.", "nom.nud.", "nom.illeg.", "nom.inval.", "nom.rej.",
    "comb.", "comb.nov.", "stat.", "stat.nov.", "sp.nov.", "gen.nov.", "n.sp.", "orth.", "ined.",
    "ined",
    "preocc.", "preoccupied", "suppressed", "mss.", "mss", "ms", "ms.", "unpublished", "unpubl.",
    "nov.",
  ]
  /// The words with which the use of a name begins.
  private static let uses: Set<String> = [
    "sensu", "sens.", "sec.", "sec", "auct.", "auct", "auctt.", "auctorum", "aucts.", "nec", "non",
    "not", "s.l.", "s.l", "s.lat.", "s.str.", "s.str", "s.s.", "s.", "s.ampl.", "p.p.", "p.p", "p.",
    "pro", "excl.", "exclud.", "misapplied", "p.max.p.", "p.min.p.",
  ]
}

/// The categories of the IUCN Red List, version 3.1, with the older ones that became part of them.
package enum ConservationCode: String, CaseIterable, Sendable {
  case leastConcern = "LC"
  case nearThreatened = "NT"
  case vulnerable = "VU"
  case endangered = "EN"
  case criticallyEndangered = "CR"
  case extinctInTheWild = "EW"
  case extinct = "EX"
  case notEvaluated = "NE"
  case dataDeficient = "DD"

  /// The category that a code, a phrase or an address of a source means, or nil.
  ///
  /// Criteria ("VU D2", "CR B1ab(iii)") and remarks in parentheses are passed over. "Lower risk" of
  /// version 2.3 becomes LC, or NT where it says near threatened or conservation dependent; so say
  /// the guidelines of the Red List.
  package init?(_ text: String) {
    let isAddress = text.hasPrefix("http")
    // An address: what matters is its last part.
    let part = isAddress ? text.split { $0 == "/" || $0 == "#" }.last ?? "" : text[...]
    let words = Self.words(part)
    for count in stride(from: min(words.count, 5), through: 1, by: -1) {
      let phrase = words.prefix(count).joined(separator: " ")
      guard let code = Self.byPhrase[phrase] else { continue }
      // "en" is also a word: a code before further text must be in capitals.
      if phrase.utf8.count == 2, words.count > 1, !part.beginsInCapitals { continue }
      self = code
      return
    }
    return nil
  }

  /// The words in lower case, cut where letters end or a word in capitals begins ("LeastConcern").
  private static func words(_ text: Substring) -> [String] {
    var words: [String] = []
    var word = ""
    var wasLower = false
    for scalar in text.unicodeScalars {
      let isLetter = scalar.properties.isAlphabetic
      if !isLetter || wasLower && scalar.properties.isUppercase {
        if !word.isEmpty { words.append(word) }
        word = ""
      }
      if isLetter { word += scalar.properties.lowercaseMapping }
      wasLower = isLetter && scalar.properties.isLowercase
    }
    if !word.isEmpty { words.append(word) }
    return words
  }

  private static let byPhrase: [String: ConservationCode] = {
    var table: [String: ConservationCode] = [:]
    for code in allCases { table[code.rawValue.lowercased()] = code }
    for line in phrases.split(separator: "\n") {
      let parts = line.split(separator: ":")
      guard let code = ConservationCode(rawValue: String(parts[0])) else { continue }
      for phrase in parts[1].split(separator: ",") {
        table[trimmingSpaces(String(phrase))] = code
      }
    }
    return table
  }()

  /// English, Spanish, French, German, Portuguese, as the Red List's translations have them.
  private static let phrases = """
    LC: least concern, lower risk, lower risk least concern, lr, lr lc, lrlc, preocupación menor, preocupacion menor, préoccupation mineure, preoccupation mineure, nicht gefährdet, ungefährdet, pouco preocupante, menos preocupante, segura ou pouco preocupante, leastconcern
    NT: near threatened, nearly threatened, lower risk near threatened, lower risk conservation dependent, conservation dependent, lr nt, lr cd, lrnt, lrcd, cd, casi amenazado, casi amenazada, quasi menacé, quasi menacée, quasi menace, potenziell gefährdet, quase ameaçado, quase ameaçada, quase ameacada, nearthreatened
    VU: vulnerable, vulnérable, gefährdet, vulnerável, vulneravel
    EN: endangered, en peligro, en danger, stark gefährdet, em perigo, in danger
    CR: critically endangered, critical, en peligro crítico, en peligro critico, peligro crítico, en danger critique, en danger critique d extinction, vom aussterben bedroht, criticamente em perigo, em perigo crítico, criticallyendangered
    EW: extinct in the wild, extinto en estado silvestre, extinta en estado silvestre, éteint à l état sauvage, éteinte à l état sauvage, eteint a l etat sauvage, in der natur ausgestorben, in freier wildbahn ausgestorben, extinto na natureza, extinta na natureza, extinctinthewild
    EX: extinct, extinto, extinta, éteint, éteinte, eteint, ausgestorben
    NE: not evaluated, no evaluado, no evaluada, non évalué, non évaluée, non evalue, nicht beurteilt, não avaliado, não avaliada, nao avaliada, notevaluated
    DD: data deficient, insufficiently known, datos insuficientes, données insuffisantes, donnees insuffisantes, ungenügende datengrundlage, daten unzureichend, dados insuficientes, deficiente em dados, datadeficient
    """
}

extension Substring {
  /// Whether the first two letters are capitals.
  fileprivate var beginsInCapitals: Bool {
    let letters = unicodeScalars.filter(\.properties.isAlphabetic).prefix(2)
    return letters.allSatisfy(\.properties.isUppercase)
  }
}

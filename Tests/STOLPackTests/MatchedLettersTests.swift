import STOLPack
import Testing

/// The letters of a name that are marked for a query.
struct MatchedLettersTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let query: String
    /// The name, the letters to mark in brackets.
    let marked: String
    let matchClass: MatchClass
    var testDescription: String { "\(query) \(marked)" }

    init(_ query: String, _ marked: String, _ matchClass: MatchClass) {
      (self.query, self.marked, self.matchClass) = (query, marked, matchClass)
    }
  }

  @Test(arguments: [
    Case("panthera leo", "[Panthera] [leo]", .exactName),
    Case("pan", "[Pan]thera leo", .namePrefix),
    Case("leo pan", "[Pan]thera [leo]", .allWords),
    Case("pantera leo", "[Pant]h[era leo]", .fuzzyName),
    Case("pantehra leo", "[Panthera leo]", .fuzzyName),
    Case("panthera leon", "[Panthera leo]", .fuzzyName),
    Case("pantheraleo", "[Panthera] [leo]", .fuzzyName),
    Case("panthra l", "[Panth]e[ra l]eo", .fuzzyPrefix),
    Case("dragon fly", "[Dragonfly]", .exactForm),
    Case("wolves", "[wol]f", .exactForm),
    Case("blak whale", "[Bla]c[k] Baird's beaked [whale]", .fuzzyWords),
    Case("whalle killer", "[killer] [whal]es", .fuzzyWords),
    Case("ecureuil", "[Écureuil] roux", .namePrefix),
    Case("сибирский тигр", "[Сибирский] [тигр]", .exactName),
    Case("strasse", "[Straße] 12", .namePrefix),
    Case("æra leo", "[ÆRA_Leo] x", .fuzzyPrefix),
    Case("equisetum x litorale", "[Equisetum] [×litorale]", .exactName),
    Case("equisetum ×litorale", "[Equisetum] [×] [litorale]", .exactName),
    Case("litorale", "Equisetum ×[litorale]", .allWords),
    Case("equisetum × litoral", "[Equisetum ×litoral]e", .fuzzyPrefix),
    Case("equisetum x litorael", "[Equisetum × litorale]", .fuzzyName),
    Case("× cupresocyparis", "[×Cupre]s[socyparis]", .fuzzyName),
    Case("panthera_leo", "[Panthera_leo] ×", .fuzzyPrefix),
    Case("whale  killer", "[killer] [whale]", .allWords),
    Case("leo leo", "[leo] [leo]nis leo", .allWords),
    Case("x", "Panthera leo", .fuzzyName),
    Case("", "Panthera leo", .allWords),
  ])
  func marks(_ this: Case) {
    let name = this.marked.filter { !"[]".contains($0) }
    let ranges = MatchedLetters.ranges(of: this.query, in: name, matchClass: this.matchClass)
    var marked = ""
    var last = name.startIndex
    for range in ranges {
      marked += name[last..<range.lowerBound] + "[" + name[range] + "]"
      last = range.upperBound
    }
    marked += name[last...]
    #expect(marked == this.marked)
  }
}

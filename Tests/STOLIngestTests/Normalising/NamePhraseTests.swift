import STOLNames
import Testing

@Suite("Phrases behind authorships")
struct NamePhraseTests {
  @Test(arguments: [
    ("", "", ""), ("nom. cons.", "", "nom. cons."), ("comb. nov.", "", "comb. nov."),
    ("sensu Busch, 1930", "sensu Busch, 1930", ""), ("auct. non L.", "auct. non L.", ""),
    ("s. str.", "s. str.", ""), ("ined.", "", "ined."),
    ("nom. illeg., non Mill.", "non Mill.", "nom. illeg."),
    ("[nom. nud.] auct.", "auct.", "[nom. nud.]"),
    // What is said behind a use may be said of the other name.
    ("non Mill., nom. nud.", "non Mill., nom. nud.", ""), ("whatever else", "whatever else", ""),
  ])
  func tellUseFromStanding(_ phrase: String, _ sensu: String, _ standing: String) {
    let parts = NamePhrase(phrase)
    #expect(parts.sensu == sensu)
    #expect(parts.standing == standing)
  }

  @Test func noWordIsLost() {
    let words = ["nom.", "cons.", "sensu", "Busch,", "non", "(Mill.)", "ined.", "p.", "p."]
    var generator = SystemRandomNumberGenerator()
    for count in 0...6 {
      for _ in 0..<200 {
        let phrase = (0..<count).map { _ in words.randomElement(using: &generator)! }
        let parts = NamePhrase(phrase.joined(separator: " "))
        let kept = (parts.standing + " " + parts.sensu).split(separator: " ").map(String.init)
        // A comma before what is another part is not needed any more.
        let letters = [kept, phrase].map { $0.map { $0.replacing(",", with: "") } }
        #expect(letters[0] == letters[1])
      }
    }
  }
}

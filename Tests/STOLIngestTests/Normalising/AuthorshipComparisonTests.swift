import STOLNames
import Testing

/// Whether two authorships can be of one name.
@Suite("Authorships compared")
struct AuthorshipComparisonTests {
  @Test(arguments: [
    ("L.", "Linnaeus, 1758", AuthorshipComparison.equal), ("(L.) Mill.", "Mill.", .equal),
    ("(Linnaeus, 1758)", "Linnaeus, 1758", .equal), ("L.", "L. f.", .different),
    ("Desv.", "Nevski", .different), ("", "Nevski", .unknown), ("1758", "1759", .equal),
    ("1758", "1768", .different), ("Smith, 1900", "Smith et al.", .equal),
    ("(A.Gray) Smith", "(Torr.) Smith", .different), ("al.", "L.", .unknown),
    ("()", "&", .unknown), ("Müller", "Mueller", .equal), ("Böhm", "Boehm", .equal),
    ("Sørensen", "Sorensen", .equal), ("Michx.", "Michaux", .equal),
    ("Schltr.", "Schlechter", .equal),
    ("Walker, F.", "F. Walker", .equal), ("Walker, F.", "Walker, G.", .different),
    ("Smith, Jr.", "Smith", .different), ("A., Smith", "A., Jones", .different),
    ("A.St.-Hil.", "Saint-Hilaire", .equal), ("J.Schultze-Motel", "Schultze-Motel", .equal),
    ("J.-P.Dubois", "A.Dubois", .different), ("Wu", "Wurdack", .different),
    ("Wu", "C.Y.Wu", .equal),
    ("McVaugh", "Mc Vaugh", .equal), ("L'Hér.", "L\u{2019}Héritier", .equal),
    ("Pers.:Fr.", "Fr.", .equal), ("Smith in Jones, 1900", "Smith, 1900", .equal),
    ("Smith in Jones, 1900", "Jones, 1900", .different),
    ("Smith in Jones ex Brown", "Brown", .equal), ("Hook.f.", "Hooker fil.", .equal),
  ])
  func comparesWhoNamed(_ a: String, _ b: String, _ expected: AuthorshipComparison) {
    #expect(AuthorshipComparison.compare(a, b) == expected)
    #expect(AuthorshipComparison.compare(b, a) == expected)
  }

  /// The pairs with which the Catalogue of Life tests its comparison.
  @Test(.enabled(if: RealSources.isAvailable("match/authors.tsv")))
  func agreesWithTheCatalogueOfLife() throws {
    let text = try RealSources.text("match/authors.tsv")
    var wrong: [String] = []
    for line in text.split(separator: "\n").dropFirst() {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      let found = AuthorshipComparison.compare(
        fields[0], year: Int(fields[1]), fields[2], year: Int(fields[3]))
      if "\(found)".uppercased() != fields[4] { wrong.append("\(line): \(found)") }
    }
    #expect(wrong == [])
  }
}

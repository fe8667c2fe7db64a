import STOLPack
import TestSupport
import Testing

@testable import STOLMatch

@Suite("Names with authors behind them")
struct AuthoredNamesTests {
  @Test(arguments: [
    ("Panthera leo (Linnaeus, 1758)", true), ("Panthera leo L.", true), ("a éa", true),
    ("PANTHERA LEO", true), ("Panthera", false), ("Panthera leo", false), ("", false), (" ", false),
    ("Panthera leo, 1758", false), ("É", false), ("QUERCUS", false),
  ])
  func aCapitalBehindTheFirstWordMayBeginAnAuthor(text: String, may: Bool) {
    #expect(AuthoredNames.mayHaveAuthors(text.utf8) == may)
  }

  /// Each name of the pack with its own authors is found; with others it is not, unless the pack knows none.
  @Test func everyNameIsFoundByItsOwnAuthorsAlone() throws {
    let folder = try TemporaryFolder()
    let pack = try SmallPack.make(SmallPack.life, folder: folder)
    let view = pack.view
    var authored = AuthoredNames()
    var (count, homonymCount) = (0, 0)
    for taxon in view.tree.taxa {
      let own = NameOrdinal(rawValue: taxon.rawValue)
      for name in [own] + Array(view.names.furtherNames(of: taxon)) {
        let text = view.names.text(of: name)
        let authorship = view.record(of: name).authorship
        let uses = authored.uses(
          of: Array("\(text) \(authorship ?? "Nobody, 1900")".utf8)[...], in: view)
        #expect(
          uses.contains { $0.taxon == taxon && view.names.text(of: $0.name) == text }, "\(text)")
        count += 1
        guard authorship != nil else { continue }
        #expect(uses.count == 1, "\(text)")
        let wrong = authored.uses(of: Array("\(text) Zykov & Smith, 2013".utf8)[...], in: view)
        #expect(wrong.isEmpty, "\(text)")
        if text == "Oenanthe" || text == "Elytrigia repens" { homonymCount += 1 }
        #expect(authored.uses(of: Array(text.utf8)[...], in: view).isEmpty, "no authors: \(text)")
      }
    }
    #expect(count > 25 && homonymCount == 4)
  }

  @Test func aFilterChoosesAmongHomonyms() throws {
    let folder = try TemporaryFolder()
    let pack = try SmallPack.make(
      "1 0 kingdom Animalia\n2 1 genus Aus\n3 0 kingdom Plantae\n4 3 genus Aus", folder: folder)
    let view = pack.view
    var authored = AuthoredNames()
    let text = Array("Aus Smith".utf8)[...]
    #expect(authored.uses(of: text, in: view).count == 2)
    let plants = try #require(view.ids.taxon(3))
    var filter = SearchFilter()
    filter.clade = view.tree.subtree(of: plants)
    #expect(authored.uses(of: text, passing: filter, in: view).map { view.ids[$0.taxon] } == [4])
    filter = SearchFilter()
    filter.languages = []
    #expect(authored.uses(of: text, passing: filter, in: view).isEmpty)
    let long = Array("Aus Smith \(String(repeating: "a", count: 600))".utf8)[...]
    #expect(authored.uses(of: long, in: view).isEmpty)
  }
}

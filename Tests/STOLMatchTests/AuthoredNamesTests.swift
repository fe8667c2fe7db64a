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
    #expect(AuthoredNames.mayHaveAuthors(Array(text.utf8)[...]) == may)
  }

  /// What texts stand for: the names of the uses, each with the id of its taxon.
  private static func uses(
    _ text: String, passing filter: SearchFilter = SearchFilter(), in pack: Pack
  ) -> [String] {
    var authored = AuthoredNames()
    let view = pack.view
    return authored.uses(of: Array(text.utf8)[...], passing: filter, in: view).map {
      "\(view.ids[$0.taxon].rawValue) \(view.names.text(of: $0.name))"
    }
  }

  /// Each name of the pack with its own authors is found; with others it is not, unless the pack knows none.
  @Test func everyNameIsFoundByItsOwnAuthorsAlone() throws {
    let folder = try TemporaryFolder()
    let pack = try SmallPack.make(SmallPack.life, folder: folder)
    let view = pack.view
    var (count, homonymCount) = (0, 0)
    for taxon in view.tree.taxa {
      let own = NameOrdinal(rawValue: taxon.rawValue)
      let id = view.ids[taxon].rawValue
      for name in [own] + Array(view.names.furtherNames(of: taxon)) {
        let text = view.names.text(of: name)
        let authorship = view.record(of: name).authorship
        let found = Self.uses("\(text) \(authorship ?? "Nobody, 1900")", in: pack)
        #expect(found.contains("\(id) \(text)"), "\(text)")
        count += 1
        guard authorship != nil else { continue }
        #expect(found.count == 1, "\(text)")
        #expect(Self.uses("\(text) Zykov & Smith, 2013", in: pack).isEmpty, "\(text)")
        #expect(Self.uses(text, in: pack).isEmpty, "no authors: \(text)")
        if text == "Oenanthe" || text == "Elytrigia repens" { homonymCount += 1 }
      }
    }
    #expect(count > 25 && homonymCount == 4)
  }

  @Test func aFilterChoosesAmongHomonyms() throws {
    let folder = try TemporaryFolder()
    let pack = try SmallPack.make(
      "1 0 kingdom Animalia\n2 1 genus Aus\n3 0 kingdom Plantae\n4 3 genus Aus", folder: folder)
    let view = pack.view
    #expect(Self.uses("Aus Smith, 1900", in: pack) == ["2 Aus", "4 Aus"])
    var filter = SearchFilter()
    if let plants = view.ids.taxon(3) { filter.clade = view.tree.subtree(of: plants) }
    #expect(Self.uses("Aus Smith, 1900", passing: filter, in: pack) == ["4 Aus"])
    #expect(Self.uses("Aus Smith", in: pack).isEmpty, "it may as well be a misspelt species")
    filter = SearchFilter()
    filter.languages = []
    #expect(Self.uses("Aus Smith, 1900", passing: filter, in: pack).isEmpty)
    #expect(Self.uses("Aus Smith \(String(repeating: "a", count: 600))", in: pack).isEmpty)
  }
}

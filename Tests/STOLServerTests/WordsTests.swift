import STOLPack
import Testing

@testable import STOLServer

@Suite struct WordsTests {
  /// What IUCN says of each category, in its own words, which the sentence must keep.
  @Test(arguments: [
    ("EX", "no reasonable doubt that the last"), ("EW", "survive only"),
    ("CR", "extremely high risk of extinction in the wild"),
    ("EN", "a very high risk of extinction in the wild"),
    ("VU", "a high risk of extinction in the wild"), ("NT", "close to it or likely"),
    ("LC", "neither threatened nor near"), ("DD", "Too little"), ("NE", "not yet been assessed"),
  ])
  func aCategoryIsWhatIUCNDefines(code: String, words: String) {
    #expect(Words.conservation(code).sentence.contains(words))
    #expect(Words.conservation(code.lowercased()).title == Words.conservation(code).title)
    // Numbers and hopes are no part of any definition.
    for word in ["many of them", "fewer and fewer", "Very few", "helps", "counted"] {
      #expect(!Words.conservation(code).sentence.contains(word))
    }
  }

  @Test func whatBecameOfFavoritesIsSaidAndCounted() throws {
    #expect(FavoritesFate.words([]) == nil)
    #expect(FavoritesFate.words(["same", "same"]) == nil)
    let outcomes = ["same", "merged", "by name", "by name", "by synonym", "ambiguous", "deleted"]
    let said = try #require(FavoritesFate.words(outcomes + ["absent"]))
    #expect(said.contains("of 8 favourites: 1 is the same, 1 has become part of another taxon"))
    #expect(said.contains("2 were found by their names") && said.contains("1 is not in it"))
    // Whatever there is counts once.
    let numbers = said.split { !$0.isNumber }.compactMap { Int($0) }
    #expect(numbers.dropFirst().reduce(0, +) == 8)
  }

  @Test func anotherCodeIsShownAsItIs() {
    #expect(Words.conservation("XX").title == "XX")
    #expect(Words.danger("XX") == "unknown")
    #expect(["CR", "EN", "VU"].allSatisfy { Words.danger($0) == "threatened" })
  }
}

import Foundation
import STOLMatch
import STOLPack
import TestSupport

/// Packs of a few taxa, made from lines.
enum SmallPack {
  /// A pack of taxa: "id parent rank name | author", with "=" before the id for a synonym of the parent.
  static func make(_ lines: String, folder: TemporaryFolder) throws -> Pack {
    var writer = PackWriter()
    var synonym: Int64 = 10_000
    for line in lines.split(separator: "\n") {
      let parts = line.split(separator: "|", omittingEmptySubsequences: false)
      var words = parts[0].split(separator: " ").map(String.init)
      let author = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : nil
      let id = words.removeFirst()
      let parent = Int64(words.removeFirst())
      let rank = words.removeFirst()
      let name = words.joined(separator: " ")
      if id == "=" {
        synonym += 1
        try writer.add(
          NameRow(
            id: synonym, taxonID: parent ?? 0, name: name, language: "la", type: "synonym",
            sourceID: "\(synonym)", author: author, rank: rank))
      } else {
        try writer.add(
          TaxonRow(
            id: Int64(id) ?? 0, parentID: parent == 0 ? nil : parent, rank: rank,
            scientificName: name, author: author))
      }
    }
    let path = folder("small.stolpack")
    _ = try writer.finish(path: path)
    return try Pack(path: path)
  }

  /// Cats and plants, with a homonym, two synonyms that are spelt alike, and a subspecies.
  static let life = """
    1 0 domain Eukaryota
    2 1 kingdom Animalia
    3 2 class Mammalia
    4 3 family Felidae
    5 4 genus Panthera | Oken, 1816
    6 5 species Panthera leo | (Linnaeus, 1758)
    7 6 subspecies Panthera leo persica | (Meyer, 1826)
    8 5 species Panthera pardus | (Linnaeus, 1758)
    9 4 genus Puma | Jardine, 1834
    10 9 species Puma concolor | (Linnaeus, 1771)
    11 2 class Aves
    12 11 genus Oenanthe | Vieillot, 1816
    13 12 species Oenanthe deserti | (Temminck, 1825)
    20 1 kingdom Plantae
    21 20 family Poaceae
    22 21 genus Bromus | L.
    23 22 species Bromus sterilis | L.
    24 21 genus Elymus | L.
    25 24 species Elymus repens | (L.) Gould
    26 24 species Elymus elongatus | (Host) Runemark
    27 20 family Apiaceae
    28 27 genus Oenanthe | L.
    29 28 species Oenanthe crocata | L.
    = 6 species Felis leo | Linnaeus, 1758
    = 25 species Elytrigia repens | (L.) Desv.
    = 26 species Elytrigia repens | Nevski
    = 21 family Gramineae | Juss.
    """
}

@testable import STOLPack

/// A pack in which no section is empty, to be damaged in one place.
enum DamagedPack {
  /// 1 family, 5 genera, 40 species: three blocks of taxa, several blocks of words, more words than
  /// a leaf of a trie has.
  static let bytes: Result<[UInt8], any Error> = Result {
    var taxonomy = TestTaxonomy()
    taxonomy.taxa.append(TaxonRow(id: 5, parentID: nil, rank: "family", scientificName: "Aidae"))
    for (number, genus) in ["Aba", "Bobo", "Cici", "Dodo", "Pan"].enumerated() {
      let genusID = Int64(number + 1) * 100
      taxonomy.taxa.append(
        TaxonRow(id: genusID, parentID: 5, rank: "genus", scientificName: genus, year: 1800))
      for (place, word) in ["aa", "ab", "b", "cab", "dum", "east", "föx", "x-y"].enumerated() {
        let id = genusID + Int64(place) + 1
        taxonomy.taxa.append(
          TaxonRow(
            id: id, parentID: genusID, rank: "species", scientificName: "\(genus) \(word)",
            author: place % 2 == 0 ? "L." : "Gray", year: Int64(1758 + place),
            status: place == 3 ? "doubtful" : "accepted", conservation: place == 1 ? "VU" : nil))
        taxonomy.names.append(
          NameRow(
            id: id, taxonID: id, name: "\(word) of \(genus.lowercased())", language: "en",
            type: "common"))
        taxonomy.traits.append(
          TraitRow(
            id: id, taxonID: id, key: "mass", value: "\(place)", unit: place > 4 ? "kg" : nil))
        taxonomy.traits.append(TraitRow(id: -id, taxonID: id, key: "habitat", value: "sea"))
      }
      taxonomy.names.append(
        NameRow(
          id: genusID, taxonID: genusID, name: "Großer  \(genus)", language: "de", type: "trade",
          isPreferred: true))
      taxonomy.names.append(
        NameRow(
          id: genusID + 20, taxonID: genusID, name: "\(genus)a \(genus)ling \(genus)wort",
          language: "en", type: "vernacular"))
      taxonomy.taxa.append(
        TaxonRow(
          id: genusID + 50, parentID: genusID, rank: "genus", scientificName: "Syno\(genus)",
          status: "synonym"))
    }
    return try taxonomy.packBytes(
      merged: [(7, 101), (8, 102)], deleted: [9, 10],
      dataset: [("id", "x"), ("name", "y"), ("release", "z")])
  }

  /// 1 implied root, 1 domain, 20 genera: ids that are texts, in two blocks, sources, and names with
  /// records.
  static let textBytes: Result<[UInt8], any Error> = Result {
    var taxonomy = TestTaxonomy()
    taxonomy.sources = [
      DataSource(kind: "coldp", name: "One", release: "1", licence: "CC0", url: "https://one"),
      DataSource(kind: "csv", citation: "Two 2020"),
    ]
    let life = TaxonID(sourceText: "life").rawValue
    taxonomy.taxa = [
      TaxonRow(
        id: -1, parentID: nil, rank: "no rank", scientificName: "implied root",
        isImpliedRoot: true),
      TaxonRow(
        id: life, parentID: -1, rank: "superkingdom", scientificName: "Life", sourceID: "life",
        code: "ICZN", statusText: "valid", source: 1),
    ]
    for number in 0..<20 {
      let text = "genus-\(number)"
      let id = TaxonID(sourceText: text).rawValue
      taxonomy.taxa.append(
        TaxonRow(
          id: id, parentID: life, rank: number % 2 == 0 ? "genus" : "clade",
          scientificName: "Genus\(number)", sourceID: text, code: "ICN",
          sensu: number == 3 ? "sensu Busch, 1930" : nil, source: number % 3))
      taxonomy.names.append(
        NameRow(
          id: Int64(number), taxonID: id, name: "Other\(number)", language: "la", type: "synonym",
          sourceID: "name-\(number)", author: "Gray", year: Int64(1800 + number),
          rank: "subgenus", status: "heterotypic", statusText: "het.", code: "ICN",
          sensu: "auct.", source: 2))
      taxonomy.traits.append(
        TraitRow(id: Int64(number), taxonID: id, key: "habitat", value: "sea", source: number % 3))
    }
    return try taxonomy.packBytes()
  }

  /// The same for the pack with ids as texts.
  static func rejectedTextSection(_ damage: (inout PackParts) -> Void) throws -> String? {
    var parts = try PackParts(textBytes.get())
    damage(&parts)
    return rejectedSection(of: parts.encoded())
  }

  /// The section that opening or verifying names after `damage`, or nil where neither objects.
  static func rejectedSection(_ damage: (inout PackParts) -> Void) throws -> String? {
    var parts = try PackParts(bytes.get())
    damage(&parts)
    return rejectedSection(of: parts.encoded())
  }

  /// The section that opening or verifying these bytes names, or nil where neither objects.
  static func rejectedSection(of bytes: [UInt8]) -> String? {
    do throws(PackError) {
      try Pack(PackBytes(copying: bytes)).verify()
      return nil
    } catch {
      switch error {
      case .corrupt(let section, _, _), .truncated(let section, _, _),
        .checksum(let section, _, _), .missingSection(let section):
        return section
      default: return "\(error)"
      }
    }
  }
}

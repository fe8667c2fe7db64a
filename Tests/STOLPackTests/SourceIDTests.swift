import TestSupport
import Testing

@testable import STOLPack

/// Ids as the source writes them: PACK.md section 6.
struct SourceIDTests {
  /// Texts of every kind: short, long, alike, numbers with zeros before them.
  private static let texts: [String] =
    [
      "4CGXP", "007", "7", "4611686018427387904", "wfo-0000123", "wfo-0000124", "a", "A", "é",
      "e\u{301}", "urn:lsid:example.org:taxname:51", "urn:lsid:example.org:taxname:511", "-5",
      String(repeating: "long ", count: 60), "x=1;y=2", "9223372036854775808",
    ] + (0..<40).map { "urn:lsid:example.org:taxname:\($0 * 7919)" }

  private static func taxonomy(_ texts: [String]) -> TestTaxonomy {
    var taxonomy = TestTaxonomy()
    for text in texts {
      taxonomy.taxa.append(
        TaxonRow(
          id: TaxonID(sourceText: text).rawValue, parentID: nil, rank: "species",
          scientificName: "Species \(text.utf8.count)", sourceID: text))
    }
    return taxonomy
  }

  @Test func everyTextIsFoundAndNoOther() throws {
    let pack = try Self.taxonomy(Self.texts).pack()
    try pack.verify()
    let view = pack.view
    let areTexts = view.ids.areTexts
    let fit = view.ids.fitJSONNumbers
    #expect(areTexts && !fit)
    let known = Set(Self.texts.map { Array($0.utf8) })
    var mismatches = Mismatches()
    for text in Self.texts {
      let found = view.ids.resolve(sourceID: text)
      let back = found.taxon.flatMap { view.sourceID(of: $0) }
      mismatches.compare(back.map { Array($0.utf8) }, Array(text.utf8), text)
      mismatches.compare(found.taxon.map { TaxonResolution.found($0) }, found, text)
      let shown = found.taxon.flatMap { view.taxon($0).sourceID }
      mismatches.compare(shown.map { Array($0.utf8) }, Array(text.utf8), text)
      for near in Self.nearMisses(text) where !known.contains(Array(near.utf8)) {
        mismatches.compare(view.ids.resolve(sourceID: near), .notFound, near)
      }
    }
    let first = mismatches.first
    #expect(first == nil)
  }

  private static func nearMisses(_ text: String) -> [String] {
    [
      "", text + "0", text + " ", " " + text, "0" + text, "+" + text, String(text.dropLast()),
      String(text.dropFirst()), text.uppercased(), text.lowercased(), text + "\0",
      String(TaxonID(sourceText: text).rawValue),
    ]
  }

  @Test func twoTextsAreNeverTakenForEachOtherByTheirKey() throws {
    // A pack that says that the text with the key of "b" is "c" is damaged: nothing is found.
    var parts = try PackParts(DamagedPack.textBytes.get())
    let text = parts.contents[.idText] ?? []
    parts.contents[.idText] = text.map { $0 == UInt8(ascii: "g") ? UInt8(ascii: "h") : $0 }
    let pack = try Pack(PackBytes(copying: parts.encoded()))
    let found = pack.view.ids.resolve(sourceID: "genus-1")
    #expect(found == .notFound)
  }

  @Test(arguments: ["007", "+7", " 7", "7 ", "7.0", "-7", "0x7", "７", "seven", ""])
  func aNumberIsFoundInItsShortestFormOnly(_ text: String) throws {
    var taxonomy = TestTaxonomy()
    taxonomy.taxa = [TaxonRow(id: 7, parentID: nil, rank: "genus", scientificName: "Seven")]
    let pack = try taxonomy.pack()
    let view = pack.view
    let found = [view.ids.resolve(sourceID: "7"), view.ids.resolve(sourceID: text)]
    #expect(found == [.found(TaxonOrdinal(rawValue: 0)), .notFound])
    let areTexts = view.ids.areTexts
    let shown = view.sourceID(of: TaxonOrdinal(rawValue: 0))
    #expect(!areTexts && shown == "7")
  }

  private static let edge = Int64(1) << 53

  @Test(arguments: [(edge, false), (edge - 1, true), (-edge, false), (1 - edge, true)])
  func numbersFitJSONBelowTwoToThe53(_ id: Int64, _ fits: Bool) throws {
    var taxonomy = TestTaxonomy()
    taxonomy.taxa = [
      TaxonRow(id: 7, parentID: nil, rank: "genus", scientificName: "Seven"),
      TaxonRow(id: id, parentID: nil, rank: "genus", scientificName: "Other"),
    ]
    let pack = try taxonomy.pack()
    let got = pack.view.ids.fitJSONNumbers
    #expect(got == fits)
  }

  @Test func anIdMayBeWrittenWithItsOwnSpaceOnly() throws {
    var taxonomy = TestTaxonomy()
    taxonomy.taxa = [TaxonRow(id: 7, parentID: nil, rank: "genus", scientificName: "Seven")]
    let bytes = try taxonomy.packBytes(dataset: [("id_space", "ncbi")])
    let pack = try Pack(PackBytes(copying: bytes))
    let view = pack.view
    let space = view.idSpace
    #expect(space == "ncbi")
    let found = ["ncbi:7", " 7 ", "gbif:7", "ncbi:07", "NCBI:7", "ncbi:"].map {
      view.resolve($0).taxon != nil
    }
    #expect(found == [true, true, false, false, false, false])
  }

  /// A text that is the id of one taxon and the name of another is neither alone.
  @Test func anIdThatIsANameOfAnotherTaxonIsAmbiguous() throws {
    var taxonomy = TestTaxonomy()
    taxonomy.taxa = [("Aus", "Bus"), ("b", "Aus"), ("Cus", "Cus"), ("d", "Dus")].map { id, name in
      TaxonRow(
        id: TaxonID(sourceText: id).rawValue, parentID: nil, rank: "genus", scientificName: name,
        sourceID: id)
    }
    taxonomy.names = [
      NameRow(
        id: 1, taxonID: TaxonID(sourceText: "d").rawValue, name: "b", language: "la",
        type: "synonym")
    ]
    for space in [nil, "tiny"] {
      let bytes = try taxonomy.packBytes(dataset: space.map { [("id_space", $0)] } ?? [])
      let pack = try Pack(PackBytes(copying: bytes))
      let view = pack.view
      func ids(_ text: String) -> [String] {
        let found = view.resolve(text)
        let taxa = found.taxon.map { [$0] } ?? found.candidates
        return taxa.compactMap { view.sourceID(of: $0) }
      }
      let found = ["Aus", "aus", "b", "Cus", "d", "Bus"].map(ids)
      #expect(found == [["Aus", "b"], ["b"], ["b", "d"], ["Cus"], ["d"], ["Aus"]])
      // Behind its id space an id is nothing else.
      let mark = "unstated-\(view.sourceMark)"
      let written = ["Aus", "b", "aus", "Bus"].map { ids("\(space ?? mark):\($0)") }
      #expect(written == [["Aus"], ["b"], [], []])
      // Another database without an id space may have the same id.
      let foreign = ["unstated:b", "unstated-ffffffff:b", space == nil ? "tiny:b" : "\(mark):b"]
      for text in foreign { #expect(view.resolve(text) == .notFound, "\(text)") }
    }
  }

  @Test func refusesAKeyThatIsNotThatOfItsText() {
    var taxonomy = Self.taxonomy(["a", "b"])
    taxonomy.taxa[1].id = 5
    #expect(throws: CompileError.row(table: "taxa", id: 5, reason: .otherSourceID("b"))) {
      try taxonomy.pack()
    }
  }

  @Test func anImpliedRootIsTaxon0AndHasNoId() throws {
    var taxonomy = TestTaxonomy()
    taxonomy.taxa = [
      TaxonRow(id: 3, parentID: nil, rank: "genus", scientificName: "Aba"),
      TaxonRow(id: 2, parentID: -1, rank: "domain", scientificName: "Bacteria"),
      TaxonRow(
        id: -1, parentID: nil, rank: "no rank", scientificName: "implied root",
        isImpliedRoot: true),
    ]
    for hasTexts in [false, true] {
      if hasTexts {
        taxonomy.taxa.append(
          TaxonRow(
            id: TaxonID(sourceText: "x").rawValue, parentID: 2, rank: "genus",
            scientificName: "X", sourceID: "x"))
      }
      let pack = try taxonomy.pack()
      try pack.verify()
      let view = pack.view
      let root = TaxonOrdinal(rawValue: 0)
      let taxon = view.taxon(root)
      #expect(taxon.isImplied && taxon.sourceID == nil && taxon.scientificName == "implied root")
      let found = ["-1", "", "2", "3"].map { view.ids.resolve(sourceID: $0).taxon?.rawValue }
      #expect(found == [nil, nil, 1, hasTexts ? 3 : 2])
      let roots = view.tree.roots.count
      let areTexts = view.ids.areTexts
      #expect(roots == 2 && areTexts == hasTexts)
    }
  }

  @Test func refusesAnImpliedRootThatIsNone() {
    let root = TaxonRow(
      id: -1, parentID: nil, rank: "no rank", scientificName: "implied root", isImpliedRoot: true)
    var second = root
    second.id = -2
    var child = root
    child.parentID = 5
    for rows in [[second], [child], [root, root]] {
      var taxonomy = TestTaxonomy()
      taxonomy.taxa = rows
      #expect(throws: CompileError.self) { try taxonomy.pack() }
    }
  }
}

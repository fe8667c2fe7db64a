import STOLPack
import Testing

/// Records of names, sources, and own ids of synonyms.
struct NameRecordTests {
  private static func taxonomy() -> TestTaxonomy {
    var taxonomy = TestTaxonomy()
    taxonomy.sources = [
      DataSource(kind: "coldp", name: "Checklist", licence: "CC0"), DataSource(kind: "csv"),
    ]
    taxonomy.taxa = [
      TaxonRow(
        id: 1, parentID: nil, rank: "genus", scientificName: "Aba", author: "L.", year: 1758,
        status: "provisional", code: "ICZN", statusText: "temporary", sensu: "s.l.", source: 1),
      TaxonRow(id: 2, parentID: 1, rank: "species", scientificName: "Aba ba"),
      TaxonRow(
        id: 3, parentID: 2, rank: "variety", scientificName: "Aba ba ca", author: "Gray",
        year: -44, status: "synonym"),
    ]
    taxonomy.names = [
      NameRow(
        id: 10, taxonID: 2, name: "Caba ba", language: "la", type: "synonym", sourceID: "30",
        author: "(Busch)", year: 1930, rank: "subspecies", status: "misapplied",
        statusText: "misapplied name", code: "ICN", sensu: "sensu Busch, 1930", source: 2),
      NameRow(id: 11, taxonID: 2, name: "Daba ba", language: "la", type: "synonym"),
      NameRow(
        id: 12, taxonID: 2, name: "bee", language: "en", type: "common", sourceID: "31", source: 1),
      // The same name of two taxa: pro parte.
      NameRow(
        id: 13, taxonID: 2, name: "Eaba", language: "la", type: "synonym", sourceID: "x:1",
        status: "in-part"),
      NameRow(
        id: 9, taxonID: 1, name: "Eaba", language: "la", type: "synonym", sourceID: "x:1",
        status: "in-part"),
      NameRow(id: 14, taxonID: 2, name: "Faba", language: "la", type: "synonym", sourceID: "1"),
    ]
    taxonomy.traits = [
      TraitRow(id: 1, taxonID: 2, key: "diet", value: "grass", source: 2),
      TraitRow(id: 2, taxonID: 2, key: "diet", value: "grass", source: 1),
      TraitRow(id: 3, taxonID: 2, key: "height", value: "1"),
    ]
    return taxonomy
  }

  @Test func everythingThatIsKnownOfANameIsReadBack() throws {
    let pack = try Self.taxonomy().pack()
    try pack.verify()
    let view = pack.view
    let species = try #require(view.ids.resolve(sourceID: "2").taxon)
    let names = view.furtherNames(of: species)
    #expect(names.map(\.name) == ["Caba ba", "Daba ba", "bee", "Eaba", "Faba", "Aba ba ca"])
    var expected = NameRecord()
    expected.authorship = "(Busch)"
    expected.year = 1930
    expected.rank = TaxonRank(rawValue: "subspecies")
    expected.status = .misapplied
    expected.statusText = "misapplied name"
    expected.code = "ICN"
    expected.sensu = "sensu Busch, 1930"
    expected.sourceID = "30"
    #expect(names[0].record == expected)
    #expect(names[1].record == NameRecord())
    // A row of taxa that is a synonym keeps what it says.
    var synonym = NameRecord()
    synonym.authorship = "Gray"
    synonym.year = -44
    synonym.rank = TaxonRank(rawValue: "variety")
    synonym.status = .synonym
    synonym.sourceID = "3"
    #expect(names[5].record == synonym)
  }

  @Test func aTaxonSaysWhatItsColumnsHoldAndItsRecordTheRest() throws {
    let pack = try Self.taxonomy().pack()
    let view = pack.view
    let genus = view.taxon(TaxonOrdinal(rawValue: 0))
    #expect(genus.code == "ICZN" && genus.status == .provisional && genus.sourceID == "1")
    let stored = view.names.record(of: NameOrdinal(rawValue: 0))
    #expect(stored.statusText == "temporary" && stored.sensu == "s.l." && stored.authorship == nil)
    let whole = view.record(of: NameOrdinal(rawValue: 0))
    #expect(whole.authorship == "L." && whole.year == 1758 && whole.status == .provisional)
    let species = view.record(of: NameOrdinal(rawValue: 1))
    #expect(species.status == .accepted && species.sourceID == "2" && species.sensu == nil)
  }

  @Test func theOwnIdOfASynonymLeadsToItsName() throws {
    let pack = try Self.taxonomy().pack()
    let view = pack.view
    let genus = TaxonOrdinal(rawValue: 0)
    let species = TaxonOrdinal(rawValue: 1)
    func names(_ text: String) -> [String] {
      let found = view.ids.resolve(sourceID: text)
      return [found.taxon, found.name.map { view.names.taxon(of: $0) }].compactMap { taxon in
        taxon.map { view.names.scientificName(of: $0) }
      } + [found.name.map { view.names.text(of: $0) }].compactMap { $0 }
    }
    #expect(names("30") == ["Aba ba", "Aba ba", "Caba ba"])
    #expect(names("3") == ["Aba ba", "Aba ba", "Aba ba ca"])
    // Of two rows with one id the first: names are added in the order of their ids.
    #expect(names("x:1") == ["Aba ba", "Aba ba", "Eaba"])
    // A common name has no id among taxa; that of a taxon goes before that of a name.
    let others = ["31", "1", "x:2", "030"].map { view.ids.resolve(sourceID: $0) }
    #expect(others == [.notFound, .found(genus), .notFound, .notFound])
    // It is no id that the source retired.
    let merged = view.mergedIDs(into: species).count
    #expect(merged == 0 && view.ids.mergedPairs.count { $0.1 == view.ids[species] } == 3)
  }

  @Test func theOwnIdOfANameOfSeveralTaxaNamesThemAll() throws {
    let pack = try Self.taxonomy().pack()
    let view = pack.view
    let (genus, species) = (TaxonOrdinal(rawValue: 0), TaxonOrdinal(rawValue: 1))
    let found = [view.resolve("x:1"), view.resolve(sourceID: "x:1")].map { Set($0.candidates) }
    #expect(found == [[genus, species], [genus, species]])
    var filter = SearchFilter()
    filter.rank = view.taxa.ranks.row(of: TaxonRank(rawValue: "genus"))
    let left = view.resolve("x:1", filter: filter)
    let name = left.name.map { view.names.taxon(of: $0) }
    #expect(left.taxon == genus && name == genus)
    // One with an id of its own is one.
    let own = view.resolve("30")
    #expect(own.taxon == species)
  }

  @Test func sourcesStandBesideWhatCameFromThem() throws {
    let pack = try Self.taxonomy().pack()
    let view = pack.view
    let sources = view.sources
    #expect(sources.map(\.kind) == ["coldp", "csv"])
    #expect(sources[0].licence == "CC0" && sources[1].name == nil)
    let ofTaxa = [0, 1].map { view.source(of: TaxonOrdinal(rawValue: $0))?.kind }
    #expect(ofTaxa == ["coldp", nil])
    let ofNames = view.names.furtherNames(of: TaxonOrdinal(rawValue: 1)).map {
      view.source(ofName: $0)?.kind
    }
    #expect(ofNames == ["csv", nil, "coldp", nil, nil, nil])
    // Of two rows that say the same the first counts.
    let traits = view.sourcedTraits(of: TaxonOrdinal(rawValue: 1)).map {
      "\($0.trait.key) \($0.source?.kind ?? "none")"
    }
    #expect(traits == ["diet csv", "height none"])
  }

  @Test func chainsOfMergedIdsAreFollowedToTheEnd() throws {
    let bytes = try Self.taxonomy().packBytes(merged: [
      (100, 101), (101, 102), (102, 2), (103, 30), (104, 105), (105, 104), (106, 104), (107, 999),
      (30, 1), (108, 3),
    ])
    let pack = try Pack(PackBytes(copying: bytes))
    try pack.verify()
    let view = pack.view
    let species = TaxonOrdinal(rawValue: 1)
    let found = ["100", "101", "102", "103", "104", "105", "106", "107", "108"].map {
      view.ids.resolve(sourceID: $0)
    }
    #expect(
      found == [
        .merged(species), .merged(species), .merged(species), .merged(species), .notFound,
        .notFound, .notFound, .notFound, .merged(species),
      ])
    let own = view.ids.resolve(sourceID: "30").name
    #expect(own != nil)
  }

  @Test func refusesUnknownStatusesAndSources() {
    var unknown = Self.taxonomy()
    unknown.names[0].status = "wrong"
    #expect(throws: CompileError.row(table: "names", id: 10, reason: .unknownStatus("wrong"))) {
      try unknown.pack()
    }
    var source = Self.taxonomy()
    source.taxa[0].source = 3
    #expect(throws: CompileError.row(table: "taxa", id: 1, reason: .unknownSource(3))) {
      try source.pack()
    }
  }
}

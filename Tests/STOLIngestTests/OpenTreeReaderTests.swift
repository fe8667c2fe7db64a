import STOLIngest
import STOLFormats
import TestSupport
import Testing

@Suite("Open Tree")
struct OpenTreeReaderTests {
  /// Rows as Open Tree writes them, with "|" in place of its delimiter.
  private func table(_ lines: String...) -> String {
    lines.map { $0.replacing("|", with: "\t|\t") + "\t|\t\n" }.joined()
  }

  @Test func readsTheTaxonomy() throws {
    let made = try MadeDatabase(
      .ott,
      files: [
        "taxonomy.tsv": table(
          "uid|parent_uid|name|rank|sourceinfo|uniqname|flags",
          "1||Asterales|order|ncbi:4209||",
          "ott2|1|Asteraceae|family|||sibling_higher",
          "3|2|unclassified Asteraceae|no rank|||was_container",
          "4|2|Asteraceae environmental samples|no rank - terminal|||not_otu",
          "5|4|Senecio|genus|||incertae_sedis",
          "6|5|Senecio hypsobates|species|||extinct_inherited,hidden",
          "7|5|Senecio viralis|species|||barren,hybrid"),
        "synonyms.tsv": table(
          "name|uid|type|uniqname|sourceinfo",
          "Senecio hypsobates Wedd.|6|synonym||", "Cineraria hypsobates (Wedd.) L.|6||",
          "groundsel|5|common name||", "Nothing|99|synonym||"),
        "forwards.tsv": "id\treplacement\n20\t21\n21\t6\n22\t98\n",
        "version.txt": "3.7draft2\n",
      ])
    #expect(
      try made.taxa == [
        "family Asteraceae < Asterales", "genus Senecio < Asteraceae environmental samples",
        "no rank - terminal Asteraceae environmental samples ? < Asteraceae", "order Asterales",
        "species Senecio hypsobates Wedd. ? < Senecio", "species Senecio viralis < Senecio",
      ])
    #expect(
      try made.rows("SELECT source_id, status_text FROM taxa WHERE status <> 'accepted' ORDER BY 1")
        == ["4|not_otu", "6|hidden"])
    #expect(try made.synonyms == ["Cineraria hypsobates (Wedd.) L. = Senecio hypsobates"])
    #expect(try made.traits == ["Senecio hypsobates extinct=true"])
    #expect(try made.rows("SELECT * FROM merged_taxa ORDER BY 1") == ["20|20|6", "21|21|6"])
    #expect(try made.rows("SELECT name FROM names WHERE lang = 'en'") == ["groundsel"])
    #expect(made.report.sources[0].release == "3.7draft2")
    #expect(made.outcomes("taxonomy.tsv") == ["taxon": 6, "bareName": 1])
    #expect(
      made.outcomes("synonyms.tsv") == [
        "synonym": 1, "joined": 1, "vernacular": 1, "unknownTaxon": 1,
      ])
    #expect(made.outcomes("forwards.tsv") == ["merged": 2, "unknownTaxon": 1])
    let files = made.report.sources[0].files
    for name in ["taxonomy.tsv", "synonyms.tsv"] {
      #expect(
        files.first { $0.name == name }?.unreadColumns == [
          "uniqname": "said by another column",
          "sourceinfo": "licences and sources are those of the whole dataset",
        ])
    }
    #expect(made.unaccounted == [])
  }

  @Test func synonymsNeedNoColumnForTheirType() throws {
    let made = try MadeDatabase(
      .ott,
      files: [
        "taxonomy.tsv": table("uid|parent_uid|name|rank", "1||Aus bus|species"),
        "synonyms.tsv": table("name|uid", "Cus bus|1"),
      ])
    #expect(try made.synonyms == ["Cus bus = Aus bus"])
  }

  @Test func readsAnswersOfTheServices() throws {
    let made = try MadeDatabase(
      .ott,
      files: [
        "info.json": """
        {"ott_id": 5, "name": "Senecio", "rank": "genus", "flags": [], "synonyms": ["Jacobaea"],
         "unique_name": "Senecio (genus in Asterales)",
         "lineage": [{"ott_id": 2, "name": "Asteraceae", "rank": "family"},
                     {"ott_id": 1, "name": "Asterales", "rank": "order"}],
         "children": [{"ott_id": 6, "name": "Senecio vulgaris", "rank": "species",
                       "flags": ["extinct"], "synonyms": []}]}
        """,
        "node.json": """
        {"arguson": {"node_id": "mrcaott6ott7", "children": [
          {"node_id": "ott7", "taxon": {"ott_id": 7, "name": "Senecio sylvaticus", "rank": "species"},
           "lineage": [{"node_id": "mrcaott6ott7"},
                       {"node_id": "ott5", "taxon": {"ott_id": 5, "name": "Senecio", "rank": "genus"}}]}
        ]}}
        """,
        "tree.json": """
        {"newick": "((Bellis_perennis_ott9:1,'Bellis annua (species in Asteraceae) ott10')mrcaott9ott10,\
        Aster_alpinus_ott12)Asteraceae_ott2;"}
        """,
      ])
    #expect(
      try made.taxa == [
        "family Asteraceae < Asterales", "genus Senecio < Asteraceae", "order Asterales",
        "species Aster alpinus < Asteraceae", "species Bellis annua < Asteraceae",
        "species Bellis perennis < Asteraceae", "species Senecio sylvaticus < Senecio",
        "species Senecio vulgaris < Senecio",
      ])
    #expect(try made.synonyms == ["Jacobaea = Senecio"])
    #expect(try made.traits == ["Senecio vulgaris extinct=true"])
    #expect(made.outcomes("info.json") == ["taxon": 4])
    #expect(made.outcomes("node.json") == ["taxon": 1, "joined": 1])
    #expect(made.outcomes("tree.json") == ["taxon": 3, "joined": 1])
  }

  @Test func depthOverflowsNothing() throws {
    let depth = 1_000_000
    let tree =
      String(repeating: "(", count: depth) + "Aus_bus_ott1" + String(repeating: ")", count: depth)
    let made = try MadeDatabase(.ott, files: ["deep.json": "{\"newick\": \"\(tree);\"}"])
    #expect(try made.taxa == ["species Aus bus"])
    let named =
      String(repeating: "(", count: 100_000) + "Aus_bus_ott1"
      + (2...100_001).map { ")Xus_ott\($0)" }.joined()
    #expect(try MadeDatabase(.ott, files: ["named.nwk": named]).report.totals.taxa == 100_001)
    let lists = String(repeating: "[", count: depth)
    #expect(throws: FormatError.self) { try MadeDatabase(.ott, files: ["lists.json": lists]) }
    let objects = String(repeating: "{\"children\":", count: 400_000)
    #expect(throws: FormatError.self) { try MadeDatabase(.ott, files: ["objects.json": objects]) }
  }

  @Test func readsWhatItCanOfDamagedTrees() throws {
    for tree in [
      "))))Aus_bus_ott1", "Aus_bus_ott1,,,((", "('Aus bus ott1", "[Aus_bus_ott1];:::", "",
    ] {
      do {
        _ = try MadeDatabase(.ott, files: ["a.nwk": tree])
      } catch is FormatError {
      } catch is IngestError {
      }
    }
  }
}

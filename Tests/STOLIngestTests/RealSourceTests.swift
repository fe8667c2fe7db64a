import Foundation
import STOLIngest
import STOLPack
import TestSupport
import Testing

/// Counts of real sources against those of plain programs that know nothing of the readers.
@Suite("Real sources")
struct RealSourceTests {
  /// The fields of a file with a header, split and nothing more.
  private static func table(_ path: String, _ separator: String = "\t") throws -> [[String: String]]
  {
    let text = try String(contentsOfFile: RealSources.path(path), encoding: .utf8)
    let lines = text.split(separator: "\n").map {
      $0.split(
        separator: separator, omittingEmptySubsequences: false
      ).map(String.init)
    }
    return lines.dropFirst().map { fields in
      Dictionary(zip(lines[0], fields), uniquingKeysWith: { first, _ in first })
    }
  }

  private static func countByRank(_ rows: [[String: String]]) -> [String: Int] {
    Dictionary(grouping: rows.compactMap { $0["rank"] }) { $0 }.mapValues(\.count)
  }

  @Test(
    .enabled(
      if: RealSources.isAvailable("coldp_cites"), "needs ../shared/data/reference/coldp_cites"))
  func cites() throws {
    let made = try MadeDatabase(.coldp, RealSources.path("coldp_cites"))
    let usages = try Self.table("coldp_cites/NameUsage.tsv")
    let totals = made.report.totals
    #expect(totals.ranks == Self.countByRank(usages.filter { $0["status"] == "accepted" }))
    #expect(totals.synonyms == usages.count { $0["status"] == "synonym" })
    #expect(totals.vernaculars == (try Self.table("coldp_cites/vernacular-name.tsv").count))
    let known = Set(usages.map { $0["ID"] })
    #expect(
      totals.traits
        == (try Self.table("coldp_cites/taxon-property.tsv").count { known.contains($0["taxonID"]) })
    )
    #expect(
      try made.rows("SELECT source_id FROM taxa WHERE id <> -1").sorted()
        == usages.filter { $0["status"] == "accepted" }.compactMap { $0["ID"] }.sorted())
    #expect(
      try made.rows("SELECT source_id FROM names WHERE source_id IS NOT NULL").sorted()
        == usages.filter { $0["status"] == "synonym" }.compactMap { $0["ID"] }.sorted())
    #expect(try made.rows("SELECT DISTINCT trait_key FROM traits") == ["cites"])
    #expect(made.unaccounted == [])
  }

  /// Prints taxa by rank, synonyms, and pairs of taxon and reference.
  private static let pterophoroidea = """
    import collections, csv, io, sys, zipfile
    archive = zipfile.ZipFile(sys.argv[1])
    def table(name):
        text = archive.read("data/" + name + ".csv").decode()
        return list(csv.DictReader(io.StringIO(text, newline="")))
    names = {row["ID"]: row for row in table("name")}
    taxa, synonyms = table("taxon"), table("synonym")
    known = {row["ID"] for row in table("reference")}
    ranks = collections.Counter(names[row["nameID"]]["rank"] for row in taxa)
    for rank, count in ranks.items(): print(rank, count)
    pairs = {(row["nameID"], row["taxonID"]) for row in synonyms}
    print("synonyms", len(pairs))
    owner = {}
    cited = set()
    def cite(taxon, references):
        for reference in references.split(","):
            if reference in known: cited.add((taxon, reference))
    for row in taxa:
        owner.setdefault(row["nameID"], row["ID"])
        cite(row["ID"], names[row["nameID"]]["referenceID"])
        cite(row["ID"], row["referenceID"])
    for row in synonyms:
        # The name of the taxon itself is no synonym of it.
        if owner.get(row["nameID"]) == row["taxonID"]: continue
        name = ("synonym", row["nameID"])
        owner.setdefault(row["nameID"], name)
        cite(name, names[row["nameID"]]["referenceID"])
        cite(name, row["referenceID"])
    for row in table("namereference"):
        if row["nameID"] in owner: cite(owner[row["nameID"]], row["referenceID"])
    for row in table("distribution"): cite(row["taxonId"], row["referenceID"])
    print("references", len(cited))
    print("bare", len([name for name in names if name not in owner]))
    """

  @Test(
    .enabled(
      if: RealSources.isAvailable("coldp_ptero"), "needs ../shared/data/reference/coldp_ptero"))
  func pterophoroidea() throws {
    let path = RealSources.path("coldp_ptero/ptero-yaml.coldp.zip")
    let made = try MadeDatabase(.coldp, path)
    let totals = made.report.totals
    var found = totals.ranks.map { "\($0) \($1)" }
    found += ["synonyms \(totals.synonyms)", "references \(totals.references)"]
    found += ["bare \(made.outcomes("data/name.csv")["bareName"] ?? 0)"]
    let plain = try RealSources.lines(ofPython: Self.pterophoroidea, path)
    #expect(Set(found) == Set(plain))
    #expect(made.unaccounted == [])
  }

  @Test(
    .enabled(
      if: RealSources.isAvailable("col_testset/coldp"),
      "needs ../shared/data/reference/col_testset/coldp"))
  func allTestArchives() throws {
    let folder = RealSources.path("col_testset/coldp")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(names.count == 23)
    var without: [String] = []
    for name in names.sorted() {
      do {
        let made = try MadeDatabase(.coldp, folder + "/" + name)
        #expect(made.unaccounted == [], "\(name)")
      } catch IngestError.noTaxa {
        without.append(name)
      }
    }
    // Bare names, and references alone.
    #expect(without == ["20", "32"])
  }

  @Test(
    .enabled(if: RealSources.isAvailable("ott_aster"), "needs ../shared/data/reference/ott_aster"),
    arguments: ["ncbi_aster", "prev_aster"])
  func openTree(slice: String) throws {
    let made = try MadeDatabase(.ott, RealSources.path("ott_aster/\(slice)"))
    let rows = try Self.table("ott_aster/\(slice)/taxonomy.tsv", "\t|\t")
    let parents = Set(rows.compactMap { $0["parent_uid"] })
    let noTaxa: Set = ["was_container", "not_otu", "inconsistent", "merged"]
    let isTaxon = { (row: [String: String]) in
      noTaxa.isDisjoint(with: (row["flags"] ?? "").split(separator: ",").map(String.init))
    }
    let hasPlace = rows.filter { isTaxon($0) || parents.contains($0["uid"] ?? "") }
    #expect(made.report.totals.ranks == Self.countByRank(hasPlace))
    let bare = rows.count { !isTaxon($0) && !parents.contains($0["uid"] ?? "") }
    #expect(made.outcomes("taxonomy.tsv")["bareName"] == bare)
    let synonyms = try Self.table("ott_aster/\(slice)/synonyms.tsv", "\t|\t")
    let outcomes = made.outcomes("synonyms.tsv")
    #expect(made.report.totals.synonyms == outcomes["synonym"])
    #expect((outcomes["synonym"] ?? 0) + (outcomes["joined"] ?? 0) == synonyms.count)
    // Those that repeat the taxon's own name: a capital or a bracket follows it, at least mostly.
    let names = Dictionary(
      rows.map { ($0["uid"] ?? "", $0["name"] ?? "") }, uniquingKeysWith: { first, _ in first })
    let own = synonyms.count { row in
      let name = (names[row["uid"] ?? ""] ?? "") + " "
      guard let text = row["name"], text.hasPrefix(name) else { return false }
      return text.dropFirst(name.count).first.map { $0.isUppercase || "([".contains($0) } ?? false
    }
    #expect(abs(own - (outcomes["joined"] ?? 0)) <= 60)
    #expect(made.unaccounted == [])
  }

  @Test(.enabled(if: RealSources.isAvailable("itis"), "needs ../shared/data/reference/itis"))
  func itis() throws {
    let path = RealSources.path("itis/ITIS.sqlite")
    let plain = try RealSources.lines(
      ofPython: """
        import sqlite3, sys
        database = sqlite3.connect("file:" + sys.argv[1] + "?mode=ro", uri=True)
        for rank, count in database.execute(
            "SELECT lower(rank_name), count(*) FROM taxonomic_units JOIN taxon_unit_types "
            "USING (kingdom_id, rank_id) WHERE n_usage = 'valid' GROUP BY 1"):
            print(rank, count)
        for table in ("synonym_links", "vernaculars"):
            print(table, database.execute("SELECT count(*) FROM " + table).fetchone()[0])
        """, path)
    let made = try MadeDatabase(.itis, path)
    let totals = made.report.totals
    var found = totals.ranks.map { "\($0) \($1)" }
    found += ["synonym_links \(totals.synonyms)", "vernaculars \(totals.vernaculars)"]
    #expect(Set(found) == Set(plain))
    #expect(totals.roots == 1)
    #expect(made.unaccounted == [])
  }
}

import STOLData
import STOLPack
import TestSupport
import Testing

@testable import STOLJournal

/// Tables that have a common name in a column beside the scientific one.
@Suite("Stated common names")
struct StatedCommonNameTests {
  private static let map = [
    "name=name", "common=vernacular", "when=date", "what=identification_remarks",
  ]

  @Test(
    arguments: [
      ("Panthera leo", "lion", nil), ("Panthera leo", "LION", nil),
      ("Panthera leo", "tiger", "Panthera tigris"),
      // A genus of the species, a species of the genus.
      ("Quercus robur", "oaks", nil), ("Panthera", "tiger", nil), ("Panthera sp.", "lion", nil),
      ("Quercus", "lion", "Panthera leo"),
      // Nobody knows it, or nothing is said.
      ("Panthera leo", "king of beasts", nil), ("Panthera leo", "", nil),
    ] as [(String, String, String?)])
  func aCommonNameHasToAgree(name: String, common: String, other: String?) throws {
    let home = try TestJournal()
    let journal = try home.open()
    let text = "name,common,when,what\n\(name),\(common),2020,seen\n"
    let (rows, summary) = try TestTable.import(text, Self.map, into: journal, looksUpNames: true)
    let found = try journal.liveRecords().compactMap { kept -> Identification? in
      if case .identification(let identification) = kept.record { identification } else { nil }
    }
    #expect(found.count == 1 && found[0].verbatimName == name)
    // What was written is kept, whatever it is taken for.
    #expect(found[0].remarks == (common.isEmpty ? "seen" : "seen; \(common)"))
    #expect((found[0].taxon == nil) == (other != nil))
    #expect((found[0].match == .none) == (other != nil))
    #expect(rows.map(\.outcome) == [other == nil ? .new : .flagged])
    #expect(summary.unresolvedCount == (other == nil ? 0 : 1))
    guard let other else { return #expect(rows[0].flags == []) }
    let flag = try #require(rows[0].flags.first)
    #expect(rows[0].flags.count == 1 && flag.column == "common" && flag.value == common)
    #expect(flag.reason.contains(other) && flag.reason.contains("suggestion"))
    #expect(try journal.openNames().map(\.verbatimName) == [name])
    // Once somebody has said what it is, the same file again changes nothing.
    let pack = try TestTable.pack.get()
    let tiger = try #require(pack.view.resolve("Panthera tigris").taxon)
    let reference = try #require(pack.view.reference(to: tiger) as TaxonReference?)
    try journal.decide(name, is: reference)
    let before = try home.dump()
    #expect(
      try TestTable.import(text, Self.map, into: journal, looksUpNames: true).rows.map(\.outcome)
        == [.same])
    #expect(try home.dump() == before)
  }

  /// By brute force: all names of all taxa are looked at, and the parents of both taxa.
  @Test(arguments: 0..<Sweep.count(few: 6, full: 200))
  func whatContradictsIsThatOfBruteForce(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let texts = ["oak", "Oak", "red oak", "rook", "wren", "elk"]
    var parents: [Int: Int] = [:]
    var names: [(taxon: Int, name: String)] = []
    var sql = """
      INSERT INTO dataset VALUES ('id_space', 'test');
      INSERT INTO taxa (id, parent_id, rank, scientific_name) VALUES (1, NULL, 'kingdom', 'Metazoa')
      """
    func name(_ id: Int) -> String {
      let letters = "bcdfglmnprst"
      return "G" + String(String(id).map { Array(letters)[$0.wholeNumberValue ?? 0] }) + "ata"
    }
    for id in 2...20 {
      let parent = id < 6 ? 1 : Int.random(in: 2...5, using: &generator)
      parents[id] = parent
      let full = id < 6 ? name(id) : "\(name(parent)) \(name(id).lowercased())"
      sql += ", (\(id), \(parent), '\(id < 6 ? "genus" : "species")', '\(full)')"
    }
    sql += ";\nINSERT INTO names (id, taxon_id, name, lang, name_type, is_preferred) VALUES "
    sql += "(1, 2, 'x y', 'la', 'synonym', 0)"
    for id in 2...12 {
      let taxon = Int.random(in: 2...20, using: &generator)
      let text = texts.randomElement(using: &generator) ?? "oak"
      sql += ", (\(id), \(taxon), '\(text)', 'en', 'common', 0)"
      names.append((taxon, text))
    }
    let folder = try TemporaryFolder()
    let pack = try Pack(path: try Taxonomy.compile(sql + ";", in: folder))
    let imported = ImportNames(in: pack)
    func lineage(_ taxon: Int) -> [Int] {
      [taxon] + (parents[taxon].map(lineage) ?? [])
    }
    for taxon in 2...20 {
      let full =
        taxon < 6 ? name(taxon) : "\(name(parents[taxon] ?? 1)) \(name(taxon).lowercased())"
      for text in texts {
        let having = names.filter { $0.name.lowercased() == text.lowercased() }.map(\.taxon)
        let agrees =
          having.isEmpty
          || having.contains { lineage($0).contains(taxon) || lineage(taxon).contains($0) }
        var identification = imported.resolve(
          Identification(occurrence: JournalID(), verbatimName: full), hints: [])
        #expect(identification.taxon?.id == "\(taxon)", "seed \(seed): \(full)")
        let flag = imported.withdraw(&identification, beside: text)
        #expect((flag == nil) == agrees, "seed \(seed): \(full), \(text)")
        #expect((identification.taxon != nil) == agrees)
      }
    }
  }
}

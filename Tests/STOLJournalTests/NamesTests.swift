import Foundation
import STOLData
import STOLPack
import TestSupport
import Testing

@testable import STOLJournal

@Suite("Names in the journal")
struct NamesTests {
  private static let pack = Result { try BundledDatabase.open() }

  private func read(_ name: String, within: String? = nil) throws -> NameReading {
    let pack = try Self.pack.get()
    let view = pack.view
    var reader = JournalNameReader(
      within: try within.map { try #require(view.resolve($0).taxon) })
    return reader.read(name, in: view)
  }

  @Test(arguments: [
    ("Panthera leo", "Panthera leo", nil as String?, nil as String?),
    ("panthera  LEO", "Panthera leo", nil, nil),
    ("Panthera leo (Linnaeus, 1758)", "Panthera leo", nil, nil),
    ("Quercus robur L.", "Quercus robur", nil, nil), ("Acer sp.", "Acer", "sp.", nil),
    ("Acer spp.", "Acer", "spp.", nil), ("Quercus cf. robur", "Quercus", "cf. robur", nil),
  ])
  func aWholeNameIsAnIdentification(
    name: String, taxon: String, qualifier: String?, cultivar: String?
  ) throws {
    let reading = try read(name)
    #expect(reading.taxon?.name == taxon, "\(reading)")
    #expect(reading.qualifier == qualifier && reading.cultivar == cultivar, "\(reading)")
    let identification = reading.identification(of: JournalID())
    try identification.validate()
    #expect(identification.verbatimName == name && identification.match == .exact)
  }

  @Test(arguments: [
    "Cercis canadensiss", "Panthera leoo", "Pantera leo", "Quercus ?robur", "Panthera leo auct.",
    "Nothing at all", "lion", "Oenanthe", "?", "-", "NA", "Panthera leo x Panthera tigris",
  ])
  func whatIsMerelySimilarIsNone(name: String) throws {
    let reading = try read(name)
    #expect(reading.taxon == nil, "\(reading)")
    let identification = reading.identification(of: JournalID())
    #expect(identification.verbatimName == name && identification.match == .none)
    try identification.validate()
  }

  @Test func aSimilarNameIsSuggested() throws {
    let reading = try read("Panthera leoo")
    #expect(reading.suggestions.first?.taxon.name == "Panthera leo", "\(reading)")
    #expect(reading.suggestions.first?.difference != "none")
  }

  @Test func aCommonNameComesBeforeWhatIsMerelySimilar() throws {
    let reading = try read("lion")
    #expect(reading.taxon == nil && reading.status == "common", "\(reading)")
    #expect(reading.suggestions.first?.taxon.name == "Panthera leo")
    #expect(reading.suggestions.first?.difference == NameSuggestion.commonName)
    // "Lon" is a genus.
    #expect(reading.suggestions.count > 1)
  }

  @Test(arguments: ["Panthera leo / tigris", "Panthera leo/tigris"])
  func aNameOfSeveralIsWhatAllOfThemAreIn(name: String) throws {
    let reading = try read(name)
    #expect(reading.taxon?.name == "Panthera" && reading.qualifier == name, "\(reading)")
  }

  @Test func whatIsOutsideTheAskedTaxonIsNone() throws {
    #expect(try read("Panthera leo", within: "Viridiplantae").taxon == nil)
    #expect(try read("Panthera leo", within: "Felidae").taxon?.name == "Panthera leo")
  }

  @Test func oneDecisionIsForAllOfItsName() throws {
    let home = try TestJournal()
    let journal = try home.open()
    let event = Event(kind: .visit, start: try LocalTime("2026-01-01"))
    var records: [JournalRecord] = [.event(event)]
    var seen: [JournalID] = []
    for name in ["redbud", "redbud", "oak", "redbud"] {
      let occurrence = Occurrence(event: event.id)
      seen.append(occurrence.id)
      records += [
        .occurrence(occurrence),
        .identification(Identification(occurrence: occurrence.id, verbatimName: name)),
      ]
    }
    try journal.save(records)
    #expect(
      try journal.openNames() == [
        OpenName(verbatimName: "redbud", sightingCount: 3),
        OpenName(verbatimName: "oak", sightingCount: 1),
      ])
    let before = try home.dump()
    let redbud = taxon(5, "Cercis canadensis")
    #expect(try journal.decide("redbud", is: redbud).count == 3)
    #expect(try journal.openNames().map(\.verbatimName) == ["oak"])
    for id in [seen[0], seen[1], seen[3]] {
      let history = try journal.parts(of: id).map(\.record)
      guard case .identification(let last)? = history.last else {
        Issue.record("no identification")
        return
      }
      #expect(history.count == 2 && last.taxon == redbud && last.match == .chosen)
      #expect(last.verbatimName == "redbud")
    }
    #expect(try journal.decide("redbud", is: redbud).batch == nil)
    #expect(try journal.check() == [])
    try journal.undo()
    #expect(
      try home.dump()
        == before)
  }

  /// A database with other ids, in which one name is a synonym, one of two taxa, and one is missing.
  @Test func relinkingReportsBeforeItAdds() throws {
    let folder = try TemporaryFolder()
    func space(_ name: String) -> String { "INSERT INTO dataset VALUES ('id_space', '\(name)');" }
    let old = try Pack(path: try Taxonomy.compile(Taxonomy.cats + space("cats"), in: folder, "old"))
    let new = try Pack(
      path: try Taxonomy.compile(
        """
        INSERT INTO taxa (id, parent_id, rank, scientific_name, author, year, status) VALUES
          (1, NULL, 'kingdom', 'Animalia', NULL, NULL, 'accepted'),
          (2, 1, 'genus', 'Panthera', NULL, NULL, 'accepted'),
          (60, 2, 'species', 'Panthera leo', '(Linnaeus, 1758)', 1758, 'accepted'),
          (61, 2, 'species', 'Panthera nova', '(Linnaeus, 1758)', 1758, 'accepted'),
          (10, 2, 'species', 'Panthera pardus', NULL, NULL, 'accepted');
        INSERT INTO names (id, taxon_id, name, lang, name_type, is_preferred) VALUES
          (1, 61, 'Panthera tigris', 'la', 'synonym', 0);
        """ + space("other"), in: folder, "new"))
    let home = try TestJournal()
    let journal = try home.open()
    let event = Event(kind: .visit, start: try LocalTime("2026-01-01"))
    var records: [JournalRecord] = [.event(event)]
    let view = old.view
    for (name, count) in [("Panthera leo", 3), ("Panthera tigris", 2), ("Canis lupus", 1)] {
      let found = try #require(view.resolve(name).taxon)
      let stated = view.reference(to: found)
      let reference = try #require(stated)
      for _ in 0..<count {
        let seen = Occurrence(event: event.id)
        records += [
          .occurrence(seen),
          .identification(
            Identification(
              occurrence: seen.id, verbatimName: name, taxon: reference, match: .exact)),
        ]
      }
    }
    try journal.save(records)
    #expect(try journal.relinkReport(in: old).allSatisfy { $0.outcome == "same" && !$0.isChange })
    let before = try home.dump()
    let report = try journal.relinkReport(in: new)
    #expect(try home.dump() == before)
    #expect(report.map(\.outcome) == ["by name", "by synonym", "absent"])
    #expect(report.map(\.proposal?.name) == ["Panthera leo", "Panthera nova", nil])
    #expect(report.map(\.occurrenceCount) == [3, 2, 1])
    let (count, batch) = try journal.relink(report)
    #expect(count == 5)
    // A wolf is a wolf, whatever has its number now.
    let list = try journal.lifeList(SightingQuery(), in: new)
    #expect(Set(list.map(\.outcome)) == ["same", "absent"])
    #expect(Set(list.map(\.taxon.name)) == ["Panthera leo", "Panthera nova", "Canis lupus"])
    #expect(try journal.relinkReport(in: new).allSatisfy { !$0.isChange })
    #expect(try journal.check() == [])
    try journal.undo(batch: batch)
    #expect(try journal.relinkReport(in: new) == report)
  }

  /// Names of a real inventory of trees: none becomes an animal, and what was written is kept.
  @Test(.enabled(if: SharedData.has("reference/journal/trees/cornell_2022_first400.csv")))
  func treesOfAnInventoryAreTreesOrNothing() throws {
    let path = SharedData.path("reference/journal/trees/cornell_2022_first400.csv")
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(whereSeparator: \.isNewline)
    let names = Set(
      lines.dropFirst().map {
        String($0.split(separator: ",", omittingEmptySubsequences: false)[3])
      })
    #expect(names.count > 50)
    let pack = try Self.pack.get()
    let view = pack.view
    var reader = JournalNameReader()
    var found = 0
    for name in names.sorted() {
      let reading = reader.read(name, in: view)
      guard let taxon = reading.taxon else { continue }
      found += 1
      #expect(
        !taxon.kingdoms.contains("Metazoa") && !taxon.kingdoms.contains("Animalia"), "\(reading)")
      #expect(name.lowercased().hasPrefix(taxon.name.prefix(3).lowercased()), "\(reading)")
    }
    #expect(found > names.count / 2)
  }
}

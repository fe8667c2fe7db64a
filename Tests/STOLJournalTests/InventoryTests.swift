import Foundation
import STOLData
import STOLFormats
import STOLPack
import TestSupport
import Testing

@testable import STOLJournal

/// Inventories of trees as cities publish them.
@Suite("Real inventories of trees")
struct InventoryTests {
  private static let folder = "reference/journal/trees/"
  private static let isThere = SharedData.has(folder + "cornell_2022_first400.csv")
  private static let needed: Comment = "needs ../shared/data/reference/journal/trees"

  private static let cornell = [
    "longitude=longitude", "latitude=latitude", "treeid=id", "botanic=name", "common=vernacular",
    "yearinv=date", "dbh=dbh_mm:in", "=source=cornell",
  ]
  private static let fitzroy = [
    "Latitude=latitude", "Longitude=longitude", "Genus=genus", "Date.Planted=planted",
    "Diameter.Breast.Height=dbh_mm:cm",
    "Located.in=place", "=date=2015", "=dates=dmy", "=country=AU",
  ]

  /// Trees of Cornell that the embedded taxonomy does not have, however like another name theirs is.
  private static let unknownTrees: Set<String> = [
    "Ailanthus altissima", "Magnolia x soulangiana", "Platanus x acerifolia", "Sorbus alnifolia",
  ]
  /// What may be a genus, or its subgenus, which is called so too.
  private static let ambiguousTrees: Set<String> = ["Stewartia species"]
  /// Genera of trees and of animals, or a genus and its subgenus.
  private static let ambiguousGenera: Set<String> = ["Agathis", "Corymbia", "Ficus"]

  private func `import`(
    _ name: String, _ map: [String], into journal: JournalFile
  ) throws -> (rows: [ImportedRow], summary: ImportSummary) {
    let files = try SourceFiles(path: SharedData.path(Self.folder + name))
    let reader = try TableImportReader(
      try files.open(files.names[0]), fileName: name, mapping: try TableMapping(map))
    var rows: [ImportedRow] = []
    let names = ImportNames(in: try TestTable.pack.get())
    let summary = try journal.importing(reader, names: names) { rows.append($0) }
    return (rows, summary)
  }

  /// Each name once, with the taxon or the reason why there is none.
  private func readings(_ journal: JournalFile) throws -> [String: String] {
    var readings: [String: String] = [:]
    for case .identification(let identification) in try journal.liveRecords().map(\.record) {
      let taxon = identification.taxon?.name ?? "-"
      let beside = [identification.qualifier, identification.cultivar].compactMap { $0 }
      readings[identification.verbatimName] = ([taxon] + beside).joined(separator: " / ")
    }
    return readings
  }

  @Test(.enabled(if: isThere, needed)) func theNamesOfCornellAreReadWithCare() throws {
    let home = try TestJournal()
    let journal = try home.open()
    let (rows, summary) = try self.import("cornell_2022_first400.csv", Self.cornell, into: journal)
    // Two are 0 inches thick.
    #expect(rows.count { $0.outcome == .new } == 398)
    #expect(rows.count { $0.outcome == .flagged } == 2)
    #expect(summary.rowCount == 400 && summary.namedCount == 400)
    let measures = try journal.liveRecords().compactMap { kept -> Measure? in
      if case .measure(let measure) = kept.record { measure } else { nil }
    }
    #expect(measures.count == 400 && measures.allSatisfy { $0.type == "dbh_mm" })
    // 17 and 20.5 inches.
    #expect(measures.prefix(2).map(\.number) == [432, 521])
    let readings = try readings(journal)
    #expect(readings.count == 65)
    #expect(readings["Stewartia species"] == "- / species")
    for (name, reading) in readings
    where !Self.unknownTrees.contains(name) && !Self.ambiguousTrees.contains(name) {
      let isGenus = name.hasSuffix(" species")
      #expect(reading == (isGenus ? name.replacing(" species", with: " / species") : name))
    }
    #expect(Set(readings.filter { $0.value == "-" }.keys) == Self.unknownTrees)
    try expectNoLoss(journal)
    let before = try home.dump()
    #expect(
      try self.import("cornell_2022_first400.csv", Self.cornell, into: journal).summary.rowCounts
        == [.same: 400])
    #expect(try home.dump() == before)
  }

  @Test(.enabled(if: isThere, needed)) func theGeneraOfFitzroyAreReadWithCare() throws {
    let journal = try TestJournal().open()
    let (rows, summary) = try self.import(
      "fitzroy_gardens_first400.csv", Self.fitzroy, into: journal)
    #expect(rows.count == 399 && summary.rowCounts[.refused] == nil)
    let readings = try readings(journal)
    #expect(readings.count == 51)
    #expect(readings.allSatisfy { $0.value == "-" || $0.value == $0.key })
    #expect(Set(readings.filter { $0.value == "-" }.keys) == Self.ambiguousGenera)
    try expectNoLoss(journal)
  }

  @Test(.enabled(if: isThere, needed)) func otherTablesAreReadToo() throws {
    let journal = try TestJournal().open()
    let simple = try self.import(
      "opentrees_simple.csv",
      [
        "ID=id", "LON=longitude", "LAT=latitude", "NAME=name", "HEIGHT_CM=height_cm:cm",
        "=date=2020", "=source=simple",
      ],
      into: journal)
    #expect(simple.rows.map(\.outcome) == [.new, .new])
    let species = try self.import(
      "otm_species_first120.csv",
      [
        "otm_code=id", "genus=genus", "species=species", "cultivar=cultivar",
        "common_name=vernacular", "=date=2020", "=source=otm",
      ], into: journal)
    #expect(species.rows.count == 119 && species.summary.rowCounts[.refused] == nil)
    // "Loquat" and "Apple" are common names, which are suggestions at best.
    let readings = try readings(journal)
    #expect(readings["Loquat"] == "-" && readings["Apple"] == "-")
    #expect(readings["Acer platanoides"]?.hasPrefix("Acer platanoides") == true)
    try expectNoLoss(journal)
  }

  /// The cultivars of a list of trees, behind the name as people write them, are what the list has in a column.
  @Test(.enabled(if: isThere, needed)) func cultivarsBehindNamesAreThoseOfTheirColumn() throws {
    let text = try String(
      contentsOfFile: SharedData.path(Self.folder + "otm_species_first120.csv"), encoding: .utf8)
    let pack = try TestTable.pack.get()
    let view = pack.view
    var reader = JournalNameReader()
    var (count, knownCount) = (0, 0)
    for line in text.split(whereSeparator: \.isNewline).dropFirst() {
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      let (genus, species, cultivar) = (cells[1], cells[2], cells[3])
      guard !cultivar.isEmpty else { continue }
      count += 1
      let plain = reader.read("\(genus) \(species)", in: view)
      for written in [
        "\(genus) \(species) '\(cultivar)'", "\(genus) \(species) \u{2018}\(cultivar)\u{2019}",
        "\(genus) \(species) cv. \(cultivar)",
      ] {
        let reading = reader.read(written, in: view)
        #expect(reading.taxon == plain.taxon && reading.cultivar == cultivar, "\(reading)")
        #expect(reading.qualifier == nil, "\(reading)")
      }
      if plain.taxon != nil { knownCount += 1 }
    }
    #expect(count == 19 && knownCount > 10)
  }

  /// Exported as a table and as lines and imported into empty journals, all is there again.
  private func expectNoLoss(_ journal: JournalFile) throws {
    let wanted = try TestTable.records(of: journal)
    for form in JournalTable.Form.allCases {
      let (text, report) = try TestTable.text(of: journal, as: form)
      #expect(report.leftOut == [:] && report.changedTextCount == 0)
      let other = try TestJournal().open()
      let (_, summary) = try TestTable.import(text, into: other)
      #expect(summary.rowCount == report.rowCount && summary.rowCounts[.refused] == nil)
      #expect(try TestTable.records(of: other) == wanted)
    }
    let lines = try JournalLines.text(of: journal)
    let other = try TestJournal().open()
    try other.save(
      try lines.split(separator: "\n").map { try JournalLines.record(String($0)) }, as: .import)
    #expect(try JournalLines.text(of: other) == lines)
    #expect(try other.check() == [])
  }
}

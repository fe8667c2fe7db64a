import Foundation
import STOLData
import STOLPack
import TestSupport
import Testing

@testable import STOLJournal

/// Names as people write them, in a database of which all names are known.
@Suite("Reading names for the journal")
struct NameReadingTests {
  private static let folder = Result { try TemporaryFolder() }
  private static let pack = Result {
    try Pack(path: try Taxonomy.compile(sql, in: try folder.get(), "names"))
  }

  private static let sql = """
    INSERT INTO dataset VALUES ('id_space', 'test');
    INSERT INTO taxa (id, parent_id, rank, scientific_name, author, year, status) VALUES
      (1, NULL, 'domain', 'Eukaryota', NULL, NULL, 'accepted'),
      (2, 1, 'kingdom', 'Viridiplantae', NULL, NULL, 'accepted'),
      (3, 1, 'kingdom', 'Metazoa', NULL, NULL, 'accepted'),
      (10, 2, 'genus', 'Malus', 'Mill.', NULL, 'accepted'),
      (11, 10, 'species', 'Malus domestica', '(Suckow) Borkh.', NULL, 'accepted'),
      (12, 2, 'genus', 'Acer', 'L.', NULL, 'accepted'),
      (13, 12, 'species', 'Acer palmatum', 'Thunb.', NULL, 'accepted'),
      (14, 13, 'variety', 'Acer palmatum var. dissectum', NULL, NULL, 'accepted'),
      (15, 2, 'genus', 'Quercus', 'L.', NULL, 'accepted'),
      (16, 15, 'species', 'Quercus robur', 'L.', 1753, 'accepted'),
      (17, 2, 'genus', 'Tilia', 'L.', NULL, 'accepted'),
      (18, 17, 'species', 'Tilia x europaea', 'L.', NULL, 'accepted'),
      (19, 2, 'genus', 'Magnolia', 'L.', NULL, 'accepted'),
      (20, 15, 'species', 'Quercus petraea', NULL, NULL, 'accepted'),
      (21, 12, 'species', 'Acer × freemanii', NULL, NULL, 'accepted'),
      (30, 3, 'genus', 'Larus', NULL, NULL, 'accepted'),
      (31, 30, 'species', 'Larus argentatus', NULL, NULL, 'accepted'),
      (32, 30, 'species', 'Larus fuscus', NULL, NULL, 'accepted'),
      (33, 3, 'genus', 'Columba', NULL, NULL, 'accepted'),
      (34, 33, 'species', 'Columba livia', 'Gmelin, 1789', 1789, 'accepted'),
      (35, 3, 'genus', 'Erithacus', NULL, NULL, 'accepted'),
      (36, 35, 'species', 'Erithacus rubecula', '(Linnaeus, 1758)', 1758, 'accepted'),
      (37, 3, 'genus', 'Turdus', NULL, NULL, 'accepted'),
      (38, 37, 'species', 'Turdus migratorius', NULL, NULL, 'accepted'),
      (39, 3, 'genus', 'Robia', NULL, NULL, 'accepted'),
      (40, 3, 'genus', 'Setophaga', NULL, NULL, 'accepted'),
      (41, 40, 'species', 'Setophaga magnolia', NULL, NULL, 'accepted'),
      (42, 33, 'subspecies', 'Columba livia (Town Pigeon)', NULL, NULL, 'accepted'),
      (43, 15, 'species', 'Quercus sp.', NULL, NULL, 'accepted'),
      (44, 15, 'species', 'Quercus cf. robur', NULL, NULL, 'accepted'),
      (45, 15, 'species', 'Quercus sp. B12', NULL, NULL, 'accepted');
    INSERT INTO names (id, taxon_id, name, lang, name_type, is_preferred) VALUES
      (1, 11, 'Malus pumila', 'la', 'synonym', 0), (2, 16, 'Quercus pedunculata', 'la', 'synonym', 0),
      (3, 36, 'robin', 'en', 'common', 1), (4, 38, 'Robin', 'en', 'vernacular', 0),
      (5, 36, 'Rotkehlchen', 'de', 'common', 1), (6, 15, 'oak', 'en', 'common', 1),
      (7, 41, 'Magnolia warbler', 'en', 'common', 1), (8, 34, 'Rock Pigeon', 'en', 'common', 1),
      (9, 15, 'chêne', 'fr', 'common', 1), (10, 34, 'unknown', 'en', 'common', 0),
      (11, 20, 'chene', 'fr', 'trade', 0), (12, 16, 'chêne', 'fr', 'common', 0);
    """

  private func read(_ name: String, within: String? = nil) throws -> NameReading {
    let pack = try Self.pack.get()
    let view = pack.view
    var reader = JournalNameReader(within: try within.map { try #require(view.resolve($0).taxon) })
    let reading = reader.read(name, in: view)
    try reading.identification(of: JournalID()).validate()
    #expect(reading.verbatimName == name)
    return reading
  }

  /// Taxon, qualifier and cultivar in a line.
  private func line(_ reading: NameReading) -> String {
    [reading.taxon?.name, reading.qualifier, reading.cultivar].map { $0 ?? "-" }
      .joined(separator: " / ")
  }

  @Test(arguments: [
    ("Malus domestica 'Discovery'", "Malus domestica / - / Discovery"),
    ("Malus domestica \u{2018}Discovery\u{2019}", "Malus domestica / - / Discovery"),
    ("Malus domestica \"Discovery\"", "- / \"Discovery\" / -"),
    ("Malus domestica \u{201C}Discovery\u{201D}", "- / \u{201C}Discovery\u{201D} / -"),
    ("Malus domestica 'Beauty of Bath'", "Malus domestica / - / Beauty of Bath"),
    ("Malus domestica 'Beauty of'", "- / 'Beauty of' / -"),
    ("Malus domestica 'Not Sure'", "- / 'Not Sure' / -"),
    ("Malus domestica 'Red oak'", "- / 'Red oak' / -"),
    ("Malus domestica 'Larus fuscus'", "- / 'Larus fuscus' / -"),
    ("Malus domestica 'Larus'", "- / 'Larus' / -"),
    ("Malus domestica 'Robin'", "- / 'Robin' / -"),
    ("Malus domestica `Discovery'", "Malus domestica / - / Discovery"),
    ("Malus domestica (Suckow) Borkh. 'Discovery'", "Malus domestica / - / Discovery"),
    ("Malus domestica 'Cox's Orange Pippin'", "Malus domestica / - / Cox's Orange Pippin"),
    ("Malus domestica cv. Discovery", "Malus domestica / - / Discovery"),
    ("Malus cv. Discovery", "Malus / - / Discovery"),
    ("Malus 'Discovery'", "Malus / - / Discovery"),
    ("Malus 'Discovery' on M9", "Malus / on M9 / Discovery"),
    ("Malus sp. 'Discovery'", "Malus / sp. / Discovery"),
    ("Malus pumila 'Discovery'", "Malus domestica / - / Discovery"),
    ("Acer cf. palmatum 'Bloodgood'", "Acer / cf. palmatum / Bloodgood"),
    (
      "Acer palmatum var. dissectum 'Crimson Queen'",
      "Acer palmatum var. dissectum / - / Crimson Queen"
    ),
    ("Acer palmatum var. novum 'Crimson Queen'", "Acer palmatum / var. novum / Crimson Queen"),
    ("Tilia x europaea 'Pallida'", "Tilia x europaea / - / Pallida"),
    ("Tilia × europaea L. 'Pallida'", "Tilia x europaea / - / Pallida"),
    // An author who is not that of the name, and a species that is not there.
    ("Malus domestica Xus 'Discovery'", "- / - / Discovery"),
    ("Malus nova 'Discovery'", "- / - / Discovery"),
    ("Malus domestics 'Discovery'", "- / - / Discovery"),
    ("Malus ?domestica 'Discovery'", "- / - / Discovery"),
    ("Malus domestica auct. 'Discovery'", "- / auct. / Discovery"),
  ])
  func aCultivarStandsBesideItsSpecies(name: String, wanted: String) throws {
    let reading = try read(name)
    #expect(line(reading) == wanted, "\(reading)")
    if reading.taxon == nil, !name.contains("nova") {
      #expect(reading.suggestions.first?.taxon.name == "Malus domestica", "\(reading)")
    }
  }

  @Test(arguments: [
    ("Tilia x europaea", "Tilia x europaea"), ("Tilia × europaea", "Tilia x europaea"),
    ("Tilia X europaea", "Tilia x europaea"), ("Tilia ×europaea", "Tilia x europaea"),
    ("Tilia europaea", "Tilia x europaea"), ("Tilia europaea L.", "Tilia x europaea"),
    ("Tilia × europaea L.", "Tilia x europaea"), ("Acer freemanii", "Acer × freemanii"),
    ("Acer x freemanii", "Acer × freemanii"), ("Quercus x robur", "-"), ("× Tilia europaea", "-"),
    ("Tilia x Europaea", "Tilia x europaea"), ("Tilia x Europaea 'Pallida'", "Tilia x europaea"),
    ("Tilia x Robur", "-"), ("Tilia europaeus", "-"), ("Tilia ?europaea", "-"),
    ("Tilia x Acer", "-"),
    ("Quercus robur x petraea", "-"), ("Quercus robur x Quercus petraea", "-"),
  ])
  func aHybridHasTheSameNameWithoutItsSign(name: String, wanted: String) throws {
    let reading = try read(name)
    #expect(reading.taxon?.name ?? "-" == wanted, "\(reading)")
  }

  @Test(arguments: [
    ("Quercus robur f. fastigiata", "Quercus robur / f. fastigiata / -"),
    ("Quercus robur L. f. fastigiata (Lam.) O.Schwarz", "Quercus robur / f. fastigiata / -"),
    ("Quercus robur subsp. robur", "Quercus robur / subsp. robur / -"),
    ("Quercus robur ssp. nova var. alba", "Quercus robur / ssp. nova var. alba / -"),
    ("Acer palmatum var. dissectum f. nova", "Acer palmatum var. dissectum / f. nova / -"),
    ("Acer palmatum var. dissectum", "Acer palmatum var. dissectum / - / -"),
    ("Quercus robur f. fastigiata 'Koster'", "Quercus robur / f. fastigiata / Koster"),
    ("Quercus robur s.l.", "Quercus robur / s.l. / -"),
    ("Quercus robur - dead", "- / - dead / -"), ("Quercus sp.", "Quercus / sp. / -"),
    ("Quercus spp.", "Quercus / spp. / -"), ("Quercus species", "Quercus / species / -"),
    ("Quercus cf. robur", "Quercus / cf. robur / -"),
    ("Quercus sp. B12", "Quercus sp. B12 / - / -"), ("Quercus sp. 7", "Quercus / sp. 7 / -"),
    ("Quercus aff. robur", "Quercus / aff. robur / -"),
    ("Columba livia Gmelin, 1789", "Columba livia / - / -"),
    ("Columba livia (Town Pigeon)", "Columba livia (Town Pigeon) / - / -"),
    ("Erithacus rubecula (Linnaeus, 1758)", "Erithacus rubecula / - / -"),
    // A form of a synonym, a word that nobody marked, a doubt, and a species that is merely similar.
    ("Quercus pedunculata f. fastigiata", "- / - / -"), ("Quercus robur fastigiata", "- / - / -"),
    ("Quercus ?robur f. fastigiata", "- / - / -"), ("Quercus robus f. fastigiata", "- / - / -"),
    ("Quercus robur?", "- / - / -"), ("Quercus ?robur", "- / - / -"),
  ])
  func whatIsSaidBesideANameIsItsQualifier(name: String, wanted: String) throws {
    let reading = try read(name)
    #expect(line(reading) == wanted, "\(reading)")
    if reading.taxon == nil {
      #expect(reading.suggestions.first?.taxon.name == "Quercus robur", "\(reading)")
    }
  }

  /// What stands in parentheses, brackets or quotes may be another taxon: only what the taxon itself is called is none.
  @Test(arguments: [
    "(Stock Dove)", "[Stock Dove]", "\"Stock Dove\"", "'Stock Dove'", "(Feral Pigeon)",
    "(Domestic type)", "[domestica Group]", "(Plastic Decoy)", "(Museum Skin)", "(Says Bob)",
    "(Heard Only)", "(Larus Fuscus)", "'Larus fuscus'", "(Robin)", "[Robin]", "(unknown)", "(oak)",
    "'2000'", "\u{201C}Stock Dove\u{201D}", "cv. Stock",
  ])
  func aRemarkBehindANameIsADoubt(remark: String) throws {
    let reading = try read("Columba livia \(remark)")
    #expect(reading.taxon == nil && reading.cultivar == nil, "\(reading)")
    #expect(reading.suggestions.first?.taxon.name == "Columba livia", "\(reading)")
    let mayBeCultivar = remark.hasPrefix("'") || remark.hasPrefix("cv.")
    #expect(try mayBeCultivar || read("Quercus robur \(remark)").taxon == nil)
  }

  @Test(arguments: [
    ("Columba livia (Rock Pigeon)", "Columba livia / (Rock Pigeon) / -"),
    ("Columba livia [rock pigeon]", "Columba livia / [rock pigeon] / -"),
    ("Columba livia \"Rock Pigeon\"", "Columba livia / \"Rock Pigeon\" / -"),
    ("Columba livia 'Rock Pigeon'", "Columba livia / 'Rock Pigeon' / -"),
    ("Erithacus rubecula (robin)", "Erithacus rubecula / (robin) / -"),
    ("Erithacus rubecula (Rotkehlchen)", "Erithacus rubecula / (Rotkehlchen) / -"),
    ("Quercus (Oak)", "Quercus / (Oak) / -"), ("Quercus robur (Oak)", "- / - / -"),
    ("Erithacus rubecula (Rock Pigeon)", "- / (Rock Pigeon) / -"),
  ])
  func whatATaxonIsCalledMayStandBehindItsName(name: String, wanted: String) throws {
    let reading = try read(name)
    #expect(line(reading) == wanted, "\(reading)")
  }

  @Test(arguments: [
    ("Larus argentatus/fuscus", "Larus"), ("Larus argentatus / fuscus", "Larus"),
    ("Larus argentatus/Larus fuscus", "Larus"), ("Larus argentatus/argentatus", "Larus argentatus"),
    ("Larus fuscus/Columba livia", "Metazoa"), ("Quercus robur/petraea/robur", "Quercus"),
    ("Larus argentatus/niger", "-"), ("Larus argentatus/fuscus/niger", "-"),
    ("Larus argentatus/fuskus", "-"), ("Larus/Columba", "-"), ("Larus argentatus/", "-"),
    ("/", "-"), ("n/a", "-"), ("Larus argentatus/fuscus cf. niger", "-"),
  ])
  func aNameOfSeveralIsWhatAllOfThemAreIn(name: String, wanted: String) throws {
    let reading = try read(name)
    #expect(reading.taxon?.name ?? "-" == wanted, "\(reading)")
    if reading.taxon != nil { #expect(reading.qualifier == name && reading.status == "partial") }
  }

  @Test func aCommonNameIsASuggestion() throws {
    for name in ["robin", "ROBIN", "Robin", "róbin"] {
      let reading = try read(name)
      #expect(reading.taxon == nil && reading.status == "ambiguous", "\(reading)")
      #expect(reading.reason == "a common name of 2 taxa")
      let both = reading.suggestions.prefix(2)
      #expect(Set(both.map(\.taxon.name)) == ["Erithacus rubecula", "Turdus migratorius"])
      #expect(both.allSatisfy { $0.difference == NameSuggestion.commonName })
      // What is merely spelt alike comes behind.
      #expect(reading.suggestions.dropFirst(2).map(\.taxon.name) == ["Robia"], "\(reading)")
    }
    let oak = try read("Oak")
    #expect(oak.taxon == nil && oak.status == "common" && oak.reason == "a common name")
    #expect(oak.suggestions.map(\.matchedName) == ["oak"])
    #expect(try read("chene").suggestions.count == 3)
    // The genus of the same name is what only a part of it means.
    let warbler = try read("Magnolia warbler")
    #expect(warbler.suggestions.first?.taxon.name == "Setophaga magnolia", "\(warbler)")
    #expect(warbler.status == "common")
    let feral = try read("Rock Pigeon (Feral Pigeon)")
    #expect(feral.taxon == nil && feral.suggestions.first?.taxon.name == "Columba livia")
    // A word for nothing names nothing.
    #expect(try read("unknown").suggestions == [])
    #expect(
      try read("robin", within: "Turdus").suggestions.map(\.taxon.name) == ["Turdus migratorius"])
    #expect(try read("robin", within: "Viridiplantae").suggestions == [])
  }

  /// Common names by brute force: whoever has a name that is the same but for case and accents.
  @Test(arguments: 0..<Sweep.count(few: 4, full: 100))
  func allThatHaveACommonNameAreSuggested(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let texts = ["oak", "Oak", "öak", "red oak", "rook", "Rook", "roök", "wren"]
    var names: [(taxon: String, name: String)] = []
    var sql = """
      INSERT INTO dataset VALUES ('id_space', 'test');
      INSERT INTO taxa (id, parent_id, rank, scientific_name) VALUES (1, NULL, 'kingdom', 'Metazoa')
      """
    for id in 2...30 {
      let letters = (0..<6).map { _ in "bcdfglmnprst".randomElement(using: &generator) ?? "b" }
      sql += ", (\(id), 1, 'genus', 'G\(String(letters))a')"
    }
    sql +=
      ";\nINSERT INTO names (id, taxon_id, name, lang, name_type, is_preferred) VALUES (1, 2, 'x y', 'la', 'synonym', 0)"
    for id in 2...40 {
      let taxon = Int.random(in: 2...30, using: &generator)
      let text = texts.randomElement(using: &generator) ?? "oak"
      let type = ["common", "vernacular", "trade"].randomElement(using: &generator) ?? "common"
      sql += ", (\(id), \(taxon), '\(text)', 'en', '\(type)', 0)"
      names.append(("\(taxon)", text))
    }
    let folder = try TemporaryFolder()
    let pack = try Pack(path: try Taxonomy.compile(sql + ";", in: folder))
    let view = pack.view
    var reader = JournalNameReader()
    func plain(_ text: String) -> String {
      text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    }
    for text in texts {
      let reading = reader.read(text.uppercased(), in: view)
      let wanted = Set(names.filter { plain($0.name) == plain(text) }.map(\.taxon))
      let common = reading.suggestions.filter { $0.difference == NameSuggestion.commonName }
      #expect(reading.taxon == nil && common.count == wanted.count, "seed \(seed): \(text)")
      #expect(Set(common.map(\.taxon.id)) == wanted, "seed \(seed): \(text)")
      #expect(Array(reading.suggestions.prefix(common.count)) == common, "seed \(seed): \(text)")
    }
  }

  /// Names put together from parts, so that it is known what each part is.
  @Test(arguments: 0..<Sweep.count(few: 40, full: 4000))
  func namesAreTakenApartAsTheyWerePutTogether(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    func one(_ texts: String...) -> String { texts.randomElement(using: &generator) ?? "" }
    let (genus, epithet, author, taxon): (String, String, String, String) =
      [
        ("Malus", "domestica", "(Suckow) Borkh.", "Malus domestica"),
        ("Quercus", "robur", "L.", "Quercus robur"),
        ("Acer", "palmatum", "Thunb.", "Acer palmatum"),
        ("Tilia", "× europaea", "L.", "Tilia x europaea"),
        ("Tilia", "x europaea", "L.", "Tilia x europaea"),
      ].randomElement(using: &generator) ?? ("", "", "", "")
    let part = one("", "", "var. nova", "subsp. alba", "f. rubra", "subsp. alba var. nova")
    let hasAuthor = part.isEmpty && Bool.random(using: &generator)
    let cultivar = one("", "Discovery", "Crimson Queen", "Cox's Orange", "No 7", "2000")
    let quoted =
      cultivar.isEmpty
      ? ""
      : one("'\(cultivar)'", "\u{2018}\(cultivar)\u{2019}", "cv. \(cultivar)")
    let words = [genus, epithet, hasAuthor ? author : "", part, quoted].filter { !$0.isEmpty }
    let name = words.joined(separator: one(" ", " ", "  "))
    let reading = try read(name)
    let wanted = [taxon, part, cultivar].map { $0.isEmpty ? "-" : $0 }.joined(separator: " / ")
    #expect(line(reading) == wanted, "seed \(seed): \(name)")
  }

  /// No text of whatever letters and signs makes a name that a journal cannot keep.
  @Test func whateverIsWrittenCanBeKept() throws {
    let pack = try Self.pack.get()
    let view = pack.view
    var reader = JournalNameReader()
    var generator = SeededGenerator(seed: 24)
    let pieces = [
      "Malus", "domestica", "'", "\"", "`", "(", ")", "[", "]", "/", "x", "×", "?", "cv.", "var.",
      "f.",
      "sp.", "cf.", "Red", "auct.", "L.", ",", "&", "\u{2018}", "\u{2019}", "1", "-", " ", " ", " ",
      "é",
    ]
    for _ in 0..<3000 {
      let count = Int.random(in: 1...9, using: &generator)
      let name = (0..<count).compactMap { _ in pieces.randomElement(using: &generator) }.joined()
      guard name.contains(where: { $0 != " " }) else { continue }
      let identification = reader.read(name, in: view).identification(of: JournalID())
      try identification.validate()
      #expect(identification.verbatimName == name)
    }
    let long = "Malus domestica - " + String(repeating: "a,", count: 240)
    try reader.read(long, in: view).identification(of: JournalID()).validate()
  }
}

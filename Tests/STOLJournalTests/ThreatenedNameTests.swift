import STOLData
import STOLPack
import TestSupport
import Testing

@testable import STOLJournal

@Suite("Names of what is threatened")
struct ThreatenedNameTests {
  /// Apes, rhinoceroses and what is no less common than a blackbird.
  private static let pack = Result {
    let folder = try TemporaryFolder()
    let more = """
      INSERT INTO taxa VALUES
        (30, 3, 'genus', 'Gorilla', NULL, NULL, 'accepted', NULL),
        (31, 30, 'species', 'Gorilla gorilla', NULL, NULL, 'accepted', 'CR'),
        (32, 30, 'species', 'Gorilla beringei', NULL, NULL, 'accepted', 'EN'),
        (33, 3, 'genus', 'Diceros', NULL, NULL, 'accepted', NULL),
        (34, 33, 'species', 'Diceros bicornis', NULL, NULL, 'accepted', 'CR'),
        (35, 3, 'species', 'Ceratotherium simum', NULL, NULL, 'accepted', 'NT'),
        (36, 3, 'species', 'Turdus merula', NULL, NULL, 'accepted', 'LC'),
        (37, 3, 'species', 'Turdus merola', NULL, NULL, 'accepted', 'VU'),
        (38, 3, 'species', 'Limax maximus', NULL, NULL, 'accepted', 'LC'),
        (39, 3, 'species', 'Aus bus', NULL, NULL, 'accepted', 'LC'),
        (40, 39, 'subspecies', 'Aus bus cus', NULL, NULL, 'accepted', 'EN');
      INSERT INTO names VALUES
        (50, 34, 'Black Rhinoceros', 'en', 'common', 1),
        (51, 34, 'Rhinoceros bicornis', 'la', 'synonym', 0),
        (52, 38, 'tiger slug', 'en', 'common', 1),
        (54, 40, 'Kotschy''s bee orchid', 'en', 'common', 1), (53, 31, 'dead', 'xx', 'common', 0);
      """
    return try Pack(path: try Taxonomy.compile(Taxonomy.cats + more, in: folder))
  }

  private func threats(_ texts: [String]) throws -> [Threat?] {
    let pack = try Self.pack.get()
    let view = pack.view
    return ThreatenedNames(texts, Threats(in: view), in: view).threats
  }

  @Test(arguments: [
    "Gorilla gorilla", "Gorilla gorilla gorilla", "Gorilla gorilla diehli",
    "Gorilla gorilla subsp. diehli Matschie, 1904", "Diceros bicornis minor",
    "Gorilla cf. gorilla", "cf. Diceros bicornis", "aff. Diceros bicornis",
    "probably Gorilla gorilla", "Gorilla gorilla?", "GORILLA GORILLA", "Gorilla_gorilla",
    "Gorilla gorilla/beringei", "Gorilla beringei/gorilla",
    "Diceros bicornis/Ceratotherium simum", "Ceratotherium simum x Diceros bicornis",
    "Diceros \u{D7}bicornis", "Diceros bicornis nest", "Diceros bicornis carcass",
    "Diceros bicornis spoor", "Diceros bicornis male", "juvenile Diceros bicornis",
    "2 Diceros bicornis", "Diceros (Diceros) bicornis", "Black Rhinoceros (Diceros bicornis)",
    "rhino [Diceros bicornis]", "Gorila gorila", "Gorila gorilla", "Gorilla goriila",
    "Dicerus bicornis", "Diceros bicornes", "G. gorilla", "G. gorilla gorilla", "Go. gorilla",
    "D. bicornis?", "D bicornis", "Rhinoceros bicornis (adult)", "black rhino", "black rhinos",
    "a black rhinoceros", "Black Rhinocerus", "black-rhinoceros", "D\u{456}ceros bicornis",
  ])
  func isCritical(text: String) throws { #expect(try threats([text]) == [.critical]) }

  @Test(arguments: [
    "Panthera leo persica", "Panthera leo x tigris", "Panthera tigris \u{D7} leo",
    "Panthera leo, 2 ad", "Panthera leo or tigris", "Pantera leo", "P. leo", "Felis leo?",
    "African lion", "lions", "Asiatic lion", "L\u{F6}we (m\u{E4}nnlich)", "ein LOEWE / Lowe",
    "Panthera leo (Linnaeus, 1758)", "Turdus merola?", "Turdus merolla", "Aus bus cus",
    "A. b. cus", "Aus bus var. cus", "Kotschy's bee orchid", "Kotschy\u{2019}s bee orchid",
    "Kotschys bee orchid", "Kotschy bee orchid", "kotschy s bee-orchids", "a Kotchys bee orchid",
  ])
  func isThreatened(text: String) throws { #expect(try threats([text]) == [.threatened]) }

  @Test(arguments: [
    "Quercus robur", "Turdus merula?", "Turdus merula", "T. merula L.",
    "Gorilla", "Gorilla sp.", "Panthera sp.", "Panthera", "tiger slug", "Tiger slug?", "a dog",
    "Quercus robur - dead", "dead", "Ceratotherium simum", "Canis lupus",
    "Canis lupus x familiaris", "Aus bus", "Aus bus?", "Limax maximus", "rhinoceros beetle", "",
    "?", "12", "bicornis",
    "Vicia bicornuta", "Robur gorilla",
  ])
  func isOpen(text: String) throws {
    #expect(try threats([text]) == [nil])
    #expect(try threats([text, "Gorilla gorilla", text]) == [nil, .critical, nil])
  }

  /// What is read of names holds for sightings, also where a taxon is there that says less.
  @Test func sightingsAreKeptFromOthers() throws {
    let journal = try TestJournal().open()
    let pack = try Self.pack.get()
    let view = pack.view
    let found = view.resolve("Gorilla").taxon
    let genus = view.reference(to: try #require(found))
    var expected: Set<JournalID> = []
    let elsewhere = taxon(1, "Gorilla gorilla diehli")
    for (name, qualifier, taxon, isHeld) in [
      ("Gorilla gorilla/beringei", "Gorilla gorilla/beringei", genus, true),
      ("Gorilla", "cf. gorilla", genus, true), ("Gorilla", nil, genus, false),
      ("Gorilla", "sp.", genus, false), ("a monkey", nil, elsewhere, true),
      ("2 Diceros bicornis", nil, nil, true), ("Turdus merula?", "?", nil, false),
    ] as [(String, String?, TaxonReference?, Bool)] {
      let event = Event(kind: .visit, start: try LocalTime("2026-03-15"))
      let seen = Occurrence(event: event.id)
      var identification = Identification(occurrence: seen.id, verbatimName: name)
      (identification.qualifier, identification.taxon) = (qualifier, taxon)
      identification.match = taxon == nil ? .none : .exact
      try journal.save([.event(event), .occurrence(seen), .identification(identification)])
      if isHeld { expected.insert(seen.id) }
    }
    let held = try journal.read { database in
      let reader = RecordReader(database: database)
      return try journal.threatenedOccurrences(in: pack, database)
        .map { try reader.head($0.occurrence).uuid }
    }
    #expect(Set(held) == expected)
  }
}

import STOLData
import STOLPack
import TestSupport
import Testing

@testable import STOLJournal

/// Texts that are more or less than the name of a taxon: none of them is an identification.
@Suite("Doubtful names")
struct DoubtTests {
  private static let folder = Result { try TemporaryFolder() }
  private static let pack = Result {
    try Pack(path: try Taxonomy.compile(sql, in: try folder.get(), "doubts"))
  }

  /// Some authors are known, of others the database says nothing.
  private static let sql = """
    INSERT INTO dataset VALUES ('id_space', 'test');
    INSERT INTO taxa (id, parent_id, rank, scientific_name, author, year, status) VALUES
      (1, NULL, 'kingdom', 'Viridiplantae', NULL, NULL, 'accepted'),
      (2, 1, 'family', 'Fagaceae', NULL, NULL, 'accepted'),
      (3, 2, 'genus', 'Quercus', 'L.', NULL, 'accepted'),
      (4, 3, 'species', 'Quercus robur', NULL, NULL, 'accepted'),
      (5, 3, 'species', 'Quercus petraea', '(Matt.) Liebl.', 1784, 'accepted'),
      (6, 4, 'subspecies', 'Quercus robur subsp. pedunculiflora', NULL, NULL, 'accepted'),
      (7, 1, 'genus', 'Acer', NULL, NULL, 'accepted'),
      (8, 7, 'species', 'Acer rubrum', NULL, NULL, 'accepted'),
      (9, 7, 'species', 'Acer x freemanii', NULL, NULL, 'accepted'),
      (10, 7, 'variety', 'Acer rubrum var. trilobum', 'Torr. & A.Gray', NULL, 'accepted'),
      (11, NULL, 'kingdom', 'Metazoa', NULL, NULL, 'accepted'),
      (12, 11, 'genus', 'Larus', NULL, NULL, 'accepted'),
      (13, 12, 'species', 'Larus argentatus', NULL, NULL, 'accepted'),
      (14, 12, 'species', 'Larus fuscus', 'Linnaeus, 1758', 1758, 'accepted'),
      (15, 11, 'genus', 'Aedes', NULL, NULL, 'accepted'),
      (16, 15, 'subgenus', 'Stegomyia', NULL, NULL, 'accepted'),
      (17, 16, 'species', 'Aedes aegypti', NULL, NULL, 'accepted'),
      (18, 11, 'genus', 'Cervus', NULL, NULL, 'accepted'),
      (19, 18, 'species', 'Cervus canadensis', NULL, NULL, 'accepted');
    INSERT INTO names (id, taxon_id, name, lang, name_type, is_preferred) VALUES
      (1, 4, 'Quercus pedunculata', 'la', 'synonym', 0), (2, 13, 'Larus vegae', 'la', 'synonym', 0);
    """

  private static let names = [
    "Viridiplantae", "Fagaceae", "Quercus", "Quercus robur", "Quercus petraea",
    "Quercus robur subsp. pedunculiflora", "Acer", "Acer rubrum", "Acer x freemanii",
    "Acer rubrum var. trilobum", "Larus", "Larus argentatus", "Larus fuscus", "Aedes", "Stegomyia",
    "Aedes aegypti", "Cervus", "Cervus canadensis", "Quercus pedunculata", "Larus vegae",
  ]

  private static let behind = [
    "?", " ?", " ??", " (?)", " [?]", " ?!", "\u{FF1F}", " (not sure)", " (probably)",
    " (Probably)",
    " [unsure]", " (Not Sure)", " (Not sure)", " (very likely)", " not", " or similar",
    " and friends",
    " or other", " Dead", " Fastigiata", " Fastigiata.", " Cervus", " Larus", " x", " X", " ×",
    " hybrid",
    " hybrids", " (hybrid)", " Hyb.", " hyb.", " Hyb", " Hybr.", " (Hyb.)", " Hyb. Smith", ", Hyb.",
    " L. Hyb.", " Unk.", " Misid.", " Cplx.", " Grp.", " Interm.", " Juv.", " Cult.", " F1", " F2",
    " (F1)", " F1 hybrid",
    " like", "-like", " type", " cf", " cf.", " aff.", " nr.", " near",
    " - dead", " \u{2013} dead", ", dead", "; dead", " dead", " (dead)", " (dead tree)", " !", " *",
    " †",
    " = other", "/unsure", " / unsure", " maybe", ", perhaps", " 'maybe'", " \"maybe\"",
    " cv. unsure",
    " vielleicht", " (vermutlich)", " peut-\u{EA}tre", " quiz\u{E1}", " forse", " (misschien)",
    " complex",
    " group", " sensu Smith", " auct.", " non Smith", " nec Smith, 1900", " Planted 1990",
    " Felled, 2019", " Dead Tree", " No Idea", " Old & Big", " (Old & Big)", " 1999", " 2", " #3",
    " unknown",
    " f. probably", " var. maybe", " subsp. unknown", " Q", " & others", " et al.", " \u{2013}",
    " ~",
    " (Dead)", " (Dead) Smith", " Cervus canadensis", " (Cervus canadensis)", " + ?", " x ?",
  ]
  private static let before = [
    "?", "? ", "(?) ", "maybe ", "Maybe ", "perhaps ", "probably ", "Probably ", "not ", "Not ",
    "no ",
    "cf. ", "Cf. ", "aff. ", "near ", "like ", "dead ", "Dead ", "young ", "Old ", "hybrid ", "x ",
    "× ",
    "×", "+ ", "~", "~ ", "* ", "# ", "- ", "possible ", "(probably) ", "unknown ", "other ", "1 ",
    "= ",
    "vielleicht ", "Larus ", "Cervus ",
  ]
  private static let between = [
    " ?", " ? ", "? ", " (?) ", " (probably) ", " (Probably) ", " (Dead) ", " [maybe] ", " maybe ",
    " Dead ", " not ",
    " - ", " or ", " / ", " × ", " x ", " sp. ", " Cervus ", " (Cervus) ", " cf. ", " aff. ", " & ",
  ]

  private func readings(_ texts: [String]) throws -> [NameReading] {
    let pack = try Self.pack.get()
    let view = pack.view
    var reader = JournalNameReader()
    return try texts.map { text in
      let reading = reader.read(text, in: view)
      try reading.identification(of: JournalID()).validate()
      return reading
    }
  }

  @Test func allNamesAreThemselves() throws {
    for (name, reading) in zip(Self.names, try readings(Self.names)) {
      #expect(reading.taxon != nil, "\(name): \(reading)")
    }
    #expect(Self.behind.count + Self.before.count + Self.between.count > 140)
  }

  @Test(arguments: behind) func whatStandsBehindMakesASuggestion(doubt: String) throws {
    for reading in try readings(Self.names.map { $0 + doubt }) {
      #expect(reading.taxon == nil, "\(reading)")
    }
  }

  @Test(arguments: before) func whatStandsBeforeMakesASuggestion(doubt: String) throws {
    for reading in try readings(Self.names.map { doubt + $0 }) {
      #expect(reading.taxon == nil, "\(reading)")
    }
  }

  @Test(arguments: between) func whatStandsWithinMakesASuggestion(doubt: String) throws {
    for name in Self.names {
      let words = name.split(separator: " ").map(String.init)
      for place in words.indices.dropFirst() {
        // A hybrid may have its sign.
        guard !words[place].hasPrefix("x") && words[place - 1] != "x" else { continue }
        let text =
          words[..<place].joined(separator: " ") + doubt + words[place...].joined(separator: " ")
        let reading = try #require(try readings([text]).first)
        // "Aus cf. bus" and "Aus sp." say that it is an Aus.
        let isOpen = [" cf. ", " aff. "].contains(doubt) && place == 1 && words.count == 2
        // A genus has a subgenus of its own name.
        if doubt == " (\(words[0])) " { continue }
        #expect(reading.taxon?.name == (isOpen ? words[0] : nil), "\(reading)")
      }
    }
  }

  @Test(arguments: names) func otherLettersMakeASuggestion(name: String) throws {
    let alike: [(Character, Character)] = [
      ("a", "\u{430}"), ("e", "\u{435}"), ("o", "\u{43E}"), ("p", "\u{440}"), ("c", "\u{441}"),
      ("x", "\u{445}"), ("s", "\u{455}"), ("i", "\u{456}"), ("A", "\u{410}"), ("C", "\u{421}"),
      ("u", "v"),
      ("l", "1"), ("o", "0"),
    ]
    for index in name.indices {
      for (letter, other) in alike where name[index] == letter {
        var text = name
        text.replaceSubrange(index...index, with: [other])
        let reading = try #require(try readings([text]).first)
        // "x" is one more sign of a hybrid.
        #expect(isNoneOrSpecies(reading, name) || name[index] == "x", "\(reading)")
      }
      guard name[index].isLetter, name[index] != "x" else { continue }
      for count in [0, 2] {
        var text = name
        let letters = [Character](repeating: name[index], count: count)
        text.replaceSubrange(index...index, with: letters)
        let reading = try #require(try readings([text]).first)
        #expect(isNoneOrSpecies(reading, name), "\(reading)")
      }
    }
  }

  /// Whether a text that is not quite a name is nothing, or by its own words a form of a species.
  private func isNoneOrSpecies(_ reading: NameReading, _ name: String) -> Bool {
    guard let taxon = reading.taxon else { return true }
    let words = name.split(separator: " ")
    return words.count == 4 && taxon.name == words.prefix(2).joined(separator: " ")
      && reading.qualifier != nil
  }

  /// Whatever is no letter anybody sees, and marks on letters, count for nothing.
  @Test(arguments: [
    "quercus robur", "QUERCUS ROBUR", " Quercus  robur ", "Quercus robur\u{200B}",
    "Quercus\u{A0}robur",
    "Quercus robür", "Qu\u{E9}rcus robur", "Quercus_robur", "Quercus robur\u{FEFF}",
  ])
  func caseSpacesAndMarksAreNoLetters(name: String) throws {
    let reading = try #require(try readings([name]).first)
    #expect(reading.taxon?.name == "Quercus robur", "\(reading)")
    #expect(reading.qualifier == nil, "\(reading)")
  }

  @Test(arguments: [
    ("Quercus robur (probably)", "(probably)", "\"probably\""),
    ("Quercus robur ??", "??", "\"?\""), ("Quercus robur - dead", "- dead", "- dead"),
    ("Quercus robur Dead", "Dead", "may be who named it"),
    ("Quercus robur hybrid", "hybrid", "\"hybrid\""), ("Quercus robur sp.", "sp.", "in it means"),
    ("Quercus robur auct.", "auct.", "somebody else"),
    ("Quercus robur type", "type", "in it means"),
    ("Quercus robur (dead tree)", "(dead tree)", "what this in it means"),
  ])
  func theRestIsKeptAndTheNameSuggested(name: String, rest: String, reason: String) throws {
    let reading = try #require(try readings([name]).first)
    #expect(reading.qualifier == rest, "\(reading)")
    #expect(reading.status == "partial" && reading.reason.contains(reason), "\(reading)")
    #expect(reading.suggestions.first?.taxon.name == "Quercus robur", "\(reading)")
    #expect(reading.suggestions.first?.difference == "none", "\(reading)")
  }

  @Test(arguments: [
    ("Quercus robur L.", "Quercus robur"), ("Quercus robur Linnaeus", "Quercus robur"),
    ("Quercus robur L., 1753", "Quercus robur"), ("Quercus robur Mill.", "Quercus robur"),
    ("Quercus robur Smith, 1753", "Quercus robur"),
    ("Quercus robur (Smith, 1753)", "Quercus robur"),
    ("Quercus robur Smith & Jones", "Quercus robur"), ("Quercus robur Smith", "-"),
    ("Quercus petraea (Matt.) Liebl.", "Quercus petraea"),
    ("Quercus petraea Liebl.", "Quercus petraea"),
    ("Quercus petraea Mill.", "-"), ("Quercus petraea x", "-"),
    ("Larus fuscus Linnaeus", "Larus fuscus"),
    ("Larus fuscus Linnaeus, 1757", "Larus fuscus"), ("Larus fuscus Linnaeus, 2005", "-"),
    ("Larus fuscus (Linnaeus, 1858)", "-"), ("Quercus robur L., 1999", "Quercus robur"),
    ("Quercus petraea (Matt.) Liebl., 1784", "Quercus petraea"),
    ("Quercus petraea (Matt.) Liebl., 1999", "-"), ("Quercus L., 1999", "Quercus"),
    ("Larus fuscus Brehm", "-"), ("Quercus L.", "Quercus"), ("Quercus Mill.", "-"),
    ("Aedes (Stegomyia) aegypti", "Aedes aegypti"), ("Aedes (Aedes) aegypti", "Aedes aegypti"),
    ("Aedes (Culex) aegypti", "-"), ("Quercus (Quercus) robur", "Quercus robur"),
    ("Quercus robur s.l.", "Quercus robur"), ("Quercus robur sensu lato", "Quercus robur"),
    ("Quercus robur agg.", "Quercus robur"), ("Quercus sp.", "Quercus"),
    ("Quercus sp. 2", "Quercus"),
    ("Quercus sp. nov.", "Quercus"), ("Quercus sp. maybe robur", "-"),
    ("Acer × freemanii", "Acer x freemanii"), ("Acer freemanii", "Acer x freemanii"),
    ("Acer × rubrum", "-"),
  ])
  func whoNamedItAndHowItIsMeant(name: String, taxon: String) throws {
    let reading = try #require(try readings([name]).first)
    #expect(reading.taxon?.name ?? "-" == taxon, "\(reading)")
  }

  /// No reason has the words by which names are matched.
  @Test func reasonsAreSentences() throws {
    var texts = Self.names.flatMap { name in Self.behind.map { name + $0 } }
    texts += Self.names.map { String($0.dropLast()) } + Self.names.map { "\($0)um" }
    texts += ["Robinia", "nothing at all", "Quercus dead", "Qercus robvr", "Larus argentatus/dead"]
    for reading in try readings(texts) where reading.taxon == nil {
      #expect(reading.reason.split(separator: " ").count > 3, "\(reading)")
      #expect(!reading.reason.contains("uninomial"), "\(reading)")
      #expect(
        ["partial", "fuzzy", "ambiguous", "not_found", "invalid", "common"]
          .contains(reading.status), "\(reading)")
    }
  }
}

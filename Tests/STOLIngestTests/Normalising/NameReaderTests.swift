import STOLNames
import TestSupport
import Testing

/// Names as people write them, taken apart.
@Suite("Reading names")
struct NameReaderTests {
  private static func read(_ text: String) -> (reader: NameReader, canonical: String) {
    var reader = NameReader()
    reader.read(text.utf8)
    return (reader, canonical(reader))
  }

  private static func canonical(_ reader: NameReader) -> String {
    var bytes: [UInt8] = []
    reader.appendCanonical(isPlain: true, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test(
    arguments: [
      ("Panthera leo", "Panthera leo", "", nil, NameReader.Kind.scientific),
      ("Panthera leo (Linnaeus, 1758)", "Panthera leo", "(Linnaeus, 1758)", 1758, .scientific),
      ("PANTHERA LEO", "Panthera leo", "", nil, .scientific),
      ("panthera leo L.", "Panthera leo", "L.", nil, .scientific),
      ("<i>Panthera leo</i> L., 1758", "Panthera leo", "L., 1758", 1758, .scientific),
      ("Panthera\u{A0}leo", "Panthera leo", "", nil, .scientific),
      ("Panthera_leo", "Panthera leo", "", nil, .scientific),
      ("Раnthera lео", "Panthera leo", "", nil, .scientific),
      ("Passer (Passer) domesticus", "Passer domesticus", "", nil, .scientific),
      ("P. concolor", "P. concolor", "", nil, .scientific),
      ("Quercus sp.", "Quercus", "", nil, .open),
      ("Quercus robur var.", "Quercus robur", "", nil, .open),
      ("Abies alba var. nigra Mill. f. parva L.", "Abies alba nigra parva", "L.", nil, .scientific),
      ("Rosa ×alba", "Rosa alba", "", nil, .scientific),
      ("×Aus bus", "Aus bus", "", nil, .scientific),
      ("Aus bus L. × A. cus Mill.", "Aus bus × Aus cus", "", nil, .hybridFormula),
      ("Aus bus 'Red Star'", "Aus bus 'Red Star'", "", nil, .scientific),
      ("Aus subg. Bus Mill.", "Bus", "Mill.", nil, .scientific),
      ("Aus bus sensu Cus, 1900", "Aus bus", "", nil, .scientific),
      (
        "Aus bus (Smith, 1900) Jones, 1950", "Aus bus", "(Smith, 1900) Jones, 1950", 1900,
        .scientific
      ),
      ("Aus bus Smith in Jones 1900: 12", "Aus bus", "Smith in Jones 1900", 1900, .scientific),
      ("Aus 4-punctatus", "Aus quadripunctatus", "", nil, .scientific),
      ("Aus bus Smith, 1835:164", "Aus bus", "Smith, 1835", 1835, .scientific),
      ("Aus bus (Smith, 1898: 29) Jones", "Aus bus", "(Smith, 1898: 29) Jones", 1898, .scientific),
      ("Aus bus hort. ex Smith", "Aus bus", "hort. ex Smith", nil, .scientific),
      ("Aus bus ;", "Aus bus", "", nil, .scientific),
      ("Aus bus Smith, 1973 [1974]", "Aus bus", "Smith, 1973", 1973, .scientific),
      ("Aus bus Smith emend. Jones", "Aus bus", "Smith emend. Jones", nil, .scientific),
      ("Aus? bus Smith", "Aus bus", "Smith", nil, .scientific),
      ("Aus bus?", "Aus bus", "", nil, .scientific),
      ("Aus communis.", "Aus communis", "", nil, .scientific),
      ("Aus bus Subsp. cus Mill.", "Aus bus cus", "Mill.", nil, .scientific),
      ("Aus bus β. cus", "Aus bus cus", "", nil, .scientific),
      ("Aus bus b. cus Mill.", "Aus bus cus", "Mill.", nil, .scientific),
      ("Aus bus *cus", "Aus bus cus", "", nil, .scientific),
      ("Aus bus monst. cus", "Aus bus cus", "", nil, .scientific),
      ("Aus bus forma specialis cus", "Aus bus cus", "", nil, .scientific),
      ("Aus bus f.cusa Mill.", "Aus bus cusa", "Mill.", nil, .scientific),
      ("Aus bus X A. cus", "Aus bus × Aus cus", "", nil, .hybridFormula),
      ("Aus bus Smith 'Red Star'", "Aus bus 'Red Star'", "Smith", nil, .scientific),
      ("Aus tribe Busini Smith", "Busini", "Smith", nil, .scientific),
      ("Aus [unranked] Bus Smith", "Bus", "Smith", nil, .scientific),
      ("Aus (Busella)", "Busella", "", nil, .scientific),
      ("Aus (Busella) Smith, 1900", "Busella", "Smith, 1900", 1900, .scientific),
      ("Aus (Mill.)", "Aus", "", nil, .scientific),
      ("Aus (Urban) Smith", "Aus", "(Urban) Smith", nil, .scientific),
      ("Aus cf. bus Smith", "Aus bus", "Smith", nil, .open),
      ("Aus mülleri", "Aus muelleri", "", nil, .scientific),
      ("Aus d'orbignyi", "Aus dorbignyi", "", nil, .scientific),
      ("Aus vector Smith, 1900", "Aus vector", "Smith, 1900", 1900, .scientific),
      ("Bush mosaic virus", "", "", nil, .virus), ("BOLD:AAX3687", "", "", nil, .barcode),
      ("SH1140752.08FU", "", "", nil, .barcode), ("uncultured bacterium", "", "", nil, .informal),
      ("Abbott's moray eel", "", "", nil, .informal), ("", "", "", nil, .empty),
      (" \t", "", "", nil, .empty),
    ] as [(String, String, String, Int?, NameReader.Kind)])
  func readsNames(
    _ text: String, _ canonical: String, _ authorship: String, _ year: Int?, _ kind: NameReader.Kind
  ) {
    let (reader, found) = Self.read(text)
    #expect(found == canonical)
    #expect(reader.authorship == authorship)
    #expect(reader.year == year)
    #expect(reader.kind == kind)
  }

  @Test(arguments: [
    ("Aus cf. bus Smith", "Aus", "Aus bus"), ("Aus bus cf. cus", "Aus bus", "Aus bus cus"),
    ("Aus aff. bus", "Aus", "Aus"), ("Aus nr. bus", "Aus", "Aus"),
    ("Aus sp. BOLD:AAA1234", "Aus", "Aus"),
  ])
  func whatIsOnlyComparedIsNotCertain(_ text: String, _ certain: String, _ whole: String) {
    let (reader, canonical) = Self.read(text)
    var bytes: [UInt8] = []
    reader.appendCanonical(isCertain: true, to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == certain)
    #expect(canonical == whole)
    #expect(reader.kind == .open)
  }

  @Test func saysWhatEachPartIs() {
    let (reader, _) = Self.read("†× Aus (Bus) cf. cus nom. nud.")
    let parts = reader.parts.map { part in
      "\(part.role) \(String(decoding: reader.text[part.range], as: UTF8.self))"
    }
    #expect(
      parts == [
        "hybridSign ×", "uninomial Aus", "subgenus Bus", "qualifier cf.", "compared cus",
        "designation nom. nud.",
      ])
    #expect(reader.marks == [.isExtinct, .isHybrid, .hasRest])
  }

  /// Whatever the bytes are, the parts lie in the text in their order, and reading again is the same.
  @Test(arguments: 0..<20)
  func readsAnything(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let pieces =
      [
        "Aus", "bus", "×", "x", "(", ")", "(Bus)", " ", " ", " ", ",", ".", "cf.", "sp.", "var.",
        "f.", "L.", "1758",
        "&", "et", "ex", "'", "\"", "<i>", "&amp;", "é", "獅", "\u{0}", "δ", "-", "_", "+", "?", "†",
        "sensu", "van", "virus",
      ].map { Array($0.utf8) } + [[0xff], [0xc3], [0xe2, 0x80]]
    var reader = NameReader()
    for _ in 0..<2_000 {
      var text: [UInt8] = []
      for _ in 0..<Int.random(in: 0...12, using: &generator) {
        text += pieces.randomElement(using: &generator) ?? []
      }
      reader.read(text)
      var end = 0
      for part in reader.parts {
        #expect(
          part.range.lowerBound >= end && part.range.upperBound <= reader.text.count, "\(text)")
        end = part.range.upperBound
      }
      let (parts, kind) = (reader.parts, reader.kind)
      var again = NameReader()
      again.read(text)
      #expect(
        again.parts == parts && again.kind == kind
          && Self.canonical(again) == Self.canonical(reader))
    }
  }

  /// gnparser's own cases, those that it parses, with its words for what is right.
  @Test(.enabled(if: RealSources.isAvailable("match/gnparser.tsv")))
  func agreesWithGNparser() throws {
    let lines = try RealSources.text("match/gnparser.tsv").split(separator: "\n")
    let header = lines[0].split(separator: "\t").map(String.init)
    func column(_ name: String) -> Int { header.firstIndex(of: name) ?? 0 }
    var (all, canonical, authorship, year) = (0, 0, 0, 0)
    for line in lines.dropFirst() {
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard cells[column("parsed")] == "1" else { continue }
      let (reader, found) = Self.read(cells[column("input")])
      all += 1
      // It quotes cultivars with other signs.
      let expected = cells[column("canonical_simple")].replacing("‘", with: "'").replacing(
        "’", with: "'")
      if found.lowercased() == expected.lowercased() { canonical += 1 }
      let authors = [cells[column("authorship_verbatim")], cells[column("authorship_normalized")]]
      if authors.contains(where: { Self.letters($0) == Self.letters(reader.authorship) }) {
        authorship += 1
      }
      let digits = cells[column("year")].filter(\.isNumber)
      if reader.year.map(String.init) ?? "" == digits { year += 1 }
    }
    #expect(all == 352)
    #expect(canonical * 100 >= all * 98, "\(canonical) of \(all)")
    #expect(authorship * 100 >= all * 97, "\(authorship) of \(all)")
    #expect(year * 100 >= all * 99, "\(year) of \(all)")
  }

  /// An authorship without marks and spaces, which both write otherwise.
  private static func letters(_ text: String) -> String {
    let words = text.replacing("’", with: "'").replacing("´", with: "'").split(separator: " ")
      .map { ["et", "and", "und"].contains($0) ? "&" : String($0) }
    return words.joined().lowercased().filter { !$0.isWhitespace && !".,;:".contains($0) }
  }
}

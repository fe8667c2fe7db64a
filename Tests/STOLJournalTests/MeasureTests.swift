import Foundation
import TestSupport
import Testing

@testable import STOLJournal

@Suite("Measures and units")
struct MeasureTests {
  @Test(arguments: [
    ("girth=1.83m", "girth_mm", 1830), ("girth_mm=183 cm", "girth_mm", 1830),
    ("girth=1in", "girth_mm", 25), ("girth=3in", "girth_mm", 76), ("dbh=6FT", "dbh_mm", 1829),
    ("height=12m", "height_cm", 1200), ("height=100ft", "height_cm", 3048),
    ("height=1.234m", "height_cm", 123), ("height=1.235m", "height_cm", 124),
    ("crown=0.0001km", "crown_cm", 10), ("yield=2.5kg", "yield_g", 2500),
    ("mass=1lb", "mass_g", 454), ("length=0mm", "length_mm", 0), ("stems=3", "stems", 3),
    ("ph=6.5", "ph_x100", 650), ("ph=7", "ph_x100", 700), ("ph_x100=725", "ph_x100", 725),
    ("x-bark_mm=-7", "x-bark_mm", -7), ("x-a=+12", "x-a", 12),
  ])
  func aMeasureIsReadWithItsUnit(text: String, type: String, number: Int) throws {
    let read = try MeasureType.parse(text)
    #expect(read.type == type && read.number == number && read.text == nil)
    var measure = Measure(target: JournalID(), type: read.type, number: read.number)
    measure.text = text
    try JournalRecord.measure(measure).validate()
  }

  @Test(arguments: [
    ("health=fair", "health", "fair"), ("phenology=in flower", "phenology", "in flower"),
    ("x-bark=smooth = grey", "x-bark", "smooth = grey"),
  ])
  func wordsStayAsTheyAre(text: String, type: String, words: String) throws {
    let read = try MeasureType.parse(text)
    #expect(read.type == type && read.number == nil && read.text == words)
  }

  /// Each error names what is wrong with it.
  @Test(arguments: [
    ("girth", "name=value"), ("girth=", "how much"), ("=3m", "one of"), ("grith=3m", "girth"),
    ("girth=3", "say the unit"), ("girth=3 furlong", "'furlong' is no unit"),
    ("girth=3kg", "kg is a unit of mass"), ("yield=3m", "m is a unit of length"),
    ("girth=1,83m", "point"), ("girth=1.83.1m", "point"), ("girth=m", "point"),
    ("girth=1e3m", "'e3m' is no unit"), ("girth=.5m", "point"), ("girth=-1m", "below 0"),
    ("girth=٣m", "point"), ("girth=99999999999999999km", "fewer digits"),
    ("girth=123456789012345678m", "point"), ("stems=1.5", "whole number"),
    ("stems=3m", "whole number"), ("ph=6.555", "2 decimals"), ("ph_x100=7.25", "or ph=7.25"),
    ("ph=-1", "below 0"),
    ("health=great", "good, fair, poor, dead"), ("x-bark=7.5", "whole number"),
    ("X-bark=7", "one's own"), ("x-=7", "one's own"), ("x-Bark=7", "one's own"),
  ])
  func whatIsNoMeasureIsRefused(text: String, word: String) {
    do {
      let read = try MeasureType.parse(text)
      Issue.record("read \(read)")
    } catch {
      #expect(error.description.contains(word), "\(error)")
    }
  }

  /// Against exact arithmetic in decimal.
  @Test func digitsAreTakenExactly() throws {
    var generator = SeededGenerator(seed: 7)
    let units: [(String, Decimal, String)] = [
      ("mm", 1, "mm"), ("cm", 10, "mm"), ("m", 1000, "mm"), ("in", 254 / 10, "mm"),
      ("ft", 3048 / 10, "mm"), ("in", 254 / 100, "cm"), ("mm", 1 / 10, "cm"), ("kg", 1000, "g"),
      ("lb", Decimal(45_359_237) / 100_000, "g"), ("l", 1000, "ml"), ("bar", 1000, "mbar"),
      ("min", 60, "s"),
    ]
    for _ in 0..<2000 {
      let (unit, factor, target) = units[Int.random(in: 0..<units.count, using: &generator)]
      let digits = String(Int.random(in: 0...99_999, using: &generator))
      let decimals = String(Int.random(in: 0...9999, using: &generator))
      // Halves come often.
      let text = Bool.random(using: &generator) ? digits + ".5" : digits + "." + decimals
      let exact = try #require(Decimal(string: text, locale: Locale(identifier: "C"))) * factor
      let read = try Units.number(text + unit, in: target, "x")
      // None is below zero: a half goes up.
      let excess = Decimal(read) - exact
      #expect(excess > -Decimal(0.5) && excess <= Decimal(0.5), "\(text) \(unit) in \(target)")
    }
  }

  @Test(arguments: [
    ("0C", 27_315), ("26.5 C", 29_965), ("26.5°C", 29_965), ("-1.8c", 27_135), ("300K", 30_000),
    ("32F", 27_315), ("80F", 29_982), ("-40F", 23_315), ("98.6 °F", 31_015), ("-459.67F", 0),
  ])
  func temperaturesAreInHundredthsOfAKelvin(text: String, ck: Int) throws {
    #expect(try Temperature(text).ck == ck)
  }

  @Test(arguments: [
    ("52min", 3120), ("1h5min", 3900), ("1h 5 min 30s", 3930), ("90s", 90), ("0.5h", 1800),
    ("1.1min", 66),
  ])
  func spansOfTimeMayHaveSeveralUnits(text: String, seconds: Int) throws {
    #expect(try TimeSpan(text).s == seconds)
  }

  @Test func whatIsNoQuantityIsRefused() {
    for text in ["", "52", "52:30", "min", "1h5", "-5min", "1h-5min", "5m", "1h 5 parsec", "5min!"]
    {
      #expect(throws: JournalError.self, "\(text)") { try TimeSpan(text) }
    }
    for text in ["", "C", "26", "26m", "26.5.1C", "26 R"] {
      #expect(throws: JournalError.self, "\(text)") { try Temperature(text) }
    }
    for text in ["200", "200m", "3 atm"] {
      #expect(throws: JournalError.self, "\(text)") { try Pressure(text) }
    }
    #expect(throws: JournalError.self) { try Units.number("1m", in: "yard", "x") }
  }

  @Test func pressuresAndMassesOfBothWorlds() throws {
    #expect(try Pressure("3000psi").mbar == 206_843)
    #expect(try Pressure("200 bar").mbar == 200_000 && Pressure("1013mbar").mbar == 1013)
    #expect(try Mass("8lb").g == 3629 && Mass("4kg").g == 4000)
    #expect(try Volume("12L").ml == 12_000 && Length("72ft").mm == 21_946)
    #expect(Length.metres(22_400) == "22.4 m" && Temperature.celsius(27_135) == "-1.8 C")
  }

  @Test(
    arguments: [
      ("12l,200-60bar,EAN32", [12_000, 200_000, 60_000, 320, nil], nil),
      ("EANx36, 11.1 l", [11_100, nil, nil, 360, nil], nil),
      ("3000-700psi,air", [nil, 206_843, 48_263, 209, nil], nil),
      ("tx18/45,bailout", [nil, nil, nil, 180, 450], .bailout),
      ("200bar-60bar,o2,oxygen", [nil, 200_000, 60_000, 1000, nil], .oxygen),
      ("232bar", [nil, 232_000, nil, nil, nil], nil), ("nx32.5", [nil, nil, nil, 325, nil], nil),
    ] as [(String, [Int?], Dive.Tank.Use?)])
  func aTankIsReadInAnyOrder(text: String, numbers: [Int?], use: Dive.Tank.Use?) throws {
    let tank = try Dive.Tank(text)
    #expect(
      [tank.volumeMl, tank.startMbar, tank.endMbar, tank.o2Permille, tank.hePermille] == numbers)
    #expect(tank.use == use)
  }

  @Test(arguments: [
    "", "12", "12l,13l", "air,EAN32", "60-200bar", "200-100-60bar", "TX60/60", "EAN", "EAN-3",
    "foo",
    "12l,,air", "-bar", "EAN101", "deco,travel",
  ])
  func whatIsNoTankIsRefused(text: String) {
    #expect(throws: JournalError.self) { try Dive.Tank(text) }
  }

  @Test(
    arguments: [
      ("Chelonia mydas=2", "Chelonia mydas", 2, .exact),
      ("Amphiprion sp.", "Amphiprion sp.", nil, nil), ("Chromis=20+", "Chromis", 20, .least),
      ("Chromis=~20", "Chromis", 20, .about), ("Mola mola=0", "Mola mola", 0, nil),
    ] as [(String, String, Int?, Occurrence.CountKind?)])
  func countsStandBehindNames(
    text: String, name: String, count: Int?, kind: Occurrence.CountKind?
  ) throws {
    let read = try CountedText(text)
    #expect(read.name == name && read.count == count && read.countKind == kind)
    for text in ["a=", "a=x", "a=1.5", "a=-1", "a=2~", "a=+"] {
      #expect(throws: JournalError.self, "\(text)") { try CountedText(text) }
    }
  }

  @Test func whatHardlyCanBeIsAFinding() throws {
    func finding(_ text: String) throws -> String? {
      let (type, number, words) = try MeasureType.parse(text)
      return Measure(target: JournalID(), type: type, number: number, text: words).finding
    }
    #expect(try finding("dbh=12m") == nil)
    #expect(try finding("dbh=12.001m") == "diameter at breast height of 12001 mm, over 12000 mm")
    #expect(try finding("length=0mm") == "length of 0 mm, under 1 mm")
    #expect(try finding("ph=13") == "pH of 13, over 12")
    #expect(try finding("health=dead") == nil && finding("x-a=99999999") == nil)
    for type in MeasureType.builtIn where type.isNumber {
      let (low, high) = (try #require(type.low), try #require(type.high))
      for (number, isFound) in [(low, false), (high, false), (low - 1, true), (high + 1, true)] {
        let measure = Measure(target: JournalID(), type: type.key, number: number)
        #expect((measure.finding != nil) == isFound, "\(type.key) \(number)")
      }
    }
    #expect(Set(MeasureType.builtIn.map(\.key)).count == MeasureType.builtIn.count)
    #expect(Set(MeasureType.builtIn.map(\.name)).count == MeasureType.builtIn.count)
  }

  @Test func whatNoMeasureSaysIsRefusedByItsField() throws {
    func measure(_ type: String, _ number: Int? = nil, _ text: String? = nil) -> Measure {
      Measure(target: JournalID(), type: type, number: number, text: text)
    }
    var (method, remarks) = (measure("stems", 1), measure("stems", 1))
    (method.method, remarks.remarks) = ("", "\0")
    for (field, measure) in [
      ("type", measure("girth", 1)), ("type", measure("", 1)), ("type", measure("x-", 1)),
      ("type", measure("x-" + String(repeating: "a", count: 63), 1)),
      ("number", measure("stems")), ("number", measure("stems", -1)),
      ("number", measure("health", 3)), ("text", measure("health", nil, "great")),
      ("text", measure("phenology", nil, "")), ("number", measure("x-a", 1_000_000_000_000_001)),
      ("method", method), ("remarks", remarks),
    ] {
      do {
        try JournalRecord.measure(measure).validate()
        Issue.record("\(field): accepted \(measure)")
      } catch JournalError.invalid(let named, _, let remedy) {
        #expect(named == field && !remedy.isEmpty, "\(measure)")
      }
    }
    try JournalRecord.measure(measure("dbh_mm", nil, "10-15 in")).validate()
    try JournalRecord.measure(measure("x-" + String(repeating: "a", count: 62), -1)).validate()
  }

  /// A table has no column for when something was measured, so that its own rows say nothing of that.
  @Test(arguments: [false, true], [ExportFormat.csv, .tsv])
  func aMeasureWithoutATimeComesHomeFromATable(updates: Bool, form: ExportFormat) throws {
    let journal = try TestJournal().open()
    var walk = try Walk()
    walk.girth.time = nil
    try journal.save(walk.records)
    let before = try journal.exported(.jsonl).bytes
    let reader = try TableImportReader(
      TestTable.stream(try journal.exported(form).bytes), fileName: "table.\(form.rawValue)")
    var options = ImportOptions()
    options.updates = updates
    let summary = try journal.importing(reader, options)
    #expect(summary.rowCounts == [.same: 2])
    #expect(try journal.exported(.jsonl).bytes == before)
    // Another value is another measure.
    let other = String(decoding: try journal.exported(form).bytes, as: UTF8.self)
      .replacing("1830", with: "1840")
    let again = try TableImportReader(
      TestTable.stream(Array(other.utf8)), fileName: "table.\(form.rawValue)")
    #expect(try journal.importing(again, options).newRecordCount == (updates ? 1 : 0))
  }
}

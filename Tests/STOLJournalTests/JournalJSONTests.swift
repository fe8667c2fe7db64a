import STOLData
import TestSupport
import Testing

@testable import STOLJournal

@Suite("The journal as JSON")
struct JournalJSONTests {
  /// A journal of random records, and what was put into it.
  private static func random(
    _ seed: UInt64, count: Int = 300
  ) throws -> (journal: JournalFile, records: [JournalRecord]) {
    let journal = try TestJournal().open()
    var maker = RandomRecords(seed: seed)
    let records = try (0..<count).compactMap { _ in try maker.next() }
    try journal.save(records)
    return (journal, records)
  }

  @Test(arguments: [UInt64(1), 2, 3])
  func everyRecordIsValidByTheSchemaAndTheSameWhenReadAgain(seed: UInt64) throws {
    var checker = try SchemaChecker()
    var maker = RandomRecords(seed: seed)
    var kinds: Set<JournalRecord.Kind> = []
    for _ in 0..<1500 {
      guard let record = try maker.next() else { continue }
      let line = try JournalLines.line(of: record)
      var scanner = JSONScanner(Array(line.utf8))
      #expect(try checker.accepts(try scanner.node(), as: "record"), "\(line)")
      #expect(try JournalLines.record(line) == record)
      kinds.insert(record.kind)
    }
    #expect(kinds.count == JournalRecord.Kind.allCases.count)
  }

  /// Lines that are written without `JSONEncoder` have the bytes that it writes.
  @Test(arguments: 21..<(21 + UInt64(Sweep.count(few: 3, full: 300))))
  func everyLineIsThatOfTheEncoder(seed: UInt64) throws {
    var maker = RandomRecords(seed: seed)
    var counts: [Bool: Int] = [:]
    for _ in 0..<1500 {
      guard let record = try maker.next() else { continue }
      let line = try JournalLines.line(of: record)
      #expect(try line == JournalLines.text(of: record))
      guard record.kind == .occurrence || record.kind == .identification else { continue }
      counts[RecordLineWriter.line(of: record) != nil, default: 0] += 1
      let shared = SharedRecord(record: record, withheld: "a \"b\"")
      #expect(try JournalLines.line(of: shared) == JournalLines.text(of: shared))
    }
    #expect(counts[true, default: 0] > 20 && counts[false, default: 0] > 20)
  }

  /// A text is written as `JSONEncoder` writes it, whatever letters and signs are in it.
  @Test func everyTextIsThatOfTheEncoder() throws {
    let numbers = Array(0..<0x3000) + Array(stride(from: 0x3000, through: 0x10FFFF, by: 97))
    for number in numbers {
      guard let scalar = Unicode.Scalar(UInt32(number)) else { continue }
      let text = "a\(Character(scalar))/b"
      #expect(try JSONText.quoted(text) == JournalLines.text(of: text), "\(number)")
    }
  }

  /// What the schema refuses the reader refuses too, whatever was done to a record.
  @Test(arguments: [UInt64(11), 12, 13, 14])
  func whatBreaksTheSchemaIsRefused(seed: UInt64) throws {
    var checker = try SchemaChecker()
    var maker = RandomRecords(seed: seed)
    var mutator = JSONMutator(generator: SeededGenerator(seed: seed &+ 100))
    var (refusedCount, validCount) = (0, 0)
    for _ in 0..<2500 {
      guard let record = try maker.next() else { continue }
      let line = Array(try JournalLines.line(of: record).utf8)
      var scanner = JSONScanner(line)
      let text = mutator.mutated(try scanner.node(), line)
      scanner = JSONScanner(Array(text.utf8))
      guard let node = try? scanner.node() else { continue }
      let isRead = (try? JournalLines.record(text).validate()) != nil
      if try checker.accepts(node, as: "record") {
        validCount += 1
      } else {
        refusedCount += 1
        #expect(!isRead, "\(text)")
      }
    }
    #expect(refusedCount > 300 && validCount > 10)
  }

  /// The table that unknown members are refused by says what the schema says.
  @Test func theMembersAreThoseOfTheSchema() throws {
    let checker = try SchemaChecker()
    func names(_ definition: String) throws -> Set<String> {
      Set(try #require(checker.definition(definition)?["properties"]?.members).map(\.name))
    }
    let kinds = try #require(
      checker.definition("record")?["properties"]?["recordKind"]?["enum"]?.list.map(\.shown))
    #expect(Set(kinds) == Set(JournalRecord.Kind.allCases.map(\.rawValue)))
    #expect(Set(kinds) == Set(JournalMembers.ofKinds.keys))
    for kind in kinds {
      #expect(try names(kind) == JournalMembers.ofKinds[kind]?.union(["recordKind"]), "\(kind)")
    }
    let parts = [
      "position": "position", "dive": "dive", "tanks": "tank", "taxon": "taxon",
      "diveSite": "diveSite", "persons": "participant", "file": "file", "logs": "diveLog",
      "samples": "diveSamples", "depthMm": "depthSeries", "temperatureCk": "temperatureSeries",
      "pressureMbar": "pressureSeries", "events": "sampleEvent",
    ]
    #expect(Set(parts.keys) == Set(JournalMembers.ofParts.keys))
    for (member, definition) in parts {
      #expect(try names(definition) == JournalMembers.ofParts[member], "\(member)")
    }
  }

  @Test(arguments: [ExportFormat.json, .jsonl], [UInt64(21), 22])
  func exportImportAndExportGiveEqualBytes(format: ExportFormat, seed: UInt64) throws {
    let (journal, records) = try Self.random(seed)
    let (bytes, report) = try journal.exported(format)
    #expect(report.lines == ["wrote \(records.count) records"])
    let kind = try #require(JSONLayout.detect(bytes))
    #expect(kind.rawValue == format.rawValue)
    let other = try TestJournal().open()
    try other.keepRows(of: try kind.reader(ByteChunks(bytes)))
    #expect(try other.exported(format).bytes == bytes)
    #expect(Set(try other.liveRecords().map(\.record)) == Set(records))
    #expect(try other.check() == [])
    // Once more changes nothing.
    let before = try other.history().count
    try other.keepRows(of: try kind.reader(ByteChunks(bytes)))
    #expect(try other.history().count == before)
  }

  @Test func aDocumentIsValidByTheSchema() throws {
    var checker = try SchemaChecker()
    for journal in [try TestJournal().open(), try Self.random(31).journal] {
      var scanner = JSONScanner(try journal.exported(.json).bytes)
      #expect(try checker.accepts(try scanner.node(), checker.root))
      #expect(scanner.peek() == nil)
    }
  }

  @Test func aDocumentIsWrittenSo() throws {
    let journal = try TestJournal().open()
    let (orchard, tree) = (
      "0192f3a4-5b6c-7d8e-9fab-cdef01234567", "0192f3a4-5b6c-7d8e-9fab-cdef01234568"
    )
    let head = "{\"format\":\"stol-journal\",\"version\":1,\"writer\":\"stol test\",\"records\":["
    #expect(try journal.exported(.json).bytes == Array("\(head)\n]}\n".utf8))
    let collection = JournalCollection(id: try #require(JournalID(orchard)), name: "Orchard")
    var organism = Organism(id: try #require(JournalID(tree)))
    organism.name = "Old \"oak\" / \u{E9}"
    organism.position = Position(latitudeE7: 424_533_100, longitudeE7: -764_807_000)
    organism.tags = ["wet", "dry"]
    organism.collections = [collection.id]
    // What others refer to comes first, whatever came first into the journal.
    try journal.save([.organism(organism), .collection(collection)])
    let expected = """
      \(head)
      {"id":"\(orchard)","name":"Orchard","privacy":"open","recordKind":"collection"},
      {"collections":["\(orchard)"],"id":"\(tree)","name":"Old \\"oak\\" / \u{E9}",\
      "position":{"latitudeE7":424533100,"longitudeE7":-764807000},"privacy":"open",\
      "recordKind":"organism",\
      "status":"unknown","tags":["dry","wet"]}
      ]}

      """
    #expect(String(decoding: try journal.exported(.json).bytes, as: UTF8.self) == expected)
  }

  /// A part of a journal is one of its own: nothing in it refers to what was left out.
  @Test func whatIsChosenHasAllThatItRefersTo() throws {
    let (journal, records) = try Self.random(41, count: 800)
    var query = SightingQuery()
    query.bounds = try Bounds(
      southE7: 0, westE7: -1_800_000_000, northE7: 900_000_000, eastE7: 1_800_000_000)
    query.includesAbsent = true
    query.limit = 1
    var all = query
    all.limit = .max
    let expected = Set(try journal.sightings(all).sightings.map(\.occurrence))
    var chosen: [JournalRecord] = []
    try journal.forEachRecord(of: query) { chosen.append($0) }
    let occurrences = chosen.filter { $0.kind == .occurrence }.map(\.id)
    #expect(Set(occurrences) == expected && occurrences.count == expected.count)
    #expect(!expected.isEmpty && chosen.count < records.count)
    let other = try TestJournal().open()
    for record in chosen { try other.save([record]) }
    let ids = Set(chosen.map(\.id))
    for record in records where !ids.contains(record.id) {
      switch record {
      case .identification(let it): #expect(!expected.contains(it.occurrence))
      case .note(let it): #expect(!ids.contains(it.target))
      case .measure(let it): #expect(!ids.contains(it.target))
      default: break
      }
    }
  }

  @Test func whatABodyThrowsIsThrown() throws {
    struct Full: Error {}
    let journal = try TestJournal().open()
    try journal.save(try Walk().records)
    #expect(throws: Full.self) {
      _ = try journal.export(.gpx, for: .exact, by: "stol") { _ in throw Full() }
    }
    #expect(throws: Full.self) { try journal.forEachRecord { _ in throw Full() } }
  }

  // MARK: - Documents and lines as they should not be

  @Test(arguments: [
    ("", "line 1, column 1", "an object"),
    ("[]", "line 1, column 1", "an object"),
    ("{\"format\":\"stol-journal\",\n\"x\":1}", "line 2, column 1", "none of format"),
    ("{\"format\":\"stol-journal\",\"version\":1,\"writer\":\"a\"}", "line 1, column 1", "missing"),
    (
      "{\"format\":\"other\",\"version\":1,\"writer\":\"a\",\"records\":[]}", "line 1, column 1",
      "stol-journal"
    ),
    (
      "{\"format\":\"stol-journal\",\n\"version\":2,\"writer\":\"a\",\"records\":[]}",
      "line 2, column 11", "later stol"
    ),
    (
      "{\"format\":\"stol-journal\",\"version\":1,\"writer\":\"a\",\"records\":[\n{},\n]}",
      "line 3, column 1", "begins so"
    ),
    (
      "{\"format\":\"stol-journal\",\"version\":1,\"writer\":\"a\",\"records\":[]}}",
      "line 1, column 64", "nothing behind"
    ),
    (
      "{\"format\":\"stol-journal\",\"version\":1,\"records\":[],\"records\":[]}",
      "line 1, column 51",
      "each once"
    ),
  ])
  func aBrokenDocumentIsRefusedByItsPlace(text: String, place: String, reason: String) throws {
    do {
      _ = try JournalDocumentReader(ByteChunks(Array(text.utf8)))
      Issue.record("read")
    } catch JournalError.invalid(let field, _, let remedy) {
      #expect(field == place && remedy.contains(reason), "\(field): \(remedy)")
    }
  }

  @Test func aBadRecordSpoilsNoOther() throws {
    let text = """
      {"format":"stol-journal","version":1,"records":[
      {"recordKind":"collection","id":"0192f3a45b6c7d8e9fabcdef01234567","name":"A"},
      {"recordKind":"collection","id":"0192f3a45b6c7d8e9fabcdef01234567","name":"A","colour":"red"},
      {"recordKind":"tree"}, 7,
      {"recordKind":"collection","id":"0192f3a45b6c7d8e9fabcdef01234568","name":"B"}],"writer":"b"}
      """
    let (rows, refusals) = try JournalDocumentReader(ByteChunks(Array(text.utf8))).all()
    #expect(rows.map(\.line) == [2, 5] && rows.allSatisfy(\.keepsNames))
    #expect(refusals.map(\.line) == [3, 4, 4])
    #expect(refusals.map(\.column) == ["colour", "recordKind", "line"])
    #expect(refusals[0].value == "red" && refusals[0].remedy.contains("name"))
  }

  @Test func linesThatAreNoneAreRefusedByTheirNumber() throws {
    let long = String(repeating: "x", count: JournalLinesReader.lineLimit + 1)
    let text =
      "\u{FEFF}\n" + long + "\n{\n"
      + "{\"recordKind\":\"collection\",\"id\":\"0192f3a45b6c7d8e9fabcdef01234567\",\"name\":\"A\"}\r\n"
      + "{\"recordKind\":\"place\",\"id\":\"0192f3a45b6c7d8e9fabcdef01234567\",\"name\":\"\",\"kind\":\"site\"}"
    let (rows, refusals) = try JournalLinesReader(ByteChunks(Array(text.utf8))).all()
    #expect(rows.map(\.line) == [4])
    #expect(refusals.map(\.line) == [2, 3, 5])
    #expect(refusals.map(\.column) == ["", "line", "name"])
    #expect(refusals[0].reason.contains("bytes"))
  }

  @Test(
    arguments: [
      ("{\"a\":1}", nil), ("[[[[[[[[[[1]]]]]]]]]]", nil), ("\"\\ud83c\\udf33\\u00e4\\/\"", nil),
      ("-0.5e+10", nil), (" true ", nil), ("01", "0"), ("1.", "point"), ("1e", "exponent"),
      ("-", "digit"), ("\"\\ud83c\"", "surrogate"), ("\"\\udf33\"", "surrogate"),
      ("\"\\x\"", "escape"), ("\"\\u12g4\"", "hexadecimal"), ("\"a\nb\"", "control"),
      ("\"a", "quotation"), ("{\"a\":1,\"a\":2}", "twice"), ("{\"a\" 1}", "colon"),
      ("{a:1}", "name"),
      ("[1 2]", "comma"), ("{\"a\":1", "comma"), ("nul", "begins"), ("", "ends"),
    ] as [(String, String?)])
  func theScannerReadsJSONAndNothingElse(text: String, reason: String?) {
    var scanner = JSONScanner(Array(text.utf8))
    do {
      _ = try scanner.node()
      #expect(reason == nil && scanner.peek() == nil)
    } catch {
      #expect(reason.map { error.reason.contains($0) } == true, "\(error.reason)")
    }
  }

  @Test func depthIsBounded() {
    for depth in [JSONScanner.depthLimit, 100_000] {
      var scanner = JSONScanner([UInt8](repeating: UInt8(ascii: "["), count: depth))
      #expect(throws: JSONFault.self) { try scanner.node() }
    }
    let fits = String(repeating: "[", count: 32) + String(repeating: "]", count: 32)
    var scanner = JSONScanner(Array(fits.utf8))
    #expect(throws: Never.self) { try scanner.node() }
  }

  /// Members are those in other members too; what says nothing is no loss.
  @Test func whatAFormatDoesNotHoldIsCountedByMember() throws {
    var report = ExportReport()
    var event = Event(kind: .dive, start: try LocalTime("2026"))
    var dive = Dive()
    dive.tanks = [Dive.Tank(), Dive.Tank()]
    dive.tanks[1].startMbar = 200_000
    event.dive = dive
    try report.loseAll(of: .event(event), but: ["id", "recordKind", "kind"])
    try report.loseAll(of: .event(event), but: ["id", "recordKind", "kind", "start"])
    #expect(report.losses == ["event.start": 1, "event.dive.tanks.startMbar": 2])
    event.status = .draft
    try report.loseAll(of: .event(event), but: ["id", "recordKind", "kind", "start"])
    #expect(report.losses["event.status"] == 1)
    #expect(
      report.lines.last?.hasPrefix("not in this format: event.dive.tanks.startMbar (3)") == true)
  }
}

/// Makes JSON that is nearly what it was.
struct JSONMutator {
  var generator: SeededGenerator

  /// The text of a value with some of its members changed, added or taken out.
  mutating func mutated(_ node: JSONNode, _ bytes: [UInt8]) -> String { write(node, bytes) }

  private static let values = [
    "null", "true", "0", "-1", "1.5", "1e3", "9223372036854775808", "-1e400", "\"\"", "\"x\"",
    "\"\\u0000\"",
    "\"a\\nb\"", "[]", "{}", "[null]", "[\"a\",\"a\"]", "\"2026-13\"", "\"none\"", "\"dive\"",
    "\"absent\"", "1000000000000001", "\"0192F3A45B6C7D8E9FABCDEF01234567\"", "12000001", "3",
  ]

  private mutating func write(_ node: JSONNode, _ bytes: [UInt8]) -> String {
    switch node.value {
    case .object(let members):
      var parts: [String] = []
      for member in members {
        let text =
          Int.random(in: 0..<4, using: &generator) == 0
          ? write(member.node, bytes)
          : String(decoding: bytes[member.node.range], as: UTF8.self)
        switch Int.random(in: 0..<24, using: &generator) {
        case 0: continue
        case 1:
          parts.append("\"\(member.name)\":\(Self.values.randomElement(using: &generator) ?? "")")
        default: parts.append("\"\(member.name)\":\(text)")
        }
      }
      if Int.random(in: 0..<12, using: &generator) == 0 { parts.append("\"other\":1") }
      return "{\(parts.joined(separator: ","))}"
    case .list(let list):
      let texts = list.map { String(decoding: bytes[$0.range], as: UTF8.self) }
      return "[\((texts + texts.prefix(1)).joined(separator: ","))]"
    default: return Self.values.randomElement(using: &generator) ?? ""
    }
  }
}

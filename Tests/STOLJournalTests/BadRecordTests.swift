import Testing

@testable import STOLJournal

@Suite("Bad records in JSON")
struct BadRecordTests {
  private static func `import`(
    _ lines: [String], into journal: JournalFile, updates: Bool = false
  ) throws -> [ImportedRow] {
    var options = ImportOptions()
    options.updates = updates
    var rows: [ImportedRow] = []
    let text = lines.joined(separator: "\n")
    let summary = try journal.importing(
      JournalLinesReader(ByteChunks(Array(text.utf8))), options
    ) { rows.append($0) }
    #expect(summary.rowCount == lines.count)
    return rows
  }

  private static func line(_ event: Event) throws -> String {
    try JournalLines.line(of: .event(event))
  }

  private static func event(in parent: JournalID? = nil) throws -> Event {
    var event = Event(kind: .trip, start: try LocalTime("2020"))
    event.parent = parent
    return event
  }

  @Test(arguments: [false, true])
  func whatStandsInItselfOrTooDeepIsRefusedAlone(isBackwards: Bool) throws {
    let journal = try TestJournal().open()
    var own = try Self.event()
    own.parent = own.id
    var chain = [try Self.event()]
    for _ in 1..<10 { chain.append(try Self.event(in: chain[chain.count - 1].id)) }
    let last = try Self.event()
    let lines = try ([own] + chain + [last]).map(Self.line)
    let rows = try Self.import(lines, into: journal)
    // The tenth refers to the ninth, which is not kept.
    var outcomes = Array(repeating: ImportedRow.Outcome.new, count: 12)
    for index in [0, 9, 10] { outcomes[index] = .refused }
    #expect(rows.map(\.outcome) == outcomes)
    let refusal = try #require(rows[0].refusal)
    #expect(refusal.line == 1 && refusal.column == "parent" && refusal.value == "\(own.id)")
    #expect(rows[9].refusal?.line == 10 && rows[9].refusal?.value == "\(chain[7].id)")
    #expect(rows[9].refusal?.reason.contains("more than 7") == true)
    #expect(rows[10].refusal?.description.contains("\(chain[8].id)") == true)
    #expect(try journal.keyFigures().eventCount == 9)
    // Neither does one that is there come to stand below itself, or too deep.
    let kept = try JournalLines.text(of: journal)
    chain[0].parent = isBackwards ? chain[2].id : last.id
    let updated = try Self.import([try Self.line(chain[0])], into: journal, updates: true)
    #expect(updated[0].refusal?.column == "parent")
    #expect(try JournalLines.text(of: journal) == kept)
    #expect(try journal.check() == [])
  }

  @Test func aUUIDThatIsThereTwiceIsTold() throws {
    let journal = try TestJournal().open()
    var walk = try Walk()
    let records = walk.records
    let first = try records.reversed().map { try JournalLines.line(of: $0) }
    walk.event.remarks = "Rain"
    walk.oakName.verbatimName = "oak"
    walk.note.text = "Three acorns"
    let others: [JournalRecord] = [
      .event(walk.event), .identification(walk.oakName), .note(walk.note),
    ]
    let second = try others.map { try JournalLines.line(of: $0) }
    let sorted = try Self.sorted(first)
    // In one file, and over two.
    let rows = try Self.import(sorted + second + [sorted[0]], into: journal)
    let again = try Self.import(second + [sorted[0]], into: journal)
    for rows in [rows.suffix(4), again[...]] {
      #expect(rows.map(\.outcome) == [.differs, .differs, .differs, .same])
      // The walk is in the future of the clock of tests.
      let flags = rows.map { $0.flags.filter { $0.column != "date" } }
      #expect(
        flags.map { $0.map(\.column) }
          == [["event.remarks"], ["identification.verbatimName"], ["note.text"], []])
      #expect(flags.dropLast().allSatisfy { $0[0].reason.contains("which stays") })
    }
    #expect(try journal.record(walk.event.id)?.record == records.first { $0.id == walk.event.id })
    #expect(try journal.check() == [])
  }

  /// Lines in an order in which records refer to earlier ones.
  private static func sorted(_ lines: [String]) throws -> [String] {
    let kinds: [JournalRecord.Kind] = [
      .collection, .person, .place, .event, .organism, .occurrence, .identification, .measure,
      .note, .photo,
    ]
    return try lines.sorted { a, b in
      let (a, b) = (try JournalLines.record(a).kind, try JournalLines.record(b).kind)
      return (kinds.firstIndex(of: a) ?? 0) < (kinds.firstIndex(of: b) ?? 0)
    }
  }

  private static let id = "0192f3a4-5b6c-7d8e-9fab-cdef01234567"

  /// The member is named, with its value and what must stand there, in no words of a decoder.
  @Test(arguments: [
    ("5", "line", "5", "a JSON object"), ("[1]", "line", "[1]", "a JSON object"),
    (#"{"recordKind":"place"}"#, "id", "", "missing"),
    (#"{"recordKind":5}"#, "recordKind", "5", "a text"),
    (#"{"recordKind":"tree"}"#, "recordKind", "tree", "place"),
    (
      place(#""kind":"site","position":{"latitudeE7":1.5,"longitudeE7":0}"#),
      "position.latitudeE7", "1.5", "a whole number"
    ),
    (
      place(#""kind":"site","position":{"latitudeE7":1e400,"longitudeE7":0}"#),
      "position.latitudeE7", "1e400", "a whole number"
    ),
    (
      place(#""kind":"site","elevationCm":12345678901234567890"#),
      "elevationCm", "12345678901234567890", "a whole number"
    ),
    (place(#""kind":"site","elevationCm":"5""#), "elevationCm", "5", "a whole number"),
    (place(#""kind":"site","position":3"#), "position", "3", "an object"),
    (place(#""kind":"site","tags":"a""#), "tags", "a", "a list"),
    (place(#""kind":"site","tags":["a",5]"#), "tags.1", "5", "a text"),
    (place(#""kind":"party""#), "kind", "party", "site"),
    (place(#""kind":"site","parent":"x""#), "parent", "x", "32 hexadecimal digits"),
  ])
  func whatIsWrongIsNamed(line: String, column: String, value: String, remedy: String) throws {
    let journal = try TestJournal().open()
    let refusal = try #require(try Self.import([line], into: journal)[0].refusal)
    #expect(refusal.column == column && refusal.value == value, "\(refusal)")
    #expect(refusal.remedy.contains(remedy), "\(refusal)")
    for word in [
      "decode", "Swift", "Dictionary", "Array", "JSON number", "not valid", "initialize",
    ] {
      #expect(!refusal.description.contains(word), "\(refusal)")
    }
  }

  private static func place(_ members: String) -> String {
    #"{"recordKind":"place","id":"\#(id)","name":"A",\#(members)}"#
  }

  @Test(
    arguments: [
      ([0xFF, 0xD8, 0xFF, 0xE0], "a JPEG image"),
      (Array("PK\u{3}\u{4}\0".utf8), "a zip archive"),
      (Array("<!DOCTYPE a [<!ENTITY b \"c\">]><gpx>&b;</gpx>".utf8), "XML with entities"),
      (Array("\nFSH|^~\\&{}|ANST01|ZXU|20180106|\n".utf8), "a DL7 file"),
      (
        Array("//DIVE NR: 26\r\n//Hardware Version: HUDC\r\n".utf8),
        "a file of a Seabear computer (HUDC)"
      ),
      (Array("<profile udcf=\"1\"/>".utf8), "a UDCF file"),
      (Array("\u{FEFF}<?xml version='1.0'?>\n<!-- > --><gpx>".utf8), nil),
      (Array("<?xml version=\"1.0\"?><a/>".utf8), "an XML file"),
      (Array("SQLite format 3\0".utf8), "a SQLite database"), ([65, 0, 66], "a binary file"),
      (Array("<5 cm,name\n1,2\n".utf8), nil), (Array("name,<b\n".utf8), nil),
      ([0xFF, 0xFE, 65, 0], nil),
      ([], nil),
    ] as [([UInt8], String?)])
  func otherFilesAreCalledWhatTheyAre(bytes: [UInt8], what: String?) throws {
    let stream = TestTable.stream(bytes, pieceByteCount: 3)
    guard let what else {
      #expect(try ImportFormat.detect(stream).format.layout == nil)
      return
    }
    let error = #expect(throws: UnreadFile.self) { try ImportFormat.detect(stream) }
    #expect(error?.description.contains("table: is \(what), which is not read") == true)
  }
}

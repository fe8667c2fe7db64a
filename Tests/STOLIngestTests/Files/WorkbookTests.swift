import STOLIngest
import TestSupport
import Testing

@testable import STOLFormats

/// Writes a workbook of Office Open XML, cell by cell.
struct WorkbookBuilder {
  /// A cell as it is written.
  enum Cell {
    case none, shared(String), inline(String), number(String), formula(String), truth(Bool), error
    /// What a reader makes of it.
    var text: String {
      switch self {
      case .none, .error: ""
      case .shared(let text), .inline(let text), .formula(let text): text
      case .number(let text): text
      case .truth(let value): value ? "true" : "false"
      }
    }
  }

  private var texts: [String] = []
  private var sheets: [(name: String, xml: String)] = []

  static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
  }

  /// "AB" of 27.
  static func letters(_ column: Int) -> String {
    var column = column + 1
    var result = ""
    while column > 0 {
      result = String(Character(Unicode.Scalar(UInt8(0x41 + (column - 1) % 26)))) + result
      column = (column - 1) / 26
    }
    return result
  }

  /// Adds a sheet; empty rows and cells are left out, as programs do.
  mutating func add(_ name: String, _ rows: [[Cell]], statesPlaces: Bool = true) {
    var xml = "<worksheet><sheetData>"
    for (number, row) in rows.enumerated() {
      if statesPlaces, row.allSatisfy({ $0.text.isEmpty }) { continue }
      xml += statesPlaces ? "<row r=\"\(number + 1)\">" : "<row>"
      for (column, cell) in row.enumerated() {
        let place = statesPlaces ? " r=\"\(Self.letters(column))\(number + 1)\"" : ""
        switch cell {
        case .none: xml += statesPlaces ? "" : "<c/>"
        case .shared(let text):
          texts.append(text)
          xml += "<c\(place) t=\"s\"><v>\(texts.count - 1)</v></c>"
        case .inline(let text):
          xml += "<c\(place) t=\"inlineStr\"><is><t>\(Self.escaped(text))</t></is></c>"
        case .number(let text): xml += "<c\(place)><v>\(text)</v></c>"
        case .formula(let text):
          xml += "<c\(place) t=\"str\"><f>A1&amp;B1</f><v>\(Self.escaped(text))</v></c>"
        case .truth(let value): xml += "<c\(place) t=\"b\"><v>\(value ? 1 : 0)</v></c>"
        case .error: xml += "<c\(place) t=\"e\"><v>#N/A</v></c>"
        }
      }
      xml += "</row>"
    }
    sheets.append((name, xml + "</sheetData></worksheet>"))
  }

  /// The files of the archive.
  var files: [String: String] {
    var files = ["[Content_Types].xml": "<Types/>"]
    var list = ""
    var relations = ""
    for (number, sheet) in sheets.enumerated() {
      let id = "rId\(number + 1)"
      list +=
        "<sheet name=\"\(Self.escaped(sheet.name))\" sheetId=\"\(number + 1)\" r:id=\"\(id)\"/>"
      relations +=
        "<Relationship Id=\"\(id)\" Type=\"x/worksheet\" Target=\"worksheets/s\(number).xml\"/>"
      files["xl/worksheets/s\(number).xml"] = sheet.xml
    }
    files["xl/workbook.xml"] = "<workbook xmlns:r=\"r\"><sheets>\(list)</sheets></workbook>"
    files["xl/_rels/workbook.xml.rels"] =
      "<Relationships>\(relations)<Relationship Id=\"t\" Type=\"x/sharedStrings\" "
      + "Target=\"/xl/sharedStrings.xml\"/></Relationships>"
    let items = texts.enumerated().map { number, text in
      // Every other one in two runs, with a reading that is no part of it.
      let half = text.index(text.startIndex, offsetBy: text.count / 2)
      return number.isMultiple(of: 2)
        ? "<si><t xml:space=\"preserve\">\(Self.escaped(text))</t></si>"
        : "<si><r><t>\(Self.escaped(String(text[..<half])))</t></r><r><t>"
          + "\(Self.escaped(String(text[half...])))</t></r><rPh><t>reading</t></rPh></si>"
    }
    files["xl/sharedStrings.xml"] = "<sst>\(items.joined())</sst>"
    return files
  }

  var archive: [UInt8] {
    get throws {
      var zip = ZipBuilder()
      for (name, text) in files.sorted(by: { $0.key < $1.key }) {
        try zip.add(name.utf8, Array(text.utf8), isDeflated: true)
      }
      return zip.archive
    }
  }
}

/// Spreadsheets read as tables.
@Suite("Spreadsheets")
struct WorkbookTests {
  private static func text(_ folder: TemporaryFolder, _ archive: [UInt8]) throws -> [String: String]
  {
    let files = try SourceFiles(path: try folder.write(archive, to: "book.xlsx"))
    var texts: [String: String] = [:]
    for name in files.names {
      var bytes: [UInt8] = []
      let stream = try files.open(name)
      while case let chunk = try stream.next(), !chunk.isEmpty { bytes += chunk }
      texts[name] = String(decoding: bytes, as: UTF8.self)
    }
    return texts
  }

  @Test func cellsOfEveryKindAreRead() throws {
    var book = WorkbookBuilder()
    book.add(
      "Taxa & names",
      [
        [.shared("id"), .shared("name <b>"), .inline("n"), .shared("f")],
        [.number("1758.0"), .inline("a\tb\nc"), .error, .formula("x&y")],
        [],
        [.none, .none, .truth(true), .none, .shared("beyond")],
        [
          .number("1.5E3"), .number("0.25"), .number("9007199254740993"), .shared("_x0041__x000D_"),
        ],
      ])
    book.add("Empty", [[]])
    let folder = try TemporaryFolder()
    #expect(
      try Self.text(folder, book.archive) == [
        "Taxa & names.tsv": """
        id\tname <b>\tn\tf
        1758\ta b c\t\tx&y

        \t\ttrue\t\tbeyond
        1500\t0.25\t9007199254740993\tA 

        """
      ])
  }

  /// Random sheets, with gaps and without places, are what was written.
  @Test func randomSheetsAreWhatWasWritten() throws {
    let folder = try TemporaryFolder()
    for seed in 0..<UInt64(Sweep.count(few: 60, full: 3_000)) {
      var random = SeededGenerator(seed: seed)
      let width = Int.random(in: 1...30, using: &random)
      let words = ["a", "Aus bus", "Ä<&>\"", "x y", "7", String(repeating: "long ", count: 40)]
      var rows: [[WorkbookBuilder.Cell]] = [
        (0..<width).map { .shared("column \($0)") }
      ]
      for _ in 0..<Int.random(in: 0...40, using: &random) {
        rows.append(
          (0..<width).map { _ in
            let word = words[Int.random(in: 0..<words.count, using: &random)]
            return switch Int.random(in: 0..<8, using: &random) {
            case 0, 1: .none
            case 2: .inline(word)
            case 3: .number("\(Int.random(in: -5...5_000_000, using: &random))")
            case 4: .formula(word)
            case 5: .truth(Bool.random(using: &random))
            default: .shared(word)
            }
          })
      }
      var book = WorkbookBuilder()
      book.add("S", rows, statesPlaces: seed.isMultiple(of: 2))
      let found = try Self.text(folder, book.archive)["S.tsv"] ?? ""
      var expected = rows.map { row in
        row.allSatisfy { $0.text.isEmpty } ? "" : row.map(\.text).joined(separator: "\t")
      }
      // Of empty rows at the end a sheet knows nothing, where it states places.
      if seed.isMultiple(of: 2) { while expected.last == "" { expected.removeLast() } }
      #expect(found == expected.map { $0 + "\n" }.joined(), "seed \(seed)")
    }
  }

  @Test func aSheetIsASourceLikeAnyTable() throws {
    var book = WorkbookBuilder()
    book.add(
      "Checklist",
      [
        [.shared("taxonID"), .shared("scientificName"), .shared("taxonRank"), .shared("family")],
        [
          .number("12"), .shared("Panthera leo (Linnaeus, 1758)"), .shared("species"),
          .inline("Felidae"),
        ],
      ])
    book.add("Notes", [])
    let folder = try TemporaryFolder()
    let path = try folder.write(book.archive, to: "book.xlsx")
    let found = try SourceRecognition(path: path)
    #expect(found.kind == .dwca)
    let made = try MadeDatabase(found.kind, path)
    #expect(
      try made.taxa == ["family Felidae", "species Panthera leo (Linnaeus, 1758) < Felidae"])
    #expect(try made.rows("SELECT source_id FROM taxa WHERE rank = 'species'") == ["12"])
  }

  @Test func sheetsMayBeTheFilesOfAPackage() throws {
    var book = WorkbookBuilder()
    book.add(
      "NameUsage",
      [
        [.shared("ID"), .shared("scientificName"), .shared("rank"), .shared("status")],
        [.shared("a"), .shared("Aus bus"), .shared("species"), .shared("accepted")],
      ])
    book.add(
      "VernacularName",
      [
        [.shared("taxonID"), .shared("name"), .shared("language")],
        [.shared("a"), .shared("Bus"), .shared("eng")],
      ])
    let folder = try TemporaryFolder()
    let path = try folder.write(book.archive, to: "book.xlsx")
    #expect(try SourceRecognition(path: path).kind == .coldp)
    let made = try MadeDatabase(.coldp, path)
    #expect(try made.taxa == ["species Aus bus"])
    #expect(try made.rows("SELECT name FROM names") == ["Bus"])
  }

  /// A text of a million letters that ten thousand cells name.
  @Test func aTextThatManyCellsNameIsNoBomb() throws {
    var rows: [[WorkbookBuilder.Cell]] = [[.shared("scientificName")]]
    rows.append([.shared(String(repeating: "a", count: 1_000_000))])
    var book = WorkbookBuilder()
    book.add("S", rows)
    var files = book.files
    let row = "<row r=\"2\"><c r=\"A2\" t=\"s\"><v>1</v></c></row>"
    let sheet = files["xl/worksheets/s0.xml"] ?? ""
    #expect(sheet.contains(row))
    files["xl/worksheets/s0.xml"] = sheet.replacing(
      row, with: (2..<10_002).map { row.replacing("2", with: "\($0)") }.joined())
    var zip = ZipBuilder()
    for (name, text) in files { try zip.add(name.utf8, Array(text.utf8), isDeflated: true) }
    let folder = try TemporaryFolder()
    let path = try folder.write(zip.archive, to: "book.xlsx")
    #expect {
      let files = try SourceFiles(path: path)
      let stream = try files.open(files.names[0])
      while !(try stream.next()).isEmpty {}
    } throws: { "\($0)".contains("expands to more than") }
  }

  @Test(arguments: [
    ("xl/worksheets/s0.xml", "<row r=\"3\"", "<row r=\"1\"", "row 1 comes after row 2"),
    ("xl/worksheets/s0.xml", "<v>1</v>", "<v>99</v>", "text 99 that is not there"),
    ("xl/worksheets/s0.xml", "r=\"A3\"", "r=\"ABCD3\"", "no place for a cell ABCD3"),
    ("xl/worksheets/s0.xml", "</sheetData>", "", "not valid XML"),
    ("xl/sharedStrings.xml", "</sst>", "<", "sharedStrings.xml"),
    ("xl/sharedStrings.xml", "<sst>", "<!DOCTYPE a [<!ENTITY x \"y\">]><sst>", "entit"),
    ("xl/workbook.xml", "<sheet ", "<other ", "without a sheet"),
  ])
  func damagedPartsSayWhere(
    _ file: String, _ part: String, _ other: String, _ reason: String
  ) throws {
    var book = WorkbookBuilder()
    book.add("S", [[.shared("scientificName")], [.shared("Aus")], [.inline("Bus")]])
    var files = book.files
    let text = files[file] ?? ""
    #expect(text.contains(part))
    files[file] = text.replacing(part, with: other)
    var zip = ZipBuilder()
    for (name, text) in files { try zip.add(name.utf8, Array(text.utf8)) }
    let folder = try TemporaryFolder()
    let path = try folder.write(zip.archive, to: "book.xlsx")
    #expect {
      let files = try SourceFiles(path: path)
      for name in files.names {
        let stream = try files.open(name)
        while !(try stream.next()).isEmpty {}
      }
    } throws: { "\($0)".contains(reason) }
  }
}

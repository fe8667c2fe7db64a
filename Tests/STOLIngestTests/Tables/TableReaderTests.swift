import STOLIngest
import TestSupport
import Testing
import STOLFormats

struct TableReaderTests {
  @Test func readsAllSmallTextsAsTheOracleDoes() throws {
    let alphabet: [UInt8] = Array("a,\"\n\r".utf8)
    var texts: [[UInt8]] = [[]]
    for length in 1...6 {
      texts = texts.flatMap { text in alphabet.map { text + [$0] } }
      for text in texts {
        let oracle = RowOracle(String(decoding: text, as: UTF8.self))
        let findings = Findings()
        let table = try ReadTable(text, .commas, findings: findings)
        guard table == oracle.table else {
          Issue.record(
            "\(String(decoding: text, as: UTF8.self).debugDescription): \(table) instead of \(oracle.table)"
          )
          return
        }
        #expect(findings.counts[.unclosedQuote]?.count ?? 0 == oracle.unclosedCount)
        if length < 6 {
          for chunk in 1...2 {
            #expect(try ReadTable(text, .commas, chunkByteCount: chunk) == table)
          }
        }
      }
    }
  }

  @Test(arguments: 0..<300) func readsWhatWasWritten(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let delimiter = [",", "\t", ";", "|", "\t|\t", "||"].randomElement(using: &generator)!
    let lineEnd = ["\n", "\r\n", "\r"].randomElement(using: &generator)!
    let suffix = delimiter == "\t|\t" && Bool.random(using: &generator) ? "\t|" : ""
    let quote: String? = suffix.isEmpty && Bool.random(using: &generator) ? "\"" : nil
    var layout = TableLayout(delimiter: 0, quote: quote?.utf8.first)
    layout.delimiter = Array(delimiter.utf8)
    layout.rowSuffix = Array(suffix.utf8)
    var parts = ["a", "bc", "é", "漢", "𝔘", "x\"y", " ", "'", "\\"]
    if quote != nil { parts += [delimiter, "\n", "\r\n", "\"", "\"\""] }
    let columnCount = Int.random(in: 2...6, using: &generator)
    var rows: [[String]] = []
    var text = Bool.random(using: &generator) ? "\u{FEFF}" : ""
    for _ in 0..<Int.random(in: 0...40, using: &generator) {
      let row = (0..<columnCount).map { _ in
        (0..<Int.random(in: 0...4, using: &generator))
          .map { _ in parts.randomElement(using: &generator)! }.joined()
      }
      rows.append(row)
      let written = row.map { field in
        guard let quote else { return field }
        let needsQuote =
          field.contains("\"") || field.unicodeScalars.contains { $0 == "\n" || $0 == "\r" }
          || field.contains(delimiter) || delimiter.first.map(field.contains) == true
        guard needsQuote || Bool.random(using: &generator) else { return field }
        return quote
          + field.split(separator: "\"", omittingEmptySubsequences: false)
          .joined(separator: "\"\"") + quote
      }
      text += written.joined(separator: delimiter) + suffix + lineEnd
      if Int.random(in: 0..<8, using: &generator) == 0 { text += lineEnd }
    }
    let findings = Findings()
    let chunk = Int.random(in: 1...50, using: &generator)
    let table = try ReadTable(
      Array(text.utf8), layout, chunkByteCount: chunk, findings: findings)
    #expect(table.rows == rows, "seed \(seed)")
    #expect(findings.counts.isEmpty, "seed \(seed)")
  }

  @Test func readsAllEncodings() throws {
    let text = "a\té€\nŽ\tb\n"
    var layout = TableLayout.tabs
    let rows = [["a", "é€"], ["Ž", "b"]]
    layout.encoding = .windows1252
    #expect(
      try ReadTable([0x61, 9, 0xE9, 0x80, 10, 0x8E, 9, 0x62, 10], layout).rows == rows)
    for chunk in 1...4 {
      layout.encoding = .utf16LittleEndian
      let little = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
      #expect(try ReadTable(little, layout, chunkByteCount: chunk).rows == rows)
      layout.encoding = .utf8
      #expect(try ReadTable([0xFF, 0xFE] + little, layout, chunkByteCount: chunk).rows == rows)
      let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
      #expect(try ReadTable([0xFE, 0xFF] + big, layout, chunkByteCount: chunk).rows == rows)
      layout.encoding = .latin1
      #expect(
        try ReadTable([0xEF, 0xBB, 0xBF] + text.utf8, layout, chunkByteCount: chunk).rows == rows)
    }
    #expect(try ReadTable([0x61, 9, 0xE9], layout).rows == [["a", "é"]])
  }

  @Test func repairsAndCountsInvalidBytes() throws {
    let findings = Findings()
    let table = try ReadTable(
      Array("a\tb\nx".utf8) + [0xC3, 9, 0x79, 10] + Array("c\td".utf8), .tabs,
      findings: findings)
    #expect(table.rows == [["a", "b"], ["x\u{FFFD}", "y"], ["c", "d"]])
    #expect(findings.counts[.invalidEncoding]?.examples == ["t, line 2"])
    var layout = TableLayout.tabs
    layout.encoding = .utf16BigEndian
    let broken = Findings()
    #expect(
      try ReadTable([0, 0x61, 0xD8, 0, 0, 0x62, 7], layout, findings: broken).rows
        == [["a\u{FFFD}b\u{FFFD}"]])
    #expect(broken.counts[.invalidEncoding]?.count == 1)
  }

  @Test func findsAllInvalidBytesThatTheStandardLibraryFinds() throws {
    let alphabet: [UInt8] = [
      0x61, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xED, 0xEF,
      0xF0,
      0xF1, 0xF4, 0xF5, 0xFF,
    ]
    var generator = SeededGenerator(seed: 1)
    var words: [[UInt8]] = alphabet.flatMap { a in alphabet.map { [a, $0] } }
    words += words.flatMap { word in alphabet.map { word + [$0] } }
    words += (0..<20_000).map { _ in (0..<4).map { _ in alphabet.randomElement(using: &generator)! }
    }
    for word in words {
      let findings = Findings()
      // A first row, for three bytes at the beginning may be a mark.
      let table = try ReadTable(Array("abc\n".utf8) + word, .tabs, findings: findings)
      #expect(table.rows[1] == [String(decoding: word, as: UTF8.self)])
      let isValid = String(validating: word, as: UTF8.self) != nil
      #expect((findings.counts[.invalidEncoding]?.count ?? 0) == (isValid ? 0 : 1), "\(word)")
    }
  }

  @Test func leavesOutRowsThatAreTooLong() throws {
    for length in [101, 400, 5000] {
      for chunk in [1, 7, 1 << 16] {
        let findings = Findings()
        let long = String(repeating: "x", count: length)
        let table = try ReadTable(
          Array("a,b\n\(long),1\r\nc,d\n".utf8), .commas, chunkByteCount: chunk,
          findings: findings,
          rowLimit: 100)
        #expect(table.rows == [["a", "b"], ["c", "d"]])
        #expect(table.lines == [1, 3])
        #expect(findings.counts[.rowTooLong]?.count == 1)
      }
    }
  }

  @Test func holdsNoMoreThanARowOfAnEndlessLine() throws {
    var count = 0
    let findings = Findings()
    let chunk = [UInt8](repeating: 0x78, count: 1 << 18)
    let stream = SourceStream(name: "long") { () throws(FormatError) in
      count += 1
      return count <= 1000 ? chunk : count == 1001 ? Array("\nend\n".utf8) : []
    }
    var reader = TableReader(stream, .commas, onFinding: findings.ofRows)
    #expect(try reader.next())
    #expect(reader.text(0) == "end")
    #expect(reader.line == 2)
    #expect(findings.counts[.rowTooLong]?.count == 1)
  }

  @Test func aQuoteThatNeverEndsCostsOneLine() throws {
    let findings = Findings()
    let rest = (0..<1000).map { "x\($0),y\n" }.joined()
    let table = try ReadTable(
      Array(("a,b\n\"c,d\n" + rest).utf8), .commas, findings: findings, rowLimit: 200)
    #expect(table.rows.count == 1002)
    #expect(table.rows[1] == ["\"c", "d"])
    #expect(findings.counts[.unclosedQuote]?.examples == ["t, line 2"])
  }

  /// As Excel writes text files: only what holds a comma or a quote is quoted.
  ///
  /// A stray quote is a letter, and never takes the next line.
  @Test func quotesOfWholeFieldsEndOnTheirLine() throws {
    var layout = TableLayout.tabs
    layout.quote = 0x22
    layout.quotesWholeFields = true
    let text = """
      1\tAus\t"(L., 1758)"\t"Ed. 10 ""x"" y"
      2\t"Aus" bus\t"x\ty
      3\t"open\t"closed"\t""
      4\tmore"\t"y"\t"z
      5\t"a\tb"\tc
      """
    for chunk in [1, 2, 7, 1 << 18] {
      let findings = Findings()
      let table = try ReadTable(
        Array(text.utf8), layout, chunkByteCount: chunk, findings: findings)
      #expect(
        table.rows == [
          ["1", "Aus", "(L., 1758)", "Ed. 10 \"x\" y"], ["2", "\"Aus\" bus", "\"x", "y"],
          ["3", "\"open", "closed", ""], ["4", "more\"", "y", "\"z"], ["5", "a\tb", "c", ""],
        ], "\(chunk)")
      #expect(findings.counts.keys.map { $0 } == [.wrongColumnCount])
    }
  }

  @Test func countsWrongColumnCounts() throws {
    let findings = Findings()
    let table = try ReadTable(Array("a\tb\nc\n\nd\te\tf\n".utf8), .tabs, findings: findings)
    #expect(table.rows == [["a", "b"], ["c", ""], ["d", "e"]])
    #expect(
      findings.counts[.wrongColumnCount]?.examples
        == ["t, line 2: 2 expected, 1 found", "t, line 4: 2 expected, 3 found"])
  }

  @Test func givesValuesOfFields() throws {
    var layout = TableLayout.tabs
    layout.areNullWordsEmpty = true
    let text = " a b \t\\N\tNULL\t-12\t9223372036854775808\t-9223372036854775808\t1x\t+3\t-"
    var reader = TableReader(
      SourceStream(name: "t", bytes: Array(text.utf8)), layout, onFinding: { _, _ in })
    #expect(try reader.next())
    #expect(reader.text(0) == "a b")
    #expect(reader.equals(0, "a b") && !reader.equals(0, "a c") && !reader.equals(0, "a"))
    #expect(reader.isEmpty(1) && reader.isEmpty(2) && !reader.isEmpty(3) && reader.isEmpty(99))
    #expect(reader.text(1).isEmpty && reader.text(99).isEmpty)
    #expect(
      (3...9).map(reader.integer) == [-12, nil, .min, nil, 3, nil, nil])
    #expect(try !reader.next())
  }

  @Test func readsHeadersAndSkipsThem() throws {
    let bytes = Array("note\nid,name\n1,a\n".utf8)
    var layout = TableLayout.commas
    layout.headerRowCount = 2
    var reader = TableReader(
      SourceStream(name: "t", bytes: bytes), layout, onFinding: { _, _ in })
    #expect(try reader.header() == ["id", "name"])
    #expect(try reader.next())
    #expect(reader.integer(0) == 1)
    #expect(try ReadTable(bytes, layout).rows == [["1", "a"]])
    var empty = TableReader(
      SourceStream(name: "t", bytes: []), layout, onFinding: { _, _ in })
    #expect(try empty.header() == nil)
  }

  @Test func readsDumpFilesOfBothKinds() throws {
    let rows = [["1", "", "x"], ["2", "y", ""]]
    #expect(
      try ReadTable(Array("1\t|\t\t|\tx\t|\n2\t|\ty\t|\t\t|\n".utf8), .dump).rows == rows)
    #expect(
      try ReadTable(Array("1\t|\t\t|\tx\t|\t\n2\t|\ty\t|\t\t|\t\n".utf8), .dump).rows == rows)
  }
}

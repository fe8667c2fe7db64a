/// How a table is written: its encoding, and what is between fields and rows.
package struct TableLayout: Equatable, Sendable {
  /// How characters are written, unless a byte order mark says otherwise.
  package enum Encoding: Equatable, Sendable {
    case utf8
    /// ISO 8859-1.
    case latin1
    case windows1252
    case utf16LittleEndian
    case utf16BigEndian
  }

  /// What is between two fields, in UTF-8; never empty.
  package var delimiter: [UInt8]
  /// What may be at the end of a row before the line end, as in "a\t|\tb\t|\n"; empty for none.
  ///
  /// A delimiter there is dropped as well.
  package var rowSuffix: [UInt8] = []
  /// What encloses fields that hold delimiters or line ends, doubled where it is meant; nil for none.
  package var quote: UInt8?
  /// Whether a quote is one only where it begins a field that ends with one on the same line, as in tables
  /// of which nobody says that they have quotes; every other one is a letter.
  package var quotesWholeFields = false
  /// How many rows at the beginning are not data.
  package var headerRowCount = 0
  /// How characters are written if there is no byte order mark.
  package var encoding = Encoding.utf8
  /// How many fields each row must have; nil for as many as the first one has, header or not.
  package var columnCount: Int?
  /// Whether a field with the word NULL or NA is empty, as one with `\N` always is.
  package var areNullWordsEmpty = false
  /// Whether the encoding is only a guess: a field that is not in UTF-8 is then in Windows-1252.
  package var isEncodingGuessed = false

  /// A table with a delimiter of one byte.
  package init(delimiter: UInt8, quote: UInt8? = nil, headerRowCount: Int = 0) {
    self.delimiter = [delimiter]
    self.quote = quote
    self.headerRowCount = headerRowCount
  }

  /// Fields between tabs, no quotes.
  package static let tabs = TableLayout(delimiter: 0x09)
  /// The .dmp files of NCBI and the .tsv files of Open Tree: "\t|\t" and at the end "\t|".
  package static let dump = {
    var layout = TableLayout(delimiter: 0)
    layout.delimiter = Array("\t|\t".utf8)
    layout.rowSuffix = Array("\t|".utf8)
    return layout
  }()
}

extension TableLayout {
  /// The layout that a table with a header line most likely has.
  ///
  /// Of `, ; | tab` it is the one that the header has most of; a name that ends in .tsv or .csv
  /// decides where the header has none. Quotes are read unless tabs separate fields and neither the
  /// header nor the first rows have any, which R writes. Without a byte order mark, zeros tell UTF-16.
  ///
  /// - Parameters:
  ///   - fileName: the file.
  ///   - head: its first bytes; the header must be in there to be seen, and some rows for their quotes.
  /// - Returns: the layout, with one header row.
  package static func guess(fileName: String, head: [UInt8]) -> TableLayout {
    let marks: [[UInt8]] = [[0xEF, 0xBB, 0xBF], [0xFF, 0xFE], [0xFE, 0xFF]]
    let skipped = marks.first { head.starts(with: $0) }?.count ?? 0
    let encoding = Self.encoding(of: head)
    // In UTF-16 every other byte is zero, which changes nothing here.
    let line = head.dropFirst(skipped).prefix { $0 != 0x0A && $0 != 0x0D }
    var dump = Self.dump
    if line.contains(dump.delimiter) {
      dump.headerRowCount = 1
      dump.isEncodingGuessed = true
      return dump
    }
    let name = fileName.lowercased()
    let isTabbed = name.hasSuffix(".tsv") || name.hasSuffix(".tab") || name.hasSuffix(".txt")
    // Ties go to the extension, then to this order.
    let candidates: [UInt8] = isTabbed ? [0x09, 0x2C, 0x3B, 0x7C] : [0x2C, 0x09, 0x3B, 0x7C]
    var best = candidates[0]
    var bestCount = line.count { $0 == best }
    for candidate in candidates.dropFirst() {
      let count = line.count { $0 == candidate }
      if count > bestCount { (best, bestCount) = (candidate, count) }
    }
    let isQuoted = best != 0x09 || line.first { $0 != 0 } == 0x22
    var layout = TableLayout(delimiter: best, quote: isQuoted ? 0x22 : nil, headerRowCount: 1)
    layout.encoding = encoding
    layout.isEncodingGuessed = encoding == .utf8
    layout.takeQuotes(of: head)
    return layout
  }

  /// The layout of a text whose lines are not divided: each is one field.
  ///
  /// - Parameter head: its first bytes, which tell the encoding.
  /// - Returns: the layout, without header rows.
  package static func lines(head: [UInt8]) -> TableLayout {
    var layout = TableLayout(delimiter: 0)
    // No line holds two line ends.
    layout.delimiter = [0x0A, 0x0A]
    layout.encoding = encoding(of: head)
    layout.isEncodingGuessed = layout.encoding == .utf8
    return layout
  }

  /// Takes fields of the first rows that begin and end with a quote for quoted ones, where no quote is
  /// stated and no field begins with one that does not end it.
  ///
  /// - Parameter head: the first bytes of the file.
  /// - Complexity: O(length of `head`)
  package mutating func takeQuotes(of head: [UInt8]) {
    guard quote == nil, delimiter.count == 1, rowSuffix.isEmpty else { return }
    let isWide = encoding == .utf16LittleEndian || encoding == .utf16BigEndian
    let bytes = isWide ? head.filter { $0 != 0 } : head
    var candidate = self
    candidate.quote = 0x22
    candidate.quotesWholeFields = true
    let scanner = RowScanner(candidate)
    var isFound = false
    var start = 0
    while start < bytes.count {
      var offset = start
      let lineEnd = bytes[start...].firstIndex(of: 0x0A)
      start = lineEnd.map { $0 + 1 } ?? bytes.count
      while offset < start {
        if bytes[offset] == 0x22 {
          guard let close = scanner.wholeFieldEnd(bytes.span, from: offset, isAtEnd: true) else {
            // The last line may be cut off.
            if lineEnd == nil { break }
            return
          }
          // A quote alone is none.
          isFound = isFound || close > offset + 1
          offset = close
        }
        offset = bytes[offset..<start].firstIndex(of: delimiter[0]).map { $0 + 1 } ?? start
      }
    }
    if isFound { self = candidate }
  }

  /// Takes a file for UTF-16 where every other byte of its beginning is zero, whatever is stated of it.
  ///
  /// - Parameter head: the first bytes of the file.
  package mutating func takeWideEncoding(of head: [UInt8]) {
    let found = Self.encoding(of: head)
    if encoding == .utf8, found != .utf8 { encoding = found }
  }

  /// UTF-16, where every other byte of the beginning is zero, else UTF-8.
  private static func encoding(of head: [UInt8]) -> Encoding {
    let pairs = head.prefix(512).count / 2
    guard pairs > 1 else { return .utf8 }
    let zeros = [0, 1].map { first in
      stride(from: first, to: 2 * pairs, by: 2).count { head[$0] == 0 }
    }
    // Letters of Latin in most of the header, none of whose bytes is zero.
    if zeros[0] == 0, zeros[1] * 2 > pairs { return .utf16LittleEndian }
    if zeros[1] == 0, zeros[0] * 2 > pairs { return .utf16BigEndian }
    return .utf8
  }
}

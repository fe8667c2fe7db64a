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
  /// How many rows at the beginning are not data.
  package var headerRowCount = 0
  /// How characters are written if there is no byte order mark.
  package var encoding = Encoding.utf8
  /// How many fields each row must have; nil for as many as the first one has, header or not.
  package var columnCount: Int?
  /// Whether a field with the word NULL is empty, as one with `\N` always is.
  package var isNullWordEmpty = false

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
  /// decides where the header has none. Quotes are read unless tabs separate fields.
  ///
  /// - Parameters:
  ///   - fileName: the file.
  ///   - head: its first bytes; the header must be in there to be seen.
  /// - Returns: the layout, with one header row.
  package static func guess(fileName: String, head: [UInt8]) -> TableLayout {
    let skipped = head.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    // In UTF-16 every other byte is zero, which changes nothing here.
    let line = head.dropFirst(skipped).prefix { $0 != 0x0A && $0 != 0x0D }
    var dump = Self.dump
    if line.contains(dump.delimiter) {
      dump.headerRowCount = 1
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
    return TableLayout(delimiter: best, quote: best == 0x09 ? nil : 0x22, headerRowCount: 1)
  }
}

@testable import STOLPack

/// The sections of a pack, to change some of them and put all together again with right checksums.
struct PackParts {
  var header: Header
  var directory: Directory
  var contents: [Section: [UInt8]] = [:]

  init(_ bytes: [UInt8]) throws {
    let span = bytes.rawSpan
    header = try Header(reading: span)
    directory = try Directory(reading: span, header: header)
    for section in Section.allCases {
      let entry = directory[section]
      contents[section] = Array(bytes[entry.offset..<entry.offset + entry.byteCount])
    }
  }

  /// The whole file.
  func encoded() -> [UInt8] {
    var header = header
    var directory = directory
    var body: [UInt8] = []
    let start = Layout.headerByteCount + Section.allCases.count * Layout.entryByteCount
    for section in Section.allCases {
      let bytes = contents[section] ?? []
      directory[section].offset = start + body.count
      directory[section].byteCount = bytes.count
      directory[section].checksum = Checksum.of(bytes)
      body += bytes + [UInt8](repeating: 0, count: (64 - bytes.count % 64) % 64)
    }
    let entries = directory.encoded()
    header.fileByteCount = start + body.count
    header.directoryChecksum = Checksum.of(entries)
    return header.encoded() + entries + body
  }

  /// Changes the stored values of a packed section; base and parameter stay.
  mutating func edit(_ section: Section, _ change: (inout [UInt64]) -> Void) {
    let entry = directory[section]
    let bytes = contents[section] ?? []
    let column = PackedColumn(bytes.rawSpan, count: entry.count, width: entry.width)
    var values: [UInt64] = []
    for row in 0..<entry.count { values.append(column.raw(row)) }
    change(&values)
    let width = max(entry.width, (values.max() ?? 0).significantBitCount)
    let encoded = EncodedSection.packed(count: values.count, width: width) { values[$0] }
    contents[section] = encoded.bytes
    directory[section].count = values.count
    directory[section].width = encoded.width
  }

  /// Changes the values of a monotone section.
  mutating func editMonotone(_ section: Section, _ change: (inout [Int]) -> Void) {
    let entry = directory[section]
    let bytes = contents[section] ?? []
    let column = MonotoneColumn(
      bytes.rawSpan, count: entry.count, width: entry.width, bound: entry.parameter)
    var values: [Int] = []
    for row in 0..<entry.count { values.append(column[row]) }
    change(&values)
    replace(section, with: .monotone(values))
  }

  /// Changes the rows of a table of strings.
  mutating func editStrings(_ section: Section, _ change: (inout [String]) -> Void) {
    let bytes = contents[section] ?? []
    let table = StringTable<AnyText>(bytes.rawSpan, count: directory[section].count)
    var strings = table.all
    change(&strings)
    replace(section, with: .strings(strings))
  }

  /// Changes the stored parents; the minima in the blocks are made to fit.
  mutating func editParents(_ change: (inout [UInt32]) -> Void) {
    let bytes = contents[.parent] ?? []
    let count = directory[.parent].count
    let column = ParentColumn(bytes.rawSpan, count: count, width: directory[.parent].width)
    var values: [UInt32] = []
    for row in 0..<count { values.append(UInt32(column[row])) }
    change(&values)
    replace(.parent, with: .parents(values))
  }

  /// Changes the words of the vocabulary.
  mutating func editWords(_ change: (inout [[UInt8]]) -> Void) {
    let blocks = contents[.wordBlocks] ?? []
    let text = contents[.wordText] ?? []
    var entries = Directory()
    entries[.wordBlocks] = directory[.wordBlocks]
    entries[.wordBlocks].offset = 0
    entries[.wordText] = directory[.wordText]
    entries[.wordText].offset = blocks.count
    let bytes = blocks + text
    let vocabulary = Vocabulary(bytes.rawSpan, directory: entries, count: header.wordCount)
    var words: [[UInt8]] = []
    for number in 0..<vocabulary.count {
      var word: [UInt8] = []
      vocabulary.append(number, to: &word)
      words.append(word)
    }
    change(&words)
    let coded = FrontCoding.encode(words)
    replace(.wordBlocks, with: .packed(coded.blocks.map(UInt32.init)))
    replace(.wordText, with: .plain(coded.text))
  }

  /// Changes one byte of a section, counted from its end if `offset` is negative.
  mutating func flip(_ section: Section, at offset: Int, _ bits: UInt8) {
    guard var bytes = contents[section] else { return }
    bytes[offset < 0 ? bytes.count + offset : offset] ^= bits
    contents[section] = bytes
  }

  private mutating func replace(_ section: Section, with encoded: EncodedSection) {
    contents[section] = encoded.bytes
    directory[section].count = encoded.count
    directory[section].width = encoded.width
    directory[section].parameter = encoded.parameter
  }
}

/// The section directory: PACK.md section 3.
struct Directory {
  /// The entry of each known section, by `Section.rawValue`.
  private(set) var entries = [SectionEntry](
    repeating: SectionEntry(), count: Section.allCases.count)
  /// The bytes that a search for similar names reads most of, besides the parents.
  private(set) var searched = 0..<0

  init() {}

  subscript(section: Section) -> SectionEntry {
    get { entries[section.rawValue] }
    set { entries[section.rawValue] = newValue }
  }

  /// Reads the directory and checks that every section lies inside the file, has the length that its
  /// encoding asks for and as many values as its description says.
  ///
  /// - Complexity: O(s) for s sections.
  init(reading bytes: RawSpan, header: Header) throws(PackError) {
    let start = Layout.headerByteCount
    let end = start + header.sectionCount * Layout.entryByteCount
    guard end <= bytes.byteCount else {
      throw .truncated(section: "directory", need: end, got: bytes.byteCount)
    }
    let got = Checksum.of(bytes.clamped(start..<end))
    guard got == header.directoryChecksum else {
      throw .checksum(section: "directory", expected: header.directoryChecksum, got: got)
    }
    var found = [Bool](repeating: false, count: entries.count)
    var previousEnd = end
    for index in 0..<header.sectionCount {
      let at = start + index * Layout.entryByteCount
      let key = SectionKey(bytes.uint64(at: at), bytes.uint64(at: at + 8))
      let entry = try Self.entry(bytes, at: at, after: previousEnd)
      previousEnd = entry.offset + entry.byteCount
      guard let section = SectionKey.section(key, at: index) else {
        guard !entry.isRequired else { throw .unknownRequiredSection(key.text) }
        continue
      }
      guard !found[section.rawValue] else {
        throw .corrupt(section: section.name, position: index, reason: "the section is there twice")
      }
      try Self.checkShape(entry, of: section, fileByteCount: bytes.byteCount)
      entries[section.rawValue] = entry
      found[section.rawValue] = true
      if section.description.group.isSearched {
        searched = (searched.isEmpty ? entry.offset : searched.lowerBound)..<previousEnd
      }
    }
    if let missing = found.firstIndex(of: false) {
      throw .missingSection(Section.allCases[missing].name)
    }
    try checkCounts(header)
  }

  /// Refuses a pack whose sections disagree about how many rows there are.
  private func checkCounts(_ header: Header) throws(PackError) {
    for section in Section.allCases {
      let description = section.description
      let count = self[section].count
      guard let expected = description.count.expected(header, self), count != expected else {
        continue
      }
      throw .corrupt(
        section: description.name, position: 0,
        reason: "\(count) rows where \(expected) are expected")
    }
    guard header.phraseCount >= header.nameCount else {
      throw .corrupt(section: "header", position: 36, reason: "fewer phrases than names")
    }
  }

  private static func entry(
    _ bytes: RawSpan, at: Int, after previousEnd: Int
  ) throws(PackError) -> SectionEntry {
    var entry = SectionEntry()
    entry.offset = Int(stored: bytes.uint64(at: at + 16))
    entry.byteCount = Int(stored: bytes.uint64(at: at + 24))
    entry.count = Int(stored: bytes.uint64(at: at + 32))
    entry.base = Int64(truncatingIfNeeded: bytes.uint64(at: at + 40))
    entry.parameter = Int(stored: bytes.uint64(at: at + 48))
    entry.checksum = bytes.uint32(at: at + 56)
    entry.encoding = bytes.uint8(at: at + 60)
    entry.width = Int(bytes.uint8(at: at + 61))
    let flags = bytes.uint32(at: at + 60) >> 16
    entry.isRequired = flags & 1 == 1
    guard flags <= 1 else {
      throw .corrupt(section: "directory", position: at + 62, reason: "a reserved flag is set")
    }
    let total = bytes.byteCount
    guard entry.offset >= previousEnd, entry.offset % Layout.alignment == 0,
      entry.offset <= total, entry.byteCount >= 0, entry.byteCount <= total - entry.offset
    else {
      throw .corrupt(
        section: "directory", position: at + 16,
        reason: "a section overlaps another one or ends past the file")
    }
    return entry
  }

  /// Checks the length of a section against its count and width.
  private static func checkShape(
    _ entry: SectionEntry, of section: Section, fileByteCount: Int
  ) throws(PackError) {
    let section = section.description
    func fail(_ reason: String) -> PackError {
      .corrupt(section: section.name, position: 0, reason: reason)
    }
    guard entry.encoding == section.encoding.rawValue else { throw fail("unexpected encoding") }
    guard (0...Layout.maximumValueCount).contains(Int64(entry.count)) else {
      throw fail("count too large")
    }
    // Values of no bits take no bytes; a made-up number of them must not keep a reader busy.
    guard entry.count / 8 <= fileByteCount else { throw fail("more values than bits in the file") }
    guard section.width.allows(entry.width) else { throw fail("width too large") }
    let expected: Int64
    switch section.encoding {
    case .bytes: expected = Int64(entry.count)
    case .blocks: expected = Int64(ParentColumn.byteCount(count: entry.count, width: entry.width))
    case .packed: expected = Int64(Layout.packedByteCount(count: entry.count, width: entry.width))
    case .strings: expected = max(Int64(entry.byteCount), (Int64(entry.count) + 1) * 4)
    case .monotone:
      guard entry.parameter >= 0,
        Int64(entry.parameter >> entry.width) < Layout.maximumValueCount
      else {
        throw fail("bound too large")
      }
      expected =
        MonotoneShape(count: entry.count, width: entry.width, bound: entry.parameter)
        .byteCount
    }
    guard entry.byteCount == expected else {
      throw .truncated(section: section.name, need: Int(clamping: expected), got: entry.byteCount)
    }
  }

  /// The directory as it is written.
  func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    for section in Section.allCases {
      let entry = self[section]
      let name = Array(section.name.utf8)
      bytes += name + repeatElement(0, count: Layout.sectionNameByteCount - name.count)
      bytes.appendLittleEndian(UInt64(entry.offset))
      bytes.appendLittleEndian(UInt64(entry.byteCount))
      bytes.appendLittleEndian(UInt64(entry.count))
      bytes.appendLittleEndian(entry.base)
      bytes.appendLittleEndian(UInt64(entry.parameter))
      bytes.appendLittleEndian(entry.checksum)
      bytes.append(section.encoding.rawValue)
      bytes.append(UInt8(entry.width))
      bytes.appendLittleEndian(UInt16(entry.isRequired ? 1 : 0))
    }
    return bytes
  }
}

/// The sixteen bytes of a section's name as two integers, to compare at once.
private struct SectionKey: Equatable {
  let low: UInt64
  let high: UInt64

  private static let keys = Section.allCases.map { SectionKey($0.name) }

  /// The section of a name at `place` of a directory: mostly that which a writer puts there.
  static func section(_ key: SectionKey, at place: Int) -> Section? {
    let isThere = place < keys.count && keys[place] == key
    return (isThere ? place : keys.firstIndex(of: key)).flatMap { Section(rawValue: $0) }
  }

  init(_ low: UInt64, _ high: UInt64) {
    self.low = low
    self.high = high
  }

  init(_ name: String) {
    var words: (UInt64, UInt64) = (0, 0)
    for (index, byte) in name.utf8.enumerated() {
      let shifted = UInt64(byte) << UInt64(index % 8 * 8)
      if index < 8 { words.0 |= shifted } else { words.1 |= shifted }
    }
    (low, high) = words
  }

  var text: String {
    let bytes = [low, high].flatMap { word in (0..<8).map { UInt8(word >> ($0 * 8) & 0xFF) } }
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}

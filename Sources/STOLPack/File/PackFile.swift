internal import STOLSystem

/// Writes a pack section by section; the file takes its name once it is complete.
struct PackFile: SectionOutput, ~Copyable {
  private var file: ReplacementFile
  private var directory = Directory()
  private var offset: Int

  init(path: String) throws(SystemError) {
    file = try ReplacementFile(path: path)
    let head = Layout.headerByteCount + Section.allCases.count * Layout.entryByteCount
    offset = Self.aligned(head)
  }

  /// Writes one section; sections come in the order of `Section.allCases`.
  mutating func write(_ section: Section, _ encoded: EncodedSection) throws(SystemError) {
    var entry = SectionEntry()
    entry.offset = offset
    entry.byteCount = encoded.bytes.count
    entry.count = encoded.count
    entry.base = encoded.base
    entry.parameter = encoded.parameter
    entry.width = encoded.width
    entry.encoding = section.encoding.rawValue
    entry.checksum = Checksum.of(encoded.bytes)
    directory[section] = entry
    try file.write(encoded.bytes, at: offset)
    let end = offset + encoded.bytes.count
    offset = Self.aligned(end)
    // The gap, so that the file ends on a boundary too.
    try file.write([UInt8](repeating: 0, count: offset - end), at: end)
  }

  /// Adds what is computed from the rest of the pack, and gives the file its name.
  mutating func finish(_ header: Header) throws {
    let start = offset
    let unknown = [UInt32](repeating: 0, count: directory[.trieNodes].count - 1)
    try writeCompletions(best: unknown, [], [])
    try writeHead(header)
    let pack = try Pack(PackBytes(of: file.mapped()))
    let best = BestTaxa.values(of: pack.view)
    let completions = CompletionBuilder.completions(of: pack)
    offset = start
    try writeCompletions(
      best: best, completions.map { $0.words }, completions.flatMap { $0.names })
    try writeHead(header)
    try file.finish()
  }

  private mutating func writeCompletions(
    best: [UInt32], _ words: [UInt64], _ names: [UInt32]
  ) throws(SystemError) {
    try write(.trieBest, .packed(best))
    // They ascend.
    let width = (words.last ?? 0).significantBitCount
    try write(.completeWords, .packed(count: words.count, width: width) { words[$0] })
    try write(.completeName, .packed(names))
  }

  private func writeHead(_ header: Header) throws(SystemError) {
    var header = header
    let directoryBytes = directory.encoded()
    header.sectionCount = Section.allCases.count
    header.fileByteCount = offset
    header.directoryChecksum = Checksum.of(directoryBytes)
    var head = header.encoded() + directoryBytes
    head.append(contentsOf: repeatElement(0, count: Self.aligned(head.count) - head.count))
    try file.write(head, at: 0)
  }

  private static func aligned(_ offset: Int) -> Int {
    (offset + Layout.alignment - 1) / Layout.alignment * Layout.alignment
  }
}

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Writes a pack section by section to a temporary file, which takes its name at the end.
///
/// Until `finish` returns, a file that was at `path` stays as it was; afterwards the new one is
/// durable: file synchronized, renamed, directory synchronized.
struct PackFile: ~Copyable {
  private let path: String
  private let temporaryPath: String
  private let file: Descriptor
  private var isFinished = false
  private var directory = Directory()
  private var offset: Int

  init(path: String) throws(PackError) {
    self.path = path
    temporaryPath = "\(path).\(processNumber()).tmp"
    file = try Descriptor(
      opening: temporaryPath, flags: O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, mode: 0o644)
    let head = Layout.headerByteCount + Section.allCases.count * Layout.entryByteCount
    offset = Self.aligned(head)
  }

  deinit {
    if !isFinished { removeFile(temporaryPath) }
  }

  /// Writes one section; sections come in the order of `Section.allCases`.
  mutating func write(_ section: Section, _ encoded: EncodedSection) throws(PackError) {
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
    try file.write(encoded.bytes.span, at: offset)
    let end = offset + encoded.bytes.count
    offset = Self.aligned(end)
    // The gap, so that the file ends on a boundary too.
    try file.write([UInt8](repeating: 0, count: offset - end).span, at: end)
  }

  /// Writes header and directory, makes the file durable and gives it its name.
  mutating func finish(_ header: Header) throws(PackError) {
    var header = header
    let directoryBytes = directory.encoded()
    header.sectionCount = Section.allCases.count
    header.fileByteCount = offset
    header.directoryChecksum = Checksum.of(directoryBytes)
    var head = header.encoded() + directoryBytes
    head.append(contentsOf: repeatElement(0, count: Self.aligned(head.count) - head.count))
    try file.write(head.span, at: 0)
    try file.synchronize()
    try renameFile(temporaryPath, to: path)
    isFinished = true
    try synchronizeFolder(of: path)
  }

  private static func aligned(_ offset: Int) -> Int {
    (offset + Layout.alignment - 1) / Layout.alignment * Layout.alignment
  }
}

extension PackWriter {
  /// Moves the finished file at `temporaryPath` to `path` and makes the move durable.
  public static func replace(_ path: String, with temporaryPath: String) throws(PackError) {
    try renameFile(temporaryPath, to: path)
    try synchronizeFolder(of: path)
  }
}

/// Makes the names in the folder of `path` durable.
func synchronizeFolder(of path: String) throws(PackError) {
  let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
  try Descriptor(opening: folder, flags: O_RDONLY).synchronize()
}

import STOLSystem

/// Bytes of an answer that may be too many for memory: a file without a name, which goes away with it.
///
/// What is short is in memory alone, and never comes to the disk.
final class SpooledBytes: Sendable {
  /// As many bytes are kept in memory.
  static let memoryByteCount = 16 << 20

  /// What is being written.
  struct Writer: ~Copyable {
    private var head: [UInt8] = []
    private var file: ScratchFile?
    private let path: String
    private(set) var byteCount = 0

    /// Nothing yet; what is long comes to the folder of `path`.
    init(beside path: String) { self.path = path }

    /// Appends bytes.
    mutating func append(_ bytes: [UInt8]) throws(SystemError) {
      byteCount += bytes.count
      if file == nil, head.count + bytes.count > SpooledBytes.memoryByteCount {
        var begun = try ScratchFile(beside: path)
        try begun.append(head)
        head = []
        file = consume begun
      }
      if file == nil { head += bytes } else { try file?.append(bytes) }
    }

    /// All that was written.
    consuming func finish() throws(SystemError) -> SpooledBytes {
      try file?.flush()
      return SpooledBytes(head: head, file: file, byteCount: byteCount)
    }
  }

  private let head: [UInt8]
  private let file: ScratchFile?
  /// How many they are.
  let byteCount: Int

  private init(head: [UInt8], file: consuming ScratchFile?, byteCount: Int) {
    self.head = head
    self.file = file
    self.byteCount = byteCount
  }

  /// Some of them: those from `offset` on, `limit` of them unless they end before.
  func bytes(at offset: Int, limit: Int) throws(SystemError) -> [UInt8] {
    guard file == nil else { return try file?.bytes(at: offset, limit: limit) ?? [] }
    return Array(head.dropFirst(offset).prefix(limit))
  }
}

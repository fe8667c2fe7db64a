#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file without a name, for what need not be in memory; it goes away with the process.
package struct ScratchFile: ~Copyable {
  /// How many bytes have been appended.
  package private(set) var byteCount = 0
  private let file: Descriptor
  /// What has been appended but not written.
  private var waiting: [UInt8] = []
  private static let capacity = 1 << 20

  /// Creates the file in the folder of `path`, where there is room for the result too.
  package init(beside path: String) throws(SystemError) {
    let name = TemporaryFiles.name(for: path + ".scratch")
    // One that is there is of a killed process with the number of this one.
    removeFile(name)
    file = try Descriptor(
      opening: name, flags: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600, reportingAs: path)
    removeFile(name)
    waiting.reserveCapacity(Self.capacity)
  }

  /// Appends `bytes`.
  package mutating func append(_ bytes: [UInt8]) throws(SystemError) {
    if waiting.count + bytes.count > Self.capacity { try flush() }
    waiting.append(contentsOf: bytes)
    byteCount += bytes.count
  }

  /// Whether something waits to be written.
  package var isWaiting: Bool { !waiting.isEmpty }

  /// Writes what waits; what is read must have been.
  package mutating func flush() throws(SystemError) {
    try file.write(waiting.span, at: byteCount - waiting.count)
    waiting.removeAll(keepingCapacity: true)
  }

  /// The bytes from `offset` on, `limit` of them unless the file ends before.
  package func bytes(at offset: Int, limit: Int) throws(SystemError) -> [UInt8] {
    try file.bytes(at: offset, limit: limit)
  }
}

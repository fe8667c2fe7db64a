#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file or the standard input, read in chunks.
package struct ByteInput: ~Copyable {
  /// Closes itself with this value; nil for the standard input.
  private let file: Descriptor?
  private let number: CInt
  private let path: String

  /// Opens the file at `path`, or the standard input for nil.
  package init(path: String?) throws(SystemError) {
    self.path = path ?? "standard input"
    if let path {
      let opened = try Descriptor(opening: path, flags: O_RDONLY)
      number = opened.number
      file = consume opened
    } else {
      number = STDIN_FILENO
      file = nil
    }
  }

  /// Replaces `buffer` with the next bytes, at most `limit`; none at the end.
  package func read(into buffer: inout [UInt8], limit: Int) throws(SystemError) {
    var count = 0
    repeat {
      buffer = unsafe [UInt8](unsafeUninitializedCapacity: limit) { block, filled in
        // SAFETY: the block holds `limit` bytes; only what read filled is kept.
        count = unsafe systemRead(number, block.baseAddress, limit)
        filled = max(0, count)
      }
    } while count < 0 && errno == EINTR
    guard count >= 0 else { throw SystemError(operation: "read", path: path, code: .last) }
  }
}

/// The standard output or standard error, buffered.
package struct ByteOutput: ~Copyable {
  /// What waits to be written; append to it, then call `flushIfFull()`.
  package var bytes: [UInt8] = []
  private let number: CInt
  private static let capacity = 1 << 16

  /// Buffers the standard output.
  package init() {
    number = STDOUT_FILENO
    bytes.reserveCapacity(Self.capacity + 4096)
    signal(SIGPIPE, SIG_IGN)
  }

  /// Appends text.
  package mutating func write(_ text: String) throws(SystemError) {
    bytes.append(contentsOf: text.utf8)
    try flushIfFull()
  }

  /// Writes what waits, if that is much.
  package mutating func flushIfFull() throws(SystemError) {
    if bytes.count >= Self.capacity { try flush() }
  }

  /// Hands everything to the operating system.
  ///
  /// - Throws: `brokenPipe` where the reader has gone away; there is nobody to tell then.
  package mutating func flush() throws(SystemError) {
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { block in
        // SAFETY: done < count, so the rebased pointer stays inside the block.
        unsafe systemWrite(number, block.baseAddress.map { unsafe $0 + done }, block.count - done)
      }
      if count < 0 {
        let code = SystemErrorCode.last
        if code == .interrupted { continue }
        bytes.removeAll(keepingCapacity: true)
        throw SystemError(operation: "write", path: "standard output", code: code)
      }
      done += count
    }
    bytes.removeAll(keepingCapacity: true)
  }
}

/// Writes text to the standard error; nobody is told when that fails.
package func writeStandardError(_ text: String) {
  var text = text
  // SAFETY: the buffer is read inside the call only.
  text.withUTF8 { block in
    _ = unsafe systemWrite(
      STDERR_FILENO, UnsafeRawPointer(block.baseAddress), block.count)
  }
}

/// Whether a standard stream is a terminal.
package enum Terminal {
  /// Whether the standard input is a terminal.
  package static var isInput: Bool { isatty(STDIN_FILENO) == 1 }
  /// Whether the standard output is a terminal.
  package static var isOutput: Bool { isatty(STDOUT_FILENO) == 1 }
  /// Whether the standard error is a terminal.
  package static var isError: Bool { isatty(STDERR_FILENO) == 1 }
}

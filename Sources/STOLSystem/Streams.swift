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

/// A line typed on the terminal without being shown.
package enum HiddenInput {
  /// The longest line, in bytes; the array never moves, so that no copy stays behind.
  package static let limit = 1024

  /// Asks on the terminal of the process, whatever the standard streams are.
  ///
  /// - Returns: what was typed up to the end of the line; nil if there is no terminal. The caller
  ///   wipes it.
  /// - Throws: `SystemError`; `interrupted` once the terminal is as it was, if interrupted.
  package static func line(prompt: String) throws(SystemError) -> [UInt8]? {
    guard let terminal = try? Descriptor(opening: "/dev/tty", flags: O_RDWR | O_NOCTTY) else {
      return nil
    }
    var settings = termios()
    // SAFETY: the structure outlives the calls, here and below.
    guard unsafe tcgetattr(terminal.number, &settings) == 0 else { return nil }
    var hidden = settings
    // Signals are off too: none may end the process while the terminal does not echo.
    hidden.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG)
    guard unsafe tcsetattr(terminal.number, TCSAFLUSH, &hidden) == 0 else { return nil }
    defer {
      show("\n", on: terminal.number)
      _ = unsafe tcsetattr(terminal.number, TCSAFLUSH, &settings)
    }
    show(prompt, on: terminal.number)

    var line: [UInt8] = []
    line.reserveCapacity(limit)
    while true {
      var byte: UInt8 = 0
      let count = unsafe systemRead(terminal.number, &byte, 1)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return line }
      switch byte {
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"), 4: return line
      case 3: throw SystemError(operation: "ask", path: "/dev/tty", code: .interrupted)
      case 21: line.removeAll(keepingCapacity: true)
      case 8, 127:
        // A character of several bytes goes as a whole.
        while let last = line.popLast(), last & 0xC0 == 0x80 {}
      default:
        guard line.count < limit else { return line }
        line.append(byte)
      }
    }
  }

  private static func show(_ text: String, on number: CInt) {
    var text = text
    // SAFETY: the buffer is read inside the call only.
    text.withUTF8 { _ = unsafe systemWrite(number, UnsafeRawPointer($0.baseAddress), $0.count) }
  }
}

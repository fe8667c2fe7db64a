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

  /// Waits until there is something to read, or the end; returns false where the alarm rings before.
  package func wait(unless alarm: borrowing InputAlarm) -> Bool {
    let wanted = Int16(POLLIN)
    var waiting = [
      pollfd(fd: number, events: wanted, revents: 0),
      pollfd(fd: alarm.listening, events: wanted, revents: 0),
    ]
    // SAFETY: poll reads and writes the two elements during the call only.
    while unsafe poll(&waiting, 2, -1) < 0, errno == EINTR {}
    return waiting[1].revents == 0
  }
}

/// Lets a thread that waits for input know from another one that nobody needs it any more.
package final class InputAlarm: Sendable {
  /// Becomes readable when it rings.
  fileprivate let listening: CInt
  private let ringing: CInt

  /// Fails where the system has no descriptors left.
  package init?() {
    var ends: [CInt] = [-1, -1]
    // SAFETY: pipe fills the two elements.
    guard unsafe pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (listening, ringing) = (ends[0], ends[1])
  }

  deinit {
    close(listening)
    close(ringing)
  }

  /// Rings, once and for all.
  package func ring() {
    var byte: UInt8 = 1
    // SAFETY: one byte is read during the call.
    _ = unsafe systemWrite(ringing, &byte, 1)
  }
}

/// The standard output, buffered.
package struct ByteOutput: ~Copyable {
  /// What waits to be written; append to it, then call `flushIfFull()`.
  package var bytes: [UInt8] = []
  private static let capacity = 1 << 16

  /// Buffers the standard output.
  package init() {
    bytes.reserveCapacity(Self.capacity + 4096)
    StandardOutput.prepare()
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
  package mutating func flush() throws(SystemError) { try StandardOutput.write(&bytes) }
}

/// The standard output, for whoever keeps what waits for it.
package enum StandardOutput {
  /// Makes that a reader who goes away, or a file that may grow no more, is an error, not the end of the process.
  package static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Hands bytes to the operating system; none are left then.
  ///
  /// - Throws: `brokenPipe` where the reader has gone away; there is nobody to tell then.
  package static func write(_ bytes: inout [UInt8]) throws(SystemError) {
    defer { bytes.removeAll(keepingCapacity: true) }
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { block in
        // SAFETY: done < count, so the rebased pointer stays inside the block.
        unsafe systemWrite(
          STDOUT_FILENO, block.baseAddress.map { unsafe $0 + done }, block.count - done)
      }
      if count < 0 {
        let code = SystemErrorCode.last
        if code == .interrupted { continue }
        throw SystemError(operation: "write", path: "standard output", code: code)
      }
      done += count
    }
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

  /// How many columns the terminal of the standard output has; nil if it is none, or does not say.
  package static var columnCount: Int? {
    var size = winsize()
    // SAFETY: the call writes one `winsize`.
    guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return Int(size.ws_col)
  }
}

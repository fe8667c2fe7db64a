#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

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

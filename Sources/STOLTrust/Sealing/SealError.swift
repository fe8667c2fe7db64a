public import STOLSystem

/// Why something sealed with a passphrase cannot be opened, or sealed.
public enum SealError: Error, Equatable, Sendable {
  /// It is not sealed as Format/JOURNAL.md says.
  case notSealed
  /// It asks for more memory or time than anything sealed here.
  case costTooHigh
  /// The passphrase is another one, or the first bytes are damaged.
  case wrongPassphrase
  /// What stands between these bytes is not what was sealed.
  case damaged(from: Int, to: Int)
  /// It ends before its end, at this byte.
  case cutOff(offset: Int)
  /// Something stands behind its end.
  case goesOn(offset: Int)
  /// Memory for Argon2id is missing.
  case outOfMemory
  /// The system has no libsodium.
  case unavailable
}

extension SealError: StolError {
  /// What kind of trouble it is.
  public var kind: ErrorKind {
    switch self {
    case .wrongPassphrase, .outOfMemory, .unavailable: .usage
    default: .damaged
    }
  }

  /// One line: what is wrong, and what to do.
  public var description: String {
    switch self {
    case .notSealed: "is not sealed with a passphrase"
    case .costTooHigh: "asks for more memory than any sealed file: it is damaged, or not meant well"
    case .wrongPassphrase: "wrong passphrase, or its first 73 bytes are damaged"
    case .damaged(let from, let to):
      "is damaged or cut off between bytes \(from) and \(to): take another copy"
    case .cutOff(let offset): "is cut off at byte \(offset): take another copy"
    case .goesOn(let offset): "has something behind its end at byte \(offset): take another copy"
    case .outOfMemory: "not enough memory to make the key of the passphrase"
    case .unavailable: "sealing needs libsodium, which Apple's systems are without"
    }
  }
}

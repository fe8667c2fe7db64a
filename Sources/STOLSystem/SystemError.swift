#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A system call that failed: what was done, to which file, and what the system said.
public struct SystemError: Error, Equatable, Sendable {
  /// What was to be done, in a word or two: "open", "create the folder".
  public let operation: String
  /// The file or folder, or what else it was done to: "standard output".
  public let path: String
  /// Why it failed.
  public let code: SystemErrorCode

  /// A failure of `operation` on `path`.
  public init(operation: String, path: String, code: SystemErrorCode) {
    self.operation = operation
    self.path = path
    self.code = code
  }
}

extension SystemError: StolError {
  /// What kind of trouble it is.
  public var kind: ErrorKind { .inputOutput }

  /// One line: where, what, and what the system says.
  public var description: String {
    let remedy =
      switch code {
      case _ where code.isNoSpace: "; free some space and try again"
      case SystemErrorCode(rawValue: EROFS): "; choose a place that can be written to"
      case SystemErrorCode(rawValue: EFBIG):
        "; this process may write no larger file: see ulimit -f"
      case .invalidArgument where operation == "open":
        "; it is a pipe or a device: write what comes from it to a file"
      default: ""
      }
    return "\(path): \(operation) failed: \(code)\(remedy)"
  }
}

/// A value of `errno`.
public struct SystemErrorCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The number that this system has for it.
  public let rawValue: CInt

  /// The reason with this number.
  public init(rawValue: CInt) { self.rawValue = rawValue }

  /// Nothing is there.
  public static let noSuchFile = SystemErrorCode(rawValue: ENOENT)
  /// Something is there already.
  public static let fileExists = SystemErrorCode(rawValue: EEXIST)
  /// The device failed, or what it gave cannot be right.
  public static let inputOutput = SystemErrorCode(rawValue: EIO)
  /// Not allowed.
  public static let permissionDenied = SystemErrorCode(rawValue: EACCES)
  /// A folder where a file is needed.
  public static let isFolder = SystemErrorCode(rawValue: EISDIR)
  /// Neither file nor folder, or a value that the system refuses.
  public static let invalidArgument = SystemErrorCode(rawValue: EINVAL)
  /// A symbolic link where none may be.
  public static let symbolicLink = SystemErrorCode(rawValue: ELOOP)
  /// A signal came.
  public static let interrupted = SystemErrorCode(rawValue: EINTR)
  /// No memory is left.
  public static let outOfMemory = SystemErrorCode(rawValue: ENOMEM)
  /// The reader of a pipe has gone.
  public static let brokenPipe = SystemErrorCode(rawValue: EPIPE)
  /// The disk is full.
  public static let noSpace = SystemErrorCode(rawValue: ENOSPC)
  /// The address of a server is taken.
  public static let addressInUse = SystemErrorCode(rawValue: EADDRINUSE)

  /// Whether the disk is full, or what this user may keep on it.
  package var isNoSpace: Bool { rawValue == ENOSPC || rawValue == EDQUOT }

  /// Whether nothing may be written there.
  package var isReadOnly: Bool { rawValue == EROFS || rawValue == EACCES }

  /// Why the last call of this thread failed.
  static var last: SystemErrorCode { SystemErrorCode(rawValue: errno) }

  /// What the system says about it.
  public var description: String {
    // SAFETY: strerror returns a NUL-terminated string, copied before any other call.
    unsafe String(cString: strerror(rawValue))
  }
}

public import STOLSystem

/// Why no database was made of a source that can be read.
///
/// What a file itself has wrong is a `FormatError`, what the system refuses a `SystemError`.
public enum IngestError: Error, Equatable, Sendable {
  /// Two different ids of the source become the same number.
  case idCollision(first: String, second: String)
  /// Nothing in the source is a taxon; why rows were left out, with the first of them, where any was.
  case noTaxa(path: String, leftOut: String = "")
  /// The caller asked to stop.
  case cancelled
  /// SQLite refused something.
  case database(path: String, reason: String)
}

extension IngestError: StolError {
  /// What kind of trouble it is.
  public var kind: ErrorKind { .usage }

  /// One line: where, what, and what to do next.
  public var description: String {
    switch self {
    case .idCollision(let first, let second):
      "the ids \(first) and \(second) get the same number; change one of them"
    case .noTaxa(let path, let leftOut):
      "\(path): there is no taxon in it" + (leftOut.isEmpty ? "" : "; \(leftOut)")
    case .cancelled: "cancelled"
    case .database(let path, let reason): "\(path): \(reason)"
    }
  }
}

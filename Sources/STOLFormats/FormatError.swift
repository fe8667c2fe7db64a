public import STOLSystem

/// Why a file, an archive or a table cannot be read.
public enum FormatError: Error, Equatable, Sendable {
  /// It is not what it was said to be, or is damaged.
  case unreadable(path: String, reason: String)
  /// A file that must be there is missing.
  case missingFile(path: String, name: String)
  /// A column that a file must have is missing.
  case missingColumn(file: String, column: String)
  /// What a line says makes it impossible to go on.
  case line(file: String, line: Int, reason: String)
  /// An archive holds something that no archive of this kind needs: a link, a path that leads out of it.
  case unsafeArchive(path: String, entry: String, reason: String)
  /// A limit that keeps memory and disk bounded was passed.
  case tooLarge(path: String, what: String, limit: Int)
  /// The operating system refused something.
  case system(SystemError)
}

extension FormatError: StolError {
  /// What kind of trouble it is.
  public var kind: ErrorKind {
    switch self {
    case .system(let error): error.kind
    case .unreadable, .unsafeArchive, .line: .damaged
    default: .usage
    }
  }

  /// One line: where, what, and what to do next.
  public var description: String {
    switch self {
    case .unreadable(let path, let reason): "\(path): \(reason)"
    case .missingFile(let path, let name):
      "\(path): there is no file \(name) in it; is it a source of this kind?"
    case .missingColumn(let file, let column): "\(file): it has no column \(column)"
    case .line(let file, let line, let reason): "\(file), line \(line): \(reason)"
    case .unsafeArchive(let path, let entry, let reason):
      "\(path): \(entry): \(reason); nothing was read from this archive"
    case .tooLarge(let path, let what, let limit):
      "\(path): \(what), more than the \(limit) that are allowed"
    case .system(let error): error.description
    }
  }
}

public import STOLPack

/// Why a source could not be read, or no database made of it.
public enum IngestError: Error, Equatable, Sendable {
  /// The source, or a file in it, is not what it was said to be.
  case unreadable(path: String, reason: String)
  /// A file that this kind of source must have is missing.
  case missingFile(path: String, name: String)
  /// A column that a file must have is missing.
  case missingColumn(file: String, column: String)
  /// What a line says makes it impossible to go on.
  case line(file: String, line: Int, reason: String)
  /// An archive holds something that no archive of this kind needs: a link, a path that leads out of it.
  case unsafeArchive(path: String, entry: String, reason: String)
  /// A limit that keeps memory and disk bounded was passed.
  case tooLarge(path: String, what: String, limit: Int)
  /// Two different ids of the source become the same number.
  case idCollision(first: String, second: String)
  /// Nothing in the source is a taxon.
  case noTaxa(path: String)
  /// The caller asked to stop.
  case cancelled
  /// The operating system refused something.
  case system(PackError)
  /// SQLite refused something.
  case database(path: String, reason: String)
}

extension IngestError: CustomStringConvertible {
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
    case .idCollision(let first, let second):
      "the ids \(first) and \(second) get the same number; change one of them"
    case .noTaxa(let path): "\(path): there is no taxon in it"
    case .cancelled: "cancelled"
    case .system(let error): error.description
    case .database(let path, let reason): "\(path): \(reason)"
    }
  }
}

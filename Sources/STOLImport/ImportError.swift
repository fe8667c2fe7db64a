public import STOLSystem

/// Why the database of a sound container is not installed; what a container itself has wrong is a
/// `ContainerError`.
public enum ImportError: Error, Equatable, Sendable {
  /// The database holds something that no taxonomy needs and that might do harm.
  case unexpectedSchema(type: String, name: String)
  /// The database has a newer schema than this stol knows.
  case incompatibleSchema(found: Int, expected: Int)
  /// The release is older than the installed one, or the same with another content.
  case downgrade(installed: UInt32, offered: UInt32)
  /// Another dataset is installed; nil for a file that names none.
  case otherDataset(installed: String, offered: String?)
  /// The pack that came along is not what the database compiles to.
  case otherPack(reason: String)
  /// This service is importing already.
  case importAlreadyInProgress
}

extension ImportError: StolError {
  /// What kind of trouble it is.
  public var kind: ErrorKind {
    switch self {
    case .incompatibleSchema, .otherDataset, .importAlreadyInProgress: .usage
    case .downgrade: .older
    case .unexpectedSchema, .otherPack: .damaged
    }
  }

  /// One line: what is wrong, where, and what to do.
  public var description: String {
    switch self {
    case .unexpectedSchema(let type, let name):
      "refused: the database has a \(type) \(name), which no taxonomy needs"
    case .incompatibleSchema(let found, let expected):
      "made for a newer stol (schema version \(found), this one knows \(expected)); update stol"
    case .downgrade(let installed, let offered):
      offered < installed
        ? "refused: release \(offered) is older than release \(installed), which was installed; "
          + "if that is meant: --allow-downgrade"
        : "refused: release \(offered) was installed already, with another content; "
          + "if that is meant: --allow-downgrade"
    case .otherDataset(let installed, let offered):
      "refused: the dataset \(installed) is installed, this is \(offered ?? "one without a name"); "
        + "if it is to take its place: --replace"
    case .otherPack(let reason):
      "refused: the pack that came along is not that of the database: \(reason); get the file again"
    case .importAlreadyInProgress: "an import is in progress; wait for it, or cancel it"
    }
  }
}

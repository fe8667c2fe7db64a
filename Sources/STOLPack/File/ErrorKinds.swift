public import STOLSystem

extension PackError: StolError {
  /// What kind of trouble it is.
  public var kind: ErrorKind {
    switch self {
    case .unsupportedVersion, .unknownRequiredSection, .wrongSource: .usage
    default: .damaged
    }
  }
}

extension CompileError: StolError {
  /// What kind of trouble it is.
  public var kind: ErrorKind {
    switch self {
    case .unreadable: .damaged
    default: .usage
    }
  }
}

import STOLSystem

extension ErrorKind {
  /// With what a command ends: 0 is success.
  package var exitCode: Int32 {
    switch self {
    case .notFound: 1
    case .usage: 2
    case .damaged: 3
    case .untrusted: 4
    case .older: 5
    case .inputOutput: 6
    }
  }

  /// With what an answer over HTTP begins.
  package var httpStatus: Int {
    switch self {
    case .notFound: 404
    case .usage: 400
    case .untrusted: 403
    case .older: 409
    case .damaged, .inputOutput: 500
    }
  }

  /// The kind in a few words, to stand above an error's own line; a translation goes by `rawValue`.
  package var title: String {
    switch self {
    case .notFound: "This is not here"
    case .usage: "This cannot be done"
    case .damaged: "This is damaged"
    case .untrusted: "This cannot be trusted"
    case .older: "This is older than what is here"
    case .inputOutput: "This cannot be read or written"
    }
  }
}

/// What kind of trouble an error is; exit codes and the status of HTTP follow from it.
public enum ErrorKind: String, CaseIterable, Sendable {
  /// What was asked for is not there.
  case notFound
  /// What was asked for makes no sense, or cannot be done here.
  case usage
  /// A file is not what it should be.
  case damaged
  /// A signature is wrong, or of somebody who is not trusted.
  case untrusted
  /// Older than what is there.
  case older
  /// The operating system refused to read or write.
  case inputOutput
}

/// An error of any room: it says of which kind it is, and in one line what is wrong, where, and what
/// to do.
public protocol StolError: Error, CustomStringConvertible, Sendable {
  /// What kind of trouble it is.
  var kind: ErrorKind { get }
}

import Foundation

/// A folder of one test, removed with everything in it.
public final class TemporaryFolder: Sendable {
  /// Where it is.
  public let path: String

  /// Makes the folder.
  public init() throws {
    path = FileManager.default.temporaryDirectory.path + "/stol-\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of `name` in the folder.
  public func callAsFunction(_ name: String) -> String { path + "/" + name }

  /// Writes a file and gives its path.
  @discardableResult
  public func write(_ bytes: some Collection<UInt8>, to name: String) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: self(name)))
    return self(name)
  }

  /// The bytes of a file.
  public func bytes(of name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: self(name))))
  }

  /// Makes a pipe.
  public func makePipe(_ name: String) throws {
    // SAFETY: the path is a NUL-terminated copy for the length of the call.
    guard unsafe mkfifo(self(name), 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
  }

  /// What is in it, sorted.
  public var contents: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}

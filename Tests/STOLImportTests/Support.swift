import Foundation
import Testing

@testable import STOLImport

/// A folder of one test, removed with everything in it.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/stol-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func callAsFunction(_ name: String) -> String { path + "/" + name }

  /// Writes a file and gives its path.
  func write(_ bytes: some Collection<UInt8>, to name: String) throws -> String {
    try Data(bytes).write(to: URL(fileURLWithPath: self(name)))
    return self(name)
  }

  func bytes(of name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: self(name))))
  }

  func makePipe(_ name: String) throws {
    // SAFETY: the path is a NUL-terminated copy for the length of the call.
    #expect(unsafe mkfifo(self(name), 0o600) == 0)
  }

  var contents: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}

/// Keys that are the same in every run.
enum TestKey {
  /// The key that grows from 32 times `byte`.
  static func signing(_ byte: UInt8) throws -> SigningKey {
    try SigningKey(seed: secret([UInt8](repeating: byte, count: 32)))
  }

  static func secret(_ bytes: [UInt8]) throws -> SecretBytes {
    var bytes = bytes
    return try #require(SecretBytes(moving: &bytes))
  }

  static func passphrase(_ text: String) throws -> SecretBytes { try secret(Array(text.utf8)) }
}

extension String {
  /// The bytes that hexadecimal digits stand for.
  var hexadecimal: [UInt8] {
    get throws { try #require(Hexadecimal.bytes(self)) }
  }
}

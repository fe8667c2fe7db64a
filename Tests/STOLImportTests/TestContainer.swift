import Foundation
import STOLGzip
import TestSupport
import Testing

@testable import STOLImport
@testable import STOLTrust

/// Small containers, made from the vectors.
enum TestContainer {
  static let vectors = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Format/vectors")

  static let database = vectors.appendingPathComponent("v2/valid/one.sqlite").path
  static let pack = vectors.appendingPathComponent("v2/valid/one.stolpack").path

  /// The key that signs, 32 times 1.
  static var key: SigningKey { get throws { try TestKey.signing(1) } }
  static var keyring: Keyring { get throws { Keyring(only: try key.verifyingKey) } }

  static var release: Release {
    get throws {
      let dataset = try #require(DatasetID("test.one"))
      let buildTime = try #require(BuildTime("2026-01-01T00:00:00Z"))
      return try #require(Release(dataset: dataset, number: 7, buildTime: buildTime))
    }
  }

  /// The kinds that can be made.
  enum Kind: String, CaseIterable, CustomStringConvertible {
    case plain = "v1"
    case release = "v1.1"
    case database = "v2"
    case pack = "v2 with pack"

    var description: String { rawValue }
  }

  static func write(
    _ kind: Kind, to path: String, database: String = database, key: SigningKey? = nil
  ) throws {
    let writer = ContainerWriter(
      schemaVersion: 1, release: kind == .plain ? nil : try release, key: try key ?? self.key)
    switch kind {
    case .plain, .release: try writer.writeVersion1(database: database, to: path)
    case .database: try writer.writeVersion2(database: database, pack: nil, to: path)
    case .pack: try writer.writeVersion2(database: database, pack: pack, to: path)
    }
  }

  /// The bytes of a container.
  static func bytes(_ kind: Kind) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    try write(kind, to: folder("a.stol"))
    return try folder.bytes(of: "a.stol")
  }

  /// Opens, verifies and decompresses everything; what comes out of each part.
  @discardableResult
  static func read(
    _ path: String, by keyring: Keyring? = nil
  ) throws -> [ContainerPart.Kind: [UInt8]] {
    let container = try Container(path: path).verified(by: keyring ?? self.keyring)
    var contents: [ContainerPart.Kind: [UInt8]] = [:]
    for part in container.header.parts {
      var content: [UInt8] = []
      try container.decompress(part) { content += $0 }
      contents[part.kind] = content
    }
    return contents
  }

  /// A version 1 container around any body, with a right digest and signature.
  static func signed(body: [UInt8], schemaVersion: UInt32 = 1) throws -> [UInt8] {
    var schema: [UInt8] = []
    LittleEndian.append(schemaVersion, to: &schema)
    let digest = SHA256.digest(of: body).bytes
    return ContainerLayout.magic + [1] + schema + digest + (try key.signature(of: digest + schema))
      + body
  }

  /// A gzip member.
  static func gzip(_ content: [UInt8], extraField: [UInt8] = []) throws -> [UInt8] {
    var encoder = try GzipEncoder(level: 9, extraField: extraField)
    var body: [UInt8] = []
    try encoder.encode(content) { body += $0 }
    try encoder.finish { body += $0 }
    return body
  }

  static let sqlite = Array("SQLite format 3\0".utf8)
}

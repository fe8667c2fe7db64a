import Foundation
import TestSupport
import Testing

@testable import STOLImport
@testable import STOLTrust

/// One line of Format/vectors/container/cases.tsv.
struct ContainerCase: CustomStringConvertible, Sendable {
  let file: String
  let damage: String
  let key: String
  let error: String

  var description: String { "\(file) \(damage) \(key)" }

  static let folder = TestContainer.vectors.appendingPathComponent("container")

  static func all() throws -> [ContainerCase] {
    let path = folder.appendingPathComponent("cases.tsv")
    return try String(contentsOf: path, encoding: .utf8).split(separator: "\n").dropFirst().map {
      let fields = $0.split(separator: "\t").map(String.init)
      try #require(fields.count == 4)
      return ContainerCase(file: fields[0], damage: fields[1], key: fields[2], error: fields[3])
    }
  }

  /// The damaged file.
  func bytes() throws -> [UInt8] {
    var bytes = Array(try Data(contentsOf: Self.folder.appendingPathComponent(file)))
    let parts = damage.split(separator: "=").map(String.init)
    guard parts.count == 2 else { return bytes }
    if parts[0] == "length" {
      let number = try #require(Int(parts[1]))
      let isRelative = parts[1].hasPrefix("-") || parts[1].hasPrefix("+")
      let wanted = isRelative ? bytes.count + number : number
      return Array(bytes.prefix(wanted))
        + [UInt8](repeating: 0, count: max(0, wanted - bytes.count))
    }
    let offset = try #require(Int(parts[0]))
    for (index, byte) in try parts[1].lowercased().hexadecimal.enumerated() {
      bytes[offset + index] = byte
    }
    return bytes
  }
}

@Suite("Vectors of the container")
struct ContainerVectorTests {
  @Test func everyCaseEndsAsItMust() throws {
    let cases = try ContainerCase.all()
    #expect(cases.count >= 112)
    let folder = try TemporaryFolder()
    for one in cases {
      let key = try VerifyingKey(
        path: ContainerCase.folder.appendingPathComponent("\(one.key).pub").path)
      let path = try folder.write(one.bytes(), to: "a.stol")
      var outcome = "ok"
      do {
        try TestContainer.read(path, by: Keyring(only: key))
      } catch let error as ContainerError {
        outcome = Self.name(error)
      }
      #expect(outcome == one.error, "\(one)")
    }
  }

  @Test(arguments: [
    ("v1.1", TestContainer.Kind.release), ("v2", .database), ("v2-with-pack", .pack),
  ])
  func writesTheVectorsByteForByte(_ name: String, _ kind: TestContainer.Kind) throws {
    let folder = try TemporaryFolder()
    let key = try SigningKey(
      path: ContainerCase.folder.appendingPathComponent("test.key").path,
      passphrase: TestKey.passphrase("test"))
    try TestContainer.write(kind, to: folder("a.stol"), key: key)
    let vector = ContainerCase.folder.appendingPathComponent("valid/\(name).stol")
    #expect(try folder.bytes(of: "a.stol") == Array(try Data(contentsOf: vector)))
  }

  private static func name(_ error: ContainerError) -> String {
    switch error {
    case .fileUnreadable: "fileUnreadable"
    case .fileTooLarge: "fileTooLarge"
    case .truncated: "truncated"
    case .notAStolFile: "notAStolFile"
    case .newerFormat: "newerFormat"
    case .malformed: "malformed"
    case .unknownKey: "unknownKey"
    case .keyOfKeyrings: "keyOfKeyrings"
    case .revokedKey: "revokedKey"
    case .signatureInvalid: "signatureInvalid"
    case .checksumMismatch: "checksumMismatch"
    case .bodyCorrupt: "bodyCorrupt"
    case .trailingData: "trailingData"
    case .bodyTooLong: "bodyTooLong"
    case .bodyTooShort: "bodyTooShort"
    case .fileChanged: "fileChanged"
    case .databaseCorrupt: "databaseCorrupt"
    default: "not of a container"
    }
  }
}

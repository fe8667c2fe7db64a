import Foundation
import TestSupport
import Testing

@testable import STOLImport
@testable import STOLTrust
@testable import STOLMedia

@Suite("Vectors of media packs")
struct MediaVectorTests {
  private static let folder = TestMedia.vectors.appendingPathComponent("media")

  /// The damaged file, as container/README.md lays out.
  private static func damaged(_ bytes: [UInt8], _ damage: String) throws -> [UInt8] {
    let parts = damage.split(separator: "=").map(String.init)
    guard parts.count == 2 else { return bytes }
    if parts[0] == "length" {
      let number = try #require(Int(parts[1]))
      let isRelative = parts[1].hasPrefix("-") || parts[1].hasPrefix("+")
      let wanted = isRelative ? bytes.count + number : number
      return Array(bytes.prefix(wanted))
        + [UInt8](repeating: 0, count: max(0, wanted - bytes.count))
    }
    var bytes = bytes
    let offset = try #require(Int(parts[0]))
    for (index, byte) in try #require(Hexadecimal.bytes(parts[1])).enumerated() {
      bytes[offset + index] = byte
    }
    return bytes
  }

  @Test func everyCaseEndsAsItMust() throws {
    let text = try String(
      contentsOf: Self.folder.appendingPathComponent("cases.tsv"), encoding: .utf8)
    let cases = text.split(separator: "\n").dropFirst().map {
      $0.split(separator: "\t").map(String.init)
    }
    #expect(cases.count >= 120)
    for one in cases {
      let home = try Home()
      let key = try VerifyingKey(
        path: TestMedia.vectors.appendingPathComponent("container/\(one[2]).pub").path)
      let file = try Data(contentsOf: Self.folder.appendingPathComponent(one[0]))
      let path = try home.folder.write(Self.damaged(Array(file), one[1]), to: "a")
      var outcome = "ok"
      do {
        _ = try MediaImport(of: path, into: home.directory, trusting: Keyring(only: key)).run()
      } catch let error as MediaError {
        outcome = Self.name(error)
        #expect(!"\(error)".contains("\n"))
        #expect(try home.files.isEmpty, "\(one)")
      }
      #expect(outcome == one[3], "\(one)")
    }
  }

  /// The name of an error's case.
  private static func name(_ error: MediaError) -> String {
    switch error {
    case .container(.notAStolFile): "notAStolFile"
    case .container(.signatureInvalid): "signatureInvalid"
    case .container(.mediaCorrupt): "mediaCorrupt"
    case .container(let error): label(error)
    case .notAnArchive: "notAnArchive"
    case .archiveTruncated: "archiveTruncated"
    case .manifestChecksum: "manifestChecksum"
    default: label(error)
    }
  }

  /// The name of a case with values.
  private static func label(_ error: some Error) -> String {
    Mirror(reflecting: error).children.first?.label ?? "\(error)"
  }
}

import Foundation
import TestSupport
import Testing

@testable import STOLServer

/// Forms with files that come piece by piece.
@Suite("Forms with files that come in pieces")
struct MultipartReaderTests {
  private static func part(_ name: String, _ content: [UInt8], file: String? = nil) -> [UInt8] {
    Array("--b\r\nContent-Disposition: form-data; name=\"\(name)\"".utf8)
      + Array((file.map { "; filename=\"\($0)\"" } ?? "").utf8) + Array("\r\n\r\n".utf8) + content
      + Array("\r\n".utf8)
  }

  private static func reader(onDisk: Bool, texts: Int = 1 << 20) throws -> MultipartReader {
    try MultipartReader(
      contentType: "multipart/form-data; boundary=b", atMost: 8, textsUpTo: texts, isOnDisk: onDisk
    ) ?? { throw MultipartReader.Fault.unreadable }()
  }

  @Test(arguments: [true, false]) func anyPiecesMakeTheSameForm(onDisk: Bool) throws {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<300 {
      // Much that looks like what stands between parts.
      let letters = Array("\r\n--b-\r\n--\r\n\r\n".utf8)
      var content = (0..<Int.random(in: 0..<60, using: &random)).map { _ in
        letters.randomElement(using: &random) ?? 0
      }
      while content.starts(with: Array("--b".utf8))
        || Data(content).range(of: Data("\r\n--b".utf8)) != nil
      {
        content.removeLast()
      }
      let body =
        Self.part("token", Array("secret".utf8)) + Self.part("file", content, file: "a.csv")
        + Self.part("more", Array("x".utf8)) + Array("--b--\r\n".utf8)
      var reader = try Self.reader(onDisk: onDisk)
      var rest = body[...]
      while !rest.isEmpty {
        let piece = rest.prefix(Int.random(in: 1...20, using: &random))
        try reader.feed(Array(piece))
        rest = rest.dropFirst(piece.count)
      }
      #expect(reader.isWhole && reader.hasFile)
      #expect(reader.fields.pairs.map(\.value) == ["secret", "x"])
      let file = try #require(reader.files.first)
      #expect(file.field == "file" && file.byteCount == content.count)
      if onDisk {
        let path = try #require(file.kept?.path)
        #expect(
          Array(try Data(contentsOf: URL(fileURLWithPath: path))) == content && file.bytes.isEmpty)
      } else {
        #expect(file.bytes == content)
      }
    }
  }

  @Test func textsHaveALimitAndFilesHaveNone() throws {
    let long = [UInt8](repeating: 0x61, count: 5000)
    var reader = try Self.reader(onDisk: true, texts: 4999)
    let text = Self.part("note", long) + Array("--b--".utf8)
    #expect(throws: MultipartReader.Fault.tooLong) { try reader.feed(text) }
    var other = try Self.reader(onDisk: true, texts: 10)
    try other.feed(Self.part("file", long, file: "x") + Array("--b--".utf8))
    #expect(other.files.first?.byteCount == 5000)
  }

  @Test func whatFollowsTheLastPartIsNotKept() throws {
    var reader = try Self.reader(onDisk: false)
    try reader.feed(Self.part("a", [0x78]) + Array("--b--".utf8))
    for _ in 0..<10 { try reader.feed([UInt8](repeating: 0, count: 1000)) }
    #expect(reader.isWhole && reader.fields.pairs.count == 1)
  }
}

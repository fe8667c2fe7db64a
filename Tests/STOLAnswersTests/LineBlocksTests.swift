import STOLSystem
import TestSupport
import Testing

@testable import STOLAnswers

@Suite("Lines of a batch")
struct LineBlocksTests {
  /// Lines as they should come out: the text, or the beginning of one that is not valid.
  private static func split(_ bytes: [UInt8]) -> [(text: [UInt8], isValid: Bool)] {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines.map { line in
      let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      let isValid = text.count <= 65_536 && String(validating: text, as: UTF8.self) != nil
      return (Array(isValid ? text : text.prefix(512)), isValid)
    }
  }

  private static func line(_ generator: inout SeededGenerator) -> [UInt8] {
    switch Int.random(in: 0..<40, using: &generator) {
    case 0: return []
    case 1: return Array("\r".utf8)
    case 2: return [0xFF, 0x61]
    case 3: return Array("Érable\r".utf8)
    case 4:
      let lengths = [65_535, 65_536, 65_537, 65_538, 65_539, 140_000]
      let length = lengths.randomElement(using: &generator) ?? 0
      let end: [UInt8] = Bool.random(using: &generator) ? [UInt8(ascii: "\r")] : []
      return [UInt8](repeating: UInt8(ascii: "x"), count: length) + end
    default: return Array("Panthera leo".utf8.prefix(Int.random(in: 1...12, using: &generator)))
    }
  }

  @Test func blocksHoldWholeLinesInTheirOrder() throws {
    let folder = try TemporaryFolder()
    for seed in 0..<60 {
      var generator = SeededGenerator(seed: UInt64(seed))
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0...200, using: &generator) {
        bytes += Self.line(&generator) + [UInt8(ascii: "\n")]
      }
      if Bool.random(using: &generator) { bytes += Self.line(&generator) }
      let path = try folder.write(bytes, to: "lines")
      let expected = Self.split(bytes)

      var blocks = try LineBlocks(path: path)
      var lines = Lines()
      var found: [(text: [UInt8], isValid: Bool)] = []
      while try blocks.read(
        into: &lines.block, limit: Int.random(in: 1...20_000, using: &generator))
      {
        #expect(!lines.block.isEmpty)
        lines.start()
        while lines.next() { found.append((Array(lines.line), lines.isLineValid)) }
      }
      #expect(found.map(\.text) == expected.map(\.text), "seed \(seed)")
      #expect(found.map(\.isValid) == expected.map(\.isValid), "seed \(seed)")
      let isMore = blocks.hasLine
      #expect(!isMore)

      var reader = try LineReader(path: path)
      var count = 0
      while try reader.next() {
        #expect(Array(reader.line) == expected[count].text)
        count += 1
      }
      #expect(count == expected.count)
    }
  }

  @Test func aBlockIsOfAboutTheLengthThatIsWanted() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([UInt8](repeating: UInt8(ascii: "\n"), count: 1_000), to: "lines")
    var blocks = try LineBlocks(path: path)
    var block: [UInt8] = []
    for _ in 0..<10 {
      #expect(try blocks.read(into: &block, limit: 100))
      #expect(block.count == 100)
    }
    #expect(try !blocks.read(into: &block, limit: 100))
    #expect(try !blocks.read(into: &block, limit: 100))
  }
}

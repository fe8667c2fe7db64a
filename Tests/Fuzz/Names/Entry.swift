import FuzzSupport
import STOLPack

@testable import STOLFormats
@testable import STOLMatch
@testable import STOLNames

/// What is made of names and of tables of any bytes.
///
/// The first byte says which; for a table its other bits are the delimiter and the sizes of its pieces.
@_cdecl("FuzzNames_main")
func run(_ count: CInt, _ arguments: Arguments) -> CInt {
  unsafe Fuzzer.run(count, arguments) { bytes in
    guard let kind = bytes.first else { return }
    let rest = Array(bytes.dropFirst())
    if kind & 1 == 0 {
      guard let names = unsafe NameModel.shared else { fatalError("STOL_FUZZ_PACKS names no pack") }
      names.check(rest)
    } else {
      TableModel(kind).check(rest)
    }
  }
}

/// Reads and matches names with one reader and one matcher after another.
private final class NameModel {
  // SAFETY: libFuzzer calls from one thread.
  nonisolated(unsafe) static let shared = NameModel()
  private let pack: Pack
  private var reader = NameReader()
  private var matcher = NameMatcher()

  init?() {
    guard let bytes = Fuzzer.files("STOL_FUZZ_PACKS").last,
      let pack = try? Pack(PackBytes(copying: bytes))
    else { return nil }
    self.pack = pack
  }

  func check(_ bytes: [UInt8]) {
    reader.read(bytes)
    for part in reader.parts {
      Fuzzer.require(
        !part.range.isEmpty && part.range.upperBound <= reader.text.count, "a part of no text")
    }
    // An entity may stand for a letter of more bytes than it has, and a comma gets a space.
    Fuzzer.require(reader.text.count <= 2 * bytes.count, "a text that grows")
    Fuzzer.require(reader.parts.count <= 2 * bytes.count, "more parts than letters")
    var cold = NameReader()
    cold.read(bytes)
    Fuzzer.require(
      cold.parts == reader.parts && cold.kind == reader.kind && cold.marks == reader.marks
        && cold.year == reader.year && cold.text == reader.text,
      "a warm reader reads something else")
    checkPlain(bytes)
    let text = String(decoding: bytes, as: UTF8.self)
    let pack = pack
    checkMatch(text, in: pack.view)
  }

  /// A plain name is read as nothing but its words.
  private func checkPlain(_ bytes: [UInt8]) {
    var folded: [UInt8] = []
    guard PlainName.fold(bytes.span, into: &folded) else { return }
    for isPlain in [false, true] {
      var canonical: [UInt8] = []
      reader.appendCanonical(isCertain: true, isPlain: isPlain, to: &canonical)
      Fuzzer.require(canonical == bytes, "a plain name is read as another")
      Fuzzer.require(
        String(decoding: canonical, as: UTF8.self).lowercased()
          == String(decoding: folded, as: UTF8.self), "a plain name is folded otherwise")
    }
    Fuzzer.require(
      reader.kind == .scientific && reader.marks.isEmpty && reader.authorship.isEmpty
        && reader.parts.count == bytes.split(separator: 0x20).count, "a plain name has more in it")
  }

  private func checkMatch(_ text: String, in view: borrowing PackView) {
    let match = matcher.match(MatchQuery(text), in: view)
    var cold = NameMatcher()
    let again = cold.match(MatchQuery(text), in: view)
    Fuzzer.require(
      match.status == again.status && match.taxon == again.taxon && match.name == again.name
        && match.score == again.score && match.reason == again.reason
        && match.candidates == again.candidates, "a warm matcher answers something else")
    Fuzzer.require((0...100).contains(match.score), "a score that is none")
    let name = Array(text.utf8)
    if let plain = matcher.matchPlain(name.span, in: view) {
      Fuzzer.require(
        plain.status == match.status && plain.taxon == match.taxon && plain.name == match.name
          && plain.score == match.score && plain.reason == match.reason
          && plain.edits == match.edits && plain.difference == match.difference,
        "a plain name is matched otherwise")
    }
  }
}

/// Reads a table in blocks and pieces and row by row, and by the definition of its dialect.
private struct TableModel {
  private let delimiter: UInt8?
  private let isQuoted: Bool
  private let blockByteCount: Int
  private let pieceByteCount: Int

  init(_ options: UInt8) {
    let delimiters: [UInt8?] = [nil, UInt8(ascii: ","), 0x09, UInt8(ascii: ";")]
    delimiter = delimiters[Int(options >> 1 & 3)]
    isQuoted = options >> 3 & 1 == 1
    blockByteCount = [1, 16, 64, 4096][Int(options >> 4 & 3)]
    pieceByteCount = [1, 8, 32, 512][Int(options >> 6 & 3)]
  }

  func check(_ bytes: [UInt8]) {
    let expected = rows(bytes)
    do {
      try checkRows(bytes, expected)
      try checkBlocks(bytes, expected)
    } catch {
      Fuzzer.require(false, "\(error)")
    }
  }

  /// A row as it stands, its line end and what its fields mean.
  private struct Row: Equatable {
    var bytes: [UInt8] = []
    var lineEnd: [UInt8] = []
    var fields: [[UInt8]] = []
    var line = 1
  }

  private func table(_ bytes: [UInt8]) -> RawTable {
    var offset = min(bytes.count, 3)
    return RawTable(head: Array(bytes.prefix(3)), delimiter: delimiter, isQuoted: isQuoted) {
      let end = min(bytes.count, offset + 7)
      defer { offset = end }
      return Array(bytes[offset..<end])
    }
  }

  private func checkRows(_ bytes: [UInt8], _ expected: [Row]) throws {
    var table = table(bytes)
    var found: [Row] = []
    while let row = try table.next() {
      found.append(
        Row(
          bytes: row.bytes, lineEnd: row.lineEnd,
          fields: row.fields.indices.map { row.field($0) ?? [] }, line: row.line))
    }
    Fuzzer.require(found == expected, "rows: \(found), in place of \(expected)")
  }

  private func checkBlocks(_ bytes: [UInt8], _ expected: [Row]) throws {
    var table = table(bytes)
    var cursor = table.rows
    var found: [Row] = []
    var all = table.mark
    while let block = try table.nextBlock(of: blockByteCount, inPiecesOf: pieceByteCount) {
      all += block.bytes
      var end = 0
      for piece in block.pieces {
        Fuzzer.require(piece.range.lowerBound == end && !piece.range.isEmpty, "a gap")
        end = piece.range.upperBound
        var next = piece.range.lowerBound
        var line = piece.line
        while next < end {
          _ = cursor.find(in: block.bytes, from: next)
          var row = Row(
            bytes: Array(block.bytes[cursor.row]), lineEnd: Array(block.bytes[cursor.lineEnd]),
            line: line)
          for index in 0..<cursor.fieldCount {
            var field: [UInt8] = []
            cursor.appendField(index, of: block.bytes, to: &field)
            row.fields.append(field)
          }
          found.append(row)
          line += max(1, cursor.lineEndCount)
          next = cursor.lineEnd.upperBound
        }
        Fuzzer.require(next == end, "a row in two pieces")
      }
      Fuzzer.require(end == block.bytes.count, "a piece is missing")
    }
    Fuzzer.require(all == bytes, "bytes that are not those of the input")
    Fuzzer.require(found == expected, "pieces: \(found), in place of \(expected)")
  }

  /// The rows by the definition, byte for byte.
  private func rows(_ input: [UInt8]) -> [Row] {
    let quote = UInt8(ascii: "\"")
    let start = input.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    var rows: [Row] = []
    var row = Row()
    var raw: [UInt8] = []
    var isInside = false
    var line = 1
    func close() {
      row.fields.append(meaning(raw))
      raw = []
    }
    for (index, byte) in input.enumerated().dropFirst(start) {
      if byte == 0x0A { line += 1 }
      if isInside {
        raw.append(byte)
        // Within quotes the field goes on until an odd number of them has closed it.
        if byte == quote, raw.dropFirst().count(where: { $0 == quote }) % 2 == 1,
          index + 1 == input.count || input[index + 1] != quote
        {
          isInside = false
        }
      } else if byte == delimiter {
        close()
      } else if byte == 0x0A {
        if raw.last == 0x0D {
          raw.removeLast()
          row.lineEnd = [0x0D]
        }
        row.lineEnd.append(byte)
        close()
        rows.append(row)
        row = Row(line: line)
        continue
      } else {
        isInside = byte == quote && raw.isEmpty && isQuoted && delimiter != nil
        raw.append(byte)
      }
      row.bytes.append(byte)
    }
    if !row.bytes.isEmpty {
      close()
      rows.append(row)
    }
    for index in rows.indices where rows[index].lineEnd.count == 2 {
      rows[index].bytes.removeLast()
    }
    return rows
  }

  /// What a field means: what is in the quotes around it, where two of them are one.
  private func meaning(_ raw: [UInt8]) -> [UInt8] {
    let quote = UInt8(ascii: "\"")
    guard raw.count > 1, raw.first == quote, raw.last == quote else { return raw }
    var meaning: [UInt8] = []
    var wasQuote = false
    for byte in raw.dropFirst().dropLast() {
      if byte == quote, wasQuote {
        wasQuote = false
        continue
      }
      wasQuote = byte == quote
      meaning.append(byte)
    }
    return meaning
  }
}

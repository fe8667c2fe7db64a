/// Reads records of Format/journal.schema.json, one a line.
///
/// Of a long file, another thread makes records of lines ahead of those that are asked for.
package final class JournalLinesReader: ImportReader {
  private let lines: ByteLines
  private let ahead: LinesAhead
  private var rows: ArraySlice<LinesAhead.Row> = []
  /// How many batches are with the other thread.
  private var aheadCount = 0
  private var isAtEnd = false
  /// Why there are no more lines.
  private var failure: (any Error)?
  /// More than any record takes.
  static let lineLimit = 4 << 20
  /// A batch has lines until they have so many bytes.
  private static let batchByteCount = 1 << 16
  private static let mostAhead = 4

  /// Reads what `chunks` gives.
  package convenience init(_ chunks: ByteChunks) { self.init(chunks, as: .record) }

  init(_ chunks: ByteChunks, as form: LineForm) {
    lines = ByteLines(chunks, limit: Self.lineLimit)
    ahead = LinesAhead(form)
  }

  package func next() throws -> Result<ImportRow, ImportRefusal>? {
    while true {
      if let row = rows.popFirst() { return row }
      while !isAtEnd, aheadCount < Self.mostAhead {
        let batch = nextBatch()
        if batch.isEmpty { break }
        ahead.give(batch)
        aheadCount += 1
      }
      guard aheadCount > 0 else {
        if let failure { throw failure }
        return nil
      }
      rows = ahead.take()[...]
      aheadCount -= 1
    }
  }

  private func nextBatch() -> [LinesAhead.Line] {
    var batch: [LinesAhead.Line] = []
    var byteCount = 0
    while byteCount < Self.batchByteCount {
      do {
        guard var bytes = try lines.next() else {
          isAtEnd = true
          break
        }
        if lines.number == 1, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        byteCount += bytes.count + 1
        batch.append(LinesAhead.Line(number: lines.number, bytes: bytes, isCut: lines.isCut))
      } catch {
        failure = error
        isAtEnd = true
        break
      }
    }
    return batch
  }
}

/// Reads a JSON document of Format/journal.schema.json.
package final class JournalDocumentReader: ImportReader {
  private var scanner: JSONScanner
  private var counter = LineCounter()
  private var isFirst = true
  private var isDone = false
  /// More is to be written as lines.
  static let byteLimit = 1 << 30

  /// Reads what `chunks` gives.
  ///
  /// - Throws: `JournalError.invalid` for a text that is no such document, or one of a later version.
  package init(_ chunks: ByteChunks) throws {
    scanner = JSONScanner(try chunks.rest(limit: Self.byteLimit))
    do {
      try readHead()
    } catch {
      throw Self.error(error, in: scanner.bytes)
    }
  }

  /// Goes to the first record.
  ///
  /// What else the document says stands on both sides of the records.
  private func readHead() throws(JSONFault) {
    var head: [String: JSONNode] = [:]
    var records: JSONScanner?
    guard scanner.take("{") else { throw scanner.fault("a document is an object") }
    repeat {
      _ = scanner.peek()
      let start = scanner.offset
      let name = try scanner.name()
      let isKnown = ["format", "version", "writer", "records"].contains(name)
      guard isKnown, head[name] == nil, name != "records" || records == nil else {
        throw JSONFault(
          offset: start,
          reason: "the member \"\(name)\" is none of format, version, writer, records, each once")
      }
      if name == "records" {
        records = scanner
        try skipList()
        continue
      }
      head[name] = try scanner.node()
    } while scanner.take(",")
    guard scanner.take("}"), scanner.peek() == nil else {
      throw scanner.fault("the document ends with one } and nothing behind it")
    }
    guard case .text(JournalJSONExport.formatName)? = head["format"]?.value else {
      throw JSONFault(
        offset: 0, reason: "its format must be \"\(JournalJSONExport.formatName)\"")
    }
    guard case .number(let version)? = head["version"]?.value,
      version == "\(JournalJSONExport.version)"
    else {
      throw JSONFault(
        offset: head["version"]?.range.lowerBound ?? 0,
        reason: "its version must be \(JournalJSONExport.version): a later one needs a later stol")
    }
    guard case .text? = head["writer"]?.value else {
      throw JSONFault(offset: 0, reason: "its writer, a text, is missing")
    }
    guard var records else { throw JSONFault(offset: 0, reason: "its records are missing") }
    _ = records.take("[")
    scanner = records
  }

  /// Goes behind a list without keeping what is in it.
  private func skipList() throws(JSONFault) {
    guard scanner.take("[") else { throw scanner.fault("a list is needed here") }
    if scanner.take("]") { return }
    repeat { _ = try scanner.node(depth: 2) } while scanner.take(",")
    guard scanner.take("]") else { throw scanner.fault("a comma or ] is needed here") }
  }

  static func error(_ fault: JSONFault, in bytes: [UInt8]) -> JournalError {
    var counter = LineCounter()
    let place = counter.place(of: fault.offset, in: bytes)
    return .invalid(
      field: "line \(place.line), column \(place.column)",
      value: String(decoding: bytes.dropFirst(fault.offset).prefix(20), as: UTF8.self),
      remedy: fault.reason)
  }

  package func next() throws -> Result<ImportRow, ImportRefusal>? {
    guard !isDone else { return nil }
    if isFirst ? scanner.peek() == UInt8(ascii: "]") : !scanner.take(",") {
      isDone = true
      return nil
    }
    isFirst = false
    let node: JSONNode
    do {
      node = try scanner.node()
    } catch {
      throw Self.error(error, in: scanner.bytes)
    }
    let line = counter.place(of: node.range.lowerBound, in: scanner.bytes).line
    do {
      let record = try JournalLines.record(node, scanner.bytes)
      try record.validate()
      return .success(ImportRow(line: line, records: [record], keepsNames: true))
    } catch {
      return .failure(ImportRefusal(error, line: line))
    }
  }
}

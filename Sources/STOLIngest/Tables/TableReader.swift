/// The rows of a table, one after the other, in memory that does not depend on its length.
///
/// Rows end at "\n", "\r\n" or "\r"; blank ones are passed over. What is odd is counted in `findings`.
package struct TableReader {
  /// How long a row may be unless said otherwise, in bytes of UTF-8.
  package static let rowLimit = 1 << 20

  /// The file, as findings name it.
  package let fileName: String
  /// The number of the line that the row begins on, from 1.
  package private(set) var line = 0
  /// How many fields the row has, of the columns that there are.
  package private(set) var fieldCount = 0
  /// How many columns there are; nil before the first row, if the layout does not say it.
  package private(set) var columnCount: Int?

  let layout: TableLayout
  private let findings: Findings
  private let rowLimit: Int
  private let scanner: RowScanner
  private var decoder: TextDecoder

  /// What has come in and was not passed over yet, in UTF-8.
  private var window: [UInt8] = []
  /// Where the next row begins in it.
  private var position = 0
  private var isAtEnd = false
  /// Whether a "\n" at `position` belongs to the line before.
  private var followsReturn = false
  private var nextLine = 1
  private var headerRowsLeft: Int

  /// The bytes of a row that are not in the window as they are.
  private var scratch: [UInt8] = []
  private var isInScratch = false
  private var row = RowScanner.Row()

  /// The rows of a file, after those that are not data.
  ///
  /// - Parameters:
  ///   - stream: the file, at its beginning.
  ///   - layout: how it is written.
  ///   - fileName: what findings call it; nil for the stream's own name.
  ///   - findings: where what is odd is counted.
  ///   - rowLimit: how long a row may be, in bytes of UTF-8; longer ones are left out.
  /// - Precondition: the delimiter is not empty.
  package init(
    _ stream: SourceStream, _ layout: TableLayout, fileName: String? = nil, findings: Findings,
    rowLimit: Int = TableReader.rowLimit
  ) {
    precondition(!layout.delimiter.isEmpty)
    self.fileName = fileName ?? stream.name
    self.layout = layout
    self.findings = findings
    self.rowLimit = rowLimit
    scanner = RowScanner(layout)
    decoder = TextDecoder(stream, layout.encoding)
    columnCount = layout.columnCount
    headerRowsLeft = layout.headerRowCount
  }

  /// Goes to the next row of data.
  ///
  /// - Returns: whether there is one.
  /// - Throws: what the stream throws.
  package mutating func next() throws(IngestError) -> Bool {
    while try nextRow() {
      if headerRowsLeft == 0 { return true }
      headerRowsLeft -= 1
      if layout.columnCount == nil { columnCount = row.ends.count }
    }
    return false
  }

  /// Goes to the last row that is not data, the header.
  ///
  /// - Returns: the names of the columns, which are so many from now on; nil if there is no row.
  /// - Throws: what the stream throws.
  package mutating func header() throws(IngestError) -> [String]? {
    let count = max(1, headerRowsLeft)
    headerRowsLeft = 0
    for _ in 0..<count {
      guard try nextRow(isHeader: true) else { return nil }
    }
    columnCount = row.ends.count
    fieldCount = row.ends.count
    return (0..<fieldCount).map { text($0) }
  }

  private mutating func nextRow(isHeader: Bool = false) throws(IngestError) -> Bool {
    while try readRow() {
      if isBlank { continue }
      let found = row.ends.count
      if row.isBeyondASCII { repairEncoding() }
      if isHeader || headerRowsLeft > 0 {
        fieldCount = found
        return true
      }
      let expected = columnCount ?? found
      columnCount = expected
      fieldCount = min(found, expected)
      if found != expected {
        findings.add(
          .wrongColumnCount, "\(fileName), line \(line): \(expected) expected, \(found) found")
      }
      return true
    }
    return false
  }

  /// Whether the row has nothing but spaces; a field in quotes is something.
  private var isBlank: Bool {
    row.ends.count == 1 && !isInScratch && window[row.range(0)].allSatisfy(Self.isSpace)
  }

  /// Finds the next row, blank or not, and goes past it.
  private mutating func readRow() throws(IngestError) -> Bool {
    var isQuoted = layout.quote != nil
    var wantedCount = 0
    while true {
      // Twice as much each time: what has been looked at already is looked at once more.
      try fill(atLeast: wantedCount)
      if followsReturn, position < window.count {
        followsReturn = false
        if window[position] == 0x0A { position += 1 }
      }
      guard position < window.count || !isAtEnd else { return false }
      line = nextLine
      isInScratch = false
      let end = scanner.scan(
        window, from: position, isAtEnd: isAtEnd, isQuoted: isQuoted, &row, &scratch)
      switch end {
      case .row(let after, let lineCount, let endsInReturn, let usesScratch):
        guard after - position <= rowLimit else { break }
        isInScratch = usesScratch
        position = after
        nextLine += lineCount
        followsReturn = endsInReturn
        return true
      case .brokenQuote:
        findings.add(.unclosedQuote, "\(fileName), line \(line)")
        isQuoted = false
        continue
      case .more:
        guard window.count - position > rowLimit else {
          wantedCount = max(1, 2 * (window.count - position))
          continue
        }
      }
      // Too long. If that is only because of a quote, the line itself may not be.
      if isQuoted, scanner.lineLength(window.span, from: position) ?? .max <= rowLimit {
        findings.add(.unclosedQuote, "\(fileName), line \(line)")
        isQuoted = false
        continue
      }
      findings.add(.rowTooLong, "\(fileName), line \(line): over \(rowLimit) bytes")
      try skipLine()
      isQuoted = layout.quote != nil
      wantedCount = 0
    }
  }

  /// Makes the window hold so many bytes from `position` on, unless the file ends before.
  private mutating func fill(atLeast count: Int) throws(IngestError) {
    guard !isAtEnd, window.count - position < max(count, 1) else { return }
    window.removeFirst(position)
    position = 0
    repeat {
      let bytes = try decoder.next()
      if bytes.isEmpty {
        isAtEnd = true
      } else if window.isEmpty {
        window = bytes
      } else {
        window += bytes
      }
    } while !isAtEnd && window.count < count
  }

  /// Goes past the end of a line of any length.
  private mutating func skipLine() throws(IngestError) {
    while true {
      if let length = scanner.lineLength(window.span, from: position) {
        position += length
        followsReturn = window[position] == 0x0D
        position += 1
        nextLine += 1
        return
      }
      position = window.count
      if isAtEnd { return }
      try fill(atLeast: 1)
    }
  }

  /// Makes the row's bytes valid UTF-8.
  private mutating func repairEncoding() {
    var isValid = true
    var repaired: [UInt8] = []
    var ends: [Int] = []
    for index in 0..<row.ends.count {
      let range = row.range(index)
      let field = isInScratch ? scratch[range] : window[range]
      let text = String(decoding: field, as: UTF8.self)
      // Repair makes other bytes of the wrong ones, always.
      if isValid, !text.utf8.elementsEqual(field) { isValid = false }
      repaired.append(contentsOf: text.utf8)
      ends.append(repaired.count)
    }
    guard !isValid else { return }
    findings.add(.invalidEncoding, "\(fileName), line \(line)")
    scratch = repaired
    isInScratch = true
    row.start = 0
    row.gap = 0
    row.ends = ends
  }
}

extension TableReader {
  /// The bytes of a field, valid UTF-8, as they are; none where the row ends before.
  @_lifetime(borrow self)
  package func bytes(_ index: Int) -> Span<UInt8> {
    let range = index < row.ends.count ? row.range(index) : 0..<0
    return isInScratch ? scratch.span.extracting(range) : window.span.extracting(range)
  }

  /// Whether a field is not there, has nothing but spaces, or a word that means nothing.
  package func isEmpty(_ index: Int) -> Bool { trimmed(index).isEmpty }

  /// The text of a field without ASCII spaces around it, "" if it is empty.
  package func text(_ index: Int) -> String {
    let range = trimmed(index)
    return String(decoding: isInScratch ? scratch[range] : window[range], as: UTF8.self)
  }

  /// The number in a field, if it is a whole decimal one and fits.
  package func integer(_ index: Int) -> Int64? {
    let range = trimmed(index)
    let span = isInScratch ? scratch.span.extracting(range) : window.span.extracting(range)
    guard !span.isEmpty else { return nil }
    let isNegative = span[0] == 0x2D
    let start = isNegative || span[0] == 0x2B ? 1 : 0
    guard start < span.count else { return nil }
    var value: Int64 = 0
    for offset in start..<span.count {
      let digit = span[offset] &- 0x30
      guard digit < 10 else { return nil }
      let (product, isOver) = value.multipliedReportingOverflow(by: 10)
      // Downwards, for there is one more negative number.
      let (sum, isBelow) = product.subtractingReportingOverflow(Int64(digit))
      if isOver || isBelow { return nil }
      value = sum
    }
    return isNegative ? value : value == .min ? nil : -value
  }

  /// Whether a field, without spaces around it, is this word.
  package func equals(_ index: Int, _ word: String) -> Bool {
    let range = trimmed(index)
    guard range.count == word.utf8.count else { return false }
    let span = isInScratch ? scratch.span.extracting(range) : window.span.extracting(range)
    var offset = 0
    for byte in word.utf8 {
      if span[offset] != byte { return false }
      offset += 1
    }
    return true
  }

  /// Where a field is, without what does not count.
  private func trimmed(_ index: Int) -> Range<Int> {
    guard index < fieldCount else { return 0..<0 }
    let range = row.range(index)
    let span = isInScratch ? scratch.span : window.span
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, Self.isSpace(span[start]) { start += 1 }
    while start < end, Self.isSpace(span[end - 1]) { end -= 1 }
    let count = end - start
    if count == 2, span[start] == 0x5C, span[start + 1] == 0x4E { return 0..<0 }
    if count == 4, layout.isNullWordEmpty, span[start] == 0x4E, span[start + 1] == 0x55,
      span[start + 2] == 0x4C, span[start + 3] == 0x4C
    {
      return 0..<0
    }
    return start..<end
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
}

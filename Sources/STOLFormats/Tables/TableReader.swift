/// The rows of a table, one after the other, in memory that does not depend on its length.
///
/// Rows end at "\n", "\r\n" or "\r"; blank ones are passed over. What is odd is told.
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
  private let onFinding: TableFinding.Handler
  private let rowLimit: Int
  private let scanner: RowScanner
  private var decoder: TextDecoder

  /// What has come in and was not passed over yet, in UTF-8.
  private(set) var window: [UInt8] = []
  /// Where the next row begins in it.
  private var position = 0
  private var passedByteCount = 0
  private var isAtEnd = false

  /// How many bytes of UTF-8 the rows so far have.
  package var byteCount: Int { passedByteCount + position }
  /// Whether a "\n" at `position` belongs to the line before.
  private var followsReturn = false
  private var nextLine = 1
  private var headerRowsLeft: Int
  /// Looking for the end of a quote that has none costs time: after so many, quotes are letters.
  private static let brokenQuoteLimit = 200
  private var brokenQuoteCount = 0

  /// The bytes of a row that are not in the window as they are.
  private(set) var scratch: [UInt8] = []
  private(set) var isInScratch = false
  private(set) var row = RowScanner.Row()

  /// The rows of a file, after those that are not data.
  ///
  /// - Parameters:
  ///   - stream: the file, at its beginning.
  ///   - layout: how it is written.
  ///   - fileName: what findings call it; nil for the stream's own name.
  ///   - onFinding: told of what is odd.
  ///   - rowLimit: how long a row may be, in bytes of UTF-8; longer ones are left out.
  /// - Precondition: the delimiter is not empty.
  package init(
    _ stream: SourceStream, _ layout: TableLayout, fileName: String? = nil,
    onFinding: @escaping TableFinding.Handler, rowLimit: Int = TableReader.rowLimit
  ) {
    precondition(!layout.delimiter.isEmpty)
    self.fileName = fileName ?? stream.name
    self.layout = layout
    self.onFinding = onFinding
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
  package mutating func next() throws(FormatError) -> Bool {
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
  package mutating func header() throws(FormatError) -> [String]? {
    let count = max(1, headerRowsLeft)
    headerRowsLeft = 0
    for _ in 0..<count {
      guard try nextRow(isHeader: true) else { return nil }
    }
    columnCount = row.ends.count
    fieldCount = row.ends.count
    return (0..<fieldCount).map { text($0) }
  }

  private mutating func nextRow(isHeader: Bool = false) throws(FormatError) -> Bool {
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
        onFinding(.wrongColumnCount) {
          "\(fileName), line \(line): \(expected) expected, \(found) found"
        }
      }
      return true
    }
    return false
  }

  /// Whether the row has nothing but spaces; a field in quotes is something.
  private var isBlank: Bool {
    row.ends.count == 1 && !row.hasQuotes
      && (isInScratch ? scratch[row.range(0)] : window[row.range(0)]).allSatisfy(Self.isSpace)
  }

  /// Finds the next row, blank or not, and goes past it.
  private mutating func readRow() throws(FormatError) -> Bool {
    var isQuoted = layout.quote != nil
    var wantedCount = 0
    if brokenQuoteCount > Self.brokenQuoteLimit { isQuoted = false }
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
        onFinding(.unclosedQuote) { "\(fileName), line \(line)" }
        brokenQuoteCount += 1
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
        onFinding(.unclosedQuote) { "\(fileName), line \(line)" }
        brokenQuoteCount += 1
        isQuoted = false
        continue
      }
      onFinding(.rowTooLong) { "\(fileName), line \(line): over \(rowLimit) bytes" }
      try skipLine()
      isQuoted = layout.quote != nil
      wantedCount = 0
    }
  }

  /// Makes the window hold so many bytes from `position` on, unless the file ends before.
  private mutating func fill(atLeast count: Int) throws(FormatError) {
    guard !isAtEnd, window.count - position < max(count, 1) else { return }
    window.removeFirst(position)
    passedByteCount += position
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
  private mutating func skipLine() throws(FormatError) {
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
    let whole = row.start..<(row.ends.last ?? row.start)
    let bytes = isInScratch ? scratch[whole] : window[whole]
    guard String(validating: bytes, as: UTF8.self) == nil else { return }
    var repaired: [UInt8] = []
    var ends: [Int] = []
    var isDamaged = false
    for index in 0..<row.ends.count {
      let range = row.range(index)
      let field = isInScratch ? scratch[range] : window[range]
      if layout.isEncodingGuessed, let letters = TextDecoder.windows1252(field) {
        repaired += letters
      } else {
        let text = String(decoding: field, as: UTF8.self)
        isDamaged = isDamaged || text.utf8.count != field.count || !text.utf8.elementsEqual(field)
        repaired.append(contentsOf: text.utf8)
      }
      ends.append(repaired.count)
    }
    onFinding(isDamaged ? .invalidEncoding : .windows1252) { "\(fileName), line \(line)" }
    scratch = repaired
    isInScratch = true
    row.start = 0
    row.gap = 0
    row.ends = ends
  }
}

/// Finds the fields of the row that begins at a place.
struct RowScanner {
  /// Where the fields are: each begins `gap` bytes after the end of the one before.
  struct Row {
    var start = 0
    var gap = 0
    var ends: [Int] = []
    /// Whether a byte is above 0x7F.
    var isBeyondASCII = false
    /// Whether a field is in quotes.
    var hasQuotes = false

    func range(_ index: Int) -> Range<Int> {
      (index == 0 ? start : ends[index - 1] + gap)..<ends[index]
    }
  }

  /// How a row ends.
  enum End {
    /// After its line end, which is at `after` - 1 unless the file ends there.
    case row(after: Int, lineCount: Int, endsInReturn: Bool, usesScratch: Bool)
    /// Not before the end of the bytes.
    case more
    /// A quote that was not one.
    case brokenQuote
  }

  private let delimiter: [UInt8]
  private let rowSuffix: [UInt8]
  private let quote: UInt8?
  private let quotesWholeFields: Bool
  private let first: UInt8
  /// Above it no byte is special, unless it is beyond ASCII.
  private let lastSpecial: UInt8

  init(_ layout: TableLayout) {
    delimiter = layout.delimiter
    rowSuffix = layout.rowSuffix
    quote = layout.quote
    quotesWholeFields = layout.quotesWholeFields
    first = layout.delimiter[0]
    lastSpecial = max(0x0D, layout.delimiter[0], layout.quote ?? 0)
  }

  /// Finds the fields of the row that begins at `start`.
  ///
  /// - Parameters:
  ///   - window: what is there of the file.
  ///   - start: where the row begins.
  ///   - isAtEnd: whether no bytes follow these.
  ///   - isQuoted: whether the quote is one.
  ///   - row: gets the fields.
  ///   - scratch: gets their bytes if quotes had to be taken out.
  /// - Returns: where it ends.
  /// - Complexity: O(length of the row)
  func scan(
    _ window: [UInt8], from start: Int, isAtEnd: Bool, isQuoted: Bool, _ row: inout Row,
    _ scratch: inout [UInt8]
  ) -> End {
    let bytes = window.span
    row.ends.removeAll(keepingCapacity: true)
    row.start = start
    row.gap = delimiter.count
    row.isBeyondASCII = false
    row.hasQuotes = false
    if delimiter.count > 1 || !rowSuffix.isEmpty, !isQuoted {
      return scanLine(bytes, from: start, isAtEnd: isAtEnd, &row)
    }
    if delimiter.count > 1 || !rowSuffix.isEmpty {
      return scanQuoted(bytes, from: start, isAtEnd: isAtEnd, &row, &scratch)
    }
    let (first, lastSpecial) = (first, lastSpecial)
    let quote: UInt16 = isQuoted ? quote.map(UInt16.init) ?? 256 : 256
    var seen: UInt8 = 0
    var offset = start
    var fieldStart = start
    let count = bytes.count
    while offset < count {
      let byte = bytes[offset]
      if byte > lastSpecial {
        seen |= byte
      } else if byte == first {
        row.ends.append(offset)
        fieldStart = offset + 1
      } else if byte == 0x0A || byte == 0x0D {
        row.ends.append(offset)
        row.isBeyondASCII = seen > 0x7F
        return .row(
          after: offset + 1, lineCount: 1, endsInReturn: byte == 0x0D, usesScratch: false)
      } else if UInt16(byte) == quote, offset == fieldStart {
        row.ends.removeAll(keepingCapacity: true)
        return scanQuoted(bytes, from: start, isAtEnd: isAtEnd, &row, &scratch)
      }
      offset += 1
    }
    guard isAtEnd else { return .more }
    row.ends.append(offset)
    row.isBeyondASCII = seen > 0x7F
    return .row(after: offset, lineCount: 1, endsInReturn: false, usesScratch: false)
  }

  /// Where the quote is that ends the field which one begins at `start`, followed by what ends a field;
  /// nil where none does on the same line.
  ///
  /// - Complexity: O(length of the field)
  func wholeFieldEnd(_ bytes: Span<UInt8>, from start: Int, isAtEnd: Bool) -> Int? {
    var offset = start + 1
    while offset < bytes.count, bytes[offset] != 0x0A, bytes[offset] != 0x0D {
      guard bytes[offset] == quote else {
        offset += 1
        continue
      }
      guard offset + 1 < bytes.count else { return isAtEnd ? offset : nil }
      let next = bytes[offset + 1]
      if next != quote { return next == first || next == 0x0A || next == 0x0D ? offset : nil }
      offset += 2
    }
    return nil
  }

  /// How many bytes are before the line end, or nil if there is none.
  func lineLength(_ bytes: Span<UInt8>, from start: Int) -> Int? {
    for offset in start..<bytes.count where bytes[offset] == 0x0A || bytes[offset] == 0x0D {
      return offset - start
    }
    return nil
  }

  /// As `scan`, for delimiters of several bytes: the line end first, then the fields.
  private func scanLine(
    _ bytes: Span<UInt8>, from start: Int, isAtEnd: Bool, _ row: inout Row
  ) -> End {
    var seen: UInt8 = 0
    var end = start
    while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D {
      seen |= bytes[end]
      end += 1
    }
    let hasLineEnd = end < bytes.count
    guard hasLineEnd || isAtEnd else { return .more }
    row.isBeyondASCII = seen > 0x7F
    var contentEnd = end
    if !rowSuffix.isEmpty {
      if has(rowSuffix, bytes, before: end, from: start) {
        contentEnd -= rowSuffix.count
      } else if has(delimiter, bytes, before: end, from: start) {
        contentEnd -= delimiter.count
      }
    }
    var offset = start
    while offset <= contentEnd - delimiter.count {
      if bytes[offset] == first,
        has(delimiter, bytes, before: offset + delimiter.count, from: start)
      {
        row.ends.append(offset)
        offset += delimiter.count
      } else {
        offset += 1
      }
    }
    row.ends.append(contentEnd)
    return .row(
      after: hasLineEnd ? end + 1 : end, lineCount: 1,
      endsInReturn: hasLineEnd && bytes[end] == 0x0D, usesScratch: false)
  }

  /// Whether `word` is what is right before `end`.
  private func has(_ word: [UInt8], _ bytes: Span<UInt8>, before end: Int, from start: Int) -> Bool
  {
    let offset = end - word.count
    guard offset >= start else { return false }
    for index in 0..<word.count where bytes[offset + index] != word[index] { return false }
    return true
  }

  /// As `scan`, with quotes, which are taken out.
  ///
  /// A quoted field of several lines that goes on after its closing quote is taken for a stray quote
  /// that has met another one.
  private func scanQuoted(
    _ bytes: Span<UInt8>, from start: Int, isAtEnd: Bool, _ row: inout Row,
    _ scratch: inout [UInt8]
  ) -> End {
    guard let quote else { return .brokenQuote }
    scratch.removeAll(keepingCapacity: true)
    row.start = 0
    row.gap = 0
    var seen: UInt8 = 0
    var offset = start
    var lineCount = 1
    let count = bytes.count
    let width = delimiter.count
    while true {
      // At the beginning of a field.
      var openLine = lineCount
      var isQuoted = offset < count && bytes[offset] == quote
      if isQuoted, quotesWholeFields {
        guard isAtEnd || lineLength(bytes, from: offset) != nil else { return .more }
        isQuoted = wholeFieldEnd(bytes, from: offset, isAtEnd: isAtEnd) != nil
      }
      if isQuoted {
        offset += 1
        row.hasQuotes = true
        var isInside = true
        openLine = lineCount
        while isInside {
          guard offset < count else { return isAtEnd ? .brokenQuote : .more }
          let byte = bytes[offset]
          if byte == quote {
            guard offset + 1 < count || isAtEnd else { return .more }
            if offset + 1 < count, bytes[offset + 1] == quote {
              scratch.append(quote)
              offset += 1
            } else {
              isInside = false
            }
          } else {
            if byte == 0x0A || byte == 0x0D {
              if !(byte == 0x0A && bytes[offset - 1] == 0x0D) { lineCount += 1 }
            }
            seen |= byte
            scratch.append(byte)
          }
          offset += 1
        }
      }
      let isMultiline = lineCount > openLine
      let tail = offset
      while true {
        guard offset < count else {
          guard isAtEnd else { return .more }
          if isMultiline, offset > tail { return .brokenQuote }
          finish(&row, &scratch, seen)
          return .row(after: offset, lineCount: lineCount, endsInReturn: false, usesScratch: true)
        }
        let byte = bytes[offset]
        if byte == first {
          guard offset + width <= count || isAtEnd else { return .more }
          if offset + width <= count, has(delimiter, bytes, before: offset + width, from: offset) {
            break
          }
        }
        if byte == 0x0A || byte == 0x0D {
          if isMultiline, offset > tail { return .brokenQuote }
          finish(&row, &scratch, seen)
          return .row(
            after: offset + 1, lineCount: lineCount, endsInReturn: byte == 0x0D, usesScratch: true)
        }
        seen |= byte
        scratch.append(byte)
        offset += 1
      }
      if isMultiline, offset > tail { return .brokenQuote }
      row.ends.append(scratch.count)
      offset += width
    }
  }

  /// Ends the last field; drops the row suffix, or an empty field for a last delimiter.
  private func finish(_ row: inout Row, _ scratch: inout [UInt8], _ seen: UInt8) {
    row.isBeyondASCII = seen > 0x7F
    if !rowSuffix.isEmpty {
      let fieldStart = row.ends.last ?? 0
      if scratch.count - fieldStart >= rowSuffix.count,
        scratch.suffix(rowSuffix.count) == rowSuffix[...]
      {
        scratch.removeLast(rowSuffix.count)
      } else if scratch.count == fieldStart, !row.ends.isEmpty {
        return
      }
    }
    row.ends.append(scratch.count)
  }
}

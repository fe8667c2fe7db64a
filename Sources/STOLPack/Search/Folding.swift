/// Folds names and queries to the form in which they are compared.
///
/// Compatibility decomposition, case fold, marks dropped after Latin, Greek and Cyrillic letters,
/// one form of dashes and quotes, single spaces: PACK.md section 11. Reuse one value for many names:
/// it keeps its buffers.
public struct Folder {
  private var marks: [(scalar: UInt32, combiningClass: UInt8)] = []
  private var followsCasedLetter = false
  private var isSpacePending = false
  private var hasWritten = false

  /// A folder with empty buffers.
  public init() {}

  /// The folded form of `text`.
  public static func fold(_ text: String) -> String {
    var folder = Folder()
    var output: [UInt8] = []
    folder.fold(text, into: &output)
    return String(decoding: output, as: UTF8.self)
  }

  /// Replaces `output` with the folded form of `text`, in UTF-8.
  ///
  /// - Complexity: O(length); ASCII text takes about a nanosecond a byte.
  public mutating func fold(_ text: String, into output: inout [UInt8]) {
    text.withUTF8Span { fold($0, into: &output) }
  }

  /// Replaces `output` with the folded form of a text in UTF-8.
  ///
  /// - Complexity: O(length); ASCII text takes about a nanosecond a byte.
  public mutating func fold(_ text: Span<UInt8>, into output: inout [UInt8]) {
    output.removeAll(keepingCapacity: true)
    if FoldedText.isPlain(text) {
      output.append(contentsOf: text.rawSpan)
      for index in output.indices { output[index] |= 0x20 }
      return
    }
    marks.removeAll(keepingCapacity: true)
    followsCasedLetter = false
    isSpacePending = false
    hasWritten = false
    var index = 0
    while index < text.count {
      let byte = text[index]
      if byte < 0x80 {
        foldASCII(byte, into: &output)
        index &+= 1
      } else {
        let (scalar, byteCount) = decodeScalar(text, at: index)
        foldScalar(scalar, into: &output)
        index &+= byteCount
      }
    }
    flushMarks(into: &output)
  }

  private mutating func foldASCII(_ byte: UInt8, into output: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"):
      emitASCII(byte, isLetter: true, into: &output)
    case UInt8(ascii: "A")...UInt8(ascii: "Z"):
      emitASCII(byte + 32, isLetter: true, into: &output)
    case 0...0x20, 0x7F, UInt8(ascii: "_"):
      flushMarks(into: &output)
      isSpacePending = true
      followsCasedLetter = false
    case UInt8(ascii: "\""), UInt8(ascii: "`"):
      emitASCII(UInt8(ascii: "'"), isLetter: false, into: &output)
    default:
      emitASCII(byte, isLetter: false, into: &output)
    }
  }

  private mutating func emitASCII(_ byte: UInt8, isLetter: Bool, into output: inout [UInt8]) {
    if !marks.isEmpty { flushMarks(into: &output) }
    writePendingSpace(into: &output)
    output.append(byte)
    hasWritten = true
    followsCasedLetter = isLetter
  }

  private mutating func foldScalar(_ scalar: UInt32, into output: inout [UInt8]) {
    if Self.isHangulSyllable(scalar) {
      let index = scalar - 0xAC00
      emit(0x1100 + index / 588, into: &output)
      emit(0x1161 + index % 588 / 28, into: &output)
      if index % 28 > 0 { emit(0x11A7 + index % 28, into: &output) }
      return
    }
    // Tags and variation selectors beyond the tables.
    if scalar >= 0xE0000, scalar < 0xE1000 { return }
    guard let key = Self.row(of: scalar, in: FoldingTable.keys) else {
      return emit(scalar, into: &output)
    }
    for index in FoldingTable.starts[key]..<FoldingTable.starts[key + 1] {
      let folded = FoldingTable.scalars[Int(index)]
      if folded < 0x80 {
        foldASCII(UInt8(truncatingIfNeeded: folded), into: &output)
      } else {
        emit(folded, into: &output)
      }
    }
  }

  /// Writes one folded scalar, or keeps it back if it is a mark.
  private mutating func emit(_ scalar: UInt32, into output: inout [UInt8]) {
    if let combiningClass = Self.combiningClass(of: scalar) {
      guard !followsCasedLetter else { return }
      if combiningClass == 0 { flushMarks(into: &output) }
      marks.append((scalar, combiningClass))
      if combiningClass == 0 { flushMarks(into: &output) }
      return
    }
    flushMarks(into: &output)
    write(scalar, into: &output)
    followsCasedLetter = Self.isCasedLetter(scalar)
  }

  /// Writes the marks kept back in canonical order: stable, by combining class.
  private mutating func flushMarks(into output: inout [UInt8]) {
    guard !marks.isEmpty else { return }
    for index in marks.indices.dropFirst() {
      var position = index
      while position > 0, marks[position - 1].combiningClass > marks[position].combiningClass {
        marks.swapAt(position - 1, position)
        position -= 1
      }
    }
    for mark in marks { write(mark.scalar, into: &output) }
    marks.removeAll(keepingCapacity: true)
  }

  private mutating func write(_ scalar: UInt32, into output: inout [UInt8]) {
    writePendingSpace(into: &output)
    hasWritten = true
    // Only scalars of the input and of the tables arrive here; none is a surrogate.
    guard let scalar = Unicode.Scalar(scalar), let bytes = UTF8.encode(scalar) else { return }
    output.append(contentsOf: bytes)
  }

  private mutating func writePendingSpace(into output: inout [UInt8]) {
    if isSpacePending, hasWritten { output.append(UInt8(ascii: " ")) }
    isSpacePending = false
  }

  private static func isHangulSyllable(_ scalar: UInt32) -> Bool {
    scalar >= 0xAC00 && scalar < 0xD7A4
  }

  private static func isCasedLetter(_ scalar: UInt32) -> Bool {
    let run = lastRow(notAbove: scalar, in: FoldingTable.letterFirst)
    return run >= 0 && scalar <= FoldingTable.letterLast[run]
  }

  private static func combiningClass(of scalar: UInt32) -> UInt8? {
    let run = lastRow(notAbove: scalar, in: FoldingTable.markFirst)
    guard run >= 0, scalar <= FoldingTable.markLast[run] else { return nil }
    return FoldingTable.markClass[run]
  }

  private static func row(of scalar: UInt32, in keys: [UInt32]) -> Int? {
    let row = lastRow(notAbove: scalar, in: keys)
    return row >= 0 && keys[row] == scalar ? row : nil
  }

  private static func lastRow(notAbove scalar: UInt32, in keys: [UInt32]) -> Int {
    var low = 0
    var high = keys.count
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] <= scalar { low = middle + 1 } else { high = middle }
    }
    return low - 1
  }
}

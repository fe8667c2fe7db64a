/// The rows of lines of a batch that were answered lately: in tables of what was seen the same names come
/// again and again, and some lead to thousands of taxa.
///
/// Each line has one place, by its hash, and the last one that was answered there stays. Long rows, which
/// took long, have places of their own, so that short ones do not drive them out.
struct RowMemo {
  /// A line and its answer.
  struct Entry {
    fileprivate var line: [UInt8] = []
    /// As it was written, with its end.
    fileprivate(set) var row: [UInt8] = []
    fileprivate(set) var isCut = false
    fileprivate(set) var isFound = false
  }

  private static let placeCount = 512
  private static let longPlaceCount = 64
  private static let longByteCount = 1 << 10
  /// Longer rows are not kept, so that memory is bounded: 9 MB if all places had the longest.
  private static let longestByteCount = 1 << 17

  /// None before the first row is kept.
  private var entries: [Entry] = []

  /// What was answered to a line, if that is still here.
  func entry(for line: ArraySlice<UInt8>) -> Entry? {
    guard !entries.isEmpty else { return nil }
    let hash = AnswerCache.hash(line)
    var place = Self.place(hash, isLong: false)
    if entries[place].line[...] != line { place = Self.place(hash, isLong: true) }
    let entry = entries[place]
    return !entry.row.isEmpty && entry.line[...] == line ? entry : nil
  }

  private static func place(_ hash: UInt64, isLong: Bool) -> Int {
    let high = Int(truncatingIfNeeded: hash >> 32)
    return isLong ? placeCount + high % longPlaceCount : high % placeCount
  }

  /// Keeps the answer to a line that was not known.
  mutating func keep(_ line: ArraySlice<UInt8>, _ row: [UInt8], isCut: Bool, isFound: Bool) {
    guard row.count <= Self.longestByteCount else { return }
    if entries.isEmpty {
      entries = Array(repeating: Entry(), count: Self.placeCount + Self.longPlaceCount)
    }
    let place = Self.place(AnswerCache.hash(line), isLong: row.count > Self.longByteCount)
    entries[place].line.replaceSubrange(entries[place].line.indices, with: line)
    entries[place].row.replaceSubrange(entries[place].row.indices, with: row)
    entries[place].isCut = isCut
    entries[place].isFound = isFound
  }
}

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

  private var entries: [Entry] = []
  /// The hash of the line that was asked for last.
  private var hash = 0

  /// What was answered to a line, if that is still here.
  mutating func entry(for line: ArraySlice<UInt8>) -> Entry? {
    if entries.isEmpty {
      entries = Array(repeating: Entry(), count: Self.placeCount + Self.longPlaceCount)
    }
    hash = Int(truncatingIfNeeded: AnswerCache.hash(line) >> 32)
    var place = place(isLong: false)
    if entries[place].line[...] != line { place = self.place(isLong: true) }
    let entry = entries[place]
    return !entry.row.isEmpty && entry.line[...] == line ? entry : nil
  }

  private func place(isLong: Bool) -> Int {
    isLong ? Self.placeCount + hash % Self.longPlaceCount : hash % Self.placeCount
  }

  /// Keeps the answer to the line that was asked for last and not known.
  mutating func keep(_ line: ArraySlice<UInt8>, _ row: [UInt8], isCut: Bool, isFound: Bool) {
    guard row.count <= Self.longestByteCount else { return }
    let place = place(isLong: row.count > Self.longByteCount)
    entries[place].line.replaceSubrange(entries[place].line.indices, with: line)
    entries[place].row.replaceSubrange(entries[place].row.indices, with: row)
    entries[place].isCut = isCut
    entries[place].isFound = isFound
  }
}

import CSQLite
import STOLSystem

/// What SQLite may allocate while databases of strangers are read.
///
/// SQLite's limit is one for the whole process: journals and favourites that are written meanwhile
/// allocate under it too. It grows with each such database that is open, leaves room for the others,
/// and is what it was before the first one once the last one is closed, in whatever order they close.
/// https://www.sqlite.org/c3ref/hard_heap_limit64.html
struct HeapCap {
  /// What one database of a stranger may make SQLite allocate, in bytes.
  static let byteCount: Int64 = 48 << 20
  /// What the other connections of the process may allocate meanwhile beyond what they have, in
  /// bytes: the large cache of an import.
  static let otherByteCount: Int64 = 64 << 20

  private var openCount: Int64 = 0
  private var before: Int64 = 0
  private var usedBefore: Int64 = 0

  /// Counts one more database of a stranger.
  ///
  /// - Parameters:
  ///   - limit: the limit that there is, in bytes; 0 for none.
  ///   - used: what SQLite has allocated, in bytes.
  /// - Returns: the limit that there shall be.
  mutating func raise(limit: Int64, used: Int64) -> Int64 {
    if openCount == 0 { (before, usedBefore) = (limit, used) }
    openCount += 1
    return limitOfOpen
  }

  /// Counts one less.
  ///
  /// - Returns: the limit that there shall be, 0 for none.
  mutating func lower() -> Int64 {
    openCount -= 1
    return openCount == 0 ? before : limitOfOpen
  }

  /// The limit for the databases that are open, under the one that was set before, if any.
  private var limitOfOpen: Int64 {
    let limit = usedBefore + Self.otherByteCount + Self.byteCount * openCount
    return before > 0 ? min(limit, before) : limit
  }
}

extension HeapCap {
  private static let shared = Locked(HeapCap())

  /// Raises the limit of this process for one more database of a stranger.
  static func raise() {
    shared.withLock { cap in
      // -1 asks only.
      let limit = cap.raise(limit: sqlite3_hard_heap_limit64(-1), used: sqlite3_memory_used())
      sqlite3_hard_heap_limit64(limit)
    }
  }

  /// Lowers it for one less.
  static func lower() {
    shared.withLock { cap in
      let limit = cap.lower()
      sqlite3_hard_heap_limit64(limit)
    }
  }
}

import STOLFormats
import CMarisa

/// The keys of a MARISA trie (Yata 2011) with the fixed-length records that Python's `RecordTrie` puts
/// behind them: key, 0xFF, record.
///
/// SAFETY: the trie is made by stol_trie_open, used by this object only, and closed once, in deinit.
@safe final class RecordTrie {
  private let trie: OpaquePointer
  private let recordByteCount: Int

  /// Begins to read a trie whose records have `recordByteCount` bytes; nil if the system refuses it.
  init?(_ bytes: [UInt8], recordByteCount: Int) {
    // SAFETY: the bytes are copied before it returns.
    guard let trie = unsafe stol_trie_open(bytes, bytes.count) else { return nil }
    unsafe self.trie = trie
    self.recordByteCount = recordByteCount
  }

  deinit {
    // SAFETY: nobody uses the trie after this object.
    unsafe stol_trie_close(trie)
  }

  /// Goes to the next key, in an order that only the trie knows.
  ///
  /// - Returns: the number that the key is, in decimal, and its record; nil after the last.
  /// - Throws: `FormatError.unreadable` if a key is not of this form.
  func next() throws -> (key: Int64, record: [UInt8])? {
    // SAFETY: key and length are set before they are read; the bytes live until the next call and are
    // copied here.
    var key: UnsafePointer<UInt8>?
    var length = 0
    let result = unsafe stol_trie_next(trie, &key, &length)
    guard result != 0 else { return nil }
    guard result > 0, length > recordByteCount + 1 else { throw Self.damaged }
    let bytes = unsafe Array(UnsafeBufferPointer(start: key, count: length))
    let end = length - recordByteCount - 1
    var number: Int64 = 0
    for byte in bytes[..<end] {
      guard byte >= 0x30, byte <= 0x39, number < Int64.max / 16 else { throw Self.damaged }
      number = number * 10 + Int64(byte - 0x30)
    }
    guard bytes[end] == 0xFF else { throw Self.damaged }
    return (number, Array(bytes[(end + 1)...]))
  }

  private static var damaged: FormatError {
    .unreadable(path: "a .marisa file", reason: "it is damaged, or of another release")
  }
}

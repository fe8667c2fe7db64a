/// Builds a trie over the first bytes of sorted words: PACK.md section 8.
struct WordTrieBuilder {
  /// One record a node, and one behind the last.
  let records: [UInt64]

  /// - Parameters:
  ///   - count: the number of words.
  ///   - byte: byte number `depth` of word number `word` of the order, or nil past its end.
  init(count: Int, byte: (_ word: Int, _ depth: Int) -> UInt8?) {
    var bytes: [UInt8] = [0]
    var words: [UInt32] = [0]
    var children: [UInt32] = []
    var level = [0..<count]
    var depth = 0
    // Nodes of one level are all there before their children are numbered.
    while !level.isEmpty {
      var next: [Range<Int>] = []
      for range in level {
        children.append(UInt32(words.count))
        guard range.count > Layout.trieLeafWordCount, depth < Layout.trieMaximumDepth else {
          continue
        }
        var start = range.lowerBound
        while start < range.upperBound {
          guard let letter = byte(start, depth) else {
            start += 1
            continue
          }
          var end = start + 1
          while end < range.upperBound, byte(end, depth) == letter { end += 1 }
          bytes.append(letter)
          words.append(UInt32(start))
          next.append(start..<end)
          start = end
        }
      }
      level = next
      depth += 1
    }
    bytes.append(0)
    children.append(UInt32(words.count))
    words.append(UInt32(count))
    records = bytes.indices.map {
      WordTrieRecord.encoded(
        byte: bytes[$0], word: words[$0], child: children[$0], wordCount: count)
    }
  }

  var encoded: EncodedSection {
    let width = records.reduce(0) { max($0, $1.significantBitCount) }
    return .packed(count: records.count, width: width) { records[$0] }
  }
}

/// The words of a vocabulary in the order of their reversed bytes.
struct ReversedOrder {
  /// Word numbers.
  private(set) var words: [UInt32]

  /// Sorts words, of which number `n` lies in `bytes` at `word(n)`.
  init(count: Int, bytes: [UInt8], word: (Int) -> Range<Int>) {
    struct Entry {
      /// The last eight bytes, the last one first; zeros where there are fewer.
      var tail: UInt64
      var word: UInt32
    }
    var entries: [Entry] = []
    entries.reserveCapacity(count)
    for number in 0..<count {
      var tail: UInt64 = 0
      for byte in bytes[word(number)].reversed().prefix(8) { tail = tail << 8 | UInt64(byte) }
      tail <<= UInt64(8 * max(0, 8 - word(number).count))
      entries.append(Entry(tail: tail, word: UInt32(number)))
    }
    entries.sort { a, b in
      if a.tail != b.tail { return a.tail < b.tail }
      return bytes[word(Int(a.word))].reversed().lexicographicallyPrecedes(
        bytes[word(Int(b.word))].reversed())
    }
    words = entries.map { $0.word }
  }
}

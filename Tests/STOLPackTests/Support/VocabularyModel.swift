import TestSupport

@testable import STOLPack

/// The sections of a vocabulary as PACK.md section 8 states them, written down a second time.
struct VocabularyModel {
  /// A trie as a table, one row behind the last node.
  struct Trie: Equatable {
    var bytes: [UInt8] = []
    var children: [Int] = []
    var words: [Int] = []

    /// The number of nodes.
    var count: Int { bytes.count - 1 }

    /// All of a row in one value.
    var values: [UInt64] {
      var bits = 0
      while (words.last ?? 0) >> bits > 0 { bits += 1 }
      return bytes.indices.map {
        UInt64(bytes[$0]) + UInt64(words[$0]) * 256 + UInt64(children[$0]) * 256 << UInt64(bits)
      }
    }
  }

  /// The words, sorted by their bytes, each once.
  let words: [[UInt8]]
  /// Their numbers in the order of their reversed bytes.
  let reversedOrder: [Int]
  let trie: Trie
  let reversedTrie: Trie
  /// The sections, one after another, and where they lie.
  private(set) var bytes: [UInt8] = []
  private(set) var directory = Directory()

  init(_ words: some Sequence<String>) {
    self.words = Set(words.map { Array($0.utf8) }).sorted { $0.lexicographicallyPrecedes($1) }
    let reversed = self.words.map { Array($0.reversed()) }
    reversedOrder = reversed.indices.sorted { reversed[$0].lexicographicallyPrecedes(reversed[$1]) }
    trie = Self.trie(self.words)
    reversedTrie = Self.trie(reversedOrder.map { reversed[$0] })
    let coded = FrontCoding.encode(self.words)
    add(.wordBlocks, coded.blocks)
    add(.wordText, .plain(coded.text))
    add(.trieNodes, trie)
    add(.wordLetters, .plain(scalars.map(Self.letters).flatMap(Self.bytes)))
    add(.reverseOrder, reversedOrder)
    add(.reverseNodes, reversedTrie)
  }

  /// The words as scalars.
  var scalars: [[UInt32]] {
    words.map { String(decoding: $0, as: UTF8.self).unicodeScalars.map(\.value) }
  }

  private mutating func add(_ section: Section, _ values: [Int]) {
    add(section, .packed(values.map(UInt32.init)))
  }

  private mutating func add(_ section: Section, _ trie: Trie) {
    let values = trie.values
    let width = values.map(\.significantBitCount).max() ?? 0
    add(section, .packed(count: values.count, width: width) { values[$0] })
  }

  private mutating func add(_ section: Section, _ encoded: EncodedSection) {
    var entry = SectionEntry()
    entry.offset = bytes.count
    entry.byteCount = encoded.bytes.count
    entry.count = encoded.count
    entry.width = encoded.width
    directory[section] = entry
    bytes += encoded.bytes
  }

  /// One node after another, each a beginning of words; new ones go to the end of the queue.
  private static func trie(_ words: [[UInt8]]) -> Trie {
    var queue: [[UInt8]] = [[]]
    var trie = Trie()
    var next = 0
    while next < queue.count {
      let path = queue[next]
      let below = words.indices.filter { words[$0].starts(with: path) }
      trie.bytes.append(path.last ?? 0)
      trie.words.append(below.first ?? 0)
      trie.children.append(queue.count)
      if below.count > 16, path.count < 16 {
        let letters = Set(below.compactMap { words[$0].dropFirst(path.count).first })
        queue += letters.sorted().map { path + [$0] }
      }
      next += 1
    }
    trie.bytes.append(0)
    trie.words.append(words.count)
    trie.children.append(queue.count)
    return trie
  }

  /// The letters that share a bit, from the lowest bit on.
  private static let letters = [
    "a", "e", "i", "o", "s", "r", "n", "l", "t", "u", "c", "m", "p", "d", "h", "g", "b", "fv", "y",
    "jkqwxz",
  ].map { $0.unicodeScalars.map(\.value) }

  /// The number of the bit of a letter.
  static func bit(_ scalar: UInt32) -> Int {
    letters.firstIndex { $0.contains(scalar) } ?? (Int(scalar) + 13) % 26
  }

  /// One bit for each letter, one for each of the first six that is there twice, the number of
  /// letters above them.
  static func letters(_ word: [UInt32]) -> UInt32 {
    let bits = word.map(bit)
    var result = UInt32(min(bits.count, 63)) << 26
    for bit in 0..<26 {
      let count = bits.filter { $0 == bit }.count
      let isSecond = bit >= 20 && bits.filter { $0 == bit - 20 }.count >= 2
      if count > 0 || isSecond { result |= 1 << UInt32(bit) }
    }
    return result
  }

  private static func bytes(_ value: UInt32) -> [UInt8] {
    [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}

@testable import STOLPack

/// The sections of a vocabulary as PACK.md section 8 states them, written down a second time.
struct VocabularyModel {
  /// A trie as a table.
  struct Trie: Equatable {
    var bytes: [UInt8] = []
    var children: [Int] = []
    var words: [Int] = []
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
    add(.trieByte, .plain(trie.bytes))
    add(.trieChild, trie.children)
    add(.trieWord, trie.words)
    add(.wordLetters, self.words.map(Self.letters))
    add(.reverseOrder, reversedOrder)
    add(.reverseByte, .plain(reversedTrie.bytes))
    add(.reverseChild, reversedTrie.children)
    add(.reverseWord, reversedTrie.words)
  }

  /// The words as scalars.
  var scalars: [[UInt32]] {
    words.map { String(decoding: $0, as: UTF8.self).unicodeScalars.map(\.value) }
  }

  private mutating func add(_ section: Section, _ values: [Int]) {
    add(section, .packed(values.map(UInt32.init)))
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
    trie.children.append(queue.count)
    return trie
  }

  /// One bit for each letter, the number of scalars above them.
  private static func letters(_ word: [UInt8]) -> Int {
    let scalars = String(decoding: word, as: UTF8.self).unicodeScalars.map { Int($0.value) }
    let bits = Set(scalars.map { ($0 + 7) % 26 }).map { 1 << $0 }
    return min(scalars.count, 63) << 26 + bits.reduce(0, +)
  }
}

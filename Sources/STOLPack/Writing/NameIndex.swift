/// All names as sequences of folded words, and the posting lists over them: PACK.md sections 7, 8.
struct NameIndex {
  /// The different folded words.
  private(set) var words = WordList()
  /// Names that are neither one capitalised word nor the parent's word and another.
  private(set) var phrases = PhraseList()
  /// The word of each scientific name, times two, plus one where the first word is the parent's; or
  /// `phraseFlag` and the number of a phrase.
  private var scientific: [UInt32] = []
  /// The hash of each name of any kind.
  private var hashes: [UInt64]
  private let storedParents: [UInt32]
  private let furtherCount: Int

  private static let phraseFlag: UInt32 = 1 << 31

  init(order: TreeOrder, taxa: TaxonTable, further: FurtherNames, names: NameTable) {
    storedParents = order.storedParents
    furtherCount = further.count
    hashes = [UInt64](repeating: 0, count: order.count + further.count)
    var reader = NameReader()
    for (number, source) in further.sources.enumerated() {
      switch source {
      case .name(let row): reader.read(names.texts[Int(row)], &words)
      case .synonymTaxon(let row): reader.read(taxa.names[Int(row)], &words)
      }
      phrases.append(reader)
      hashes[order.count + number] = reader.hash
    }
    scientific.reserveCapacity(order.count)
    for taxon in 0..<order.count {
      reader.read(taxa.names[Int(order.rows[taxon])], &words)
      hashes[taxon] = reader.hash
      scientific.append(store(reader, taxon: taxon))
    }
    sortWords()
  }

  private mutating func store(_ name: NameReader, taxon: Int) -> UInt32 {
    if name.words.count == 1, name.isCapitalised { return name.words[0] << 1 }
    if name.words.count == 2, name.isCapitalised, storedParents[taxon] > 0 {
      let genus = scientific[Int(storedParents[taxon]) - 1]
      if genus == name.words[0] << 1 { return name.words[1] << 1 | 1 }
    }
    phrases.append(name)
    return Self.phraseFlag | UInt32(phrases.count - 1)
  }

  /// Renumbers words by their bytes.
  private mutating func sortWords() {
    let newNumbers = words.sort()
    phrases.renumber(newNumbers)
    let phraseBase = UInt32(words.count) << 1
    scientific = scientific.map { stored in
      stored & Self.phraseFlag > 0
        ? phraseBase + stored & ~Self.phraseFlag
        : newNumbers[Int(stored >> 1)] << 1 | stored & 1
    }
  }

  /// Writes the names themselves: PACK.md section 7.
  func writeNames<Output: SectionOutput & ~Copyable>(to file: inout Output)
    throws(Output.Failure)
  {
    let base = UInt32(words.count) << 1
    var stored = scientific
    var marks = [UInt8](repeating: 0, count: (stored.count + 63) / 64 * 8)
    var counts: [UInt32] = []
    var count: UInt32 = 0
    for taxon in stored.indices {
      if taxon % 64 == 0 { counts.append(count) }
      guard stored[taxon] >= base else { continue }
      let first = phrases.firstWord(Int(stored[taxon] - base)) ?? UInt32(words.count)
      stored[taxon] = base + first
      marks[taxon / 8] |= 1 << UInt8(taxon % 8)
      count += 1
    }
    try file.write(.scientificName, .packed(stored))
    try file.write(.phraseMarks, .plain(marks))
    try file.write(.phraseCounts, .packed(counts))
    try phrases.write(to: &file, furtherCount: furtherCount)
  }

  /// Writes words and posting lists: PACK.md section 8.
  func write<Output: SectionOutput & ~Copyable>(
    _ further: FurtherNames, to file: inout Output
  ) throws(Output.Failure) {
    try words.write(to: &file)
    let postings = postingLists()
    try file.write(.postingStarts, .monotone(postings.starts))
    try file.write(.postingNames, .packed(postings.names))
    try words.writeTries(to: &file)
    try WholeNameTable(hashes).write(to: &file)
    try file.write(.wordGrams, .plain(words.grams))
  }

  /// For each word the names that hold it, ascending, except where it is the first word of a
  /// scientific name and comes from the parent.
  private func postingLists() -> (starts: [Int], names: [UInt32]) {
    var starts = [Int](repeating: 0, count: words.count + 1)
    forEachPosting { word, _ in starts[Int(word) + 1] += 1 }
    for word in 0..<words.count { starts[word + 1] += starts[word] }
    var next = starts
    var names = [UInt32](repeating: 0, count: starts[words.count])
    forEachPosting { word, name in
      names[next[Int(word)]] = name
      next[Int(word)] += 1
    }
    return (starts, names)
  }

  private func forEachPosting(_ body: (UInt32, UInt32) -> Void) {
    let phraseBase = UInt32(words.count) << 1
    for (taxon, stored) in scientific.enumerated() {
      if stored < phraseBase {
        body(stored >> 1, UInt32(taxon))
      } else {
        for word in phrases.distinctWords(Int(stored - phraseBase)) { body(word, UInt32(taxon)) }
      }
    }
    for name in 0..<furtherCount {
      for word in phrases.distinctWords(name) { body(word, UInt32(scientific.count + name)) }
    }
  }
}

/// Reads names one after another: their folded words, and how the spelling differs from them.
struct NameReader {
  private(set) var text = ""
  private(set) var words: [UInt32] = []
  /// Whether the spelling is the folded form with the first letter a capital.
  private(set) var isCapitalised = false
  /// The shape, if one gives the spelling.
  private(set) var shape: [UInt8] = []
  /// Whether one does.
  private(set) var hasShape = false
  private var folder = Folder()
  private var folded: [UInt8] = []
  private var ranges: [Range<Int>] = []

  /// The hash of the folded name.
  var hash: UInt64 { NameHash.hash(folded.span) }

  mutating func read(_ text: String, _ list: inout WordList) {
    self.text = text
    folder.fold(text, into: &folded)
    findWords(in: folded, &ranges)
    words.removeAll(keepingCapacity: true)
    for range in ranges { words.append(list.intern(folded.span.extracting(range))) }
    text.withUTF8Span {
      hasShape = NameShape.find($0, folded: folded, into: &shape)
      isCapitalised = hasShape && NameShape.isCapitalised($0, folded: folded)
    }
  }
}

/// The folded vocabulary.
struct WordList {
  private var table = WordTable()
  /// The numbers of `table` in sorted order, once sorted.
  private var order: [UInt32] = []

  var count: Int { table.words.count }

  mutating func intern(_ word: Span<UInt8>) -> UInt32 { table.intern(word) }

  /// Sorts the words by their bytes; returns the new number of each old one.
  mutating func sort() -> [UInt32] {
    let words = table.words
    order = [UInt32](0..<UInt32(words.count))
    order.sort { words.isLess(Int($0), Int($1)) }
    var newNumbers = [UInt32](repeating: 0, count: order.count)
    for (new, old) in order.enumerated() { newNumbers[Int(old)] = UInt32(new) }
    return newNumbers
  }

  func write<Output: SectionOutput & ~Copyable>(to file: inout Output) throws(Output.Failure) {
    let coded = FrontCode(count: count, bytes: table.words.bytes) {
      table.words.range(Int(order[$0]))
    }
    try file.write(.wordBlocks, .packed(coded.blocks))
    try file.write(.wordText, .plain(coded.text))
    let texts = Set(Grammar.links)
    let links = order.indices.filter { texts.contains(table.words[Int(order[$0])]) }
    try file.write(.linkWords, .packed(links.map { UInt32($0) }))
  }
}

extension WordList {
  /// The tries over first and last letters, and the reversed order: PACK.md section 8.
  func writeTries<Output: SectionOutput & ~Copyable>(to file: inout Output) throws(Output.Failure) {
    let bytes = table.words.bytes
    let trie = WordTrieBuilder(count: count) { word, depth in
      let range = table.words.range(Int(order[word]))
      return depth < range.count ? bytes[range.lowerBound + depth] : nil
    }
    try file.write(.trieNodes, trie.encoded)
    var letters: [UInt8] = []
    forEachWord { letters.appendLittleEndian(LetterSet($1).rawValue) }
    try file.write(.wordLetters, .plain(letters))
    let reversed = ReversedOrder(count: count, bytes: bytes) { table.words.range(Int(order[$0])) }
    let reversedTrie = WordTrieBuilder(count: count) { word, depth in
      let range = table.words.range(Int(order[Int(reversed.words[word])]))
      return depth < range.count ? bytes[range.upperBound - 1 - depth] : nil
    }
    try file.write(.reverseOrder, .packed(reversed.words))
    try file.write(.reverseNodes, reversedTrie.encoded)
  }

  /// What follows each other in words: PACK.md section 8.
  var grams: [UInt8] {
    var builder = WordGramBuilder(wordCount: count)
    forEachWord { builder.note($0, $1) }
    return builder.bytes
  }

  /// Calls `body` with each word and its scalars, in sorted order.
  private func forEachWord(_ body: (Int, [UInt32]) -> Void) {
    let bytes = table.words.bytes
    var scalars: [UInt32] = []
    for (word, number) in order.enumerated() {
      scalars.removeAll(keepingCapacity: true)
      appendScalars(of: bytes.span.extracting(table.words.range(Int(number))), to: &scalars)
      body(word, scalars)
    }
  }
}

/// What kind of further name a name is.
public enum NameType: String, CaseIterable, Sendable {
  /// A common name.
  case common
  /// A scientific synonym.
  case synonym
  /// A vernacular name.
  case vernacular
  /// A trade name.
  case trade

  /// What stands for it in a pack: PACK.md section 7.
  var number: UInt32 {
    switch self {
    case .common: 0
    case .synonym: 1
    case .vernacular: 2
    case .trade: 3
    }
  }
}

/// The names of a pack, as written and as sequences of folded words: PACK.md section 7.
public struct NameView: ~Escapable {
  /// The language tags of names, sorted.
  public let languages: StringTable<Language>
  let vocabulary: Vocabulary
  /// How names of each language are put together.
  let grammar: GrammarView
  /// The folded words of names.
  let folded: FoldedNames
  private let scientific: PackedColumn
  private let phraseStarts: MonotoneColumn
  let phraseWords: PackedColumn
  /// How phrases are spelled.
  let spellings: SpellingView
  private let nameTaxon: MonotoneColumn
  private let nameType: PackedColumn
  private let nameLanguage: PackedColumn
  private let namePreferred: PackedColumn
  private let nameSource: PackedColumn
  let records: RecordView
  private let parents: TreeView
  /// The first taxon whose place among its siblings is that of its name: an implied root comes first
  /// whatever it is called.
  private let firstOrdered: Int
  /// The row of `languages` for Latin, the language of scientific names.
  let latin: LanguageRow?
  let taxonCount: Int
  /// The number of common names and synonyms.
  public let furtherCount: Int

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan, header: Header, directory: borrowing Directory) {
    languages = bytes.strings(.languages, directory)
    vocabulary = Vocabulary(bytes, directory: directory, count: header.wordCount)
    grammar = GrammarView(bytes, directory: directory)
    folded = FoldedNames(bytes, header: header, directory: directory)
    scientific = bytes.packed(.scientificName, directory)
    phraseStarts = bytes.monotone(.phraseStarts, directory)
    phraseWords = bytes.packed(.phraseWords, directory)
    spellings = SpellingView(bytes, directory: directory)
    nameTaxon = bytes.monotone(.nameTaxon, directory)
    nameType = bytes.packed(.nameType, directory)
    nameLanguage = bytes.packed(.nameLanguage, directory)
    namePreferred = bytes.packed(.namePreferred, directory)
    nameSource = bytes.packed(.nameSource, directory)
    records = RecordView(bytes, directory: directory)
    parents = TreeView(bytes, directory: directory, taxonCount: header.taxonCount)
    firstOrdered = header.hasImpliedRoot ? 1 : 0
    latin = languages.row(of: NameTable.scientificLanguage)
    taxonCount = header.taxonCount
    furtherCount = header.nameCount
  }

  /// The number of names of all kinds.
  var count: Int { taxonCount + furtherCount }

  /// Whether `name` is the scientific name of a taxon.
  public func isScientific(_ name: NameOrdinal) -> Bool { name.index < taxonCount }

  /// The taxon that `name` names.
  ///
  /// - Complexity: O(1)
  public func taxon(of name: NameOrdinal) -> TaxonOrdinal {
    guard !isScientific(name) else { return TaxonOrdinal(name.index) }
    return TaxonOrdinal(clamping: nameTaxon[name.index &- taxonCount], below: taxonCount)
  }

  /// The common names and synonyms of `taxon`.
  ///
  /// - Complexity: O(log n)
  public func furtherNames(of taxon: TaxonOrdinal) -> Range<NameOrdinal> {
    let lower = nameTaxon.lowerBound(taxon.index)
    let upper = max(lower, nameTaxon.lowerBound(taxon.index &+ 1))
    return NameOrdinal(taxonCount &+ lower)..<NameOrdinal(taxonCount &+ upper)
  }

  /// The kind of a further name.
  public func type(of name: NameOrdinal) -> NameType {
    NameType.allCases[nameType[name.index &- taxonCount] & 3]
  }

  /// The row of `languages` for a further name.
  public func language(of name: NameOrdinal) -> LanguageRow {
    LanguageRow(nameLanguage[name.index &- taxonCount])
  }

  /// Whether a further name is the preferred one in its language.
  public func isPreferred(_ name: NameOrdinal) -> Bool {
    namePreferred[name.index &- taxonCount] == 1
  }

  /// The number of the source of a further name, from 1; 0 where it is not known.
  func source(of name: NameOrdinal) -> Int { nameSource[name.index &- taxonCount] }

  /// The scientific name of `taxon`.
  ///
  /// - Complexity: O(length)
  public func scientificName(of taxon: TaxonOrdinal) -> String {
    text(of: NameOrdinal(taxon.index))
  }

  /// `name` as the source spells it.
  ///
  /// - Complexity: O(length)
  public func text(of name: NameOrdinal) -> String {
    var bytes: [UInt8] = []
    appendText(of: name, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends `name` as the source spells it, in UTF-8.
  ///
  /// - Complexity: O(length)
  public func appendText(of name: NameOrdinal, to output: inout [UInt8]) {
    switch form(of: name) {
    case .uninomial(let word): appendCapitalised(word, to: &output)
    case .binomial(let genus, let epithet):
      appendCapitalised(genus, to: &output)
      output.append(UInt8(ascii: " "))
      vocabulary.append(epithet, to: &output)
    case .phrase(let phrase, let first): appendPhrase(phrase, first: first, to: &output)
    }
  }

  /// Appends the folded form of `name`: its words, with one space between them.
  func appendFolded(_ name: NameOrdinal, to output: inout [UInt8]) {
    let start = output.count
    forEachWord(of: name) { word in
      // A damaged pack must not make a name without end.
      guard output.count &- start <= Layout.maximumNameByteCount else { return }
      if output.count > start { output.append(UInt8(ascii: " ")) }
      vocabulary.append(word, to: &output)
    }
  }

  /// Appends the folded form of a name with these words.
  func appendFolded(_ words: Words, to output: inout [UInt8]) {
    let start = output.count
    for index in 0..<words.count where output.count &- start <= Layout.maximumNameByteCount {
      if index > 0 { output.append(UInt8(ascii: " ")) }
      vocabulary.append(word(index, of: words), to: &output)
    }
  }

  /// Calls `body` with each folded word of `name`, in order.
  @inline(__always)
  func forEachWord(of name: NameOrdinal, _ body: (Int) -> Void) {
    switch form(of: name) {
    case .uninomial(let word): body(word)
    case .binomial(let genus, let epithet):
      body(genus)
      body(epithet)
    case .phrase(let phrase, let first):
      if first >= 0 { body(first) }
      for row in wordRows(of: phrase) { body(phraseWords[row]) }
    }
  }

  /// The first word, the last one and the number of words of a name; -1 where there is none.
  @inline(__always)
  func ends(_ name: NameOrdinal) -> (first: Int, last: Int, count: Int) {
    switch form(of: name) {
    case .uninomial(let word): return (word, word, 1)
    case .binomial(let genus, let epithet): return (genus, epithet, 2)
    case .phrase(let phrase, let first):
      let rows = wordRows(of: phrase)
      guard let last = rows.last else { return (first, first, first < 0 ? 0 : 1) }
      guard first < 0 else { return (first, phraseWords[last], rows.count &+ 1) }
      return (phraseWords[rows.lowerBound], phraseWords[last], rows.count)
    }
  }

  /// The words of a name: where they stand, and the two that are looked at most.
  struct Words {
    /// The first word, or -1 where there is none.
    var first: Int
    /// The last word, or -1 where there is none.
    var last: Int
    var count: Int
    /// Where the first word of a phrase would stand beside the others.
    fileprivate var start: Int
  }

  /// The words of `name`, read on from where those of the name before ended.
  @inline(__always)
  func words(of name: NameOrdinal, from cursor: inout MonotoneColumn.Cursor) -> Words {
    switch form(of: name) {
    case .uninomial(let word): return Words(first: word, last: word, count: 1, start: 0)
    case .binomial(let genus, let epithet):
      return Words(first: genus, last: epithet, count: 2, start: 0)
    case .phrase(let phrase, let first):
      let rows = phraseStarts.range(phrase, from: &cursor).clamped(to: 0..<phraseWords.count)
        .prefix(Layout.maximumPhraseWordCount)
      let apart = first < 0 ? 0 : 1
      guard let last = rows.last else {
        return Words(first: first, last: first, count: apart, start: 0)
      }
      return Words(
        first: first < 0 ? phraseWords[rows.lowerBound] : first, last: phraseWords[last],
        count: rows.count &+ apart, start: rows.lowerBound &- apart)
    }
  }

  /// The words of a name that is one word.
  @inline(__always)
  func words(ofUninomial word: Int) -> Words {
    Words(first: word, last: word, count: 1, start: 0)
  }

  /// The words of `name`, which takes the first one from its parent.
  @inline(__always)
  func words(ofBinomial name: NameOrdinal, genus: Int) -> Words {
    Words(first: genus, last: scientific[name.index] &>> 1, count: 2, start: 0)
  }

  /// Word number `index` of a name, which has more words than that.
  @inline(__always)
  func word(_ index: Int, of words: Words) -> Int {
    if index == 0 { return words.first }
    return index == words.count &- 1 ? words.last : phraseWords[words.start &+ index]
  }

  /// How a name is stored.
  enum Form {
    /// One word, written with a capital.
    case uninomial(Int)
    /// The word of the parent, written with a capital, and a word.
    case binomial(genus: Int, epithet: Int)
    /// Any other sequence of words: the number of the phrase, and its first word where that stands
    /// with the taxon, else -1.
    case phrase(Int, first: Int)
  }

  /// How a name is stored, without its words.
  enum StoredForm {
    case uninomial, binomial, phrase
  }

  /// How `name` is stored, without its words.
  @inline(__always)
  func storedForm(of name: NameOrdinal) -> StoredForm {
    guard name.index < taxonCount else { return .phrase }
    let stored = scientific[name.index]
    guard stored &>> 1 < folded.wordCount else { return .phrase }
    return stored & 1 == 1 ? .binomial : .uninomial
  }

  /// How `name` is stored.
  ///
  /// - Complexity: O(1)
  @inline(__always)
  func form(of name: NameOrdinal) -> Form { folded.form(of: name) }

  /// Whether two taxa have one parent, or both none, and stand in the order of their names.
  @inline(__always)
  func areSiblings(_ a: TaxonOrdinal, _ b: TaxonOrdinal) -> Bool {
    parents.storedParent(a.index) == parents.storedParent(b.index)
      && min(a.index, b.index) >= firstOrdered
  }

  /// The phrase as which `name` is stored, or nil.
  func phrase(of name: NameOrdinal) -> Int? {
    guard case .phrase(let phrase, _) = form(of: name) else { return nil }
    return phrase
  }

  private func appendCapitalised(_ word: Int, to output: inout [UInt8]) {
    let start = output.count
    vocabulary.append(word, to: &output)
    guard start < output.count, output[start] >= UInt8(ascii: "a"),
      output[start] <= UInt8(ascii: "z")
    else { return }
    output[start] &-= 32
  }

  /// Where the words of a phrase lie, without a first one that stands with the taxon.
  @inline(__always)
  func wordRows(of phrase: Int) -> Range<Int> {
    let rows = phraseStarts.range(phrase).clamped(to: 0..<phraseWords.count)
    return rows.prefix(Layout.maximumPhraseWordCount)
  }

  private func appendPhrase(_ phrase: Int, first: Int, to output: inout [UInt8]) {
    switch spellings.spelling(ofPhrase: phrase) {
    case .text(let row): output.append(contentsOf: spellings.text(row))
    case .shape(let shape):
      let start = output.count
      if first >= 0 { vocabulary.append(first, to: &output) }
      // A damaged pack must not make a name without end.
      for row in wordRows(of: phrase) where output.count - start <= Layout.maximumNameByteCount {
        if output.count > start { output.append(UInt8(ascii: " ")) }
        vocabulary.append(phraseWords[row], to: &output)
      }
      NameShape.apply(spellings.symbols(ofShape: shape), to: &output, from: start)
    case nil: break
    }
  }
}

/// Which names hold a word: PACK.md section 8.
struct PostingView: ~Escapable {
  private let starts: MonotoneColumn
  private let names: PackedColumn

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan, directory: borrowing Directory) {
    starts = bytes.monotone(.postingStarts, directory)
    names = bytes.packed(.postingNames, directory)
  }

  /// Where the list of `word` lies.
  @inline(__always)
  func rows(of word: Int) -> Range<Int> { starts.range(word).clamped(to: 0..<names.count) }

  /// Where the names in `range` stand on the list of `word`.
  func rows(of word: Int, in range: Range<Int>) -> Range<Int> {
    let rows = rows(of: word)
    let lower = names.lowerBound(UInt64(range.lowerBound), in: rows)
    return lower..<max(lower, names.lowerBound(UInt64(range.upperBound), in: rows))
  }

  /// Where the lists of `words`, which follow each other, lie.
  @inline(__always)
  func rows(of words: Range<Int>) -> Range<Int> {
    starts.range(of: words).clamped(to: 0..<names.count)
  }

  /// Where the list of `word` lies, sought from the list before.
  @inline(__always)
  func rows(of word: Int, from cursor: inout MonotoneColumn.Cursor) -> Range<Int> {
    starts.range(word, from: &cursor).clamped(to: 0..<names.count)
  }

  /// The name in `row`.
  subscript(row: Int) -> NameOrdinal { NameOrdinal(names[row]) }

  /// The first row from `row` on, of a list that ends at `end`, whose name is not below `bound`.
  ///
  /// - Complexity: O(log d), where it is d rows ahead (Bentley and Yao 1976)
  func firstRow(notBelow bound: Int, from row: Int, before end: Int) -> Int {
    guard row < end, names[row] < bound else { return row }
    var below = row
    var step = 1
    while below &+ step < end, names[below &+ step] < bound {
      below &+= step
      step &<<= 1
    }
    return names.lowerBound(UInt64(bound), in: below &+ 1..<min(below &+ step, end))
  }
}

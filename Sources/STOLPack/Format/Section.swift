/// The sections of a pack, in the order in which they are written: PACK.md sections 5 to 10.
enum Section: Int, CaseIterable {
  case dataset
  case ranks, statuses, conservationCodes, languages, authors
  case traitKeys, traitValues, traitUnits
  case parent, sparseTable, depth
  case rank, status, conservation, year, author, hasCommonName
  case idValue, idOrder, idDirectory, mergedID, mergedInto, deletedID
  case scientificName
  case phraseStarts, phraseWords, phraseStyle
  case spellingPhrase, spellingStarts, spellingText
  case nameTaxon, nameType, nameLanguage, namePreferred
  case wordBlocks, wordText
  case postingStarts, postingNames
  case trieNodes, wordLetters
  case reverseOrder, reverseNodes
  case traitTaxon, traitPair, pairKey, pairValue, pairUnit
  case trieBest, completeNode, completeName

  /// What the format says of the section.
  var description: SectionDescription {
    switch self {
    case .dataset: .init("dataset", .strings, .metadata, "dataset, release, licence")
    case .ranks: .init("text.ranks", .strings, .metadata, "rank table")
    case .statuses: .init("text.statuses", .strings, .metadata, "status table")
    case .conservationCodes: .init("text.conserv", .strings, .metadata, "conservation table")
    case .languages: .init("text.languages", .strings, .metadata, "language table")
    case .authors: .init("text.authors", .strings, .authors, "author strings")
    case .traitKeys: .init("text.traitkeys", .strings, .traits, "trait keys")
    case .traitValues: .init("text.traitvals", .strings, .traits, "trait values")
    case .traitUnits: .init("text.traitunits", .strings, .traits, "trait units")
    case .parent:
      .init("tree.parent", .blocks, .tree, "parent array, with block minima", count: .perTaxon)
    case .sparseTable: .init("tree.sparse", .packed, .tree, "sparse table", count: .sparseTable)
    case .depth: .init("tree.depth", .packed, .tree, "depth", count: .perTaxon, width: .narrow)
    case .rank:
      .init(
        "taxon.rank", .packed, .columns, "rank column", count: .perTaxon, below: .rows(of: .ranks))
    case .status:
      .init(
        "taxon.status", .packed, .columns, "status column", count: .perTaxon,
        below: .rows(of: .statuses))
    case .conservation:
      .init(
        "taxon.conserv", .packed, .columns, "conservation column", count: .perTaxon,
        below: .rows(of: .conservationCodes))
    case .year:
      .init("taxon.year", .packed, .authors, "year column", count: .perTaxon, width: .based)
    case .author:
      .init(
        "taxon.author", .packed, .authors, "author column", count: .perTaxon,
        below: .rows(of: .authors))
    case .hasCommonName:
      .init(
        "taxon.known", .packed, .columns, "has a common name", count: .perTaxon, below: .number(2))
    case .idValue: .init("id.value", .packed, .ids, "taxon ids", count: .perTaxon, width: .based)
    case .idOrder: .init("id.order", .packed, .ids, "taxa by id", count: .perTaxon)
    case .idDirectory: .init("id.directory", .packed, .ids, "id directory")
    case .mergedID: .init("id.merged", .packed, .ids, "merged ids", width: .based)
    case .mergedInto:
      .init("id.mergedinto", .packed, .ids, "merged into", count: .per(.mergedID), below: .taxa)
    case .deletedID: .init("id.deleted", .packed, .ids, "deleted ids", width: .based)
    case .scientificName:
      .init("name.scientific", .packed, .names, "scientific names", count: .perTaxon)
    case .phraseStarts:
      .init("phrase.starts", .monotone, .names, "phrase starts", count: .perPhrase(plus: 1))
    case .phraseWords: .init("phrase.words", .packed, .names, "words of phrases", below: .words)
    case .phraseStyle:
      .init(
        "phrase.style", .packed, .names, "letter case of phrases", count: .perPhrase(),
        below: .number(4))
    case .spellingPhrase: .init("spelling.phrase", .monotone, .names, "spelled-out phrases")
    case .spellingStarts:
      .init(
        "spelling.starts", .monotone, .names, "spelling starts",
        count: .per(.spellingPhrase, plus: 1))
    case .spellingText: .init("spelling.text", .bytes, .names, "spellings")
    case .nameTaxon:
      .init("name.taxon", .monotone, .names, "taxa of further names", count: .perName, below: .taxa)
    case .nameType:
      .init("name.type", .packed, .names, "name types", count: .perName, below: .number(4))
    case .nameLanguage:
      .init(
        "name.language", .packed, .names, "name languages", count: .perName,
        below: .rows(of: .languages))
    case .namePreferred:
      .init(
        "name.preferred", .packed, .names, "preferred names", count: .perName, below: .number(2))
    case .wordBlocks:
      .init("word.blocks", .packed, .prefixIndex, "vocabulary block starts", count: .wordBlocks)
    case .wordText: .init("word.text", .bytes, .prefixIndex, "vocabulary, front-coded")
    case .postingStarts:
      .init(
        "posting.starts", .packed, .prefixIndex, "posting list starts", count: .perWord(plus: 1))
    case .postingNames: .init("posting.names", .packed, .prefixIndex, "posting lists")
    case .trieNodes:
      .init("trie.nodes", .packed, .fuzzyIndex, "trie of first letters", width: .wide)
    case .wordLetters:
      .init(
        "word.letters", .bytes, .fuzzyIndex, "letters and lengths of words",
        count: .perWord(times: 4))
    case .reverseOrder:
      .init("reverse.order", .packed, .fuzzyIndex, "words by their last letters", count: .perWord())
    case .reverseNodes:
      .init("reverse.nodes", .packed, .fuzzyIndex, "trie of last letters", width: .wide)
    case .traitTaxon: .init("trait.taxon", .monotone, .traits, "taxa of traits", below: .taxa)
    case .traitPair:
      .init(
        "trait.pair", .packed, .traits, "trait pairs of taxa", count: .per(.traitTaxon),
        below: .rows(of: .pairKey))
    case .pairKey:
      .init("pair.key", .packed, .traits, "keys of pairs", below: .rows(of: .traitKeys))
    case .pairValue:
      .init(
        "pair.value", .packed, .traits, "values of pairs", count: .per(.pairKey),
        below: .rows(of: .traitValues))
    case .pairUnit:
      .init(
        "pair.unit", .packed, .traits, "units of pairs", count: .per(.pairKey),
        below: .rows(of: .traitUnits))
    case .trieBest:
      .init(
        "trie.best", .packed, .completions, "best taxa below nodes of the trie",
        count: .per(.trieNodes, plus: -1))
    case .completeNode:
      .init("complete.node", .packed, .completions, "beginnings with stored completions")
    case .completeName:
      .init(
        "complete.name", .packed, .completions, "their completions",
        count: .per(.completeNode, times: Int64(Layout.completionCount)))
    }
  }

  /// The name in the directory.
  var name: String { description.name }
  /// How the values are stored.
  var encoding: Encoding { description.encoding }
}

/// What the format says of one section; opening, verifying and `stol inspect` go by it.
struct SectionDescription {
  /// The name in the directory.
  let name: String
  /// How the values are stored.
  let encoding: Encoding
  /// The group of parts that `stol inspect` adds up.
  let group: SectionGroup
  /// What `stol inspect` calls the part.
  let title: String
  /// How many values it has.
  let count: ValueCount
  /// How wide its values may be.
  let width: ValueWidth
  /// What its values are below; nil where a rule of its own says more.
  let bound: ValueBound?

  init(
    _ name: String, _ encoding: Encoding, _ group: SectionGroup, _ title: String,
    count: ValueCount = .any, width: ValueWidth = .ordinal, below bound: ValueBound? = nil
  ) {
    self.name = name
    self.encoding = encoding
    self.group = group
    self.title = title
    self.count = count
    self.width = width
    self.bound = bound
  }
}

/// How many values a section has.
enum ValueCount {
  /// Any number.
  case any
  /// One for each taxon.
  case perTaxon
  /// One for each common name or synonym.
  case perName
  /// So many for each folded word, and some more.
  case perWord(times: Int64 = 1, plus: Int64 = 0)
  /// One for each phrase, and some more.
  case perPhrase(plus: Int64 = 0)
  /// So many for each value of another section, and some more.
  case per(Section, times: Int64 = 1, plus: Int64 = 0)
  /// The minima of one, two, four and more blocks of taxa.
  case sparseTable
  /// One for each block of words, and one more.
  case wordBlocks

  /// The number in a pack, or nil if it may be any.
  func expected(_ header: Header, _ directory: Directory) -> Int64? {
    switch self {
    case .any: nil
    case .perTaxon: Int64(header.taxonCount)
    case .perName: Int64(header.nameCount)
    case .perWord(let times, let more): Int64(header.wordCount) * times + more
    case .perPhrase(let more): Int64(header.phraseCount) + more
    case .per(let section, let times, let more):
      max(0, Int64(directory[section].count) * times + more)
    case .sparseTable: Int64(Layout.sparseCount(Layout.blockCount(header.taxonCount)))
    case .wordBlocks:
      (Int64(header.wordCount) + Int64(Layout.wordsPerBlock) - 1) / Int64(Layout.wordsPerBlock) + 1
    }
  }
}

/// How many bits a value may take.
enum ValueWidth {
  /// As many as an ordinal.
  case ordinal
  /// As many as a depth.
  case narrow
  /// As many as a packed section can hold, or 64.
  case wide
  /// The same; the values are differences from a base.
  case based

  func allows(_ width: Int) -> Bool {
    switch self {
    case .ordinal: width <= Layout.maximumOrdinalWidth
    case .narrow: width <= Layout.maximumDepthWidth
    case .wide, .based: width <= Layout.maximumPackedWidth || width == 64
    }
  }
}

/// What all values of a section are below.
enum ValueBound {
  case number(Int)
  /// The number of taxa.
  case taxa
  /// The number of folded words.
  case words
  /// The number of values of another section.
  case rows(of: Section)

  /// The bound in a pack.
  func value(_ header: Header, _ directory: Directory) -> Int {
    switch self {
    case .number(let number): number
    case .taxa: header.taxonCount
    case .words: header.wordCount
    case .rows(let section): directory[section].count
    }
  }
}

/// The groups under which `stol inspect` adds up sections.
public enum SectionGroup: String, CaseIterable, Sendable {
  /// Header, directory and the small tables.
  case metadata
  /// Parent array, sparse table, depth.
  case tree
  /// Rank, status, conservation, whether a common name exists.
  case columns
  /// Author and year.
  case authors
  /// The ids of the source.
  case ids
  /// Scientific names, common names, synonyms.
  case names
  /// Vocabulary and posting lists.
  case prefixIndex = "prefix index"
  /// Tries over the vocabulary and its reversed order.
  case fuzzyIndex = "fuzzy index"
  /// Traits.
  case traits
  /// Stored completions.
  case completions

  /// Whether a search for similar names reads most of it; these groups follow each other in a pack.
  var isSearched: Bool { self == .names || self == .prefixIndex || self == .fuzzyIndex }
}

/// One entry of the section directory: PACK.md section 3.
struct SectionEntry: Equatable {
  var offset = 0
  var byteCount = 0
  var count = 0
  var base: Int64 = 0
  /// The greatest value of a monotone section; the shift of the id directory; else 0.
  var parameter = 0
  var checksum: UInt32 = 0
  var encoding: UInt8 = 0
  var width = 0
  var isRequired = true
}

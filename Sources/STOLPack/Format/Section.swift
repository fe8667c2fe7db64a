/// The sections of a pack, in the order in which they are written: PACK.md sections 5 to 10.
enum Section: Int, CaseIterable {
  case dataset, sourceFacts
  case ranks, rankPlace, rankMain, statuses, conservationCodes, languages, languageGrammar, authors
  case codes, nameStatuses, statusWords, sensuPhrases
  case traitKeys, traitValues, traitUnits
  case parent, sparseTable, depth, mainDepth
  case rank, status, conservation, year, author, code, taxonSource, hasCommonName, prominence
  case idValue, idOrder, idDirectory, mergedID, mergedInto, deletedID, idBlocks, idText
  case scientificName
  case phraseMarks, phraseCounts, phraseStarts, phraseWords, shapes, phraseShape
  case spellingPhrase, spellingShape, spellingStarts, spellingText
  case nameTaxon, nameType, nameLanguage, namePreferred, nameSource
  case recordName, recordAuthor, recordYear, recordRank, recordStatus, recordWords, recordCode
  case recordSensu, recordIDStarts, recordIDText
  case wordBlocks, wordText, linkWords
  case postingStarts, postingNames
  case trieNodes, wordLetters
  case reverseOrder, reverseNodes
  case hashStarts, hashNames
  case wordGrams
  case traitTaxon, traitPair, traitSource, pairKey, pairValue, pairUnit
  case trieBest, completeWords, completeName

  /// What the format says of the section.
  var description: SectionDescription {
    switch self {
    case .dataset: .init("dataset", .strings, .metadata, "dataset, release, licence")
    case .sourceFacts: .init("source.facts", .strings, .metadata, "sources")
    case .ranks: .init("text.ranks", .strings, .metadata, "rank table")
    case .rankPlace:
      .init("rank.place", .packed, .metadata, "places of ranks", count: .per(.ranks))
    case .rankMain:
      .init(
        "rank.main", .packed, .metadata, "main ranks of ranks", count: .per(.ranks),
        below: .number(MainRank.allCases.count + 1))
    case .statuses: .init("text.statuses", .strings, .metadata, "status table")
    case .conservationCodes: .init("text.conserv", .strings, .metadata, "conservation table")
    case .languages: .init("text.languages", .strings, .metadata, "language table")
    case .languageGrammar:
      .init(
        "lang.grammar", .packed, .metadata, "how languages make names", count: .per(.languages),
        below: .number(Grammar.bound))
    case .authors: .init("text.authors", .strings, .authors, "author strings")
    case .codes: .init("text.codes", .strings, .metadata, "nomenclatural codes")
    case .nameStatuses: .init("text.namestatus", .strings, .metadata, "statuses of names")
    case .statusWords: .init("text.words", .strings, .records, "statuses in the source's words")
    case .sensuPhrases: .init("text.sensu", .strings, .records, "sensu phrases")
    case .traitKeys: .init("text.traitkeys", .strings, .traits, "trait keys")
    case .traitValues: .init("text.traitvals", .strings, .traits, "trait values")
    case .traitUnits: .init("text.traitunits", .strings, .traits, "trait units")
    case .parent:
      .init("tree.parent", .blocks, .tree, "parent array, with block minima", count: .perTaxon)
    case .sparseTable: .init("tree.sparse", .packed, .tree, "sparse table", count: .sparseTable)
    case .depth: .init("tree.depth", .packed, .tree, "depth", count: .perTaxon, width: .narrow)
    case .mainDepth:
      .init("tree.maindepth", .packed, .tree, "main-rank depth", count: .perTaxon, width: .path)
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
    case .code:
      .init(
        "taxon.code", .packed, .authors, "nomenclatural code column", count: .perTaxon,
        below: .rows(of: .codes))
    case .taxonSource:
      .init(
        "taxon.source", .packed, .columns, "source column", count: .perTaxon, below: .sources)
    case .hasCommonName:
      .init(
        "taxon.known", .packed, .columns, "has a common name", count: .perTaxon, below: .number(2))
    case .prominence:
      .init(
        "taxon.promin", .packed, .columns, "how well known taxa are", count: .perTaxon,
        below: .number(Prominence.greatest + 1))
    case .idValue: .init("id.value", .packed, .ids, "taxon ids", count: .perTaxon, width: .based)
    case .idOrder: .init("id.order", .packed, .ids, "taxa by id", count: .perTaxon)
    case .idDirectory: .init("id.directory", .packed, .ids, "id directory")
    case .mergedID: .init("id.merged", .packed, .ids, "merged ids", width: .based)
    case .mergedInto:
      .init("id.mergedinto", .packed, .ids, "merged into", count: .per(.mergedID), below: .names)
    case .deletedID: .init("id.deleted", .packed, .ids, "deleted ids", width: .based)
    case .idBlocks:
      .init("id.blocks", .packed, .ids, "block starts of id texts", count: .idBlocks)
    case .idText: .init("id.text", .bytes, .ids, "id texts, front-coded")
    case .scientificName:
      .init("name.scientific", .packed, .names, "scientific names", count: .perTaxon)
    case .phraseMarks:
      .init(
        "phrase.marks", .bytes, .names, "which scientific names are phrases",
        count: .perMarkedTaxa(times: 8))
    case .phraseCounts:
      .init(
        "phrase.counts", .packed, .names, "how many are before", count: .perMarkedTaxa())
    case .phraseStarts:
      .init("phrase.starts", .monotone, .names, "phrase starts", count: .perPhrase(plus: 1))
    case .phraseWords: .init("phrase.words", .packed, .names, "words of phrases", below: .words)
    case .shapes: .init("text.shapes", .strings, .names, "shapes: capitals and underscores")
    case .phraseShape:
      .init("phrase.shape", .packed, .names, "shapes of phrases", count: .perPhrase())
    case .spellingPhrase: .init("spelling.phrase", .monotone, .names, "phrases of rare shapes")
    case .spellingShape:
      .init(
        "spelling.shape", .packed, .names, "rare shapes of phrases", count: .per(.spellingPhrase))
    case .spellingStarts: .init("spelling.starts", .monotone, .names, "spelling starts")
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
    case .nameSource:
      .init(
        "name.source", .packed, .records, "sources of names", count: .perName, below: .sources)
    case .recordName:
      .init("record.name", .monotone, .records, "names with a record", below: .names)
    case .recordAuthor: Self.record("record.author", "authors of names", .rows(of: .authors))
    case .recordYear:
      .init(
        "record.year", .packed, .records, "years of names", count: .per(.recordName), width: .based)
    case .recordRank: Self.record("record.rank", "ranks of names", .rows(of: .ranks, plus: 1))
    case .recordStatus:
      Self.record("record.status", "statuses of names", .rows(of: .nameStatuses))
    case .recordWords:
      Self.record("record.words", "their source's words", .rows(of: .statusWords))
    case .recordCode: Self.record("record.code", "codes of names", .rows(of: .codes))
    case .recordSensu:
      Self.record("record.sensu", "sensu phrases of names", .rows(of: .sensuPhrases))
    case .recordIDStarts:
      .init(
        "record.idstarts", .monotone, .records, "starts of ids of names",
        count: .per(.recordName, plus: 1))
    case .recordIDText: .init("record.idtext", .bytes, .records, "ids of names")
    case .wordBlocks:
      .init("word.blocks", .packed, .prefixIndex, "vocabulary block starts", count: .wordBlocks)
    case .wordText: .init("word.text", .bytes, .prefixIndex, "vocabulary, front-coded")
    case .linkWords:
      .init(
        "word.links", .packed, .prefixIndex, "words between parts of names",
        below: .words)
    case .postingStarts:
      .init(
        "posting.starts", .monotone, .prefixIndex, "posting list starts", count: .perWord(plus: 1))
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
    case .hashStarts:
      .init(
        "hash.starts", .monotone, .exactIndex, "bucket starts of whole names", count: .nameBuckets)
    case .hashNames:
      .init(
        "hash.names", .packed, .exactIndex, "whole names by their hash", count: .perAnyName,
        width: .wide)
    case .wordGrams:
      .init(
        "word.grams", .bytes, .insideIndex, "letters that follow each other in words",
        count: .gramRows)
    case .traitTaxon: .init("trait.taxon", .monotone, .traits, "taxa of traits", below: .taxa)
    case .traitPair:
      .init(
        "trait.pair", .packed, .traits, "trait pairs of taxa", count: .per(.traitTaxon),
        below: .rows(of: .pairKey))
    case .traitSource:
      .init(
        "trait.source", .packed, .traits, "sources of traits", count: .per(.traitTaxon),
        below: .sources)
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
        "trie.best", .packed, .completions, "best known taxa below nodes of the trie",
        count: .per(.trieNodes, plus: -1))
    case .completeWords:
      .init(
        "complete.words", .packed, .completions, "beginnings with stored completions",
        width: .wide)
    case .completeName:
      .init(
        "complete.name", .packed, .completions, "their completions",
        count: .per(.completeWords, times: Int64(Layout.completionCount)))
    }
  }

  /// The name in the directory.
  var name: String { description.name }
  /// How the values are stored.
  var encoding: Encoding { description.encoding }

  /// A column of the records of names.
  private static func record(
    _ name: String, _ title: String, _ bound: ValueBound
  ) -> SectionDescription {
    SectionDescription(name, .packed, .records, title, count: .per(.recordName), below: bound)
  }
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
  /// One for each name of any kind.
  case perAnyName
  /// One for each bucket of names by their hash, and one more.
  case nameBuckets
  /// The minima of one, two, four and more blocks of taxa.
  case sparseTable
  /// So many for each 64 taxa.
  case perMarkedTaxa(times: Int64 = 1)
  /// One for each block of words, and one more.
  case wordBlocks
  /// The bytes of rows with a bit for each block of words.
  case gramRows
  /// One for each block of taxa, and one more, where ids are texts.
  case idBlocks

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
    case .perAnyName: Int64(header.anyNameCount)
    case .nameBuckets: Int64(NameHash(nameCount: header.anyNameCount).bucketCount) + 1
    case .sparseTable: Int64(Layout.sparseCount(Layout.blockCount(header.taxonCount)))
    case .perMarkedTaxa(let times): (Int64(header.taxonCount) + 63) / 64 * times
    case .wordBlocks: Self.blocks(header.wordCount)
    case .gramRows:
      Int64(Layout.gramRowCount) * Int64(Layout.gramRowByteCount(wordCount: header.wordCount))
    case .idBlocks: header.hasTextIDs ? Self.blocks(header.taxonCount) : 0
    }
  }

  /// The starts of the blocks of so many front-coded texts, and the end.
  private static func blocks(_ count: Int) -> Int64 {
    (Int64(count) + Int64(Layout.wordsPerBlock) - 1) / Int64(Layout.wordsPerBlock) + 1
  }
}

/// How many bits a value may take.
enum ValueWidth {
  /// As many as an ordinal.
  case ordinal
  /// As many as a depth.
  case narrow
  /// As many as the number of taxa on a path from a root.
  case path
  /// As many as a packed section can hold, or 64.
  case wide
  /// The same; the values are differences from a base.
  case based

  func allows(_ width: Int) -> Bool {
    switch self {
    case .ordinal: width <= Layout.maximumOrdinalWidth
    case .narrow: width <= Layout.maximumDepthWidth
    case .path: width <= Layout.maximumDepthWidth + 1
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
  /// The number of names of all kinds.
  case names
  /// The number of sources, and 0 for none.
  case sources
  /// The number of values of another section, and some more.
  case rows(of: Section, plus: Int = 0)

  /// The bound in a pack.
  func value(_ header: Header, _ directory: Directory) -> Int {
    switch self {
    case .number(let number): number
    case .taxa: header.taxonCount
    case .words: header.wordCount
    case .names: header.anyNameCount
    case .sources: directory[.sourceFacts].count / Layout.factsPerSource + 1
    case .rows(let section, let more): directory[section].count + more
    }
  }
}

/// The groups under which `stol inspect` adds up sections.
public enum SectionGroup: String, CaseIterable, Sendable {
  /// Header, directory and the small tables.
  case metadata
  /// Parent array, sparse table, depth.
  case tree
  /// Rank, status, conservation, whether a common name exists, prominence.
  case columns
  /// Author and year.
  case authors
  /// The ids of the source.
  case ids
  /// Scientific names, common names, synonyms.
  case names
  /// What is known of single names: author, year, rank, status, own id.
  case records
  /// Vocabulary and posting lists.
  case prefixIndex = "prefix index"
  /// Tries over the vocabulary and its reversed order.
  case fuzzyIndex = "fuzzy index"
  /// Whole names by their hash.
  case exactIndex = "exact index"
  /// Words by what stands inside them.
  case insideIndex = "inside index"
  /// Traits.
  case traits
  /// Stored completions.
  case completions

  /// Whether a search for similar names reads most of it; but for the records these groups follow each
  /// other in a pack.
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

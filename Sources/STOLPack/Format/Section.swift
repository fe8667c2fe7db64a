/// The sections of a pack, in the order in which they are written: PACK.md sections 5 to 10.
enum Section: Int, CaseIterable {
  case dataset
  case ranks, statuses, conservationCodes, languages, authors
  case traitKeys, traitValues, traitUnits
  case parent, sparseTable, depth
  case rank, status, conservation, year, author, known
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

  /// The name in the directory.
  var name: String { description.name }
  /// How the values are stored.
  var encoding: Encoding { description.encoding }
  /// What `stol inspect` calls the part.
  var title: String { description.title }
  /// The group of parts that `stol inspect` adds up.
  var group: SectionGroup { description.group }

  /// Whether values are stored as differences from a base.
  var hasBase: Bool {
    switch self {
    case .idValue, .mergedID, .deletedID, .year: true
    default: false
    }
  }

  /// Whether values may be so wide.
  func allowsWidth(_ width: Int) -> Bool {
    if hasBase || self == .trieNodes || self == .reverseNodes {
      return width <= Layout.maximumPackedWidth || width == 64
    }
    return width <= (self == .depth ? 8 : Layout.maximumOrdinalWidth)
  }

  private var description: (name: String, encoding: Encoding, group: SectionGroup, title: String) {
    switch self {
    case .dataset: ("dataset", .strings, .metadata, "dataset, release, licence")
    case .ranks: ("text.ranks", .strings, .metadata, "rank table")
    case .statuses: ("text.statuses", .strings, .metadata, "status table")
    case .conservationCodes: ("text.conserv", .strings, .metadata, "conservation table")
    case .languages: ("text.languages", .strings, .metadata, "language table")
    case .authors: ("text.authors", .strings, .authors, "author strings")
    case .traitKeys: ("text.traitkeys", .strings, .traits, "trait keys")
    case .traitValues: ("text.traitvals", .strings, .traits, "trait values")
    case .traitUnits: ("text.traitunits", .strings, .traits, "trait units")
    case .parent: ("tree.parent", .blocks, .tree, "parent array, with block minima")
    case .sparseTable: ("tree.sparse", .packed, .tree, "sparse table")
    case .depth: ("tree.depth", .packed, .tree, "depth")
    case .rank: ("taxon.rank", .packed, .columns, "rank column")
    case .status: ("taxon.status", .packed, .columns, "status column")
    case .conservation: ("taxon.conserv", .packed, .columns, "conservation column")
    case .year: ("taxon.year", .packed, .authors, "year column")
    case .author: ("taxon.author", .packed, .authors, "author column")
    case .known: ("taxon.known", .packed, .columns, "has a common name")
    case .idValue: ("id.value", .packed, .ids, "taxon ids")
    case .idOrder: ("id.order", .packed, .ids, "taxa by id")
    case .idDirectory: ("id.directory", .packed, .ids, "id directory")
    case .mergedID: ("id.merged", .packed, .ids, "merged ids")
    case .mergedInto: ("id.mergedinto", .packed, .ids, "merged into")
    case .deletedID: ("id.deleted", .packed, .ids, "deleted ids")
    case .scientificName: ("name.scientific", .packed, .names, "scientific names")
    case .phraseStarts: ("phrase.starts", .monotone, .names, "phrase starts")
    case .phraseWords: ("phrase.words", .packed, .names, "words of phrases")
    case .phraseStyle: ("phrase.style", .packed, .names, "letter case of phrases")
    case .spellingPhrase: ("spelling.phrase", .monotone, .names, "spelled-out phrases")
    case .spellingStarts: ("spelling.starts", .monotone, .names, "spelling starts")
    case .spellingText: ("spelling.text", .bytes, .names, "spellings")
    case .nameTaxon: ("name.taxon", .monotone, .names, "taxa of further names")
    case .nameType: ("name.type", .packed, .names, "name types")
    case .nameLanguage: ("name.language", .packed, .names, "name languages")
    case .namePreferred: ("name.preferred", .packed, .names, "preferred names")
    case .wordBlocks: ("word.blocks", .packed, .prefixIndex, "vocabulary block starts")
    case .wordText: ("word.text", .bytes, .prefixIndex, "vocabulary, front-coded")
    case .postingStarts: ("posting.starts", .packed, .prefixIndex, "posting list starts")
    case .postingNames: ("posting.names", .packed, .prefixIndex, "posting lists")
    case .trieNodes: ("trie.nodes", .packed, .fuzzyIndex, "trie of first letters")
    case .wordLetters: ("word.letters", .bytes, .fuzzyIndex, "letters and lengths of words")
    case .reverseOrder: ("reverse.order", .packed, .fuzzyIndex, "words by their last letters")
    case .reverseNodes: ("reverse.nodes", .packed, .fuzzyIndex, "trie of last letters")
    case .traitTaxon: ("trait.taxon", .monotone, .traits, "taxa of traits")
    case .traitPair: ("trait.pair", .packed, .traits, "trait pairs of taxa")
    case .pairKey: ("pair.key", .packed, .traits, "keys of pairs")
    case .pairValue: ("pair.value", .packed, .traits, "values of pairs")
    case .pairUnit: ("pair.unit", .packed, .traits, "units of pairs")
    case .trieBest: ("trie.best", .packed, .completions, "best taxa below nodes of the trie")
    case .completeNode:
      ("complete.node", .packed, .completions, "beginnings with stored completions")
    case .completeName: ("complete.name", .packed, .completions, "their completions")
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

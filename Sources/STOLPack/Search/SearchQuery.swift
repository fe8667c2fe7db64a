/// What to look for.
public struct SearchQuery: Sendable {
  /// Which names match.
  public enum Mode: String, CaseIterable, Sendable {
    /// What `prefix` finds; where that is fewer than three taxa, also taxa that have all the words in
    /// several of their names, and what is similar.
    /// For a text of a script without spaces between words, and where nothing else is found, also what `contains` finds.
    case auto
    /// Names that equal the query.
    case exact
    /// Names that the query begins, and names that hold all its words, the last one as the beginning
    /// of a word, in any order.
    case prefix
    /// Names within the distance of the query, and names with words that are, taken together, within
    /// it of those of the query. The last word of the query is a whole word here.
    case fuzzy
    /// What `prefix` finds of these words and no other forms, and names of which some word holds the first word of the query anywhere,
    /// some the second, and so on.
    case contains
  }

  /// Which words are those of the query.
  public enum Words: Sendable {
    /// These words and other forms of them, as plurals: `WordForms`.
    case anyForm
    /// These words and no others: for what is still being typed. Stored completions answer this alone.
    case asTyped
  }

  /// The longest query, in bytes of UTF-8.
  public static let maximumByteCount = 512
  /// The greatest distance that can be asked for.
  public static let greatestDistance = 3

  /// The text; in double quotes its words must stand next to each other, and with `fuzzy` only whole
  /// names are compared with it.
  ///
  /// A name that has the quotes itself is found first by all other modes, and by `exact` alone.
  public var text: String
  /// Which names match.
  public var mode: Mode
  /// The most edits between query and name, 0 to 3; nil is 0 for queries of one or two letters, 1 for those
  /// under five, else 2.
  public var maximumDistance: Int?
  /// Which words are those of the text.
  public var words: Words
  /// The languages whose names come before those in others, where they match as well; none for all alike.
  ///
  /// Scientific names and synonyms count as names in them. Nothing is hidden; completions of very many names are searched for
  /// then and not taken from those that a pack stores.
  public var preferredLanguages: Set<LanguageRow>
  /// The most hits.
  public var limit: Int
  /// Which taxa may be hit.
  public var filter: SearchFilter

  /// A query.
  public init(
    _ text: String, mode: Mode = .auto, maximumDistance: Int? = nil, words: Words = .anyForm,
    preferredLanguages: Set<LanguageRow> = [], limit: Int = 50,
    filter: SearchFilter = SearchFilter()
  ) {
    self.text = text
    self.mode = mode
    self.maximumDistance = maximumDistance
    self.words = words
    self.preferredLanguages = preferredLanguages
    self.limit = limit
    self.filter = filter
  }

  /// Whether a synonym or common name is a synonym or in one of the preferred languages.
  func prefers(_ name: NameOrdinal, _ view: borrowing PackView) -> Bool {
    if view.names.type(of: name) == .synonym { return true }
    return preferredLanguages.contains(view.names.language(of: name))
  }
}

/// Which taxa, and names of which languages, a search in a view may return; nil asks for nothing.
///
/// In rows of one pack, so that a search compares numbers. `TaxonFilter` says the same in words.
public struct SearchFilter: Sendable {
  /// A row of the rank table.
  public var rank: RankRow?
  /// The subtree of a clade, as `TreeView.subtree` gives it.
  public var clade: Clade?
  /// A row of the status table.
  public var status: StatusRow?
  /// A row of the conservation table.
  public var conservation: ConservationRow?
  /// Rows of the language table that a matching name may have; scientific names are Latin, "la".
  public var languages: Set<LanguageRow>?
  /// Sets of trait pairs; a taxon must have one pair of each.
  public var traits: [Set<TraitPair>] = []

  /// A filter that lets everything through.
  public init() {}

  /// Whether everything passes.
  public var isEmpty: Bool {
    rank == nil && clade == nil && status == nil && conservation == nil && languages == nil
      && traits.isEmpty
  }
}

/// How a name matches a query; a lesser class comes first.
public enum MatchClass: Int, Sendable, Comparable {
  /// The folded query equals the folded name.
  case exactName = 0
  /// The words of the query, or other forms of them, are those of the name, in order; or several, put together, are
  /// its only one, as "dragon fly" and "dragonfly".
  case exactForm = 1
  /// The words of the query are whole words of the name, in any form, and one of these is its head, as
  /// "whale" of "blue whale" and "Panthera" of "Panthera leo".
  case headWord = 2
  /// The words of the query are whole words of the name, in any form.
  case wholeWords = 3
  /// The folded name begins with the folded query.
  case namePrefix = 4
  /// The words of the query are words of the name, the last one the beginning of a word; or, where a search looks
  /// inside words, each stands somewhere in one.
  case allWords = 5
  /// Each word of the query is a word of some name of the taxon, the last one perhaps the beginning of a word.
  case acrossNames = 6
  /// The query is within the distance of the name.
  case fuzzyName = 7
  /// The query is within the distance of a beginning of the name, and longer than the distance.
  case fuzzyPrefix = 8
  /// The words of the query are, taken together, within the distance of words of the name, the last
  /// one perhaps of the beginning of a word.
  case fuzzyWords = 9

  /// Orders by how close the match is.
  public static func < (a: MatchClass, b: MatchClass) -> Bool { a.rawValue < b.rawValue }
}

/// One taxon that a search found, with its best name.
public struct SearchHit: Equatable, Sendable {
  /// The taxon.
  public let taxon: TaxonOrdinal
  /// The name that matched best.
  public let name: NameOrdinal
  /// How it matched.
  public let matchClass: MatchClass
  /// The edits that the match takes; 0 for the classes up to `acrossNames`.
  public let distance: Int
  /// From 1 downwards, in the order of the hits.
  public let relevanceScore: Double
}

extension SearchHit {
  /// What an id leads to: a taxon, with a name of it.
  package init(identified taxon: TaxonOrdinal, _ name: NameOrdinal?) {
    self.init(
      taxon: taxon, name: name ?? NameOrdinal(rawValue: taxon.rawValue), matchClass: .exactName,
      distance: 0, relevanceScore: 1)
  }
}

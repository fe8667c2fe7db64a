public import STOLPack

/// Finds taxa by any of their names.
public protocol SearchService: AnyObject, Sendable {
  /// Finds taxa by a scientific name, a common name or a synonym, misspelt ones too.
  ///
  /// - Parameters:
  ///   - query: what somebody typed; blank text finds nothing.
  ///   - rank: the rank that hits must have, or nil.
  ///   - maxResults: the most hits; the seed's app asks for 50.
  /// - Returns: the first hits of a total order, nothing within it left out.
  /// - Throws: `SearchError.queryTooLong`, and `CancellationError` for a task that is cancelled
  ///   before its turn comes.
  func search(query: String, rank: TaxonRank?, maxResults: Int) async throws -> [SearchResult]

  /// Completes the beginning of a name, the best known taxa first.
  ///
  /// - Throws: `SearchError.queryTooLong`, `CancellationError`.
  func autocomplete(prefix: String, maxResults: Int) async throws -> [String]

  /// The completions of the beginning of a name with what is known of each, the best known first.
  ///
  /// - Throws: `SearchError.queryTooLong`, `CancellationError`.
  func completions(of prefix: String, maxResults: Int) async throws -> [SearchResult]
}

/// What kind of name matched.
public enum MatchType: String, Sendable {
  /// The scientific name.
  case scientific
  /// A common, vernacular or trade name.
  case common
  /// A synonym.
  case synonym
}

/// A taxon that a search found.
public struct SearchResult: Identifiable, Sendable {
  /// What stands for the taxon in this database.
  public let id: TaxonID
  /// Its id as the source writes it, or nil for an implied root.
  public let sourceID: String?
  /// Whether ids of this database may be numbers in JSON.
  public let hasJSONNumberID: Bool
  /// Its scientific name.
  public let scientificName: String
  /// The name that matched best.
  public let matchedName: String
  /// What kind of name that is.
  public let matchType: MatchType
  /// What else is known of that name: whether it is misapplied, who gave it, when.
  public let record: NameRecord
  /// The rank of the taxon.
  public let rank: TaxonRank
  /// Its IUCN code.
  public let conservationStatus: String?
  /// How it matched, in the numbers of the pack.
  public let hit: SearchHit
  private let query: String

  /// The parts of `matchedName` that the query matched, to mark them; in order, not overlapping.
  ///
  /// - Complexity: O(length of the name times that of the query)
  public var matchedRanges: [Range<String.Index>] {
    MatchedLetters.ranges(of: query, in: matchedName, matchClass: hit.matchClass)
  }

  package init(_ hit: SearchHit, query: String, in view: borrowing PackView) {
    let names = view.names
    let code = view.taxa.conservationCodes[view.taxa.conservation(of: hit.taxon)]
    id = view.ids[hit.taxon]
    sourceID = view.sourceID(of: hit.taxon)
    hasJSONNumberID = view.ids.fitJSONNumbers
    scientificName = names.scientificName(of: hit.taxon)
    matchedName = names.isScientific(hit.name) ? scientificName : names.text(of: hit.name)
    matchType = MatchType(of: hit.name, in: names)
    record = view.record(of: hit.name)
    rank = view.rank(of: hit.taxon)
    conservationStatus = code.isEmpty ? nil : code
    self.hit = hit
    self.query = query
  }
}

extension MatchType {
  /// The kind of a name.
  public init(of name: NameOrdinal, in names: borrowing NameView) {
    if names.isScientific(name) {
      self = .scientific
    } else {
      self = names.type(of: name) == .synonym ? .synonym : .common
    }
  }
}

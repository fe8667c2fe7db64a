public import STOLSystem
public import STOLPack

/// Reads taxa, their tree, names, traits and references.
///
/// An id that was merged into another one answers for the taxon that it stands for now, whose own id
/// the answer bears.
public protocol TaxonomyStore: AnyObject, Sendable {
  /// The taxon with this id, or nil.
  ///
  /// - Throws: what the implementation cannot read; `LocalTaxonomyStore` nothing.
  func taxon(id: TaxonID) async throws -> Taxon?

  /// The taxa directly below a taxon, by scientific name.
  ///
  /// - Throws: `TaxonomyError` for an id without a taxon.
  func children(of parentID: TaxonID) async throws -> [Taxon]

  /// The ancestors of a taxon from the root to its parent.
  ///
  /// - Throws: `TaxonomyError` for an id without a taxon.
  func ancestors(of taxonID: TaxonID) async throws -> [Taxon]

  /// All names of a taxon but the scientific one, in the order of the source.
  ///
  /// - Parameters:
  ///   - taxonID: the taxon.
  ///   - language: a BCP 47 tag, which covers its regions; nil for all languages.
  /// - Returns: the names, whose `nameType` tells common names and synonyms apart.
  /// - Throws: `TaxonomyError` for an id without a taxon.
  func names(for taxonID: TaxonID, language: String?) async throws -> [TaxonName]

  /// The traits of a taxon.
  ///
  /// - Throws: `TaxonomyError` for an id without a taxon.
  func traits(for taxonID: TaxonID) async throws -> [Trait]

  /// The references for a taxon, from the SQLite file.
  ///
  /// - Throws: `TaxonomyError` for an id without a taxon, or where no database is beside the pack; what SQLite says.
  func references(for taxonID: TaxonID) async throws -> [TaxonCitation]

  /// The roots of the tree, by scientific name.
  ///
  /// - Throws: what the implementation cannot read; `LocalTaxonomyStore` nothing.
  func roots() async throws -> [Taxon]

  /// The taxa with these ids, nil where there is none.
  ///
  /// - Throws: what the implementation cannot read; `LocalTaxonomyStore` nothing.
  func taxa(ids: [TaxonID]) async throws -> [Taxon?]

  /// The common names to show for taxa: of each the preferred one in `language`, else in what comes
  /// nearest to it, else in English; nil where there is none, or no taxon.
  ///
  /// - Throws: what the implementation cannot read; `LocalTaxonomyStore` nothing.
  func preferredNames(for taxonIDs: [TaxonID], language: String?) async throws -> [String?]

  /// All names of a taxon but the scientific one by language, that of `language` first, synonyms apart.
  ///
  /// - Throws: `TaxonomyError` for an id without a taxon.
  func nameGroups(for taxonID: TaxonID, language: String?) async throws -> NameGroups
}

/// Why a question about a taxon has no answer.
public enum TaxonomyError: Error, Equatable, Sendable {
  /// No taxon of the active database has this id.
  case unknownTaxon(TaxonID)
  /// The source has deleted this id.
  case deletedTaxon(TaxonID)
  /// The pack has no SQLite database beside it.
  case noDatabase(packPath: String)
}

extension TaxonomyError: StolError {
  /// What kind of trouble it is.
  public var kind: ErrorKind { .notFound }

  /// One line: what is missing, and what to do.
  public var description: String {
    switch self {
    case .unknownTaxon(let id):
      "no taxon \(id.rawValue) in the active database; another database may have it"
    case .deletedTaxon(let id): "taxon \(id.rawValue) was deleted by its source"
    case .noDatabase(let path):
      "\(path): no SQLite database beside it, which holds the references; put it there as "
        + "NAME.sqlite"
    }
  }
}

extension PackView {
  /// The taxon that `id` stands for.
  ///
  /// - Throws: `TaxonomyError.unknownTaxon` or `deletedTaxon`.
  public func ordinal(of id: TaxonID) throws(TaxonomyError) -> TaxonOrdinal {
    switch ids.resolve(id) {
    case .found(let taxon), .merged(let taxon), .synonym(let taxon, _), .common(let taxon, _):
      return taxon
    case .deleted: throw .deletedTaxon(id)
    case .ambiguous, .notFound, .invalid: throw .unknownTaxon(id)
    }
  }
}

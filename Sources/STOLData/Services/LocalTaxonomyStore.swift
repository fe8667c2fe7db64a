public import STOLPack

/// Reads from the active database: taxa, tree, names and traits from its pack, without waiting;
/// references from its SQLite file.
public final class LocalTaxonomyStore: TaxonomyStore {
  private let provider: any SnapshotSource

  /// A store over the active database of a provider, or over a snapshot.
  public init(provider: any SnapshotSource) { self.provider = provider }

  /// The taxon with this id, or nil.
  ///
  /// - Complexity: O(1)
  public func taxon(id: TaxonID) -> Taxon? {
    let pack = provider.pack
    return (try? pack.view.ordinal(of: id)).map { pack.view.taxon($0) }
  }

  /// The taxa with these ids, nil where there is none.
  public func taxa(ids: [TaxonID]) -> [Taxon?] {
    let pack = provider.pack
    let view = pack.view
    return ids.map { id in (try? view.ordinal(of: id)).map { view.taxon($0) } }
  }

  /// The roots of the tree, by scientific name.
  public func roots() -> [Taxon] {
    let pack = provider.pack
    return Self.taxa(pack.view.tree.roots, pack.view)
  }

  /// The taxa directly below a taxon, by scientific name.
  ///
  /// - Complexity: O(number of children)
  public func children(of parentID: TaxonID) throws(TaxonomyError) -> [Taxon] {
    let pack = provider.pack
    let view = pack.view
    return Self.taxa(view.tree.children(of: try view.ordinal(of: parentID)), view)
  }

  /// The ancestors of a taxon from the root to its parent.
  ///
  /// - Complexity: O(depth)
  public func ancestors(of taxonID: TaxonID) throws(TaxonomyError) -> [Taxon] {
    let pack = provider.pack
    let view = pack.view
    return Self.taxa(view.tree.ancestors(of: try view.ordinal(of: taxonID)), view)
  }

  /// All names of a taxon but the scientific one, in the order of the source.
  public func names(for taxonID: TaxonID, language: String?) throws(TaxonomyError) -> [TaxonName] {
    let pack = provider.pack
    let view = pack.view
    let names = view.furtherNames(of: try view.ordinal(of: taxonID))
    guard let language else { return names }
    let wanted = LanguagePreference.chain(language).first ?? ""
    return names.filter { name in
      let language = name.language.lowercased()
      return language == wanted || language.hasPrefix(wanted + "-")
    }
  }

  /// All names of a taxon but the scientific one by language, that of `language` first, synonyms apart.
  public func nameGroups(
    for taxonID: TaxonID, language: String? = nil
  ) throws(TaxonomyError) -> NameGroups {
    let pack = provider.pack
    let view = pack.view
    return view.nameGroups(
      of: try view.ordinal(of: taxonID), in: LanguagePreference(language, in: view.names))
  }

  /// The common names to show for taxa: of each the preferred one in `language`, else in what comes
  /// nearest to it, else in English; nil where there is none, or no taxon.
  ///
  /// - Complexity: O(number of languages of the pack and of names of the taxa)
  public func preferredNames(for taxonIDs: [TaxonID], language: String? = nil) -> [String?] {
    let pack = provider.pack
    let view = pack.view
    let languages = LanguagePreference(language, in: view.names)
    return taxonIDs.map { id in
      let taxon = try? view.ordinal(of: id)
      let name = taxon.flatMap { view.commonName(of: $0, in: languages) }
      return name.map { view.names.text(of: $0) }
    }
  }

  /// The traits of a taxon.
  public func traits(for taxonID: TaxonID) throws(TaxonomyError) -> [Trait] {
    let pack = provider.pack
    let view = pack.view
    return view.traitList(of: try view.ordinal(of: taxonID))
  }

  /// The references for a taxon, from the SQLite file.
  ///
  /// - Throws: `TaxonomyError`, and what SQLite says of the file.
  public func references(for taxonID: TaxonID) async throws -> [TaxonCitation] {
    try await provider.snapshot().references(for: taxonID)
  }

  private static func taxa(
    _ ordinals: some Sequence<TaxonOrdinal>, _ view: borrowing PackView
  ) -> [Taxon] {
    ordinals.map { view.taxon($0) }
  }
}

extension Pack {
  /// The id of the taxon that `id` stands for now.
  ///
  /// - Throws: `TaxonomyError` if it stands for none.
  public func currentID(of id: TaxonID) throws(TaxonomyError) -> TaxonID {
    let view = view
    return view.ids[try view.ordinal(of: id)]
  }
}

/// Everything in one open pack, borrowed from it: the low level, in ordinals and rows.
///
/// For loops over many taxa, and for what the services of an app are made of; these give owned values
/// instead, as `Taxon` and `SearchResult`, and may be kept.
///
/// Reads are total: an ordinal that a damaged pack made up reads as zero or as an empty string.
public struct PackView: ~Escapable {
  /// Parents, ancestors, subtrees, LCA.
  public let tree: TreeView
  /// Names as written and as folded.
  public let names: NameView
  /// The columns of taxa.
  public let taxa: TaxonColumns
  /// Source ids and back.
  public let ids: IDView
  /// Traits.
  public let traits: TraitView
  /// Posting lists.
  let postings: PostingView
  /// Stored completions.
  let completions: CompletionView
  /// What the taxa below nodes of the trie can be.
  let bestTaxa: BestTaxa
  /// Keys and values in turn.
  private let facts: StringTable<AnyText>
  /// What a search for similar names reads most of: parents, and all from names to tries.
  private let searched: (parents: RawSpan, names: RawSpan)

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan, header: Header, directory: borrowing Directory) {
    tree = TreeView(bytes, directory: directory, taxonCount: header.taxonCount)
    names = NameView(bytes, header: header, directory: directory)
    taxa = TaxonColumns(bytes, directory: directory)
    ids = IDView(bytes, directory: directory)
    traits = TraitView(bytes, directory: directory)
    postings = PostingView(bytes, directory: directory)
    completions = CompletionView(bytes, directory: directory)
    bestTaxa = BestTaxa(bytes, directory: directory)
    facts = bytes.strings(.dataset, directory)
    searched = (bytes.section(.parent, directory), bytes.clamped(directory.searched))
  }

  /// Asks the system to read now what a search for similar names would wait for page by page.
  func prefetchSearched() {
    searched.parents.readAhead()
    searched.names.readAhead()
  }

  /// The number of taxa.
  public var taxonCount: Int { tree.taxonCount }

  /// What is known of the dataset.
  ///
  /// - Complexity: O(length of all facts)
  public var dataset: DatasetFacts {
    let texts = facts.all
    return DatasetFacts(
      all: stride(from: 0, to: texts.count - 1, by: 2).map { (texts[$0], texts[$0 + 1]) })
  }
}

/// What a database states of itself.
public struct DatasetFacts: Sendable {
  /// All facts, by key.
  public let all: [(key: String, value: String)]

  /// Which line of releases it is of, as in "mammals".
  public var id: String? { self["id"] }
  /// The name, as in "NCBI Taxonomy".
  public var name: String? { self["name"] }
  /// The release, as in "2026-11".
  public var release: String? { self["release"] }
  /// The licence, or the public domain.
  public var licence: String? { self["licence"] }
  /// Where it comes from.
  public var source: String? { self["source"] }

  /// The fact with a key, or nil where it is not stated.
  public subscript(key: String) -> String? { all.first { $0.key == key }?.value }
}

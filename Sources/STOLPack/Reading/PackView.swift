/// Everything in one open pack, borrowed from it.
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
  /// Alternating keys and values: the dataset's id, name, release, licence, source.
  public let dataset: StringTable
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
    dataset = bytes.strings(.dataset, directory)
    searched = (bytes.section(.parent, directory), bytes.clamped(directory.searched))
  }

  /// Asks the system to read now what a search for similar names would wait for page by page.
  func prefetchSearched() {
    searched.parents.readAhead()
    searched.names.readAhead()
  }

  /// The number of taxa.
  public var taxonCount: Int { tree.taxonCount }

  /// What the dataset says about `key` ("id", "name", "release", "licence", ...), or nil.
  public func datasetValue(_ key: String) -> String? {
    for row in stride(from: 0, to: dataset.count - 1, by: 2) where dataset[row] == key {
      return dataset[row + 1]
    }
    return nil
  }
}

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
  /// Whole names by their hash.
  let wholeNames: WholeNameView
  /// Words by what stands inside them.
  let wordGrams: WordGrams
  /// Stored completions.
  let completions: CompletionView
  /// What the taxa below nodes of the trie can be.
  let bestTaxa: BestTaxa
  /// Keys and values in turn.
  private let facts: StringTable<AnyText>
  /// Six strings a source.
  let sourceFacts: StringTable<AnyText>
  /// What a search for similar names reads most of: parents, and all from names to tries.
  private let searched: (parents: RawSpan, names: RawSpan)
  /// The first bytes of the SHA-256 of the source.
  private let source: UInt32

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan, header: Header, directory: borrowing Directory) {
    tree = TreeView(bytes, directory: directory, taxonCount: header.taxonCount)
    names = NameView(bytes, header: header, directory: directory)
    taxa = TaxonColumns(bytes, directory: directory)
    ids = IDView(bytes, header: header, directory: directory)
    traits = TraitView(bytes, directory: directory)
    postings = PostingView(bytes, directory: directory)
    wholeNames = WholeNameView(bytes, header: header, directory: directory)
    wordGrams = WordGrams(bytes, header: header, directory: directory)
    completions = CompletionView(bytes, directory: directory)
    bestTaxa = BestTaxa(bytes, directory: directory)
    facts = bytes.strings(.dataset, directory)
    sourceFacts = bytes.strings(.sourceFacts, directory)
    source = bytes.uint32(at: Layout.digestOffset)
    searched = (bytes.section(.parent, directory), bytes.clamped(directory.searched))
  }

  /// What tells the database that the pack was compiled from from any other: the first eight hexadecimal
  /// digits of its SHA-256.
  ///
  /// - Complexity: O(1)
  package var sourceMark: String {
    let digits = String(source.byteSwapped, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// Asks the system to read now what a search for similar names would wait for page by page.
  func prefetchSearched() {
    searched.parents.readAhead()
    searched.names.readAhead()
  }

  /// The number of taxa.
  public var taxonCount: Int { tree.taxonCount }

  /// The id space of the dataset, as in "ncbi"; nil where it names none.
  ///
  /// - Complexity: O(length of all facts)
  public var idSpace: String? { dataset["id_space"] }

  /// Whether a taxon is a root that no source has, above those of a source.
  ///
  /// - Complexity: O(1)
  public func isImplied(_ taxon: TaxonOrdinal) -> Bool { ids.isImplied(taxon) }

  /// The id of a taxon as the source writes it; nil for an implied root.
  ///
  /// - Complexity: O(length)
  public func sourceID(of taxon: TaxonOrdinal) -> String? { ids.sourceID(of: taxon) }

  /// The number of steps between taxa of main ranks on the way from one taxon to another, or nil where
  /// they have no common ancestor; it does not depend on how many other ranks a source has drawn.
  ///
  /// - Complexity: O(1)
  public func linnaeanDistance(_ a: TaxonOrdinal, _ b: TaxonOrdinal) -> Int? {
    tree.lowestCommonAncestor(a, b).map { linnaeanDistance(a, b, by: $0) }
  }

  /// The same for taxa whose lowest common ancestor is known.
  package func linnaeanDistance(
    _ a: TaxonOrdinal, _ b: TaxonOrdinal, by ancestor: TaxonOrdinal
  ) -> Int {
    tree.mainDepth(of: a) &+ tree.mainDepth(of: b) &- 2 &* tree.mainDepth(of: ancestor)
  }

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

/// Where rows of a dataset come from.
public struct DataSource: Hashable, Sendable {
  /// What kind of source it is, as in "ncbi" or "coldp".
  public let kind: String?
  /// The name, as in "NCBI Taxonomy".
  public let name: String?
  /// The release, as in "2026-11".
  public let release: String?
  /// The licence, or the public domain.
  public let licence: String?
  /// How it wants to be cited.
  public let citation: String?
  /// Where it is.
  public let url: String?

  /// The name, or the kind of what has none.
  public var title: String? { name ?? kind }

  /// A source.
  public init(
    kind: String?, name: String? = nil, release: String? = nil, licence: String? = nil,
    citation: String? = nil, url: String? = nil
  ) {
    self.kind = kind
    self.name = name
    self.release = release
    self.licence = licence
    self.citation = citation
    self.url = url
  }

  /// The columns of the table `sources`, in the order of `texts`.
  static let columns = ["kind", "name", "release", "licence", "citation", "url"]
  /// The six facts as they are written: PACK.md section 5.
  var texts: [String?] { [kind, name, release, licence, citation, url] }
}

extension PackView {
  /// The sources of the dataset, in the order in which they were read.
  ///
  /// - Complexity: O(length of all facts)
  public var sources: [DataSource] { (0..<sourceCount).compactMap { source($0 + 1) } }

  /// The source that a taxon comes from, or nil where it is not known.
  public func source(of taxon: TaxonOrdinal) -> DataSource? { source(taxa.source(of: taxon)) }

  /// The source that a name comes from, or nil where it is not known.
  public func source(ofName name: NameOrdinal) -> DataSource? {
    names.isScientific(name) ? source(of: names.taxon(of: name)) : source(names.source(of: name))
  }

  /// The traits of a taxon, each with the source that it comes from.
  public func sourcedTraits(of taxon: TaxonOrdinal) -> [(trait: Trait, source: DataSource?)] {
    zip(traits.pairs(of: taxon), traits.sources(of: taxon)).map {
      (traits.trait($0), source($1))
    }
  }

  private var sourceCount: Int { sourceFacts.count / Layout.factsPerSource }

  /// The source with a number, from 1.
  private func source(_ number: Int) -> DataSource? {
    guard number > 0, number <= sourceCount else { return nil }
    let first = (number &- 1) &* Layout.factsPerSource
    func text(_ offset: Int) -> String? {
      let text = sourceFacts[TableRow(first &+ offset)]
      return text.isEmpty ? nil : text
    }
    return DataSource(
      kind: text(0), name: text(1), release: text(2), licence: text(3), citation: text(4),
      url: text(5))
  }
}

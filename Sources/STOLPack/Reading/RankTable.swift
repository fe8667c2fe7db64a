/// The ranks of a pack: those with a place in the order of ranks first, the highest first; then the
/// others, as "clade" and "no rank".
public struct RankTable: ~Escapable {
  let names: StringTable<TaxonRank>
  private let places: PackedColumn
  private let mainRanks: PackedColumn

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan, directory: borrowing Directory) {
    names = bytes.strings(.ranks, directory)
    places = bytes.packed(.rankPlace, directory)
    mainRanks = bytes.packed(.rankMain, directory)
  }

  /// The number of ranks.
  public var count: Int { names.count }

  /// The rank of a row.
  ///
  /// - Complexity: O(length)
  public subscript(row: RankRow) -> TaxonRank { TaxonRank(rawValue: names[row]) }

  /// The row of a rank, or nil where no taxon has it.
  ///
  /// Where the source has another word for a main rank, as "superkingdom" for a domain, it is the row of
  /// that one.
  ///
  /// - Complexity: O(n)
  public func row(of rank: TaxonRank) -> RankRow? {
    if let row = names.row(of: rank.rawValue) { return row }
    guard let main = MainRank(rank: rank) else { return nil }
    return (0..<count).first { mainRank(of: RankRow($0)) == main }.map { RankRow($0) }
  }

  /// The rows that a person's word for a rank means: that of the rank written so, else those of ranks that differ from
  /// it in capitals alone; then, for a main rank, what the source calls otherwise.
  ///
  /// - Complexity: O(n)
  public func rows(named word: String) -> [RankRow] {
    let lowercased = word.lowercased()
    let main = MainRank(rank: TaxonRank(rawValue: lowercased))
    var named = rows.filter { names[$0].utf8.elementsEqual(word.utf8) }
    if named.isEmpty { named = rows.filter { names[$0].lowercased() == lowercased } }
    return named + rows.filter { main != nil && mainRank(of: $0) == main && !named.contains($0) }
  }

  /// How high a rank stands, 0 for the highest; nil for one without a place.
  ///
  /// - Complexity: O(1)
  public func place(of row: RankRow) -> Int? {
    let stored = places[row.rawValue]
    return stored > 0 ? stored &- 1 : nil
  }

  /// The main rank that a rank is, or that it is another word for; else nil.
  ///
  /// - Complexity: O(1)
  public func mainRank(of row: RankRow) -> MainRank? {
    let stored = mainRanks[row.rawValue]
    return stored > 0 ? MainRank(rawValue: stored &- 1) : nil
  }

  /// How many ranks stand before that of a row: searches by relevance put less first.
  @inline(__always)
  func position(of row: RankRow) -> Int { row.rawValue }

  /// Whether nothing says that the rank of one row stands below that of another.
  ///
  /// It is false only where both have a place and that of `row` is the lower one. A rank without a place
  /// may be anywhere, so that what has it is kept on the way to what lies below;
  /// `PackView.isAtOrAbove` looks at its ancestors.
  public func isAtOrAbove(_ row: RankRow, _ other: RankRow) -> Bool {
    guard let place = place(of: row), let otherPlace = self.place(of: other) else { return true }
    return place <= otherPlace
  }

  /// The rows of all ranks, in order.
  public var rows: [RankRow] { (0..<count).map { RankRow($0) } }

  /// All ranks, in order.
  public var all: [TaxonRank] { names.all.map { TaxonRank(rawValue: $0) } }
}

extension PackView {
  /// Whether a taxon stands at a rank or above it.
  ///
  /// A taxon whose rank has no place stands where its nearest ancestor with one is: above `rank` if that
  /// one is, or if there is none.
  ///
  /// - Complexity: O(depth)
  public func isAtOrAbove(_ taxon: TaxonOrdinal, _ rank: RankRow) -> Bool {
    guard let place = taxa.ranks.place(of: rank) else { return true }
    if let own = taxa.ranks.place(of: taxa.rank(of: taxon)) { return own <= place }
    var next = tree.parent(of: taxon)
    while let ancestor = next {
      if let above = taxa.ranks.place(of: taxa.rank(of: ancestor)) { return above < place }
      next = tree.parent(of: ancestor)
    }
    return true
  }
}

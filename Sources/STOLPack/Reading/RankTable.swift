/// The ranks of a pack, the highest first.
public struct RankTable: ~Escapable {
  private let names: StringTable<TaxonRank>

  @_lifetime(copy names)
  init(_ names: StringTable<TaxonRank>) { self.names = names }

  /// The number of ranks.
  public var count: Int { names.count }

  /// The rank of a row.
  ///
  /// - Complexity: O(length)
  public subscript(row: RankRow) -> TaxonRank { TaxonRank(rawValue: names[row]) }

  /// The row of a rank, or nil where no taxon can have it.
  ///
  /// - Complexity: O(n)
  public func row(of rank: TaxonRank) -> RankRow? { names.row(of: rank.rawValue) }

  /// How many ranks stand above that of a row: searches by relevance put less first.
  @inline(__always)
  func position(of row: RankRow) -> Int { row.rawValue }

  /// Whether the rank of one row is that of another or stands above it.
  public func isAtOrAbove(_ row: RankRow, _ other: RankRow) -> Bool {
    position(of: row) <= position(of: other)
  }

  /// All ranks, the highest first.
  public var all: [TaxonRank] { names.all.map { TaxonRank(rawValue: $0) } }
}

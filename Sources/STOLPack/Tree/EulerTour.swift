/// The Euler tour of a forest: every taxon each time a depth-first walk comes by.
///
/// Nothing of it is stored. With the preorder rank v, the depth d and the number t of trees before,
/// the first occurrence of v is entry 2v - d - t; the entries up to the next first occurrence are v
/// and its ancestors, upwards. The entries equal the rows of the tables `euler_tour` and
/// `first_occurrence` of Format/DATABASE.md.
public struct EulerTour: ~Escapable {
  private let tree: TreeView
  private let roots: [TaxonOrdinal]

  /// The tour of `tree`.
  ///
  /// - Complexity: O(number of roots)
  @_lifetime(copy tree)
  public init(of tree: borrowing TreeView) {
    self.tree = copy tree
    roots = tree.roots
  }

  /// The number of entries: 2N - R for N taxa and R roots.
  public var count: Int { 2 * tree.taxonCount - roots.count }

  /// The first entry of `taxon`.
  ///
  /// - Complexity: O(log R)
  public func firstOccurrence(of taxon: TaxonOrdinal) -> Int {
    2 * taxon.index - tree.depth(of: taxon) - treeNumber(of: taxon)
  }

  /// The taxon at `position`.
  ///
  /// - Precondition: `position` is in `0..<count`.
  /// - Complexity: O(log N + depth)
  public subscript(position: Int) -> TaxonOrdinal {
    var low = 0
    var high = tree.taxonCount
    while low < high {
      let middle = (low + high) / 2
      if firstOccurrence(of: TaxonOrdinal(middle)) <= position {
        low = middle + 1
      } else {
        high = middle
      }
    }
    var taxon = TaxonOrdinal(max(0, low - 1))
    for _ in 0..<max(0, position - firstOccurrence(of: taxon)) {
      taxon = tree.parent(of: taxon) ?? taxon
    }
    return taxon
  }

  /// Calls `body` with every entry in turn.
  ///
  /// - Complexity: O(N)
  public func forEach<Failure: Error>(
    _ body: (TaxonOrdinal) throws(Failure) -> Void
  ) throws(Failure) {
    for first in tree.taxa {
      var taxon = first
      try body(taxon)
      // After a leaf the walk returns to the parent of the next taxon.
      let following = TaxonOrdinal(first.index + 1)
      let next = following.index < tree.taxonCount ? tree.parent(of: following) : nil
      while taxon != next, let parent = tree.parent(of: taxon) {
        taxon = parent
        try body(taxon)
      }
    }
  }

  /// How many trees precede the one of `taxon`.
  private func treeNumber(of taxon: TaxonOrdinal) -> Int {
    var low = 0
    var high = roots.count
    while low < high {
      let middle = (low + high) / 2
      if roots[middle] <= taxon { low = middle + 1 } else { high = middle }
    }
    return max(0, low - 1)
  }
}

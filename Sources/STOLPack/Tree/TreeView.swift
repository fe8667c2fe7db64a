/// The tree of one pack: parents in depth-first preorder.
///
/// The taxa below `v` are the interval from `v + 1` up to `end(of: v)`, so an ancestor test is two
/// comparisons. Every answer is computed from the parent array and the sparse table over its blocks:
/// PACK.md section 5. Ordinals must be below `taxonCount`; larger ones answer as if they were roots.
public struct TreeView: ~Escapable {
  /// Parent ordinal plus one; 0 for a root.
  let parents: ParentColumn
  /// Minima of one, two, four and more blocks of `parents`.
  private let sparse: PackedColumn
  let depths: PackedColumn
  let mainDepths: PackedColumn
  let blockCount: Int
  /// The number of taxa.
  public let taxonCount: Int

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan, directory: borrowing Directory, taxonCount: Int) {
    parents = ParentColumn(
      bytes.section(.parent, directory), count: taxonCount, width: directory[.parent].width)
    sparse = bytes.packed(.sparseTable, directory)
    depths = bytes.packed(.depth, directory)
    mainDepths = bytes.packed(.mainDepth, directory)
    blockCount = Layout.blockCount(taxonCount)
    self.taxonCount = taxonCount
  }

  /// All taxa.
  public var taxa: Clade { TaxonOrdinal(0)..<TaxonOrdinal(taxonCount) }

  /// The parent as it is stored: its ordinal plus one, 0 for a root.
  @inline(__always)
  func storedParent(_ index: Int) -> Int { parents[index] }

  /// The parent of `taxon`, or nil for a root.
  ///
  /// - Complexity: O(1)
  public func parent(of taxon: TaxonOrdinal) -> TaxonOrdinal? {
    let stored = storedParent(taxon.index)
    // A parent precedes its children; what does not, in a corrupt pack, counts as a root.
    guard stored > 0, stored <= taxon.index else { return nil }
    return TaxonOrdinal(stored &- 1)
  }

  /// The number of edges from the root to `taxon`.
  ///
  /// - Complexity: O(1)
  public func depth(of taxon: TaxonOrdinal) -> Int { depths[taxon.index] }

  /// The number of taxa with a main rank among `taxon` and its ancestors.
  ///
  /// - Complexity: O(1)
  public func mainDepth(of taxon: TaxonOrdinal) -> Int { mainDepths[taxon.index] }

  /// One past the last taxon of the subtree of `taxon`.
  ///
  /// - Complexity: O(1) for a leaf, O(log n) at worst.
  public func end(of taxon: TaxonOrdinal) -> TaxonOrdinal {
    TaxonOrdinal(firstIndex(after: taxon.index, storedParentAtMost: taxon.index))
  }

  /// The taxa of the subtree of `taxon`, itself first.
  ///
  /// - Complexity: as `end(of:)`.
  public func subtree(of taxon: TaxonOrdinal) -> Clade {
    taxon..<TaxonOrdinal(max(taxon.index + 1, end(of: taxon).index))
  }

  /// Whether `ancestor` is `taxon` or lies on its way to the root.
  ///
  /// - Complexity: as `end(of:)`.
  public func isAncestor(_ ancestor: TaxonOrdinal, of taxon: TaxonOrdinal) -> Bool {
    ancestor <= taxon && (ancestor == taxon || taxon < end(of: ancestor))
  }

  /// Whether `taxon` has no children.
  ///
  /// - Complexity: O(1)
  public func isLeaf(_ taxon: TaxonOrdinal) -> Bool {
    taxon.index &+ 1 >= taxonCount || storedParent(taxon.index &+ 1) != taxon.index &+ 1
  }

  /// The first child of `taxon`, or nil for a leaf.
  ///
  /// - Complexity: O(1)
  public func firstChild(of taxon: TaxonOrdinal) -> TaxonOrdinal? {
    isLeaf(taxon) ? nil : TaxonOrdinal(taxon.index &+ 1)
  }

  /// The next child of the same parent, or the next root after a root.
  ///
  /// - Complexity: as `end(of:)`.
  public func nextSibling(of taxon: TaxonOrdinal) -> TaxonOrdinal? {
    let next = end(of: taxon)
    guard next.index < taxonCount, storedParent(next.index) == storedParent(taxon.index) else {
      return nil
    }
    return next
  }

  /// The children of `taxon`, by scientific name.
  ///
  /// - Complexity: O(c) for c children, times that of `end(of:)`.
  public func children(of taxon: TaxonOrdinal) -> [TaxonOrdinal] {
    siblings(from: firstChild(of: taxon))
  }

  /// The taxa without a parent, by scientific name.
  public var roots: [TaxonOrdinal] {
    siblings(from: taxonCount > 0 ? TaxonOrdinal(0) : nil)
  }

  /// The taxa on the way from the root to the parent of `taxon`, the root first.
  ///
  /// - Complexity: O(depth)
  public func ancestors(of taxon: TaxonOrdinal) -> [TaxonOrdinal] {
    var path: [TaxonOrdinal] = []
    var next = parent(of: taxon)
    while let ancestor = next {
      path.append(ancestor)
      next = parent(of: ancestor)
    }
    path.reverse()
    return path
  }

  private func siblings(from first: TaxonOrdinal?) -> [TaxonOrdinal] {
    var result: [TaxonOrdinal] = []
    var next = first
    while let taxon = next {
      result.append(taxon)
      next = nextSibling(of: taxon)
    }
    return result
  }

  /// The first index after `index` whose stored parent is at most `bound`, or `taxonCount`.
  ///
  /// The rows of the sparse table serve as jumps of doubling length.
  func firstIndex(after index: Int, storedParentAtMost bound: Int) -> Int {
    var candidate = index &+ 1
    while candidate % Layout.blockSize != 0 {
      if candidate >= taxonCount || storedParent(candidate) <= bound {
        return min(candidate, taxonCount)
      }
      candidate &+= 1
    }
    var block = candidate / Layout.blockSize
    var level = 0
    while block &+ (1 &<< level) <= blockCount, minimum(level: level, block: block) > bound {
      block &+= 1 &<< level
      level &+= 1
    }
    while level > 0 {
      level &-= 1
      if block &+ (1 &<< level) <= blockCount, minimum(level: level, block: block) > bound {
        block &+= 1 &<< level
      }
    }
    candidate = block &* Layout.blockSize
    while candidate < taxonCount, storedParent(candidate) > bound { candidate &+= 1 }
    return min(candidate, taxonCount)
  }

  /// The least stored parent in the blocks from `block` to `block + 2^level - 1`.
  @inline(__always)
  func minimum(level: Int, block: Int) -> Int {
    sparse[Layout.levelStart(level, blockCount: blockCount) &+ block]
  }

  /// One value of the sparse table, for verification.
  func sparseValue(_ position: Int) -> Int { sparse[position] }
}

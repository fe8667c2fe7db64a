import STOLPack

/// What stands for no taxon, and for no name, in C.
let none = UInt32.max

/// What is asked row by row about taxa.
extension PackView {
  /// The taxon of an ordinal; nil for none.
  ///
  /// - Throws: where the pack has no such taxon.
  @inline(__always)
  func taxon(_ ordinal: UInt32, _ count: Int, _ argument: Argument) throws(DoorError)
    -> TaxonOrdinal?
  {
    if Int(ordinal) < count { return TaxonOrdinal(rawValue: ordinal) }
    guard ordinal == none else { throw argument.wrong(outOfRange(ordinal, count)) }
    return nil
  }

  private func outOfRange(_ ordinal: UInt32, _ count: Int) -> String {
    "has ordinal \(ordinal), and the pack \(count) taxa"
  }

  /// Writes for each taxon what `find` gives, and none for none.
  @inline(__always)
  func forEach(
    _ taxa: Span<UInt32>, _ argument: Argument, _ found: inout MutableSpan<UInt32>,
    _ find: (TaxonOrdinal, borrowing PackView) -> UInt32
  ) throws(DoorError) {
    let count = taxonCount
    for row in taxa.indices {
      guard let taxon = try taxon(taxa[row], count, argument) else {
        found[row] = none
        continue
      }
      found[row] = find(taxon, self)
    }
  }

  func ancestors(
    ofPairs a: Span<UInt32>, _ b: Span<UInt32>, _ found: inout MutableSpan<UInt32>
  ) throws(DoorError) {
    let (first, second) = (Argument(2, "a"), Argument(3, "b"))
    let count = taxonCount
    for row in a.indices {
      let one = try taxon(a[row], count, first)
      let other = try taxon(b[row], count, second)
      guard let one, let other else {
        found[row] = none
        continue
      }
      found[row] = tree.lowestCommonAncestor(one, other)?.rawValue ?? none
    }
  }

  func ancestors(
    ofLists offsets: borrowing Offsets, _ taxa: Span<UInt32>, _ found: inout MutableSpan<UInt32>
  ) throws(DoorError) {
    let argument = Argument(5, "taxa")
    let count = taxonCount
    for row in 0..<offsets.count {
      // In preorder, the LCA of many is that of the first and the last.
      var first = none
      var last: UInt32 = 0
      for member in try offsets.range(row) {
        guard let taxon = try taxon(taxa[member], count, argument) else { continue }
        first = min(first, taxon.rawValue)
        last = max(last, taxon.rawValue)
      }
      guard first != none else {
        found[row] = none
        continue
      }
      let ancestor = tree.lowestCommonAncestor(
        TaxonOrdinal(rawValue: first), TaxonOrdinal(rawValue: last))
      found[row] = ancestor?.rawValue ?? none
    }
  }

  /// Writes lineages, the root of each first, and returns how many taxa they have.
  func lineages(
    _ taxa: Span<UInt32>, _ offsets: inout MutableSpan<Int64>, _ found: inout MutableSpan<UInt32>
  ) throws(DoorError) -> Int {
    let argument = Argument(2, "taxa")
    let count = taxonCount
    var needed = 0
    offsets[0] = 0
    for row in taxa.indices {
      if let taxon = try taxon(taxa[row], count, argument) {
        let start = needed
        needed += tree.depth(of: taxon) + 1
        if needed <= found.count {
          var next: TaxonOrdinal? = taxon
          for index in (start..<needed).reversed() {
            found[index] = next?.rawValue ?? none
            next = next.flatMap { tree.parent(of: $0) }
          }
        }
      }
      offsets[row + 1] = Int64(needed)
    }
    return needed
  }

  /// Writes columns with the taxon itself or its nearest ancestor of each rank.
  func rankColumns(
    _ taxa: Span<UInt32>, _ ranks: RankMasks, _ found: inout MutableSpan<UInt32>
  ) throws(DoorError) {
    let argument = Argument(2, "taxa")
    let count = taxonCount
    for index in found.indices { found[index] = none }
    for row in taxa.indices {
      var wanted = ranks.all
      var next = try taxon(taxa[row], count, argument)
      while wanted != 0, let taxon = next {
        let rank = self.taxa.rank(of: taxon).rawValue
        var here = rank < ranks.masks.count ? ranks.masks[rank] & wanted : 0
        wanted &= ~here
        while here != 0 {
          found[here.trailingZeroBitCount * taxa.count + row] = taxon.rawValue
          here &= here - 1
        }
        next = tree.parent(of: taxon)
      }
    }
  }
}

/// Which of at most 64 ranks each row of the rank table is.
struct RankMasks {
  static let greatestCount = 64

  /// A bit for each rank, by row of the rank table; a damaged pack has taxa of other rows.
  let masks: [UInt64]
  /// The bits of all ranks.
  let all: UInt64

  /// The ranks of some words, as `stol query --ranks` takes them.
  init(_ words: [String], _ view: borrowing PackView, _ argument: Argument) throws(DoorError) {
    var masks = [UInt64](repeating: 0, count: view.taxa.ranks.count)
    var all: UInt64 = 0
    for (column, word) in words.enumerated() {
      let rows = try view.rows(ofRank: word, argument)
      for row in rows { masks[row.rawValue] |= 1 << UInt64(column) }
      all |= 1 << UInt64(column)
    }
    self.masks = masks
    self.all = all
  }
}

extension PackView {
  /// The rows of the rank table that a word means: none for a main rank that no taxon has.
  ///
  /// - Throws: where the pack has no such rank.
  func rows(ofRank word: String, _ argument: Argument) throws(DoorError) -> [RankRow] {
    let rows = taxa.ranks.rows(named: word)
    guard !rows.isEmpty || MainRank(rank: TaxonRank(rawValue: word.lowercased())) != nil else {
      throw unknownRank(word, argument)
    }
    return rows
  }

  /// That the pack has no such rank; not what the argument is called, which is its name in C alone.
  private func unknownRank(_ word: String, _ argument: Argument) -> DoorError {
    // A message has room for the main ones, where there are many.
    let ranks = taxa.ranks.all
    let main = ranks.filter { MainRank(rank: $0) != nil }
    let shown = ranks.count <= 12 || main.isEmpty ? Array(ranks.prefix(12)) : main
    let known = shown.map(\.rawValue).joined(separator: ", ")
    let others = ranks.count > shown.count ? " and \(ranks.count - shown.count) more" : ""
    return .argument(argument.number, "the pack has no rank \"\(word)\", only \(known)\(others)")
  }

  /// The filter of a rank and of a taxon that what is found must be or be below.
  func filter(rank: String?, within: UInt32, _ argument: Argument) throws(DoorError) -> SearchFilter
  {
    var filter = SearchFilter()
    if let rank {
      // As the command reads it: a main rank is what the source calls so, else what it calls otherwise.
      guard let row = taxa.ranks.rows(named: rank).first else {
        throw unknownRank(rank, argument)
      }
      filter.rank = row
    }
    if let taxon = try taxon(within, taxonCount, argument) {
      filter.clade = tree.subtree(of: taxon)
    }
    return filter
  }
}

import STOLPack

/// What a box of the picture of all life holds.
enum LifeBox: Hashable, Sendable {
  /// All roots.
  case all
  case taxon(TaxonOrdinal)
  /// Some of the children of a taxon, or for nil of the roots, from the largest to the smallest by position.
  case group(of: TaxonOrdinal?, Range<Int>)
}

/// The children of a taxon, or the roots, the largest first, and how they are shared out among boxes.
///
/// Each is as large as it has tiles, one at least: see `SpeciesTiles`. Where there are many, the small ones are
/// grouped, and groups are divided in the same way, so that nothing has more than `greatestCount` boxes.
struct LifeChildren: Sendable {
  /// So many boxes are in one at most.
  static let greatestCount = 32

  let taxa: [TaxonOrdinal]
  let sizes: [Int]

  /// - Complexity: O(k log k) for k children
  init(of taxon: TaxonOrdinal?, _ tiles: SpeciesTiles, in view: borrowing PackView) {
    var large: [(size: Int, taxon: TaxonOrdinal)] = []
    var single: [TaxonOrdinal] = []
    for child in taxon.map({ view.tree.children(of: $0) }) ?? view.tree.roots {
      let size = tiles.count(in: view.tree.subtree(of: child))
      if size > 1 { large.append((size, child)) } else { single.append(child) }
    }
    large.sort { ($1.size, $0.taxon) < ($0.size, $1.taxon) }
    taxa = large.map(\.taxon) + single
    sizes = large.map(\.size) + single.map { _ in 1 }
  }

  /// The boxes of some of the children, each one or more of them; none is empty.
  ///
  /// Those that have a sixteenth of the whole have a box each, and the others stand in sixteen groups, unless all have
  /// room.
  ///
  /// - Complexity: O(length of the range)
  func boxes(of range: Range<Int>) -> [Range<Int>] {
    let half = Self.greatestCount / 2
    guard range.count > Self.greatestCount else { return range.map { $0..<$0 + 1 } }
    let total = sizes[range].reduce(0, +)
    let alone = range.prefix { sizes[$0] * half >= total }
    let rest = range.dropFirst(alone.count)
    return alone.map { $0..<$0 + 1 }
      + (0..<half).map {
        rest.startIndex + rest.count * $0 / half..<rest.startIndex + rest.count * ($0 + 1) / half
      }
  }

  /// The size of some of the children.
  func size(of range: Range<Int>) -> Int { sizes[range].reduce(0, +) }
}

/// The boxes that a request asks for: what is large comes first, within a budget.
struct LifeBoxes: Sendable {
  /// A box, and where in the list its own boxes stand.
  struct Entry: Sendable {
    let box: LifeBox
    let size: Int
    /// Its share of what was asked for.
    let share: Double
    /// Empty while they are not in the list.
    var boxes: Range<Int> = 0..<0
  }

  private let counts: CladeCounts
  private var known: [TaxonOrdinal?: LifeChildren] = [:]
  private(set) var entries: [Entry] = []

  /// What is smaller than this share of what was asked for is not opened.
  private static let smallestShare = 1.0 / 2048

  init(_ counts: CladeCounts) { self.counts = counts }

  /// The children of a taxon, which are looked up once.
  mutating func children(of taxon: TaxonOrdinal?, in view: borrowing PackView) -> LifeChildren {
    if let children = known[taxon] { return children }
    let children = LifeChildren(of: taxon, counts.tiles, in: view)
    known[taxon] = children
    return children
  }

  /// Adds a box, opens it, and what is in it as far as `cost` of all boxes stays below `budget`.
  ///
  /// - Returns: its position in `entries`.
  mutating func open(
    _ box: LifeBox, in view: borrowing PackView, budget: inout Int,
    cost: (LifeBox, borrowing PackView) -> Int
  ) -> Int {
    let position = entries.count
    entries.append(Entry(box: box, size: 0, share: 1))
    var closed = [position]
    while let next = closed.indices.max(by: {
      entries[closed[$0]].share < entries[closed[$1]].share
    }) {
      let parent = closed.remove(at: next)
      guard entries[parent].share >= Self.smallestShare else { break }
      let below = boxes(in: entries[parent].box, in: view)
      var price = 0
      for (box, _) in below { price += cost(box, view) }
      guard parent == position || price <= budget else { break }
      budget -= price
      let total = Double(max(1, below.reduce(0) { $0 + $1.size }))
      entries[parent].boxes = entries.count..<entries.count + below.count
      for (box, size) in below {
        if Self.isOpenable(box, in: view) { closed.append(entries.count) }
        entries.append(
          Entry(box: box, size: size, share: entries[parent].share * Double(size) / total))
      }
    }
    return position
  }

  /// Whether something is in a box.
  static func isOpenable(_ box: LifeBox, in view: borrowing PackView) -> Bool {
    guard case .taxon(let taxon) = box else { return true }
    return !view.tree.isLeaf(taxon)
  }

  /// The boxes directly in a box, with their sizes.
  mutating func boxes(
    in box: LifeBox, in view: borrowing PackView
  ) -> [(box: LifeBox, size: Int)] {
    let holder: TaxonOrdinal?
    let range: Range<Int>?
    switch box {
    case .all: (holder, range) = (nil, nil)
    case .taxon(let taxon): (holder, range) = (taxon, nil)
    case .group(let taxon, let part): (holder, range) = (taxon, part)
    }
    if let holder, view.tree.isLeaf(holder) { return [] }
    let children = children(of: holder, in: view)
    let whole = children.taxa.indices
    return children.boxes(of: range ?? whole).map { part in
      part.count == 1
        ? (.taxon(children.taxa[part.lowerBound]), children.sizes[part.lowerBound])
        : (.group(of: holder, part), children.size(of: part))
    }
  }

  /// The boxes on the way from all life to a taxon, each with the sizes of all that are beside it and its place among
  /// them.
  mutating func way(
    to taxon: TaxonOrdinal, in view: borrowing PackView
  ) -> [(box: LifeBox, sizes: [Int], index: Int)] {
    var way: [(box: LifeBox, sizes: [Int], index: Int)] = []
    var box = LifeBox.all
    for step in view.tree.ancestors(of: taxon) + [taxon] {
      while box != .taxon(step) {
        let beside = boxes(in: box, in: view)
        guard let index = beside.firstIndex(where: { contains($0.box, step) }) else { return way }
        box = beside[index].box
        way.append((box, beside.map(\.size), index))
      }
    }
    return way
  }

  private func contains(_ box: LifeBox, _ taxon: TaxonOrdinal) -> Bool {
    switch box {
    case .all: false
    case .taxon(let other): other == taxon
    case .group(let holder, let range): known[holder]?.taxa[range].contains(taxon) ?? false
    }
  }

  /// Whether there is such a box: a group may end behind the last child.
  mutating func has(_ box: LifeBox, in view: borrowing PackView) -> Bool {
    guard case .group(let holder, let range) = box else { return true }
    return range.upperBound <= children(of: holder, in: view).taxa.count
  }

  /// How large a box is.
  mutating func size(of box: LifeBox, in view: borrowing PackView) -> Int {
    switch box {
    case .all: counts.tiles.count(in: view.tree.taxa)
    case .taxon(let taxon): max(1, counts.tiles.count(in: view.tree.subtree(of: taxon)))
    case .group(let holder, let range):
      children(of: holder, in: view).size(of: range)
    }
  }

  /// How many species are in a box.
  mutating func speciesCount(of box: LifeBox, in view: borrowing PackView) -> Int {
    switch box {
    case .all: counts.species.count(in: view.tree.taxa)
    case .taxon(let taxon): counts.species.count(in: view.tree.subtree(of: taxon))
    case .group(let holder, let range):
      children(of: holder, in: view).taxa[range].reduce(0) {
        $0 + counts.species.count(in: view.tree.subtree(of: $1))
      }
    }
  }
}

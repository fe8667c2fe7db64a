import STOLPack

/// The textbook's way, on plain arrays: lift the deeper one, then both.
struct WalkingParents {
  let parents: [UInt32]
  let depths: [UInt32]

  init(_ pack: Pack) {
    let view = pack.view
    var parents: [UInt32] = []
    var depths: [UInt32] = []
    for index in 0..<pack.taxonCount {
      let taxon = TaxonOrdinal(rawValue: UInt32(index))
      parents.append(view.tree.parent(of: taxon)?.rawValue ?? .max)
      depths.append(UInt32(view.tree.depth(of: taxon)))
    }
    self.parents = parents
    self.depths = depths
  }

  func lowestCommonAncestor(_ a: TaxonOrdinal, _ b: TaxonOrdinal) -> UInt32 {
    var a = a.rawValue
    var b = b.rawValue
    var depthA = depths[Int(a)]
    var depthB = depths[Int(b)]
    while depthA > depthB {
      a = parents[Int(a)]
      depthA -= 1
    }
    while depthB > depthA {
      b = parents[Int(b)]
      depthB -= 1
    }
    while a != b {
      a = parents[Int(a)]
      b = parents[Int(b)]
      if a == .max || b == .max { return a == b ? a : .max }
    }
    return a
  }
}

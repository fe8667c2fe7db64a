/// The taxa in depth-first preorder, siblings by scientific name: PACK.md section 5.
struct TreeOrder {
  /// The row of `taxa` of each taxon.
  private(set) var rows: [UInt32] = []
  /// The parent of each taxon plus one, 0 for a root.
  private(set) var storedParents: [UInt32] = []
  private(set) var depths: [UInt32] = []
  /// The number of main ranks among each taxon and its ancestors.
  private(set) var mainDepths: [UInt32] = []
  private(set) var rootCount = 0
  /// The synonym rows of `taxa` and the taxa that they lead to.
  private(set) var synonyms: [(row: UInt32, accepted: UInt32)] = []
  private let idIndex: IDIndex
  /// The taxon of each row; for a synonym its accepted taxon.
  private var taxonOfRow: [UInt32]

  var count: Int { rows.count }

  /// Orders the rows of `taxa`.
  ///
  /// - Throws: `CompileError` for a duplicate id, an unknown parent, a cycle, no taxa.
  init(
    _ taxa: TaxonTable, _ ranks: RankFacts, _ warnings: inout WarningList
  ) throws(CompileError) {
    guard taxa.count > 0 else { throw .empty }
    idIndex = try IDIndex(taxa.ids)
    let accepted = try Self.acceptedRows(taxa, idIndex)
    taxonOfRow = [UInt32](repeating: .max, count: taxa.count)
    let children = try Children(taxa, idIndex, accepted)
    rootCount = children.roots.count
    let misplaced = walk(children, taxa, ranks)
    for row in misplaced.sorted() {
      warnings.add(
        .rankNotBelowParent, id: taxa.ids[Int(row)], sourceID: taxa.sourceID(Int(row)))
    }
    guard rows.count == children.nodeCount else { throw cycle(taxa, accepted) }
    if let deep = depths.firstIndex(where: { $0 > Layout.maximumDepth }) {
      throw .row(table: "taxa", id: taxa.ids[Int(rows[deep])], reason: .tooDeep)
    }
    for row in 0..<taxa.count where taxa.isSynonym[row] {
      let target = accepted[row]
      let taxon = taxonOfRow[Int(target)]
      taxonOfRow[row] = taxon
      synonyms.append((UInt32(row), taxon))
      if taxa.ranks[row] != taxa.ranks[Int(target)] {
        warnings.add(.synonymRank, id: taxa.ids[row], sourceID: taxa.sourceID(row))
      }
    }
  }

  /// The taxon with this id, or the one that a synonym with this id leads to.
  func taxon(withID id: Int64) -> UInt32? {
    idIndex.row(id).map { taxonOfRow[$0] }
  }

  func write<Output: SectionOutput & ~Copyable>(to file: inout Output) throws(Output.Failure) {
    try file.write(.parent, .parents(storedParents))
    try file.write(.sparseTable, .packed(Self.sparseTable(storedParents)))
    try file.write(.depth, .packed(depths))
    try file.write(.mainDepth, .packed(mainDepths))
  }

  /// Minima of one, two, four and more blocks, row after row.
  static func sparseTable(_ parents: [UInt32]) -> [UInt32] {
    let blocks = Layout.blockCount(parents.count)
    var row = (0..<blocks).map { block in
      let start = block * Layout.blockSize
      return parents[start..<min(start + Layout.blockSize, parents.count)].min() ?? 0
    }
    var table = row
    var length = 1
    while length * 2 <= blocks {
      row = (0..<blocks - length * 2 + 1).map { min(row[$0], row[$0 + length]) }
      table += row
      length *= 2
    }
    return table
  }

  /// Numbers the rows in preorder; returns those whose rank is not below the nearest one with a place.
  private mutating func walk(
    _ children: Children, _ taxa: TaxonTable, _ ranks: RankFacts
  ) -> [UInt32] {
    /// A row still to visit.
    struct Visit {
      let row: UInt32
      var parent: UInt32 = 0
      var depth: UInt32 = 0
      /// The main ranks above.
      var mainDepth: UInt32 = 0
      /// The place of the nearest rank above that has one, else -1.
      var place: Int32 = -1
    }
    var misplaced: [UInt32] = []
    rows.reserveCapacity(children.nodeCount)
    // The next one last.
    var stack = children.roots.reversed().map { Visit(row: $0) }
    while let visit = stack.popLast() {
      let rank = Int(taxa.ranks[Int(visit.row)])
      let place = ranks.places[rank]
      let isMain = ranks.isMain[rank]
      if place >= 0, place < visit.place || (place == visit.place && isMain) {
        misplaced.append(visit.row)
      }
      taxonOfRow[Int(visit.row)] = UInt32(rows.count)
      rows.append(visit.row)
      storedParents.append(visit.parent)
      depths.append(visit.depth)
      let mainDepth = visit.mainDepth + (isMain ? 1 : 0)
      mainDepths.append(mainDepth)
      let stored = UInt32(rows.count)
      for child in children.of(visit.row).reversed() {
        stack.append(
          Visit(
            row: child, parent: stored, depth: visit.depth + 1, mainDepth: mainDepth,
            place: place >= 0 ? place : visit.place))
      }
    }
    return misplaced
  }

  /// For each row the row itself, or for a synonym the accepted row that its parents lead to.
  private static func acceptedRows(
    _ taxa: TaxonTable, _ index: IDIndex
  ) throws(CompileError) -> [UInt32] {
    var result = [UInt32](0..<UInt32(taxa.count))
    var isResolved = taxa.isSynonym.map { !$0 }
    for row in 0..<taxa.count where !isResolved[row] {
      var chain: [Int] = []
      var target = row
      while !isResolved[target] {
        let id = taxa.ids[target]
        guard let parentID = taxa.parentID(target) else {
          throw .row(table: "taxa", id: id, reason: .synonymWithoutAcceptedTaxon)
        }
        guard let parent = index.row(parentID) else {
          throw .row(table: "taxa", id: id, reason: .unknownParent(parentID))
        }
        chain.append(target)
        guard chain.count <= taxa.count else { throw .row(table: "taxa", id: id, reason: .cycle) }
        target = parent
      }
      // A chain is walked once: all its members lead where its end leads.
      for member in chain {
        result[member] = result[target]
        isResolved[member] = true
      }
    }
    return result
  }

  /// The error for taxa that no root reaches.
  private func cycle(_ taxa: TaxonTable, _ accepted: [UInt32]) -> CompileError {
    var row = 0
    for candidate in 0..<taxa.count
    where !taxa.isSynonym[candidate] && taxonOfRow[candidate] == .max {
      row = candidate
      break
    }
    // Every unreached taxon leads into a cycle; after as many steps as there are taxa, we are in it.
    for _ in 0..<taxa.count {
      guard let parent = taxa.parentID(row).flatMap({ idIndex.row($0) }) else { break }
      row = Int(accepted[parent])
    }
    return .row(table: "taxa", id: taxa.ids[row], reason: .cycle)
  }
}

/// Rows by id.
private struct IDIndex {
  private let ids: [Int64]
  private let rows: [UInt32]

  init(_ ids: [Int64]) throws(CompileError) {
    let isSorted = !zip(ids, ids.dropFirst()).contains { $0 > $1 }
    var rows = [UInt32](0..<UInt32(ids.count))
    if !isSorted { rows.sort { ids[Int($0)] < ids[Int($1)] } }
    let sorted = isSorted ? ids : rows.map { ids[Int($0)] }
    for position in sorted.indices.dropFirst() where sorted[position - 1] == sorted[position] {
      throw .row(table: "taxa", id: sorted[position], reason: .duplicateID)
    }
    self.ids = sorted
    self.rows = rows
  }

  func row(_ id: Int64) -> Int? {
    var low = 0
    var high = ids.count
    while low < high {
      let middle = (low + high) / 2
      if ids[middle] < id { low = middle + 1 } else { high = middle }
    }
    return low < ids.count && ids[low] == id ? Int(rows[low]) : nil
  }
}

/// The child rows of each row, sorted by scientific name, then id.
private struct Children {
  private var starts: [UInt32]
  private var rows: [UInt32]
  private(set) var roots: [UInt32] = []
  private(set) var nodeCount = 0

  init(_ taxa: TaxonTable, _ index: IDIndex, _ accepted: [UInt32]) throws(CompileError) {
    var parents = [UInt32](repeating: .max, count: taxa.count)
    starts = [UInt32](repeating: 0, count: taxa.count + 1)
    for row in 0..<taxa.count where !taxa.isSynonym[row] {
      nodeCount += 1
      guard let parentID = taxa.parentID(row) else {
        roots.append(UInt32(row))
        continue
      }
      guard let found = index.row(parentID) else {
        throw .row(table: "taxa", id: taxa.ids[row], reason: .unknownParent(parentID))
      }
      let parent = accepted[found]
      parents[row] = parent
      starts[Int(parent) + 1] += 1
    }
    guard nodeCount > 0 else { throw .empty }
    for row in 0..<taxa.count { starts[row + 1] += starts[row] }
    rows = [UInt32](repeating: 0, count: nodeCount - roots.count)
    var next = starts
    for row in 0..<taxa.count where parents[row] != .max {
      rows[Int(next[Int(parents[row])])] = UInt32(row)
      next[Int(parents[row])] += 1
    }
    func isBefore(_ a: UInt32, _ b: UInt32) -> Bool {
      let order = taxa.names.order(Int(a), Int(b))
      return order == 0 ? taxa.ids[Int(a)] < taxa.ids[Int(b)] : order < 0
    }
    // An implied root is taxon 0, whatever the names of other roots.
    let implied = taxa.impliedRow.map { UInt32($0) }
    roots.sort { a, b in
      if a == implied || b == implied { return a == implied && b != implied }
      return isBefore(a, b)
    }
    for row in 0..<taxa.count where starts[row + 1] - starts[row] > 1 {
      rows[Int(starts[row])..<Int(starts[row + 1])].sort(by: isBefore)
    }
  }

  func of(_ row: UInt32) -> ArraySlice<UInt32> {
    rows[Int(starts[Int(row)])..<Int(starts[Int(row) + 1])]
  }
}

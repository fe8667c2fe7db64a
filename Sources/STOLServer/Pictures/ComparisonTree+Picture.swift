import STOLPack

extension ComparisonTree {
  /// The comparison as a drawing: of two taxa a Y that grows downwards, of more a tree of rows.
  func picture(_ format: PictureFormat) -> Picture {
    let width = format == .wide ? 720.0 : 360
    let rows = compared.count == 2 ? forkedRows(width) : indentedRows(width, format)
    let names = compared.map(\.name).formatted
    return Picture(
      kind: "comparison",
      id: compared.map { "\($0.id.rawValue)" }.joined(separator: "-") + "-\(format)",
      title: Words[.howRelated, ["taxa": names]],
      description: commonAncestor.map {
        Words[.meetIn, ["taxa": names, "ancestor": $0.name]]
      } ?? Words[.meetNowhere, ["taxa": names]],
      width: width, height: rows.map { $0.box.y + $0.box.height }.max() ?? 0,
      marks: TreeRow.marks(rows))
  }

  /// How many stops of the trunk are drawn above the fork.
  private static let trunkLength = 2
  /// How many stops of one way are drawn below the fork.
  private static let wayLength = 10

  /// The end of the trunk, at `x`.
  private func trunkRows(x: Double, _ width: Double) -> [TreeRow] {
    var rows: [TreeRow] = []
    // One more stop takes no more room than the word that there is one.
    let hidden = trunk.count > Self.trunkLength + 1 ? trunk.count - Self.trunkLength : 0
    if hidden > 0, let ancestor = commonAncestor {
      rows.append(
        TreeRow(leavingOut: hidden, see: Address(.lineage(ancestor.address)), parent: nil))
    }
    for label in trunk.dropFirst(hidden) {
      rows.append(TreeRow(label, parent: rows.isEmpty ? nil : rows.count - 1))
    }
    for index in rows.indices {
      rows[index].isShared = true
      rows[index].box = Box(
        x: x, y: Double(index) * TreeRow.height, width: width - x, height: TreeRow.height)
    }
    return rows
  }

  /// A row for a node, without its place.
  private func row(_ position: Int, parent: Int?) -> TreeRow {
    let node = nodes[position]
    var row = TreeRow(node.label, parent: parent)
    row.stop = node.isFork ? .fork : node.isCompared ? .end : .plain
    row.isShared = position == 0
    return row
  }

  /// Two ways side by side below the trunk; two trunks where there is no fork.
  private func forkedRows(_ width: Double) -> [TreeRow] {
    var rows: [TreeRow] = []
    var fork: Int?
    var y = 0.0
    let starts = nodes.indices.filter {
      hasCommonAncestor ? nodes[$0].parent == 0 : nodes[$0].parent == nil
    }
    let columnWidth = width / Double(max(1, starts.count))
    if hasCommonAncestor {
      let x = starts.count > 1 ? columnWidth / 2 : 0
      rows = trunkRows(x: x, width)
      var row = row(0, parent: rows.isEmpty ? nil : rows.count - 1)
      y = Double(rows.count) * TreeRow.height
      row.box = Box(x: x, y: y, width: width - x, height: TreeRow.height)
      fork = rows.count
      rows.append(row)
      y += TreeRow.height + (starts.count > 1 ? 36 : 0)
    }
    for (column, start) in starts.enumerated() {
      var way = [start]
      while let next = nodes.indices.first(where: { nodes[$0].parent == way[way.count - 1] }) {
        way.append(next)
      }
      let hidden = way.count - Self.wayLength
      var above = fork
      var place = y
      func add(_ row: TreeRow) {
        var row = row
        row.box = Box(
          x: Double(column) * columnWidth, y: place, width: columnWidth, height: TreeRow.height)
        place += TreeRow.height
        above = rows.count
        rows.append(row)
      }
      for (index, position) in way.enumerated() {
        if hidden > 0, index == 3, let end = way.last {
          let address = Address(.lineage(nodes[end].label.address))
          add(TreeRow(leavingOut: hidden + 1, see: address, parent: above))
        }
        if hidden > 0, index >= 3, index < 4 + hidden { continue }
        add(row(position, parent: above))
      }
    }
    return rows
  }

  /// The forks and the taxa compared as rows, each fork further to the right; what lies between two
  /// of them is a line below the name.
  private func indentedRows(_ width: Double, _ format: PictureFormat) -> [TreeRow] {
    var rows = hasCommonAncestor ? trunkRows(x: 0, width) : []
    let root = rows.isEmpty ? nil : rows.count - 1
    var rowOfNode: [Int: Int] = [:]
    var indents: [Int] = rows.map { _ in 0 }
    for (position, node) in nodes.enumerated() where node.isFork || node.isCompared {
      var between: [String] = []
      var above = node.parent
      while let step = above, rowOfNode[step] == nil {
        between.insert(nodes[step].label.name, at: 0)
        above = nodes[step].parent
      }
      let parent = above.flatMap { rowOfNode[$0] }
      var row = row(position, parent: parent ?? (hasCommonAncestor ? root : nil))
      row.note = note(between)
      indents.append(parent.map { indents[$0] + 1 } ?? 0)
      rowOfNode[position] = rows.count
      rows.append(row)
    }
    TreeRow.place(&rows, indents, width)
    return rows
  }

  private func note(_ between: [String]) -> String? {
    switch between.count {
    case 0: nil
    case 1...2: Words[.through, ["taxa": between.joined(separator: Words.comma)]]
    default: Words[.throughMore, ["taxon": between[0], "number": "\(between.count - 1)"]]
    }
  }
}

import STOLPack

extension Icicle {
  /// The icicle as a drawing: rows from top to bottom, on a phone columns from left to right.
  var picture: Picture {
    var marks: [Picture.Mark] = []
    let width = format == .wide ? length : 360
    var y = 0.0
    for ancestor in shownAncestors {
      let box = Box(x: 0, y: y, width: width, height: format.smallestTarget)
      marks.append(
        .link(
          to: Address(.icicle(ancestor.address)), title: Words[.outTo, ["taxon": ancestor.title]],
          [.shape(box.shape(.ancestor))] + TextPiece.labels(ancestor, in: box.inset(4))))
      y += box.height
    }
    let top = cells.first { $0.level == 0 }.map { _ in format.smallestTarget + 24 } ?? 0
    for cell in cells {
      // What has no width is in the list beside.
      guard cell.width >= Self.narrowest else { continue }
      let box =
        cell.level == 0
        ? Box(x: 0, y: y, width: width, height: top) : box(of: cell, below: y + top, width)
      let shape = Picture.Mark.shape(box.shape(.cell(branch: cell.branch)))
      // So is what is too narrow to touch: there it can be touched.
      guard cell.width >= format.smallestTarget else {
        marks.append(shape)
        continue
      }
      let labels = Self.labels(cell, in: box.inset(4))
      marks.append(.link(to: cell.address, title: cell.title, [shape] + labels))
    }
    let deepest = cells.map(\.level).max() ?? 0
    let height =
      y + top + (format == .wide ? Double(deepest) * rowHeight : deepest > 0 ? length : 0)
    return Picture(
      kind: "icicle", id: (clade.map { "\($0.id.rawValue)" } ?? "all") + "-\(format)",
      title: clade.map { Words[.andBelow, ["taxon": $0.name]] } ?? Words[.wholeTree],
      description: words,
      width: width, height: max(height, format.smallestTarget), marks: marks)
  }

  /// What its cells mean.
  private var words: String {
    switch (format, measure) {
    case (.wide, .species): Words[.cellsWideSpecies]
    case (.narrow, .species): Words[.cellsNarrowSpecies]
    case (.wide, .tips): Words[.cellsWideTips]
    case (.narrow, .tips): Words[.cellsNarrowTips]
    }
  }

  /// The root and the nearest: a path of any length leaves room for the clade itself.
  private var shownAncestors: [TaxonLabel] {
    ancestors.count <= 7 ? ancestors : ancestors.prefix(1) + ancestors.suffix(6)
  }

  /// Cells that are narrower than this are not drawn.
  private static let narrowest = 0.5

  private var rowHeight: Double { format == .wide ? 160 : 120 }

  /// Where a cell below the clade's own row lies.
  private func box(of cell: Cell, below y: Double, _ width: Double) -> Box {
    let row = Double(cell.level - 1)
    guard format == .narrow else {
      return Box(x: cell.x, y: y + row * rowHeight, width: cell.width, height: rowHeight)
    }
    let column = width / Double(max(1, cells.map(\.level).max() ?? 1))
    return Box(x: row * column, y: y + cell.x, width: column, height: cell.width)
  }

  private static func labels(_ cell: Cell, in box: Box) -> [Picture.Mark] {
    if let label = cell.label { return TextPiece.labels(label, fact: cell.speciesText, in: box) }
    let count = "+\(Words.grouped(cell.groupedCount))"
    let pieces = [
      TextPiece(Words[.plusMore, ["number": Words.grouped(cell.groupedCount)]], .soft),
      TextPiece(count, .soft),
    ]
    let label =
      pieces.lazy.compactMap { Label($0, in: box) }.first
      ?? pieces.lazy.compactMap { Label($0, down: box) }.first
    return label.map { [.label($0)] } ?? []
  }
}

/// A taxon of a drawn tree: a stop on a line, and beside it what it is.
struct TreeRow: Sendable {
  /// How the stop looks.
  enum Stop: Sendable {
    case plain, end, fork
  }

  /// What stands beside the stop, or nil for stops that are left out.
  var label: TaxonLabel?
  var title: String
  var address: Address
  /// The position of the row above it in the tree, or nil for a root.
  var parent: Int?
  var stop = Stop.plain
  /// The colour of a card behind it, or 0 for none.
  var branch = 0
  var isFavorite = false
  /// A further line, if there is room.
  var note: String?
  /// Whether the line to it is one that all taxa share.
  var isShared = false
  /// The space that it has, its stop at the left side.
  var box = Box(x: 0, y: 0, width: 0, height: 0)

  /// The row of a taxon.
  init(_ label: TaxonLabel, parent: Int?) {
    self.label = label
    self.parent = parent
    title = label.title
    address = Address(.taxon(label.address))
  }

  /// A row for taxa that are left out.
  init(leavingOut count: Int, see address: Address, parent: Int?) {
    self.address = address
    self.parent = parent
    title = Words[.more, count: count]
    note = Words[.plusMore, ["number": Words.grouped(count)]]
  }

  /// Where the stop lies.
  var point: (x: Double, y: Double) { (box.x + 14, box.y + box.height / 2) }

  /// Rows as marks: the lines, and on them the stops with their labels.
  static func marks(_ rows: [TreeRow]) -> [Picture.Mark] {
    rows.compactMap { row in row.parent.map { .shape(row.edge(from: rows[$0])) } }
      + rows.map { row in .link(to: row.address, title: row.title, row.marks) }
  }

  /// Straight down, or round a corner to the right, or in a bow to either side.
  private func edge(from parent: TreeRow) -> Html {
    let (start, end) = (parent.point, point)
    let begin = "M\(start.x.svg) \(start.y.svg)"
    let paint = isShared ? Paint.shared : .edge
    if start.x == end.x { return path(begin + "V\(end.y.svg)", paint) }
    if abs(end.x - start.x) <= TreeRow.greatestIndent {
      let corner = min(10, abs(end.x - start.x))
      return path(
        begin + "V\((end.y - corner).svg)"
          + "Q\(start.x.svg) \(end.y.svg) \((start.x + corner).svg) \(end.y.svg)H\(end.x.svg)",
        paint)
    }
    let middle = ((start.y + end.y) / 2).svg
    return path(
      begin + "C\(start.x.svg) \(middle) \(end.x.svg) \(middle) \(end.x.svg) \(end.y.svg)", paint)
  }

  /// How high a row is.
  static let height = 72.0
  /// How far a row at most stands to the right of the one above it in the tree.
  static let greatestIndent = 32.0

  /// Places rows below each other, each so many steps to the right.
  static func place(_ rows: inout [TreeRow], _ indents: [Int], _ width: Double) {
    let step = min(greatestIndent, width / 3 / Double(max(1, indents.max() ?? 1)))
    for index in rows.indices {
      let x = Double(indents[index]) * step
      rows[index].box = Box(x: x, y: Double(index) * height, width: width - x, height: height)
    }
  }

  private var marks: [Picture.Mark] {
    let (x, y) = point
    var marks: [Picture.Mark] = []
    var text = Box(x: x + 20, y: box.y + 2, width: box.width - 38, height: box.height - 4)
    if branch > 0 {
      let card = Box(
        x: x, y: box.y + 3, width: box.x + box.width - x, height: box.height - 6)
      marks.append(.shape(card.shape(.cell(branch: branch), radius: 12)))
    } else {
      marks.append(.shape(box.shape(.target, [Attribute("pointer-events", "all")])))
    }
    switch stop {
    case .plain: marks.append(.shape(circle(x: x, y: y, radius: 6, .stop)))
    case .end: marks.append(.shape(circle(x: x, y: y, radius: 8, .end)))
    case .fork: marks.append(.shape(circle(x: x, y: y, radius: 11, .fork)))
    }
    if isFavorite {
      marks.append(.shape(Self.heart(x: box.x + box.width - 22, y: y)))
      text.width -= 28
    }
    return marks + Self.labels(label, note: note, in: text)
  }

  /// A heart of 20 by 18 units about a point.
  private static func heart(x: Double, y: Double) -> Html {
    func at(_ dx: Double, _ dy: Double) -> String { "\((x + dx).svg) \((y + dy).svg)" }
    return path(
      "M\(at(0, 9))C\(at(-14, 0)) \(at(-10, -9)) \(at(-5, -9))C\(at(-2, -9)) \(at(0, -7)) \(at(0, -5))"
        + "C\(at(0, -7)) \(at(2, -9)) \(at(5, -9))C\(at(10, -9)) \(at(14, 0)) \(at(0, 9))Z", .heart)
  }

  /// Names, rank and a further line in a box, as much as fits; all begin on its left side.
  private static func labels(
    _ label: TaxonLabel?, note: String?, in box: Box
  ) -> [Picture.Mark] {
    let capacity = Int(box.height / Label.lineHeight)
    var lines: [TextPiece] = []
    var badge: String?
    if let label {
      let scientific = TextPiece(label.scientificName, .scientific)
      let first = label.piece.wrapped(width: box.width, lines: min(2, capacity))
      lines = first ?? scientific.wrapped(width: box.width, lines: min(2, capacity)) ?? []
      if first != nil, label.commonName != nil, scientific.width <= box.width {
        lines.append(scientific)
      }
      badge = Words.rank(label.rank)
    }
    lines = Array(lines.prefix(capacity))
    let badgeWidth = badge.map { Label.width(of: $0) + 16 } ?? 0
    let nextToName = lines.count == 1 || lines.count == 2 && lines[1].role != lines[0].role
    let isBesideName = nextToName && (lines.first?.width ?? 0) + 10 + badgeWidth <= box.width
    var count = lines.count
    let hasLineForBadge = !isBesideName && count < capacity && badgeWidth <= box.width
    if badge != nil, hasLineForBadge { count += 1 }
    let notePiece = note.map { TextPiece($0, .soft) }
    let showsNote = notePiece.map { count < capacity && $0.width <= box.width } ?? false
    if showsNote { count += 1 }
    var y = box.y + (box.height - Double(count - 1) * Label.lineHeight) / 2
    var marks: [Picture.Mark] = []
    for (index, line) in lines.enumerated() {
      marks.append(.label(Label(line, x: box.x, middle: y)))
      if let badge, index == 0, isBesideName {
        marks += self.badge(badge, x: box.x + line.width + 10, middle: y)
      }
      y += Label.lineHeight
    }
    if let badge, hasLineForBadge {
      marks += self.badge(badge, x: box.x, middle: y)
      y += Label.lineHeight
    }
    if let notePiece, showsNote {
      marks.append(.label(Label(notePiece, x: box.x, middle: y)))
    }
    return marks
  }

  private static func badge(_ text: String, x: Double, middle y: Double) -> [Picture.Mark] {
    let pill = Box(
      x: x, y: y - Label.lineHeight / 2, width: Label.width(of: text) + 16,
      height: Label.lineHeight)
    let label = Label(TextPiece(text, .rank), in: pill).map { [Picture.Mark.label($0)] } ?? []
    return [.shape(pill.shape(.badge, radius: pill.height / 2))] + label
  }
}

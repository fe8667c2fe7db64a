/// A text that is yet to be placed.
struct TextPiece: Equatable, Sendable {
  let text: String
  let language: String?
  let role: Label.Role

  init(_ text: String, _ role: Label.Role = .name, _ language: String? = nil) {
    self.text = text
    self.language = language
    self.role = role
  }

  /// Its width, by estimate.
  var width: Double { Label.width(of: text) }

  /// It as lines, broken between words; nil if it needs more lines or a word is too long.
  func wrapped(width: Double, lines: Int) -> [TextPiece]? {
    var texts: [String] = []
    for word in text.split(separator: " ") {
      if let last = texts.last, Label.width(of: "\(last) \(word)") <= width {
        texts[texts.count - 1] = "\(last) \(word)"
      } else {
        texts.append(String(word))
      }
    }
    guard texts.count <= lines, texts.allSatisfy({ Label.width(of: $0) <= width }) else {
      return nil
    }
    return texts.map { TextPiece($0, role, language) }
  }

  /// The names of a taxon and a further fact in a box, as much as fits.
  ///
  /// From all of it to the name alone: beside each other, below each other, with the name broken
  /// between its words, downwards; last the scientific name where the common one is too long.
  static func labels(
    _ label: TaxonLabel, fact: String? = nil, in box: Box
  ) -> [Picture.Mark] {
    let name = [label.piece]
    let second = label.commonName == nil ? [] : [TextPiece(label.scientificName, .scientific)]
    let third = fact.map { [TextPiece($0, .soft)] } ?? []
    let broken = label.piece.wrapped(width: box.width, lines: 4)
    let inLines = [
      name + second + third, name + second, name + third, name, broken.map { $0 + second }, broken,
    ]
    let inColumns =
      box.height > box.width ? [label.piece.wrapped(width: box.height, lines: 2)] : []
    let found =
      (box.height < 3 * Label.lineHeight ? row(name + second + third, in: box) : nil)
      ?? inLines.lazy.compactMap { $0.flatMap { lines($0, in: box) } }.first
      ?? inColumns.lazy.compactMap { $0.flatMap { columns($0, in: box) } }.first
      ?? (second.isEmpty ? nil : lines(second, in: box) ?? columns(second, in: box))
    return found?.map { .label($0) } ?? []
  }

  /// The pieces beside each other; nil if they do not fit.
  static func row(_ pieces: [TextPiece], in box: Box) -> [Label]? {
    let gap = 10.0
    let widths = pieces.map(\.width)
    let width = widths.reduce(gap * Double(pieces.count - 1), +)
    guard width <= box.width, Label.lineHeight <= box.height else { return nil }
    var x = box.x + (box.width - width) / 2
    return zip(pieces, widths).map { piece, width in
      defer { x += width + gap }
      return Label(piece, x: x, middle: box.y + box.height / 2)
    }
  }

  /// The pieces below each other, in the middle of a box; nil if they do not fit.
  static func lines(_ pieces: [TextPiece], in box: Box) -> [Label]? {
    let top = box.y + (box.height - Label.lineHeight * Double(pieces.count)) / 2
    guard top >= box.y else { return nil }
    var labels: [Label] = []
    for (index, piece) in pieces.enumerated() {
      let y = top + Label.lineHeight * Double(index)
      let line = Box(x: box.x, y: y, width: box.width, height: Label.lineHeight)
      guard let label = Label(piece, in: line) else { return nil }
      labels.append(label)
    }
    return labels
  }

  /// The pieces running down, the first one on the right; nil if they do not fit.
  static func columns(_ pieces: [TextPiece], in box: Box) -> [Label]? {
    let right = box.x + (box.width + Label.lineHeight * Double(pieces.count)) / 2
    guard right <= box.x + box.width else { return nil }
    var labels: [Label] = []
    for (index, piece) in pieces.enumerated() {
      let x = right - Label.lineHeight * Double(index + 1)
      let column = Box(x: x, y: box.y, width: Label.lineHeight, height: box.height)
      guard let label = Label(piece, down: column) else { return nil }
      labels.append(label)
    }
    return labels
  }
}

extension TaxonLabel {
  /// The name that is shown first.
  var piece: TextPiece {
    commonName.map { TextPiece($0, .name, language) } ?? TextPiece(scientificName, .scientific)
  }
}

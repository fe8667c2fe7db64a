extension Icicle {
  /// The same clades as nested lists.
  var list: Html { list(below: nil) }

  private func list(below parent: Int?) -> Html {
    let children = cells.indices.filter { cells[$0].parent == parent }
    guard !children.isEmpty else { return Html() }
    return tag("ul", .class("clades")) {
      children.map { index in
        tag("li") {
          item(cells[index])
          list(below: index)
        }
      }
    }
  }

  private func item(_ cell: Cell) -> Html {
    Html {
      cell.label.map { $0.item(to: cell.address) }
        ?? tag("a", .href(cell.address)) { "and \(Words.grouped(cell.groupedCount)) more" }
      cell.speciesText.map { ", " + $0 } ?? ""
    }
  }
}

extension Icicle.Cell {
  /// "1,234 species"; nil for a species itself, and where none is known.
  var speciesText: String? {
    speciesCount == 0 || label?.rank == "species" ? nil : "\(Words.grouped(speciesCount)) species"
  }

  /// All of it in a line.
  var title: String {
    let name = label?.title ?? "\(Words.grouped(groupedCount)) more"
    return name + (speciesText.map { ", " + $0 } ?? "")
  }
}

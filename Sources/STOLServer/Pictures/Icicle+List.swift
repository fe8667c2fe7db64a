extension Icicle {
  /// The same clades as nested lists.
  var list: Html { nestedLists(cells.map(\.parent)) { item(cells[$0]) } }

  private func item(_ cell: Cell) -> Html {
    Html {
      cell.label.map { $0.item(to: cell.address) }
        ?? tag("a", .href(cell.address)) {
          Words[.andMore, ["number": Words.grouped(cell.groupedCount)]]
        }
      cell.speciesText.map { Words.comma + $0 } ?? ""
    }
  }
}

extension Icicle.Cell {
  /// "1,234 species"; nil for a species itself, and where none is known.
  var speciesText: String? {
    speciesCount == 0 || label?.rank == "species" ? nil : Words[.speciesCount, count: speciesCount]
  }

  /// All of it in a line.
  var title: String {
    let name = label?.title ?? Words[.more, count: groupedCount]
    return name + (speciesText.map { Words.comma + $0 } ?? "")
  }
}

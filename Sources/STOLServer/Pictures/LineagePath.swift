import STOLAnswers
import STOLPack

/// The way from the root to a taxon, with a stop for every ancestor.
struct LineagePath: Sendable {
  /// The root first, the taxon itself last.
  let stops: [TaxonLabel]

  /// The way to a taxon.
  ///
  /// - Complexity: O(depth)
  init(
    to taxon: TaxonOrdinal, in view: borrowing PackView,
    _ preference: borrowing LanguagePreference
  ) {
    stops = TaxonLabel.labels(of: view.tree.ancestors(of: taxon) + [taxon], in: view, preference)
  }

  /// The way as a drawing, from top to bottom.
  func picture(_ format: PictureFormat) -> Picture {
    let width = format == .wide ? 720.0 : 360
    var rows: [TreeRow] = []
    for (index, label) in stops.enumerated() {
      var row = TreeRow(label, parent: index == 0 ? nil : index - 1)
      row.stop = index == stops.count - 1 ? .end : .plain
      rows.append(row)
    }
    TreeRow.place(&rows, rows.map { _ in 0 }, width)
    let name = stops.last?.name ?? ""
    return Picture(
      kind: "lineage", id: "\(stops.last?.id.rawValue ?? 0)-\(format)",
      title: Words[.wayTo, ["taxon": name]], description: Words[.wayDescription, ["taxon": name]],
      width: width, height: TreeRow.height * Double(rows.count), marks: TreeRow.marks(rows))
  }

  /// The same taxa as a list.
  var list: Html {
    itemList("ol", class: "lineage", of: stops) { $0.item(to: Address(.taxon($0.address))) }
  }

  /// Adds the members of its twin for programs.
  func write(to json: inout RowWriter) {
    json.objects("stops", stops) { json, stop in
      stop.write(to: &json)
      json.text("href", Address(.taxon(stop.address)).text)
    }
  }
}

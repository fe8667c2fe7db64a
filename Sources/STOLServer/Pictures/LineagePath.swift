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
    var stops: [TaxonLabel] = []
    for ancestor in view.tree.ancestors(of: taxon) + [taxon] {
      stops.append(TaxonLabel(ancestor, in: view, preference))
    }
    self.stops = stops
  }

  /// The way as a drawing, from top to bottom.
  func picture(_ format: PictureFormat) -> Picture {
    let height = 72.0
    let width = format == .wide ? 720.0 : 360
    var rows: [TreeRow] = []
    for (index, label) in stops.enumerated() {
      var row = TreeRow(label, parent: index == 0 ? nil : index - 1)
      row.stop = index == stops.count - 1 ? .end : .plain
      row.box = Box(x: 0, y: Double(index) * height, width: width, height: height)
      rows.append(row)
    }
    let name = stops.last?.name ?? ""
    return Picture(
      kind: "lineage", id: "\(stops.last?.id.rawValue ?? 0)-\(format)",
      title: "The way to \(name)",
      description: "From the root of the tree at the top to \(name) at the bottom, "
        + "with a stop for every ancestor.",
      width: width, height: height * Double(rows.count), marks: TreeRow.marks(rows))
  }

  /// The same taxa as a list.
  var list: Html {
    tag("ol", .class("lineage")) {
      stops.map { stop in tag("li") { stop.item(to: Address(.taxon(stop.id))) } }
    }
  }

  /// Adds the members of its twin for programs.
  func write(to json: inout RowWriter) {
    json.objects("stops", stops) { json, stop in
      stop.write(to: &json)
      json.text("href", Address(.taxon(stop.id)).text)
    }
  }
}

import STOLMatch
package import STOLPack

extension Schema {
  /// Writes what became of a name, for JSON: under the names of `stol match`'s columns what these hold,
  /// numbers as numbers, lists as arrays, and null where a cell is empty.
  ///
  /// The member `ranks` names the ancestors of `ranks`.
  package static func write(
    _ row: MatchedRow, ranks: [RankColumn], _ view: borrowing PackView, to writer: inout RowWriter
  ) {
    let match = row.match
    func cell(_ column: MatchColumn) -> String? {
      var bytes: [UInt8] = []
      column.append(match, row.query, view, to: &bytes)
      return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
    }
    writer.text("input", row.query.name)
    writer.text("status", cell(.status))
    writer.number("score", cell(.score).flatMap { Int($0) })
    writer.text("reason", cell(.reason))
    writer.id("taxonID", match.taxon, view)
    writer.text("acceptedName", cell(.acceptedName))
    writer.text("acceptedAuthorship", cell(.acceptedAuthorship))
    writer.text("rank", cell(.rank))
    writer.text("matchedName", cell(.matchedName))
    writer.text("matchedAuthorship", cell(.matchedAuthorship))
    writer.nameID("matchedID", cell(.matchedID), isJSONNumber: view.ids.fitJSONNumbers)
    writer.number("edits", cell(.edits).flatMap { Int($0) })
    writer.array("lineage") { writer in
      guard let taxon = match.taxon else { return }
      for ancestor in view.tree.ancestors(of: taxon) + [taxon] where !view.isImplied(ancestor) {
        writer.text(nil, ancestor, view)
      }
    }
    if let taxon = match.taxon, !ranks.isEmpty {
      RankColumn.write(ranks, of: taxon, view, to: &writer)
    } else {
      writer.null("ranks")
    }
    writer.objects("candidates", match.candidates) { writer, candidate in
      write(candidate, view, to: &writer)
    }
  }

  private static func write(
    _ candidate: MatchCandidate, _ view: borrowing PackView, to writer: inout RowWriter
  ) {
    writer.id("taxonID", candidate.taxon, view)
    writer.text("acceptedName", candidate.taxon, view)
    writer.text("rank", view.rank(of: candidate.taxon).rawValue)
    writer.text("matchedName", candidate.name, view)
    writer.text("matchedAuthorship", view.record(of: candidate.name).authorship)
    writer.text("difference", candidate.difference.rawValue)
    writer.number("edits", candidate.edits)
    writer.objects("points", candidate.points) { writer, point in
      writer.text("part", point.part)
      writer.number("value", point.value)
    }
  }
}

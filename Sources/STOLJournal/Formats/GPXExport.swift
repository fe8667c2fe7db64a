/// Writes places, individuals and occurrences as waypoints of GPX 1.1.
///
/// A place is a waypoint where it has a position. An individual is one, with the time when it was seen last.
/// An occurrence is one where it is of no individual, or has a position of its own. Times are moments in UTC, as
/// GPX wants them, and only where the offset of the clock is known. What the journal knows is beside it in any case,
/// in elements of a namespace of stol that are called like the columns of a table: an import knows them again.
enum GPXExport {
  /// The namespace of the elements in `extensions`.
  static let namespace = "urn:stol:journal:1"

  static func write(
    _ journal: JournalFile, _ query: SightingQuery?, _ sharing: Sharing?, by writer: String,
    to sink: inout ExportSink
  ) throws -> ExportReport {
    try journal.withRecords(of: query, by: sharing) { records in
      var export = MapExport(records, .points)
      var xml = XMLText()
      try sink.append(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="\(xml.escaped(writer))" xmlns="http://www.topografix.com/GPX/1/1" \
        xmlns:stol="\(namespace)">

        """)
      try export.forEach { output in
        guard let position = output.position else { return }
        try sink.append(waypoint(output, at: position, &xml))
      }
      try sink.append("</gpx>\n")
      var report = export.report
      report.lose("control characters (replaced)", xml.replacedCount)
      return report
    }
  }

  /// A waypoint with its elements in the order of the schema.
  private static func waypoint(
    _ output: MapOutput, at position: Position, _ xml: inout XMLText
  ) -> String {
    // 180 degrees east are west for GPX.
    let isEdge = position.longitudeE7 == 180 * Position.unitsPerDegree
    let longitude = isEdge ? "-180" : position.longitudeText
    var text = "<wpt lat=\"\(position.latitudeText)\" lon=\"\(longitude)\">"
    text += xml.element("ele", output.elevationCm.map { DecimalText.text($0, decimals: 2) })
    text += xml.element("time", output.moment)
    text += xml.element("name", output.name)
    text += xml.element("cmt", output.comment)
    text += xml.element("desc", output.text)
    text += xml.element("type", output.type)
    text += "<extensions>"
    for cell in output.cells { text += xml.element("stol:\(cell.field.rawValue)", cell.text) }
    return text + "</extensions></wpt>\n"
  }
}

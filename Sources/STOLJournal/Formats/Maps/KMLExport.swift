/// Writes places, individuals and occurrences as placemarks of KML 2.2, of which each has a point.
///
/// They are those of GPX; what the journal knows is beside each, as data with the names of the columns of a table.
enum KMLExport {
  static func write(
    _ journal: JournalFile, _ query: SightingQuery?, _ sharing: Sharing?, to sink: inout ExportSink
  ) throws -> ExportReport {
    try journal.withRecords(of: query, by: sharing) { records in
      var export = MapExport(records, .points)
      var xml = XMLText()
      try sink.append(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <kml xmlns="http://www.opengis.net/kml/2.2"><Document>

        """)
      try export.forEach { output in
        guard let position = output.position else { return }
        try sink.append(placemark(output, at: position, &xml))
      }
      try sink.append("</Document></kml>\n")
      var report = export.report
      report.lose("control characters (replaced)", xml.replacedCount)
      return report
    }
  }

  /// A placemark with its elements in the order of the schema.
  private static func placemark(
    _ output: MapOutput, at position: Position, _ xml: inout XMLText
  ) -> String {
    var text = "<Placemark>"
    text += xml.element("name", output.name)
    text += xml.element("description", output.text ?? output.comment)
    let day = output.made.flatMap { $0.time.hasTimeOfDay ? nil : $0.time.text }
    if let time = output.moment ?? day {
      text += "<TimeStamp>" + xml.element("when", time) + "</TimeStamp>"
    }
    text += "<ExtendedData>"
    for cell in output.cells {
      text += "<Data name=\"\(cell.field.rawValue)\">" + xml.element("value", cell.text) + "</Data>"
    }
    text += "</ExtendedData><Point><coordinates>"
    text += "\(position.longitudeText),\(position.latitudeText)"
    return text + "</coordinates></Point></Placemark>\n"
  }
}

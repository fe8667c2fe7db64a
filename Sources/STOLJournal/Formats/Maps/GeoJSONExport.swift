/// Writes places and occurrences, and individuals without any, as features of GeoJSON (RFC 7946).
///
/// Properties are called like the columns of a table, and an import knows them again; what is a number there is one
/// here. The geometry is a point, and null where nobody knows a position.
enum GeoJSONExport {
  static func write(
    _ journal: JournalFile, _ query: SightingQuery?, _ sharing: Sharing?, to sink: inout ExportSink
  ) throws -> ExportReport {
    try journal.withRecords(of: query, by: sharing) { records in
      var export = MapExport(records, .features)
      try sink.append("{\"type\":\"FeatureCollection\",\"features\":[")
      var isFirst = true
      try export.forEach { output in
        try sink.append(isFirst ? "\n" : ",\n")
        isFirst = false
        try sink.append(feature(output))
      }
      try sink.append("\n]}\n")
      return export.report
    }
  }

  private static func feature(_ output: MapOutput) throws -> String {
    let properties = try output.cells.map { cell in
      let isPlain = cell.field.isNumber && ExactDecimal(cell.text) != nil
      let value = isPlain ? cell.text : try JSONText.quoted(cell.text)
      return "\"\(cell.field.rawValue)\":\(value)"
    }
    let geometry = output.position.map { position in
      let point = "\(position.longitudeText),\(position.latitudeText)"
      return "{\"type\":\"Point\",\"coordinates\":[\(point)]}"
    }
    return "{\"type\":\"Feature\",\"id\":\"\(output.id)\",\"geometry\":\(geometry ?? "null"),"
      + "\"properties\":{\(properties.joined(separator: ","))}}"
  }
}

extension TableField {
  /// Whether the cells of an export are numbers.
  fileprivate var isNumber: Bool {
    switch self {
    case .count, .utcOffset, .taxonYear, .effortValue: true
    default: unit != nil || rawValue.hasSuffix("latitude") || rawValue.hasSuffix("longitude")
    }
  }
}

import STOLJournal
import STOLSystem

/// What somebody wants to give out of the journal: in which format, and for whom.
struct JournalExportChoice: Sendable {
  let format: ExportFormat
  /// Whether it is for oneself, with everything as it is; else others may have what the journal lets them.
  let isExact: Bool
  /// What a Darwin Core archive says of itself.
  let dataset: DatasetDescription?
  /// What somebody wrote in the fields for that, right or wrong.
  let datasetFields: Fields

  /// The fields of a form beside those of the filter.
  static let fieldNames = ["format", "for", "licence", "creator", "title"]

  /// What the fields of an address or of a form say; nil where no format was chosen yet.
  ///
  /// - Throws: `JournalError.invalid`
  init?(_ fields: Fields) throws(JournalError) {
    guard let word = fields["format"] else { return nil }
    guard let format = ExportFormat(rawValue: word) else {
      throw .invalid(
        field: "format", value: word,
        remedy: "one of \(ExportFormat.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    self.format = format
    switch fields["for"] ?? "others" {
    case "myself": isExact = true
    case "others": isExact = false
    case let other:
      throw .invalid(field: "for", value: other, remedy: "myself or others")
    }
    guard isExact || format != .archive else {
      throw .invalid(
        field: "format", value: word,
        remedy: "an archive has everything exactly: for others choose another one")
    }
    var datasetFields = Fields()
    for name in ["licence", "creator", "title"] { datasetFields.append(name, fields[name]) }
    self.datasetFields = datasetFields
    guard format == .dwca else {
      dataset = nil
      return
    }
    guard let licence = fields["licence"].flatMap({ DatasetDescription.Licence(rawValue: $0) })
    else {
      throw .invalid(
        field: "licence", value: fields["licence"] ?? "",
        remedy: "say what others may do with a Darwin Core archive")
    }
    guard let creator = fields["creator"] else {
      throw .invalid(
        field: "creator", value: "", remedy: "say whose records a Darwin Core archive has")
    }
    dataset = try DatasetDescription(licence: licence, creator: creator, title: fields["title"])
  }

  /// The fields that say the same.
  var fields: Fields {
    var fields = datasetFields
    fields.append("format", format.rawValue)
    fields.append("for", isExact ? "myself" : "others")
    return fields
  }

  /// What a browser takes the file for.
  var mediaType: String {
    switch format {
    case .json, .treetracker, .umilog: "application/json"
    case .jsonl: "application/x-ndjson"
    case .csv, .ebird, .inaturalist: "text/csv; charset=utf-8"
    case .tsv: "text/tab-separated-values; charset=utf-8"
    case .gpx: "application/gpx+xml"
    case .geojson: "application/geo+json"
    case .kml: "application/vnd.google-earth.kml+xml"
    case .kmz: "application/vnd.google-earth.kmz"
    case .dwca: "application/zip"
    case .subsurface, .uddf: "application/xml"
    case .archive: "application/octet-stream"
    }
  }

  /// The formats, by what they are for, each with what it is.
  static let groups: [(title: String, formats: [(ExportFormat, String)])] = [
    (
      "All of it",
      [
        (.archive, "Archive of stol, with the photos"), (.json, "JSON"),
        (.jsonl, "JSON, a record a line"),
      ]
    ),
    (
      "Tables",
      [(.csv, "CSV, for a spreadsheet"), (.tsv, "TSV, with tabs")]
    ),
    (
      "Maps",
      [
        (.gpx, "GPX, for a GPS device"), (.geojson, "GeoJSON"), (.kml, "KML"),
        (.kmz, "KMZ, KML made small"),
      ]
    ),
    (
      "Dives",
      [(.subsurface, "Subsurface"), (.uddf, "UDDF"), (.umilog, "UmiLog")]
    ),
    (
      "Other programs",
      [
        (.treetracker, "Tree Tracker"), (.ebird, "eBird"), (.inaturalist, "iNaturalist"),
        (.dwca, "Darwin Core archive, for GBIF"),
      ]
    ),
  ]
}

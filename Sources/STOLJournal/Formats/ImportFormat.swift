package import STOLFormats

/// The formats of files that are imported.
public enum ImportFormat: String, CaseIterable, Sendable {
  /// Comma-separated values with a header, by a mapping.
  case csv
  /// Tab-separated values, likewise.
  case tsv
  /// Records of the journal, one a line.
  case jsonl
  /// Records of the journal in one document.
  case json
  /// The export of Tree Tracker.
  case treetracker
  /// What the watch of Tree Tracker sends.
  case watchtree
  /// The tables of UmiLog.
  case umilog
  /// One's own observations as eBird gives them out.
  case ebird
  /// Observations of iNaturalist: a table that it exports, or what its API answers with.
  case inaturalist
  /// A Darwin Core archive, or its table of occurrences alone.
  case dwca
  /// Waypoints, tracks and routes, GPX 1.0 or 1.1.
  case gpx
  /// Features of GeoJSON (RFC 7946), in one document or one after another.
  case geojson
  /// Placemarks of KML 2.2; a KMZ archive has them in a file.
  case kml
  /// A log of Subsurface, or a list of dives that it exports.
  case subsurface
  /// Dives as UDDF.
  case uddf
  /// A dive of a computer of Garmin or Suunto.
  case fit
  /// An archive of the journal, sealed or not.
  case archive

  /// What a file without a name is called.
  package static let standardInput = "standard input"

  /// Whether it is a table, whose columns a mapping explains.
  package var isTable: Bool { self == .csv || self == .tsv }

  /// Whether it is a map, whose features may have columns too.
  package var isMap: Bool { self == .gpx || self == .kml || self == .geojson }

  /// The layout of JSON that it is; nil for what is none.
  package var layout: JSONLayout? { JSONLayout(rawValue: rawValue) }

  /// The format of a file and the file, at its beginning.
  ///
  /// - Parameter stream: the file, at its beginning; nobody else reads it.
  /// - Returns: what its first bytes say, and all of it.
  /// - Throws: `UnreadFile` for one that is not read; `FormatError`
  package static func detect(
    _ stream: SourceStream
  ) throws -> (format: ImportFormat, stream: SourceStream) {
    let (head, whole) = try peek(stream)
    if let root = XMLRoot.name(in: head), root == "gpx" || root == "kml" {
      return (root == "gpx" ? .gpx : .kml, whole)
    }
    if let format = DiveFormat.detect(head) { return (format, whole) }
    if let unread = UnreadFile(name: stream.name, head: head) { throw unread }
    if let format = ofRecords(head) { return (format, whole) }
    let mark = head.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let first = head.dropFirst(mark).first { $0 != 0x20 && !(0x09...0x0D).contains($0) }
    if let layout = JSONLayout.detect(head), let format = ImportFormat(rawValue: layout.rawValue) {
      return (format, whole)
    }
    if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") { return (.jsonl, whole) }
    let delimiter = TableLayout.guess(fileName: stream.name, head: head).delimiter
    return (delimiter == [UInt8(ascii: "\t")] ? .tsv : .csv, whole)
  }

  /// The first bytes of a stream, and all of it.
  package static func peek(
    _ stream: SourceStream
  ) throws(FormatError) -> (head: [UInt8], whole: SourceStream) {
    var head: [UInt8] = []
    while head.count < headByteCount {
      let bytes = try stream.next()
      if bytes.isEmpty { break }
      head += bytes
    }
    var pending: [UInt8]? = head.isEmpty ? nil : head
    let whole = SourceStream(name: stream.name) { () throws(FormatError) in
      if let bytes = pending {
        pending = nil
        return bytes
      }
      return try stream.next()
    }
    return (head, whole)
  }

  static let headByteCount = 1 << 16
}

/// The layouts of JSON that the journal reads.
public enum JSONLayout: String, CaseIterable, Sendable {
  /// One JSON document by Format/journal.schema.json.
  case json
  /// Its records, one a line.
  case jsonl
  /// The export of Tree Tracker.
  case treetracker
  /// What the watch of Tree Tracker sends.
  case watchtree
  /// The tables of UmiLog.
  case umilog
  /// Features of GeoJSON.
  case geojson

  /// The layout of a file, by the members of the first object in it; nil where it is none of them.
  ///
  /// - Parameter bytes: the first bytes of the file, which may end anywhere.
  /// - Returns: the layout.
  /// - Complexity: O(number of bytes)
  package static func detect(_ bytes: [UInt8]) -> JSONLayout? {
    var scanner = JSONScanner(bytes)
    // A sequence of texts (RFC 8142) is of features.
    let isSequence = scanner.take("\u{1E}")
    let isList = scanner.take("[")
    guard scanner.take("{") else { return nil }
    var names: Set<String> = []
    var type: String?
    repeat {
      guard let name = try? scanner.name() else { break }
      names.insert(name)
      // What follows may be cut.
      guard let node = try? scanner.node() else { break }
      if name == "type" { type = node.shown }
    } while scanner.take(",")
    if !isList {
      let hasFeatures = type.map { geoTypes.contains($0) } ?? names.contains("features")
      if hasFeatures || isSequence { return .geojson }
      if names.contains("recordKind") { return .jsonl }
      if names.contains("format"), names.contains("records") || names.contains("version") {
        return .json
      }
      if !names.isDisjoint(with: ["sites", "dives", "sightings", "list_state"]) { return .umilog }
    }
    if names.contains("capturedAt") { return .watchtree }
    let isTree = names.contains("species") || names.contains("createdAt")
    let isSomewhere = names.contains("latitude") || names.contains("lat")
    return isTree && isSomewhere ? .treetracker : nil
  }

  /// What the objects of GeoJSON say that they are.
  private static let geoTypes: Set<String> = [
    "FeatureCollection", "Feature", "Point", "MultiPoint", "LineString", "MultiLineString",
    "Polygon", "MultiPolygon", "GeometryCollection",
  ]

  /// What reads the layout.
  ///
  /// - Parameters:
  ///   - chunks: the file.
  ///   - photos: what becomes of photos that lie in it; those of records by Format/journal.schema.json do not.
  ///   - mapping: what the properties of features say, where somebody states it.
  ///   - acceptsNullIsland: whether 0 N 0 E is a place like others.
  /// - Returns: the reader.
  /// - Throws: `JournalError.invalid` for a file that is not of this layout; what `chunks` throws.
  package func reader(
    _ chunks: ByteChunks, photos: PhotoImport = PhotoImport(.skip),
    mapping: TableMapping = TableMapping(), acceptsNullIsland: Bool = false
  ) throws -> any ImportReader {
    switch self {
    case .json: try JournalDocumentReader(chunks)
    case .jsonl: JournalLinesReader(chunks)
    case .treetracker: try TreeTrackerReader(chunks, .export, photos: photos)
    case .watchtree: try TreeTrackerReader(chunks, .watch, photos: photos)
    case .umilog: try UmiLogReader(chunks)
    case .geojson:
      try MapReader(
        GeoJSONSource(chunks), .geojson, mapping, acceptsNullIsland: acceptsNullIsland)
    }
  }
}

import STOLFormats

/// Makes records of the features of a file of a map.
///
/// A feature with the columns of an export of the journal is what that wrote. With a mapping, or with a name of a taxon
/// and a date under names that are usual for them, one is an occurrence. All others are places, or visits where they
/// say when they were.
package final class MapReader: ImportReader {
  private var source: any MapSource
  private let format: ImportFormat
  private let mapping: TableMapping
  private let acceptsNullIsland: Bool
  private var seenColumns: Set<String> = []
  private var left = ImportBeside()
  private var isAtEnd = false
  private var lastPosition: Position?
  /// The mappings of features of before, by the names of their columns.
  private var known: [[String]: TableMapping?] = [:]
  private static let knownLimit = 64

  init(
    _ source: any MapSource, _ format: ImportFormat, _ mapping: TableMapping,
    acceptsNullIsland: Bool
  ) throws(JournalError) {
    try mapping.requireSource()
    self.source = source
    self.format = format
    self.mapping = mapping
    self.acceptsNullIsland = acceptsNullIsland
  }

  /// What reads the features of a file.
  ///
  /// - Throws: `JournalError` for a file that is too large, and for a format that is none of a map.
  static func source(_ stream: SourceStream, _ format: ImportFormat) throws -> any MapSource {
    switch format {
    case .gpx: return try GPXSource(stream)
    case .kml: return try KMLSource(stream)
    case .geojson: return try GeoJSONSource(ByteChunks(stream))
    default:
      throw JournalError.invalid(
        field: "format", value: format.rawValue, remedy: "gpx, kml or geojson")
    }
  }

  package var beside: ImportBeside {
    var beside = left
    beside.leftOut.merge(source.left) { $0 + $1 }
    guard isAtEnd else { return beside }
    for entry in mapping.entries where !seenColumns.contains(entry.column) {
      beside.leftOut["mapped \"\(entry.column)\", which nothing in the file has"] = 1
    }
    return beside
  }

  package func next() throws -> Result<ImportRow, ImportRefusal>? {
    guard let found = try source.next() else {
      isAtEnd = true
      return nil
    }
    do {
      return .success(try row(found.get()))
    } catch let refusal as ImportRefusal {
      return .failure(refusal)
    }
  }

  private func row(_ feature: MapFeature) throws -> ImportRow {
    if let own = own(feature) { return try ownRow(feature, own) }
    let feature = settled(feature)
    var row: ImportRow
    if let mapping = mapping.entries.isEmpty ? usual(feature) : mapping {
      var records = try table(
        feature, mapping, isOwn: false, source: self.mapping.source ?? format.rawValue)
      row = try records.make().row
      leave(feature, but: Set(mapping.entries.map(\.column)))
    } else {
      row = try MapRecords(feature: feature, source: self.mapping.source).row()
      leave(feature, but: feature.kept)
    }
    if feature.hasHeight, !row.records.contains(where: { $0.hasElevation }) {
      left.leave(["\(feature.kind.rawValue).height"])
    }
    row.add(credit: mapping.credit ?? source.credit)
    row.flags = feature.flags + row.flags
    row.hasExtent = !feature.shape.isPoint
    if let dilution = feature.dilution, let accuracy = feature.uncertaintyM {
      row.members["uncertainty_m"] = ImportMember(
        name: "hdop", shown: "\(dilution), about \(accuracy) m")
    }
    guard let position = feature.shape.position else { return row }
    if let lastPosition, TableImportReader.isSwapped(position, beside: lastPosition) {
      row.flags.append(
        ImportFlag(
          column: "latitude", value: position.latitudeText,
          reason:
            "lies far from what is before it, and would lie near it with latitude and longitude "
            + "swapped"))
    } else {
      lastPosition = position
    }
    return row
  }

  /// A feature without its points at 0 N 0 E, where that is no place like others.
  private func settled(_ feature: MapFeature) -> MapFeature {
    var feature = feature
    if acceptsNullIsland { feature.shape.takeNullIsland() }
    if feature.shape.leftOutCount > 0 {
      var flag = RowChecks.leftOutNullIsland
      let count = feature.shape.leftOutCount
      flag.column = count == 1 ? "a point" : "\(count) points"
      feature.flags.append(flag)
    }
    if feature.kind == .placemark || feature.kind == .feature, feature.shape.count > 0,
      !feature.shape.isPoint
    {
      feature.left.append("shape (kept as its middle)")
    }
    return feature
  }

  /// Counts what of a feature is in none of its records.
  private func leave(_ feature: MapFeature, but kept: Set<String>) {
    let names = feature.columns.map(\.name).filter { !kept.contains($0) }
    left.leave(Set(feature.left + names).sorted().map { "\(feature.kind.rawValue).\($0)" })
  }

  /// What an export of the journal wrote of an occurrence, or of a place or an individual alone.
  private func ownRow(_ feature: MapFeature, _ mapping: TableMapping) throws -> ImportRow {
    var records = try table(feature, mapping, isOwn: true, source: "")
    let row = records.row
    var result =
      row.text(.occurrenceUUID) == nil
      ? try records.makeWithoutOccurrence() : try records.make().row
    guard !result.records.isEmpty else {
      throw row.refusal(.placeUUID, "is that of nothing", "a place has a name, in the column place")
    }
    result.flags = feature.flags + result.flags
    let stated = try [
      row.position(.occurrenceLatitude, .occurrenceLongitude, .occurrenceUncertainty),
      row.position(.organismLatitude, .organismLongitude, .organismUncertainty),
      row.position(.eventLatitude, .eventLongitude, .eventUncertainty),
      row.position(.placeLatitude, .placeLongitude, .placeUncertainty),
    ].compactMap { $0 }
    if let shown = feature.shape.position, !stated.isEmpty,
      !stated.contains(where: { $0.isShown(as: shown) })
    {
      result.flags.append(
        ImportFlag(
          column: "latitude", value: shown.latitudeText,
          reason: "was moved by another program: what the journal wrote beside it holds"))
    }
    return result
  }

  // MARK: - Columns

  /// The columns of an export of the journal, where a feature has those.
  private func own(_ feature: MapFeature) -> TableMapping? {
    guard !feature.extended.isEmpty else { return nil }
    let names = feature.extended.map(\.name)
    if let known = known[names] { return known }
    let found = names.filter { name in
      TableField(rawValue: name) != nil || MeasureType.builtIn.contains { $0.key == name }
        || MeasureType.isOwn(name)
    }
    let isOwn = Self.identities.contains { found.contains($0.rawValue) }
    let mapping = isOwn ? TableMapping.written(found) : nil
    if known.count >= Self.knownLimit { known = [:] }
    known.updateValue(mapping, forKey: names)
    return mapping
  }

  private static let identities: [TableField] = [.occurrenceUUID, .organismUUID, .placeUUID]

  /// What names of columns say that are usual where an occurrence is meant; nil where it lacks a name or a date.
  private func usual(_ feature: MapFeature) -> TableMapping? {
    var texts: [String] = []
    for (target, names) in Self.usualNames {
      let found = feature.columns.first { names.contains(asciiLowercased($0.name)) }
      if let found, !found.name.contains("="), !found.text.isEmpty {
        texts.append("\(found.name)=\(target)")
      }
    }
    guard texts.contains(where: { $0.hasSuffix("=name") }),
      texts.contains(where: { $0.hasSuffix("=date") })
    else { return nil }
    guard var found = try? TableMapping(texts), (try? found.add(mapping)) != nil else { return nil }
    return found
  }

  /// The terms of Darwin Core, and what iNaturalist and QGIS make of them.
  private static let usualNames: KeyValuePairs<String, Set<String>> = [
    "name": ["scientificname", "scientific_name", "scientific name"],
    "date": ["eventdate", "event_date", "observed_on", "date", "event date"],
    "count": ["individualcount"], "vernacular": ["vernacularname", "common_name"],
    "family": ["family"], "kingdom": ["kingdom"], "locality": ["locality"],
    "remarks": ["occurrenceremarks"],
    "uncertainty_m:m": ["coordinateuncertaintyinmeters"],
  ]

  /// The columns of a feature as a row of a table, with where it is.
  private func table(
    _ feature: MapFeature, _ mapping: TableMapping, isOwn: Bool, source: String
  ) throws -> TableRecords {
    var row = TableRow(
      line: feature.line, mapping: mapping, acceptsNullIsland: acceptsNullIsland || isOwn)
    for entry in mapping.entries {
      let columns = isOwn ? feature.extended : feature.columns
      guard let text = columns.first(where: { $0.name == entry.column })?.text else { continue }
      seenColumns.insert(entry.column)
      row.set(entry, to: isOwn ? text : text.trimmed { $0.isWhitespace })
    }
    if !isOwn, let position = feature.position, row.text(.latitude) == nil {
      let texts: [(TableField, String?)] = [
        (.latitude, position.latitudeText), (.longitude, position.longitudeText),
        (.uncertainty, position.uncertaintyM.map(String.init)),
      ]
      for (field, text) in texts where row.text(field) == nil {
        row.set(
          TableMapping.Entry(
            column: field.rawValue, target: .field(field), unit: field.unit, word: field.rawValue),
          to: text ?? "")
      }
    }
    let id: JournalID
    if isOwn {
      guard let found = try Self.identities.compactMap({ try row.uuid($0) }).first else {
        throw row.refusal(.occurrenceUUID, "is missing", "give it again")
      }
      id = found
    } else if let text = row.text(.id) {
      id = TableRow.uuid(text) ?? JournalID(naming: ["occurrence", source, text])
    } else {
      let cells = feature.columns.map { "\($0.name)=\($0.text)" }
      let place = [row.text(.latitude) ?? "", row.text(.longitude) ?? ""]
      id = JournalID(naming: ["row", source] + place + cells)
    }
    return TableRecords(
      row: row, id: id, source: source, isOwn: isOwn,
      hasOrganism: !isOwn && mapping.hasOrganism)
  }
}

extension Position {
  /// Whether a map has it at a point: 180 degrees east are west.
  fileprivate func isShown(as point: Position) -> Bool {
    let edge = 180 * Self.unitsPerDegree
    return latitudeE7 == point.latitudeE7
      && (longitudeE7 == point.longitudeE7
        || longitudeE7.magnitude == edge && point.longitudeE7.magnitude == edge)
  }
}

extension JournalRecord {
  /// Whether it says how high it is.
  fileprivate var hasElevation: Bool {
    switch self {
    case .place(let place): place.elevationCm != nil
    case .organism(let organism): organism.elevationCm != nil
    default: false
    }
  }
}

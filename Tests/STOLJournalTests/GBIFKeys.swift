import STOLFormats

@testable import STOLJournal

/// The keys by which GBIF's data validator (2017 to 2021) tells what it finds in an archive of occurrences or events.
///
/// Written from its list of evaluation types. Those of checklists are of no archive of these kinds, and some need what
/// no file holds: the taxonomic backbone, or the borders of countries.
enum GBIFKey: String, CaseIterable {
  // Whether it is an archive.
  case DWCA_UNREADABLE, DWCA_META_XML_NOT_FOUND, DWCA_META_XML_SCHEMA
  case RECORD_IDENTIFIER_NOT_FOUND, CORE_ROWTYPE_UNDETERMINED
  // How it is made.
  case EML_NOT_FOUND, EML_GBIF_SCHEMA, UNKNOWN_ROWTYPE, REQUIRED_TERM_MISSING, UNKNOWN_TERM
  case RECORD_NOT_UNIQUELY_IDENTIFIED, RECORD_REFERENTIAL_INTEGRITY_VIOLATION, COLUMN_MISMATCH
  // What it says of itself.
  case TITLE_MISSING_OR_TOO_SHORT, DESCRIPTION_MISSING_OR_TOO_SHORT
  case LICENSE_MISSING_OR_UNKNOWN, RESOURCE_CREATOR_MISSING_OR_INCOMPLETE
  // What its rows say.
  case ZERO_COORDINATE, COORDINATE_OUT_OF_RANGE, COORDINATE_INVALID, COORDINATE_ROUNDED
  case GEODETIC_DATUM_INVALID, GEODETIC_DATUM_ASSUMED_WGS84, COORDINATE_REPROJECTED
  case COORDINATE_REPROJECTION_FAILED, COORDINATE_REPROJECTION_SUSPICIOUS
  case COORDINATE_PRECISION_INVALID, COORDINATE_UNCERTAINTY_METERS_INVALID
  case COUNTRY_COORDINATE_MISMATCH, COUNTRY_MISMATCH, COUNTRY_INVALID
  case COUNTRY_DERIVED_FROM_COORDINATES, CONTINENT_COUNTRY_MISMATCH, CONTINENT_INVALID
  case CONTINENT_DERIVED_FROM_COORDINATES, PRESUMED_SWAPPED_COORDINATE
  case PRESUMED_NEGATED_LONGITUDE, PRESUMED_NEGATED_LATITUDE
  case RECORDED_DATE_MISMATCH, RECORDED_DATE_INVALID, RECORDED_DATE_UNLIKELY
  case TAXON_MATCH_FUZZY, TAXON_MATCH_HIGHERRANK, TAXON_MATCH_NONE
  case DEPTH_NOT_METRIC, DEPTH_UNLIKELY, DEPTH_MIN_MAX_SWAPPED, DEPTH_NON_NUMERIC
  case ELEVATION_UNLIKELY, ELEVATION_MIN_MAX_SWAPPED, ELEVATION_NOT_METRIC
  case ELEVATION_NON_NUMERIC, MODIFIED_DATE_INVALID, MODIFIED_DATE_UNLIKELY
  case IDENTIFIED_DATE_UNLIKELY, IDENTIFIED_DATE_INVALID, BASIS_OF_RECORD_INVALID
  case TYPE_STATUS_INVALID, MULTIMEDIA_DATE_INVALID, MULTIMEDIA_URI_INVALID
  case REFERENCES_URI_INVALID, INTERPRETATION_ERROR, INDIVIDUAL_COUNT_INVALID

  /// Those that no file says, with what they need.
  static let undecided: [GBIFKey: String] = [
    .COUNTRY_COORDINATE_MISMATCH: "borders", .COUNTRY_DERIVED_FROM_COORDINATES: "borders",
    .CONTINENT_COUNTRY_MISMATCH: "borders", .CONTINENT_DERIVED_FROM_COORDINATES: "borders",
    .PRESUMED_NEGATED_LONGITUDE: "borders", .PRESUMED_NEGATED_LATITUDE: "borders",
    .TAXON_MATCH_FUZZY: "the backbone", .TAXON_MATCH_HIGHERRANK: "the backbone",
    .TAXON_MATCH_NONE: "the backbone", .INTERPRETATION_ERROR: "a fault of the service",
  ]
}

/// Says which keys an archive gives reason to.
struct GBIFChecker {
  /// The files of the archive.
  let files: [String: String]
  private(set) var found: Set<GBIFKey> = []

  init(_ files: [String: String]) {
    self.files = files
    check()
  }

  private mutating func check() {
    guard !files.isEmpty else {
      found.insert(.DWCA_UNREADABLE)
      return
    }
    checkDescription()
    guard let meta = files["meta.xml"] else {
      found.insert(.DWCA_META_XML_NOT_FOUND)
      return
    }
    guard let descriptor = try? ArchiveDescriptor(Array(meta.utf8), path: "meta.xml"),
      ([descriptor.core] + descriptor.extensions).allSatisfy({ table in
        table.files.allSatisfy { files[$0] != nil }
      })
    else {
      found.insert(.DWCA_META_XML_SCHEMA)
      return
    }
    if descriptor.core.rowType.isEmpty { found.insert(.CORE_ROWTYPE_UNDETERMINED) }
    guard descriptor.core.idIndex != nil else {
      found.insert(.RECORD_IDENTIFIER_NOT_FOUND)
      return
    }
    var ids: Set<String> = []
    for (number, table) in ([descriptor.core] + descriptor.extensions).enumerated() {
      checkTerms(table)
      for row in rows(of: table) {
        if row.count != table.fields.count + 1 { found.insert(.COLUMN_MISMATCH) }
        let id = row.first ?? ""
        if number > 0 {
          if !ids.contains(id) { found.insert(.RECORD_REFERENTIAL_INTEGRITY_VIOLATION) }
        } else if id.isEmpty || !ids.insert(id).inserted {
          found.insert(.RECORD_NOT_UNIQUELY_IDENTIFIED)
        }
        var cells: [String: String] = [:]
        for field in table.fields {
          guard let index = field.index, index < row.count, !row[index].isEmpty else { continue }
          cells[field.term.split(separator: "/").last.map(String.init) ?? ""] = row[index]
        }
        check(cells, table.rowType.hasSuffix("/dwc/terms/Occurrence"))
      }
    }
  }

  private func rows(of table: ArchiveDescriptor.Table) -> [[String]] {
    let lines = (files[table.files[0]] ?? "").split(
      separator: "\n", omittingEmptySubsequences: true)
    return lines.dropFirst(table.layout.headerRowCount).map { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }

  // MARK: - What it says of itself

  private mutating func checkDescription() {
    guard let text = files["eml.xml"] else {
      found.insert(.EML_NOT_FOUND)
      return
    }
    guard let root = try? XMLParser.parse(Array(text.utf8), limit: 1 << 20), root.name == "eml",
      root.attributes["packageId"] != nil, let dataset = root.child("dataset")
    else {
      found.insert(.EML_GBIF_SCHEMA)
      return
    }
    let order = [
      "title", "creator", "metadataProvider", "pubDate", "language", "abstract",
      "intellectualRights", "contact",
    ]
    let places = dataset.children.map { order.firstIndex(of: $0.name) ?? -1 }
    if places.contains(-1) || places != places.sorted() || dataset.child("contact") == nil {
      found.insert(.EML_GBIF_SCHEMA)
    }
    if dataset.child("title")?.wholeText.count ?? 0 < 10 {
      found.insert(.TITLE_MISSING_OR_TOO_SHORT)
    }
    if dataset.child("abstract")?.wholeText.count ?? 0 < 25 {
      found.insert(.DESCRIPTION_MISSING_OR_TOO_SHORT)
    }
    let licence = dataset.child("intellectualRights")?.descendant("ulink")?.attributes["url"] ?? ""
    let known = ["publicdomain/zero/1.0", "licenses/by/4.0", "licenses/by-nc/4.0"]
    if !known.contains(where: { licence == "http://creativecommons.org/\($0)/legalcode" }) {
      found.insert(.LICENSE_MISSING_OR_UNKNOWN)
    }
    if dataset.child("creator")?.descendant("surName")?.wholeText.isEmpty ?? true {
      found.insert(.RESOURCE_CREATOR_MISSING_OR_INCOMPLETE)
    }
  }

  // MARK: - Terms

  private mutating func checkTerms(_ table: ArchiveDescriptor.Table) {
    guard let terms = Self.terms[table.rowType] else {
      found.insert(.UNKNOWN_ROWTYPE)
      return
    }
    let own = Set(table.fields.map(\.term))
    if !own.isSubset(of: terms) { found.insert(.UNKNOWN_TERM) }
    for term in Self.required[table.rowType] ?? [] where !own.contains(term) {
      found.insert(.REQUIRED_TERM_MISSING)
    }
  }

  private static let dwc = "http://rs.tdwg.org/dwc/terms/"
  private static let dc = "http://purl.org/dc/terms/"
  private static let eco = "http://rs.tdwg.org/eco/terms/"

  private static func terms(_ space: String, _ names: String) -> Set<String> {
    Set(names.split(whereSeparator: \.isWhitespace).map { space + $0 })
  }

  private static let ofPlaces = terms(
    dwc,
    """
    eventID parentEventID eventType eventDate eventTime year month day verbatimEventDate
    samplingProtocol samplingEffort sampleSizeValue sampleSizeUnit eventRemarks fieldNotes
    locationID higherGeography continent waterBody country countryCode stateProvince county
    locality minimumElevationInMeters maximumElevationInMeters minimumDepthInMeters
    maximumDepthInMeters decimalLatitude decimalLongitude geodeticDatum
    coordinateUncertaintyInMeters coordinatePrecision dataGeneralizations informationWithheld
    """
  ).union(terms(dc, "license modified references"))
  private static let ofNames = terms(
    dwc,
    """
    identificationID verbatimIdentification identificationQualifier typeStatus identifiedBy
    dateIdentified identificationRemarks taxonID scientificName scientificNameAuthorship
    taxonRank kingdom vernacularName
    """)

  /// What a table of each row type may have.
  private static let terms: [String: Set<String>] = [
    dwc + "Event": ofPlaces,
    dwc + "Occurrence": ofPlaces.union(ofNames).union(
      terms(
        dwc,
        """
        occurrenceID basisOfRecord occurrenceStatus individualCount sex lifeStage behavior
        establishmentMeans degreeOfEstablishment organismID organismName recordedBy recordedByID
        occurrenceRemarks
        """)),
    dwc + "Identification": ofNames,
    "http://rs.iobis.org/obis/terms/ExtendedMeasurementOrFact": terms(
      dwc,
      """
      occurrenceID measurementID measurementType measurementValue measurementAccuracy
      measurementUnit measurementMethod measurementDeterminedBy measurementDeterminedDate
      measurementRemarks
      """),
    eco + "Event": terms(
      eco,
      """
      isSamplingEffortReported samplingEffortValue samplingEffortUnit protocolNames
      isTaxonomicScopeFullyReported
      """),
    "http://rs.gbif.org/terms/1.0/Multimedia": terms(
      dc, "type format identifier title created creator license"),
  ]
  private static let required = [
    dwc + "Occurrence": [
      dwc + "occurrenceID", dwc + "basisOfRecord", dwc + "scientificName", dwc + "eventDate",
    ],
    dwc + "Event": [dwc + "eventID", dwc + "eventDate", dwc + "samplingProtocol"],
  ]

  // MARK: - Rows

  private mutating func check(_ cells: [String: String], _ isOccurrence: Bool) {
    checkPosition(cells)
    checkTimes(cells)
    check(cells, "minimumDepthInMeters", "maximumDepthInMeters", 0...11_000, .depth)
    check(
      cells, "minimumElevationInMeters", "maximumElevationInMeters", -11_000...17_000, .elevation)
    let bases: Set<String> = [
      "HumanObservation", "MachineObservation", "PreservedSpecimen", "FossilSpecimen",
      "LivingSpecimen", "MaterialSample", "Occurrence",
    ]
    if isOccurrence, !bases.contains(cells["basisOfRecord"] ?? "") {
      found.insert(.BASIS_OF_RECORD_INVALID)
    }
    if let count = cells["individualCount"], Int(count).map({ $0 < 0 }) ?? true {
      found.insert(.INDIVIDUAL_COUNT_INVALID)
    }
    if let status = cells["typeStatus"], !["holotype", "paratype", "syntype"].contains(status) {
      found.insert(.TYPE_STATUS_INVALID)
    }
    if let address = cells["identifier"], !Self.isAddress(address) {
      found.insert(.MULTIMEDIA_URI_INVALID)
    }
    if let address = cells["references"], !Self.isAddress(address) {
      found.insert(.REFERENCES_URI_INVALID)
    }
    if let code = cells["countryCode"],
      code.utf8.count != 2 || !code.utf8.allSatisfy({ (0x41...0x5A).contains($0) })
    {
      found.insert(.COUNTRY_INVALID)
    }
    // A name beside a code may be that of another country.
    if cells["country"] != nil, cells["countryCode"] != nil { found.insert(.COUNTRY_MISMATCH) }
    let continents = ["Africa", "Antarctica", "Asia", "Europe", "North America", "Oceania"]
    if let continent = cells["continent"], !(continents + ["South America"]).contains(continent) {
      found.insert(.CONTINENT_INVALID)
    }
  }

  private static func isAddress(_ text: String) -> Bool {
    (text.hasPrefix("http://") || text.hasPrefix("https://")) && !text.contains(" ")
  }

  private mutating func checkPosition(_ cells: [String: String]) {
    let texts = [cells["decimalLatitude"], cells["decimalLongitude"]]
    guard texts.contains(where: { $0 != nil }) else { return }
    let numbers = texts.map { $0.flatMap { Double($0) } }
    guard let north = numbers[0], let east = numbers[1] else {
      found.insert(.COORDINATE_INVALID)
      return
    }
    if north == 0, east == 0 { found.insert(.ZERO_COORDINATE) }
    if abs(north) > 90 || abs(east) > 180 {
      found.insert(.COORDINATE_OUT_OF_RANGE)
      if abs(east) <= 90, abs(north) <= 180 { found.insert(.PRESUMED_SWAPPED_COORDINATE) }
    }
    let decimals = texts.compactMap { $0?.split(separator: ".").dropFirst().first?.count }
    if decimals.contains(where: { $0 > 6 }) { found.insert(.COORDINATE_ROUNDED) }
    switch cells["geodeticDatum"] {
    case "WGS84", "EPSG:4326": break
    case nil: found.insert(.GEODETIC_DATUM_ASSUMED_WGS84)
    case "NAD27", "NAD83", "ED50":
      found.insert(.COORDINATE_REPROJECTED)
      // Far north it is another place by much.
      if abs(north) > 85 { found.insert(.COORDINATE_REPROJECTION_SUSPICIOUS) }
      if abs(north) > 90 { found.insert(.COORDINATE_REPROJECTION_FAILED) }
    default: found.insert(.GEODETIC_DATUM_INVALID)
    }
    if let text = cells["coordinateUncertaintyInMeters"],
      Double(text).map({ $0 <= 0 || $0 > 5_000_000 }) ?? true
    {
      found.insert(.COORDINATE_UNCERTAINTY_METERS_INVALID)
    }
    if let text = cells["coordinatePrecision"], Double(text).map({ $0 <= 0 || $0 > 1 }) ?? true {
      found.insert(.COORDINATE_PRECISION_INVALID)
    }
  }

  /// The first and the last year of a date, or of two; nil for a text that is none.
  private static func years(_ text: String) -> ClosedRange<Int>? {
    var years: [Int] = []
    for part in text.split(separator: "/", omittingEmptySubsequences: false) {
      guard let time = ImportTime(String(part))?.time, let year = Int(time.text.prefix(4)) else {
        return nil
      }
      years.append(year)
    }
    guard let first = years.first, let last = years.last, first <= last, years.count <= 2 else {
      return nil
    }
    return first...last
  }

  private mutating func checkTimes(_ cells: [String: String]) {
    func check(_ term: String, _ invalid: GBIFKey, _ unlikely: GBIFKey?) {
      guard let text = cells[term] else { return }
      guard let years = Self.years(text) else {
        found.insert(invalid)
        return
      }
      if let unlikely, years.lowerBound < 1600 || years.upperBound > 2100 {
        found.insert(unlikely)
      }
    }
    check("eventDate", .RECORDED_DATE_INVALID, .RECORDED_DATE_UNLIKELY)
    check("dateIdentified", .IDENTIFIED_DATE_INVALID, .IDENTIFIED_DATE_UNLIKELY)
    check("modified", .MODIFIED_DATE_INVALID, .MODIFIED_DATE_UNLIKELY)
    check("created", .MULTIMEDIA_DATE_INVALID, nil)
    if let year = cells["year"].flatMap({ Int($0) }),
      let years = cells["eventDate"].flatMap(Self.years), !years.contains(year)
    {
      found.insert(.RECORDED_DATE_MISMATCH)
    }
  }

  /// The keys of a measure in metres.
  private struct Metres {
    let invalid, notMetric, unlikely, swapped: GBIFKey
    static let depth = Metres(
      invalid: .DEPTH_NON_NUMERIC, notMetric: .DEPTH_NOT_METRIC, unlikely: .DEPTH_UNLIKELY,
      swapped: .DEPTH_MIN_MAX_SWAPPED)
    static let elevation = Metres(
      invalid: .ELEVATION_NON_NUMERIC, notMetric: .ELEVATION_NOT_METRIC,
      unlikely: .ELEVATION_UNLIKELY, swapped: .ELEVATION_MIN_MAX_SWAPPED)
  }

  private mutating func check(
    _ cells: [String: String], _ least: String, _ most: String, _ range: ClosedRange<Double>,
    _ keys: Metres
  ) {
    var numbers: [Double] = []
    for text in [cells[least], cells[most]].compactMap({ $0 }) {
      if let number = Double(text) {
        numbers.append(number)
        if !range.contains(number) { found.insert(keys.unlikely) }
      } else {
        found.insert(text.hasSuffix("ft") ? keys.notMetric : keys.invalid)
      }
    }
    if numbers.count == 2, numbers[0] > numbers[1] { found.insert(keys.swapped) }
  }
}

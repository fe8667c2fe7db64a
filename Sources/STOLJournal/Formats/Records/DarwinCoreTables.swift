/// A table of a Darwin Core archive that is written: tabs between cells, none of which has a tab or a line end.
struct DarwinCoreTable {
  let fileName: String
  /// The whole URI of what a row is.
  let rowType: String
  /// The whole URIs of its columns behind the first, which links it with the core.
  let terms: [String]
  /// What its columns say.
  let columns: [DarwinCoreTerm]

  private static let dwc = "http://rs.tdwg.org/dwc/terms/"

  private init(_ fileName: String, _ rowType: String, _ terms: String) {
    self.fileName = fileName
    self.rowType = rowType
    self.terms = terms.split(whereSeparator: { $0 == " " || $0 == "\n" }).map { word in
      word.contains(":") ? String(word) : Self.dwc + word
    }
    columns = self.terms.map { term in
      let name = term.split(separator: "/").last.map(String.init) ?? term
      guard let column = DarwinCoreTerm(name: name) else { preconditionFailure(name) }
      return column
    }
  }

  /// Where and when, which events have, and occurrences where the core are these.
  private static let placeTerms = """
    eventType eventDate samplingProtocol samplingEffort eventRemarks higherGeography locality
    waterBody countryCode decimalLatitude decimalLongitude geodeticDatum
    coordinateUncertaintyInMeters
    """
  private static let occurrenceTerms = """
    occurrenceID basisOfRecord occurrenceStatus individualCount sex lifeStage behavior
    degreeOfEstablishment organismID organismName recordedBy recordedByID
    minimumDepthInMeters maximumDepthInMeters occurrenceRemarks identificationID scientificName
    scientificNameAuthorship taxonRank kingdom taxonID verbatimIdentification
    identificationQualifier dateIdentified identificationRemarks dataGeneralizations
    informationWithheld http://purl.org/dc/terms/license
    """

  static let occurrenceCore = DarwinCoreTable(
    "occurrence.txt", dwc + "Occurrence", occurrenceTerms + "\neventID " + placeTerms)
  static let eventCore = DarwinCoreTable(
    "event.txt", dwc + "Event",
    "eventID parentEventID " + placeTerms
      + " dataGeneralizations informationWithheld http://purl.org/dc/terms/license")
  static let occurrences = DarwinCoreTable(
    "occurrence.txt", dwc + "Occurrence",
    occurrenceTerms
      + "\neventID eventDate decimalLatitude decimalLongitude geodeticDatum coordinateUncertaintyInMeters"
  )
  static let identifications = DarwinCoreTable(
    "identification.txt", dwc + "Identification",
    """
    identificationID scientificName scientificNameAuthorship taxonRank taxonID
    verbatimIdentification identificationQualifier dateIdentified identificationRemarks
    """)
  static let measurements = DarwinCoreTable(
    "extendedmeasurementorfact.txt", "http://rs.iobis.org/obis/terms/ExtendedMeasurementOrFact",
    """
    occurrenceID measurementID measurementType measurementValue measurementUnit
    measurementMethod measurementDeterminedDate measurementRemarks
    """)
  static let surveys = DarwinCoreTable(
    "humboldt.txt", "http://rs.tdwg.org/eco/terms/Event",
    """
    http://rs.tdwg.org/eco/terms/isSamplingEffortReported
    http://rs.tdwg.org/eco/terms/samplingEffortValue
    http://rs.tdwg.org/eco/terms/samplingEffortUnit
    http://rs.tdwg.org/eco/terms/protocolNames
    http://rs.tdwg.org/eco/terms/isTaxonomicScopeFullyReported
    """)
  static let multimedia = DarwinCoreTable(
    "multimedia.txt", "http://rs.gbif.org/terms/1.0/Multimedia",
    """
    http://purl.org/dc/terms/type http://purl.org/dc/terms/format
    http://purl.org/dc/terms/identifier http://purl.org/dc/terms/title
    http://purl.org/dc/terms/created http://purl.org/dc/terms/creator
    http://purl.org/dc/terms/license
    """)

  /// Its first line.
  var header: String { (["id"] + columns.map(\.name)).joined(separator: "\t") + "\n" }

  /// Adds a line.
  ///
  /// - Parameters:
  ///   - id: the UUID that links it with the core.
  ///   - cells: what stands in its columns.
  ///   - bytes: what it is added to.
  ///   - changedCount: counts texts with tabs or line ends, which are spaces now.
  /// - Complexity: O(columns and bytes of the line)
  func add(
    _ id: JournalID, _ cells: DarwinCoreCells, to bytes: inout [UInt8], _ changedCount: inout Int
  ) {
    DarwinCoreCells.Cell.urn(id).add(to: &bytes, &changedCount)
    for column in columns {
      bytes.append(UInt8(ascii: "\t"))
      cells[column]?.add(to: &bytes, &changedCount)
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  /// What meta.xml says of it.
  func element(isCore: Bool) -> String {
    let name = isCore ? "core" : "extension"
    let id = isCore ? "id" : "coreid"
    let fields = terms.enumerated().map { index, term in
      "<field index=\"\(index + 1)\" term=\"\(term)\"/>\n"
    }
    return """
      <\(name) encoding="UTF-8" fieldsTerminatedBy="\\t" linesTerminatedBy="\\n" \
      fieldsEnclosedBy="" ignoreHeaderLines="1" rowType="\(rowType)">
      <files><location>\(fileName)</location></files>
      <\(id) index="0"/>
      \(fields.joined())</\(name)>

      """
  }

  /// The meta.xml of an archive.
  static func meta(core: DarwinCoreTable, _ extensions: [DarwinCoreTable]) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <archive xmlns="http://rs.tdwg.org/dwc/text/" metadata="eml.xml">
    \(core.element(isCore: true))\(extensions.map { $0.element(isCore: false) }.joined())</archive>

    """
  }
}

/// What columns of a Darwin Core archive say, called as the end of their URI is.
enum DarwinCoreTerm: Int, CaseIterable {
  case eventType, eventDate, samplingProtocol, samplingEffort, eventRemarks, higherGeography,
    locality, waterBody, countryCode, decimalLatitude, decimalLongitude, geodeticDatum,
    coordinateUncertaintyInMeters, occurrenceID, basisOfRecord, occurrenceStatus,
    individualCount, sex, lifeStage, behavior, degreeOfEstablishment, organismID, organismName,
    recordedBy, recordedByID, minimumDepthInMeters, maximumDepthInMeters, occurrenceRemarks,
    identificationID, scientificName, scientificNameAuthorship, taxonRank, kingdom, taxonID,
    verbatimIdentification, identificationQualifier, dateIdentified, identificationRemarks,
    dataGeneralizations, informationWithheld, license, eventID, parentEventID, measurementID,
    measurementType, measurementValue, measurementUnit, measurementMethod,
    measurementDeterminedDate, measurementRemarks, isSamplingEffortReported, samplingEffortValue,
    samplingEffortUnit, protocolNames, isTaxonomicScopeFullyReported, type, format, identifier,
    title, created, creator

  /// The one with a name.
  init?(name: String) {
    guard let term = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = term
  }

  var name: String { "\(self)" }
}

/// The cells of a line that is written.
struct DarwinCoreCells {
  /// What stands in a cell.
  enum Cell {
    case text(String)
    case number(Int)
    /// A whole number of the last of so many places behind the point.
    case decimal(Int, places: Int)
    case urn(JournalID)

    /// Adds it; tabs and line ends become spaces, and such texts are counted.
    func add(to bytes: inout [UInt8], _ changedCount: inout Int) {
      switch self {
      case .text(let text):
        if text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
          changedCount += 1
          bytes += Self.oneLine(text).utf8
        } else {
          bytes += text.utf8
        }
      case .number(let number): bytes += String(number).utf8
      case .decimal(let number, let places):
        bytes += DecimalText.text(number, decimals: places).utf8
      case .urn(let id):
        bytes += Self.prefix
        id.add(to: &bytes)
      }
    }

    private static let prefix = Array("urn:uuid:".utf8)

    private static func oneLine(_ text: String) -> String {
      String(
        text.map {
          $0.isNewline || $0.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
            ? " " : $0
        })
    }
  }

  /// The cells, each at the number of what it says.
  private var cells = [Cell?](repeating: nil, count: DarwinCoreTerm.allCases.count)

  /// What stands in a cell; nil for nothing.
  subscript(term: DarwinCoreTerm) -> Cell? {
    get { cells[term.rawValue] }
    set { cells[term.rawValue] = newValue }
  }

  /// Takes a text, a number or a UUID for a cell; nothing where that is nil.
  mutating func set(_ term: DarwinCoreTerm, _ text: String?) { self[term] = text.map(Cell.text) }
  mutating func set(_ term: DarwinCoreTerm, _ number: Int?) { self[term] = number.map(Cell.number) }
  mutating func set(_ term: DarwinCoreTerm, _ id: JournalID?) { self[term] = id.map(Cell.urn) }

  /// Takes a number of millimetres in metres.
  mutating func set(_ term: DarwinCoreTerm, millimetres: Int?) {
    self[term] = millimetres.map { .decimal($0, places: 3) }
  }

  /// Takes over the cells that others have.
  mutating func take(_ other: DarwinCoreCells) {
    for (index, cell) in other.cells.enumerated() where cell != nil { cells[index] = cell }
  }
}

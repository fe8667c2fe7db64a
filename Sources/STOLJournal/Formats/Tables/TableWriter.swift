import STOLData
import STOLSystem

/// Writes the rows of a table.
struct TableWriter {
  private let form: JournalTable.Form
  private let ids: JournalTable.IDForm
  /// The measures that have a column.
  private let measures: [String]
  private let columns: [TableField]

  init(
    _ form: JournalTable.Form, _ ids: JournalTable.IDForm, measures: [String], isShared: Bool
  ) {
    columns = Self.columns + (isShared ? Self.sharedColumns : [])
    self.form = form
    self.ids = ids
    self.measures = measures
  }

  /// The columns of an export, in their order.
  static let columns: [TableField] = {
    let foreign: Set<TableField> = [
      .id, .genus, .species, .infraspecies, .authorship, .vernacular, .kingdom, .phylum, .class,
      .order,
      .family, .latitude, .longitude, .uncertainty, .elevation, .event, .time,
    ]
    return TableField.allCases.filter { !foreign.contains($0) && !sharedColumns.contains($0) }
  }()

  /// Those that an export for others has behind them.
  private static let sharedColumns: [TableField] = [.dataGeneralizations, .informationWithheld]

  func header() -> [UInt8] { line(columns.map(\.rawValue) + measures) }

  private func line(_ cells: [String]) -> [UInt8] {
    var bytes: [UInt8] = []
    for (index, cell) in cells.enumerated() {
      if index > 0 { bytes.append(form == .csv ? UInt8(ascii: ",") : UInt8(ascii: "\t")) }
      let start = bytes.count
      bytes += (form == .csv ? TableEscapes.forCommaSeparated(cell) : cell).utf8
      Escaping.escape(
        &bytes, from: start, for: form == .csv ? .commaSeparatedCell : .tabSeparatedCell)
    }
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  func row(_ parts: TableParts, _ report: inout JournalTable.Report) -> [UInt8] {
    let cells = columns.map { text($0, parts, &report) }
    return line(cells + measures.map { parts.measures[$0].map(Self.text) ?? "" })
  }

  /// The cells that say something, and not what holds where nobody says anything.
  func cells(
    _ parts: TableParts, _ report: inout JournalTable.Report
  ) -> [(field: TableField, text: String)] {
    columns.compactMap { field in
      let text = text(field, parts, &report)
      return text.isEmpty || text == Self.usual[field] ? nil : (field: field, text: text)
    }
  }

  /// What is read where there is no cell.
  private static let usual: [TableField: String] = [
    .presence: "present", .match: "none", .eventStatus: "saved", .isCompleteList: "false",
    .organismStatus: "unknown", .occurrencePrivacy: "open", .eventPrivacy: "open",
    .organismPrivacy: "open", .placePrivacy: "open",
  ]

  private func text(
    _ field: TableField, _ parts: TableParts, _ report: inout JournalTable.Report
  ) -> String {
    let found: String? =
      switch field {
      case .occurrenceUUID: parts.occurrence.map { uuid($0.id) }
      case .dataGeneralizations: parts.hidden.generalizations
      case .informationWithheld: parts.hidden.withheld
      case .name, .qualifier, .cultivar, .rootstock, .match, .taxon, .taxonName, .taxonAuthor,
        .taxonYear, .taxonRank, .taxonKingdoms, .identified, .identificationRemarks:
        text(field, parts.identification, &report)
      case .eventUUID, .eventPlace, .eventKind, .eventStatus, .date, .end, .utcOffset, .protocol,
        .effortValue, .effortUnit,
        .isCompleteList, .weather, .eventRemarks, .eventPrivacy, .eventTags, .eventCollections,
        .eventNotes,
        .eventLatitude, .eventLongitude, .eventUncertainty:
        parts.event.flatMap { text(field, $0, parts, &report) }
      case .organismUUID, .organismPlace, .organism, .organismStatus, .planted, .organismPrivacy,
        .organismTags,
        .organismCollections, .organismNotes, .organismLatitude, .organismLongitude,
        .organismUncertainty, .organismElevation:
        parts.organism.flatMap { text(field, $0, parts, &report) }
      case .placeUUID, .place, .placeKind, .locality, .waterBody, .country, .placePrivacy,
        .placeStates,
        .placeTags, .placeCollections, .placeNotes, .placeLatitude, .placeLongitude,
        .placeUncertainty, .placeElevation:
        parts.place.flatMap { text(field, $0, parts, &report) }
      default: parts.occurrence.flatMap { text(field, $0, parts, &report) }
      }
    return found ?? ""
  }

  /// A measure in the unit of its column.
  private static func text(_ measure: Measure) -> String {
    measure.number.map(String.init) ?? measure.text ?? ""
  }

  private func uuid(_ id: JournalID) -> String { (ids == .urn ? "urn:uuid:" : "") + id.description }

  /// Several texts in one cell.
  private func joined(
    _ texts: [String]?, _ report: inout JournalTable.Report
  ) -> String? {
    texts.map { CellText.joined($0, &report.changedTextCount) }
  }

  private func text(
    _ field: TableField, _ occurrence: Occurrence, _ parts: TableParts,
    _ report: inout JournalTable.Report
  ) -> String? {
    switch field {
    case .occurrenceLatitude: occurrence.position?.latitudeText
    case .occurrenceLongitude: occurrence.position?.longitudeText
    case .occurrenceUncertainty: occurrence.position?.uncertaintyM.map(String.init)
    case .presence: occurrence.presence.rawValue
    case .count: occurrence.count.map(String.init)
    case .countKind: occurrence.countKind?.rawValue
    case .sex: occurrence.sex
    case .lifeStage: occurrence.lifeStage
    case .behaviour: occurrence.behaviour
    case .establishment: occurrence.establishment?.rawValue
    case .minDepth: occurrence.minDepthMm.map(String.init)
    case .maxDepth: occurrence.maxDepthMm.map(String.init)
    case .occurrenceTime: occurrence.time?.text
    case .occurrencePrivacy: occurrence.privacy.rawValue
    case .remarks: occurrence.remarks
    case .tags: joined(occurrence.tags.sorted(), &report)
    case .collections: joined(parts.collections[occurrence.id], &report)
    case .notes: joined(parts.notes[occurrence.id]?.map(\.text), &report)
    default: nil
    }
  }

  private func text(
    _ field: TableField, _ identification: Identification?, _ report: inout JournalTable.Report
  ) -> String? {
    switch field {
    case .name: identification?.verbatimName
    case .qualifier: identification?.qualifier
    case .cultivar: identification?.cultivar
    case .rootstock: identification?.rootstock
    case .match: identification?.match.rawValue
    case .taxon: identification?.taxon?.written
    case .taxonName: identification?.taxon?.name
    case .taxonAuthor: identification?.taxon?.authorship
    case .taxonYear: identification?.taxon?.year.map(String.init)
    case .taxonRank: identification?.taxon?.rank
    case .taxonKingdoms: joined(identification?.taxon?.kingdoms, &report)
    case .identified: identification?.date?.text
    case .identificationRemarks: identification?.remarks
    default: nil
    }
  }

  private func text(
    _ field: TableField, _ event: Event, _ parts: TableParts, _ report: inout JournalTable.Report
  ) -> String? {
    switch field {
    case .eventUUID: uuid(event.id)
    case .eventPlace: event.place.map(uuid)
    case .eventKind: event.kind.rawValue
    case .eventStatus: event.status.rawValue
    case .date: event.start.text
    case .end: event.end?.text
    case .utcOffset: event.utcOffsetMin.map(String.init)
    case .protocol: event.protocol
    case .effortValue: event.effortValue.map(String.init)
    case .effortUnit: event.effortUnit
    case .isCompleteList: event.isCompleteList ? "true" : "false"
    case .weather: event.weather
    case .eventRemarks: event.remarks
    case .eventPrivacy: event.privacy.rawValue
    case .eventTags: joined(event.tags.sorted(), &report)
    case .eventCollections: joined(parts.collections[event.id], &report)
    case .eventNotes: joined(parts.notes[event.id]?.map(\.text), &report)
    case .eventLatitude: event.position?.latitudeText
    case .eventLongitude: event.position?.longitudeText
    case .eventUncertainty: event.position?.uncertaintyM.map(String.init)
    default: nil
    }
  }

  private func text(
    _ field: TableField, _ organism: Organism, _ parts: TableParts,
    _ report: inout JournalTable.Report
  ) -> String? {
    switch field {
    case .organismUUID: uuid(organism.id)
    case .organismPlace: organism.place == parts.place?.id ? organism.place.map(uuid) : nil
    case .organism: organism.name
    case .organismStatus: organism.status.rawValue
    case .planted: organism.planted?.text
    case .organismPrivacy: organism.privacy.rawValue
    case .organismTags: joined(organism.tags.sorted(), &report)
    case .organismCollections: joined(parts.collections[organism.id], &report)
    case .organismNotes: joined(parts.notes[organism.id]?.map(\.text), &report)
    case .organismLatitude: organism.position?.latitudeText
    case .organismLongitude: organism.position?.longitudeText
    case .organismUncertainty: organism.position?.uncertaintyM.map(String.init)
    case .organismElevation: organism.elevationCm.map(String.init)
    default: nil
    }
  }

  private func text(
    _ field: TableField, _ place: Place, _ parts: TableParts, _ report: inout JournalTable.Report
  ) -> String? {
    switch field {
    case .placeUUID: uuid(place.id)
    case .place: place.name
    case .placeKind: place.kind.rawValue
    case .locality: place.locality
    case .waterBody: place.waterBody
    case .country: place.country
    case .placePrivacy: place.privacy.rawValue
    case .placeStates: joined(place.states.map(\.rawValue).sorted(), &report)
    case .placeTags: joined(place.tags.sorted(), &report)
    case .placeCollections: joined(parts.collections[place.id], &report)
    case .placeNotes: joined(parts.notes[place.id]?.map(\.text), &report)
    case .placeLatitude: place.position?.latitudeText
    case .placeLongitude: place.position?.longitudeText
    case .placeUncertainty: place.position?.uncertaintyM.map(String.init)
    case .placeElevation: place.elevationCm.map(String.init)
    default: nil
    }
  }
}

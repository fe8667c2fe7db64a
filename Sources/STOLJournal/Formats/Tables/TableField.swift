/// What a column of a table may say; the export of the journal calls its columns so.
enum TableField: String, CaseIterable {
  // The identity of what a row is about.
  case id
  case occurrenceUUID = "occurrence_uuid"
  case eventUUID = "event_uuid"
  case organismUUID = "organism_uuid"
  case placeUUID = "place_uuid"
  // Which of these the place of the row is of.
  case eventPlace = "event_place_uuid"
  case organismPlace = "organism_place_uuid"

  // What it was taken for.
  case name, genus, species, infraspecies, authorship, vernacular
  case qualifier, cultivar, rootstock
  case match, taxon
  case taxonName = "taxon_name"
  case taxonAuthor = "taxon_author"
  case taxonYear = "taxon_year"
  case taxonRank = "taxon_rank"
  case taxonKingdoms = "taxon_kingdoms"
  case identified
  case identificationRemarks = "identification_remarks"
  case kingdom, phylum, `class`, order, family

  // Where it was: the individual, else the event.
  case latitude, longitude
  case uncertainty = "uncertainty_m"
  case elevation = "elevation_cm"
  case occurrenceLatitude = "occurrence_latitude"
  case occurrenceLongitude = "occurrence_longitude"
  case occurrenceUncertainty = "occurrence_uncertainty_m"

  // What was seen.
  case presence, count
  case countKind = "count_kind"
  case sex
  case lifeStage = "life_stage"
  case behaviour, establishment
  case minDepth = "min_depth_mm"
  case maxDepth = "max_depth_mm"
  case occurrenceTime = "occurrence_time"
  case occurrencePrivacy = "occurrence_privacy"
  case remarks, tags, collections, notes

  // When and how.
  case event
  case eventKind = "event_kind"
  case eventStatus = "event_status"
  case date, time
  case end
  case utcOffset = "utc_offset_min"
  case `protocol`
  case effortValue = "effort_value"
  case effortUnit = "effort_unit"
  case isCompleteList = "is_complete_list"
  case weather
  case eventRemarks = "event_remarks"
  case eventPrivacy = "event_privacy"
  case eventTags = "event_tags"
  case eventCollections = "event_collections"
  case eventNotes = "event_notes"
  case eventLatitude = "event_latitude"
  case eventLongitude = "event_longitude"
  case eventUncertainty = "event_uncertainty_m"

  // The individual.
  case organism
  case organismStatus = "organism_status"
  case planted
  case organismPrivacy = "organism_privacy"
  case organismTags = "organism_tags"
  case organismCollections = "organism_collections"
  case organismNotes = "organism_notes"
  case organismLatitude = "organism_latitude"
  case organismLongitude = "organism_longitude"
  case organismUncertainty = "organism_uncertainty_m"
  case organismElevation = "organism_elevation_cm"

  // The place.
  case place
  case placeKind = "place_kind"
  case locality
  case waterBody = "water_body"
  case country
  case placePrivacy = "place_privacy"
  case placeStates = "place_states"
  case placeTags = "place_tags"
  case placeCollections = "place_collections"
  case placeNotes = "place_notes"
  case placeLatitude = "place_latitude"
  case placeLongitude = "place_longitude"
  case placeUncertainty = "place_uncertainty_m"
  case placeElevation = "place_elevation_cm"

  // What others may not know, for whoever reads the table alone.
  case dataGeneralizations = "data_generalizations"
  case informationWithheld = "information_withheld"

  /// The fields by what they are about, each group from its first field on.
  private static let groups: [(title: String, first: TableField)] = [
    ("Identity", .id), ("What it was", .name), ("Where", .latitude), ("What was seen", .presence),
    ("The event", .event), ("The individual", .organism), ("The place", .place),
    ("What others may not know", .dataGeneralizations),
  ]

  /// All fields and measures in lines, by what they are about.
  static let list: String = {
    var lines: [String] = []
    var line = ""
    func add(_ word: String) {
      if line.utf8.count + word.utf8.count > 77 {
        lines.append(line)
        line = "   "
      }
      line += " \(word)"
    }
    func end(_ title: String) {
      if !line.isEmpty { lines.append(line) }
      line = " \(title):"
    }
    for field in allCases {
      if let group = groups.first(where: { $0.first == field }) { end(group.title) }
      add(field.rawValue)
    }
    end("Measures")
    for type in MeasureType.builtIn { add(type.key) }
    add("x-...")
    lines.append(line)
    return lines.joined(separator: "\n")
  }()

  /// The unit that its numbers are kept in; nil where it has none.
  var unit: String? {
    switch self {
    case .uncertainty, .occurrenceUncertainty, .eventUncertainty, .organismUncertainty,
      .placeUncertainty:
      "m"
    case .elevation, .organismElevation, .placeElevation: "cm"
    case .minDepth, .maxDepth: "mm"
    default: nil
    }
  }

  /// Whether it is degrees, of which no thousands are written.
  var isDegree: Bool { rawValue.hasSuffix("latitude") || rawValue.hasSuffix("longitude") }

  /// Whether its dates may be written in the order that somebody states.
  var isTime: Bool {
    switch self {
    case .date, .end, .planted, .identified, .occurrenceTime: true
    default: false
    }
  }

  /// The rank of a higher taxon that narrows the search for the name.
  static let hints: [TableField] = [.kingdom, .phylum, .class, .order, .family]

  /// The field with a name, in full or without its unit: "elevation" too.
  init?(named word: String) {
    let known = Self.allCases.first { field in
      field.rawValue == word || field.unit.map { field.rawValue == "\(word)_\($0)" } ?? false
    }
    guard let field = known ?? Self.synonyms[word] else { return nil }
    self = field
  }

  private static let synonyms: [String: TableField] = [
    "note": .notes, "tag": .tags, "collection": .collections, "tag_number": .organism,
  ]
}

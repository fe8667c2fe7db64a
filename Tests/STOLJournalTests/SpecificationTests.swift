import Foundation
import STOLData
import Testing

@testable import STOLJournal

@Suite("What Format/JOURNAL.md states of records")
struct SpecificationTests {
  /// The rows of its tables that begin with a name and have three cells.
  private static func rows() throws -> [[String]] {
    let root = (0..<3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
      url.deletingLastPathComponent()
    }
    let text = try String(
      contentsOf: root.appendingPathComponent("Format/JOURNAL.md"), encoding: .utf8)
    return text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }.filter { $0.count == 3 }
  }

  /// The names in a cell.
  private static func names(_ cell: String) -> [String] {
    let words = cell.split(separator: "`", omittingEmptySubsequences: false)
    return words.indices.filter { $0 % 2 == 1 }.map { String(words[$0]) }
  }

  private static let dives: [String: any WritableKeyPath<Dive, Int?> & Sendable] = [
    "number": \.number, "duration_s": \.durationS, "max_depth_mm": \.maxDepthMm,
    "mean_depth_mm": \.meanDepthMm, "water_min_ck": \.waterMinCk, "water_max_ck": \.waterMaxCk,
    "air_ck": \.airCk, "visibility_cm": \.visibilityCm, "current_level": \.currentLevel,
    "surface_mbar": \.surfaceMbar, "weight_g": \.weightG, "bottom_s": \.bottomS,
    "salinity_mg_l": \.salinityMgL, "signed_ms": \.signedMs,
  ]
  private static let tanks: [String: any WritableKeyPath<Dive.Tank, Int?> & Sendable] = [
    "volume_ml": \.volumeMl, "start_mbar": \.startMbar, "end_mbar": \.endMbar,
    "o2_permille": \.o2Permille, "he_permille": \.hePermille, "work_mbar": \.workMbar,
  ]
  private static let occurrences: [String: any WritableKeyPath<Occurrence, Int?> & Sendable] = [
    "count": \.count, "min_depth_mm": \.minDepthMm, "max_depth_mm": \.maxDepthMm,
  ]

  private static let sites: [String: any WritableKeyPath<DiveSite, Int?> & Sendable] = [
    "difficulty": \.difficulty, "min_depth_mm": \.minDepthMm, "max_depth_mm": \.maxDepthMm,
  ]

  /// Records that say a number in a column, of every table that has that.
  private static func records(_ column: String, _ number: Int) throws -> [JournalRecord] {
    var event = Event(kind: .dive, start: try LocalTime("2026"))
    var (place, organism) = (Place(kind: .site, name: "A"), Organism())
    var occurrence = Occurrence(event: event.id)
    if let path = dives[column] {
      var dive = Dive()
      dive[keyPath: path] = number
      event.dive = dive
    }
    if let path = tanks[column] {
      var (dive, tank) = (Dive(), Dive.Tank())
      tank[keyPath: path] = number
      dive.tanks = [tank]
      event.dive = dive
    }
    var records: [JournalRecord] = event.dive == nil ? [] : [.event(event)]
    if let path = occurrences[column] {
      occurrence[keyPath: path] = number
      records.append(.occurrence(occurrence))
    }
    if let path = sites[column] {
      var site = DiveSite()
      site[keyPath: path] = number
      place.diveSite = site
      records.append(.place(place))
    }
    switch column {
    case "effort_value":
      (event.effortValue, event.effortUnit) = (number, "min")
      records.append(.event(event))
    case "latitude_e7": place.position = Position(latitudeE7: number, longitudeE7: 0)
    case "longitude_e7": place.position = Position(latitudeE7: 0, longitudeE7: number)
    case "uncertainty_m":
      place.position = Position(latitudeE7: 0, longitudeE7: 0, uncertaintyM: number)
    case "elevation_cm":
      (place.elevationCm, organism.elevationCm) = (number, number)
      records.append(.organism(organism))
    case "utc_offset_min":
      event.utcOffsetMin = number
      records.append(.event(event))
    case "year":
      let taxon = TaxonReference(idSpace: nil, id: "1", year: number)
      records.append(
        .identification(
          Identification(
            occurrence: occurrence.id, verbatimName: "a", taxon: taxon, match: .exact)))
    default: break
    }
    var file = try PhotoFile(PhotoSample().jpeg(width: 1, height: 1), name: nil).file
    let sizes: [String: WritableKeyPath<MediaFile, Int>] = [
      "byte_count": \.byteCount, "width": \.width, "height": \.height,
    ]
    if let path = sizes[column] { file[keyPath: path] = number }
    if column == "orientation" { file.orientation = number }
    var photo = Photo(target: event.id, file: file)
    if column == "ordinal" { photo.ordinal = number }
    if ["orientation", "ordinal"].contains(column) || sizes[column] != nil {
      records.append(.photo(photo))
    }
    if place.position != nil || place.elevationCm != nil { records.append(.place(place)) }
    return records
  }

  @Test func rangesAreKeptTo() throws {
    let rows = try Self.rows().compactMap { cells -> ([String], Int, Int)? in
      let numbers = cells.dropFirst().compactMap { cell in Int(cell.filter { $0 != "," }) }
      return numbers.count == 2 ? (Self.names(cells[0]), numbers[0], numbers[1]) : nil
    }
    #expect(rows.flatMap { $0.0 }.count > 20)
    for (columns, low, high) in rows {
      for column in columns {
        for number in [low, high] {
          let records = try Self.records(column, number)
          #expect(!records.isEmpty, "\(column)")
          for record in records {
            #expect(throws: Never.self, "\(column)") { try record.validate() }
          }
        }
        for number in [low - 1, high + 1, .min, .max] {
          for record in try Self.records(column, number) {
            #expect(throws: JournalError.self, "\(column) \(number)") { try record.validate() }
          }
        }
      }
    }
  }

  @Test func linesHaveTheirMembers() throws {
    let rows = try Self.rows()
    let event = Event(kind: .visit, start: try LocalTime("2026"))
    let occurrence = Occurrence(event: event.id)
    let records: [JournalRecord] = [
      .place(Place(kind: .site, name: "A")), .event(event), .organism(Organism()),
      .occurrence(occurrence),
      .identification(Identification(occurrence: occurrence.id, verbatimName: "a")),
      .note(Note(target: event.id, text: "a")), .collection(JournalCollection(name: "A")),
      .measure(Measure(target: event.id, type: "stems")), .person(Person(name: "A")),
      .photo(
        Photo(target: event.id, file: try PhotoFile(PhotoSample().jpeg(), name: nil).file)),
    ]
    #expect(Set(records.map(\.kind)) == Set(JournalRecord.Kind.allCases))
    for record in records {
      let kind = record.kind
      let row = try #require(rows.first { Self.names($0[0]) == [kind.rawValue] })
      let isTagged = [.place, .event, .organism, .occurrence].contains(kind)
      let always = Set(Self.names(row[1]) + ["id"] + (isTagged ? ["tags", "collections"] : []))
      let line = try JSONEncoder().encode(record)
      let members = try #require(try JSONSerialization.jsonObject(with: line) as? [String: Any])
      #expect(Set(members.keys) == always.union(["recordKind"]), "\(kind)")
      let value = try #require(Mirror(reflecting: record).children.first?.value)
      let fields = Mirror(reflecting: value).children.compactMap(\.label)
        .map { $0.hasPrefix("_") ? String($0.dropFirst()) : $0 }
      #expect(Set(fields) == always.union(Self.names(row[2])), "\(kind)")
    }
  }
}

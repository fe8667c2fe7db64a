package import STOLNames

/// What one row of a source says about one name.
///
/// Texts are as their `Normalising` functions return them; empty where a row says nothing.
package struct SourceUsage {
  /// The source's own id; for a row without one what it is known by while it is read.
  package var id = ""
  /// Whether the row has that id; a synonym that has none is written without one.
  package var hasOwnID = true
  /// The scientific name without authorship.
  package var name = ""
  /// The authorship.
  package var authorship = ""
  /// The year of description.
  package var year: Int?
  /// The rank; nil where the row states none.
  package var rank: SourceRank?
  /// What the row says it is; nil where it says nothing.
  package var status: TaxonomicStatus?
  /// The id of the parent.
  package var parentID = ""
  /// The name of the parent, with or without authorship, for rows without its id, or with one that
  /// is not there.
  package var parentName = ""
  /// The ids of the accepted taxa; several for a synonym pro parte.
  package var acceptedIDs: [String] = []
  /// The text that `acceptedIDs` are parts of; if it is itself an id, the parts do not count.
  package var undividedAcceptedID = ""
  /// The name of the accepted taxon, for rows without its id, or with one that is not there.
  package var acceptedName = ""
  /// The names of higher taxa by rank, in columns of the row, the highest first.
  package var classification: [(rank: SourceRank, name: String)] = []
  /// The IUCN code.
  package var conservation: String?
  /// What the row says it is, in its own words.
  package var statusText = ""
  /// What the row says of the name under its code: "nomen nudum".
  package var nomenclaturalStatus = ""
  /// The nomenclatural code, as the row states it.
  package var code = ""
  /// What limits the name: "sensu Busch, 1930".
  package var sensu = ""
  /// The number of the line in its file, for messages.
  package var line = 0

  package init() {}

  /// Writes what `init(_:)` reads: all but rank, status, line, undivided id and whether the id is its own,
  /// which the columns of a `UsageTable` and the account stand for.
  func write(to record: inout RecordBuilder) {
    record.add(name)
    record.add(authorship)
    writeFurther(to: &record)
  }

  /// Writes the same with a name and an authorship that are in UTF-8 already, in place of its own.
  func write(name: Span<UInt8>, authorship: Span<UInt8>, to record: inout RecordBuilder) {
    record.add(name)
    record.add(authorship)
    writeFurther(to: &record)
  }

  /// Most rows say few of these, so that what is there is said first.
  private struct Stated: OptionSet {
    let rawValue: Int
    static let conservation = Stated(rawValue: 1)
    static let parentID = Stated(rawValue: 2)
    static let parentName = Stated(rawValue: 4)
    static let acceptedName = Stated(rawValue: 8)
    static let statusText = Stated(rawValue: 16)
    static let nomenclaturalStatus = Stated(rawValue: 32)
    static let code = Stated(rawValue: 64)
    static let sensu = Stated(rawValue: 128)
    static let acceptedIDs = Stated(rawValue: 256)
    static let classification = Stated(rawValue: 512)
  }

  private var stated: Stated {
    var stated: Stated = []
    if conservation != nil { stated.insert(.conservation) }
    if !parentID.isEmpty { stated.insert(.parentID) }
    if !parentName.isEmpty { stated.insert(.parentName) }
    if !acceptedName.isEmpty { stated.insert(.acceptedName) }
    if !statusText.isEmpty { stated.insert(.statusText) }
    if !nomenclaturalStatus.isEmpty { stated.insert(.nomenclaturalStatus) }
    if !code.isEmpty { stated.insert(.code) }
    if !sensu.isEmpty { stated.insert(.sensu) }
    if !acceptedIDs.isEmpty { stated.insert(.acceptedIDs) }
    if !classification.isEmpty { stated.insert(.classification) }
    return stated
  }

  private func writeFurther(to record: inout RecordBuilder) {
    record.add(year: year)
    record.add(id)
    let stated = stated
    record.add(stated.rawValue)
    if stated.contains(.conservation) { record.add(conservation ?? "") }
    if stated.contains(.parentID) { record.add(parentID) }
    if stated.contains(.parentName) { record.add(parentName) }
    if stated.contains(.acceptedName) { record.add(acceptedName) }
    if stated.contains(.statusText) { record.add(statusText) }
    if stated.contains(.nomenclaturalStatus) { record.add(nomenclaturalStatus) }
    if stated.contains(.code) { record.add(code) }
    if stated.contains(.sensu) { record.add(sensu) }
    if stated.contains(.acceptedIDs) {
      record.add(acceptedIDs.count)
      for accepted in acceptedIDs { record.add(accepted) }
    }
    if stated.contains(.classification) {
      record.add(classification.count)
      for entry in classification {
        record.add(entry.rank.level ?? 0)
        record.add(entry.name)
      }
    }
  }

  init(_ record: inout RecordReader) {
    name = record.text()
    authorship = record.text()
    year = record.year()
    id = record.text()
    let stated = Stated(rawValue: record.number())
    if stated.contains(.conservation) { conservation = record.text() }
    if stated.contains(.parentID) { parentID = record.text() }
    if stated.contains(.parentName) { parentName = record.text() }
    if stated.contains(.acceptedName) { acceptedName = record.text() }
    if stated.contains(.statusText) { statusText = record.text() }
    if stated.contains(.nomenclaturalStatus) { nomenclaturalStatus = record.text() }
    if stated.contains(.code) { code = record.text() }
    if stated.contains(.sensu) { sensu = record.text() }
    if stated.contains(.acceptedIDs) {
      for _ in 0..<record.number() { acceptedIDs.append(record.text()) }
    }
    if stated.contains(.classification) {
      for _ in 0..<record.number() {
        let rank = SourceRank(place: record.number()) ?? .noRank
        classification.append((rank, record.text()))
      }
    }
  }
}

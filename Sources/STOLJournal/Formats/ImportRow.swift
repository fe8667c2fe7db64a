public import STOLSystem

/// What a row of a file says, as records whose UUIDs the same row always gets.
public struct ImportRow: Hashable, Sendable {
  /// A higher taxon that the names of a row are said to be in.
  public struct Hint: Hashable, Sendable {
    /// Its rank, as "family".
    public var rank: String
    /// Its name.
    public var name: String

    /// A higher taxon.
    public init(rank: String, name: String) { (self.rank, self.name) = (rank, name) }
  }

  /// The number of its first line, or of the entry in a file that has no lines, from 1.
  public var line: Int
  /// Its records, which refer to each other or to what earlier rows or the journal have; what rows share, as a
  /// place, may be in each of them.
  public var records: [JournalRecord]
  /// What is odd about it, though it is kept.
  public var flags: [ImportFlag]
  /// What narrows the search for its names.
  public var hints: [Hint]
  /// A common name that stands beside its names, and that they have to agree with.
  public var commonName: String?
  /// Whether identifications without a taxon stay as they are, and so does what somebody has accepted, as in an export
  /// of the journal; else their names are looked up.
  public var keepsNames: Bool
  /// Whether the names of its occurrences stand in rows behind it.
  var namesFollow = false
  /// Whether its measures have the times of their events for want of a column, as in a table of the journal.
  var timesMeasuresByEvents = false
  /// The files of its photos that may not be there yet.
  var files: [PhotoFile] = []
  /// Why one of them cannot be had.
  var lost: ImportRefusal?
  /// Whether a common name is all that it is called, which nobody looks up: it may be that of several taxa, and be
  /// spelt as the scientific name of another.
  var hasCommonName = false
  /// When its one record was made and changed, where it is of an archive and is to become one with what is there.
  var moments: RecordMoments?
  /// Whether its position is the middle of a line or an area, whose extent is no lack of accuracy.
  var hasExtent = false
  /// The cells that it was made of; nil of what is in no table, or in one whose cells are what is kept.
  var cells: TableRow?
  /// What stands in the file, by the fields of records that were made of it.
  var members: [String: ImportMember] = [:]

  /// A row.
  public init(
    line: Int, records: [JournalRecord], flags: [ImportFlag] = [], hints: [Hint] = [],
    commonName: String? = nil, keepsNames: Bool = false
  ) {
    self.line = line
    self.records = records
    self.flags = flags
    self.hints = hints
    self.commonName = commonName
    self.keepsNames = keepsNames
  }
}

extension ImportRow {
  /// Adds to each of its places, or else to its event, where it is from.
  mutating func add(credit: String?) {
    guard let credit else { return }
    let places = records.filter { $0.kind == .place }
    for target in places.isEmpty ? records.filter({ $0.kind == .event }) : places {
      let id = target.id.derived("credit \(credit)")
      records.append(.note(Note(id: id, target: target.id, text: credit)))
    }
  }

  /// What is odd about a value of a record, with what stands in the file in the place of that.
  func shown(_ flag: ImportFlag) -> ImportFlag {
    if let cells { return cells.shown(flag) }
    guard let member = members[flag.column] else { return flag }
    return ImportFlag(column: member.name, value: member.shown, reason: flag.reason)
  }
}

/// A member of an object in a file.
struct ImportMember: Hashable, Sendable {
  let name: String
  /// What stands there.
  let shown: String
}

/// What is odd about a row that is kept all the same.
public struct ImportFlag: Hashable, Sendable {
  /// The column, or the member, that says it.
  public var column: String
  /// What stands there.
  public var value: String
  /// What is odd about that.
  public var reason: String

  /// A flag.
  public init(column: String, value: String, reason: String) {
    self.column = column
    self.value = value
    self.reason = reason
  }
}

/// Why a row is not kept.
public struct ImportRefusal: Hashable, Sendable {
  /// The number of its first line, or of its entry, from 1.
  public var line: Int
  /// The column, or the member, that says what cannot be; empty where it is the row.
  public var column: String
  /// What stands there.
  public var value: String
  /// What is wrong with that.
  public var reason: String
  /// What to do.
  public var remedy: String

  /// A refusal.
  public init(line: Int, column: String, value: String, reason: String, remedy: String) {
    self.line = line
    self.column = column
    self.value = value
    self.reason = reason
    self.remedy = remedy
  }

  /// The refusal of a row of which a record says what cannot be.
  ///
  /// - Parameters:
  ///   - error: why it cannot be.
  ///   - line: where the row is.
  ///   - column: the member with the UUID that it is about.
  public init(_ error: JournalError, line: Int, column: String = "id") {
    func of(_ id: JournalID, _ reason: String, _ remedy: String) -> ImportRefusal {
      ImportRefusal(line: line, column: column, value: "\(id)", reason: reason, remedy: remedy)
    }
    switch error {
    case .invalid(let field, let value, let remedy):
      self.init(line: line, column: field, value: value, reason: "cannot be", remedy: remedy)
    case .unknown(let id, let needed):
      self = of(
        id, "is the UUID of no \(needed)",
        "check it; what a record refers to stands before it, or is in the journal")
    case .otherKind(let id, let found, let needed):
      self = of(
        id, "is the UUID of a record of the kind \(found), not \(needed)", "make a new UUID")
    case .deleted(let id):
      self = of(id, "is the UUID of a deleted record", "undo that, or make a new UUID")
    default:
      self.init(line: line, column: "", value: "", reason: error.description, remedy: "")
    }
  }

  /// The refusal with what stands in the file in the place of a field that was made of it.
  func shown(by members: [String: ImportMember]) -> ImportRefusal {
    guard let member = members[column] else { return self }
    return ImportRefusal(
      line: line, column: member.name, value: member.shown, reason: reason, remedy: remedy)
  }
}

extension ImportRefusal: StolError {
  /// What kind of trouble it is.
  public var kind: ErrorKind { .usage }

  /// One line: where, what is wrong, and what to do.
  public var description: String {
    let cut = value.count > 80 ? String(value.prefix(80)) + "\u{2026}" : value
    let place = ["line \(line)", column, value.isEmpty ? "" : "'\(cut)'"]
    return place.filter { !$0.isEmpty }.joined(separator: ", ") + " \(reason)"
      + (remedy.isEmpty ? "" : ": \(remedy)")
  }
}

/// Reads a file of some format, a row at a time.
package protocol ImportReader: AnyObject {
  /// What of the rows so far is in no record of its own.
  var beside: ImportBeside { get }
  /// How many bytes the rows so far were made of; nil where none is to be read before the one before it is kept.
  var byteCount: Int? { get }
  /// The format of the file, where one that the journal wrote comes back with less than it keeps.
  var roundTrip: RoundTripFormat? { get }

  /// The next row, or why it is none; nil at the end of the file.
  ///
  /// - Throws: what makes it impossible to go on.
  func next() throws -> Result<ImportRow, ImportRefusal>?
}

extension ImportReader {
  package var beside: ImportBeside { ImportBeside() }
  package var byteCount: Int? { nil }
  package var roundTrip: RoundTripFormat? { nil }
}

/// How a file is imported.
public struct ImportOptions: Hashable, Sendable {
  /// Which names are identifications.
  public enum Acceptance: String, JournalWord {
    /// Those that the database has.
    case exact
    /// Those too that differ by one letter from one name, and not in its genus.
    case fuzzy
  }

  /// Which names are identifications.
  public var accept = Acceptance.exact
  /// Whether nothing is kept.
  public var isDryRun = false
  /// Whether the first refusal ends it, and nothing is kept then.
  public var isStrict = false
  /// Whether records that are there become what the file says; what it does not say stays.
  public var updates = false
  /// Whether 0 N 0 E is a place like others.
  public var acceptsNullIsland = false
  /// The collection that organisms, and occurrences without one, are put into; a new one is made.
  public var collection: JournalCollection?

  /// The usual ones.
  public init() {}
}

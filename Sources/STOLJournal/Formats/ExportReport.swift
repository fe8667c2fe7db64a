import STOLSystem

/// What was written to a file, and what its format cannot hold.
public struct ExportReport: Equatable, Sendable {
  /// So many of something: 12 "trees".
  public struct Count: Equatable, Sendable {
    /// What was written, in words.
    public let what: String
    /// How many.
    public fileprivate(set) var count: Int
  }

  /// What was written.
  public private(set) var written: [Count] = []
  /// The members of records that were left out, or not kept as they are, with the number of records.
  public private(set) var losses: [String: Int] = [:]
  /// What another program finds written otherwise than where it came from, with how often; nothing of it is lost.
  public private(set) var changes: [String: Int] = [:]
  /// The positions in the file that are as exact as the journal has them: of records where the format has those, else
  /// of rows, points, trees or sites.
  public private(set) var exactPositionCount = 0
  /// The positions in the file of which others may know a cell of the grid alone.
  public private(set) var obscuredPositionCount = 0
  /// The records by kind, where the format has the records of the journal; nil where it makes others of them.
  public private(set) var recordCounts: [String: Int]?
  /// What others may know less exactly, or not at all; nothing where all was written for oneself.
  public internal(set) var sharing = SharingCounts()

  /// Whether what a format cannot hold is counted.
  private var countsLosses = true

  /// Nothing yet.
  public init() {}

  /// Nothing yet, of an export of which nobody asks what it lost.
  init(countsLosses: Bool) { self.countsLosses = countsLosses }

  mutating func add(_ what: String, _ count: Int = 1) {
    if let index = written.firstIndex(where: { $0.what == what }) {
      written[index].count += count
    } else {
      written.append(Count(what: what, count: count))
    }
  }

  mutating func addPosition(_ position: Position?, isObscured: Bool, _ count: Int = 1) {
    guard position != nil else { return }
    if isObscured { obscuredPositionCount += count } else { exactPositionCount += count }
  }

  mutating func add(_ record: JournalRecord, isObscured: Bool = false) {
    recordCounts = recordCounts ?? [:]
    recordCounts?[record.kind.rawValue, default: 0] += 1
    addPosition(record.position, isObscured: isObscured)
  }

  /// Takes over what a table says of itself.
  mutating func add(_ table: JournalTable.Report) {
    exactPositionCount += table.exactPositionCount
    obscuredPositionCount += table.obscuredPositionCount
    add("occurrences", table.rowCount)
    for (what, count) in table.leftOut { lose(what, count) }
    lose("\" | \" in texts, now \" / \"", table.changedTextCount)
  }

  mutating func lose(_ what: String, _ count: Int = 1) {
    if count > 0 { losses[what, default: 0] += count }
  }

  mutating func change(_ what: String, _ count: Int = 1) {
    if count > 0 { changes[what, default: 0] += count }
  }

  /// Counts what a record says and a format does not hold.
  ///
  /// - Parameters:
  ///   - record: the record.
  ///   - held: the members that the format holds, with those in others after a point: "position.latitudeE7".
  /// - Throws: what JSON cannot say.
  mutating func loseAll(of record: JournalRecord, but held: Set<String>) throws {
    guard countsLosses else { return }
    // The samples of a dive, of which there are many, are one member here.
    let line = Array(try JournalLines.line(of: record.withoutSamples).utf8)
    var scanner = JSONScanner(line)
    let kind = record.kind.rawValue
    let samples: Set<String> = record.hasSamples ? ["dive.logs.samples"] : []
    for path in samples.union(try scanner.node().memberPaths)
    where !held.contains(path) && !Self.saysNothing(path, record) {
      lose("\(kind).\(path)")
    }
  }

  /// Whether a member has the value that it has where nobody says anything.
  private static func saysNothing(_ path: String, _ record: JournalRecord) -> Bool {
    switch record {
    case .place(let place): path == "privacy" && place.privacy == .open
    case .event(let event):
      path == "status" && event.status == .saved
        || path == "isCompleteList" && !event.isCompleteList
        || path == "privacy" && event.privacy == .open
    case .organism(let organism):
      path == "status" && organism.status == .unknown
        || path == "privacy" && organism.privacy == .open
    case .occurrence(let occurrence):
      path == "presence" && occurrence.presence == .present
        || path == "privacy" && occurrence.privacy == .open
    default: false
    }
  }

  /// Whether all was written as it is.
  public var isWhole: Bool { losses.isEmpty && sharing == SharingCounts() }

  /// One line for what was written, one each for what others may know less exactly and for what was kept from them,
  /// and one each for what is written otherwise and for what the format cannot hold, if anything was.
  public var lines: [String] {
    let counts = written.map { "\($0.count) \($0.count == 1 ? Self.singular($0.what) : $0.what)" }
    var lines = ["wrote " + (counts.isEmpty ? "nothing" : counts.joined(separator: ", "))]
    lines += sharing.lines
    if !changes.isEmpty { lines.append("written otherwise: " + Self.list(changes)) }
    if !losses.isEmpty { lines.append("not in this format: " + Self.list(losses)) }
    return lines
  }

  private static func list(_ counts: [String: Int]) -> String {
    counts.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }.joined(separator: ", ")
  }

  /// The word for one of what there are several of.
  private static func singular(_ what: String) -> String {
    what.hasSuffix("s") && what != "species" ? String(what.dropLast()) : what
  }
}

/// Where an export goes: bytes are handed on in large pieces.
struct ExportSink {
  private var bytes: [UInt8] = []
  private let write: ([UInt8]) throws -> Void
  private static let step = 1 << 16

  init(_ write: @escaping ([UInt8]) throws -> Void) { self.write = write }

  mutating func append(_ text: String) throws {
    bytes += text.utf8
    if bytes.count >= Self.step { try flush() }
  }

  mutating func flush() throws {
    try write(bytes)
    bytes.removeAll(keepingCapacity: true)
  }
}

/// The formats that the journal is written in.
public enum ExportFormat: String, CaseIterable, Sendable {
  /// One JSON document by Format/journal.schema.json.
  case json
  /// Its records, one a line.
  case jsonl
  /// A table with a row for each occurrence, as comma-separated values.
  case csv
  /// The same, as tab-separated values.
  case tsv
  /// Waypoints, GPX 1.1.
  case gpx
  /// Features of GeoJSON (RFC 7946).
  case geojson
  /// Placemarks, KML 2.2.
  case kml
  /// The same, compressed.
  case kmz
  /// The layout of Tree Tracker.
  case treetracker
  /// The layout of UmiLog.
  case umilog
  /// The record format of eBird.
  case ebird
  /// What the importer of iNaturalist takes.
  case inaturalist
  /// A Darwin Core archive, which says whose it is and what others may do with it.
  case dwca
  /// Dives as a log of Subsurface, version 3.
  case subsurface
  /// Dives as UDDF 3.2.3.
  case uddf
  /// All of the records and the files of their photos: a journal that has read it writes the same.
  case archive

  /// What the names of its files end with.
  public var fileExtension: String {
    switch self {
    case .archive: JournalArchive.fileExtension
    case .json, .treetracker, .umilog: "json"
    case .ebird, .inaturalist: "csv"
    case .dwca: "zip"
    case .subsurface: "ssrf"
    case .jsonl, .csv, .tsv, .gpx, .geojson, .kml, .kmz, .uddf: rawValue
    }
  }

  /// What its files are called where no collection gives them a name.
  public var prefix: String {
    switch self {
    case .treetracker: "trees"
    case .umilog, .subsurface, .uddf: "dives"
    case .ebird, .inaturalist, .dwca: rawValue
    default: "journal"
    }
  }

  /// The name of a file: "trees_2026-03-15_143022.json".
  ///
  /// - Parameters:
  ///   - collection: the collection that is written, whose letters and digits the name begins with.
  ///   - seconds: the moment, counted from 1970 by the clock of the place.
  /// - Returns: the name.
  public func fileName(collection: String?, at seconds: Int) -> String {
    let words = (collection ?? "").lowercased().split(separator: " ").map { word in
      word.filter { $0.isLetter || $0.isNumber || $0 == "-" }
    }
    let name = words.filter { !$0.isEmpty }.joined(separator: "_")
    // Names of files have 255 bytes.
    let short = String(decoding: name.utf8.prefix(120), as: UTF8.self).filter { $0 != "\u{FFFD}" }
    let time = timeText(secondsSince1970: seconds)
    let clock = time.suffix(8).filter { $0 != ":" }
    return "\(short.isEmpty ? prefix : short)_\(time.prefix(10))_\(clock).\(fileExtension)"
  }
}

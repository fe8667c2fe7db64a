import STOLData
import STOLFormats
import STOLPack

@testable import STOLJournal

/// Helpers of tests that import tables.
enum TestTable {
  static let pack = Result { try BundledDatabase.open() }

  /// A stream of bytes in pieces of some length.
  static func stream(_ bytes: [UInt8], pieceByteCount: Int = 1 << 16) -> SourceStream {
    var start = 0
    return SourceStream(name: "table") { () throws(FormatError) in
      let piece = Array(bytes[start..<min(bytes.count, start + pieceByteCount)])
      start += piece.count
      return piece
    }
  }

  static func reader(
    _ text: String, _ map: [String] = [], acceptsNullIsland: Bool = false
  ) throws -> TableImportReader {
    var mapping = try TableMapping(map)
    // Where a column has identifiers, somebody has to say whose they are.
    if mapping.identifier != nil { mapping.source = mapping.source ?? "test" }
    return try TableImportReader(
      stream(Array(text.utf8)), fileName: "table.csv", mapping: mapping,
      acceptsNullIsland: acceptsNullIsland)
  }

  /// Imports a text, and gives what became of each row.
  static func `import`(
    _ text: String, _ map: [String] = [], into journal: JournalFile,
    _ options: ImportOptions = ImportOptions(), looksUpNames: Bool = false,
    stepCount: Int = 20_000
  ) throws -> (rows: [ImportedRow], summary: ImportSummary) {
    var rows: [ImportedRow] = []
    let names = looksUpNames ? ImportNames(in: try pack.get(), accept: options.accept) : nil
    let reader = try reader(text, map, acceptsNullIsland: options.acceptsNullIsland)
    let summary = try journal.importing(reader, options, names: names, stepCount: stepCount) {
      rows.append($0)
    }
    return (rows, summary)
  }

  /// The export of a journal.
  static func text(
    of journal: JournalFile, as form: JournalTable.Form = .csv, ids: JournalTable.IDForm = .uuid
  ) throws -> (text: String, report: JournalTable.Report) {
    var bytes: [UInt8] = []
    let report = try JournalTable.write(journal, as: form, ids: ids, to: { bytes += $0 })
    return (String(decoding: bytes, as: UTF8.self), report)
  }

  /// All live records but collections, and the names of these in the place of their UUIDs.
  static func records(of journal: JournalFile) throws -> [JournalID: String] {
    let records = try journal.liveRecords().map(\.record)
    var names: [JournalID: String] = [:]
    for case .collection(let collection) in records { names[collection.id] = collection.name }
    var lines: [JournalID: [String]] = [:]
    for var record in records {
      let collections = record.collections.map { names[$0] ?? "?" }.sorted()
      record.collections = []
      switch record {
      case .collection: continue
      // Notes and identifications get UUIDs of their own.
      case .measure(let measure):
        lines[measure.target, default: []].append(
          "\(measure.type) \(measure.number ?? -1) \(measure.text ?? "") \(measure.time?.text ?? "")"
        )
      case .note(let note): lines[note.target, default: []].append("note: \(note.text)")
      case .identification(var identification):
        identification.id = identification.occurrence
        lines[identification.occurrence, default: []].append(
          try JournalLines.line(of: .identification(identification)))
      default:
        lines[record.id, default: []].append(try JournalLines.line(of: record) + "\(collections)")
      }
    }
    return lines.mapValues { $0.sorted().joined(separator: "\n") }
  }
}

import STOLFormats

@testable import STOLJournal

/// Helpers of tests that import maps.
enum TestMap {
  /// Imports bytes, and gives what became of each row.
  static func `import`(
    _ bytes: [UInt8], _ map: [String] = [], into journal: JournalFile,
    _ options: ImportOptions = ImportOptions(), as format: ImportFormat? = nil,
    pieceByteCount: Int = 1 << 16
  ) throws -> (rows: [ImportedRow], summary: ImportSummary, format: ImportFormat) {
    var rows: [ImportedRow] = []
    let source = try OpenImport(
      TestTable.stream(bytes, pieceByteCount: pieceByteCount), fileName: "map", as: format,
      by: try TableMapping(map), photos: PhotoImport(.skip), into: journal, options,
      passphrase: { throw JournalError.nothingToUndo })
    let summary = try journal.importing(source.reader, options) { rows.append($0) }
    return (rows, summary, source.format)
  }

  static func `import`(
    _ text: String, _ map: [String] = [], into journal: JournalFile,
    _ options: ImportOptions = ImportOptions()
  ) throws -> (rows: [ImportedRow], summary: ImportSummary, format: ImportFormat) {
    try self.import(Array(text.utf8), map, into: journal, options)
  }
}

extension JournalFile {
  /// The places of the journal by their names, the first of each.
  func placesByName() throws -> [String: Place] {
    var places: [String: Place] = [:]
    for case .place(let place) in try liveRecords().map(\.record) where places[place.name] == nil {
      places[place.name] = place
    }
    return places
  }

  /// What is written about a record.
  func texts(ofNotesOn id: JournalID) throws -> [String] {
    try liveRecords().compactMap { kept in
      if case .note(let note) = kept.record, note.target == id { note.text } else { nil }
    }
  }

  /// The events of the journal.
  func events() throws -> [Event] {
    try liveRecords().compactMap { kept in
      if case .event(let event) = kept.record { event } else { nil }
    }
  }
}

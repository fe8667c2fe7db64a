/// A format of other programs that the journal writes and reads, and that has no place for some of what it keeps.
package enum RoundTripFormat: Sendable {
  case treetracker
  case umilog
  case subsurface
  case uddf

  /// What comes back of some records that are written and read again.
  ///
  /// - Parameter kept: the records, with all that the format joins to them.
  /// - Returns: the records of what was written; none of what cannot be read.
  /// - Throws: what writing them throws.
  func comingBack(_ kept: [JournalRecord]) throws -> [JournalRecord] {
    var bytes: [UInt8] = []
    var sink = ExportSink { bytes += $0 }
    var report = ExportReport(countsLosses: false)
    switch self {
    case .treetracker: try TreeTrackerExport.write(RecordIndex(of: kept), to: &sink, &report)
    case .umilog: try UmiLogExport.write(RecordIndex(of: kept), to: &sink, &report)
    case .subsurface:
      let index = DiveIndex(of: kept, &report)
      _ = try SubsurfaceExport.write(index, report, to: &sink)
    case .uddf:
      let index = DiveIndex(of: kept, &report)
      _ = try UDDFExport.write(index, report, by: "", to: &sink)
    }
    try sink.flush()
    let reader = try reader(of: ByteChunks(bytes))
    var records: [JournalRecord] = []
    while let row = try reader.next() {
      if case .success(let row) = row { records += row.records }
    }
    return records
  }

  private func reader(of chunks: ByteChunks) throws -> any ImportReader {
    switch self {
    case .treetracker: try TreeTrackerReader(chunks, .export)
    case .umilog: try UmiLogReader(chunks)
    case .subsurface: try SubsurfaceReader(chunks)
    case .uddf: try UDDFReader(chunks)
    }
  }
}

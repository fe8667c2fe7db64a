import STOLFormats
import STOLTrust

extension JournalArchive {
  /// Writes records and the files of their photos, those of one moment.
  ///
  /// A file that is gone, or is another one, is counted as left out.
  static func write(
    _ journal: JournalFile, _ query: SightingQuery?, by writer: String,
    to write: @escaping ([UInt8]) throws -> Void
  ) throws -> ExportReport {
    var report = ExportReport()
    let parts = try ArchiveParts(by: writer, write)
    var failure: (any Error)?
    try journal.read { database in
      var files: [String: MediaFile] = [:]
      failure = try journal.keptRecords(database, of: query, kinds: [.photo]) { _, record in
        if case .photo(let photo) = record { files["\(photo.file.sha256)"] = photo.file }
      }
      for (_, file) in files.sorted(by: { $0.key < $1.key }) where failure == nil {
        do {
          try parts.append(file, try journal.media.bytes(of: file))
        } catch JournalError.lostFile {
          report.lose("files of photos that are gone or damaged: 'stol journal check' names them")
        } catch {
          failure = error
        }
      }
      if failure == nil {
        failure = try journal.keptRecords(database, of: query) { head, record in
          try parts.append(record, head)
          if head.deletedMs == nil { report.add(record) }
        }
      }
    }
    if let failure { throw failure }
    try parts.finish()
    report.add("records", parts.recordCount - parts.deletedCount)
    if parts.deletedCount > 0 { report.add("deleted records", parts.deletedCount) }
    report.add("files of photos", parts.fileCount)
    return report
  }
}

/// The entries of an archive that is written.
private final class ArchiveParts {
  private let tar: TarWriter
  private(set) var fileCount = 0
  private(set) var recordCount = 0
  private(set) var deletedCount = 0
  private var partCount = 0
  private var lines: [UInt8] = []

  init(by writer: String, _ write: @escaping ([UInt8]) throws -> Void) throws {
    tar = try TarWriter(write)
    let by = try JSONText.quoted(writer)
    let head =
      "{\"format\":\"\(JournalArchive.formatName)\",\"version\":\(JournalArchive.version),\"writer\":\(by)}\n"
    try tar.append(JournalArchive.headName, Array(head.utf8))
  }

  func append(_ file: MediaFile, _ bytes: [UInt8]) throws {
    try tar.append(JournalArchive.name(of: file.sha256), bytes)
    fileCount += 1
  }

  func append(_ record: JournalRecord, _ head: RecordReader.Head) throws {
    let isLive = head.deletedMs == nil
    lines += try ArchiveLine.text(of: record, head.moments(), isLive: isLive).utf8
    lines.append(UInt8(ascii: "\n"))
    recordCount += 1
    if !isLive { deletedCount += 1 }
    if lines.count >= JournalArchive.partByteCount { try endPart() }
  }

  func finish() throws {
    if !lines.isEmpty { try endPart() }
    try tar.append(
      JournalArchive.endName,
      JournalArchive.end(fileCount: fileCount, partCount: partCount, recordCount: recordCount))
    try tar.finish()
  }

  private func endPart() throws {
    let bytes = try Zstd.compress(lines)
    partCount += 1
    try tar.append(JournalArchive.partName(partCount, SHA256.digest(of: bytes)), bytes)
    lines.removeAll(keepingCapacity: true)
  }
}

import STOLFormats
import STOLSystem
import STOLTrust

/// Reads an archive of the journal: keeps the files of photos, and gives the records.
final class ArchiveImportReader: ImportReader {
  private let archive: ArchiveReader
  private let rest: SourceStream
  private let path: String
  private let media: MediaFolder
  private let isRehearsal: Bool
  private let photos: PhotoChoice
  private var stage = Stage.head
  private var fileCount = 0
  private var partCount = 0
  private var recordCount = 0
  /// The files in it, which a rehearsal does not keep.
  private var files: Set<Digest> = []
  private var part: (any ImportReader)?
  private var lineBase = 0

  private enum Stage { case head, files, records, end }

  /// More than a part takes, compressed or not: it ends with the record that passes 4 MiB, which has as much at most.
  private static let partLimit = JournalArchive.partByteCount + JournalLinesReader.lineLimit + 1
  private static let noteLimit = 1 << 12

  /// Reads a tar archive from its beginning.
  ///
  /// - Parameters:
  ///   - stream: the archive, opened where it was sealed; nobody else reads it.
  ///   - path: what errors call it.
  ///   - media: where the files of photos are kept.
  ///   - photos: what becomes of them.
  ///   - isRehearsal: whether nothing is kept.
  /// - Throws: `FormatError`
  init(
    _ stream: SourceStream, path: String, media: MediaFolder, photos: PhotoChoice,
    isRehearsal: Bool
  ) throws {
    archive = try ArchiveReader(tar: stream, path: path)
    rest = stream
    (self.path, self.media, self.photos, self.isRehearsal) = (path, media, photos, isRehearsal)
  }

  func next() throws -> Result<ImportRow, ImportRefusal>? {
    while stage != .end {
      if let row = try part?.next() {
        recordCount += 1
        return numbered(row)
      }
      part = nil
      lineBase = recordCount
      try takeEntry()
    }
    return nil
  }

  /// The row with the number that its line has where the parts are one.
  private func numbered(
    _ row: Result<ImportRow, ImportRefusal>
  ) -> Result<ImportRow, ImportRefusal> {
    switch row {
    case .success(var row):
      row.line += lineBase
      return .success(row)
    case .failure(var refusal):
      refusal.line += lineBase
      return .failure(refusal)
    }
  }

  // MARK: - Entries

  private func takeEntry() throws {
    guard let entry = try archive.nextEntry() else {
      throw damaged("it is cut off: its end is missing, so take another copy")
    }
    guard let name = entry.name, entry.kind == .file else {
      throw unexpected(entry.name ?? "an entry without a name")
    }
    if stage == .head {
      guard name == JournalArchive.headName else { throw unexpected(name) }
      try takeHead(try bytes(name, limit: Self.noteLimit))
      stage = .files
    } else if stage == .files, name.hasPrefix("media/") {
      try takeFile(name)
    } else if name.hasPrefix("records/") {
      stage = .records
      try takePart(name)
    } else if name == JournalArchive.endName {
      try takeEnd(try bytes(name, limit: Self.noteLimit))
    } else {
      throw unexpected(name)
    }
  }

  private func takeHead(_ bytes: [UInt8]) throws {
    var scanner = JSONScanner(bytes)
    guard let node = try? scanner.node(),
      case .text(JournalArchive.formatName)? = node["format"]?.value,
      case .number(let version)? = node["version"]?.value
    else {
      throw damaged("\(JournalArchive.headName) is not that of an archive of the journal")
    }
    guard version == "\(JournalArchive.version)" else {
      throw damaged("its version is \(version), which needs a later stol")
    }
  }

  private func takeFile(_ name: String) throws {
    let bytes = try bytes(name, limit: PhotoFacts.byteLimit)
    let digest = SHA256.digest(of: bytes)
    guard name == JournalArchive.name(of: digest) else {
      throw damaged("\(name) is damaged: take another copy")
    }
    fileCount += 1
    // What is no photo is refused where a record names it.
    guard photos == .keep, let file = try? PhotoFile(bytes, name: nil) else { return }
    files.insert(digest)
    if !isRehearsal { _ = try media.keep(file) }
  }

  private func takePart(_ name: String) throws {
    let bytes = try bytes(name, limit: Self.partLimit)
    partCount += 1
    guard name == JournalArchive.partName(partCount, SHA256.digest(of: bytes)) else {
      throw damaged("\(name) is damaged, or not the part \(partCount): take another copy")
    }
    let lines = try Zstd.decompress(bytes, path: "\(path): \(name)", limit: Self.partLimit)
    part = PhotoFilesReader(
      JournalLinesReader(ByteChunks(lines), as: .archive), photos,
      isThere: { [files, media] in files.contains($0.sha256) || media.has($0) },
      file: { photo throws(JournalError) in
        throw .lostFile(
          path: JournalArchive.name(of: photo.file.sha256), reason: "is not in the archive")
      })
  }

  private func takeEnd(_ bytes: [UInt8]) throws {
    let end = JournalArchive.end(
      fileCount: fileCount, partCount: partCount, recordCount: recordCount)
    guard bytes == end else {
      throw damaged("it has other records or files than its end says: take another copy")
    }
    guard try archive.nextEntry() == nil else { throw damaged("something stands behind its end") }
    // Whether a sealed one is whole shows at its end.
    while !(try rest.next().isEmpty) {}
    stage = .end
  }

  /// All of the entry that was come to last.
  private func bytes(_ name: String, limit: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let piece = try archive.read(name, limit: 1 << 18)
      if piece.isEmpty { return bytes }
      bytes += piece
      guard bytes.count <= limit else {
        throw FormatError.tooLarge(path: path, what: "more bytes in \(name)", limit: limit)
      }
    }
  }

  private func unexpected(_ name: String) -> FormatError {
    .unsafeArchive(
      path: path, entry: name, reason: "is nothing that an archive of the journal has there")
  }

  private func damaged(_ reason: String) -> FormatError {
    .unreadable(path: path, reason: reason)
  }
}

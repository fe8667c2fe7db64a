package import STOLFormats
import STOLSystem
public import STOLTrust

/// A file that is imported, and how it is meant.
public struct ImportSource: Sendable {
  /// Where it is; compressed or not.
  public var path: String
  /// What it is; nil for what it says itself.
  public var format: ImportFormat?
  /// What the columns of a table say, which an export of the journal says itself.
  ///
  /// `COLUMN=FIELD`, with a unit `COLUMN=FIELD:UNIT` where the field has one, or `=FIELD=VALUE` for what all rows
  /// say; `=source=NAME` says where its identifiers are from.
  public var columns: [String]
  /// What becomes of photos that belong to it.
  public var photos = PhotoChoice.keep
  /// What opens an archive that is sealed.
  public var passphrase: SecretBytes?

  /// A file.
  public init(path: String, format: ImportFormat? = nil, columns: [String] = []) {
    (self.path, self.format, self.columns) = (path, format, columns)
  }

  /// Opens it at its beginning.
  func open(into journal: JournalFile, _ options: ImportOptions) throws -> OpenImport {
    if let archive = try OpenImport(
      archiveOfTablesAt: path, as: format, acceptsNullIsland: options.acceptsNullIsland)
    {
      return archive
    }
    return try OpenImport(
      Self.stream(path), fileName: path, as: format, by: TableMapping(columns),
      photos: PhotoImport(photos, beside: path), into: journal, options,
      passphrase: {
        guard let passphrase else {
          throw JournalError.invalid(
            field: "passphrase", value: "", remedy: "say the one that the archive is sealed with")
        }
        return passphrase
      })
  }

  /// A file at its beginning, decompressed; an archive of the journal as it is.
  ///
  /// - Throws: `FormatError`; `JournalError.invalid` for several files in one.
  package static func stream(_ path: String) throws -> SourceStream {
    if JournalArchive.form(ofFileAt: path) != nil {
      return try SourceStream(name: path, path: path, followsLinks: true)
    }
    let files = try SourceFiles(path: path)
    // The main file of KMZ is called doc.kml, else it is the first one.
    let maps = files.names.filter { $0.lowercased().hasSuffix(".kml") }
    if files.names.count > 1, let map = files.find("doc.kml") ?? maps.first {
      return try files.open(map)
    }
    guard files.names.count == 1 else {
      throw JournalError.invalid(
        field: "file", value: path,
        remedy: "holds \(files.names.count) files: name the table itself")
    }
    return try files.open(files.names[0])
  }
}

/// A file whose rows can be read.
package struct OpenImport {
  /// What it is.
  package let format: ImportFormat
  /// The columns of a table that are not taken.
  package let unread: [String]
  /// What reads it.
  package let reader: any ImportReader
}

extension OpenImport {
  /// A Darwin Core archive, whose tables are files of their own; nil where there is none.
  ///
  /// - Parameters:
  ///   - path: where it may be.
  ///   - format: what it is; nil for what it says itself.
  ///   - acceptsNullIsland: whether events may be at 0 N 0 E; else they are kept without a position.
  /// - Throws: `FormatError`
  package init?(
    archiveOfTablesAt path: String, as format: ImportFormat?, acceptsNullIsland: Bool = false
  ) throws {
    guard format ?? .dwca == .dwca, let archive = try DarwinCoreArchive(path: path) else {
      return nil
    }
    let reader = DarwinCoreReader(archive)
    // What was seen in an event is not lost for where that was.
    let isStrict = archive.core == DarwinCoreArchive.event && !acceptsNullIsland
    self.init(format: .dwca, unread: [], reader: isStrict ? KnownPlaceReader(reader) : reader)
  }

  /// A file of some format.
  ///
  /// - Parameters:
  ///   - stream: the file, at its beginning; nobody else reads it.
  ///   - fileName: what it is called.
  ///   - format: what it is; nil for what its first bytes say.
  ///   - mapping: what the columns of a table say.
  ///   - photos: what becomes of photos that belong to it.
  ///   - journal: what it is imported into.
  ///   - options: how.
  ///   - passphrase: what an archive is sealed with; asked for where it is sealed.
  /// - Throws: `UnreadFile` for one that is not read; `JournalError.invalid`, `FormatError`;
  ///   `SealError`; what `passphrase` throws.
  package init(
    _ stream: SourceStream, fileName: String, as format: ImportFormat?,
    by mapping: @autoclosure () throws -> TableMapping, photos: PhotoImport,
    into journal: JournalFile, _ options: ImportOptions,
    passphrase: () throws -> SecretBytes
  ) throws {
    let (head, unread) = try ImportFormat.peek(stream)
    if let form = JournalArchive.Form(head) {
      let opened = form == .open ? unread : try unread.opened(passphrase(), path: fileName)
      self.init(
        format: .archive, unread: [],
        reader: try ArchiveImportReader(
          opened, path: fileName, media: journal.media, photos: photos.choice,
          isRehearsal: options.isDryRun))
      return
    }
    if format == .archive {
      throw FormatError.unreadable(path: fileName, reason: "it is no archive of the journal")
    }
    let (found, whole) = try ImportFormat.detect(unread)
    // Who says what the columns mean knows better.
    let stated = try format == nil && found.hasOwnColumns ? mapping() : nil
    let chosen = format ?? (stated?.isEmpty ?? true ? found : .csv)
    if let reader = try chosen.recordReader(whole, fileName: fileName) {
      self.init(format: chosen, unread: [], reader: reader)
      return
    }
    if let reader = try DiveFormat.reader(
      chosen, ByteChunks(whole), acceptsNullIsland: options.acceptsNullIsland)
    {
      self.init(format: chosen, unread: [], reader: reader)
      return
    }
    if let layout = chosen.layout {
      self.init(
        format: chosen, unread: [],
        reader: try journal.reader(
          layout, ByteChunks(whole), photos: photos,
          mapping: layout == .geojson ? mapping() : TableMapping(),
          acceptsNullIsland: options.acceptsNullIsland))
      return
    }
    if chosen == .gpx || chosen == .kml {
      self.init(
        format: chosen, unread: [],
        reader: try MapReader(
          MapReader.source(whole, chosen), chosen, mapping(),
          acceptsNullIsland: options.acceptsNullIsland))
      return
    }
    let table = try TableImportReader(
      whole, fileName: fileName,
      delimiter: format.map { UInt8(ascii: $0 == .tsv ? "\t" : ",") },
      mapping: try stated ?? mapping(),
      acceptsNullIsland: options.acceptsNullIsland)
    self.init(format: chosen, unread: table.unread, reader: table)
  }

  /// An archive of the journal.
  ///
  /// - Parameters:
  ///   - path: the archive.
  ///   - journal: what it is imported into.
  ///   - options: how.
  ///   - passphrase: what it is sealed with; asked for where it is sealed.
  /// - Throws: `FormatError`, `SealError`; what `passphrase` throws.
  package init(
    archiveAt path: String, into journal: JournalFile, _ options: ImportOptions,
    passphrase: () throws -> SecretBytes
  ) throws {
    try self.init(
      ImportSource.stream(path), fileName: path, as: .archive, by: TableMapping(),
      photos: PhotoImport(.keep), into: journal, options, passphrase: passphrase)
  }
}

extension SourceStream {
  /// What is sealed in it, opened while it is read.
  fileprivate func opened(_ passphrase: SecretBytes, path: String) throws -> SourceStream {
    let reader: SealedReader
    do {
      reader = try SealedReader(passphrase) { [self] in try next() }
    } catch let error as SealError where error.kind == .damaged {
      throw FormatError.unreadable(path: path, reason: error.description)
    }
    return SourceStream(name: name) { () throws(FormatError) in
      do {
        return try reader.next()
      } catch let error as FormatError {
        throw error
      } catch {
        throw .unreadable(path: path, reason: "\(error)")
      }
    }
  }
}

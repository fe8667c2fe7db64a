package import STOLFormats

/// A file that is imported, and how it is meant.
public struct ImportSource: Hashable, Sendable {
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

  /// A file.
  public init(path: String, format: ImportFormat? = nil, columns: [String] = []) {
    (self.path, self.format, self.columns) = (path, format, columns)
  }

  /// Opens it at its beginning.
  func open(into journal: JournalFile, acceptsNullIsland: Bool) throws -> OpenImport {
    try OpenImport(
      Self.stream(path), fileName: path, as: format, by: TableMapping(columns),
      photos: PhotoImport(photos, beside: path), into: journal,
      acceptsNullIsland: acceptsNullIsland)
  }

  /// A file at its beginning, decompressed.
  ///
  /// - Throws: `FormatError`; `JournalError.invalid` for several files in one.
  package static func stream(_ path: String) throws -> SourceStream {
    let files = try SourceFiles(path: path)
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
  /// A file of some format.
  ///
  /// - Parameters:
  ///   - stream: the file, at its beginning; nobody else reads it.
  ///   - fileName: what it is called.
  ///   - format: what it is; nil for what its first bytes say.
  ///   - mapping: what the columns of a table say.
  ///   - photos: what becomes of photos that belong to it.
  ///   - journal: what it is imported into.
  ///   - acceptsNullIsland: whether 0 N 0 E is a place like others.
  /// - Throws: `UnreadFile` for one that is neither a table nor JSON; `JournalError.invalid`, `FormatError`.
  package init(
    _ stream: SourceStream, fileName: String, as format: ImportFormat?,
    by mapping: @autoclosure () throws -> TableMapping, photos: PhotoImport,
    into journal: JournalFile, acceptsNullIsland: Bool
  ) throws {
    let (found, whole) = try ImportFormat.detect(stream)
    if let layout = (format ?? found).layout {
      self.init(
        format: format ?? found, unread: [],
        reader: try journal.reader(layout, ByteChunks(whole), photos: photos))
      return
    }
    let table = try TableImportReader(
      whole, fileName: fileName,
      delimiter: format.map { UInt8(ascii: $0 == .tsv ? "\t" : ",") }, mapping: try mapping(),
      acceptsNullIsland: acceptsNullIsland)
    self.init(format: format ?? found, unread: table.unread, reader: table)
  }
}

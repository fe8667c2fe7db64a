/// What makes tables of something else while they are read: lines in UTF-8 with tabs between fields, the
/// first with the names of the columns.
package protocol TableMaker: AnyObject {
  /// The tables, each with a name that ends in ".tsv".
  var tableNames: [String] { get }

  /// Opens one of them at its beginning.
  ///
  /// - Throws: `FormatError`
  func open(_ table: String) throws(FormatError) -> SourceStream
}

/// The files of a source, wherever they lie: in a folder, a zip or tar archive, compressed, or one file.
///
/// The sheets of a spreadsheet are such files as well. What it is, its content says, not its name. Nothing is ever unpacked to disk.
package final class SourceFiles {
  /// Where the source is.
  package let path: String
  /// The regular files, sorted, with "/" between folders and without ".gz", ".xz",
  /// ".bz2" and ".zst" at the end.
  ///
  /// Hidden files, and all in hidden folders, are left out.
  package let names: [String]

  /// What lies at the path.
  enum Form {
    case folder, zip, tar, gzip, compressed, file
  }

  /// Where a file lies and what it was called there.
  struct Place {
    var originalName: String
    /// Its number in an archive.
    var ordinal = 0

    var isGzip: Bool { originalName.lowercased().hasSuffix(".gz") }
    /// Whether it is compressed in a way of which no archive within an archive is read.
    var isCompressed: Bool { SourceFiles.compressedSuffix(of: originalName) != nil }
    /// What is at the end of the name of a compressed file.
    var suffixLength: Int {
      isGzip ? 3 : SourceFiles.compressedSuffix(of: originalName)?.count ?? 0
    }
  }

  /// What a compressed file's name ends in, but for ".gz".
  static func compressedSuffix(of name: String) -> String? {
    let name = name.lowercased()
    return [".xz", ".bz2", ".zst"].first { name.hasSuffix($0) }
  }

  private let form: Form
  private let places: [String: Place]
  private let budget: SourceBudget
  /// A pass over the archive, and the number of the entry that it comes to next: files that are opened in
  /// the order of the archive need one pass, not one each.
  private var pass: ArchiveReader?
  private var passOrdinal = 0
  /// What makes the tables where they are made.
  private let maker: (any TableMaker)?

  /// Tables that are made while they are read.
  package init(path: String, maker: any TableMaker) {
    self.path = path
    self.maker = maker
    form = .file
    budget = SourceBudget(path: path, limits: SourceLimits())
    places = [:]
    names = maker.tableNames.sorted()
  }

  /// Whether the files are those of a `TableMaker`.
  var areMadeTables: Bool { maker != nil }

  /// Opens a source and lists its files.
  ///
  /// - Parameters:
  ///   - path: a folder, an archive or a file.
  ///   - limits: what it may not exceed.
  /// - Throws: `FormatError.system` if nothing can be read there, `unsafeArchive`, `unreadable` or
  ///   `tooLarge` if it is an archive that cannot be trusted.
  package init(path: String, limits: SourceLimits = SourceLimits()) throws(FormatError) {
    self.path = path
    let budget = SourceBudget(path: path, limits: limits)
    self.budget = budget
    let form = try Form(path: path)
    let found: [Place] =
      switch form {
      case .folder: try Self.places(inFolder: path, limits)
      case .zip: try Self.places(inArchive: path, .zip, limits)
      case .tar: try Self.places(inArchive: path, .tar, limits)
      case .gzip, .compressed, .file: [Place(originalName: Self.lastPart(of: path))]
      }
    self.form = form
    if form == .zip, found.contains(where: { $0.originalName.lowercased() == Workbook.bookPart }) {
      let workbook = try Workbook(path: path, places: found, budget)
      maker = workbook
      places = [:]
      names = workbook.tableNames.sorted()
      return
    }
    maker = nil
    var places: [String: Place] = [:]
    for place in found where place.suffixLength == 0 { places[place.originalName] = place }
    for place in found where place.suffixLength > 0 {
      let short = String(place.originalName.dropLast(place.suffixLength))
      places[places[short] == nil ? short : place.originalName] = place
    }
    self.places = places
    names = places.keys.sorted()
  }

  /// The file of this name, whatever its letters' case and the folder it lies in.
  ///
  /// - Returns: an element of `names`: the exact one before one that differs in case, before one in
  ///   a folder, of these the least deep.
  package func find(_ name: String) -> String? {
    if names.contains(name) { return name }
    let wanted = name.lowercased()
    if let found = names.first(where: { $0.lowercased() == wanted }) { return found }
    return names.filter { Self.lastPart(of: $0).lowercased() == wanted }
      .min { $0.utf8.count { $0 == 0x2F } < $1.utf8.count { $0 == 0x2F } }
  }

  /// The file that `find(_:)` finds.
  ///
  /// - Throws: `FormatError.missingFile` if there is none.
  package func required(_ name: String) throws(FormatError) -> String {
    guard let found = find(name) else { throw .missingFile(path: path, name: name) }
    return found
  }

  /// Opens a file of `names`, at its beginning; a compressed one is decompressed.
  ///
  /// - Complexity: in a tar archive everything before the file is read, or what is between it and the file
  ///   before, if nobody has that any longer.
  package func open(_ name: String) throws(FormatError) -> SourceStream {
    if let maker { return try maker.open(name) }
    guard let place = places[name] else { throw .missingFile(path: path, name: name) }
    let raw: SourceStream
    switch form {
    case .folder where place.isCompressed:
      return try decompressed(name, path: path + "/" + place.originalName)
    case .folder:
      raw = try SourceStream(
        name: name, path: path + "/" + place.originalName, followsLinks: false)
    case .compressed: return try decompressed(name, path: path)
    case .gzip, .file: raw = try SourceStream(name: name, path: path, followsLinks: true)
    case .zip: raw = try entry(name, place, .zip)
    case .tar: raw = try entry(name, place, .tar)
    }
    guard form == .gzip || form != .file && place.isGzip else { return raw }
    return try SourceStream(inflating: raw, path: path, budget: budget)
  }

  /// All bytes of a file of `names`.
  ///
  /// - Parameters:
  ///   - name: the file.
  ///   - limit: how many bytes it may have.
  /// - Returns: its bytes.
  /// - Throws: `FormatError.tooLarge` if it has more, and what `open(_:)` throws.
  package func contents(of name: String, limit: Int) throws(FormatError) -> [UInt8] {
    let stream = try open(name)
    var bytes: [UInt8] = []
    while true {
      let chunk = try stream.next()
      if chunk.isEmpty { return bytes }
      bytes += chunk
      guard bytes.count <= limit else {
        throw .tooLarge(path: path, what: "\(name) has \(bytes.count) bytes or more", limit: limit)
      }
    }
  }

  /// What a file that is compressed with xz, bzip2 or zstd decompresses to.
  private func decompressed(_ name: String, path: String) throws(FormatError) -> SourceStream {
    let reader = try ArchiveReader(path: path, format: .compressed)
    guard try reader.nextEntry() != nil else {
      throw .unreadable(path: path, reason: "it is cut off")
    }
    return Self.bytes(of: reader, name, countedAs: name, budget)
  }

  /// The bytes of an entry of this archive, found by the pass that goes on if nobody reads with it and the
  /// entry lies ahead.
  private func entry(
    _ name: String, _ place: Place, _ format: ArchiveReader.Format
  ) throws(FormatError) -> SourceStream {
    let isAhead = isKnownUniquelyReferenced(&pass) && passOrdinal <= place.ordinal
    let begun = isAhead ? pass : nil
    pass = nil
    if let begun {
      // One that stopped at something damaged goes no further, but a new one may come to the entry.
      do {
        return try entry(name, place, by: begun, from: passOrdinal)
      } catch {}
    }
    return try entry(name, place, by: ArchiveReader(path: path, format: format), from: 0)
  }

  private func entry(
    _ name: String, _ place: Place, by reader: ArchiveReader, from start: Int
  ) throws(FormatError) -> SourceStream {
    try Self.skip(reader, from: start, to: place, name, path)
    pass = reader
    passOrdinal = place.ordinal + 1
    return Self.bytes(of: reader, name, countedAs: Self.countedName(name, place), budget)
  }

  /// What a file counts as: one that is inflated once more counts once, as what comes out at last.
  private static func countedName(_ name: String, _ place: Place) -> String {
    place.isGzip ? name + ".gz" : name
  }

  /// Goes to an entry.
  private static func skip(
    _ reader: ArchiveReader, from start: Int, to place: Place, _ name: String, _ path: String
  ) throws(FormatError) {
    for _ in start...place.ordinal {
      guard try reader.nextEntry() != nil else {
        throw .unreadable(path: path, reason: "\(name) is gone; has the archive been changed?")
      }
    }
  }

  /// The bytes of an archive's entry.
  static func stream(
    _ path: String, _ name: String, _ place: Place, _ format: ArchiveReader.Format,
    _ budget: SourceBudget
  ) throws(FormatError) -> SourceStream {
    let reader = try ArchiveReader(path: path, format: format)
    try skip(reader, from: 0, to: place, name, path)
    return bytes(of: reader, name, countedAs: countedName(name, place), budget)
  }

  /// The bytes of the entry that a reader stands at.
  private static func bytes(
    of reader: ArchiveReader, _ name: String, countedAs countedName: String, _ budget: SourceBudget
  ) -> SourceStream {
    let start = reader.position
    var count = 0
    return SourceStream(name: name) { () throws(FormatError) in
      let bytes = try reader.read(name, limit: SourceStream.chunkByteCount)
      count += bytes.count
      // The first of it may have been read ahead before.
      try budget.check(
        countedName, delivered: count,
        stored: reader.position - start + ArchiveReader.blockByteCount)
      return bytes
    }
  }

  /// What follows the last "/".
  package static func lastPart(of path: String) -> String {
    let parts = path.split(separator: "/")
    return parts.last.map(String.init) ?? path
  }
}

/// The files of a source, wherever they lie: in a folder, a zip or tar archive, compressed, or one file.
///
/// What it is, its content says, not its name. Nothing is ever unpacked to disk.
package final class SourceFiles {
  /// Where the source is.
  package let path: String
  /// The regular files, sorted, with "/" between folders and without ".gz" at the end.
  ///
  /// Hidden files, and all in hidden folders, are left out.
  package let names: [String]

  /// What lies at the path.
  enum Form {
    case folder, zip, tar, gzip, file
  }

  /// Where a file lies and what it was called there.
  struct Place {
    var originalName: String
    /// Its number in an archive.
    var ordinal = 0

    var isGzip: Bool { originalName.lowercased().hasSuffix(".gz") }
  }

  private let form: Form
  private let places: [String: Place]
  private let budget: SourceBudget

  /// Opens a source and lists its files.
  ///
  /// - Parameters:
  ///   - path: a folder, an archive or a file.
  ///   - limits: what it may not exceed.
  /// - Throws: `FormatError.system` if nothing can be read there, `unsafeArchive`, `unreadable` or
  ///   `tooLarge` if it is an archive that cannot be trusted.
  package init(path: String, limits: SourceLimits = SourceLimits()) throws(FormatError) {
    self.path = path
    budget = SourceBudget(path: path, limits: limits)
    form = try Form(path: path)
    let found: [Place] =
      switch form {
      case .folder: try Self.places(inFolder: path, limits)
      case .zip: try Self.places(inArchive: path, .zip, limits)
      case .tar: try Self.places(inArchive: path, .tar, limits)
      case .gzip, .file: [Place(originalName: Self.lastPart(of: path))]
      }
    var places: [String: Place] = [:]
    for place in found where !place.isGzip { places[place.originalName] = place }
    for place in found where place.isGzip {
      let short = String(place.originalName.dropLast(3))
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
    if places[name] != nil { return name }
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
  /// - Complexity: in a tar archive everything before the file is read.
  package func open(_ name: String) throws(FormatError) -> SourceStream {
    guard let place = places[name] else { throw .missingFile(path: path, name: name) }
    let raw: SourceStream
    switch form {
    case .folder:
      raw = try SourceStream(
        name: name, path: path + "/" + place.originalName, followsLinks: false)
    case .gzip, .file: raw = try SourceStream(name: name, path: path, followsLinks: true)
    case .zip: raw = try stream(name, place, .zip)
    case .tar: raw = try stream(name, place, .tar)
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

  /// The bytes of an archive's entry.
  private func stream(
    _ name: String, _ place: Place, _ format: ArchiveReader.Format
  ) throws(FormatError) -> SourceStream {
    let reader = try ArchiveReader(path: path, format: format)
    for _ in 0...place.ordinal {
      guard try reader.nextEntry() != nil else {
        throw .unreadable(path: path, reason: "\(name) is gone; has the archive been changed?")
      }
    }
    let start = reader.position
    let budget = budget
    // A file that is inflated once more counts once: as what comes out at last.
    let countedName = place.isGzip ? name + ".gz" : name
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

import STOLGzip
public import STOLPack
public import STOLSystem

/// Makes and signs containers.
///
/// The same input and key give the same bytes.
public struct ContainerWriter {
  /// Why no container was made.
  public enum Failure: Error, Equatable, Sendable {
    /// A file could not be read or written.
    case file(SystemError)
    /// The pack is none, or of another database.
    case pack(PackError)
    /// The key could not sign.
    case key(KeyError)
    /// The file at `path` is no SQLite database.
    case notADatabase(path: String)
    /// The file at `path` is no archive of images.
    case notAnArchive(path: String)
    /// The database at `path` has changes in a journal beside it.
    case unfinishedJournal(path: String)
    /// The file at `path` has more bytes than a container may carry.
    case tooLarge(path: String, limit: Int)
    /// The file at `path` changed while it was read.
    case changed(path: String)
  }

  private let schemaVersion: UInt32
  private let release: Release?
  private let key: SigningKey
  /// Small rather than fast: a container is made once and carried often.
  private static let compressionLevel = 9

  /// A writer of containers signed by `key`.
  ///
  /// - Parameters:
  ///   - schemaVersion: that of the database.
  ///   - release: what the container holds; nil makes plain version 1.
  ///   - key: the signer's.
  public init(schemaVersion: UInt32, release: Release?, key: SigningKey) {
    self.schemaVersion = schemaVersion
    self.release = release
    self.key = key
  }

  /// Writes a version 1 container of the database at `database` to `path`: 1.1 if there is a release.
  ///
  /// - Parameters:
  ///   - database: the database.
  ///   - path: where the container is to be.
  ///   - expected: the digest of the database that was checked before; nil takes any.
  ///   - progress: called after each piece; what it throws is thrown on.
  /// - Throws: `Failure`, or what `progress` throws; a file that was at `path` stays.
  /// - Complexity: O(length of the database), which is read twice.
  public func writeVersion1(
    database: String, to path: String, expecting expected: Digest? = nil,
    progress: ContainerProgress = { _, _ in }
  ) throws {
    try reporting {
      var output = try ReplacementFile(path: path)
      let source = try Source(path: database, kind: .database)
      let content = try source.digest(expecting: expected)
      var extraField: [UInt8] = []
      if let release {
        extraField =
          ReleaseBlock(
            release: release, keyID: key.verifyingKey.id, contentByteCount: source.byteCount,
            contentDigest: content
          ).extraField
      }
      let layout = ContainerLayout.V1.self
      let stored = try Self.compress(
        source, content, extraField, to: output, at: layout.byteCount, progress)
      var header = ContainerLayout.magic + [1]
      LittleEndian.append(schemaVersion, to: &header)
      let message = stored.digest.bytes + header[layout.schemaVersion]
      try output.write(header + stored.digest.bytes + key.signature(of: message), at: 0)
      try output.finish()
    }
  }

  /// Writes a version 2 container of the database and, unless it is nil, the pack compiled from it.
  ///
  /// - Parameters:
  ///   - database: the database.
  ///   - pack: the pack, or nil.
  ///   - path: where the container is to be.
  ///   - expected: the digest of the database that was checked before; nil takes any.
  ///   - progress: called after each piece; what it throws is thrown on.
  /// - Precondition: the writer has a release.
  /// - Throws: `Failure`, or what `progress` throws; a file that was at `path` stays.
  /// - Complexity: O(length of database and pack), which are read twice.
  public func writeVersion2(
    database: String, pack: String?, to path: String, expecting expected: Digest? = nil,
    progress: ContainerProgress = { _, _ in }
  ) throws {
    try reporting {
      let source = try Source(path: database, kind: .database)
      if let pack { try source.requireSource(ofPackAt: pack) }
      let carried = pack.map { [($0, ContainerPart.Kind.pack)] } ?? []
      try writeParts([(database, .database)] + carried, to: path, expecting: expected, progress)
    }
  }

  /// Writes a version 2 container of the archive of images at `archive`; the schema version is 0.
  ///
  /// - Precondition: the writer has a release.
  /// - Throws: `Failure`, or what `progress` throws; a file that was at `path` stays.
  /// - Complexity: O(length of the archive), which is read twice.
  public func writeMedia(
    archive: String, to path: String, progress: ContainerProgress = { _, _ in }
  ) throws {
    try reporting { try writeParts([(archive, .media)], to: path, progress) }
  }

  /// Writes files as the parts of a version 2 container, whatever they hold; the first must have the digest
  /// `expected`, if there is one.
  func writeParts(
    _ files: [(path: String, kind: ContainerPart.Kind)], to path: String,
    expecting expected: Digest? = nil, _ progress: ContainerProgress
  ) throws {
    guard let release else { preconditionFailure("version 2 names a release") }
    var output = try ReplacementFile(path: path)
    let layout = ContainerLayout.V2.self
    var parts: [UInt8] = []
    var offset = layout.byteCount
    for (index, (path, kind)) in files.enumerated() {
      let source = try Source(path: path, kind: kind)
      let content = try source.digest(expecting: index == 0 ? expected : nil)
      let stored = try Self.compress(source, content, [], to: output, at: offset, progress)
      offset += stored.byteCount
      parts += ContainerPart.name(kind)
      LittleEndian.append(UInt64(stored.byteCount), to: &parts)
      parts += stored.digest.bytes
      LittleEndian.append(UInt64(source.byteCount), to: &parts)
      parts += content.bytes + [UInt8](repeating: 0, count: 8)
    }
    var header = ContainerLayout.magic + [2]
    LittleEndian.append(UInt32(2), to: &header)
    LittleEndian.append(files[0].kind == .media ? 0 : schemaVersion, to: &header)
    LittleEndian.append(UInt32(0), to: &header)
    header += release.fields(keyID: key.verifyingKey.id) + parts
    header += [UInt8](repeating: 0, count: layout.signature.lowerBound - header.count)
    try output.write(header + key.signature(of: layout.domain + header), at: 0)
    try output.finish()
  }

  private func reporting(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as SystemError {
      throw Failure.file(error)
    } catch let error as PackError {
      throw Failure.pack(error)
    } catch let error as KeyError {
      throw Failure.key(error)
    }
  }

  /// Compresses a file whose digest is `content`, and writes it from `offset` on.
  private static func compress(
    _ source: borrowing Source, _ content: Digest, _ extraField: [UInt8],
    to output: borrowing ReplacementFile, at offset: Int, _ progress: ContainerProgress
  ) throws -> (byteCount: Int, digest: Digest) {
    var stored = SHA256()
    var again = SHA256()
    var end = offset
    var encoder = try GzipEncoder(level: compressionLevel, extraField: extraField)
    func write(_ piece: [UInt8]) throws {
      guard piece.count <= ContainerLayout.fileLimit - end else {
        throw Failure.tooLarge(path: source.path, limit: ContainerLayout.fileLimit)
      }
      stored.update(piece)
      try output.write(piece, at: end)
      end += piece.count
    }
    try source.forEachChunk { chunk, done in
      again.update(chunk)
      try encoder.encode(chunk, write)
      try progress(done, source.byteCount)
    }
    try encoder.finish(write)
    guard again.finish() == content else { throw Failure.changed(path: source.path) }
    return (end - offset, stored.finish())
  }
}

extension ContainerWriter.Failure: StolError {
  /// What kind of trouble it is.
  public var kind: ErrorKind {
    switch self {
    case .file(let error): error.kind
    case .pack(let error): error.kind
    case .key(let error): error.kind
    case .notADatabase, .notAnArchive: .damaged
    default: .usage
    }
  }

  /// One line: what is wrong, where, and what to do.
  public var description: String {
    switch self {
    case .file(let error): error.description
    case .pack(let error): error.description
    case .key(let error): error.description
    case .notADatabase(let path): "\(path): not a SQLite database"
    case .notAnArchive(let path): "\(path): not an archive of images"
    case .unfinishedJournal(let path):
      "\(path): changes wait in a journal beside it; close what uses it, or: "
        + "sqlite3 \(path) 'PRAGMA journal_mode = DELETE'"
    case .tooLarge(let path, let limit):
      "\(path): more than a container may carry (\(limit) bytes)"
    case .changed(let path): "\(path): changed while it was read; try again with a copy"
    }
  }
}

/// A file that becomes a part.
private struct Source: ~Copyable {
  let path: String
  private let file: RegularFile

  var byteCount: Int { file.byteCount }

  init(path: String, kind: ContainerPart.Kind) throws {
    let opened = try RegularFile(path: path, followsLinks: true)
    let limit = kind == .media ? ContainerLayout.mediaLimit : ContainerLayout.contentLimit
    guard opened.byteCount <= limit else {
      throw ContainerWriter.Failure.tooLarge(path: path, limit: limit)
    }
    if kind == .media {
      let magic = ContainerLayout.mediaMagic
      guard try opened.bytes(at: 0, limit: magic.count) == magic else {
        throw ContainerWriter.Failure.notAnArchive(path: path)
      }
    }
    if kind == .database {
      guard try opened.bytes(at: 0, limit: 16) == Array("SQLite format 3\0".utf8) else {
        throw ContainerWriter.Failure.notADatabase(path: path)
      }
      for suffix in ["-wal", "-journal"] {
        let journal = try? RegularFile(path: path + suffix, followsLinks: true).byteCount
        if let journal, journal > 0 {
          throw ContainerWriter.Failure.unfinishedJournal(path: path)
        }
      }
    }
    file = consume opened
    self.path = path
  }

  /// Checks that the pack at `packPath` was compiled from this database.
  func requireSource(ofPackAt packPath: String) throws {
    try Pack(path: packPath).requireSource(file)
  }

  func digest(expecting expected: Digest?) throws -> Digest {
    var hash = SHA256()
    try forEachChunk { chunk, _ in hash.update(chunk) }
    let digest = hash.finish()
    guard expected == nil || digest == expected else {
      throw ContainerWriter.Failure.changed(path: path)
    }
    return digest
  }

  /// Calls `body` with each chunk and the number of bytes up to its end.
  func forEachChunk(_ body: ([UInt8], Int) throws -> Void) throws {
    var offset = 0
    while offset < byteCount {
      let limit = min(ContainerLayout.chunkByteCount, byteCount - offset)
      let chunk = try file.bytes(at: offset, limit: limit)
      guard chunk.count == limit else { throw ContainerWriter.Failure.changed(path: path) }
      offset += limit
      try body(chunk, offset)
    }
  }
}

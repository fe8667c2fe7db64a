import STOLSystem
import STOLGzip

/// How far work on a container has come, in bytes; what it throws ends the work.
public typealias ContainerProgress = (_ done: Int, _ total: Int) throws -> Void

/// A container (`NAME.stol`) of which nothing is verified yet.
///
/// Its file is opened once and never by name again. Format/CONTAINER.md.
public struct Container: ~Copyable {
  /// What the container says of itself.
  public let header: ContainerHeader
  /// The length of the file.
  public let byteCount: Int
  private let file: RegularFile
  private let signedMessage: [UInt8]
  private let signature: [UInt8]

  /// Opens the container at `path`, which must be a regular file and no symbolic link.
  ///
  /// - Complexity: O(1); at most 64 KiB are read.
  public init(path: String) throws(ContainerError) {
    do {
      let opened = try RegularFile(path: path, followsLinks: false)
      try self.init(opened)
    } catch let error as SystemError {
      throw .fileUnreadable(error)
    } catch let error as ContainerError {
      throw error
    } catch {
      throw .notAStolFile
    }
  }

  /// Whether the file at `path` begins as a container of any version does.
  public static func hasMagic(_ path: String) -> Bool {
    let file = try? RegularFile(path: path, followsLinks: true)
    let start = try? file?.bytes(at: 0, limit: ContainerLayout.magic.count)
    return start == ContainerLayout.magic
  }

  /// Whether bytes begin as a container of any version does.
  public static func begins(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.starts(with: ContainerLayout.magic)
  }

  /// As many bytes tell whether a file may be a container.
  public static var magicByteCount: Int { ContainerLayout.magic.count }

  /// Whether the container bears the signature of `key`, trusted or not; digests are not checked.
  ///
  /// - Complexity: O(1)
  public func isSigned(by key: VerifyingKey) -> Bool {
    header.keyID ?? key.id == key.id && key.isValid(signature: signature, of: signedMessage)
  }

  private init(_ file: consuming RegularFile) throws {
    byteCount = file.byteCount
    guard byteCount <= ContainerLayout.fileLimit else {
      throw ContainerError.fileTooLarge(bytes: byteCount)
    }
    let start = try file.bytes(at: 0, limit: ContainerLayout.V2.byteCount)
    guard start.starts(with: ContainerLayout.magic), start.count > 7, start[7] > 0 else {
      throw ContainerError.notAStolFile
    }
    let version = Int(start[7])
    guard version <= ContainerLayout.newestVersion else {
      throw ContainerError.newerFormat(version: version)
    }
    if version == 1 {
      typealias Layout = ContainerLayout.V1
      guard byteCount > Layout.byteCount, start.count > Layout.byteCount else {
        throw ContainerError.truncated(need: Layout.byteCount + 1, got: min(byteCount, start.count))
      }
      let prefix = try file.bytes(at: Layout.byteCount, limit: GzipHeader.prefixLimit)
      header = try ContainerHeader(version1: start, prefix: prefix, fileByteCount: byteCount)
      // The raw digest and the four bytes of the schema version.
      signedMessage = Array(start[Layout.digest] + start[Layout.schemaVersion])
      signature = Array(start[Layout.signature])
    } else {
      typealias Layout = ContainerLayout.V2
      guard start.count == Layout.byteCount else {
        throw ContainerError.truncated(need: Layout.byteCount, got: start.count)
      }
      header = try ContainerHeader(version2: start, fileByteCount: byteCount)
      signedMessage = Layout.domain + start[..<Layout.signature.lowerBound]
      signature = Array(start[Layout.signature])
    }
    self.file = file
  }

  /// Checks the signature, then the digest of every part.
  ///
  /// - Parameters:
  ///   - keyring: the keys to trust.
  ///   - progress: called after each piece; what it throws is thrown on.
  /// - Returns: the container, of which every byte is now known to be the signer's.
  /// - Throws: `ContainerError`, or what `progress` throws.
  /// - Complexity: O(length of the file)
  public consuming func verified(
    by keyring: Keyring, progress: ContainerProgress = { _, _ in }
  ) throws -> VerifiedContainer {
    let signer = try signer(in: keyring)
    let total = header.parts.reduce(0) { $0 + $1.storedByteCount }
    var done = 0
    for part in header.parts {
      var hash = SHA256()
      var offset = 0
      while offset < part.storedByteCount {
        let chunk = try file.chunk(of: part, at: offset)
        if offset == 0 { try requireSameRelease(chunk) }
        hash.update(chunk)
        offset += chunk.count
        done += chunk.count
        try progress(done, total)
      }
      guard hash.finish() == part.storedDigest else {
        throw ContainerError.checksumMismatch(part: part.kind, isDecompressed: false)
      }
    }
    return VerifiedContainer(header: header, signer: signer, file: file)
  }

  /// The release in a version 1 body was read before its digest was known to be right.
  private func requireSameRelease(_ chunk: [UInt8]) throws {
    guard header.format != .version2 else { return }
    let block = try ReleaseBlock(gzipPrefix: chunk)
    guard block?.release == header.release, block?.keyID == header.keyID,
      block?.contentByteCount == header.parts[0].contentByteCount,
      block?.contentDigest == header.parts[0].contentDigest
    else { throw ContainerError.fileChanged }
  }

  /// The trusted key whose signature the container bears.
  private func signer(in keyring: Keyring) throws(ContainerError) -> VerifyingKey {
    guard let id = header.keyID else { return try unnamedSigner(in: keyring) }
    let key: VerifyingKey
    do {
      key = try keyring.trustedKey(id, for: header.release?.dataset)
    } catch {
      switch error {
      case .revoked: throw .revokedKey(id)
      case .outOfScope: throw .keyOutOfScope(id, header.release?.dataset)
      default:
        let isRoot = keyring.rootKeys.contains { $0.id == id }
        throw isRoot ? .keyOfKeyrings(id) : .unknownKey(id)
      }
    }
    guard key.isValid(signature: signature, of: signedMessage) else { throw .signatureInvalid }
    return key
  }

  /// Plain version 1 does not say whose signature it bears: any trusted key's will do.
  private func unnamedSigner(in keyring: Keyring) throws(ContainerError) -> VerifyingKey {
    func isSigner(_ key: VerifyingKey) -> Bool {
      key.isValid(signature: signature, of: signedMessage)
    }
    if let key = keyring.trustedKeys.first(where: isSigner) {
      guard (try? keyring.trustedKey(key.id, for: nil)) != nil else {
        throw .keyOutOfScope(key.id, nil)
      }
      return key
    }
    if let root = keyring.rootKeys.first(where: isSigner) { throw .keyOfKeyrings(root.id) }
    if let revoked = keyring.entries.map(\.key).first(where: isSigner) {
      throw .revokedKey(revoked.id)
    }
    throw keyring.trustedKeys.isEmpty ? .unknownKey(nil) : .signatureInvalid
  }
}

extension RegularFile {
  /// The bytes of a part from `offset` on, at most one chunk; never none.
  func chunk(of part: ContainerPart, at offset: Int) throws -> [UInt8] {
    let limit = min(ContainerLayout.chunkByteCount, part.storedByteCount - offset)
    let bytes = try bytes(at: part.byteOffset + offset, limit: limit)
    guard bytes.count == limit else { throw ContainerError.fileChanged }
    return bytes
  }
}

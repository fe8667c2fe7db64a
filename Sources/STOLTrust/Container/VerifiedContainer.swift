import STOLSystem
import STOLGzip

/// A container whose signature and digests `Container.verified(by:)` has checked.
public struct VerifiedContainer: ~Copyable {
  /// What the signer says of it.
  public let header: ContainerHeader
  /// Whose signature it bears.
  public let signer: VerifyingKey
  private let file: RegularFile
  /// The greatest part, decompressed; tests lower it.
  var contentLimit = ContainerLayout.contentLimit

  init(header: ContainerHeader, signer: VerifyingKey, file: consuming RegularFile) {
    self.header = header
    self.signer = signer
    self.file = file
  }

  /// Decompresses a part and gives it to `sink`, a piece at a time.
  ///
  /// The stored bytes are hashed again while they are read, so that a file that has changed since it
  /// was verified is refused, and so is the decompressed part, where its digest was signed. What
  /// `sink` got counts only once this returns.
  ///
  /// - Parameters:
  ///   - part: one of `header.parts`.
  ///   - sink: what takes the pieces, of 64 KiB at most.
  ///   - progress: called after each piece with stored bytes; what it throws is thrown on.
  /// - Returns: the number of decompressed bytes and their SHA-256.
  /// - Throws: `ContainerError`, or what `progress` or `sink` throws.
  /// - Complexity: O(decompressed length) time; under 2 MiB of memory.
  @discardableResult
  public func decompress(
    _ part: ContainerPart, into sink: ([UInt8]) throws -> Void = { _ in },
    progress: ContainerProgress = { _, _ in }
  ) throws -> (byteCount: Int, digest: Digest) {
    let limit = min(part.contentByteCount ?? .max, contentLimit)
    // Both digests of a large part would take longer than decompressing it.
    let stored = BackgroundHash()
    var content = SHA256()
    var contentByteCount = 0
    var head = ContentHead(of: part.kind)
    var offset = 0
    do {
      var decoder = try GzipDecoder(singleMember: true)
      while offset < part.storedByteCount {
        let chunk: [UInt8]
        do {
          chunk = try file.chunk(of: part, at: offset)
        } catch let error as SystemError {
          throw ContainerError.fileUnreadable(error)
        }
        stored.update(chunk)
        try decoder.decode(chunk) { piece in
          guard piece.count <= limit - contentByteCount else {
            throw ContainerError.bodyTooLong(part: part.kind, limit: limit)
          }
          contentByteCount += piece.count
          try head.check(piece)
          content.update(piece)
          try sink(piece)
        }
        offset += chunk.count
        try progress(offset, part.storedByteCount)
      }
      try decoder.finish()
    } catch GzipError.trailingBytes {
      throw ContainerError.trailingData(part: part.kind)
    } catch let error as GzipError {
      throw ContainerError.bodyCorrupt(part: part.kind, error)
    }
    guard stored.finish() == part.storedDigest else { throw ContainerError.fileChanged }
    if let expected = part.contentByteCount, contentByteCount < expected {
      throw ContainerError.bodyTooShort(part: part.kind, expected: expected, got: contentByteCount)
    }
    let digest = content.finish()
    guard digest == part.contentDigest ?? digest else {
      throw ContainerError.checksumMismatch(part: part.kind, isDecompressed: true)
    }
    try head.finish()
    return (contentByteCount, digest)
  }
}

/// Checks that a decompressed part begins as its kind does.
private struct ContentHead {
  private let kind: ContainerPart.Kind
  private var missing: ArraySlice<UInt8>

  init(of kind: ContainerPart.Kind) {
    self.kind = kind
    missing =
      switch kind {
      case .database: Array("SQLite format 3\0".utf8)[...]
      case .pack: [0x89, 0x53, 0x54, 0x4F, 0x4C, 0x0D, 0x0A, 0x1A]
      case .media: ContainerLayout.mediaMagic[...]
      }
  }

  mutating func check(_ piece: [UInt8]) throws(ContainerError) {
    guard !missing.isEmpty else { return }
    let count = min(piece.count, missing.count)
    guard piece.prefix(count) == missing.prefix(count) else { throw failure }
    missing = missing.dropFirst(count)
  }

  func finish() throws(ContainerError) {
    guard missing.isEmpty else { throw failure }
  }

  private var failure: ContainerError {
    switch kind {
    case .database: .databaseCorrupt(detail: "it does not begin as a SQLite database")
    case .pack: .databaseCorrupt(detail: "the pack beside it does not begin as a pack")
    case .media: .mediaCorrupt
    }
  }
}

#if !canImport(CryptoKit)
import CSodium

/// The state of a secretstream of libsodium, in memory for secrets.
@safe
private final class StreamState {
  // SAFETY: allocated in `init`, wiped and freed in `deinit`; a structure of bytes has no alignment.
  private let state: UnsafeMutablePointer<crypto_secretstream_xchacha20poly1305_state>
  private static let byteCount =
    MemoryLayout<crypto_secretstream_xchacha20poly1305_state>.size

  init() throws(SealError) {
    guard let block = unsafe SodiumMemory.allocate(Self.byteCount) else { throw .outOfMemory }
    unsafe state = block.assumingMemoryBound(
      to: crypto_secretstream_xchacha20poly1305_state.self)
  }

  deinit { unsafe SodiumMemory.free(state, Self.byteCount) }

  /// Begins to seal, and gives the header of the stream.
  func beginSealing(_ key: SecretBytes) -> [UInt8] {
    var header = [UInt8](repeating: 0, count: SealedForm.streamByteCount)
    unsafe key.withBytes { key in
      // SAFETY: 24 bytes are written, 32 of the key are read.
      _ = unsafe crypto_secretstream_xchacha20poly1305_init_push(state, &header, key)
    }
    return header
  }

  /// Begins to open what has this header.
  func beginOpening(_ key: SecretBytes, _ header: [UInt8]) {
    precondition(header.count == SealedForm.streamByteCount)
    unsafe key.withBytes { key in
      // SAFETY: 24 bytes of the header and 32 of the key are read.
      _ = unsafe crypto_secretstream_xchacha20poly1305_init_pull(state, header, key)
    }
  }

  func seal(_ piece: ArraySlice<UInt8>, context: [UInt8] = [], isLast: Bool = false) -> [UInt8] {
    let piece = Array(piece)
    let tag =
      isLast
      ? crypto_secretstream_xchacha20poly1305_tag_final()
      : crypto_secretstream_xchacha20poly1305_tag_message()
    var sealed = [UInt8](repeating: 0, count: piece.count + SealedForm.addedByteCount)
    // SAFETY: the array has room for the piece and 17 bytes; the lengths are those of the arrays.
    unsafe crypto_secretstream_xchacha20poly1305_push(
      state, &sealed, nil, piece, UInt64(piece.count), context, UInt64(context.count), tag)
    return sealed
  }

  /// What was sealed, and whether it is the last piece; nil where it is not what was sealed.
  func open(_ sealed: [UInt8], context: [UInt8] = []) -> (piece: [UInt8], isLast: Bool)? {
    guard sealed.count >= SealedForm.addedByteCount else { return nil }
    var piece = [UInt8](repeating: 0, count: sealed.count - SealedForm.addedByteCount)
    var tag: UInt8 = 0
    // SAFETY: the array has room for what is left without 17 bytes; the lengths are those of the arrays.
    let status = unsafe crypto_secretstream_xchacha20poly1305_pull(
      state, &piece, nil, &tag, sealed, UInt64(sealed.count), context, UInt64(context.count))
    guard status == 0 else { return nil }
    return (piece, tag == crypto_secretstream_xchacha20poly1305_tag_final())
  }
}

/// Seals bytes with a passphrase, one piece after another.
package final class SealedWriter {
  private let state: StreamState
  private let write: ([UInt8]) throws -> Void
  private var pending: [UInt8] = []

  /// Begins with the header; `write` gets what is sealed.
  ///
  /// - Throws: `SealError`; what `write` throws.
  /// - Complexity: that of Argon2id, about a second.
  package convenience init(
    _ passphrase: SecretBytes, cost: PassphraseCost = .standard,
    _ write: @escaping ([UInt8]) throws -> Void
  ) throws {
    let salt = Sodium.randomBytes(PassphraseSeal.saltByteCount)
    guard let key = PassphraseSeal.key(from: passphrase, cost: cost, salt: salt) else {
      throw SealError.outOfMemory
    }
    var head = SealedForm.magic
    LittleEndian.append(cost.passCount, to: &head)
    LittleEndian.append(cost.memoryKiB, to: &head)
    try self.init(key: key, head: head + salt, write)
  }

  /// The same with a key of 32 bytes; `head` stands before what is sealed, and cannot be changed either.
  init(key: SecretBytes, head: [UInt8], _ write: @escaping ([UInt8]) throws -> Void) throws {
    state = try StreamState()
    self.write = write
    let header = head + state.beginSealing(key)
    try write(header + state.seal([], context: header))
  }

  /// Seals bytes behind those before.
  ///
  /// - Throws: what `write` throws.
  package func append(_ bytes: [UInt8]) throws {
    pending += bytes
    // The last piece is sealed as that by `finish`.
    var start = 0
    while pending.count - start > SealedForm.pieceByteCount {
      let end = start + SealedForm.pieceByteCount
      try write(state.seal(pending[start..<end]))
      start = end
    }
    pending.removeFirst(start)
  }

  /// Seals the end; without it, what was written opens as cut off.
  ///
  /// - Throws: what `write` throws.
  package func finish() throws {
    try write(state.seal(pending[...], isLast: true))
    SecretBytes.wipe(&pending)
  }
}

/// Opens what `SealedWriter` wrote, one piece after another.
package final class SealedReader {
  private let state: StreamState
  private let read: () throws -> [UInt8]
  private var pending: [UInt8] = []
  private var offset: Int
  private var isAtEnd = false

  /// Reads the header of what `read` gives; an empty array ends that.
  ///
  /// - Throws: `SealError`; what `read` throws.
  /// - Complexity: that of Argon2id with the cost that the header says.
  package convenience init(
    _ passphrase: SecretBytes, _ read: @escaping () throws -> [UInt8]
  ) throws {
    try self.init(
      magic: SealedForm.magic, headByteCount: SealedForm.headByteCount, read,
      key: { head in
        let cost = PassphraseCost(
          passCount: LittleEndian.uint32(head, at: 8),
          memoryKiB: LittleEndian.uint32(head, at: 12))
        guard cost.isAcceptable else { throw SealError.costTooHigh }
        let salt = Array(head[SealedForm.saltRange])
        guard let key = PassphraseSeal.key(from: passphrase, cost: cost, salt: salt) else {
          throw SealError.outOfMemory
        }
        return key
      })
  }

  /// The same of what was sealed with a key, which the head may be needed for.
  init(
    magic: [UInt8], headByteCount: Int, _ read: @escaping () throws -> [UInt8],
    key: ([UInt8]) throws -> SecretBytes
  ) throws {
    self.read = read
    state = try StreamState()
    let firstPiece = headByteCount + SealedForm.streamByteCount
    offset = firstPiece + SealedForm.addedByteCount
    let head = try take(offset)
    guard head.starts(with: magic) else { throw SealError.notSealed }
    guard head.count == offset else { throw SealError.cutOff(offset: head.count) }
    state.beginOpening(try key(head), Array(head[headByteCount..<firstPiece]))
    let first = state.open(Array(head[firstPiece...]), context: Array(head[..<firstPiece]))
    guard let first, !first.isLast else { throw SealError.wrongPassphrase }
  }

  /// The next bytes; none at the end, which was sealed as that.
  ///
  /// - Throws: `SealError`; what `read` throws.
  package func next() throws -> [UInt8] {
    while !isAtEnd {
      let sealed = try take(SealedForm.pieceByteCount + SealedForm.addedByteCount)
      guard sealed.count >= SealedForm.addedByteCount else {
        throw SealError.cutOff(offset: offset + sealed.count)
      }
      guard let opened = state.open(sealed) else {
        throw SealError.damaged(from: offset, to: offset + sealed.count)
      }
      offset += sealed.count
      isAtEnd = opened.isLast
      if isAtEnd, !(try take(1).isEmpty) { throw SealError.goesOn(offset: offset) }
      if !opened.piece.isEmpty { return opened.piece }
    }
    return []
  }

  /// So many bytes, or fewer at the end.
  private func take(_ count: Int) throws -> [UInt8] {
    while pending.count < count {
      let bytes = try read()
      if bytes.isEmpty { break }
      pending += bytes
    }
    let taken = Array(pending.prefix(count))
    pending.removeFirst(taken.count)
    return taken
  }
}
#endif

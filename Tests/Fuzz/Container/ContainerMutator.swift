import FuzzSupport
import STOLGzip

@testable import STOLImport
@testable import STOLTrust
@testable import STOLPack

/// Damages containers so that lengths, digests and signature do not tell: CONTAINER.md sections 3 to 5.
enum ContainerMutator {
  private typealias Layout = ContainerLayout
  /// The most that a part decompresses to while it is repaired.
  private static let contentLimit = 1 << 22

  static func mutate(_ bytes: inout [UInt8], limit: Int, _ random: inout Random) {
    for _ in 0...random.below(4) { change(&bytes, limit: limit, &random) }
    guard bytes.count > 8, !random.once(in: 32) else { return }
    if !random.once(in: 16) { bytes.replaceSubrange(0..<7, with: Layout.magic) }
    if bytes[7] == 1 { repairVersion1(&bytes, &random) } else { repairVersion2(&bytes, &random) }
  }

  private static func change(_ bytes: inout [UInt8], limit: Int, _ random: inout Random) {
    let bodyStart = bytes.count > 7 && bytes[7] == 1 ? Layout.V1.byteCount : Layout.V2.byteCount
    switch random.below(8) {
    case 0: bytes = Fuzzer.mutated(bytes, limit: limit)
    case 1, 2: bytes.damage(0..<bodyStart, &random)
    case 3:
      // Libraries of compression know their own headers best.
      bytes.damage(bodyStart..<bodyStart + 24, &random)
    case 4 where bytes.count > bodyStart:
      // Bytes come or go.
      let place = bodyStart + random.below(bytes.count - bodyStart)
      let count = min(1 + random.below(32), bytes.count - place)
      if random.once(in: 2) {
        bytes.removeSubrange(place..<place + count)
      } else if bytes.count + count <= limit {
        bytes.insert(contentsOf: Array(bytes[place..<place + count]), at: place)
      }
    default: bytes.damage(min(bodyStart, bytes.count)..<bytes.count, &random)
    }
  }

  private static func repairVersion1(_ bytes: inout [UInt8], _ random: inout Random) {
    let start = Layout.V1.byteCount
    guard bytes.count > start else { return }
    let block = start + 16
    let isReleased = GzipHeader(prefix: Array(bytes[start...]))?.extraField?.count == 132
    // Twice: the block lies inside what is digested.
    if isReleased, !random.once(in: 8) {
      let content = repairMember(&bytes, start..<bytes.count, &random)
      if random.once(in: 2) {
        repairKeyID(&bytes, at: block + Layout.ReleaseBlock.keyID.lowerBound)
      }
      bytes.set(UInt64(content.count), at: block + Layout.ReleaseBlock.contentByteCount, width: 8)
      set(
        SHA256.digest(of: content), at: block + Layout.ReleaseBlock.contentDigest.lowerBound, &bytes
      )
    } else {
      _ = repairMember(&bytes, start..<bytes.count, &random)
    }
    set(SHA256.digest(of: Array(bytes[start...])), at: Layout.V1.digest.lowerBound, &bytes)
    sign(
      Array(bytes[Layout.V1.digest] + bytes[Layout.V1.schemaVersion]), at: Layout.V1.signature,
      &bytes)
  }

  private static func repairVersion2(_ bytes: inout [UInt8], _ random: inout Random) {
    let start = Layout.V2.byteCount
    guard bytes.count > start else { return }
    let second = Layout.V2.parts + Layout.V2.partByteCount
    let hasPack = bytes[second] != 0
    // The first part keeps its length where it can; the last takes the rest.
    let stated = Int(clamping: bytes.integer(at: Layout.V2.parts + 8, width: 8))
    let first = hasPack ? min(max(stated, 1), max(1, bytes.count - start - 1)) : bytes.count - start
    let ranges =
      hasPack ? [start..<start + first, start + first..<bytes.count] : [start..<bytes.count]
    for (index, range) in ranges.enumerated() where !random.once(in: 16) {
      let part = Layout.V2.parts + index * Layout.V2.partByteCount
      let content = repairMember(&bytes, range, &random)
      bytes.set(UInt64(range.count), at: part + Layout.Part.storedByteCount, width: 8)
      set(
        SHA256.digest(of: Array(bytes[range])), at: part + Layout.Part.storedDigest.lowerBound,
        &bytes)
      guard !random.once(in: 8) else { continue }
      bytes.set(UInt64(content.count), at: part + Layout.Part.contentByteCount, width: 8)
      set(SHA256.digest(of: content), at: part + Layout.Part.contentDigest.lowerBound, &bytes)
    }
    if !random.once(in: 8) { repairKeyID(&bytes, at: Layout.V2.keyID.lowerBound) }
    sign(
      Layout.V2.domain + bytes[..<Layout.V2.signature.lowerBound], at: Layout.V2.signature, &bytes)
  }

  /// What a gzip member decompresses to; its checksum and length are made right.
  private static func repairMember(
    _ bytes: inout [UInt8], _ range: Range<Int>, _ random: inout Random
  ) -> [UInt8] {
    var content: [UInt8] = []
    struct TooLong: Error {}
    guard var decoder = try? GzipDecoder(singleMember: true) else { return content }
    try? decoder.decode(Array(bytes[range])) { piece in
      guard content.count < contentLimit else { throw TooLong() }
      content += piece
    }
    if range.count > 18, !random.once(in: 8) {
      bytes.set(UInt64(Checksum.of(content.rawSpan)), at: range.upperBound - 8, width: 4)
      bytes.set(UInt64(content.count), at: range.upperBound - 4, width: 4)
    }
    return content
  }

  private static func repairKeyID(_ bytes: inout [UInt8], at offset: Int) {
    guard let key = ContainerReading.key else { return }
    bytes.replaceSubrange(offset..<offset + KeyID.byteCount, with: key.verifyingKey.id.bytes)
  }

  private static func set(_ digest: Digest, at offset: Int, _ bytes: inout [UInt8]) {
    bytes.replaceSubrange(offset..<offset + Digest.byteCount, with: digest.bytes)
  }

  private static func sign(_ message: [UInt8], at range: Range<Int>, _ bytes: inout [UInt8]) {
    guard let signature = try? ContainerReading.key?.signature(of: message) else { return }
    bytes.replaceSubrange(range, with: signature)
  }
}

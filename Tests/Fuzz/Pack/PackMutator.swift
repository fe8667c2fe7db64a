import FuzzSupport
@testable import STOLPack

/// Damages packs so that the damage is found by nothing but the code that reads it.
enum PackMutator {
  /// Damages some places and repairs, mostly, all checksums: PACK.md sections 2 and 3.
  static func mutate(_ bytes: inout [UInt8], limit: Int, _ random: inout Random) {
    // What is kept is mostly refused early; a valid pack gets further.
    if random.once(in: 3), let pack = vectors.randomElement(using: &random), pack.count <= limit {
      bytes = pack
    }
    guard sectionCount(bytes) > 0 else {
      bytes = Fuzzer.mutated(bytes, limit: limit)
      return
    }
    let touchesDirectory = random.once(in: 4)
    for _ in 0...random.below(6) {
      if touchesDirectory {
        changeDirectory(&bytes, limit: limit, &random)
      } else {
        changeContent(&bytes, &random)
      }
    }
    if !random.once(in: 64) { repair(&bytes) }
  }

  /// The valid packs that the environment names.
  private static let vectors = Fuzzer.files("STOL_FUZZ_PACKS")

  private static func changeContent(_ bytes: inout [UInt8], _ random: inout Random) {
    let count = sectionCount(bytes)
    guard count > 0 else { return }
    let entry = Layout.headerByteCount + random.below(count) * Layout.entryByteCount
    if let section = section(entry, bytes) { bytes.damage(section, &random) }
  }

  /// The bytes of the section with this entry; nil where they would lie outside.
  static func section(_ entry: Int, _ bytes: [UInt8]) -> Range<Int>? {
    let offset = Int(clamping: bytes.integer(at: entry + 16, width: 8))
    let length = Int(clamping: bytes.integer(at: entry + 24, width: 8))
    guard offset <= bytes.count, length <= bytes.count - offset else { return nil }
    return offset..<offset + length
  }

  private static func changeDirectory(_ bytes: inout [UInt8], limit: Int, _ random: inout Random) {
    let count = sectionCount(bytes)
    guard count > 0 else { return }
    let entry = Layout.headerByteCount + random.below(count) * Layout.entryByteCount
    switch random.below(16) {
    case 0: bytes.damage(entry..<entry + 32, &random)
    case 1, 2: bytes.damage(entry + 32..<entry + 64, &random)
    case 3: bytes.damage(8..<60, &random)
    case 4...7: reshape(&bytes, entry: entry, &random)
    case 8:
      guard var layout = PackLayout(bytes, sectionCount: count) else { return }
      layout.recount(&random)
      let encoded = layout.encoded()
      if encoded.count <= limit { bytes = encoded }
    case 9 where random.once(in: 4): bytes.damage(0..<bytes.count, &random)
    case 9 where random.once(in: 4):
      let size = random.below(limit + 1)
      bytes = bytes.prefix(size) + [UInt8](repeating: 0, count: max(0, size - bytes.count))
    default: changeContent(&bytes, &random)
    }
  }

  /// Another width, and perhaps count, of a packed section, with the length that belongs to them.
  private static func reshape(_ bytes: inout [UInt8], entry: Int, _ random: inout Random) {
    guard bytes[entry + 60] == Encoding.packed.rawValue else { return }
    let count = Int(clamping: bytes.integer(at: entry + 32, width: 8) & 0xFF_FFFF)
    let changed = random.once(in: 2) ? count : max(0, count + random.below(5) - 2)
    let width = random.once(in: 2) ? random.below(33) : [0, 1, 8, 56, 64][random.below(5)]
    let length = Layout.packedByteCount(count: changed, width: width)
    let offset = Int(clamping: bytes.integer(at: entry + 16, width: 8))
    let next = Int(clamping: bytes.integer(at: entry + Layout.entryByteCount + 16, width: 8))
    guard offset < next, next <= bytes.count, length <= next - offset else { return }
    bytes.set(UInt64(changed), at: entry + 32, width: 8)
    bytes.set(UInt64(length), at: entry + 24, width: 8)
    bytes[entry + 61] = UInt8(width)
  }

  /// Makes the length of the file and all checksums right.
  private static func repair(_ bytes: inout [UInt8]) {
    let count = sectionCount(bytes)
    guard count > 0 else { return }
    bytes.replaceSubrange(0..<Layout.magic.count, with: Layout.magic)
    bytes.set(UInt64(bytes.count), at: 16, width: 8)
    let end = Layout.headerByteCount + count * Layout.entryByteCount
    for entry in stride(from: Layout.headerByteCount, to: end, by: Layout.entryByteCount) {
      guard let section = section(entry, bytes) else { continue }
      let sum = Checksum.of(bytes.rawSpan.clamped(section))
      bytes.set(UInt64(sum), at: entry + 56, width: 4)
    }
    let directory = Checksum.of(bytes.rawSpan.clamped(Layout.headerByteCount..<end))
    bytes.set(UInt64(directory), at: 120, width: 4)
    bytes.set(UInt64(Checksum.of(bytes.rawSpan.clamped(0..<124))), at: 124, width: 4)
  }

  /// The number of sections, or 0 where the bytes cannot be a pack.
  private static func sectionCount(_ bytes: [UInt8]) -> Int {
    let count = Int(bytes.integer(at: 12, width: 4))
    guard count <= Layout.maximumSectionCount,
      bytes.count >= Layout.headerByteCount + count * Layout.entryByteCount
    else { return 0 }
    return count
  }
}

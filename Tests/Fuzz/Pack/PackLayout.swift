import FuzzSupport
@testable import STOLPack

/// The sections of a damaged pack, to change how many values they hold and lay them out again.
struct PackLayout {
  /// Where the header has numbers of taxa, names, words and phrases.
  private static let countOffsets = [24, 28, 32, 36]
  private var header: [UInt8]
  private var entries: [[UInt8]] = []
  private var contents: [[UInt8]] = []

  /// Nil where a section does not lie inside.
  init?(_ bytes: [UInt8], sectionCount: Int) {
    header = Array(bytes.prefix(Layout.headerByteCount))
    for index in 0..<sectionCount {
      let start = Layout.headerByteCount + index * Layout.entryByteCount
      guard let section = PackMutator.section(start, bytes) else { return nil }
      entries.append(Array(bytes[start..<start + Layout.entryByteCount]))
      contents.append(Array(bytes[section]))
    }
  }

  /// Changes a number of the header, and with it the counts and lengths of the sections it is about.
  mutating func recount(_ random: inout Random) {
    let offset = Self.countOffsets[random.below(Self.countOffsets.count)]
    let old = Int(header.integer(at: offset, width: 4))
    let changes = [old - 1, old + 1, old + 16, old / 2, 0, 1, 2, old * 8]
    let new = max(0, changes[random.below(changes.count)])
    header.set(UInt64(new), at: offset, width: 4)
    for index in entries.indices {
      let count = Int(clamping: entries[index].integer(at: 32, width: 8))
      switch count {
      case old: resize(index, new)
      case old + 1: resize(index, new + 1)
      case old * 4: resize(index, new * 4)
      case Self.sparseCount(old): resize(index, Self.sparseCount(new))
      case Self.blockCount(old): resize(index, Self.blockCount(new))
      default: break
      }
    }
  }

  private static func sparseCount(_ taxonCount: Int) -> Int {
    Layout.sparseCount(Layout.blockCount(taxonCount))
  }

  private static func blockCount(_ wordCount: Int) -> Int {
    (wordCount + Layout.wordsPerBlock - 1) / Layout.wordsPerBlock + 1
  }

  /// Cuts the content of a section or fills it up with zeros.
  private mutating func resize(_ index: Int, _ count: Int) {
    let width = Int(entries[index][61])
    let bound = Int(clamping: entries[index].integer(at: 48, width: 8))
    let length: Int
    switch Encoding(rawValue: entries[index][60]) {
    case .bytes: length = count
    case .blocks: length = ParentColumn.byteCount(count: count, width: width)
    case .packed: length = Layout.packedByteCount(count: count, width: width)
    case .monotone where bound < 1 << 24 && width <= Layout.maximumOrdinalWidth:
      length = Int(MonotoneShape(count: count, width: width, bound: bound).byteCount)
    default: return
    }
    guard length < 1 << 16 else { return }
    entries[index].set(UInt64(count), at: 32, width: 8)
    entries[index].set(UInt64(length), at: 24, width: 8)
    let old = contents[index].prefix(length)
    contents[index] = old + [UInt8](repeating: 0, count: length - old.count)
  }

  /// The whole file, its checksums still wrong.
  func encoded() -> [UInt8] {
    var bytes = header + entries.joined()
    for (index, content) in contents.enumerated() {
      bytes += [UInt8](repeating: 0, count: (64 - bytes.count % 64) % 64)
      bytes.set(
        UInt64(bytes.count), at: Layout.headerByteCount + index * Layout.entryByteCount + 16,
        width: 8)
      bytes += content
    }
    return bytes + [UInt8](repeating: 0, count: (64 - bytes.count % 64) % 64)
  }
}

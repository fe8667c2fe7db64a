import STOLMedia
import STOLPack
import STOLSystem

/// Small pictures, each made when somebody first looks at it, and kept in memory.
///
/// One is made at a time, so that no more memory is used for that than one takes. Two generations of 4 MB are kept, some
/// 1,500 pictures of rows: what is asked for again moves to the young one, and when that is full, the old one goes.
actor ThumbnailStore {
  /// As many bytes of pictures are in one generation.
  static let generationByteCount = 4 << 20

  /// A picture: of which library, of which taxon, which one, and how large.
  struct Key: Hashable, Sendable {
    let library: Int
    let source: SourceFingerprint
    let taxon: TaxonID
    let number: Int
    let size: SmallPicture.Size
  }

  private struct Generations {
    var young: [Key: [UInt8]] = [:]
    var old: [Key: [UInt8]] = [:]
    var youngByteCount = 0

    mutating func insert(_ file: [UInt8], for key: Key) {
      if youngByteCount + file.count > ThumbnailStore.generationByteCount {
        (old, young, youngByteCount) = (young, [:], 0)
      }
      if young.updateValue(file, forKey: key) == nil { youngByteCount += file.count }
    }
  }

  private let generations = Locked(Generations())

  /// The bytes that it holds.
  nonisolated var byteCount: Int {
    generations.withLock { kept in
      kept.youngByteCount + kept.old.values.reduce(0) { $0 + $1.count }
    }
  }

  /// A picture of a taxon itself made small; nil where there is none that can be read and made small.
  nonisolated func file(_ key: Key, in library: MediaLibrary) async -> [UInt8]? {
    if let file = kept(key) { return file }
    return await make(key, library)
  }

  private nonisolated func kept(_ key: Key) -> [UInt8]? {
    generations.withLock { kept in
      if let file = kept.young[key] { return file }
      guard let file = kept.old[key] else { return nil }
      kept.insert(file, for: key)
      return file
    }
  }

  private func make(_ key: Key, _ library: MediaLibrary) -> [UInt8]? {
    // Others may have asked for it in the meantime.
    if let file = kept(key) { return file }
    guard let image = try? library.ownImage(key.number, of: key.taxon),
      let file = SmallPicture.file(of: image.bytes, size: key.size)
    else { return nil }
    generations.withLock { $0.insert(file, for: key) }
    return file
  }
}

import STOLSystem
import STOLTrust

/// The thumbnails beside a journal, each under its size and the digits of the digest of the photo's file:
/// `thumbnails/64/ab/cdef...`.
///
/// All can be made again. An empty file says that none can be made. Beside a locked journal they are sealed, in
/// `sealed/thumbnails/`.
struct ThumbnailFolder {
  let path: String
  private let sealing: SealedFiles?
  /// More bytes no thumbnail has.
  static let byteLimit = 4 << 20

  /// The thumbnails beside the journal in a folder, sealed or not.
  init(beside journal: String, _ sealing: SealedFiles?) {
    path = "\(journal)/\(sealing == nil ? "" : "sealed/")thumbnails"
    self.sealing = sealing
  }

  /// The folder of those of a size.
  func folder(_ size: ThumbnailSize) -> FileFolder {
    FileFolder(path: "\(path)/\(size.rawValue)", sealing: sealing, kind: "\(size.rawValue)")
  }

  /// Where the thumbnail of a file lies.
  func path(of digest: Digest, _ size: ThumbnailSize) -> String { folder(size).path(of: digest) }

  /// The thumbnail of a file, empty where none can be made; nil where nobody tried yet, or not all of it is there.
  func bytes(of digest: Digest, _ size: ThumbnailSize) -> [UInt8]? {
    guard let bytes = try? folder(size).bytes(of: digest, limit: Self.byteLimit) else {
      return nil
    }
    let isWhole = bytes.starts(with: [0xFF, 0xD8]) && bytes.suffix(2).elementsEqual([0xFF, 0xD9])
    return bytes.isEmpty || isWhole ? bytes : nil
  }

  /// Keeps the thumbnail of a file, for its owner only.
  ///
  /// - Throws: `SystemError`, `SealError`
  func keep(_ bytes: [UInt8], of digest: Digest, _ size: ThumbnailSize) throws {
    try folder(size).keep(bytes, of: digest)
  }

  /// Removes the thumbnails of a file.
  ///
  /// - Throws: `SystemError`
  func remove(_ digest: Digest) throws(SystemError) {
    for size in ThumbnailSize.allCases { try removeDurably(path(of: digest, size)) }
  }

  /// Removes all that is no thumbnail of some files.
  ///
  /// - Throws: `SystemError`
  /// - Complexity: O(n log n)
  func removeAll(but digests: Set<Digest>) throws(SystemError) {
    for size in fileNames(inFolder: path) {
      let known = ThumbnailSize.allCases.first { "\($0.rawValue)" == size }.map { size in
        Set(digests.map { path(of: $0, size) })
      }
      for part in fileNames(inFolder: "\(path)/\(size)") {
        for name in fileNames(inFolder: "\(path)/\(size)/\(part)") {
          let path = "\(path)/\(size)/\(part)/\(name)"
          if known?.contains(path) != true { try removeDurably(path) }
        }
      }
    }
  }
}

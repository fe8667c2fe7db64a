import STOLSystem
import STOLTrust

/// The thumbnails beside a journal, each under its size and the digits of the digest of the photo's file:
/// `thumbnails/64/ab/cdef...`.
///
/// All can be made again. An empty file says that none can be made.
struct ThumbnailFolder {
  let path: String
  /// More bytes no thumbnail has.
  private static let byteLimit = 4 << 20

  /// Where the thumbnail of a file lies.
  func path(of digest: Digest, _ size: ThumbnailSize) -> String {
    let digits = "\(digest)"
    return "\(path)/\(size.rawValue)/\(digits.prefix(2))/\(digits.dropFirst(2))"
  }

  /// The thumbnail of a file, empty where none can be made; nil where nobody tried yet, or not all of it is there.
  func bytes(of digest: Digest, _ size: ThumbnailSize) -> [UInt8]? {
    let path = path(of: digest, size)
    guard
      let bytes = try? RegularFile(path: path, followsLinks: false)
        .bytes(at: 0, limit: Self.byteLimit)
    else { return nil }
    let isWhole = bytes.starts(with: [0xFF, 0xD8]) && bytes.suffix(2).elementsEqual([0xFF, 0xD9])
    return bytes.isEmpty || isWhole ? bytes : nil
  }

  /// Keeps the thumbnail of a file, for its owner only.
  ///
  /// - Throws: `SystemError`
  func keep(_ bytes: [UInt8], of digest: Digest, _ size: ThumbnailSize) throws(SystemError) {
    let target = path(of: digest, size)
    try createFolder("\(path)/\(size.rawValue)/\("\(digest)".prefix(2))")
    var new = try ReplacementFile(path: target, isOwnersOnly: true)
    try new.append(bytes)
    try new.finish()
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
      for part in fileNames(inFolder: "\(path)/\(size)") {
        let folder = "\(path)/\(size)/\(part)"
        for name in fileNames(inFolder: folder) {
          let digest = Hexadecimal.bytes(part + name).flatMap { Digest($0) }
          if digest.map(digests.contains) != true { try removeDurably("\(folder)/\(name)") }
        }
      }
    }
  }
}

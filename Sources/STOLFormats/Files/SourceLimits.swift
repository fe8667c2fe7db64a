/// What keeps an archive that was made to fill memory or time from doing so.
package struct SourceLimits: Sendable {
  /// How many files, folders and links an archive or a folder may have.
  ///
  /// The largest known source, a ColDP export with one file a dataset, has under a thousand.
  package var entryLimit = 100_000
  /// How many bytes all files may have together, once decompressed.
  ///
  /// Ten times the 5 GB of the largest known sources; a file that is read twice counts once.
  package var byteLimit = 64 << 30
  /// How many times as long as in the archive a file may be.
  ///
  /// Tables compress 1:100 at the very best, while DEFLATE goes as far as 1:1032.
  package var ratioLimit = 400
  /// How long a file may be whatever its ratio: a table of 256 MiB harms nobody.
  package var ratioFloor = 256 << 20
  /// How deep folders may lie in each other.
  package var depthLimit = 16

  package init() {}
}

/// What has been read of a source, against its limits.
final class SourceBudget {
  private let path: String
  private let limits: SourceLimits
  /// The longest reading of each file.
  private var delivered: [String: Int] = [:]
  private var total = 0

  init(path: String, limits: SourceLimits) {
    self.path = path
    self.limits = limits
  }

  /// Takes note that `count` bytes of a file have come out of `stored` bytes.
  func check(_ name: String, delivered count: Int, stored: Int) throws(FormatError) {
    if count > limits.ratioFloor, count / limits.ratioLimit > stored {
      throw .unsafeArchive(
        path: path, entry: name,
        reason: "it expands to more than \(limits.ratioLimit) times its length, as no table does")
    }
    let before = delivered[name] ?? 0
    guard count > before else { return }
    delivered[name] = count
    total += count - before
    if total > limits.byteLimit {
      throw .tooLarge(path: path, what: "its files have \(total) bytes", limit: limits.byteLimit)
    }
  }
}

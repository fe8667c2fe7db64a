import STOLSystem

/// The highest release of each dataset that was ever installed, as `releases.txt` in a folder states it.
///
/// It outlives what was installed, so that deleting or replacing a database does not open the way for an
/// older release of it. Format/DATABASE.md, "Where it is installed".
package struct ReleaseRecord: Sendable {
  /// A release of a dataset.
  package struct Release: Equatable, Sendable {
    /// Its number.
    package let number: UInt32
    /// The SHA-256 of its content, in hexadecimal digits.
    package let digest: String
    /// The id of the key that signed what was installed last of the dataset, whichever release that is; nil
    /// where something else says it.
    package let keyID: String?
  }

  /// Where it is.
  let path: String
  private static let firstLine = "stol-releases-1"
  private static let longestFile = 1 << 20

  /// The record kept in `folder`.
  package init(folder: String) { path = folder + "/releases.txt" }

  /// The highest release of a dataset, or nil.
  ///
  /// - Returns: the release.
  /// - Throws: `ReferenceStore.Failure.recordDamaged`, `SystemError`.
  package func highest(of dataset: String) throws -> Release? { try releases()[dataset] }

  /// Notes that a release is about to be installed; the caller has the folder's lock.
  ///
  /// - Parameters:
  ///   - dataset: the dataset.
  ///   - number: the number of the release; a higher one stays noted.
  ///   - digest: the SHA-256 of its content, in hexadecimal digits.
  ///   - keyID: the id of the key that signed it, where nothing else says that.
  /// - Throws: what `highest` throws; the record is then as it was.
  package func note(
    _ dataset: String, number: UInt32, digest: String, keyID: String? = nil
  ) throws {
    var all = try releases()
    var release = Release(number: number, digest: digest, keyID: keyID)
    if let before = all[dataset], before.number > number {
      release = Release(number: before.number, digest: before.digest, keyID: keyID)
    }
    guard all[dataset] != release else { return }
    all[dataset] = release
    let lines = all.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map {
      "\($0.key) \($0.value.number) \($0.value.digest)\($0.value.keyID.map { " \($0)" } ?? "")\n"
    }
    TemporaryFiles.removeLeftovers(of: path)
    try replaceFile(path, with: Array((Self.firstLine + "\n" + lines.joined()).utf8))
  }

  /// Whether a file of that name in the folder is what a killed process left of the record.
  package static func isLeftover(_ name: String) -> Bool {
    name.hasPrefix("releases.txt.") && name.hasSuffix(".tmp")
  }

  /// The highest release of every dataset.
  ///
  /// - Returns: the releases, by dataset.
  /// - Throws: what `highest` throws.
  package func releases() throws -> [String: Release] {
    guard fileExists(path) else { return [:] }
    let file = try RegularFile(path: path, followsLinks: false)
    let bytes = try file.bytes(at: 0, limit: Self.longestFile)
    let damage = ReferenceStore.Failure.recordDamaged(path: path)
    guard let text = String(validating: bytes, as: UTF8.self) else { throw damage }
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.first == Self.firstLine[...], lines.popLast() == "" else { throw damage }
    var all: [String: Release] = [:]
    for line in lines.dropFirst() {
      let words = line.split(separator: " ", omittingEmptySubsequences: false)
      guard 3...4 ~= words.count, let number = UInt32(words[1]), all[String(words[0])] == nil else {
        throw damage
      }
      all[String(words[0])] = Release(
        number: number, digest: String(words[2]), keyID: words.count > 3 ? String(words[3]) : nil)
    }
    return all
  }
}

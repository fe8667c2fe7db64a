import STOLSystem

/// A file in a folder that is for its owner only, and goes away with it.
final class PrivateFile: Sendable {
  private let folder: PrivateFolder
  let path: String
  /// How many bytes it has.
  let byteCount: Int

  private init(_ folder: consuming PrivateFolder, _ path: String, _ byteCount: Int) {
    (self.path, self.byteCount) = (path, byteCount)
    self.folder = folder
  }

  /// What is being written.
  struct Writer: ~Copyable {
    private let folder: PrivateFolder
    private let path: String
    private var file: ReplacementFile
    private var byteCount = 0

    /// Nothing yet.
    ///
    /// - Throws: `SystemError`
    init() throws(SystemError) {
      let folder = try PrivateFolder()
      let path = folder.path + "/file"
      let file = try ReplacementFile(path: path, isOwnersOnly: true)
      self.init(folder, path, file)
    }

    private init(
      _ folder: consuming PrivateFolder, _ path: String, _ file: consuming ReplacementFile
    ) {
      self.path = path
      self.folder = folder
      self.file = file
    }

    /// Appends bytes.
    ///
    /// - Throws: `SystemError`
    mutating func append(_ bytes: [UInt8]) throws(SystemError) {
      try file.append(bytes)
      byteCount += bytes.count
    }

    /// All that was written.
    ///
    /// - Throws: `SystemError`
    consuming func finish() throws(SystemError) -> PrivateFile {
      try file.finish()
      return PrivateFile(folder, path, byteCount)
    }
  }

  /// A file with some bytes.
  ///
  /// - Throws: `SystemError`
  static func of(_ bytes: [UInt8]) throws(SystemError) -> PrivateFile {
    var writer = try Writer()
    try writer.append(bytes)
    return try writer.finish()
  }
}

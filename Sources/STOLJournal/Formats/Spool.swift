import STOLSystem

/// A folder of files that were captured elsewhere, each of which is imported once.
///
/// A file is moved into the folder `done` within it only after what it says is safe on the disk. Who is
/// interrupted between the two finds it there again, and imports it again, which changes nothing.
package struct Spool {
  /// What became of a file.
  package enum Outcome: Equatable {
    /// Imported and moved.
    case done
    /// Left where it is, for this reason.
    case failed(String)
  }

  private let folder: String
  private static let endings = [".jsonl", ".json", ".ndjson"]

  /// The files of a folder.
  package init(folder: String) { self.folder = folder }

  /// The names of its files that wait, in the order of their bytes: temporary and hidden ones do not.
  package var names: [String] {
    fileNames(inFolder: folder).filter { name in
      !name.hasPrefix(".") && Self.endings.contains { name.lowercased().hasSuffix($0) }
    }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Imports all files that wait, one after another; one that fails keeps no other from it.
  ///
  /// - Parameters:
  ///   - keep: imports the file at a path; when it returns, what the file says is durable.
  ///   - onFile: told of each file.
  /// - Throws: what `onFile` throws.
  package func run(
    _ keep: (String) throws -> Void, onFile: (String, Outcome) throws -> Void
  ) throws {
    for name in names {
      let path = folder + "/" + name
      do {
        try keep(path)
        try createFolder(folder + "/done")
        try move(path, name)
      } catch {
        try onFile(name, .failed("\(error)"))
        continue
      }
      try onFile(name, .done)
    }
  }

  /// Moves a file to those that are done; one of that name that is there stays.
  private func move(_ path: String, _ name: String) throws(SystemError) {
    var target = folder + "/done/" + name
    var number = 1
    while FileIdentity(path: target) != nil {
      number += 1
      target = folder + "/done/\(number)-" + name
    }
    try TemporaryFiles.rename(path, to: target)
    try synchronizeFolder(of: path)
  }
}

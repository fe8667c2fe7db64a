package import STOLSystem

/// A file that an export is written to, which takes its name at the end; nobody but its owner may read it.
package final class ExportFile {
  private var file: ReplacementFile
  /// What waits for a reader who may be slow, as that of a pipe: others wait for the journal meanwhile.
  private var waiting: [UInt8]?

  /// Begins the file at a path.
  package init(_ path: String) throws(SystemError) {
    file = try ReplacementFile(path: path, isOwnersOnly: true)
    waiting = isWrittenInPlace(path) ? [] : nil
  }

  /// Writes bytes behind those before.
  package func append(_ bytes: [UInt8]) throws(SystemError) {
    if waiting == nil { try file.append(bytes) }
    waiting? += bytes
  }

  /// Makes the file durable and gives it its name; without that, what was there stays.
  package func finish() throws(SystemError) {
    if let waiting { try file.append(waiting) }
    try file.finish()
  }
}

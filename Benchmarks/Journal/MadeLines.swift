import Foundation
import STOLJournal

/// Records as lines of JSON, in the order in which an export has them: by kind.
final class MadeLines {
  private static let kinds: [JournalRecord.Kind] = [.place, .event, .occurrence, .identification]

  private let folder: URL
  private var files: [JournalRecord.Kind: FileHandle] = [:]

  /// Makes a folder with a file for each kind.
  init(folder: String) throws {
    self.folder = URL(fileURLWithPath: folder)
    try FileManager.default.createDirectory(
      at: self.folder, withIntermediateDirectories: true)
    for kind in Self.kinds {
      try Data().write(to: url(kind))
      files[kind] = try FileHandle(forWritingTo: url(kind))
    }
  }

  private func url(_ kind: JournalRecord.Kind) -> URL {
    folder.appendingPathComponent("\(kind.rawValue).jsonl")
  }

  func write(_ records: [JournalRecord]) throws {
    for kind in Self.kinds {
      let lines = try records.filter { $0.kind == kind }
        .map { try JournalLines.line(of: $0) + "\n" }.joined()
      try files[kind]?.write(contentsOf: Data(lines.utf8))
    }
  }

  func close() throws {
    for file in files.values { try file.close() }
    files = [:]
  }

  /// All lines, one kind after another.
  func chunks() throws -> ByteChunks {
    var files = try Self.kinds.map { try FileHandle(forReadingFrom: url($0)) }[...]
    return ByteChunks { buffer, limit in
      while let file = files.first {
        buffer = Array(try file.read(upToCount: limit) ?? Data())
        if !buffer.isEmpty { return }
        files.removeFirst()
      }
    }
  }

  func remove() throws { try FileManager.default.removeItem(at: folder) }
}

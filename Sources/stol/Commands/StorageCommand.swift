import ArgumentParser
import STOLAnswers
import STOLData
import STOLDiagnostics
import STOLSystem

/// The command `stol storage`.
struct StorageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "storage", abstract: "Say what is stored, its bytes, and how to delete it.",
    discussion: """
        stol storage
        stol storage --json
      """)

  @Flag(help: "Write JSON.")
  var json = false

  @OptionGroup var home: HomeOptions

  func run() throws {
    let parts = LocalStorage(directory: try home.directory).parts()
    var writer =
      json
      ? RowWriter(.document)
      : RowWriter(Terminal.isOutput ? .table : .tsv, columns: ["part", "bytes", "delete"])
    if json {
      writer.objects(nil, parts) { writer, part in
        writer.text("part", part.kind.rawValue)
        writer.number("byteCount", Int(part.byteCount))
        writer.bool("isDeletable", part.isDeletable)
        writer.texts("paths", part.paths)
      }
      return try writer.finish()
    }
    for part in parts {
      writer.beginRow()
      writer.text("part", part.kind.rawValue)
      writer.number("bytes", Int(part.byteCount))
      writer.text("delete", Self.command(part))
      try writer.endRow()
    }
    writer.beginRow()
    writer.text("part", "all")
    writer.number("bytes", Int(parts.reduce(0) { $0 + $1.byteCount }))
    writer.text("delete", "")
    try writer.endRow()
    try writer.present()
  }

  /// How to delete a part.
  private static func command(_ part: StoredPart) -> String {
    guard part.isDeletable else { return "" }
    switch part.kind {
    case .reference: return "stol db delete"
    case .favorites: return "stol favorites clear"
    case .media: return "stol media remove ID"
    case .diagnostics: return "stol diagnostics off"
    case .bundled, .journal, .keys, .choices: return ""
    }
  }
}

/// The command `stol paths`.
struct PathsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "paths", abstract: "Say where everything is kept.",
    discussion: """
        stol paths
        stol paths --json
      """)

  @Flag(help: "Write JSON.")
  var json = false

  @OptionGroup var home: HomeOptions

  func run() throws {
    let directory = try home.directory
    let paths = [
      ("home", directory.path), ("databases", directory.databases),
      ("favorites", directory.favorites), ("journal", directory.journal),
      ("media", directory.media), ("keys", directory.keys),
      ("choices", directory.choices), ("diagnostics", directory.diagnostics),
    ]
    if json {
      return try RowWriter.writeDocument { writer in
        for (name, path) in paths { writer.text(name, path) }
      }
    }
    try writeFacts(
      paths.map { ($0, fileExists($1) ? $1 : $1 + "  (not there yet)") }, width: 13)
  }
}

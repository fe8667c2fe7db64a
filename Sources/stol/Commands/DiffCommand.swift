import ArgumentParser
import STOLAnswers
import STOLCompare
import STOLData
import STOLPack
import STOLSystem

/// The command `stol db diff`.
struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Say what changed from one database to another.",
    discussion: """
      OLD and NEW are packs, or databases with their packs beside them; `active` is the database that \
      answers now, `built-in` the built-in taxonomy. Taxa are compared by id where both have ids of one \
      kind, else by name. Kinds: added, removed, deleted, merged, renamed, moved, rank, status, \
      ambiguous, split for a name that was a synonym and is a taxon of its own, and reused for an id that \
      was given to a name that has nothing to do with the old one.

        stol db diff OLD.stolpack NEW.stolpack --summary
        stol db diff active NEW.stolpack --kind renamed,merged --jsonl
      """)

  @Argument(help: "The database before.", completion: .file(extensions: ["stolpack"]))
  var old: String
  @Argument(help: "The database after.", completion: .file(extensions: ["stolpack"]))
  var new: String

  @Flag(help: "Print only how many changes of each kind there are.")
  var summary = false
  @Option(
    help: ArgumentHelp("Only changes of these kinds, with commas between.", valueName: "kinds"))
  var kind: String?
  @OptionGroup var format: RowFormatOptions
  @OptionGroup var home: HomeOptions

  private static let columns = [
    "change", "id", "scientificName", "rank", "before", "after", "newID",
  ]

  private var kinds: Set<DatabaseDiff.Kind> {
    get throws {
      guard let kind else { return Set(DatabaseDiff.Kind.allCases) }
      return Set(
        try kind.split(separator: ",").map { word in
          guard let kind = DatabaseDiff.Kind(rawValue: String(word)) else {
            let all = DatabaseDiff.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("'\(word)' is no kind of change; one of: \(all)")
          }
          return kind
        })
    }
  }

  func validate() throws { _ = try kinds }

  func run() throws {
    let diff = DatabaseDiff(from: try pack(old), to: try pack(new))
    let kinds = try kinds
    if summary {
      let counts = diff.counts()
      var writer = format.writer(["change", "count"])
      for kind in DatabaseDiff.Kind.allCases where kinds.contains(kind) {
        writer.beginRow()
        writer.text("change", kind.rawValue)
        writer.number("count", counts[kind] ?? 0)
        try writer.endRow()
      }
      return try writer.present(header: !format.noHeader)
    }
    var writer = format.writer(Self.columns)
    try diff.forEach { change in
      guard kinds.contains(change.kind), let taxon = change.old ?? change.new else { return }
      writer.beginRow()
      writer.text("change", change.kind.rawValue)
      writer.id("id", taxon.sourceID, isJSONNumber: taxon.hasJSONNumberID)
      writer.text("scientificName", taxon.scientificName)
      writer.text("rank", taxon.rank.rawValue)
      writer.text("before", change.before)
      writer.text("after", change.after)
      let found = change.new
      writer.id("newID", found?.sourceID, isJSONNumber: found?.hasJSONNumberID ?? true)
      try writer.endRow()
    }
    try writer.present(header: !format.noHeader)
  }

  /// The pack that an argument names.
  private func pack(_ name: String) throws -> Pack {
    switch name {
    case "active": return try DatabaseSnapshot(in: try home.directory).pack
    case "built-in": return try BundledDatabase.open()
    default:
      let stem = name.hasSuffix(".sqlite") ? String(name.dropLast(".sqlite".count)) : nil
      if let stem, !fileExists(stem + ".stolpack") {
        throw CommandFailure(
          .usage, "\(name): there is no pack beside it; make one: stol pack \(name)")
      }
      return try about(name) { try Pack(path: stem.map { $0 + ".stolpack" } ?? name) }
    }
  }
}

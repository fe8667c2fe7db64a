import STOLSystem
import ArgumentParser
import STOLAnswers
import STOLData
import STOLPack

/// The command `stol pack`.
struct PackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pack", abstract: "Compile a SQLite taxonomy into a pack.",
    discussion: """
      The database must have the schema of Format/DATABASE.md. The pack replaces an older one only \
      once it is complete.

        stol pack TAXA.sqlite -o TAXA.stolpack
        stol pack TAXA.sqlite --strict
        stol pack TAXA.sqlite --euler-tables OLD-APP.sqlite
      """)

  @Argument(help: "The SQLite taxonomy.", completion: .file())
  var database: String

  @Option(
    name: [.customShort("o"), .long],
    help: "Where to write the pack (default: the database's name with .stolpack).",
    completion: .file())
  var output: String?

  @Flag(help: "Treat warnings as errors.")
  var strict = false

  @Option(
    help: "Also write a copy of the database with euler_tour, first_occurrence, top_n_relatives.",
    completion: .file())
  var eulerTables: String?

  @Flag(name: .shortAndLong, help: "Print nothing but errors.")
  var quiet = false

  func run() throws {
    let path = output ?? Self.defaultOutput(for: database)
    try refuseSameFile(path, "the pack would replace the database; choose another -o")
    if let eulerTables {
      try refuseSameFile(eulerTables, "the copy would replace the database")
      guard !isSameFile(eulerTables, path) else {
        throw CommandFailure(
          .usage, "\(eulerTables): the pack and the copy need two files")
      }
    }
    TemporaryFiles.removeWhenInterrupted()
    TemporaryFiles.removeLeftovers(of: path)
    if let eulerTables { TemporaryFiles.removeLeftovers(of: eulerTables) }
    let progress = Progress(quiet: quiet)
    let compiler = PackCompiler(path: database, treatsWarningsAsErrors: strict) { stage in
      switch stage {
      case .reading(let table, let rowCount): progress.show("reading \(table): \(rowCount) rows")
      case .packing(let stage): progress.show("\(stage.rawValue) ...")
      }
    }
    let start = ContinuousClock.now
    let report = try about(database) { try compiler.compile(to: path) }
    progress.finish()
    let pack = try Pack(path: path)
    if let eulerTables {
      progress.show("writing \(eulerTables) ...")
      try CompatibilityTables(of: pack).write(copying: database, to: eulerTables)
      progress.finish()
    }
    guard !quiet else { return }
    for warning in report.warnings { writeStandardError("stol: warning: \(warning)\n") }
    let seconds = ((ContinuousClock.now - start) / .seconds(1)).decimalText
    writeStandardError(
      "\(path): \(report.taxonCount) taxa, \(report.nameCount) further names, "
        + "\(report.traitCount) traits, \(pack.byteCount) bytes, \(seconds) s\n")
  }

  private func refuseSameFile(_ path: String, _ reason: String) throws {
    if isSameFile(path, database) {
      throw CommandFailure(.usage, "\(path): \(reason)")
    }
  }

  private static func defaultOutput(for database: String) -> String {
    let stem = [".sqlite", ".sqlite3", ".db"].first { database.hasSuffix($0) }
    return String(database.dropLast(stem?.count ?? 0)) + ".stolpack"
  }
}

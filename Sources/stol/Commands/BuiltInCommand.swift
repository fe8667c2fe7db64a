import ArgumentParser
import STOLAnswers
import STOLData
import STOLPack
import STOLSystem

/// The command `stol db built-in`.
struct BuiltInCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "built-in",
    abstract: "Write the built-in taxonomy to files, to work on or to ship.",
    discussion: """
      Writes NAME.sqlite and the pack compiled from it, NAME.stolpack. Neither replaces a file.

        stol db built-in -o life
      """)

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp("The name of both files.", valueName: "name"))
  var output: String

  func run() throws {
    let (database, pack) = (output + ".sqlite", output + ".stolpack")
    for path in [database, pack] where fileExists(path) {
      throw CommandFailure(.usage, "\(path): is there already; choose another name with -o")
    }
    TemporaryFiles.removeWhenInterrupted()
    for path in [database, pack] { TemporaryFiles.removeLeftovers(of: path) }
    try BundledDatabase.extract(to: database)
    try BundledDatabase.writePack(to: pack)
    writeStandardError("\(database), \(pack): \(try BundledDatabase.open().taxonCount) taxa\n")
  }
}

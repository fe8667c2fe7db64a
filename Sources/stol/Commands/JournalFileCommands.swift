import ArgumentParser
import Foundation
import STOLAnswers
import STOLJournal
import STOLSystem

/// The command `stol journal export`.
struct ExportJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write all records as JSON lines, exactly, for oneself.",
    discussion: """
      Every live record with all that it says, positions too: not to be given away. 'stol journal import' \
      reads it, and of an empty journal that has read it the same is written again, byte by byte.

        stol journal export -o journal.jsonl
      """)

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp("The file to write (default: the standard output).", valueName: "file"),
    completion: .file())
  var output: String?

  @OptionGroup var journal: JournalOptions

  func run() throws {
    let text = try JournalLines.text(of: try journal.open())
    guard let output else { return try writeText(text) }
    TemporaryFiles.removeWhenInterrupted()
    try replaceFile(output, with: Array(text.utf8))
  }
}

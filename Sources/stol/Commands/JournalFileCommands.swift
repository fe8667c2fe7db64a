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

/// The command `stol journal import`.
struct ImportJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Keep the records of a file that 'stol journal export' wrote.",
    discussion: """
      All of a file or nothing is kept, in one batch. A record whose UUID is there takes the place of what \
      was there, unless it is the same, which changes nothing.

        stol journal import journal.jsonl --dry-run
        stol journal import journal.jsonl
      """)

  @Argument(help: "The file, or - for the standard input.", completion: .file())
  var file: String

  @Flag(help: "Say what is new, the same or updated, and keep nothing.")
  var dryRun = false

  @OptionGroup var journal: JournalOptions

  func run() throws {
    var records: [JournalRecord] = []
    let lines = try bytes().split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let place = "\(Escaping.terminal(file)), line \(index + 1)"
      guard let text = String(validating: line, as: UTF8.self) else {
        throw CommandFailure(.usage, "\(place): not UTF-8")
      }
      guard !text.allSatisfy(\.isWhitespace) else { continue }
      do {
        let record = try JournalLines.record(text)
        try record.validate()
        records.append(record)
      } catch {
        throw CommandFailure(.usage, "\(place): \(Escaping.terminal(error.description))")
      }
    }
    let journal = try journal.open()
    let outcome = try dryRun ? journal.rehearse(records) : journal.save(records, as: .import)
    for word in [SaveOutcome.Result.new, .same, .updated] {
      let count = outcome.results.count { $0 == word }
      try writeText("\(word.rawValue)\t\(count)\n")
    }
  }

  /// All bytes of the file: a note may make a line longer than others are.
  private func bytes() throws -> [UInt8] {
    let input = try ByteInput(path: file == "-" ? nil : file)
    var bytes: [UInt8] = []
    var chunk: [UInt8] = []
    repeat {
      try input.read(into: &chunk, limit: 1 << 20)
      bytes += chunk
    } while !chunk.isEmpty
    return bytes
  }
}

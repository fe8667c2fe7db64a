import ArgumentParser
import STOLAnswers
import STOLJournal
import STOLSystem

/// The command `stol journal demo`.
struct DemoJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo", abstract: "Fill a journal with a made-up orchard and a dive trip.",
    discussion: """
      For trying out: always the same records, which are added but once. A journal with records of its own \
      is left as it is; --data-dir names another one.

        stol journal demo --data-dir /tmp/demo
        stol journal life --data-dir /tmp/demo
      """)

  @Flag(help: "Say what is new, the same or updated, and keep nothing.")
  var dryRun = false

  @OptionGroup var journal: JournalOptions

  func run() throws {
    let records = try DemoJournal.records(in: try journal.location.open().pack)
    let file = try journal.open(isDryRun: dryRun)
    guard try !file.hasLiveRecords(but: Set(records.map(\.id))) else {
      throw CommandFailure(
        .usage,
        "\(Escaping.terminal(file.path)): has records of its own, and made-up ones do not belong "
          + "among them: name another folder with --data-dir")
    }
    let outcome = try dryRun ? file.rehearse(records) : file.save(records, as: .import)
    for word in [SaveOutcome.Result.new, .same, .updated] {
      let count = outcome.results.count { $0 == word }
      try writeText("\(word.rawValue)\t\(count)\n")
    }
  }
}

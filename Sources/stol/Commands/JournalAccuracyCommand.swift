import ArgumentParser
import STOLJournal

/// The command `stol journal accuracy`.
struct AccuracyJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accuracy", abstract: "Say from how many metres on a position is good, or poor.",
    discussion: """
      Below the first number a position is excellent, then good, acceptable, marginal, and from the last \
      one on poor, which 'add' warns of and 'check' lists.

        stol journal accuracy
        stol journal accuracy --set 5,10,15,20
      """)

  @Option(help: ArgumentHelp("The four numbers of metres.", valueName: "numbers"))
  var set: String?

  @OptionGroup var journal: JournalOptions

  func run() throws {
    let file = try journal.open()
    if let set { try file.setAccuracyThresholds(try AccuracyClass.Thresholds(set)) }
    try writeText("\(try file.accuracyThresholds().text)\n")
  }
}

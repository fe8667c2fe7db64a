import ArgumentParser
import STOLAnswers
import STOLPack
import STOLSearch
import STOLSystem

/// The options that every query has; others it declares itself, so that help has none that does nothing.
struct QueryOptions: ParsableArguments {
  @OptionGroup var location: LocationOptions

  @Option(help: ArgumentHelp("Only taxa within this clade (id or name).", valueName: "taxon"))
  var within: String?

  @Option(
    help: ArgumentHelp("Only taxa of this status: accepted or provisional.", valueName: "status"))
  var status: String?

  @Option(help: ArgumentHelp("Only taxa with this IUCN code.", valueName: "code"))
  var conservation: String?

  @Option(help: ArgumentHelp("Only taxa with this trait; may be repeated.", valueName: "key=value"))
  var trait: [String] = []

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Read one query a line from this file, .gz too (- is the standard input).", valueName: "file"),
    completion: .file())
  var input: String?

  @Option(
    help: ArgumentHelp(
      "Answer a batch on so many threads (default: one for each processor).", valueName: "n"))
  var threads: Int?

  @Flag(help: "Print one JSON value.")
  var json = false

  @Flag(help: "Print one JSON object a line.")
  var jsonl = false

  @Flag(help: "Print tab-separated values (the default in a pipe).")
  var tsv = false

  @Flag(help: "Print comma-separated values.")
  var csv = false

  @Flag(help: "Print aligned columns and drawings (the default on a terminal).")
  var table = false

  @Flag(help: "Print no header line.")
  var noHeader = false

  @Flag(help: "Print no bold or underlined text.")
  var noColor = false

  @Flag(name: .shortAndLong, help: "Print nothing on the standard error but errors.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Say which pack answers, and how fast.")
  var verbose = false

  /// More than any machine has processors: what is more is a mistake.
  private static let mostThreads = 1024

  func validate() throws {
    if [json, jsonl, tsv, csv, table].filter({ $0 }).count > 1 {
      throw ValidationError("choose one of --json, --jsonl, --tsv, --csv and --table")
    }
    if noHeader, json || jsonl {
      throw ValidationError("--no-header does nothing with JSON, which has no header line")
    }
    if let threads, !(1...Self.mostThreads).contains(threads) {
      throw ValidationError("--threads must be 1 to \(Self.mostThreads), got \(threads)")
    }
  }

  /// The form of the output.
  var format: OutputFormat {
    if json { return .json }
    if jsonl { return .jsonl }
    if csv { return .csv }
    return table || (Terminal.isOutput && !tsv) ? .table : .tsv
  }

  /// Whether output is bold and underlined.
  var style: TextStyle {
    let isPlain =
      noColor || environmentValue("NO_COLOR") != nil || environmentValue("TERM") == "dumb"
    return TextStyle(isEnabled: !isPlain && Terminal.isOutput)
  }

  /// The filter that the options amount to, with those of one query.
  ///
  /// - Throws: `SearchError` for a value that the pack does not know, with those that it does.
  func filter(
    rank: String?, language: String?, searchLanguage: String?, _ view: borrowing PackView
  ) throws -> SearchFilter {
    var filter = TaxonFilter(rank: rank.map { TaxonRank(rawValue: $0) })
    filter.status = status.map { TaxonStatus(rawValue: $0) }
    filter.conservationStatus = conservation
    filter.traits = try trait.map { text in
      guard let split = text.firstIndex(of: "="), split > text.startIndex else {
        throw CommandFailure(
          .usage,
          "--trait needs KEY=VALUE, as in habitat=marine, got \"\(Escaping.terminal(text))\"")
      }
      return TaxonFilter.TraitTerm(
        key: String(text[..<split]), value: String(text[text.index(after: split)...]))
    }
    if let within {
      filter.within = view.ids[try view.taxon(named: within)]
    }
    // A language that no name has is refused; one that some have changes nothing of what is found.
    if let language { _ = try TaxonFilter.rows(ofLanguage: language, in: view) }
    filter.language = searchLanguage
    return try filter.resolved(in: view)
  }
}

// What several queries say of an option that not every one has.
extension ArgumentHelp {
  static let rank = ArgumentHelp("Only taxa of this rank.", valueName: "rank")
  static let ranks = ArgumentHelp(
    "Add a column for each of these ranks (words with commas, main or all).", valueName: "list")
  static let language = ArgumentHelp(
    "The language of common names that are shown (default: en).", valueName: "tag")

  static let searchLanguage = ArgumentHelp(
    "The language of common names that are shown and come first (default: en is shown, none is first).",
    valueName: "tag")

  /// The most results, and how many there are without it.
  static func limit(default count: String) -> ArgumentHelp {
    ArgumentHelp("The most results (default: \(count)).", valueName: "n")
  }
}

import ArgumentParser
import STOLAnswers
import STOLPack
import STOLSearch
import STOLSystem

/// The command `stol query search`.
struct SearchQueryCommand: HitQuery {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Find taxa by any of their names.",
    discussion: """
      Whole names come first, then names with the words of the text, in singular or plural, before \
      names that only begin so; what matches equally well is ordered by how well known it is. Where \
      fewer than three taxa match, taxa that have the words in several names, and names that are \
      spelled alike, come after them. Text in double quotes must stand together. Without text, \
      --rank, --within and the other filters list taxa. Several taxa that fit equally are listed as \
      any others, and said to be ambiguous: that is found, exit code 0. A line of a batch in TSV or \
      CSV has the best hit, or the candidates of which none is better. A whole name may have its \
      authors behind it, unless they are others than those of the name.

        stol query search lion
        stol query search "pantera leo"
        stol query search "Panthera leo (Linnaeus, 1758)"
        stol query search panth --rank genus
        stol query search '"tree frog"' --within Amphibia --limit 5
        stol query search "" --trait habitat=marine --within Mammalia
        stol query search --mode fuzzy --max-distance 3 "pantera tigriss"
        stol query search --mode contains osaur
        stol query search wal --lang de --search-lang de
        stol query search - < names.txt
      """)

  @Argument(help: "A name or the beginning of one, words of one, or - for many.") var words:
    [String] = []
  @OptionGroup var match: MatchOptions
  @Option(
    name: .shortAndLong,
    help: .limit(default: "20; without text 20 on a terminal, else all")) var limit: Int?
  @Option(help: .rank) var rank: String?
  @Option(help: .ranks) var ranks: String?
  @Option(name: .customLong("lang"), help: .searchLanguage) var language: String?
  @OptionGroup var options: QueryOptions

  var arguments: [String] { words }
  var matchedWords: SearchQuery.Words { .anyForm }
  /// A list without text is cut on a terminal only.
  var defaultLimit: Int? { options.format != .table && text.allSatisfy(\.isWhitespace) ? nil : 20 }
}

/// The command `stol query complete`.
struct CompleteCommand: HitQuery {
  static let configuration = CommandConfiguration(
    commandName: "complete", abstract: "Complete a name, the best known taxa first.",
    discussion: """
      Where fewer than three taxa match, names that begin alike come after them.

        stol query complete pan
        stol query complete "pantera l"
      """)

  @Argument(help: "The beginning of a name, or - for many.") var words: [String] = []
  @OptionGroup var match: MatchOptions
  @Option(name: .shortAndLong, help: .limit(default: "10")) var limit: Int?
  @Option(help: .rank) var rank: String?
  @Option(help: .ranks) var ranks: String?
  @Option(name: .customLong("lang"), help: .searchLanguage) var language: String?
  @OptionGroup var options: QueryOptions

  var arguments: [String] { words }
  var matchedWords: SearchQuery.Words { .asTyped }
  var defaultLimit: Int? { 10 }
}

/// How far names may be from what is looked for.
struct MatchOptions: ParsableArguments {
  @Option(
    help: "How names match: auto, exact, prefix, fuzzy or contains (default: auto).",
    transform: Self.mode)
  var mode = SearchQuery.Mode.auto

  @Option(
    help: ArgumentHelp(
      "Search only names in this language; la has the scientific ones (default: all).",
      valueName: "tag"))
  var searchLang: String?

  @Option(
    help: ArgumentHelp(
      "The most letters that may differ, 0 to 3 (default: 0 below three letters, 1 below five, else 2).",
      valueName: "k"),
    transform: Self.distance)
  var maxDistance: Int?

  func validate() throws {
    if maxDistance != nil, [.exact, .prefix, .contains].contains(mode) {
      throw ValidationError("--max-distance does nothing with --mode \(mode.rawValue)")
    }
  }

  private static func mode(_ text: String) throws -> SearchQuery.Mode {
    guard let mode = SearchQuery.Mode(rawValue: text) else {
      let known = SearchQuery.Mode.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("unknown mode \"\(text)\"; one of: \(known)")
    }
    return mode
  }

  private static func distance(_ text: String) throws -> Int {
    let range = 0...SearchQuery.greatestDistance
    guard let distance = Int(text), range.contains(distance) else {
      throw ValidationError(
        "--max-distance must be \(range.lowerBound) to \(range.upperBound), got \"\(text)\"")
    }
    return distance
  }
}

/// A query whose answer is hits.
private protocol HitQuery: Query where Asked == SearchQuestion {
  var match: MatchOptions { get }
  /// Which words are those of the text.
  var matchedWords: SearchQuery.Words { get }
}

extension HitQuery {
  var searchLanguage: String? { match.searchLang }

  var question: SearchQuestion {
    SearchQuestion(mode: match.mode, maximumDistance: match.maxDistance, words: matchedWords)
  }

  static var shownColumns: [String]? {
    SearchQuestion.columns.filter { !["nameYear", "sensu", "nameID"].contains($0) }
  }

  func omission(_ value: SearchQuestion.Value) -> String { "more taxa match; see --limit" }

  /// That no name is the text as a whole, which JSON says by the status.
  func note(_ answer: Answer<SearchQuestion.Value>) -> String? {
    // A name in open nomenclature has its own sentence.
    guard !options.format.isStructured, answer.matches.isEmpty,
      let best = answer.value?.hits.first
    else { return nil }
    let shown = Escaping.terminal(text)
    switch answer.status {
    case .fuzzy: return "\"\(shown)\" is no name here; these are spelled alike"
    case .partial where best.distance > 0:
      return "\"\(shown)\" matches in part: names have a beginning or words that are spelled alike"
    case .partial where match.mode == .contains:
      return "\"\(shown)\" matches in part: names have it, or its words, inside"
    case .partial: return "\"\(shown)\" matches in part: names hold its words, or begin so"
    default: return nil
    }
  }

  func failure(
    _ answer: Answer<SearchQuestion.Value>, _ view: borrowing PackView, _ filter: SearchFilter
  ) throws -> CommandFailure {
    guard answer.status != .deleted else {
      return CommandFailure(.notFound, "taxon \(Escaping.terminal(text)): this id was deleted")
    }
    guard answer.status == .invalid else {
      return CommandFailure(
        .notFound,
        "nothing found for \"\(Escaping.terminal(text))\"" + view.suggestions(for: text, filter))
    }
    let byteCount = text.utf8.count
    return CommandFailure(
      .usage,
      byteCount > SearchQuery.maximumByteCount
        ? SearchError.queryTooLong(byteCount: byteCount).description
        : "the query is empty; give a text, or filters as --rank and --within to list taxa")
  }
}

/// The command `stol query rank`.
struct RankCommand: TaxonListQuery {
  static let configuration = CommandConfiguration(
    commandName: "rank", abstract: "List the taxa of a rank.",
    discussion: """
        stol query rank order --within Mammalia
        stol query rank class --limit 1000 --tsv
      """)

  @Argument(help: "A rank, as in family, or - for many.") var words: [String] = []
  @Option(name: .shortAndLong, help: .limit(default: "100 on a terminal, else all")) var limit: Int?
  @Option(help: .ranks) var ranks: String?
  @Option(name: .customLong("lang"), help: .language) var language: String?
  @OptionGroup var options: QueryOptions

  var arguments: [String] { words }
  var question: RankQuestion { RankQuestion() }
  var defaultLimit: Int? { options.format == .table ? 100 : nil }

  func failure(
    _ answer: Answer<TaxonList>, _ view: borrowing PackView, _ filter: SearchFilter
  ) throws -> CommandFailure {
    guard answer.status == .invalid else {
      return CommandFailure(.notFound, "no taxon of this rank passes the filters")
    }
    let known = view.taxa.ranks.all.map(\.rawValue).joined(separator: ", ")
    return CommandFailure(
      .usage, "unknown rank \"\(Escaping.terminal(text))\"; one of: \(known)")
  }
}

import ArgumentParser
import STOLPack
import STOLSearch
import STOLSystem

/// The command `stol query search`.
struct SearchQueryCommand: HitQuery {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Find taxa by any of their names.",
    discussion: """
      Where fewer than three taxa match, names that are spelled alike come after them. Text in \
      double quotes must stand together. Without text, --rank, --within and the other filters list \
      taxa.

        stol query search lion
        stol query search "pantera leo"
        stol query search panth --rank genus
        stol query search '"tree frog"' --within Amphibia --limit 5
        stol query search "" --trait habitat=marine --conservation EN
        stol query search --mode fuzzy --max-distance 3 "pantera tigriss"
        stol query search - < names.txt
      """)

  @Argument(help: "A name or the beginning of one, words of one, or - for many.") var words:
    [String] = []
  @OptionGroup var match: MatchOptions
  @OptionGroup var options: QueryOptions

  var arguments: [String] { words }
  var order: SearchQuery.Order { .relevance }
  var defaultLimit: Int { 20 }
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
  @OptionGroup var options: QueryOptions

  var arguments: [String] { words }
  var order: SearchQuery.Order { .prominence }
  var defaultLimit: Int { 10 }
}

/// How far names may be from what is looked for.
struct MatchOptions: ParsableArguments {
  @Option(help: "How names match: auto, exact, prefix or fuzzy.", transform: Self.mode)
  var mode = SearchQuery.Mode.auto

  @Option(
    help: ArgumentHelp(
      "The most letters that may differ, 0 to 3 (default: 1 below five letters, else 2).",
      valueName: "k"),
    transform: Self.distance)
  var maxDistance: Int?

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
private protocol HitQuery: Query where Finding == [SearchHit] {
  var match: MatchOptions { get }
  /// What comes first.
  var order: SearchQuery.Order { get }
  var defaultLimit: Int { get }
}

extension HitQuery {
  static var columns: [String] {
    [
      "id", "rank", "scientificName", "matchedName", "matchType", "conservationStatus", "distance",
      "relevanceScore",
    ]
  }

  private func query(_ text: String, _ filter: SearchFilter) -> SearchQuery {
    SearchQuery(
      text, mode: match.mode, maximumDistance: match.maxDistance, order: order,
      limit: options.limit ?? defaultLimit, filter: filter)
  }

  func prepare(_ context: inout QueryContext) {
    context.query = query("", context.filter)
    // A row has room for the best hit only.
    if !context.isStructured { context.query.limit = 1 }
  }

  func answer(
    _ input: QueryInput, _ view: borrowing PackView, _ context: inout QueryContext
  ) -> Answer<[SearchHit]> {
    guard isAskable(input.bytes, context.filter) else { return .failed(.invalid) }
    context.session.search(input.bytes.span, context.query, in: view)
    let hits = context.session.hits
    guard let best = hits.first else { return Answer(status: .notFound, finding: []) }
    return Answer(status: best.matchClass <= .allWords ? .exact : .fuzzy, finding: hits)
  }

  func writeCells(
    _ hits: [SearchHit], _ view: borrowing PackView, to writer: inout RowWriter
  ) {
    if let best = hits.first { writeFields(best, view, to: &writer) }
  }

  func writeMembers(
    _ hits: [SearchHit], _ view: borrowing PackView, to writer: inout RowWriter
  ) {
    writer.array("results") { writer in
      for hit in hits { writer.object { writeFields(hit, view, to: &$0) } }
    }
  }

  func present(_ opened: OpenedPack, _ filter: SearchFilter) throws {
    let byteCount = text.utf8.count
    guard isAskable(Array(text.utf8)[...], filter) else {
      throw CommandFailure(
        CommandFailure.general,
        byteCount > SearchQuery.maximumByteCount
          ? SearchError.queryTooLong(byteCount: byteCount).description
          : "the query is empty; give a text, or filters as --rank and --within to list taxa")
    }
    let view = opened.pack.view
    let hits = view.search(query(text, filter))
    var writer = rowWriter(columns: Self.columns)
    for hit in hits {
      writer.beginRow()
      writeFields(hit, view, to: &writer)
      try writer.endRow(
        marks: MatchedLetters.ranges(
          of: text, in: view.names.text(of: hit.name), matchClass: hit.matchClass))
    }
    try writer.finish()
    guard hits.isEmpty else { return }
    let shown = Escaping.terminal(text)
    throw CommandFailure(
      CommandFailure.nothingFound,
      "nothing found for \"\(shown)\"" + Suggestions.text(for: text, view, filter))
  }

  private func isAskable(_ text: ArraySlice<UInt8>, _ filter: SearchFilter) -> Bool {
    guard text.count <= SearchQuery.maximumByteCount else { return false }
    // Most texts begin with a letter or a digit.
    if let first = text.first, first > UInt8(ascii: " "), first < 0x80 { return true }
    return !filter.isEmpty || String(decoding: text, as: UTF8.self).contains { !$0.isWhitespace }
  }

  private func writeFields(
    _ hit: SearchHit, _ view: borrowing PackView, to writer: inout RowWriter
  ) {
    Schema.writeHead(of: hit.taxon, view, to: &writer)
    if view.names.isScientific(hit.name) {
      writer.textAgain("matchedName")
    } else {
      writer.text("matchedName", hit.name, view)
    }
    writer.text("matchType", MatchType(of: hit.name, in: view.names).rawValue)
    Schema.writeConservation(of: hit.taxon, view, to: &writer)
    writer.number("distance", hit.distance)
    writer.number("relevanceScore", hit.relevanceScore)
  }
}

/// The command `stol query rank`.
struct RankCommand: Query {
  static let configuration = CommandConfiguration(
    commandName: "rank", abstract: "List the taxa of a rank.",
    discussion: """
        stol query rank order --within Mammalia
        stol query rank class --limit 1000 --tsv
      """)

  static let columns = ["taxonCount"]
  @Argument(help: "A rank, as in family, or - for many.") var words: [String] = []
  @OptionGroup var options: QueryOptions

  var arguments: [String] { words }
  private static let defaultLimit = 100

  func answer(
    _ input: QueryInput, _ view: borrowing PackView, _ context: inout QueryContext
  ) -> Answer<[SearchHit]> {
    guard let rank = view.taxa.ranks.row(of: input.text.lowercased()) else {
      return .failed(.invalid)
    }
    var filter = context.filter
    filter.rank = rank
    let hits = view.search(SearchQuery("", limit: .max, filter: filter))
    return Answer(status: hits.isEmpty ? .notFound : .exact, finding: hits)
  }

  func writeCells(
    _ hits: [SearchHit], _ view: borrowing PackView, to writer: inout RowWriter
  ) {
    writer.number("taxonCount", hits.count)
  }

  func writeMembers(
    _ hits: [SearchHit], _ view: borrowing PackView, to writer: inout RowWriter
  ) {
    writer.number("taxonCount", hits.count)
    let shown = hits.prefix(options.limit ?? Self.defaultLimit)
    Schema.write("results", shown.lazy.map(\.taxon), view, to: &writer)
  }

  func present(_ opened: OpenedPack, _ filter: SearchFilter) throws {
    let view = opened.pack.view
    guard let rank = view.taxa.ranks.row(of: text.lowercased()) else {
      let known = view.taxa.ranks.all.joined(separator: ", ")
      throw CommandFailure(
        CommandFailure.general, "unknown rank \"\(Escaping.terminal(text))\"; one of: \(known)")
    }
    var filter = filter
    filter.rank = rank
    let clade = filter.clade ?? view.tree.taxa
    let languages = options.preferredLanguages(view)
    var writer = rowWriter(columns: TaxonList.columns)
    var shown = 0
    var total = 0
    // Preorder: clades stay together, siblings by name.
    for index in clade {
      let taxon = TaxonOrdinal(rawValue: UInt32(index))
      guard view.passes(taxon, filter) else { continue }
      total += 1
      guard total <= options.limit ?? Self.defaultLimit else { continue }
      try TaxonList.writeRow(taxon, view, languages, to: &writer)
      shown += 1
    }
    try writer.finish()
    if total > shown, !options.quiet, options.format == .table {
      writeStandardError("\(total - shown) more; see --limit\n")
    }
    if total == 0 {
      throw CommandFailure(CommandFailure.nothingFound, "no taxon of this rank passes the filters")
    }
  }
}

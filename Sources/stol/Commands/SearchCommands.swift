import ArgumentParser
import STOLPack

/// The command `stol query search`.
struct SearchQueryCommand: HitQuery {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Find taxa by any of their names.",
    discussion: """
      Text in double quotes must stand together. Without text, --rank, --within and the other filters \
      list taxa.

        stol query search lion
        stol query search panth --rank genus
        stol query search '"tree frog"' --within Amphibia --limit 5
        stol query search "" --trait habitat=marine --conservation EN
        stol query search - < names.txt
      """)

  @Argument(help: "A name or the beginning of one, words of one, or - for many.") var words:
    [String] = []
  @Option(help: "How names match: auto, exact or prefix.", transform: Self.mode)
  var mode = SearchQuery.Mode.auto
  @OptionGroup var options: QueryOptions

  var arguments: [String] { words }
  private static let defaultLimit = 20

  private static func mode(_ text: String) throws -> SearchQuery.Mode {
    guard let mode = SearchQuery.Mode(rawValue: text) else {
      let known = SearchQuery.Mode.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("unknown mode \"\(text)\"; one of: \(known)")
    }
    return mode
  }

  func query(_ text: String, _ filter: SearchFilter) -> SearchQuery {
    SearchQuery(text, mode: mode, limit: options.limit ?? Self.defaultLimit, filter: filter)
  }
}

/// The command `stol query complete`.
struct CompleteCommand: HitQuery {
  static let configuration = CommandConfiguration(
    commandName: "complete", abstract: "Complete a name, the best known taxa first.",
    discussion: """
        stol query complete pan
        stol query complete "panthera l"
      """)

  @Argument(help: "The beginning of a name, or - for many.") var words: [String] = []
  @OptionGroup var options: QueryOptions

  var arguments: [String] { words }
  private static let defaultLimit = 10

  func query(_ text: String, _ filter: SearchFilter) -> SearchQuery {
    SearchQuery(
      text, mode: .prefix, order: .prominence, limit: options.limit ?? Self.defaultLimit,
      filter: filter)
  }
}

/// A query whose answer is hits.
private protocol HitQuery: Query {
  /// What to look for.
  func query(_ text: String, _ filter: SearchFilter) -> SearchQuery
}

extension HitQuery {
  static var columns: [String] { HitColumns.names }

  func answer(
    _ input: [String], _ view: borrowing PackView, _ context: QueryContext
  ) -> Answer {
    HitColumns.answer(
      query(input.first ?? "", context.filter), view, structured: context.isStructured)
  }

  func present(_ opened: OpenedPack, _ filter: SearchFilter) throws {
    try HitColumns.present(query(text, filter), opened.pack.view, rowWriter(columns: Self.columns))
  }
}

/// Search hits as rows and as JSON.
private enum HitColumns {
  static let names = [
    "id", "rank", "scientificName", "matchedName", "matchType", "conservationStatus", "distance",
    "relevanceScore",
  ]

  static func answer(
    _ query: SearchQuery, _ view: borrowing PackView, structured: Bool
  ) -> Answer {
    guard isAskable(query) else { return .failed(.invalid) }
    var query = query
    // A row has room for the best hit only.
    if !structured { query.limit = 1 }
    let hits = view.search(query)
    guard let best = hits.first else {
      return Answer(status: .notFound, members: !structured ? [] : [("results", .array([]))])
    }
    guard structured else { return Answer(status: .exact, cells: cells(best, view)) }
    let results = hits.map { hit in
      JSON.object(zip(names, cells(hit, view)).map { ($0, JSON($1)) })
    }
    return Answer(
      status: .exact, cells: cells(best, view), members: [("results", .array(results))])
  }

  static func present(
    _ query: SearchQuery, _ view: borrowing PackView, _ writer: consuming RowWriter
  ) throws {
    guard isAskable(query) else {
      throw CommandFailure(
        CommandFailure.general,
        query.text.utf8.count > SearchQuery.maximumByteCount
          ? "the query has \(query.text.utf8.count) bytes, at most "
            + "\(SearchQuery.maximumByteCount) are allowed"
          : "the query is empty; give a text, or filters as --rank and --within to list taxa")
    }
    let hits = view.search(query)
    for hit in hits {
      let matched = view.names.text(of: hit.name)
      try writer.write(
        cells(hit, view), marks: MatchedLetters.ranges(of: query.text, in: matched))
    }
    try writer.finish()
    guard hits.isEmpty else { return }
    let shown = Escaping.terminal(query.text)
    throw CommandFailure(
      CommandFailure.nothingFound,
      "nothing found for \"\(shown)\"" + Suggestions.text(for: query.text, view, query.filter))
  }

  private static func isAskable(_ query: SearchQuery) -> Bool {
    guard query.text.utf8.count <= SearchQuery.maximumByteCount else { return false }
    return !query.filter.isEmpty || query.text.contains { !$0.isWhitespace }
  }

  private static func cells(_ hit: SearchHit, _ view: borrowing PackView) -> [Cell] {
    let code = view.taxa.conservationCodes[view.taxa.conservation(of: hit.taxon)]
    return [
      .integer(view.ids[hit.taxon].rawValue), .text(view.taxa.ranks[view.taxa.rank(of: hit.taxon)]),
      .text(view.names.scientificName(of: hit.taxon)), .text(view.names.text(of: hit.name)),
      .text(matchType(hit, view)), Cell(code.isEmpty ? nil : code), Cell(hit.distance),
      .number(hit.relevanceScore),
    ]
  }

  private static func matchType(_ hit: SearchHit, _ view: borrowing PackView) -> String {
    if view.names.isScientific(hit.name) { return "scientific" }
    return view.names.type(of: hit.name) == .synonym ? "synonym" : "common"
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
    _ input: [String], _ view: borrowing PackView, _ context: QueryContext
  ) -> Answer {
    guard let rank = view.taxa.ranks.row(of: (input.first ?? "").lowercased()) else {
      return .failed(.invalid)
    }
    var filter = context.filter
    filter.rank = rank
    let hits = view.search(SearchQuery("", limit: .max, filter: filter))
    let shown = hits.prefix(options.limit ?? Self.defaultLimit)
    return Answer(
      status: hits.isEmpty ? .notFound : .exact, cells: [Cell(hits.count)],
      members: !context.isStructured
        ? []
        : [
          ("taxonCount", JSON(hits.count)),
          ("results", .array(shown.map { Schema.json(view.taxon($0.taxon)) })),
        ])
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
    var writer = rowWriter(columns: TaxonList.columns)
    var shown = 0
    var total = 0
    // Preorder: clades stay together, siblings by name.
    for index in clade {
      let taxon = TaxonOrdinal(rawValue: UInt32(index))
      guard view.passes(taxon, filter) else { continue }
      total += 1
      guard total <= options.limit ?? Self.defaultLimit else { continue }
      try writer.write(TaxonList.cells(taxon, view, options.lang))
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

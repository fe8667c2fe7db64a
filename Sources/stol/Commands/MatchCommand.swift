import ArgumentParser
import STOLAnswers
import STOLFormats
import STOLMatch
import STOLPack
import STOLSystem

/// The command `stol match`.
struct MatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "match", abstract: "Match a table of names to taxa, and keep its columns.",
    discussion: """
      FILE is CSV, TSV, one name a line, any of them compressed, a Darwin Core archive, or - for the \
      standard input. Its rows come out as they are, in their order, with columns added. Names may have \
      authors, qualifiers, hybrid signs, wrong endings and misspellings; columns for rank, code, authors, \
      kingdom to genus help where they have the terms of Darwin Core. The status is exact, synonym, \
      fuzzy, partial (a higher taxon), ambiguous, not_found or invalid; the score says how many of a hundred \
      such answers are right. How many rows have each status is said on the standard error.

        stol match sightings.csv > matched.csv
        stol match names.txt --add status,taxonID,family,lineage
        stol match table.tsv --review review.csv
        stol match table.tsv --decisions review.csv
        stol match - --format gbif < names.csv
        stol match --explain "Bromus cf. sterilis L."
      """)

  @Argument(help: "A table, or - for the standard input.", completion: .file())
  var file: String

  @Option(help: ArgumentHelp("The column with the names.", valueName: "column")) var name: String?
  @Option(help: ArgumentHelp("The column with their authors.", valueName: "column"))
  var authorship: String?
  @Option(help: ArgumentHelp("The column with their ranks.", valueName: "column"))
  var rankColumn: String?
  @Option(help: ArgumentHelp("The column with the nomenclatural code.", valueName: "column"))
  var code: String?
  @Option(
    help: ArgumentHelp(
      "A column with a higher taxon, as in family=Familia; again for others.",
      valueName: "rank=column"))
  var hint: [String] = []

  @Option(
    help: ArgumentHelp(
      "What to add, with commas: \(MatchColumn.names.joined(separator: ", ")), or any rank, or main.",
      valueName: "columns"))
  var add: String = MatchColumn.usual

  @Option(
    help: ArgumentHelp("Add the fields of another service: gbif or gn.", valueName: "service"))
  var format: MatchService?

  @Option(
    help: ArgumentHelp(
      "The least score of an answer, from 0 to 100 (default: 90; with gbif 80, with gn 50).",
      valueName: "score"))
  var minScore: Int?

  @Flag(help: "Only whole names, whose authors do not contradict.") var exact = false
  @Flag(help: "Never answer with a higher taxon.") var noHigher = false
  @Flag(help: "Letters that scanners confuse, as rn and m, make no other name.") var ocr = false
  @Flag(
    help: ArgumentHelp(
      "End with 1 unless every row has a taxon, with --no-higher its own; refuse rows that cannot be read."
    ))
  var strict = false

  @Option(
    help: ArgumentHelp("Write the names that a person should look at.", valueName: "file"),
    completion: .file(extensions: ["csv"]))
  var review: String?
  @Option(
    help: ArgumentHelp("Apply what a person has decided in a file of --review.", valueName: "file"),
    completion: .file(extensions: ["csv"]))
  var decisions: String?

  @Flag(help: "FILE is a name: say how it is read and what every candidate gets.") var explain =
    false
  @Flag(name: .shortAndLong, help: "Print nothing but the table and errors.") var quiet = false
  @OptionGroup var location: LocationOptions

  func validate() throws {
    if let minScore, !(0...100).contains(minScore) {
      throw ValidationError("--min-score is from 0 to 100, got \(minScore)")
    }
    for hint in hint {
      let parts = hint.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
        throw ValidationError("--hint is RANK=COLUMN, as family=Familia, got '\(hint)'")
      }
    }
    guard format == nil || add == MatchColumn.usual else {
      throw ValidationError("--format adds its own fields: give no --add with it")
    }
  }

  func run() throws {
    let opened = try location.open()
    opened.pack.prefetch()
    if explain { return try explainName(opened.pack) }
    try matchTable(opened.pack)
  }

  private var options: NameMatcher.Options {
    var options = NameMatcher.Options()
    options.follow(format, leastScore: minScore)
    options.isStrict = exact
    options.allowsHigherTaxa = !noHigher
    options.allowsScannerErrors = ocr
    return options
  }

  private func matchTable(_ pack: Pack) throws {
    let start = ContinuousClock.now
    let view = pack.view
    if let review {
      let sources = [file == "-" ? nil : file, decisions].compactMap { $0 }
      guard !sources.contains(where: { isSameFile(review, $0) }) else {
        throw CommandFailure(
          .usage, "\(review): --review would replace what is read; choose another file")
      }
    }
    let columns = try format?.columns ?? MatchColumn.columns(add, view.taxa.ranks)
    var choice = MatchFields.Choice()
    choice.name = name
    choice.authorship = authorship
    choice.rank = rankColumn
    choice.code = code
    choice.hints = hint.map { text in
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      return (parts[0].lowercased(), parts.count > 1 ? parts[1] : "")
    }
    var table = try about(file) {
      try NameTable(try RawTable.open(file == "-" ? nil : file), choice)
    }
    var output = ByteOutput()
    output.bytes += table.mark
    let work = table.match(
      adding: columns.map(\.column), options, decisions: try readDecisions(pack),
      collectsReview: review != nil)
    output.bytes += table.preface
    if let header = table.header { output.bytes += work.header(header, columns.map(\.name)) }

    var summary = Summary()
    let reviews = try review.map { try ReviewFile(path: $0) }
    let progress = Progress(quiet: quiet)
    while let block = try about(file, { try table.nextBlock() }) {
      for part in work.match(block, table.cursor, in: pack) {
        summary.add(part)
        if strict, let ragged = part.ragged.first {
          throw CommandFailure(
            .damaged,
            "\(file): line \(ragged.line) has \(ragged.count) fields, the header \(table.header?.fields.count ?? 0)"
          )
        }
        if let line = part.unclosed {
          let text = "\(file): line \(line): a quote is not closed, all behind it is one row"
          if strict { throw CommandFailure(.damaged, text) }
          writeStandardError(text + "\n")
        }
        output.bytes += part.bytes
        try output.flushIfFull()
        try reviews?.add(part.review)
      }
      progress.show("matching: \(summary.rowCount) rows")
    }
    progress.finish()
    try output.flush()
    try reviews?.finish()
    if !quiet { writeStandardError(summary.text(ContinuousClock.now - start)) }
    if strict, !summary.isComplete { throw ExitCode.nothingFound }
  }

  /// The decisions of the file that was named.
  private func readDecisions(_ pack: Pack) throws -> MatchDecisions {
    var made = MatchDecisions()
    guard let decisions else { return made }
    try about(decisions) {
      var table = try RawTable.open(decisions)
      guard let header = try table.next() else { return }
      let names = header.fields.indices.map {
        String(decoding: header.field($0) ?? [], as: UTF8.self)
      }
      let columns = ColumnMap(names)
      guard let name = columns.index("name"), let decision = columns.index("decision") else {
        throw CommandFailure(
          .usage,
          "\(decisions): needs the columns name and decision, as stol match --review writes them")
      }
      while let row = try table.next() {
        var text = String(decoding: row.field(decision) ?? [], as: UTF8.self)[...]
        while text.last?.isWhitespace ?? false { text.removeLast() }
        text = text.drop(while: \.isWhitespace)
        guard !text.isEmpty else { continue }
        if text.lowercased() != "none", pack.view.resolve(sourceID: String(text)).taxon == nil {
          writeStandardError(
            "\(decisions): line \(row.line): no taxon has the id \"\(Escaping.terminal(String(text)))\"\n"
          )
        }
        made.add(String(decoding: row.field(name) ?? [], as: UTF8.self), String(text))
      }
    }
    return made
  }

  /// Says how a name is read, and what its candidates get.
  private func explainName(_ pack: Pack) throws {
    let view = pack.view
    var matcher = NameMatcher(options: options)
    let query = MatchQuery(file)
    let match = matcher.match(query, in: view)
    var lines = ["\(file)", ""]
    for part in matcher.reading(of: file) { lines.append("  \(part.role): \(part.text)") }
    lines.append("")
    lines.append("\(match.status.rawValue), score \(match.score): \(match.reason)")
    if let taxon = match.taxon {
      lines.append("  \(view.sourceID(of: taxon) ?? "") \(view.names.scientificName(of: taxon))")
    }
    if !match.candidates.isEmpty { lines += ["", "candidates"] }
    for candidate in match.candidates {
      let points = candidate.points.map { "\($0.part) \($0.value)" }.joined(separator: ", ")
      lines.append(
        "  \(candidate.total)  \(view.names.text(of: candidate.name)) \(view.record(of: candidate.name).authorship ?? "")"
          + "  (\(candidate.difference.rawValue): \(points))")
    }
    var output = ByteOutput()
    for line in lines { try output.write(Escaping.terminal(line) + "\n") }
    try output.flush()
  }
}

/// How many rows came to what.
private struct Summary {
  var rowCount = 0
  private var counts: [MatchStatus: Int] = [:]
  private var ragged: (line: Int, count: Int)?
  private var raggedCount = 0

  /// Whether every row has a taxon.
  var isComplete: Bool {
    [.ambiguous, .notFound, .invalid].allSatisfy { counts[$0, default: 0] == 0 }
  }

  mutating func add(_ part: TableMatch.Part) {
    for (status, count) in part.counts {
      counts[status, default: 0] += count
      rowCount += count
    }
    ragged = ragged ?? part.ragged.first
    raggedCount += part.ragged.count
  }

  func text(_ duration: Duration) -> String {
    let seconds = duration / .seconds(1)
    let parts = MatchStatus.allCases.compactMap { status in
      counts[status].map { "\($0) \(status.rawValue)" }
    }
    var text = "\(rowCount) rows, \(seconds.decimalText) s: \(parts.joined(separator: ", "))\n"
    if let ragged {
      text += "line \(ragged.line): \(ragged.count) fields, unlike the header"
      text += raggedCount > 1 ? "; so have \(raggedCount - 1) more lines\n" : "\n"
    }
    return text
  }
}

/// A file of names that a person should look at, each once.
private final class ReviewFile {
  private var file: ReplacementFile?
  private var seen: Set<Int> = []
  /// After so many, names may come again: memory stays bounded.
  private static let limit = 1_000_000

  init(path: String) throws {
    var file = try ReplacementFile(path: path)
    try file.append(ReviewRow.header)
    self.file = consume file
  }

  func add(_ rows: [ReviewRow]) throws {
    for row in rows {
      let isNew = seen.count >= Self.limit || seen.insert(row.name.hashValue).inserted
      guard isNew else { continue }
      try file?.append(row.line())
    }
  }

  func finish() throws {
    try file?.finish()
    file = nil
  }
}

extension MatchService: ExpressibleByArgument {}

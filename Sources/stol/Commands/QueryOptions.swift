import ArgumentParser
import STOLPack
import STOLSearch
import STOLSystem

/// The options that every query has.
struct QueryOptions: ParsableArguments {
  @OptionGroup var location: LocationOptions

  @Option(name: .shortAndLong, help: ArgumentHelp("The most results.", valueName: "n"))
  var limit: Int?

  @Option(help: ArgumentHelp("Only taxa of this rank.", valueName: "rank"))
  var rank: String?

  @Option(help: ArgumentHelp("Only taxa within this clade (id or name).", valueName: "taxon"))
  var within: String?

  @Option(
    help: ArgumentHelp("Only taxa of this status: accepted or doubtful.", valueName: "status"))
  var status: String?

  @Option(
    help: ArgumentHelp(
      "Only names in this language; also that of common names shown (default: en).",
      valueName: "tag"))
  var lang: String?

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

  func validate() throws {
    if [json, jsonl, tsv, csv, table].filter({ $0 }).count > 1 {
      throw ValidationError("choose one of --json, --jsonl, --tsv, --csv and --table")
    }
    if let limit, limit < 1 { throw ValidationError("--limit must be at least 1, got \(limit)") }
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

  /// In which languages common names are shown: that of `--lang` first.
  func preferredLanguages(_ view: borrowing PackView) -> LanguagePreference {
    LanguagePreference(lang, in: view.names)
  }

  /// The filter that the options amount to.
  ///
  /// - Throws: `SearchError` for a value that the pack does not know, with those that it does.
  func filter(_ view: borrowing PackView) throws -> SearchFilter {
    var filter = TaxonFilter(rank: rank.map { TaxonRank(rawValue: $0) })
    filter.status = status.map { TaxonStatus(rawValue: $0) }
    filter.conservationStatus = conservation
    filter.lang = lang
    filter.traits = try trait.map { text in
      guard let split = text.firstIndex(of: "="), split > text.startIndex else {
        throw CommandFailure(
          CommandFailure.general,
          "--trait needs KEY=VALUE, as in habitat=marine, got \"\(Escaping.terminal(text))\"")
      }
      return TaxonFilter.TraitTerm(
        key: String(text[..<split]), value: String(text[text.index(after: split)...]))
    }
    if let within {
      filter.within = view.ids[try TaxonArgument(within).resolve(view, SearchFilter())]
    }
    return try filter.resolved(in: view)
  }
}

/// An argument that names one taxon.
struct TaxonArgument {
  let text: String

  init(_ text: String) { self.text = text }

  /// The taxon.
  ///
  /// - Throws: `CommandFailure` with exit code 1 and, for an ambiguous name, the candidates with their
  ///   lineages.
  func resolve(_ view: borrowing PackView, _ filter: SearchFilter) throws -> TaxonOrdinal {
    let shown = Escaping.terminal(text)
    switch view.resolve(text, filter: filter) {
    case .found(let taxon), .merged(let taxon): return taxon
    case .deleted:
      throw CommandFailure(CommandFailure.nothingFound, "taxon \(shown): this id was deleted")
    case .invalid:
      throw CommandFailure(
        CommandFailure.general,
        "a taxon needs an id or a name of at most \(SearchQuery.maximumByteCount) bytes")
    case .notFound:
      throw CommandFailure(
        CommandFailure.nothingFound,
        "no taxon \"\(shown)\"" + Suggestions.text(for: text, view, filter))
    case .ambiguous(let taxa):
      var lines = ["\"\(shown)\" is ambiguous; give an id, --rank or --within:"]
      for taxon in taxa.prefix(10) {
        let lineage = view.tree.ancestors(of: taxon).map { view.names.scientificName(of: $0) }
        let value = view.taxon(taxon)
        let line =
          "  \(value.id.rawValue)  \(value.scientificName) (\(value.rank))  "
          + lineage.joined(separator: " > ")
        lines.append(Escaping.terminal(line))
      }
      if taxa.count > 10 { lines.append("  and \(taxa.count - 10) more") }
      throw CommandFailure(CommandFailure.nothingFound, lines.joined(separator: "\n"))
    }
  }
}

/// Near misses for a text that nothing was found for.
enum Suggestions {
  /// "; did you mean A, B or C?", or nothing.
  static func text(
    for text: String, _ view: borrowing PackView, _ filter: SearchFilter
  ) -> String {
    let names = view.nearMisses(text, filter: filter).map {
      "\"\(Escaping.terminal(view.names.text(of: $0)))\""
    }
    return names.isEmpty ? "" : "; did you mean " + names.joined(separator: ", ") + "?"
  }
}

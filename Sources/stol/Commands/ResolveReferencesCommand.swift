import ArgumentParser
import Foundation
import STOLAnswers
import STOLData
import STOLPack
import STOLSystem

/// The command `stol db resolve-references`.
struct ResolveReferencesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resolve-references",
    abstract: "Say what references to taxa lead to in the active database.",
    discussion: """
      A reference is what an id is an id of and the id, as ncbi:9689, or that with a snapshot of the \
      taxon as a JSON object a line, as `stol favorites export --json` and `stol db references` write \
      them. The outcome is one of same, merged, deleted, by name, by synonym, ambiguous and absent; without a snapshot only ids of the same kind can be found. A line that is no \
      reference, a blank one too, is said to be invalid, and the others go on.

        stol db resolve-references ncbi:9689
        stol favorites export --json | stol db resolve-references - --jsonl
      """)

  @Argument(help: "References, or - to read one a line.") var references: [String]

  @OptionGroup var format: RowFormatOptions
  @OptionGroup var location: LocationOptions

  private static let columns = [
    "reference", "outcome", "id", "rank", "scientificName", "candidates",
  ]

  func validate() throws {
    guard !references.isEmpty else { throw ValidationError("no reference: give some, or -") }
  }

  func run() throws {
    let pack = try location.open().pack
    var writer = format.writer(Self.columns)
    var resolver = ReferenceResolver(pack.view)
    if references == ["-"] {
      var lines = try LineReader(path: nil)
      var number = 0
      while try lines.next() {
        number += 1
        let text = String(decoding: lines.line, as: UTF8.self)
        do {
          guard lines.isLineValid else { throw Self.noReference(text, "line \(number)") }
          try write(try Self.reference(text, "line \(number)"), pack, &resolver, &writer)
        } catch let failure as CommandFailure {
          writeStandardError("stol: \(failure)\n")
          try writeInvalid(text, &writer)
        }
      }
    } else {
      for reference in try references.map({ try Self.reference($0, "argument") }) {
        try write(reference, pack, &resolver, &writer)
      }
    }
    try writer.present(header: !format.noHeader)
  }

  /// The reference that a text is, in its written form or as JSON.
  static func reference(_ text: String, _ place: String) throws -> TaxonReference {
    if text.first(where: { !$0.isWhitespace }) == "{" {
      do { return try JSONDecoder().decode(TaxonReference.self, from: Data(text.utf8)) } catch {
        throw CommandFailure(
          .damaged, "\(place): no reference: \(Escaping.terminal(reason(error)))")
      }
    }
    guard let reference = TaxonReference(written: trimmed(text)) else {
      throw noReference(text, place)
    }
    return reference
  }

  /// What is wrong with a reference in JSON.
  private static func reason(_ error: any Error) -> String {
    switch error as? DecodingError {
    case .keyNotFound(let key, _)?: "a JSON object needs the member \(key.stringValue), a text"
    case .typeMismatch(_, let context)?, .valueNotFound(_, let context)?:
      "the member \(context.codingPath.first?.stringValue ?? "id") is of another type"
    case .dataCorrupted(let context)? where !context.codingPath.isEmpty: context.debugDescription
    default: "no JSON object"
    }
  }

  /// A text without the white space around it.
  private static func trimmed(_ text: String) -> String {
    var rest = text[...]
    while rest.first?.isWhitespace == true { rest.removeFirst() }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }

  private static func noReference(_ text: String, _ place: String) -> CommandFailure {
    CommandFailure(
      .damaged,
      "\(place): '\(Escaping.terminal(text))' is no reference; one is ncbi:9689, or a JSON object")
  }

  private func writeInvalid(_ text: String, _ writer: inout RowWriter) throws {
    writer.beginRow()
    writer.text("reference", text)
    writer.text("outcome", AnswerStatus.invalid.rawValue)
    writer.id("id", nil, isJSONNumber: true)
    writer.text("rank", nil)
    writer.text("scientificName", nil)
    writer.list("candidates", [])
    try writer.endRow()
  }

  private func write(
    _ reference: TaxonReference, _ pack: Pack, _ resolver: inout ReferenceResolver,
    _ writer: inout RowWriter
  ) throws {
    let view = pack.view
    let outcome = resolver.resolve(reference, view)
    let taxon = outcome.taxon.map { view.taxon($0) }
    let candidates = outcome.candidates.compactMap { view.sourceID(of: $0) }
    writer.beginRow()
    writer.text("reference", reference.written)
    writer.text("outcome", outcome.word)
    writer.id("id", taxon?.sourceID, isJSONNumber: taxon?.hasJSONNumberID ?? true)
    writer.text("rank", taxon?.rank.rawValue)
    writer.text("scientificName", taxon?.scientificName)
    writer.list("candidates", candidates)
    try writer.endRow()
  }
}

/// The command `stol db references`.
struct ReferencesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "references",
    abstract: "Write references to taxa that outlive the database, one JSON object a line.",
    discussion: """
      A reference says what the id is an id of, the id, and what the taxon is called now; \
      `stol db resolve-references` finds it in any database.

        stol db references "Panthera leo" 9606
        cut -f1 ids.tsv | stol db references - > references.jsonl
      """)

  @Argument(help: ArgumentHelp("Ids or names, or - for many.", valueName: "taxon"))
  var taxa: [String]
  @OptionGroup var choice: ChoiceOptions
  @OptionGroup var location: LocationOptions

  func validate() throws {
    guard !taxa.isEmpty else { throw ValidationError("no taxon: give ids or names, or -") }
  }

  func run() throws {
    let pack = try location.open().pack
    let view = pack.view
    let filter = try choice.filter(view)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var output = ByteOutput()
    func write(_ taxon: TaxonOrdinal) throws {
      guard let reference = view.reference(to: taxon) else { return }
      output.bytes += Array(try encoder.encode(reference)) + Array("\n".utf8)
      if output.bytes.count > 1 << 16 { try output.flush() }
    }
    if taxa == ["-"] {
      var lines = try LineReader(path: nil)
      var number = 0
      while try lines.next() {
        number += 1
        let text = String(decoding: lines.line, as: UTF8.self)
        guard let taxon = view.resolve(text, filter: filter).taxon else {
          writeStandardError("stol: line \(number): '\(Escaping.terminal(text))' names no taxon\n")
          continue
        }
        try write(taxon)
      }
    } else {
      for text in taxa { try write(try view.taxon(named: text, filter)) }
    }
    try output.flush()
  }
}

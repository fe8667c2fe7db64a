import ArgumentParser
import STOLData
import STOLPack
import STOLSystem

/// Taxa as rows of a list.
enum TaxonList {
  static let columns = ["id", "rank", "scientificName", "commonName", "conservationStatus", "taxa"]

  static func writeRow(
    _ taxon: TaxonOrdinal, _ view: borrowing PackView, _ languages: LanguagePreference,
    to writer: inout RowWriter
  ) throws {
    writer.beginRow()
    Schema.writeHead(of: taxon, view, to: &writer)
    writer.text("commonName", commonName(taxon, view, languages))
    Schema.writeConservation(of: taxon, view, to: &writer)
    writer.number("taxa", view.tree.subtree(of: taxon).count)
    try writer.endRow()
  }

  /// The common name to show.
  static func commonName(
    _ taxon: TaxonOrdinal, _ view: borrowing PackView, _ languages: LanguagePreference
  ) -> String? {
    view.commonName(of: taxon, in: languages).map { view.names.text(of: $0) }
  }

  /// A label in a drawing: name, rank, common name.
  static func label(
    _ taxon: TaxonOrdinal, _ view: borrowing PackView, _ languages: LanguagePreference,
    _ style: TextStyle
  ) -> String {
    let name = style.bold(Escaping.terminal(view.names.scientificName(of: taxon)))
    let rank = style.dim(view.taxa.ranks[view.taxa.rank(of: taxon)])
    let common = commonName(taxon, view, languages).map { "  " + Escaping.terminal($0) } ?? ""
    return "\(name)  \(rank)\(common)"
  }
}

/// The command `stol query show`.
struct ShowCommand: Query {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show everything about a taxon.",
    discussion: """
      References come from the database that lies beside the pack.

        stol query show "Panthera leo"
        stol query show 9689 --json
      """)

  static let columns = Schema.taxonColumns
  static let needsDatabase = true
  @Argument(help: "An id or a name, or - for many.") var words: [String] = []
  @OptionGroup var options: QueryOptions

  var arguments: [String] { words }

  /// The taxon and what the database has about it.
  struct Finding {
    let taxon: TaxonOrdinal
    let references: [TaxonReference]
  }

  func answer(
    _ input: QueryInput, _ view: borrowing PackView, _ context: inout QueryContext
  ) -> Answer<Finding> {
    answerTaxon(input, view, context.filter) { taxon in
      let references = (try? context.database?.references(of: view.ids[taxon])) ?? []
      return Finding(taxon: taxon, references: references)
    }
  }

  func writeCells(_ finding: Finding, _ view: borrowing PackView, to writer: inout RowWriter) {
    Schema.writeFields(of: finding.taxon, view, to: &writer)
  }

  func writeMembers(_ finding: Finding, _ view: borrowing PackView, to writer: inout RowWriter) {
    writer.array("results") { writer in
      writer.object { Self.writeAll(finding, view, to: &$0) }
    }
  }

  func present(_ opened: OpenedPack, _ filter: SearchFilter) throws {
    let view = opened.pack.view
    let taxon = try TaxonArgument(text).resolve(view, filter)
    let references = try opened.database()?.references(of: view.ids[taxon]) ?? []
    if options.json {
      var writer = RowWriter(.document)
      writer.beginRow()
      Self.writeAll(Finding(taxon: taxon, references: references), view, to: &writer)
      try writer.endRow()
      try writer.finish()
      return
    }
    let rows = Self.rows(taxon, view, references, options.preferredLanguages(view))
    if options.format == .table {
      var output = ByteOutput()
      let width = rows.map(\.0.columnCount).max() ?? 0
      for (key, value) in rows {
        try output.write(
          options.style.dim(key.padded(to: width)) + "  " + Escaping.terminal(value) + "\n")
      }
      try output.flush()
    } else {
      var writer = rowWriter(columns: ["field", "value"])
      for (key, value) in rows {
        writer.beginRow()
        writer.text("field", key)
        writer.text("value", value)
        try writer.endRow()
      }
      try writer.finish()
    }
  }

  private static func rows(
    _ taxon: TaxonOrdinal, _ view: borrowing PackView, _ references: [TaxonReference],
    _ languages: LanguagePreference
  ) -> [(String, String)] {
    let value = view.taxon(taxon)
    var rows: [(String, String)] = [
      ("scientificName", value.scientificName), ("rank", value.rank.rawValue),
      ("id", String(value.id.rawValue)), ("status", value.status.rawValue),
    ]
    if let author = value.author { rows.append(("author", author)) }
    if let year = value.year { rows.append(("year", String(year))) }
    if let code = value.conservationStatus { rows.append(("conservationStatus", code)) }
    let lineage = view.tree.ancestors(of: taxon).map { view.names.scientificName(of: $0) }
    if !lineage.isEmpty { rows.append(("lineage", lineage.joined(separator: " > "))) }
    let size = view.tree.subtree(of: taxon).count
    if size > 1 { rows.append(("taxa", String(size))) }
    let groups = view.nameGroups(of: taxon, in: languages)
    for group in groups.languages {
      for name in group.names { rows.append(("name (\(group.lang))", name.name)) }
    }
    for synonym in groups.synonyms { rows.append(("synonym", synonym.name)) }
    for trait in view.traitList(of: taxon) {
      rows.append((trait.key, trait.value + (trait.unit.map { " " + $0 } ?? "")))
    }
    for reference in references {
      rows.append(("reference", reference.citation + (reference.url.map { " " + $0 } ?? "")))
    }
    for id in view.mergedIDs(into: taxon) { rows.append(("merged id", String(id.rawValue))) }
    return rows
  }

  private static func writeAll(
    _ finding: Finding, _ view: borrowing PackView, to writer: inout RowWriter
  ) {
    Schema.writeFields(of: finding.taxon, view, to: &writer)
    Schema.write("names", view.furtherNames(of: finding.taxon), to: &writer)
    Schema.write("traits", view.traitList(of: finding.taxon), to: &writer)
    writer.array("references") { writer in
      for reference in finding.references {
        writer.object { writer in
          writer.text("citation", reference.citation)
          writer.text("url", reference.url)
          writer.text("refType", reference.refType)
        }
      }
    }
    Schema.writeLineage(of: finding.taxon, view, to: &writer)
  }
}

/// The command `stol query lineage`.
struct LineageCommand: Query {
  static let configuration = CommandConfiguration(
    commandName: "lineage", abstract: "Show the way from the root to a taxon.",
    discussion: """
        stol query lineage "Panthera leo"
        stol query lineage - --jsonl < ids.txt
      """)

  static let columns = ["id", "rank", "scientificName", "lineage", "lineageIDs"]
  @Argument(help: "An id or a name, or - for many.") var words: [String] = []
  @OptionGroup var options: QueryOptions

  var arguments: [String] { words }

  func answer(
    _ input: QueryInput, _ view: borrowing PackView, _ context: inout QueryContext
  ) -> Answer<TaxonOrdinal> {
    answerTaxon(input, view, context.filter) { $0 }
  }

  func writeCells(_ taxon: TaxonOrdinal, _ view: borrowing PackView, to writer: inout RowWriter) {
    let path = view.tree.ancestors(of: taxon) + [taxon]
    Schema.writeHead(of: taxon, view, to: &writer)
    writer.text("lineage") { output in
      for (index, step) in path.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ";")) }
        view.names.appendText(of: NameOrdinal(rawValue: step.rawValue), to: &output)
      }
    }
    Schema.writeIDs("lineageIDs", of: path, view, to: &writer)
  }

  func writeMembers(_ taxon: TaxonOrdinal, _ view: borrowing PackView, to writer: inout RowWriter) {
    Schema.writeLineage(of: taxon, view, to: &writer)
  }

  func present(_ opened: OpenedPack, _ filter: SearchFilter) throws {
    let view = opened.pack.view
    let taxon = try TaxonArgument(text).resolve(view, filter)
    let path = view.tree.ancestors(of: taxon) + [taxon]
    if options.format == .table {
      try TreeOutput.draw(path, from: path[0], view, options)
      return
    }
    try writeTaxa(path, view)
  }
}

extension Query {
  /// Writes all columns of `taxa`, a row or an object each.
  func writeTaxa(_ taxa: [TaxonOrdinal], _ view: borrowing PackView) throws {
    var writer = rowWriter(columns: Schema.taxonColumns)
    for taxon in taxa {
      writer.beginRow()
      Schema.writeFields(of: taxon, view, to: &writer)
      try writer.endRow()
    }
    try writer.finish()
  }
}

/// Drawings of parts of the tree.
enum TreeOutput {
  /// Draws taxa in preorder, indented by their depth below `root`.
  static func draw(
    _ taxa: [TaxonOrdinal], from root: TaxonOrdinal, _ view: borrowing PackView,
    _ options: QueryOptions
  ) throws {
    let languages = options.preferredLanguages(view)
    var rows: [TreeDrawing.Row] = []
    for taxon in taxa {
      rows.append(
        (
          view.tree.depth(of: taxon) - view.tree.depth(of: root),
          TaxonList.label(taxon, view, languages, options.style)
        ))
    }
    var output = ByteOutput()
    for line in TreeDrawing.lines(rows) { try output.write(line + "\n") }
    try output.flush()
  }
}

import ArgumentParser
import STOLData
import STOLPack

/// Taxa as rows of a list.
enum TaxonList {
  static let columns = ["id", "rank", "scientificName", "commonName", "conservationStatus", "taxa"]

  static func cells(
    _ taxon: TaxonOrdinal, _ view: borrowing PackView, _ language: String?
  ) -> [Cell] {
    let value = view.taxon(taxon)
    return [
      .integer(value.id.rawValue), .text(value.rank), .text(value.scientificName),
      Cell(commonName(taxon, view, language)), Cell(value.conservationStatus),
      Cell(view.tree.subtree(of: taxon).count),
    ]
  }

  /// The common name to show in `language`, English if nil.
  static func commonName(
    _ taxon: TaxonOrdinal, _ view: borrowing PackView, _ language: String?
  ) -> String? {
    let rows = QueryOptions.languages(language ?? "en", view).sorted()
    for row in rows {
      if let name = view.commonName(of: taxon, language: row) { return name }
    }
    return nil
  }

  /// A label in a drawing: name, rank, common name.
  static func label(
    _ taxon: TaxonOrdinal, _ view: borrowing PackView, _ language: String?, _ style: TextStyle
  ) -> String {
    let name = style.bold(Escaping.terminal(view.names.scientificName(of: taxon)))
    let rank = style.dim(view.taxa.ranks[view.taxa.rank(of: taxon)])
    let common = commonName(taxon, view, language).map { "  " + Escaping.terminal($0) } ?? ""
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

  func answer(
    _ input: [String], _ view: borrowing PackView, _ context: QueryContext
  ) -> Answer {
    switch view.batchTaxon(input.first ?? "", context.filter) {
    case .failure(let failure): return .failed(failure.status)
    case .success(let (taxon, status)):
      let value = view.taxon(taxon)
      let references = (try? context.database?.references(of: value.id)) ?? []
      return Answer(
        status: status, cells: Schema.cells(value),
        members: !context.isStructured
          ? [] : [("results", .array([.object(Self.members(taxon, view, references: references))]))]
      )
    }
  }

  func present(_ opened: OpenedPack, _ filter: SearchFilter) throws {
    let view = opened.pack.view
    let taxon = try TaxonArgument(text).resolve(view, filter)
    let references = try opened.database()?.references(of: view.ids[taxon]) ?? []
    var output = ByteOutput()
    if options.json {
      try output.write(
        JSON.object(Self.members(taxon, view, references: references)).indentedText + "\n")
    } else {
      let rows = Self.rows(taxon, view, references)
      if options.format == .table {
        let width = rows.map(\.0.columnCount).max() ?? 0
        for (key, value) in rows {
          try output.write(
            options.style.dim(key.padded(to: width)) + "  " + Escaping.terminal(value) + "\n")
        }
      } else {
        var writer = rowWriter(columns: ["field", "value"])
        for (key, value) in rows { try writer.write([.text(key), .text(value)]) }
        try writer.finish()
      }
    }
    try output.flush()
  }

  private static func rows(
    _ taxon: TaxonOrdinal, _ view: borrowing PackView, _ references: [TaxonReference]
  ) -> [(String, String)] {
    let value = view.taxon(taxon)
    var rows: [(String, String)] = [
      ("scientificName", value.scientificName), ("rank", value.rank),
      ("id", String(value.id.rawValue)), ("status", value.status),
    ]
    if let author = value.author { rows.append(("author", author)) }
    if let year = value.year { rows.append(("year", String(year))) }
    if let code = value.conservationStatus { rows.append(("conservationStatus", code)) }
    let lineage = view.tree.ancestors(of: taxon).map { view.names.scientificName(of: $0) }
    if !lineage.isEmpty { rows.append(("lineage", lineage.joined(separator: " > "))) }
    let size = view.tree.subtree(of: taxon).count
    if size > 1 { rows.append(("taxa", String(size))) }
    for name in view.furtherNames(of: taxon) {
      let key = name.type == .synonym ? "synonym" : "name (\(name.language))"
      rows.append((key, name.name))
    }
    for trait in view.traitList(of: taxon) {
      rows.append((trait.key, trait.value + (trait.unit.map { " " + $0 } ?? "")))
    }
    for reference in references {
      rows.append(("reference", reference.citation + (reference.url.map { " " + $0 } ?? "")))
    }
    for id in view.mergedIDs(into: taxon) { rows.append(("merged id", String(id.rawValue))) }
    return rows
  }

  private static func members(
    _ taxon: TaxonOrdinal, _ view: borrowing PackView, references: [TaxonReference]
  ) -> [(String, JSON)] {
    let references = references.map { reference in
      JSON.object([
        ("citation", .string(reference.citation)), ("url", JSON(reference.url)),
        ("refType", .string(reference.type)),
      ])
    }
    return Schema.members(view.taxon(taxon)) + [
      ("names", .array(view.furtherNames(of: taxon).map { Schema.json($0) })),
      ("traits", .array(view.traitList(of: taxon).map { Schema.json($0) })),
      ("references", .array(references)), ("lineage", Schema.lineage(taxon, view)),
    ]
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
    _ input: [String], _ view: borrowing PackView, _ context: QueryContext
  ) -> Answer {
    switch view.batchTaxon(input.first ?? "", context.filter) {
    case .failure(let failure): return .failed(failure.status)
    case .success(let (taxon, status)):
      let path = view.tree.ancestors(of: taxon) + [taxon]
      var names: [String] = []
      var ids: [String] = []
      for step in path {
        names.append(view.names.scientificName(of: step))
        ids.append(String(view.ids[step].rawValue))
      }
      return Answer(
        status: status,
        cells: [
          .integer(view.ids[taxon].rawValue), .text(view.taxa.ranks[view.taxa.rank(of: taxon)]),
          .text(view.names.scientificName(of: taxon)), .text(names.joined(separator: ";")),
          .text(ids.joined(separator: ";")),
        ],
        members: !context.isStructured ? [] : [("lineage", Schema.lineage(taxon, view))])
    }
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
      if options.json {
        try writer.write(Schema.json(view.taxon(taxon)))
      } else {
        try writer.write(Schema.cells(view.taxon(taxon)))
      }
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
    var rows: [TreeDrawing.Row] = []
    for taxon in taxa {
      rows.append(
        (
          view.tree.depth(of: taxon) - view.tree.depth(of: root),
          TaxonList.label(taxon, view, options.lang, options.style)
        ))
    }
    var output = ByteOutput()
    for line in TreeDrawing.lines(rows) { try output.write(line + "\n") }
    try output.flush()
  }
}

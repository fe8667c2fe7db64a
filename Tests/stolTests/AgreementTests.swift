import Foundation
import TestSupport
import Testing

/// What a question answers is the same alone and in a batch, and in every format.
@Suite("Agreement of formats")
struct AgreementTests {
  /// Inputs for each query: taxa of the built-in taxonomy, drawn at random.
  private static let inputs = Result {
    var generator = SeededGenerator(seed: 17)
    func draw(_ rank: String, _ count: Int) throws -> [(id: String, name: String)] {
      let outcome = try Command()("query", "rank", rank, "--no-header")
      let rows = outcome.lines.map { $0.components(separatedBy: "\t") }
      return (0..<count).compactMap { _ in
        rows.randomElement(using: &generator).map { ($0[0], $0[3]) }
      }
    }
    let taxa = try ["order", "family", "genus", "species"].flatMap { try draw($0, 2) }
    let species = try draw("species", 4).map(\.id)
    let pairs = [[species[0], species[1]], [species[2], taxa[0].id], [taxa[1].id, taxa[1].id]]
    let unknown = ["zzzzqqqq", "-17"]
    let ids = taxa.map(\.id) + taxa.map(\.name) + unknown
    let texts = taxa.map(\.name) + taxa.map { String($0.name.dropLast(2)) } + ["lion", "zzzzqqqq"]
    return [
      "search": texts.map { [$0] }, "complete": texts.map { [String($0.prefix(4))] },
      "show": ids.map { [$0] }, "lineage": ids.map { [$0] }, "children": ids.map { [$0] },
      "relatives": ids.map { [$0] },
      "subtree": ids.suffix(12).map { [$0] } + [species, [species[0], "zzzzqqqq"]],
      "rank": ["order", "class", "Phylum", "tribe"].map { [$0] },
      "lca": pairs + [species, [species[0]], [species[0], "zzzzqqqq"]],
      "distance": pairs + [[species[0], "zzzzqqqq"]], "compare": pairs,
    ]
  }

  /// The columns that a batch has besides.
  private static let furtherColumns = {
    let names = [
      "matchedName", "nameStatus", "nameAuthor", "nameYear", "sensu", "nameID",
    ]
    let (one, set) = (["candidates"] + names, ["candidates", "unknown"] + names)
    return [
      "search": ["candidates"], "complete": ["candidates"], "rank": ["candidates"],
      "lineage": one, "children": one, "relatives": one, "subtree": set, "lca": set,
      "distance": set, "compare": set,
    ]
  }()

  static let queries = [
    "search", "complete", "show", "lineage", "children", "subtree", "relatives", "rank", "lca",
    "distance", "compare",
  ]

  private static func alone(_ query: String, _ input: [String], _ format: String) throws
    -> Command.Outcome
  {
    try Command().run(
      Command.path, ["query", query, "--" + format, "--"] + input, input: Data())
  }

  private static func batch(_ query: String, _ inputs: [[String]], _ format: String) throws
    -> Command.Outcome
  {
    let lines = inputs.map { $0.joined(separator: "\t") + "\n" }.joined()
    return try Command()("query", query, "-", "--" + format, input: lines)
  }

  private static func cells(_ line: String) -> [String] { line.components(separatedBy: "\t") }

  @Test(arguments: queries)
  func jsonIsAnArrayOfJSONLines(_ query: String) throws {
    let inputs = try #require(try Self.inputs.get()[query])
    let lines = try Self.batch(query, inputs, "jsonl").lines
    #expect(lines.count == inputs.count)
    #expect(
      try Self.batch(query, inputs, "json").text
        == "[\n  " + lines.joined(separator: ",\n  ") + "\n]\n")
    for (input, line) in zip(inputs, lines) {
      #expect(try Self.alone(query, input, "jsonl").lines == [line], "\(input)")
      #expect(try Self.alone(query, input, "json").text == "[\n  \(line)\n]\n", "\(input)")
    }
  }

  @Test(arguments: queries)
  func aLineOfABatchHoldsTheRowsOfItsInput(_ query: String) throws {
    let inputs = try #require(try Self.inputs.get()[query])
    let batch = try Self.batch(query, inputs, "tsv").lines
    let columns = Array(Self.cells(batch[0]).dropFirst(2))
    #expect(Self.cells(batch[0]).prefix(2) == ["input", "status"])
    for (input, line) in zip(inputs, batch.dropFirst()) {
      let cells = Array(Self.cells(line).dropFirst(2))
      #expect(cells.count == columns.count, "\(input)")
      let alone = try Self.alone(query, input, "tsv").lines.map(Self.cells)
      guard !alone.isEmpty else {
        // But for what says why.
        let why = columns.firstIndex(of: "unknown")
        #expect(columns.indices.allSatisfy { $0 == why || cells[$0].isEmpty }, "\(input)")
        continue
      }
      if query == "show" {
        // Alone, the record stands on its side, without what is empty.
        let record = zip(columns, cells).filter { !$1.isEmpty }.map { [$0, $1] }
        #expect(Array(alone.dropFirst().prefix(record.count)) == record, "\(input)")
        continue
      }
      let answer = alone[0]
      let further = Array(columns.dropFirst(answer.count))
      #expect(columns.starts(with: answer), "\(input)")
      #expect(further == Self.furtherColumns[query, default: []], "\(input)")
      var rows = alone.dropFirst()
      if ["search", "complete"].contains(query) {
        // What fits equally is not chosen from, but named.
        let candidates = cells[answer.count].split(separator: ";").map(String.init)
        #expect(rows.map { $0[0] }.starts(with: candidates), "\(input)")
        #expect(candidates.count != 1, "\(input)")
        rows = candidates.isEmpty ? rows.prefix(1) : []
      } else {
        #expect(cells.dropFirst(answer.count).joined() == "", "\(input)")
      }
      // What may be one of several is escaped as such; what stands alone is not.
      let isList = ["lineage", "children", "subtree", "relatives", "rank"].contains(query)
      let joined = answer.indices.map { column in
        rows.map { isList ? Self.escaped($0[column]) : $0[column] }.joined(separator: ";")
      }
      #expect(
        Array(cells.prefix(answer.count)) == (rows.isEmpty ? answer.map { _ in "" } : joined),
        "\(input)")
    }
  }

  /// A cell of TSV as one of several that are joined.
  private static func escaped(_ cell: String) -> String {
    cell.replacing(#"\\"#, with: #"\\\\"#).replacing(";", with: #"\\;"#)
  }

  @Test(arguments: queries)
  func commasStandWhereTabsDo(_ query: String) throws {
    let inputs = try #require(try Self.inputs.get()[query])
    let (tsv, csv) = (
      try Self.batch(query, inputs, "tsv").lines, try Self.batch(query, inputs, "csv").lines
    )
    #expect(tsv.count == csv.count)
    #expect(csv[0] == tsv[0].replacing("\t", with: ","))
    for (a, b) in zip(tsv, csv) where !b.contains("\"") && !b.contains("'") && !b.contains("\\") {
      #expect(a.replacing("\t", with: ",") == b)
    }
  }

  /// The members of JSON that a column shows.
  private static func value(_ column: String, of item: [String: Any]) -> Any? {
    let ancestor = item["lca"] as? [String: Any]
    switch column {
    case "lcaID": return ancestor?["id"]
    case "lca": return ancestor?["scientificName"]
    case "lcaRank": return ancestor?["rank"]
    default: return item[column] ?? ancestor?[column]
    }
  }

  @Test(arguments: queries)
  func membersAreNamedAndOrderedAsColumns(_ query: String) throws {
    let inputs = try #require(try Self.inputs.get()[query])
    let lines = try Self.batch(query, inputs, "jsonl").lines
    for (input, line) in zip(inputs, lines) where query != "show" {
      let object = try #require(
        try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      let list = ["relatives": "relatives", "lineage": "lineage"][query] ?? "results"
      let isRecord = ["lca", "distance", "compare"].contains(query)
      let items = isRecord ? [object] : object[list] as? [[String: Any]] ?? []
      let alone = try Self.alone(query, input, "tsv").lines.map(Self.cells)
      guard alone.count > 1 else {
        #expect(isRecord || items.isEmpty, "\(input)")
        continue
      }
      #expect(items.count == alone.count - 1, "\(input)")
      for (item, row) in zip(items, alone.dropFirst()) {
        for (column, cell) in zip(alone[0], row) {
          let value = Self.value(column, of: item)
          let text = value is NSNull ? "" : "\(value ?? "")"
          #expect(text == cell || Double(text) == Double(cell) && !cell.isEmpty, "\(column)")
        }
        if ["search", "complete", "lineage", "children", "subtree", "rank"].contains(query) {
          #expect(Set(item.keys) == Set(alone[0]))
          var rest = line[...]
          for column in alone[0] {
            let place = rest.firstRange(of: "\"\(column)\":")
            #expect(place != nil, "\(column)")
            if let place { rest = rest[place.upperBound...] }
          }
        }
      }
    }
  }

  @Test func anOrderOfMammalsIsInTheSamePlaceInEveryFormat() throws {
    let arguments = ["query", "rank", "order", "--within", "Mammalia"]
    func run(_ format: String) throws -> Command.Outcome {
      try Command().run(Command.path, arguments + [format], input: Data())
    }
    let names = try run("--tsv").lines.dropFirst().map { Self.cells($0)[3] }
    let object = try JSONSerialization.jsonObject(with: run("--jsonl").output) as? [String: Any]
    let results = try #require(object?["results"] as? [[String: Any]])
    #expect(names.count > 10)
    #expect(results.map { $0["scientificName"] as? String } == names)
  }

  // MARK: - A database that is there and broken

  @Test func aBrokenDatabaseIsNotOneWithoutReferences() throws {
    let folder = try TemporaryFolder()
    let path = folder("small.sqlite")
    try SmallTaxonomy.write(SmallTaxonomy.sql, to: path)
    expect(try Command()("pack", path, "-q"), status: 0)
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let mark = try #require(bytes.range(of: Data("Linnaeus 1758https".utf8)))
    let page = mark.lowerBound / 4096 * 4096
    bytes.replaceSubrange(page..<page + 4096, with: Data(repeating: 0xFF, count: 4096))
    try bytes.write(to: URL(fileURLWithPath: path))
    let command = Command(pack: folder("small.stolpack"))
    for format in ["--tsv", "--csv", "--table", "--json", "--jsonl"] {
      let alone = try command("query", "show", "lion", format)
      expectError(alone, status: 3, saying: path)
      #expect(alone.text == "", "\(format)")
    }
    let batch = try command("query", "show", "-", "--jsonl", input: "lion\nzzzz\ntiger\n")
    expectError(batch, status: 3, saying: path)
    #expect(batch.lines.count == 3)
    for line in [0, 2] { #expect(batch.lines[line].contains("\"references\":null")) }
    // Rows of cells say nothing of references.
    expect(try command("query", "show", "-", input: "lion\n"), status: 0)
  }
}

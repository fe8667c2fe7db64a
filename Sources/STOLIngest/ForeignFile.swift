import STOLFormats
import STOLNames

/// Files in which no reader finds taxa: what they are, by how they begin, and what to do with them.
enum ForeignFile {
  /// How a database of SQLite begins.
  static let databaseMagic = Array("SQLite format 3\0".utf8)

  private static let save = "save the table in it as .xlsx or .csv"
  private static let unpack = "unpack it and name what is in it"

  /// Bytes at the beginning, what begins so, and what to do.
  private static let magics: [(bytes: [UInt8], name: String, advice: String)] = [
    (databaseMagic, "a database of SQLite", "name that file, unpacked"),
    (
      [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], "an old Excel or Word file (.xls, .doc)",
      save
    ),
    (Array("{\\rtf".utf8), "a text with formats (RTF)", save),
    (Array("%PDF".utf8), "a PDF", "ask who published it for the table as .xlsx or .csv"),
    ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "a 7-Zip archive", unpack),
    (Array("Rar!".utf8), "a RAR archive", unpack), (Array("PK".utf8), "a ZIP archive", unpack),
    ([0x1F, 0x8B], "a gzip file", unpack), (Array("BZh".utf8), "a bzip2 file", unpack),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "an xz file", unpack),
    (Array("PAR1".utf8), "a Parquet file", "write it as .csv"),
    (Array("ARROW1".utf8), "an Arrow file", "write it as .csv"),
    ([0x89, 0x48, 0x44, 0x46], "an HDF5 file", "write its taxonomy as .csv"),
    ([0xFF, 0xD8, 0xFF], "a picture (JPEG)", picture),
    ([0x89, 0x50, 0x4E, 0x47], "a picture (PNG)", picture),
    (Array("GIF8".utf8), "a picture (GIF)", picture),
    (Array("II*\0".utf8), "a picture (TIFF)", picture),
    (Array("MM\0*".utf8), "a picture (TIFF)", picture),
  ]
  private static let picture = "pictures go into media packs: stol media"

  /// The same for texts, in small letters and without spaces before them.
  private static let beginnings: [(text: String, name: String, advice: String)] = [
    ("<!doctype html", "a web page", page), ("<html", "a web page", page),
    (
      ">", "a file of sequences (FASTA)",
      "name the table of their taxa, as GTDB, SILVA and UNITE have one"
    ),
    ("#nexus", "a tree (NEXUS)", tree), ("(", "a tree (Newick)", tree),
    ("locus ", "a file of sequences (GenBank)", "name the dump of NCBI Taxonomy: taxdump.tar.gz"),
    ("##gff", "a file of features of sequences (GFF)", "name a table of taxa"),
  ]
  private static let page = "download the file that it links to"
  private static let tree =
    "of trees only those of Open Tree's services are read; name a table of taxa"

  /// What is in XML, by a tag near its beginning.
  private static let documents: [(tag: String, name: String, advice: String)] = [
    ("<gpx", "a file of tracks and places (GPX)", "name a table of taxa"),
    ("<kml", "a file of places (KML)", "name a table of taxa"), ("<html", "a web page", page),
    ("<phyloxml", "a tree (phyloXML)", tree), ("<nex:nexml", "a tree (NeXML)", tree),
    ("<eml:eml", "the description of a dataset (EML)", "name the archive that it lies in"),
  ]

  /// Parts of archives that other programs write.
  private static let parts: [(part: String, name: String, advice: String)] = [
    ("word/document.xml", "a Word file (.docx)", save),
    ("ppt/presentation.xml", "slides (.pptx)", save),
    ("content.xml", "an OpenDocument file (.ods, .odt)", save),
  ]

  /// What a file is and what to do, or nil if nobody can tell.
  ///
  /// - Complexity: the beginning of the file is read.
  static func reason(_ name: String, in files: SourceFiles) throws -> String? {
    let isWhole = SourceFiles.lastPart(of: files.path).hasPrefix(SourceFiles.lastPart(of: name))
    let subject = isWhole ? "this is" : "\(name) in it is"
    for known in parts where files.names.contains(known.part) {
      return "this is \(known.name); \(known.advice)"
    }
    let head = try files.head(of: name)
    guard !head.isEmpty else { return "\(isWhole ? "it" : name) is empty" }
    for known in magics where head.starts(with: known.bytes) {
      return "\(subject) \(known.name); \(known.advice)"
    }
    if let known = try text(name, head, in: files) {
      return "\(subject) \(known.name); \(known.advice)"
    }
    return try table(name, subject, in: files)
  }

  private static func text(
    _ name: String, _ head: [UInt8], in files: SourceFiles
  ) throws -> (name: String, advice: String)? {
    let text = trimmingSpaces(String(decoding: head.prefix(4096), as: UTF8.self).lowercased())
    for known in beginnings where text.hasPrefix(known.text) { return (known.name, known.advice) }
    if text.hasPrefix("<?xml") || text.hasPrefix("<") {
      for known in documents where text.contains(known.tag) { return (known.name, known.advice) }
      return ("XML of a kind that no reader knows", "name a table of taxa")
    }
    if name.lowercased().hasSuffix(".json"), text.hasPrefix("{") || text.hasPrefix("[") {
      return (
        "JSON, but not of Open Tree's services",
        "write it as a table, and name what its columns mean with --mapping"
      )
    }
    return nil
  }

  /// What is to be done with a table whose columns no reader knows.
  private static func table(
    _ name: String, _ subject: String, in files: SourceFiles
  ) throws -> String? {
    let columns = try files.table(name, onFinding: { _, _ in }).columns
    guard columns.names.count > 1 else { return nil }
    if columns.index("primaryAccession") != nil, columns.index("path") != nil {
      return
        "\(subject) SILVA's list of sequences; its taxa are in tax_slv_*.txt, beside it at SILVA"
    }
    let shown = columns.names.prefix(8).joined(separator: ", ")
    return "\(subject) a table whose columns no reader knows (\(shown)); say what they mean: "
      + "stol ingest csv \(files.path) --mapping FILE, as Format/MAPPING.md describes it"
  }
}

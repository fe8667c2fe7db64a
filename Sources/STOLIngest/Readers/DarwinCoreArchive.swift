import STOLFormats
import STOLNames

/// The tables of a Darwin Core archive: as meta.xml describes them, or as their headers do.
///
/// Darwin Core text guide, http://rs.tdwg.org/dwc/terms/guides/text/; without meta.xml, section 1.3:
/// the columns are named by terms.
struct DarwinCoreArchive {
  /// One table, and where its terms are.
  struct Table {
    /// The last part of the row type's URI, in lower case: "taxon", "vernacularname".
    var kind: String
    /// Names in the archive.
    var files: [String]
    var layout: TableLayout
    /// The column with the id of the core row.
    var idIndex: Int?
    var columns: ColumnMap
    var defaults: [String: String] = [:]

    /// Where the first of these terms is that the table has.
    func term(_ names: String...) -> Term {
      for name in names {
        let value = defaults[ColumnMap.key(name)] ?? ""
        let index = columns.index(name)
        if index != nil || !value.isEmpty { return Term(index: index, defaultValue: value) }
      }
      return Term()
    }
  }

  /// Where a value is: in a column, or the same for all rows, or nowhere.
  struct Term {
    var index: Int?
    var defaultValue = ""

    var isStated: Bool { index != nil || !defaultValue.isEmpty }

    func text(_ row: TableReader) -> String {
      guard let index else { return defaultValue }
      let text = row.text(index)
      return text.isEmpty ? defaultValue : text
    }
  }

  let core: Table
  private(set) var extensions: [Table] = []
  private(set) var metadataFile: String?
  /// Further tables of taxa, which nobody reads beside the core, each with what to do.
  private(set) var otherTables: [String: String] = [:]

  /// Finds the tables of an archive.
  ///
  /// - Throws: `FormatError.unreadable` if none is about taxa, `missingFile` if that one is missing.
  init(_ files: SourceFiles, _ findings: Findings) throws {
    guard let name = files.find("meta.xml") else {
      self = try DarwinCoreArchive(byHeaders: files, findings)
      return
    }
    let descriptor = try ArchiveDescriptor(
      try files.contents(of: name, limit: ArchiveDescriptor.byteLimit), path: name)
    metadataFile = descriptor.metadataFile
    let core = Table(descriptor.core)
    guard core.isAboutTaxa, !core.holdsSightings else {
      throw FormatError.unreadable(
        path: files.path,
        reason: core.holdsSightings
          ? Self.sightings : "the core of the archive is \(core.kind), not taxa with names")
    }
    self.core = try core.found(in: files)
    for table in descriptor.extensions.map({ Table($0) }) {
      do {
        extensions.append(try table.found(in: files))
      } catch FormatError.missingFile {
        findings.add(.missingTable, table.files.joined(separator: ", "))
      }
    }
  }

  private static let sightings =
    "this holds sightings (occurrences), not taxa; a checklist has a row for each taxon"

  /// Finds the tables by their headers: the core is the one with scientific names that has most
  /// columns of taxa.
  private init(byHeaders files: SourceFiles, _ findings: Findings) throws {
    // Each is opened, and an archive begun, to read its header.
    let tableLimit = 64
    var tableCount = 0
    var tables: [Table] = []
    for name in files.names {
      let parts = name.lowercased().split(separator: ".")
      let isTable = parts.count > 1 && ["txt", "tsv", "csv", "tab", "dat"].contains(parts.last)
      guard isTable || files.names.count == 1 else { continue }
      tableCount += 1
      guard tableCount <= tableLimit else {
        throw FormatError.tooLarge(
          path: files.path, what: "tables without meta.xml", limit: tableLimit)
      }
      let layout = TableLayout.guess(fileName: name, head: try files.head(of: name))
      var reader = TableReader(
        try files.open(name), layout, fileName: name, onFinding: findings.ofRows)
      guard let header = try reader.header() else { continue }
      let columns = ColumnMap(header)
      tables.append(
        Table(
          kind: "", files: [name], layout: layout,
          idIndex: columns.index("coreid", "id", "taxonID"), columns: columns))
    }
    let counts = tables.map { $0.isAboutTaxa ? $0.taxonTermCount : 0 }
    guard let most = counts.max(), most > 0, let core = counts.firstIndex(of: most) else {
      throw FormatError.unreadable(
        path: files.path,
        reason: "there is neither meta.xml nor a table with a column scientificName in it")
    }
    guard !tables[core].holdsSightings else {
      throw FormatError.unreadable(path: files.path, reason: Self.sightings)
    }
    self.core = tables.remove(at: core)
    for table in tables {
      let kind = table.kindByHeader
      if kind == "other", table.isAboutTaxa, let name = table.files.first {
        otherTables[name] =
          "another table of taxa than \(self.core.files[0]); alone, stol ingest dwca reads it"
      } else if table.idIndex != nil {
        var table = table
        table.kind = kind
        extensions.append(table)
      }
    }
  }
}

extension DarwinCoreArchive {
  /// The files of a source that its meta.xml says to be tables of a Darwin Core archive; none without it.
  static func claimedFiles(of files: SourceFiles) -> Set<String> {
    guard let name = files.find("meta.xml"),
      let bytes = try? files.contents(of: name, limit: ArchiveDescriptor.byteLimit),
      let descriptor = try? ArchiveDescriptor(bytes, path: name)
    else { return [] }
    let tables = [descriptor.core] + descriptor.extensions
    return Set(tables.flatMap(\.files).compactMap(files.find))
  }

  /// What the core calls its first taxon; empty where it says nothing.
  func firstID(in files: SourceFiles) throws -> String {
    guard let file = core.files.first else { return "" }
    var rows = TableReader(try files.open(file), core.layout, onFinding: { _, _ in })
    guard try rows.next() else { return "" }
    let id = core.term("taxonID").text(rows)
    return id.isEmpty ? core.idIndex.map { rows.text($0) } ?? "" : id
  }
}

extension DarwinCoreArchive.Table {
  init(_ table: ArchiveDescriptor.Table) {
    kind = ColumnMap.key(table.rowType)
    files = table.files
    layout = table.layout
    idIndex = table.idIndex
    columns = table.columns
    for field in table.fields {
      if let value = field.defaultValue, defaults[ColumnMap.key(field.term)] == nil {
        defaults[ColumnMap.key(field.term)] = trimmingSpaces(value)
      }
    }
  }

  /// The table with its files as the source calls them.
  fileprivate func found(in source: SourceFiles) throws -> Self {
    var table = self
    table.files = []
    for file in files {
      guard let name = source.find(file) else {
        throw FormatError.missingFile(path: source.path, name: file)
      }
      table.files.append(name)
    }
    if layout.quote == nil || layout.encoding == .utf8, let name = table.files.first {
      let head = try source.head(of: name)
      table.layout.takeWideEncoding(of: head)
      table.layout.takeQuotes(of: head)
    }
    return table
  }

  /// Whether there are names; the World Checklist of Vascular Plants has had a misspelt header.
  var isAboutTaxa: Bool {
    term("scientificName", "scientfiicName", "canonicalName").isStated
      || term("genus", "genericName").isStated && term("specificEpithet").isStated
  }

  /// Whether rows are sightings of taxa, by what the archive calls them, or by columns that only such
  /// have where none says how taxa are related.
  fileprivate var holdsSightings: Bool {
    if ["occurrence", "event", "materialsample", "preservedspecimen"].contains(kind) {
      return true
    }
    guard kind.isEmpty else { return false }
    func has(_ name: String) -> Bool { columns.index(name) != nil }
    let isRelated = [
      "parentNameUsageID", "acceptedNameUsageID", "parentNameUsage", "acceptedNameUsage",
      "taxonomicStatus",
    ].contains(where: has)
    // Darwin Core's terms, and what eBird, iNaturalist and tables of trees write.
    let signs = [
      "decimalLatitude", "decimalLongitude", "eventDate", "recordedBy", "individualCount",
      "catalogNumber", "latitude", "longitude", "lat", "lon", "observed_on", "Submission ID",
      "date",
      "count", "observer",
    ]
    let count = signs.count(where: has)
    // Whole downloads of sightings say of each how its taxon stands.
    guard !isRelated else { return has("occurrenceID") && count > 0 }
    // Some checklists say that their rows are based on taxa.
    return has("occurrenceID") || count > 1
      || has("basisOfRecord") && (count > 0 || !has("taxonID"))
  }

  fileprivate var taxonTermCount: Int {
    let terms = [
      "taxonID", "scientificName", "scientfiicName", "taxonRank", "parentNameUsageID",
      "acceptedNameUsageID", "taxonomicStatus", "scientificNameAuthorship", "kingdom", "family",
      "genus", "parentTaxonID", "acceptedTaxonID",
    ]
    return terms.count { columns.index($0) != nil }
  }

  /// What the rows are, by the terms that only such rows have.
  fileprivate var kindByHeader: String {
    let signs = [
      ("vernacularName", "vernacularname"), ("measurementType", "measurementorfact"),
      ("threatStatus", "distribution"), ("occurrenceStatus", "distribution"),
      ("isExtinct", "speciesprofile"), ("isMarine", "speciesprofile"),
      ("bibliographicCitation", "reference"), ("description", "description"),
    ]
    return signs.first { columns.index($0.0) != nil }?.1 ?? "other"
  }
}

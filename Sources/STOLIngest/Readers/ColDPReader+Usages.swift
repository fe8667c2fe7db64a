import STOLPack
import STOLFormats
import STOLNames

/// The columns of NameUsage and of Taxon that say something of a taxon.
struct ColDPTaxonColumns {
  let id, parent, status, provisional, phrase, references: Int?
  private let extinct, habitat, start, end: Int?
  private let classification: [(rank: SourceRank, column: Int)]
  private let genus, species: Int?

  init(_ columns: ColumnMap) {
    id = columns.index("ID")
    parent = columns.index("parentID")
    status = columns.index("status", "taxonomicStatus")
    provisional = columns.index("provisional")
    phrase = columns.index("namePhrase")
    references = columns.index("referenceID")
    extinct = columns.index("extinct")
    habitat = columns.index("environment", "lifezone")
    start = columns.index("temporalRangeStart")
    end = columns.index("temporalRangeEnd")
    classification = SourceRank.aboveSpecies.compactMap { rank in
      columns.index(rank.canonicalName).map { (rank, $0) }
    }
    genus = columns.index("genus")
    species = columns.index("species")
  }

  /// The higher taxa that the row names, without brackets, a sign of doubt.
  func higherTaxa(
    _ row: TableReader, of rank: SourceRank?, _ intake: Intake
  ) -> [(rank: SourceRank, name: String)] {
    var result: [(rank: SourceRank, name: String)] = []
    for (rank, column) in classification {
      let name = intake.clean(Self.withoutBrackets(row.text(column)), line: row.line)
      if !name.isEmpty { result.append((rank, name)) }
    }
    if rank?.isBelowSpecies ?? false {
      var name = intake.clean(row.value(species), line: row.line)
      if !name.isEmpty, !name.contains(" ") {
        let genus = Self.withoutBrackets(row.value(genus))
        name = genus.isEmpty ? "" : "\(genus) \(name)"
      }
      if !name.isEmpty { result.append((.species, name)) }
    }
    return result
  }

  private static func withoutBrackets(_ text: String) -> String {
    text.hasPrefix("[") && text.hasSuffix("]") ? String(text.dropFirst().dropLast()) : text
  }

  /// The traits that the row states.
  func traits(_ row: TableReader, isExtinct: Bool) -> [(key: String, value: String)] {
    var result: [(key: String, value: String)] = []
    if isExtinct || row.isTrue(extinct) { result.append(("extinct", "true")) }
    var habitats: Set<String> = []
    for word in row.value(habitat).split(whereSeparator: { ",;|".contains($0) }) {
      let value = trimmingSpaces(String(word)).lowercased()
      if !value.isEmpty, habitats.insert(value).inserted { result.append(("habitat", value)) }
    }
    for (key, column) in [("temporal_range_start", start), ("temporal_range_end", end)] {
      let value = NameCleaner.clean(row.value(column)).text
      if !value.isEmpty { result.append((key, value)) }
    }
    return result
  }
}

extension ColDPReader {
  // MARK: NameUsage

  func readNameUsages(
    _ rows: inout TableReader, _ columns: ColumnMap
  ) throws {
    let nameColumns = ColDPNameColumns(columns, statusColumn: "nameStatus")
    let taxonColumns = ColDPTaxonColumns(columns)
    while try intake.next(&rows) {
      let name = nameColumns.read(rows, intake)
      var usage = SourceUsage(name, line: rows.line)
      if usage.id.isEmpty { usage.id = usage.stableID }
      intake.takeStatus(rows.value(taxonColumns.status), of: &usage)
      let parent = rows.value(taxonColumns.parent)
      usage.addPhrase(intake.clean(rows.value(taxonColumns.phrase), line: rows.line))
      if usage.status == .synonym {
        if !parent.isEmpty { usage.acceptedIDs = [parent] }
      } else {
        place(&usage, below: parent, rows, taxonColumns)
      }
      try add(usage, name, references: rows.value(taxonColumns.references))
      if usage.status != .synonym {
        try addTraits(of: usage, taxonColumns.traits(rows, isExtinct: name.isExtinct))
      }
    }
  }

  /// Says where a taxon belongs, and whether that is doubtful.
  private func place(
    _ usage: inout SourceUsage, below parent: String, _ rows: TableReader,
    _ columns: ColDPTaxonColumns
  ) {
    usage.parentID = parent
    if parent.isEmpty { usage.classification = columns.higherTaxa(rows, of: usage.rank, intake) }
    if usage.status != .bareName, rows.isTrue(columns.provisional) { usage.status = .doubtful }
  }

  /// Adds a usage, and its references.
  private func add(
    _ usage: SourceUsage, _ name: ColDPName, references list: String
  ) throws {
    try intake.add(usage)
    guard !usage.name.isEmpty, usage.status != .bareName,
      usage.status != .synonym || !usage.acceptedIDs.isEmpty
    else { return }
    for list in name.references.contains(list) ? name.references : name.references + [list] {
      for reference in references.rows(list, line: usage.line) {
        _ = try references.attach(reference, to: intake.referenced(usage), .taxonomy)
      }
    }
  }

  private func addTraits(
    of usage: SourceUsage, _ traits: [(key: String, value: String)]
  ) throws {
    guard !usage.name.isEmpty, usage.status != .bareName else { return }
    for (key, value) in traits {
      try intake.add(.trait(key: key, value: value), of: usage.id, isFurther: true)
    }
  }

  // MARK: Name, Taxon, Synonym

  /// Reads the three files, which the id of the name joins.
  ///
  /// A name without a taxon and a synonym is a bare name. A synonym that has the very name of its taxon
  /// is none: its row is `.ignored`.
  func readNamesAndTaxa() throws -> ColDPNameTable {
    let names = try ColDPNameTable(intake)
    try readFile("name") { rows, columns in
      let nameColumns = ColDPNameColumns(columns, statusColumn: "status")
      while try intake.next(&rows) {
        try names.add(nameColumns.read(rows, intake), line: rows.line)
      }
    }
    try names.close()
    try readFile("taxon") { try readTaxa(&$0, $1, names) }
    try readSynonyms(names)
    return names
  }

  private func readTaxa(
    _ rows: inout TableReader, _ columns: ColumnMap, _ names: ColDPNameTable
  ) throws {
    let taxonColumns = ColDPTaxonColumns(columns)
    let nameID = columns.index("nameID")
    while try intake.next(&rows) {
      var name = ColDPName()
      let nameRow = names.row(rows.value(nameID))
      if let nameRow { name = try names.name(nameRow) }
      var usage = SourceUsage(name, line: rows.line)
      usage.id = rows.value(taxonColumns.id)
      if usage.id.isEmpty { usage.id = name.id }
      intake.takeStatus(rows.value(taxonColumns.status), of: &usage)
      usage.addPhrase(intake.clean(rows.value(taxonColumns.phrase), line: rows.line))
      place(&usage, below: rows.value(taxonColumns.parent), rows, taxonColumns)
      if let nameRow { names.use(nameRow, byTaxon: TaxonID(sourceText: usage.id).rawValue) }
      try add(usage, name, references: rows.value(taxonColumns.references))
      try addTraits(of: usage, taxonColumns.traits(rows, isExtinct: name.isExtinct))
    }
  }
}

extension SourceUsage {
  /// The usage of a name.
  init(_ name: ColDPName, line: Int) {
    self.init()
    id = name.id
    self.name = name.name
    authorship = name.authorship
    year = name.year
    rank = name.rank
    sensu = name.phrase
    code = name.code
    nomenclaturalStatus = name.nomenclaturalStatus
    self.line = line
  }

  /// An id for a row without one: its rank, name and authorship.
  var stableID: String {
    [rank?.canonicalName ?? "", name, authorship].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Adds what limits the name, unless it is said already.
  mutating func addPhrase(_ phrase: String) {
    guard !phrase.isEmpty, !sensu.contains(phrase) else { return }
    sensu = sensu.isEmpty ? phrase : "\(sensu) \(phrase)"
  }
}

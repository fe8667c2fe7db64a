import STOLFormats
import STOLNames
import STOLPack

/// Reads the Annual Checklist Exchange Format, ACEF, in which the Catalogue of Life took its sources
/// before ColDP (its "Data Submission Format", version 4 of 2014): AcceptedSpecies and what belongs to it.
///
/// - Higher taxa are those that the columns of AcceptedSpecies name.
/// - A row of AcceptedInfraSpecificTaxa has the name of its species and goes below it.
/// - A synonym without an id of its own has one made of its name and its taxon.
/// - References go to the taxa and synonyms that NameReferencesLinks names; what comes of the areas in
///   Distribution is counted.
struct ACEFReader {
  private let files: SourceFiles
  private let intake: Intake
  private let references: ReferenceTable
  private let places: [String: String]
  /// The names of species by their ids, for what is below them.
  private var species: [String: String] = [:]

  /// The files that tell one.
  static let speciesKey = "acceptedspecies"
  private static let infraspecificKey = "acceptedinfraspecifictaxa"

  init(_ files: SourceFiles, _ intake: Intake) throws {
    self.files = files
    self.intake = intake
    references = try ReferenceTable(intake)
    places = Self.places(files)
  }

  /// Whether there is a table of species in a source.
  static func isPresent(in files: SourceFiles) -> Bool {
    let places = places(files)
    return places[speciesKey] != nil || places[infraspecificKey] != nil
  }

  mutating func read() throws {
    guard Self.isPresent(in: files) else {
      throw FormatError.missingFile(path: files.path, name: "AcceptedSpecies")
    }
    try readMetadata()
    try readReferences()
    try readSpecies()
    try readInfraspecificTaxa()
    try readSynonyms()
    try readCommonNames()
    try readLinks()
    try readFile("distribution", unreadReason: UnreadColumn.ofIgnoredFile) { rows, _ in
      while try intake.next(&rows) {
        intake.account.ignore(RowAccount.areaReason)
      }
    }
    references.count()
  }

  // MARK: Files

  /// The files of a source that are tables of this format; none where there is none of species.
  static func packageFiles(of files: SourceFiles) -> [String] {
    guard isPresent(in: files) else { return [] }
    return places(files).filter { tables.contains($0.key) }.values.sorted()
  }

  private static let tables: Set = [
    speciesKey, infraspecificKey, "sourcedatabase", "reference", "synonyms", "commonnames",
    "namereferenceslinks", "distribution",
  ]
  private static let otherNames = [
    "commonname": "commonnames", "distributions": "distribution", "references": "reference",
    "namereferences": "namereferenceslinks", "namereferencelinks": "namereferenceslinks",
    "namereferencelink": "namereferenceslinks", "namerefereceslinks": "namereferenceslinks",
    "synonym": "synonyms",
  ]

  /// The file of each table, of several the first.
  private static func places(_ files: SourceFiles) -> [String: String] {
    var places: [String: String] = [:]
    for name in files.names {
      let key = ColumnMap.key(
        String(SourceFiles.lastPart(of: name).split(separator: ".").first ?? ""))
      let table = otherNames[key] ?? key
      if places[table] == nil { places[table] = name }
    }
    return places
  }

  private func readFile(
    _ table: String, unreadReason: String? = nil,
    _ body: (inout TableReader, ColumnMap) throws -> Void
  ) throws {
    guard let file = places[table] else { return }
    intake.account.begin(file)
    var (rows, columns) = try files.table(
      file, onFinding: intake.findings.ofRows, areNullWordsEmpty: true)
    try body(&rows, columns)
    intake.account.noteUnread(columns.unread, because: unreadReason)
  }

  private func readMetadata() throws {
    try readFile("sourcedatabase") { rows, columns in
      let title = columns.index("DatabaseFullName", "DatabaseShortName", "DatabaseName")
      let version = columns.index("DatabaseVersion")
      let date = columns.index("ReleaseDate")
      let url = columns.index("HomeURL")
      while try intake.next(&rows) {
        func text(_ column: Int?) -> String? {
          let text = rows.value(column)
          return text.isEmpty ? nil : text
        }
        var metadata = DatasetMetadata()
        metadata.title = text(title)
        metadata.version = text(version)
        metadata.issued = text(date)
        metadata.url = text(url)
        intake.metadata = metadata
        intake.account.add(.joined)
      }
    }
  }

  private func readReferences() throws {
    try readFile("reference") { rows, columns in
      let id = columns.index("ReferenceID")
      let author = columns.index("Author", "Authors")
      let year = columns.index("Year")
      let title = columns.index("Title")
      let details = columns.index("Details", "Detail", "Source")
      while try intake.next(&rows) {
        try references.add(
          id: rows.value(id),
          citation: ReferenceTable.citation(
            author: rows.value(author), year: rows.value(year), title: rows.value(title),
            details: rows.value(details)), url: "")
      }
    }
    try references.close()
  }

  // MARK: Taxa

  /// The columns of a name, which three tables share.
  private struct NameColumns {
    let genus, subgenus, epithet, authorship: Int?
    let infraspecific, infraspecificAuthorship, marker: Int?
    let sourceStatus, status: Int?

    init(_ columns: ColumnMap) {
      genus = columns.index("Genus")
      subgenus = columns.index("SubGenusName", "SubGenus")
      epithet = columns.index("SpeciesEpithet", "Species")
      authorship = columns.index("AuthorString", "Author")
      infraspecific = columns.index("InfraSpeciesEpithet", "InfraSpecies")
      infraspecificAuthorship = columns.index("InfraSpeciesAuthorString")
      marker = columns.index("InfraSpeciesMarker")
      sourceStatus = columns.index("GSDNameStatus")
      status = columns.index("Sp2000NameStatus")
    }
  }

  /// What further columns of a taxon say.
  private struct TraitColumns {
    let extinct, habitat: Int?

    init(_ columns: ColumnMap) {
      extinct = columns.index("IsExtinct")
      habitat = columns.index("LifeZone")
    }
  }

  /// The name of a row; that of what is below species where it has an epithet for that.
  private func usage(
    _ row: TableReader, _ columns: NameColumns, species: String? = nil
  ) -> SourceUsage {
    var usage = SourceUsage()
    usage.line = row.line
    intake.takeStatus(row.value(columns.status), of: &usage)
    let stated = intake.clean(row.value(columns.sourceStatus), line: row.line)
    if !stated.isEmpty { usage.statusText = stated }
    var words = [species ?? row.value(columns.genus)]
    if species == nil {
      let subgenus = row.value(columns.subgenus)
      if !subgenus.isEmpty, !words[0].isEmpty { words.append("(\(subgenus))") }
      words.append(row.value(columns.epithet))
    }
    let epithet = row.value(columns.infraspecific)
    let marker = row.value(columns.marker)
    if !epithet.isEmpty { words += [marker, epithet] }
    let name = intake.clean(
      words.filter { !$0.isEmpty }.joined(separator: " "), line: row.line)
    guard !name.isEmpty, !words[0].isEmpty else { return usage }
    let isGenus = epithet.isEmpty && species == nil && row.value(columns.epithet).isEmpty
    usage.rank =
      epithet.isEmpty
      ? isGenus ? SourceRank("genus") : .species
      : intake.rank(marker.isEmpty ? "infraspecific name" : marker, line: row.line)
    let authorship = intake.clean(
      row.value(epithet.isEmpty ? columns.authorship : columns.infraspecificAuthorship),
      line: row.line)
    let parts = intake.nameParts(name, authorship: authorship, rank: usage.rank, line: row.line)
    usage.name = parts.canonicalName
    usage.authorship = parts.authorship
    usage.year = parts.year
    usage.sensu = parts.phrase
    return usage
  }

  private mutating func readSpecies() throws {
    var species: [String: String] = [:]
    try readFile(Self.speciesKey) { rows, columns in
      let id = try columns.requiredIndex("AcceptedTaxonID", file: places[Self.speciesKey] ?? "")
      let names = NameColumns(columns)
      let traits = TraitColumns(columns)
      let higher = SourceRank.aboveSpecies.compactMap { rank in
        columns.index(rank.canonicalName, rank.canonicalName + "Name").map { (rank, $0) }
      }
      while try intake.next(&rows) {
        var usage = usage(rows, names)
        usage.id = rows.value(id)
        for (rank, column) in higher {
          let name = intake.clean(rows.text(column), line: rows.line)
          if !name.isEmpty,
            rank.kept != .genus && !rank.isBetweenGenusAndSpecies || usage.rank == .species
          {
            usage.classification.append((rank, name))
          }
        }
        if !usage.name.isEmpty {
          species[usage.id] = [rows.value(names.genus), rows.value(names.epithet)]
            .filter { !$0.isEmpty }.joined(separator: " ")
        }
        try intake.add(usage)
        try addTraits(rows, traits, of: usage)
      }
    }
    self.species = species
  }

  private func readInfraspecificTaxa() throws {
    try readFile(Self.infraspecificKey) { rows, columns in
      let file = places[Self.infraspecificKey] ?? ""
      let id = try columns.requiredIndex("AcceptedTaxonID", file: file)
      let parent = columns.index("ParentSpeciesID", "parentID")
      let names = NameColumns(columns)
      let traits = TraitColumns(columns)
      while try intake.next(&rows) {
        let parentID = rows.value(parent)
        guard let name = species[parentID] else {
          intake.leaveOut(
            .unknownTaxon, rows.line, "\(rows.value(id)): there is no species \(parentID)")
          continue
        }
        var usage = usage(rows, names, species: name)
        usage.id = rows.value(id)
        usage.parentID = parentID
        try intake.add(usage)
        try addTraits(rows, traits, of: usage)
      }
    }
  }

  private func addTraits(
    _ row: TableReader, _ columns: TraitColumns, of usage: SourceUsage
  ) throws {
    guard !usage.name.isEmpty, usage.status != .bareName else { return }
    if row.isTrue(columns.extinct) {
      try intake.add(.extinct, of: usage.id, isFurther: true)
    }
    for word in row.value(columns.habitat).split(whereSeparator: { ",;|".contains($0) }) {
      let value = trimmingSpaces(String(word)).lowercased()
      guard !value.isEmpty else { continue }
      try intake.add(.trait(key: "habitat", value: value), of: usage.id, isFurther: true)
    }
  }

  private func readSynonyms() throws {
    var counts: [String: Int] = [:]
    try readFile("synonyms") { rows, columns in
      let id = columns.index("ID")
      let accepted = try columns.requiredIndex("AcceptedTaxonID", file: places["synonyms"] ?? "")
      let names = NameColumns(columns)
      while try intake.next(&rows) {
        var usage = usage(rows, names)
        usage.acceptedIDs = [rows.value(accepted)].filter { !$0.isEmpty }
        if usage.status != .bareName { usage.status = .synonym }
        usage.id = rows.value(id)
        if usage.id.isEmpty {
          usage.id = "\(usage.stableID) = \(rows.value(accepted))"
          counts[usage.id, default: 0] += 1
          if let count = counts[usage.id], count > 1 { usage.id += " (\(count))" }
        }
        try intake.add(usage)
      }
    }
  }

  // MARK: What belongs to taxa

  private func readCommonNames() throws {
    try readFile("commonnames") { rows, columns in
      let taxon = columns.index("AcceptedTaxonID")
      let name = columns.index("CommonName")
      let language = columns.index("Language")
      while try intake.next(&rows) {
        let text = intake.clean(rows.value(name), line: rows.line)
        guard !text.isEmpty else {
          intake.leaveOut(.emptyName, rows.line, "taxon \(rows.value(taxon))")
          continue
        }
        try intake.add(
          .vernacular(
            name: text, language: intake.language(rows.value(language), line: rows.line),
            isPreferred: false), of: rows.value(taxon))
      }
    }
  }

  private func readLinks() throws {
    try readFile("namereferenceslinks") { rows, columns in
      let id = columns.index("ID")
      let reference = columns.index("ReferenceID")
      let kind = columns.index("ReferenceType")
      while try intake.next(&rows) {
        // References of common names say nothing of a taxon.
        if rows.value(kind).lowercased() == "comnameref" {
          intake.account.ignore("a database has no place for references of common names")
          continue
        }
        let owner = TaxonID(sourceText: rows.value(id)).rawValue
        try references.attachRow(rows.value(reference), to: owner, line: rows.line)
      }
    }
  }
}

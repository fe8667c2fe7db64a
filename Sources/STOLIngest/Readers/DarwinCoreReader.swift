import STOLPack
import STOLFormats
import STOLNames

/// Reads Darwin Core archives of taxa: the core, and what its extensions say of them.
///
/// Terms: Darwin Core quick reference guide, http://rs.tdwg.org/dwc/terms/. What is not said there
/// follows the Catalogue of Life's importer. `higherClassification` is not read: its names have no
/// ranks, so that none of them could be kept.
struct DarwinCoreReader {
  typealias Table = DarwinCoreArchive.Table
  typealias Term = DarwinCoreArchive.Term

  private let files: SourceFiles
  let intake: Intake
  /// The id of the taxon where the core's id column has another one than `taxonID`.
  private var taxonIDs: [String: String] = [:]
  /// How often a name has served as an id.
  private var namesAsIDs: [String: Int] = [:]

  init(_ files: SourceFiles, _ intake: Intake) {
    self.files = files
    self.intake = intake
  }

  mutating func read() throws {
    let archive = try DarwinCoreArchive(files, intake.findings)
    intake.metadata = try DatasetMetadata(
      of: files, metadataFile: archive.metadataFile, findings: intake.findings)
    let terms = TaxonTerms(archive.core)
    for file in archive.core.files {
      var rows = try open(file, archive.core)
      while try intake.next(&rows) {
        try readTaxon(rows, terms)
      }
    }
    for table in archive.extensions {
      let reader = DarwinCoreExtension(table, intake)
      for file in table.files {
        var rows = try open(file, table)
        while try intake.next(&rows) {
          let id = table.idIndex.map { rows.text($0) } ?? ""
          try reader.read(rows, of: taxonIDs[id] ?? id)
        }
      }
    }
  }

  private func open(_ file: String, _ table: Table) throws -> TableReader {
    intake.account.begin(file)
    var layout = table.layout
    layout.isNullWordEmpty = true
    return TableReader(
      try files.open(file), layout, fileName: file, onFinding: intake.findings.ofRows)
  }

  // MARK: Taxa

  /// Where the terms of the core are.
  private struct TaxonTerms {
    let coreID: Int?
    let taxonID, name, canonicalName, authorship, year, rank, verbatimRank, status, code: Term
    let genericName, genus, infragenericEpithet, epithet, infraspecificEpithet: Term
    let parentID, parentName, acceptedID, acceptedName: Term
    let publishedIn, publishedInID, accordingTo, accordingToID: Term
    let vernacular, language: Term
    let classification: [(rank: MainRank, term: Term)]

    init(_ core: Table) {
      coreID = core.idIndex
      taxonID = core.term("taxonID")
      name = core.term("scientificName", "scientfiicName")
      canonicalName = core.term("canonicalName")
      authorship = core.term(
        "scientificNameAuthorship", "scientfiicNameAuthorship", "authorship")
      year = core.term("namePublishedInYear")
      rank = core.term("taxonRank", "rank")
      verbatimRank = core.term("verbatimTaxonRank")
      status = core.term("taxonomicStatus")
      code = core.term("nomenclaturalCode")
      genericName = core.term("genericName")
      genus = core.term("genus")
      infragenericEpithet = core.term("infragenericEpithet")
      epithet = core.term("specificEpithet")
      infraspecificEpithet = core.term("infraspecificEpithet")
      parentID = core.term("parentNameUsageID", "parentTaxonID", "higherTaxonID")
      parentName = core.term("parentNameUsage", "parentTaxon", "higherTaxon")
      acceptedID = core.term("acceptedNameUsageID", "acceptedTaxonID")
      acceptedName = core.term("acceptedNameUsage", "acceptedTaxon", "acceptedScientificName")
      publishedIn = core.term("namePublishedIn")
      publishedInID = core.term("namePublishedInID")
      accordingTo = core.term("nameAccordingTo")
      accordingToID = core.term("nameAccordingToID")
      vernacular = core.term("vernacularName")
      language = core.term("language")
      classification = MainRank.allCases.dropLast().map { rank in
        let term = core.term(rank.name)
        return (rank, !term.isStated && rank == .domain ? core.term("superkingdom") : term)
      }.filter { $0.term.isStated }
    }
  }

  private mutating func readTaxon(_ row: TableReader, _ terms: TaxonTerms) throws {
    var usage = SourceUsage()
    usage.line = row.line
    usage.rank = rank(row, terms)
    let parts = name(row, terms, usage.rank)
    usage.name = parts.canonicalName
    usage.authorship = parts.authorship
    usage.year = parts.year ?? AuthorshipParser.year(in: terms.year.text(row))
    // No rank, one that nobody knows, or "unranked": the name says more.
    if usage.rank.map({ !$0.isKnown || $0 == .unranked }) ?? true {
      usage.rank = parts.shownRank ?? usage.rank
    }
    usage.id = id(row, terms, parts)
    guard !usage.name.isEmpty else { return try intake.add(usage) }
    if parts.kind == .informal {
      intake.note(.nameKeptWhole, row.line, parts.canonicalName)
    }
    usage.status = intake.status(terms.status.text(row), line: row.line)
    if parts.isUncertain, usage.status == nil || usage.status == .accepted {
      usage.status = .doubtful
    }
    usage.parentID = terms.parentID.text(row)
    usage.parentName = intake.clean(terms.parentName.text(row), line: row.line)
    let accepted = terms.acceptedID.text(row)
    usage.acceptedIDs = Self.ids(accepted, own: usage.id)
    if usage.acceptedIDs.count > 1 { usage.undividedAcceptedID = accepted }
    usage.acceptedName = intake.clean(terms.acceptedName.text(row), line: row.line)
    for (rank, term) in terms.classification {
      let name = intake.clean(term.text(row), line: row.line)
      if !name.isEmpty { usage.classification.append((rank, name)) }
    }
    try intake.add(usage)
    try addFurther(row, terms, usage.id, parts)
  }

  /// The rank; that of zoological sections, which are above families, is told by the code.
  private func rank(_ row: TableReader, _ terms: TaxonTerms) -> SourceRank? {
    var text = terms.rank.text(row)
    if text.isEmpty { text = terms.verbatimRank.text(row) }
    guard let rank = intake.rank(text, line: row.line) else { return nil }
    guard rank.canonicalName == "section" || rank.canonicalName == "subsection" else { return rank }
    let code = terms.code.text(row).lowercased()
    let isZoological = code == "iczn" || code.hasPrefix("zoolog")
    return isZoological ? SourceRank(rank.canonicalName + " zoology") : rank
  }

  /// The name: in one column, taken apart by the source already, or in several ones.
  private func name(_ row: TableReader, _ terms: TaxonTerms, _ rank: SourceRank?) -> NameParts {
    let authorship = intake.clean(terms.authorship.text(row), line: row.line)
    var text = intake.clean(terms.name.text(row), line: row.line)
    // GBIF's canonical names lack the markers of ranks below species.
    if terms.canonicalName.isStated, text.isEmpty || rank.map({ !$0.isBelowSpecies }) ?? false {
      let canonical = intake.clean(terms.canonicalName.text(row), line: row.line)
      if !canonical.isEmpty, text.isEmpty || !authorship.isEmpty {
        text = canonical
      }
    }
    if text.isEmpty { text = intake.clean(assembledName(row, terms, rank), line: row.line) }
    guard !text.isEmpty else { return NameParts(canonicalName: "") }
    return ScientificNameParser.parse(
      text, authorship: authorship.stated, rank: rank)
  }

  /// The name in the columns for its parts; that of a higher taxon in the column for its rank.
  private func assembledName(
    _ row: TableReader, _ terms: TaxonTerms, _ rank: SourceRank?
  ) -> String {
    if let kept = rank?.kept, kept != .species, kept != .genus {
      return terms.classification.first { $0.rank == kept }?.term.text(row) ?? ""
    }
    let generic = terms.genericName.text(row)
    let genus = generic.isEmpty ? terms.genus.text(row) : generic
    // Without a genus the epithets are no name.
    guard !genus.isEmpty, rank?.kept != .genus else { return genus }
    let epithet = terms.epithet.text(row)
    let infrageneric = terms.infragenericEpithet.text(row)
    if epithet.isEmpty, !infrageneric.isEmpty { return "\(genus) (\(infrageneric))" }
    return [genus, epithet, terms.infraspecificEpithet.text(row)].filter { !$0.isEmpty }
      .joined(separator: " ")
  }

  /// What the row is called: its `taxonID`, else the id of the core, else its name.
  ///
  /// Unlike the number of the row, a name stays the same when rows are added; the second row of a name
  /// gets a number.
  private mutating func id(_ row: TableReader, _ terms: TaxonTerms, _ parts: NameParts) -> String {
    let coreID = terms.coreID.map { row.text($0) } ?? ""
    let taxonID = terms.taxonID.text(row)
    if !taxonID.isEmpty {
      if !coreID.isEmpty, coreID != taxonID { taxonIDs[coreID] = taxonID }
      return taxonID
    }
    guard coreID.isEmpty else { return coreID }
    let name = trimmingSpaces(parts.canonicalName + " " + parts.authorship)
    let count = namesAsIDs[name, default: 0] + 1
    namesAsIDs[name] = count
    return count == 1 ? name : "\(name) (\(count))"
  }

  /// The ids in a text: those between the first of these signs that it has.
  static func ids(_ text: String, own: String) -> [String] {
    guard !text.isEmpty else { return [] }
    guard text != own else { return [own] }
    for sign in "|;, " as String where text.contains(sign) {
      let parts = text.split(separator: sign).map { trimmingSpaces(String($0)) }
        .filter { !$0.isEmpty }
      if parts.count > 1 { return parts }
    }
    return [text]
  }

  /// What a row says beside its name.
  private func addFurther(
    _ row: TableReader, _ terms: TaxonTerms, _ id: String, _ parts: NameParts
  ) throws {
    for (term, idTerm) in [
      (terms.publishedIn, terms.publishedInID), (terms.accordingTo, terms.accordingToID),
    ] {
      let citation = intake.clean(term.text(row), line: row.line)
      guard !citation.isEmpty else { continue }
      try intake.add(
        .reference(
          citation: citation, url: Self.url(idTerm.text(row)), kind: .taxonomy),
        of: id, isFurther: true)
    }
    if parts.isExtinct {
      try intake.add(.extinct, of: id, isFurther: true)
    }
    let vernacular = terms.vernacular.text(row)
    guard !vernacular.isEmpty else { return }
    let language = intake.language(terms.language.text(row), line: row.line)
    for name in vernacular.split(whereSeparator: { $0 == "|" || $0 == ";" }) {
      let name = intake.clean(trimmingSpaces(String(name)), line: row.line)
      guard !name.isEmpty else { continue }
      try intake.add(.vernacular(name: name, language: language), of: id, isFurther: true)
    }
  }

  /// The text if it is an address or a DOI, else nothing.
  static func url(_ text: String) -> String {
    let lower = text.lowercased()
    if lower.hasPrefix("http://") || lower.hasPrefix("https://") { return text }
    if lower.hasPrefix("10."), text.contains("/") { return "https://doi.org/" + text }
    if lower.hasPrefix("doi:") {
      return "https://doi.org/" + trimmingSpaces(String(text.dropFirst(4)))
    }
    return ""
  }
}

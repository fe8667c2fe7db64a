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
  /// The ids of rows without one, by all that makes them one taxon.
  private var madeIDs: [String: String] = [:]

  init(_ files: SourceFiles, _ intake: Intake) {
    self.files = files
    self.intake = intake
  }

  mutating func read() throws {
    let archive = try DarwinCoreArchive(files, intake.findings)
    intake.metadata = try DatasetMetadata(
      ofArchive: files, metadataFile: archive.metadataFile, findings: intake.findings)
    if let file = archive.metadataFile.flatMap(files.find) {
      intake.account.explain(file, RowAccount.isDescription)
    }
    let dataset = KnownDataset(
      title: intake.metadata.title ?? "", columns: archive.core.columns,
      firstID: try archive.firstID(in: files))
    if let dataset { intake.metadata.complete(with: dataset.metadata) }
    for (file, reason) in archive.otherTables { intake.account.explain(file, reason) }
    let terms = TaxonTerms(archive.core)
    for file in archive.core.files {
      var rows = try open(file, archive.core)
      intake.account.noteUnread(archive.core.columns.unread)
      while try intake.next(&rows) {
        try readTaxon(rows, terms)
      }
    }
    for table in archive.extensions {
      let reader = DarwinCoreExtension(table, intake)
      for file in table.files {
        var rows = try open(file, table)
        intake.account.noteUnread(table.columns.unread, because: reader.unreadReason)
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
    layout.areNullWordsEmpty = true
    return TableReader(
      try files.open(file), layout, fileName: file, onFinding: intake.findings.ofRows)
  }

  // MARK: Taxa

  /// Where the terms of the core are.
  private struct TaxonTerms {
    let coreID: Int?
    let taxonID, name, canonicalName, authorship, year, rank, verbatimRank, status: Term
    let nomenclaturalStatus, code: Term
    let genericName, genus, infragenericEpithet, epithet, infraspecificEpithet: Term
    let parentID, parentName, acceptedID, acceptedName: Term
    let publishedIn, publishedInID, accordingTo, accordingToID: Term
    let vernacular, language: Term
    let classification: [(rank: SourceRank, term: Term)]

    init(_ core: Table) {
      coreID = core.idIndex
      taxonID = core.term("taxonID", "taxonKey")
      name = core.term("scientificName", "scientfiicName")
      canonicalName = core.term("canonicalName")
      authorship = core.term(
        "scientificNameAuthorship", "scientfiicNameAuthorship", "authorship")
      year = core.term("namePublishedInYear")
      rank = core.term("taxonRank", "rank")
      verbatimRank = core.term("verbatimTaxonRank")
      status = core.term("taxonomicStatus")
      nomenclaturalStatus = core.term("nomenclaturalStatus")
      code = core.term("nomenclaturalCode")
      genericName = core.term("genericName")
      genus = core.term("genus")
      infragenericEpithet = core.term("infragenericEpithet")
      epithet = core.term("specificEpithet")
      infraspecificEpithet = core.term("infraspecificEpithet")
      parentID = core.term("parentNameUsageID", "parentTaxonID", "higherTaxonID")
      parentName = core.term("parentNameUsage", "parentTaxon", "higherTaxon")
      acceptedID = core.term("acceptedNameUsageID", "acceptedTaxonID", "acceptedTaxonKey")
      acceptedName = core.term("acceptedNameUsage", "acceptedTaxon", "acceptedScientificName")
      publishedIn = core.term("namePublishedIn")
      publishedInID = core.term("namePublishedInID")
      accordingTo = core.term("nameAccordingTo")
      accordingToID = core.term("nameAccordingToID")
      vernacular = core.term("vernacularName")
      language = core.term("language")
      classification = SourceRank.aboveSpecies.map { rank in
        let term = core.term(rank.canonicalName)
        return (rank, !term.isStated && rank.kept == .domain ? core.term("superkingdom") : term)
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
    // Where no rank is stated the name may show one; where only the eight count, before other words too.
    let isOpen = !intake.keepsAllRanks && usage.rank.map { !$0.isKnown || $0.saysNothing } ?? true
    if usage.rank == nil || isOpen { usage.rank = parts.shownRank ?? usage.rank }
    usage.sensu = parts.phrase
    usage.code = intake.clean(terms.code.text(row), line: row.line)
    usage.nomenclaturalStatus = intake.clean(terms.nomenclaturalStatus.text(row), line: row.line)
    usage.id = statedID(row, terms)
    guard !usage.name.isEmpty else { return try intake.add(usage) }
    if parts.kind == .informal {
      intake.note(.nameKeptWhole, row.line, parts.canonicalName)
    }
    intake.takeStatus(terms.status.text(row), of: &usage)
    if parts.isUncertain, usage.status == nil || usage.status == .accepted {
      usage.status = .doubtful
    }
    usage.parentID = terms.parentID.text(row)
    usage.parentName = intake.clean(terms.parentName.text(row), line: row.line)
    let accepted = terms.acceptedID.text(row)
    let own = usage.id.isEmpty ? Self.nameAsID(usage) : usage.id
    usage.acceptedIDs = Self.ids(accepted, own: own)
    if usage.acceptedIDs.count > 1 { usage.undividedAcceptedID = accepted }
    usage.acceptedName = intake.clean(terms.acceptedName.text(row), line: row.line)
    for (rank, term) in terms.classification {
      let name = intake.clean(term.text(row), line: row.line)
      if !name.isEmpty { usage.classification.append((rank, name)) }
    }
    if usage.rank?.isBelowSpecies == true, let species = species(row, terms) {
      usage.classification.append((.species, species))
    }
    let isMade = usage.id.isEmpty
    let signature = isMade ? Self.signature(of: usage) : ""
    if isMade, let known = madeIDs[signature] {
      usage.id = known
      intake.account.add(.joined)
    } else {
      if isMade {
        usage.id = makeID(of: usage)
        madeIDs[signature] = usage.id
      }
      try intake.add(usage)
    }
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
      intake.repairedCase(text, rank, row.line), authorship: authorship.stated, rank: rank)
  }

  /// The name in the columns for its parts; that of a higher taxon in the column for its rank.
  private func assembledName(
    _ row: TableReader, _ terms: TaxonTerms, _ rank: SourceRank?
  ) -> String {
    if let level = rank?.level, let genus = SourceRank.genus.level, level < genus {
      return terms.classification.first { $0.rank.level == level }?.term.text(row) ?? ""
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

  /// The species that the columns of a row name, for what is below it.
  private func species(_ row: TableReader, _ terms: TaxonTerms) -> String? {
    let generic = terms.genericName.text(row)
    let words = [generic.isEmpty ? terms.genus.text(row) : generic, terms.epithet.text(row)].map {
      intake.clean($0, line: row.line)
    }
    return words.contains("") ? nil : words.joined(separator: " ")
  }

  /// What the row is called: its `taxonID`, else the id of the core; empty where it says neither.
  private mutating func statedID(_ row: TableReader, _ terms: TaxonTerms) -> String {
    let coreID = terms.coreID.map { row.text($0) } ?? ""
    let taxonID = terms.taxonID.text(row)
    if !taxonID.isEmpty, !coreID.isEmpty, coreID != taxonID { taxonIDs[coreID] = taxonID }
    return taxonID.isEmpty ? coreID : taxonID
  }

  /// An id for a row without one: its name.
  ///
  /// Unlike the number of the row, a name stays the same when rows are added; the second taxon of a name
  /// gets a number.
  private mutating func makeID(of usage: SourceUsage) -> String {
    let name = Self.nameAsID(usage)
    let count = namesAsIDs[name, default: 0] + 1
    namesAsIDs[name] = count
    return count == 1 ? name : "\(name) (\(count))"
  }

  private static func nameAsID(_ usage: SourceUsage) -> String {
    trimmingSpaces(usage.name + " " + usage.authorship)
  }

  /// What rows of one taxon have in common where none has an id, as one with a row for each of its
  /// vernacular names.
  private static func signature(of usage: SourceUsage) -> String {
    let higher = usage.classification.map { "\($0.rank.canonicalName)=\($0.name)" }
    return
      ([
        usage.name, usage.authorship, usage.rank?.canonicalName ?? "", usage.parentID,
        usage.parentName, usage.acceptedName, usage.statusText,
      ] + usage.acceptedIDs + higher).joined(separator: "\u{1F}")
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
    let isAddress = ["http://", "https://", "www."].contains { lower.hasPrefix($0) }
    if isAddress { return text }
    if lower.hasPrefix("10."), text.contains("/") { return "https://doi.org/" + text }
    if lower.hasPrefix("doi:") {
      return "https://doi.org/" + trimmingSpaces(String(text.dropFirst(4)))
    }
    return ""
  }
}

package import STOLData
package import STOLPack
package import STOLSearch

/// The fields of the values of a pack, each written in one place for all formats; their names are
/// those of the columns and of the members in JSON.
package enum Schema {
  /// The fields of a taxon.
  package static let taxonColumns = [
    "id", "parentID", "rank", "scientificName", "author", "year", "taxonStatus",
    "conservationStatus",
  ]

  /// The fields of a taxon in a list.
  package static let listColumns = taxonColumns + ["commonName", "taxonCount"]

  /// Writes the fields of a taxon of the pack.
  package static func writeFields(
    of taxon: TaxonOrdinal, _ view: borrowing PackView, to writer: inout RowWriter
  ) {
    writer.id("id", taxon, view)
    writer.id("parentID", view.tree.parent(of: taxon), view)
    writer.text("rank") { view.appendRank(of: taxon, to: &$0) }
    writer.text("scientificName", taxon, view)
    writer.optionalText("author") { view.appendAuthor(of: taxon, to: &$0) }
    writer.number("year", view.taxa.year(of: taxon))
    writer.text("taxonStatus") { view.appendStatus(of: taxon, to: &$0) }
    writeConservation(of: taxon, view, to: &writer)
    if writer.format.isStructured, view.isImplied(taxon) { writer.bool("isImplied", true) }
  }

  /// Writes the fields of a taxon.
  package static func writeFields(of taxon: Taxon, to writer: inout RowWriter) {
    writer.id("id", taxon.sourceID, isJSONNumber: taxon.hasJSONNumberID)
    writer.id("parentID", taxon.parentSourceID, isJSONNumber: taxon.hasJSONNumberID)
    writer.text("rank", taxon.rank.rawValue)
    writer.text("scientificName", taxon.scientificName)
    writer.text("author", taxon.author)
    writer.number("year", taxon.year)
    writer.text("taxonStatus", taxon.status.rawValue)
    writer.text("conservationStatus", taxon.conservationStatus)
    if writer.format.isStructured, taxon.isImplied { writer.bool("isImplied", true) }
  }

  /// Writes the fields of a taxon in a list.
  static func writeListFields(
    of taxon: TaxonOrdinal, _ view: borrowing PackView, _ languages: borrowing LanguagePreference,
    to writer: inout RowWriter
  ) {
    writeFields(of: taxon, view, to: &writer)
    writeCommonName(of: taxon, view, languages, to: &writer)
    writer.number("taxonCount", view.tree.subtree(of: taxon).count)
  }

  static func writeCommonName(
    of taxon: TaxonOrdinal, _ view: borrowing PackView, _ languages: borrowing LanguagePreference,
    to writer: inout RowWriter
  ) {
    writer.text("commonName", view.commonName(of: taxon, in: languages), view)
  }

  private static func rank(of taxon: TaxonOrdinal, _ view: borrowing PackView) -> String {
    view.rank(of: taxon).rawValue
  }

  private static func writeConservation(
    of taxon: TaxonOrdinal, _ view: borrowing PackView, to writer: inout RowWriter
  ) {
    writer.optionalText("conservationStatus") { view.appendConservation(of: taxon, to: &$0) }
  }

  /// The fields of a hit.
  package static let hitColumns =
    [
      "id", "rank", "scientificName", "matchedName", "matchType", "conservationStatus", "distance",
      "relevanceScore",
    ] + nameColumns

  /// Writes the fields of a hit in the pack.
  static func writeFields(
    of hit: SearchHit, _ view: borrowing PackView, to writer: inout RowWriter
  ) {
    writeHead(of: hit.taxon, view, to: &writer)
    let isScientific = view.isScientific(hit.name)
    if isScientific {
      writer.textAgain("matchedName")
    } else {
      writer.text("matchedName", hit.name, view)
    }
    let matchType = isScientific ? MatchType.scientific : MatchType(of: hit.name, in: view.names)
    writer.word("matchType", matchType.rawValue)
    writeConservation(of: hit.taxon, view, to: &writer)
    writeScore(hit.distance, hit.relevanceScore, to: &writer)
    writeRecord(of: hit.name, view, to: &writer)
    if writer.format.isStructured, view.isImplied(hit.taxon) { writer.bool("isImplied", true) }
  }

  /// Writes the fields of a hit.
  package static func writeFields(of result: SearchResult, to writer: inout RowWriter) {
    writer.id("id", result.sourceID, isJSONNumber: result.hasJSONNumberID)
    writer.text("rank", result.rank.rawValue)
    writer.text("scientificName", result.scientificName)
    writer.text("matchedName", result.matchedName)
    writer.word("matchType", result.matchType.rawValue)
    writer.text("conservationStatus", result.conservationStatus)
    writeScore(result.hit.distance, result.hit.relevanceScore, to: &writer)
    writeMatched(
      result.record, result.matchType, isJSONNumber: result.hasJSONNumberID, to: &writer)
    if writer.format.isStructured, result.sourceID == nil { writer.bool("isImplied", true) }
  }

  private static func writeScore(_ distance: Int, _ score: Double, to writer: inout RowWriter) {
    writer.number("distance", distance)
    writer.number("relevanceScore", score)
  }

  /// Writes id, rank and scientific name.
  static func writeHead(
    of taxon: TaxonOrdinal, _ view: borrowing PackView, to writer: inout RowWriter
  ) {
    writer.id("id", taxon, view)
    writer.text("rank") { view.appendRank(of: taxon, to: &$0) }
    writer.text("scientificName", taxon, view)
  }

  /// Writes a taxon as the value of the field `name`, or as an element for nil; nil has none.
  static func write(
    _ name: String?, _ taxon: TaxonOrdinal?, _ view: borrowing PackView,
    to writer: inout RowWriter
  ) {
    guard let taxon else { return writer.null(name) }
    writer.object(name) { writeFields(of: taxon, view, to: &$0) }
  }

  /// Writes a common ancestor: in JSON the taxon, in cells its id, its name and, if wished, its rank.
  static func writeAncestor(
    _ taxon: TaxonOrdinal?, withRank: Bool = false, _ view: borrowing PackView,
    to writer: inout RowWriter
  ) {
    guard !writer.format.isStructured else { return write("lca", taxon, view, to: &writer) }
    writer.id("lcaID", taxon, view)
    if let taxon { writer.text("lca", taxon, view) } else { writer.null("lca") }
    if withRank { writer.text("lcaRank", taxon.map { rank(of: $0, view) }) }
  }

  /// Writes an array of taxa.
  static func write(
    _ name: String?, _ taxa: some Sequence<TaxonOrdinal>, _ view: borrowing PackView,
    to writer: inout RowWriter
  ) {
    writer.array(name) { writer in
      for taxon in taxa { write(nil, taxon, view, to: &writer) }
    }
  }

  /// Writes the lineage of a taxon, the root first and itself last.
  static func writeLineage(
    of taxon: TaxonOrdinal, _ view: borrowing PackView, to writer: inout RowWriter
  ) {
    guard writer.format.isStructured else { return }
    write("lineage", view.tree.ancestors(of: taxon) + [taxon], view, to: &writer)
  }

  package static func write(_ name: String?, _ traits: [Trait], to writer: inout RowWriter) {
    writer.objects(name, traits) { writer, trait in
      writer.text("key", trait.key)
      writer.text("value", trait.value)
      writer.text("unit", trait.unit)
    }
  }

  /// Writes traits, each with the name of its source.
  static func write(
    _ name: String?, _ traits: [(trait: Trait, source: DataSource?)], to writer: inout RowWriter
  ) {
    writer.objects(name, traits) { writer, trait in
      writer.text("key", trait.trait.key)
      writer.text("value", trait.trait.value)
      writer.text("unit", trait.trait.unit)
      writer.text("sourceName", trait.source?.title)
    }
  }

  /// Writes names; `areJSONNumbers` says whether ids of this database may be numbers in JSON.
  package static func write(
    _ name: String?, _ names: [TaxonName], areJSONNumbers: Bool, to writer: inout RowWriter
  ) {
    writer.objects(name, names) { writer, name in
      writer.text("name", name.name)
      writer.text("lang", name.language)
      writer.text("nameType", name.nameType.rawValue)
      writer.bool("isPreferred", name.isPreferred)
      write(name.record, isJSONNumber: areJSONNumbers, to: &writer)
      writer.text("sourceName", name.source?.title)
    }
  }

  /// The column of a batch that holds the ids of taxa that fit equally, joined by ";".
  package static let candidates = "candidates"

  /// Writes taxa that fit equally: in JSON, where there are any, as an array; else as the last cell.
  static func writeCandidates(
    _ taxa: [TaxonOrdinal], _ view: borrowing PackView, to writer: inout RowWriter
  ) {
    guard !taxa.isEmpty else { return }
    guard !writer.format.isStructured else { return write(candidates, taxa, view, to: &writer) }
    writer.skip(to: candidates)
    writer.joined(candidates, taxa.count) { view.ids.appendSourceID(of: taxa[$0], to: &$1) }
  }

  /// The column of a batch that holds the members of a set that name no taxon, joined by ";".
  package static let unknown = "unknown"

  /// Writes members of a set that name no taxon: in JSON, where there are any, as an array; else as the
  /// last cell.
  static func writeUnknown(_ members: [String], to writer: inout RowWriter) {
    guard !members.isEmpty else { return }
    guard !writer.format.isStructured else { return writer.texts(unknown, members) }
    writer.skip(to: unknown)
    writer.joined(unknown, members.count) { $1 += members[$0].utf8 }
  }

  /// An authorship with the year, which is added only where it does not say it: "(Linnaeus, 1758)".
  package static func authorship(_ author: String, _ year: Int?) -> String {
    guard let year, !author.contains("\(year)") else { return author }
    return author.hasSuffix(")") ? "\(author.dropLast()), \(year))" : "\(author), \(year)"
  }

  /// Writes what is known of a taxon and of its name besides its fields: code, standing in the source's
  /// words, whose concept it is, and the source.
  static func writeRecord(
    of taxon: TaxonOrdinal, _ view: borrowing PackView, to writer: inout RowWriter
  ) {
    let record = view.record(of: NameOrdinal(rawValue: taxon.rawValue))
    writer.text("code", record.code)
    writer.text("statusText", record.statusText)
    writer.text("sensu", record.sensu)
    write("source", view.source(of: taxon), to: &writer)
  }

  /// Writes where a row comes from; nil is null.
  package static func write(_ name: String?, _ source: DataSource?, to writer: inout RowWriter) {
    guard let source else { return writer.null(name) }
    writer.object(name) { writer in
      writer.text("kind", source.kind)
      writer.text("name", source.name)
      writer.text("release", source.release)
      writer.text("licence", source.licence)
      writer.text("citation", source.citation)
      writer.text("url", source.url)
    }
  }

  /// Writes what else is known of a further name: its own id, author, year, rank and standing.
  private static func write(
    _ record: NameRecord, isJSONNumber: Bool, to writer: inout RowWriter
  ) {
    writer.nameID("id", record.sourceID, isJSONNumber: isJSONNumber)
    writer.text("author", record.authorship)
    writer.number("year", record.year)
    writer.text("rank", record.rank?.rawValue)
    writer.text("status", record.status?.rawValue)
    writer.text("statusText", record.statusText)
    writer.text("code", record.code)
    writer.text("sensu", record.sensu)
  }

  /// Writes references, each with what it is about and the name of its source; nil is null.
  package static func write(
    _ name: String?, _ references: [TaxonCitation]?, from sources: [DataSource],
    areJSONNumbers: Bool, to writer: inout RowWriter
  ) {
    guard let references else { return writer.null(name) }
    writer.objects(name, references) { writer, reference in
      writer.text("citation", reference.citation)
      writer.text("url", reference.url)
      writer.text("refType", reference.refType)
      writer.text("name", reference.name)
      writer.text("nameAuthor", reference.nameRecord?.authorship)
      writer.number("nameYear", reference.nameRecord?.year)
      writer.text("sensu", reference.nameRecord?.sensu)
      writer.nameID(
        "nameID", reference.nameRecord?.sourceID, isJSONNumber: areJSONNumbers)
      writer.texts("traits", reference.traits)
      let number = reference.source ?? 0
      let isKnown = sources.indices.contains(number - 1)
      writer.text("sourceName", isKnown ? sources[number - 1].title : nil)
    }
  }

  /// Writes which database is installed as the reference; nil for none.
  package static func write(
    _ name: String?, _ installed: InstalledReference?, to writer: inout RowWriter
  ) {
    guard let installed else { return writer.null(name) }
    writer.object(name) { writer in
      writer.bool("active", installed.isActive)
      writer.text("dataset", installed.dataset)
      writer.number("release", Int(installed.releaseNumber))
      writer.text("buildTime", installed.buildTime)
      writer.text("keyID", installed.keyID)
      writer.text("sha256", installed.digest)
    }
  }

  /// A label of a taxon in a drawing: its name, its rank, and its common name if it has one.
  package static func label(
    _ taxon: TaxonOrdinal, _ view: borrowing PackView, _ languages: borrowing LanguagePreference
  ) -> (name: String, rank: String, common: String?) {
    (
      view.names.scientificName(of: taxon), rank(of: taxon, view),
      view.commonName(of: taxon, in: languages).map { view.names.text(of: $0) }
    )
  }
}

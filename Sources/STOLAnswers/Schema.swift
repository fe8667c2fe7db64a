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
    let author = view.taxa.authors[view.taxa.author(of: taxon)]
    let parentID = view.tree.parent(of: taxon).map { view.ids[$0] }
    write(
      view.ids[taxon], parentID, rank(of: taxon, view), author: author.isEmpty ? nil : author,
      year: view.taxa.year(of: taxon), status: view.taxa.statuses[view.taxa.status(of: taxon)],
      conservation: conservation(of: taxon, view), to: &writer
    ) { view.names.appendText(of: NameOrdinal(rawValue: taxon.rawValue), to: &$0) }
  }

  /// Writes the fields of a taxon.
  package static func writeFields(of taxon: Taxon, to writer: inout RowWriter) {
    write(
      taxon.id, taxon.parentID, taxon.rank.rawValue, author: taxon.author, year: taxon.year,
      status: taxon.status.rawValue, conservation: taxon.conservationStatus, to: &writer
    ) { $0 += taxon.scientificName.utf8 }
  }

  @inline(__always)
  private static func write(
    _ id: TaxonID, _ parentID: TaxonID?, _ rank: String, author: String?, year: Int?,
    status: String, conservation: String?, to writer: inout RowWriter,
    _ appendName: (inout [UInt8]) -> Void
  ) {
    writer.number("id", id)
    writer.number("parentID", parentID)
    writer.text("rank", rank)
    writer.text("scientificName", appendName)
    writer.text("author", author)
    writer.number("year", year)
    writer.text("taxonStatus", status)
    writer.text("conservationStatus", conservation)
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

  private static func conservation(of taxon: TaxonOrdinal, _ view: borrowing PackView) -> String? {
    let code = view.taxa.conservationCodes[view.taxa.conservation(of: taxon)]
    return code.isEmpty ? nil : code
  }

  /// The fields of a hit.
  package static let hitColumns = [
    "id", "rank", "scientificName", "matchedName", "matchType", "conservationStatus", "distance",
    "relevanceScore",
  ]

  /// Writes the fields of a hit in the pack.
  static func writeFields(
    of hit: SearchHit, _ view: borrowing PackView, to writer: inout RowWriter
  ) {
    writeHead(of: hit.taxon, view, to: &writer)
    if view.names.isScientific(hit.name) {
      writer.textAgain("matchedName")
    } else {
      writer.text("matchedName", hit.name, view)
    }
    writeEnd(
      MatchType(of: hit.name, in: view.names), conservation(of: hit.taxon, view), hit.distance,
      hit.relevanceScore, to: &writer)
  }

  /// Writes the fields of a hit.
  package static func writeFields(of result: SearchResult, to writer: inout RowWriter) {
    writer.number("id", result.id)
    writer.text("rank", result.rank.rawValue)
    writer.text("scientificName", result.scientificName)
    writer.text("matchedName", result.matchedName)
    writeEnd(
      result.matchType, result.conservationStatus, result.hit.distance, result.hit.relevanceScore,
      to: &writer)
  }

  @inline(__always)
  private static func writeEnd(
    _ matchType: MatchType, _ conservation: String?, _ distance: Int, _ score: Double,
    to writer: inout RowWriter
  ) {
    writer.text("matchType", matchType.rawValue)
    writer.text("conservationStatus", conservation)
    writer.number("distance", distance)
    writer.number("relevanceScore", score)
  }

  /// Writes id, rank and scientific name.
  static func writeHead(
    of taxon: TaxonOrdinal, _ view: borrowing PackView, to writer: inout RowWriter
  ) {
    writer.number("id", view.ids[taxon])
    writer.text("rank", rank(of: taxon, view))
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
    writer.number("lcaID", taxon.map { view.ids[$0] })
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

  package static func write(_ name: String?, _ names: [TaxonName], to writer: inout RowWriter) {
    writer.objects(name, names) { writer, name in
      writer.text("name", name.name)
      writer.text("lang", name.language)
      writer.text("nameType", name.nameType.rawValue)
      writer.bool("isPreferred", name.isPreferred)
    }
  }

  package static func write(
    _ name: String?, _ references: [TaxonReference]?, to writer: inout RowWriter
  ) {
    guard let references else { return writer.null(name) }
    writer.objects(name, references) { writer, reference in
      writer.text("citation", reference.citation)
      writer.text("url", reference.url)
      writer.text("refType", reference.refType)
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

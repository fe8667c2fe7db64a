import STOLAnswers
import STOLData
import STOLPack
import STOLSearch

/// Tables to save: what a list shows, as comma- or tab-separated values.
enum SavedTable {
  private static let columns =
    ["id", "rank", "scientificName", "authorship", "commonName", "conservationStatus"]
    + ["speciesCount", "genusCount", "assessedCount", "threatenedCount"]

  /// A row for each taxon.
  static func taxa(_ cards: [TaxonCard], _ form: Form, as name: String) -> Reply {
    reply(columns, cards.count, form, name) { row, writer in writer.cells(of: cards[row]) }
  }

  /// A row for each hit of a search.
  static func hits(_ hits: [Pages.Hit], _ form: Form, as name: String) -> Reply {
    reply(columns + ["matchedName", "matchType"], hits.count, form, name) { row, writer in
      writer.cells(of: hits[row].card)
      writer.text("matchedName", hits[row].result.matchedName)
      writer.text("matchType", hits[row].result.matchType.rawValue)
    }
  }

  /// A row for each trait of each taxon that is compared; one without a trait for those that have none.
  static func comparison(_ comparison: TaxaComparison, _ form: Form, as name: String) -> Reply {
    var rows: [(card: TaxonCard, trait: Trait?)] = []
    for (card, traits) in zip(comparison.cards, comparison.traits) {
      rows += traits.isEmpty ? [(card, nil)] : traits.map { (card, $0) }
    }
    return reply(
      ["id", "rank", "scientificName", "commonName", "key", "value", "unit"], rows.count, form, name
    ) { row, writer in
      let (card, trait) = rows[row]
      writer.id("id", card)
      writer.text("rank", card.taxon.rank.rawValue)
      writer.text("scientificName", card.taxon.scientificName)
      writer.text("commonName", card.commonName?.text)
      writer.text("key", trait?.key)
      writer.text("value", trait?.value)
      writer.text("unit", trait?.unit)
    }
  }

  private static func reply(
    _ columns: [String], _ count: Int, _ form: Form, _ name: String,
    _ write: (Int, inout RowWriter) -> Void
  ) -> Reply {
    let bytes = RowWriter.rows(
      form == .csv ? .csv : .tsv, columns: columns, count: count, write)
    return .download(
      bytes, form == .csv ? "text/csv" : "text/tab-separated-values",
      as: fileName(name) + form.rawValue)
  }

  /// A name for a file: small letters and digits of the ASCII, hyphens for what is between them.
  static func fileName(_ text: String) -> String {
    let words = text.lowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
    let name = words.joined(separator: "-").prefix(60)
    return name.isEmpty ? "taxa" : String(name)
  }
}

extension RowWriter {
  fileprivate mutating func cells(of card: TaxonCard) {
    let taxon = card.taxon
    id("id", card)
    text("rank", taxon.rank.rawValue)
    text("scientificName", taxon.scientificName)
    text(
      "authorship",
      taxon.author.map { Schema.authorship($0, taxon.year) } ?? taxon.year.map { "\($0)" })
    text("commonName", card.commonName?.text)
    text("conservationStatus", taxon.conservationStatus)
    (card.facts ?? CladeFacts()).write(to: &self)
  }
}

extension PackView {
  /// Cards with how much is in them, for tables.
  func counted(_ cards: [TaxonCard], _ counts: CladeCounts) -> [TaxonCard] {
    cards.map { card in
      var card = card
      card.facts = (try? ordinal(of: card.id)).map { counts.facts(of: $0, in: self) }
      return card
    }
  }
}

extension Pages {
  /// The children of a taxon, or the roots, all of them, as a table.
  func childTable(_ visit: Visit, of id: TaxonID?) throws -> Reply {
    let (cards, name) = try withView(visit) { view, languages in
      let taxon = try id.map { try view.ordinal(of: $0) }
      let order = visit.query["sort"].flatMap(ChildOrder.init) ?? .name
      let children = view.children(of: taxon, by: order, sources.counts)
      return (
        view.counted(view.cards(children, languages, services.favorites), sources.counts),
        taxon.map { view.names.scientificName(of: $0) } ?? "roots"
      )
    }
    return SavedTable.taxa(cards, visit.address.form, as: name)
  }
}

extension Layout {
  /// What can be saved of a page: links to files.
  static func downloads(_ files: [(title: String, address: Address, name: String)]) -> Html {
    tag("nav", .class("downloads"), .label(Words[.save])) {
      tag("span") { Words[.saveAs] }
      itemList(of: files) { title, address, name in
        tag("a", .href(address), Attribute("download", name)) { title }
      }
    }
  }

  /// A table of a page in its three forms.
  static func tables(
    _ route: Route, _ query: Fields, as name: String
  ) -> [(title: String, address: Address, name: String)] {
    [("CSV", Form.csv), ("TSV", .tsv), ("JSON", .json)].map { title, form in
      (title, Address(route, form, query: query), SavedTable.fileName(name) + form.rawValue)
    }
  }

  /// The tree of taxa, or of all in one, in Newick format.
  static func newick(
    _ cards: [TaxonCard], as name: String
  ) -> (title: String, address: Address, name: String) {
    var query = Fields()
    for card in cards { query.append("taxon", card.address.text) }
    query.append("format", "newick")
    return ("Newick", Address(.subtree, query: query), SavedTable.fileName(name) + ".nwk")
  }
}

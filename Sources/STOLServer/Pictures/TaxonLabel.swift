import STOLAnswers
import STOLPack

/// What pictures and lists say about a taxon.
struct TaxonLabel: Equatable, Sendable {
  let taxon: TaxonOrdinal
  let id: TaxonID
  /// How addresses name it.
  let address: TaxonAddress
  private let sourceID: String?
  private let hasJSONNumberID: Bool
  let rank: String
  let scientificName: String
  /// With a capital at its start.
  let commonName: String?
  /// The BCP 47 tag of the common name.
  let language: String?

  init(
    _ taxon: TaxonOrdinal, in view: borrowing PackView, _ preference: borrowing LanguagePreference
  ) {
    self.taxon = taxon
    id = view.ids[taxon]
    address = view.address(of: taxon)
    sourceID = view.sourceID(of: taxon)
    hasJSONNumberID = view.ids.fitJSONNumbers
    rank = view.rank(of: taxon).rawValue
    scientificName = view.names.scientificName(of: taxon)
    let name = view.commonName(of: taxon, in: preference)
    commonName = name.map { view.names.text(of: $0).capitalisedFirst }
    language = name.map { view.names.languages[view.names.language(of: $0)] }
  }

  /// The labels of some taxa, in their order.
  static func labels(
    of taxa: [TaxonOrdinal], in view: borrowing PackView,
    _ preference: borrowing LanguagePreference
  ) -> [TaxonLabel] {
    taxa.map { TaxonLabel($0, in: view, preference) }
  }

  /// The common name, else the scientific one.
  var name: String { commonName ?? scientificName }

  /// All of it in a line.
  var title: String {
    [commonName, scientificName, Words.rank(rank)].compactMap(\.self)
      .joined(separator: Words.comma)
  }

  /// Both names, as a page shows them in a link.
  var html: Html {
    Html {
      commonName.map { name in
        Html {
          tag("bdi", .class("name"), .lang(language)) { name }
          " "
        }
      }
      tag("bdi", .class("scientific"), .lang("la")) { scientificName }
    }
  }

  /// A line of a list: a link and the rank.
  func item(to address: Address) -> Html {
    Html {
      tag("a", .href(address)) { html }
      " "
      tag("span", .class("badge")) { Words.rank(rank) }
    }
  }

  /// Adds the id, as its source writes it.
  func writeID(_ name: String = "id", to json: inout RowWriter) {
    json.id(name, sourceID, isJSONNumber: hasJSONNumberID)
  }

  /// Adds the members that every twin of a picture has.
  func write(to json: inout RowWriter) {
    writeID(to: &json)
    json.text("scientificName", scientificName)
    json.text("commonName", commonName)
    json.text("rank", rank)
  }
}

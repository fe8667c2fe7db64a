import STOLPack
import STOLSearch

/// The filters that a search and the tree offer: rank, conservation status, habitat, and a clade.
struct FilterFields: Sendable {
  let filter: TaxonFilter
  let habitat: String?
  /// As many habitats can be chosen from.
  private static let greatestHabitatCount = 200
  /// Whether nothing but perhaps a clade is asked for.
  let isEmpty: Bool

  /// Reads the fields of a query.
  ///
  /// A habitat that the database does not know lets nothing through; a rank or code that it does not
  /// know is said to be wrong when it is used.
  init(_ query: Fields) throws {
    var filter = TaxonFilter(rank: query["rank"].map { TaxonRank(rawValue: $0) })
    filter.conservationStatus = query["conservation"]
    habitat = query["habitat"]
    if let habitat {
      filter.traits = [TaxonFilter.TraitTerm(key: Services.habitatKey, value: habitat)]
    }
    isEmpty = filter == TaxonFilter()
    if let within = query["within"] {
      guard let id = TaxonID(decimal: within) else {
        throw SearchError.unknownValue(of: "clade", given: within, known: [])
      }
      filter.within = id
    }
    self.filter = filter
  }

  /// The controls of a form, as selects that work everywhere.
  func controls(_ pack: Pack) -> Html {
    let view = pack.view
    let codes = view.taxa.conservationCodes.all.filter { !$0.isEmpty }.sorted()
    // Words to choose from; a database that has sentences in their place is searched for them.
    let habitats = Set(
      view.traits.pairs(key: Services.habitatKey, value: nil).prefix(Self.greatestHabitatCount)
        .map { view.traits.trait($0).value }
    ).sorted()
    let isOpen = !isEmpty
    let ranks = view.taxa.ranks.all
    return tag("details", .class("filters"), Attribute("open", isSet: isOpen)) {
      tag("summary") { "Filters" }
      tag("div", .class("fields")) {
        Self.select(
          "rank", "Rank", filter.rank?.rawValue,
          MainRank.allCases.map(TaxonRank.init).filter(ranks.contains).map {
            ($0.rawValue, $0.rawValue)
          })
        if !codes.isEmpty {
          Self.select(
            "conservation", "Conservation status", filter.conservationStatus,
            codes.map { ($0, "\(Words.conservation($0).title) (\($0))") })
        }
        if !habitats.isEmpty {
          Self.select(
            Services.habitatKey, "Habitat", habitat,
            habitats.map { ($0, $0.split(separator: "_").joined(separator: " ")) })
        }
        if let within = filter.within {
          void("input", .type("hidden"), .name("within"), .value("\(within.rawValue)"))
        }
        tag("button", .type("submit"), .class("button")) { "Show" }
      }
    }
  }

  private static func select(
    _ name: String, _ label: String, _ chosen: String?, _ values: [(value: String, title: String)]
  ) -> Html {
    tag("div", .class("select")) {
      tag("label", .for("filter-\(name)")) { label }
      tag("select", .id("filter-\(name)"), .name(name)) {
        tag("option", .value("")) { "any" }
        for (value, title) in values {
          tag("option", .value(value), Attribute("selected", isSet: value == chosen)) { title }
        }
      }
    }
  }
}

import STOLAnswers
import STOLPack
import STOLSearch
import STOLSystem

/// A text that should name the clade of a filter and does not.
struct CladeNotFound: StolError {
  let kind = ErrorKind.usage
  let description: String
}

/// The filters that a search and the tree offer: rank, conservation status, habitat, and a clade.
struct FilterFields: Sendable {
  let filter: TaxonFilter
  let habitat: String?
  /// The clade as the query names it, for a form to send again.
  private let within: String?
  /// As many habitats can be chosen from.
  private static let greatestHabitatCount = 200
  /// As many ids are named where a clade is ambiguous.
  private static let greatestCandidateCount = 8
  /// Whether nothing but perhaps a clade is asked for.
  let isEmpty: Bool

  /// Reads the fields of a query, of which the clade is what `--within` of the command takes: an id, a
  /// reference or a name.
  ///
  /// A habitat that the database does not know lets nothing through; a rank or code that it does not
  /// know is said to be wrong when it is used.
  ///
  /// - Throws: `CladeNotFound`.
  init(_ query: Fields, in view: borrowing PackView) throws(CladeNotFound) {
    let within = query["within"]
    var clade: TaxonID?
    if let within { clade = try Self.clade(named: within, view) }
    self.init(query, clade, within)
  }

  /// The same for what is below a taxon, or for all, whatever clade the query names.
  init(_ query: Fields, below taxon: TaxonID?) { self.init(query, taxon, nil) }

  private init(_ query: Fields, _ clade: TaxonID?, _ within: String?) {
    var filter = TaxonFilter(rank: query["rank"].map { TaxonRank(rawValue: $0) })
    filter.conservationStatus = query["conservation"]
    habitat = query["habitat"]
    if let habitat {
      filter.traits = [TaxonFilter.TraitTerm(key: Services.habitatKey, value: habitat)]
    }
    isEmpty = filter == TaxonFilter()
    filter.within = clade
    self.within = within
    self.filter = filter
  }

  private static func clade(
    named text: String, _ view: borrowing PackView
  ) throws(CladeNotFound) -> TaxonID {
    // As a member `address` of an answer has it, in which some letters of ids are escaped.
    if let address = TaxonAddress(segment: text), address.idSpace == view.addressSpace,
      let taxon = view.resolve(sourceID: address.id).taxon
    {
      return view.ids[taxon]
    }
    let match = TaxonMatch(text, view, SearchFilter())
    if let taxon = match.taxon, match.status != .partial { return view.ids[taxon] }
    guard match.status == .ambiguous else {
      throw CladeNotFound(
        description: "no taxon \"\(text)\"" + view.suggestions(for: text, SearchFilter()))
    }
    let ids = match.candidates.prefix(greatestCandidateCount).compactMap { view.sourceID(of: $0) }
    throw CladeNotFound(
      description: "\"\(text)\" is ambiguous; give an id, as \(ids.joined(separator: " or "))")
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
      tag("summary") { Words[.filters] }
      tag("div", .class("fields")) {
        Self.select(
          "rank", Words[.rankTitle], filter.rank?.rawValue,
          MainRank.allCases.map(TaxonRank.init).filter(ranks.contains).map {
            ($0.rawValue, Words.rank($0.rawValue))
          })
        if !codes.isEmpty {
          Self.select(
            "conservation", Words[.conservationTitle], filter.conservationStatus,
            codes.map {
              ($0, Words[.bracketed, ["text": Words.conservationTitle($0), "note": $0]])
            })
        }
        if !habitats.isEmpty {
          Self.select(
            Services.habitatKey, Words[.habitatTitle], habitat,
            habitats.map { ($0, $0.split(separator: "_").joined(separator: " ")) })
        }
        if let within { void("input", .type("hidden"), .name("within"), .value(within)) }
        tag("button", .type("submit"), .class("button")) { Words[.show] }
      }
    }
  }

  private static func select(
    _ name: String, _ label: String, _ chosen: String?, _ values: [(value: String, title: String)]
  ) -> Html {
    tag("div", .class("select")) {
      tag("label", .for("filter-\(name)")) { label }
      tag("select", .id("filter-\(name)"), .name(name)) {
        tag("option", .value("")) { Words[.anyChoice] }
        for (value, title) in values {
          tag("option", .value(value), Attribute("selected", isSet: value == chosen)) { title }
        }
      }
    }
  }
}

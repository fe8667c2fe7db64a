import STOLAnswers
import STOLData
import STOLPack
import STOLSearch

extension Pages {
  /// As many children, or taxa that pass filters, are on one page.
  static let pageSize = 100
  /// As many taxa that pass filters are shown in all.
  static let greatestFilteredCount = 1000

  /// The tree at a taxon, or at its roots: the way there, and what is directly below.
  func tree(_ visit: Visit, at id: TaxonID?) async throws -> Reply {
    let filter = FilterFields(visit.query, below: id)
    if visit.address.form.isTable, filter.isEmpty { return try childTable(visit, of: id) }
    let wanted = visit.query.number("page", in: 1...1_000_000) ?? 1
    let branch = try await branch(at: id, filter, page: wanted, visit)
    if visit.address.form == .json {
      return .json { json in
        json.taxon("taxon", branch.taxon)
        json.taxa("ancestors", branch.ancestors)
        json.taxa("children", branch.children)
        json.number("speciesCount", branch.speciesCount)
        json.array("speciesCounts") { json in
          for card in branch.children { json.number(nil, card.facts?.speciesCount) }
        }
        json.objects("counts", branch.children) { json, card in
          (card.facts ?? CladeFacts()).write(to: &json)
        }
        json.array("areDrawn") { json in
          for card in branch.children { json.bool(nil, card.thumbnail != nil) }
        }
        json.array("thumbnails") { json in
          for card in branch.children { json.text(nil, card.thumbnail?.text) }
        }
        json.number("page", branch.page)
        json.number("pageSize", Self.pageSize)
        json.number("childCount", branch.childCount)
      }
    }
    if visit.address.form.isTable {
      return SavedTable.taxa(
        branch.children, visit.address.form, as: branch.taxon?.taxon.scientificName ?? "found")
    }
    return treePage(visit, branch, filter)
  }

  /// What the tree shows at one place.
  struct Branch: Sendable {
    let taxon: TaxonCard?
    let ancestors: [TaxonCard]
    /// Those of one page.
    let children: [TaxonCard]
    /// The species in it, or in the whole tree.
    let speciesCount: Int
    /// What they are ordered by.
    let order: ChildOrder
    /// Whether all that is in it can be saved as a tree.
    let isSmall: Bool
    /// How many there are on all pages.
    let childCount: Int
    /// Which page they are: the one that was asked for, or the last one.
    let page: Int

    /// How many pages so many children take, one at least.
    static func pageCount(of count: Int) -> Int {
      max(1, (count + Pages.pageSize - 1) / Pages.pageSize)
    }
  }

  private func branch(
    at id: TaxonID?, _ filter: FilterFields, page: Int, _ visit: Visit
  ) async throws -> Branch {
    var hits: [SearchResult]?
    if !filter.isEmpty {
      hits = try await services.search.search(
        SearchQuery("", words: .asTyped, limit: Self.greatestFilteredCount),
        filter: filter.filter, in: snapshot)
    }
    return try withView(visit) { view, languages in
      let taxon = try id.map { try view.ordinal(of: $0) }
      let order = visit.query["sort"].flatMap(ChildOrder.init) ?? .name
      let sources = sources
      let below = hits == nil ? view.children(of: taxon, by: order, sources.counts) : []
      let count = hits?.count ?? below.count
      let page = min(page, Branch.pageCount(of: count))
      let start = (page - 1) * Self.pageSize
      let ancestors = taxon.map { view.tree.ancestors(of: $0) } ?? []
      let shown =
        hits.map { cards($0.dropFirst(start).prefix(Self.pageSize).map(\.id), visit) }
        ?? view.cards(
          below.dropFirst(start).prefix(Self.pageSize), languages, services.favorites)
      return Branch(
        taxon: taxon.map { view.card($0, languages, services.favorites) },
        ancestors: view.cards(ancestors, languages, services.favorites),
        children: view.pictured(shown, sources),
        speciesCount: sources.counts.facts(of: taxon, in: view).speciesCount, order: order,
        isSmall: taxon.map { view.tree.subtree(of: $0).count <= Self.greatestSubtreeCount }
          ?? false,
        childCount: count, page: page)
    }
  }

  // MARK: - Page

  private func treePage(_ visit: Visit, _ branch: Branch, _ filter: FilterFields) -> Reply {
    let layout = layout(visit)
    let title = branch.taxon?.title ?? Words[.treeTitle]
    return layout.page(title, in: .tree) {
      layout.breadcrumb(branch.ancestors, current: branch.taxon) { .tree($0) }
      tag("div", .class("title")) {
        tag("h1") {
          if let card = branch.taxon { Layout.names(card) } else { Words[.treeTitle] }
        }
        if let card = branch.taxon {
          tag("p", .class("badges")) {
            Layout.rank(card.taxon)
            Layout.conservation(card.taxon.conservationStatus)
          }
        }
      }
      tag("p", .class("actions")) {
        if let card = branch.taxon {
          tag("a", .class("button"), .href(Address(.taxon(card.address)))) {
            Words[.aboutTaxon, ["taxon": card.title]]
          }
        }
        tag("a", .class("button"), .href(Address(.icicle(branch.taxon?.address)))) {
          Words[.asPicture]
        }
        tag("a", .class("button"), .href(Address(.search))) { Words[.jumpToName] }
      }
      tag(
        "form", .label(Words[.filters]), Attribute("action", visit.address.path)
      ) {
        filter.controls(snapshot.pack)
      }
      tag("section", .label(Words[filter.isEmpty ? .directlyBelow : .foundBelow])) {
        tag("h2") { heading(branch, filter) }
        if filter.isEmpty, branch.childCount > 1 { sorting(visit, branch.order) }
        list(visit, branch, filter)
        if !branch.children.isEmpty { downloads(visit, branch) }
      }
    }
  }

  /// All that is directly below as a table; of what was found, this page.
  private func downloads(_ visit: Visit, _ branch: Branch) -> Html {
    let name = branch.taxon?.taxon.scientificName ?? "roots"
    var files = Layout.tables(visit.route, visit.query, as: name)
    if let card = branch.taxon, branch.isSmall { files.append(Layout.newick([card], as: name)) }
    return Layout.downloads(files)
  }

  private func sorting(_ visit: Visit, _ order: ChildOrder) -> Html {
    Layout.chips(
      Words[.sortedBy],
      ChildOrder.allCases.map { other in
        var query = visit.query
        query.set("sort", other == .name ? nil : other.rawValue)
        query.set("page", nil)
        return (other.title, Address(visit.route, query: query), other == order)
      })
  }

  private func heading(_ branch: Branch, _ filter: FilterFields) -> String {
    guard filter.isEmpty else {
      let isAll = branch.childCount < Self.greatestFilteredCount
      let taxa = Words[.taxa, count: branch.childCount].capitalisedFirst
      return Words[.taxaFound, ["taxa": isAll ? taxa : Words[.orMore, ["count": taxa]]]]
    }
    if branch.childCount == 0 { return Words[.leafHeading] }
    return Words[branch.taxon == nil ? .roots : .branches, count: branch.childCount]
      .capitalisedFirst
  }

  private func list(_ visit: Visit, _ branch: Branch, _ filter: FilterFields) -> Html {
    let number = branch.page
    let count = Branch.pageCount(of: branch.childCount)
    return Html {
      if !branch.children.isEmpty {
        tag(
          "ul", .class("tree"), Attribute("data-tree", filter.isEmpty ? "" : nil),
          Attribute("data-first", "\((number - 1) * Self.pageSize + 1)"),
          Attribute("data-count", "\(branch.childCount)")
        ) {
          for card in branch.children { Self.row(card, of: branch.speciesCount) }
        }
      } else if !filter.isEmpty {
        tag("p") {
          Words[.nonePassesHere]
          " "
          tag("a", .href(Address(visit.route))) { Words[.showEverything] }
        }
      }
      Layout.pages(number, of: count, visit)
    }
  }

  /// A row of the tree: to the tree below where there is something, else to the taxon's page.
  private static func row(_ card: TaxonCard, of speciesCount: Int) -> Html {
    tag(
      "li", Attribute("data-id", card.address.text),
      Attribute("data-children", card.hasChildren ? "" : nil)
    ) {
      tag("div", .class("row")) {
        tag("div", .class("what")) {
          Layout.link(
            card,
            to: card.hasChildren ? Address(.tree(card.address)) : Address(.taxon(card.address)))
          card.facts.flatMap { CladeShare(facts: $0, total: speciesCount).html(of: card.taxon) }
        }
        if card.hasChildren {
          tag(
            "a", .class("about"), .href(Address(.taxon(card.address))),
            .label(Words[.aboutTaxon, ["taxon": card.title]])
          ) { Words[.about] }
        }
      }
    }
  }
}

import STOLAnswers
import STOLData
import STOLFavorites
import STOLPack

extension Pages {
  /// A clade, or the whole tree, as rectangles sized by species; or a flight from one taxon to another.
  func icicle(_ visit: Visit, of id: TaxonID?) async throws -> Reply {
    var flight: [TaxonCard] = []
    if visit.address == Address(.icicle(nil), query: visit.query) {
      for text in ["from", "to"].compactMap({ visit.query[$0] }) {
        let pick = try await pick(text, visit)
        guard let card = pick.card else { return noTaxon(pick, visit) }
        flight.append(card)
      }
    }
    return try icicle(visit, of: id, flight)
  }

  private func icicle(_ visit: Visit, of place: TaxonID?, _ flight: [TaxonCard]) throws -> Reply {
    let id = try place ?? (flight.isEmpty ? nil : meeting(of: flight, visit))
    func icicle(_ format: PictureFormat) throws -> Icicle {
      try withView(visit) { view, languages in
        Icicle(
          of: try id.map { try view.ordinal(of: $0) }, format: format,
          services.counts.counts(of: snapshot.pack), in: view, languages)
      }
    }
    switch visit.address.form {
    case .json:
      let icicle = try icicle(format(visit))
      return .json { icicle.write(to: &$0) }
    case .svg: return .picture(try icicle(format(visit)).picture)
    case .page, .csv, .tsv: break
    }
    let cards = try withView(visit) { view, languages in
      guard let taxon = try id.map({ try view.ordinal(of: $0) }) else { return [TaxonCard]() }
      let lineage = view.tree.ancestors(of: taxon) + [taxon]
      return view.cards(lineage, languages, services.favorites)
    }
    let (wide, narrow) = (try icicle(.wide), try icicle(.narrow))
    let title = cards.last?.title ?? Words[.wholeTree]
    let layout = layout(visit)
    return layout.page(Words[.pictureTitle, ["taxon": title]], in: .tree) {
      layout.breadcrumb(cards.dropLast(), current: cards.last) { .icicle($0) }
      tag("h1") {
        Words[wide.measure == .species ? .sizedBySpecies : .sizedByTips, ["taxon": title]]
      }
      if flight.count == 2 { Self.flight(from: flight[0], to: flight[1], cards.last) }
      life(at: cards.last, flight)
      tag("p", .class("links-only")) {
        Words[.shareHint]
        " "
        if let card = cards.last {
          tag("a", .href(Address(.taxon(card.address)))) {
            Words[.aboutTaxon, ["taxon": card.title]]
          }
          ". "
        }
        tag("a", .href(Address(.tree(cards.last?.address)))) { Words[.asTree] }
        "."
      }
      figure(visit, class: "frame zoom", list: wide.list) { format in
        (format == .wide ? wide : narrow).picture
      }
    }
  }

  /// Where the picture of all life is drawn, if scripts run, and from where.
  private func life(at card: TaxonCard?, _ flight: [TaxonCard]) -> Html {
    tag(
      "section", .class("life"), .label(Words[.lifeLabel]),
      Attribute("data-at", card?.address.text ?? Self.allLife),
      Attribute("data-from", flight.count == 2 ? flight[0].address.text : nil),
      Attribute("data-to", flight.last?.address.text), Attribute("hidden", "")
    ) {
      // All at once, and not one after the other.
      for name in ["", "-boxes", "-camera", "-drawing", "-guide", "-hands", "-labels"] {
        void("link", Attribute("rel", "modulepreload"), .href(Address(.asset("life\(name).js"))))
      }
    }
  }

  /// The last common ancestor of taxa.
  private func meeting(of cards: [TaxonCard], _ visit: Visit) throws -> TaxonID? {
    try withView(visit) { view, _ in
      view.tree.lowestCommonAncestor(try cards.map { try view.ordinal(of: $0.id) }).map {
        view.ids[$0]
      }
    }
  }

  /// A flight in words.
  private static func flight(
    from start: TaxonCard, to end: TaxonCard, _ meeting: TaxonCard?
  ) -> Html {
    tag("p", .class("flight")) {
      Html(
        .flightWords,
        [
          "first": Layout.link(start), "second": Layout.link(end),
          "kinship": Layout.kinship(start, end, meeting),
        ])
    }
  }

  /// The way from the root to a taxon.
  func lineage(_ visit: Visit, _ id: TaxonID) throws -> Reply {
    let (path, card) = try withView(visit) { view, languages in
      let taxon = try view.ordinal(of: id)
      return (
        LineagePath(to: taxon, in: view, languages),
        view.card(taxon, languages, services.favorites)
      )
    }
    return reply(
      visit, Words[.wayTo, ["taxon": card.title]], in: .tree,
      see: (Words[.aboutTaxon, ["taxon": card.title]], .taxon(card.address)),
      list: path.list, json: { path.write(to: &$0) }, picture: path.picture)
  }

  /// What is drawn in place of a photograph of a taxon.
  func drawing(_ visit: Visit, _ id: TaxonID) throws -> Reply {
    let depiction = try withView(visit) { view, _ in
      Depiction(of: try view.ordinal(of: id), in: view)
    }
    return .picture(depiction.picture(id: "\(id.rawValue)"))
  }

  /// The favourites on the tree.
  func favoritesTree(_ visit: Visit) async throws -> Reply {
    let references = try await services.favorites.allFavorites().map(\.reference)
    let tree = withView(visit) { view, languages in
      FavoritesTree(of: view.resolve(references).compactMap(\.taxon), in: view, languages)
    }
    return reply(
      visit, Words[.favoritesOnTree], in: .favorites,
      see: (Words[.asListToSort], .favorites),
      list: tree.list, json: { tree.write(to: &$0) }, picture: tree.picture)
  }

  // MARK: - Comparison

  func comparisonPicture(_ comparison: TaxaComparison, _ visit: Visit) -> Reply {
    .picture(comparisonTree(comparison, visit).picture(format(visit)))
  }

  func comparisonFigure(_ comparison: TaxaComparison, _ visit: Visit) -> Html {
    let tree = comparisonTree(comparison, visit)
    return figure(visit, list: tree.list) { tree.picture($0) }
  }

  private func comparisonTree(_ comparison: TaxaComparison, _ visit: Visit) -> ComparisonTree {
    withView(visit) { view, languages in
      ComparisonTree(
        of: comparison.cards.compactMap { try? view.ordinal(of: $0.id) }, in: view, languages)
    }
  }

  // MARK: - Shared

  /// A picture in the form that was asked for; as a page with a link to what it goes with.
  private func reply(
    _ visit: Visit, _ title: String, in section: Section, see link: (text: String, route: Route),
    list: @autoclosure () -> Html, json: (inout RowWriter) -> Void,
    picture: (PictureFormat) -> Picture
  ) -> Reply {
    switch visit.address.form {
    case .json: return .json(json)
    case .svg: return .picture(picture(format(visit)))
    case .page, .csv, .tsv:
      return layout(visit).page(title, in: section) {
        tag("h1") { title }
        tag("p") {
          tag("a", .href(Address(link.route))) { link.text }
          "."
        }
        figure(visit, list: list(), picture)
      }
    }
  }

  /// How much room somebody says there is; a file is drawn wide unless told otherwise.
  func format(_ visit: Visit) -> PictureFormat {
    visit.query["format"].flatMap(PictureFormat.init) ?? .wide
  }

  /// A picture in both formats, of which the style sheet shows one, and the list that says the same.
  func figure(
    _ visit: Visit, class name: String = "frame", list: Html,
    _ picture: (PictureFormat) -> Picture
  ) -> Html {
    tag("figure", .class(name)) {
      for format in PictureFormat.allCases {
        tag("div", .class("only-\(format.rawValue)")) { picture(format).inline }
      }
      tag("figcaption") {
        tag(
          "a", .class("button"), .href(Address(visit.route, .svg, query: visit.query)),
          Attribute("download", ""), Attribute("data-png", "")
        ) { Words[.savePicture] }
      }
      tag("details", .class("part")) {
        tag("summary") { Words[.sameAsList] }
        list
      }
    }
  }
}

extension Reply {
  /// A picture as a file of its own.
  static func picture(_ picture: Picture) -> Reply {
    Reply(contentType: "image/svg+xml; charset=utf-8", bytes: picture.document)
  }
}

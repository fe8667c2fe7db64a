import STOLSystem
import STOLAnswers
import STOLData
import STOLFavorites
import STOLMedia
import STOLPack

/// Answers visits: each route as a page, and as its twins.
///
/// A visit is answered from one snapshot of the database, whatever becomes active meanwhile.
struct Pages: Sendable {
  let services: Services
  let token: String
  let imports: Imports
  let mediaInstalls: MediaInstalls
  /// What the visit is answered from.
  private(set) var snapshot: DatabaseSnapshot
  /// The pictures that there are of its taxa.
  private(set) var images: MediaLibrary?

  init(services: Services, token: String) {
    self.services = services
    self.token = token
    imports = Imports(services)
    mediaInstalls = MediaInstalls(services)
    snapshot = services.provider.snapshot()
  }

  /// The answer to a visit, whatever goes wrong.
  func reply(to visit: Visit) async -> Reply {
    let snapshot = services.provider.snapshot()
    return await reply(
      to: visit, in: snapshot, with: await services.media.library(in: snapshot.pack))
  }

  /// The answer to a visit from one database and the pictures of its taxa.
  func reply(
    to visit: Visit, in snapshot: DatabaseSnapshot, with images: MediaLibrary
  ) async -> Reply {
    var pages = self
    (pages.snapshot, pages.images) = (snapshot, images)
    return await pages.answer(visit)
  }

  private func answer(_ visit: Visit) async -> Reply {
    do {
      if let form = visit.form { return try await change(visit, form) }
      return try await show(visit)
    } catch let error as any StolError {
      // What a form asks for may be refused as things stand; what a page asks for is there or not.
      let isRefused = visit.form != nil && visit.route != .favorites
      return problem(
        visit, isRefused ? 409 : error.kind.httpStatus, Self.title(error.kind), error.description,
        isOfEngine: true)
    } catch {
      return problem(visit, 500, Words[.somethingWrong], "\(error)")
    }
  }

  private func show(_ visit: Visit) async throws -> Reply {
    switch visit.route {
    case .home: return await home(visit)
    case .search: return try await search(visit)
    case .completions: return try await completions(visit)
    case .tree, .taxon, .lineage, .relatives, .icicle, .image, .drawing, .thumbnail, .pictures:
      return try await showTaxon(visit)
    case .compare: return try await compare(visit)
    case .match: return try await match(visit)
    case .matchNames: return try await matchNames(visit)
    case .ancestor: return try await ancestor(visit)
    case .subtree: return try await subtree(visit)
    case .boxes: return try boxes(visit)
    case .favorites: return try await favorites(visit)
    case .favoritesTree: return try await favoritesTree(visit)
    case .favoritesExport: return try await favoritesExport(visit)
    case .favoritesClear: return favoritesClear(visit)
    case .journal(let route): return await journal(visit, route)
    case .settings: return await settings(visit)
    case .databases: return await databases(visit)
    case .databasesImport: return await databasesImport(visit)
    case .databasesDelete: return await databasesDelete(visit)
    case .media: return await media(visit)
    case .mediaImport: return await mediaImport(visit)
    case .mediaDelete: return await mediaDelete(visit)
    case .keys: return await keys(visit)
    case .keysTrust: return await keysTrust(visit)
    case .keysForget: return await keysForget(visit)
    case .storage: return await storage(visit)
    case .sources: return await sources(visit)
    case .diagnostics: return await diagnostics(visit)
    case .diagnosticsExport: return await diagnosticsExport()
    case .privacy: return await privacy(visit)
    case .api: return api(visit)
    case .openAPI: return asset("openapi.json") ?? notFound(visit.address.path)
    case .health: return .json { $0.text("status", "ok") }
    case .asset(let name): return asset(name) ?? notFound(visit.address.path)
    }
  }

  /// What is about a taxon, or about all life.
  private func showTaxon(_ visit: Visit) async throws -> Reply {
    var id: TaxonID?
    if let address = visit.route.taxon {
      switch located(address) {
      case .here(let found): id = found
      case .gone(let isDeleted):
        return problem(
          visit, 404, Words[.notHere],
          isDeleted
            ? Words[.goneDeleted, ["taxon": address.text]]
            : Words[.goneAbsent, ["taxon": address.text]])
      case .several:
        return ofSeveralTaxa(visit, address)
      case .elsewhere(let current):
        return .redirect(
          to: Address(visit.route.with(current), visit.address.form, query: visit.query))
      case .otherDatabase(let idSpace):
        return ofAnotherDatabase(visit, 404, address, idSpace)
      }
    }
    switch (visit.route, id) {
    case (.tree, _): return try await tree(visit, at: id)
    case (.icicle, _): return try await icicle(visit, of: id)
    case (.pictures, _): return try gallery(visit, of: id)
    case (.taxon, let id?): return try await taxon(visit, id)
    case (.lineage, let id?): return try lineage(visit, id)
    case (.relatives, let id?): return try await relatives(visit, id)
    case (.image, let id?): return await image(visit, id)
    case (.drawing, let id?): return try drawing(visit, id)
    case (.thumbnail, let id?): return await thumbnail(visit, id)
    default: return notFound(visit.address.path)
    }
  }

  /// Where the taxon of an address is.
  enum Place {
    /// The id of the taxon, or of the one that it was merged into.
    case here(TaxonID)
    /// Nowhere: the source has deleted it, or the active database does not have it.
    case gone(isDeleted: Bool)
    /// At several: the own id of a name that the source uses for all of them.
    case several
    /// An older form of an address, of the one that counts.
    case elsewhere(TaxonAddress)
    /// Ids of the active database are ids of something else.
    case otherDatabase(String)
  }

  func ofSeveralTaxa(_ visit: Visit, _ address: TaxonAddress) -> Reply {
    problem(
      visit, 404, Words[.severalTaxa], Words[.severalTaxaText, ["id": address.id]])
  }

  func located(_ address: TaxonAddress) -> Place {
    let view = snapshot.pack.view
    let space = view.addressSpace
    guard let stated = address.idSpace else {
      // The short form is the only one of a root that no source has; numbers of texts are never shown.
      guard let taxon = TaxonID(decimal: address.id).flatMap({ view.ids.taxon($0) }),
        view.isImplied(taxon) || view.sourceID(of: taxon) == address.id
      else { return Self.place(view.resolve(sourceID: address.id), view) }
      let current = view.address(of: taxon)
      return current == address ? .here(view.ids[taxon]) : .elsewhere(current)
    }
    guard stated == space else { return .otherDatabase(space) }
    return Self.place(view.resolve(sourceID: address.id), view)
  }

  /// The answer where a taxon is named by what its id is an id of, and the active database has others.
  func ofAnotherDatabase(
    _ visit: Visit, _ status: Int, _ address: TaxonAddress, _ idSpace: String
  ) -> Reply {
    problem(
      visit, status, Words[.otherDatabase],
      Words[.otherDatabaseText, ["address": address.text, "space": idSpace]])
  }

  private static func place(_ found: TaxonResolution, _ view: borrowing PackView) -> Place {
    if case .ambiguous = found { return .several }
    guard let taxon = found.taxon else { return .gone(isDeleted: found == .deleted) }
    return .here(view.ids[taxon])
  }

  private func change(_ visit: Visit, _ form: Fields) async throws -> Reply {
    switch visit.route {
    case .match: return try await match(visit, form)
    case .matchNames: return try await matchNames(visit, form)
    case .favorites: return try await changeFavorites(visit, form)
    case .favoritesClear: return try await clearFavorites(visit)
    case .journal(let route): return await journal(visit, route)
    case .databases: return try await changeDatabase(visit, form)
    case .databasesImport: return await beginImport(visit, form)
    case .databasesDelete: return try await deleteDatabase(visit)
    case .settings: return try changeSettings(visit, form)
    case .mediaImport: return await changeMediaImport(visit, form)
    case .mediaDelete: return try await deleteMedia(visit, form)
    case .keys: return await addKey(visit, form)
    case .keysTrust: return try await trustKey(visit, form)
    case .keysForget: return try await forgetKey(visit, form)
    case .diagnostics: return try await changeDiagnostics(visit, form)
    default:
      return problem(visit, 405, Words[.nothingToChange], Words[.onlyLooking])
    }
  }

  // MARK: - Shared

  func layout(_ visit: Visit) -> Layout {
    Layout(
      visit: visit, token: token, favoriteCount: services.favorites.favoritesCount(),
      theme: services.choices.current.theme)
  }

  /// Looks something up in the pack, with names in the visitor's language.
  func withView<Value>(
    _ visit: Visit,
    _ body: (borrowing PackView, borrowing LanguagePreference) throws -> Value
  ) rethrows -> Value {
    let pack = snapshot.pack
    let view = pack.view
    let languages = LanguagePreference(visit.language, in: view.names)
    return try body(view, languages)
  }

  /// The cards of taxa, in their order; those that are not there are left out.
  func cards(_ ids: [TaxonID], _ visit: Visit) -> [TaxonCard] {
    withView(visit) { view, languages in
      ids.compactMap { id in
        (try? view.ordinal(of: id)).map { view.card($0, languages, services.favorites) }
      }
    }
  }

  /// What pages show beside names.
  var sources: CardSources {
    CardSources(images: images, counts: services.counts.counts(of: snapshot.pack))
  }

  /// Cards with what is shown beside their names, where a page shows them.
  func pictured(_ cards: [TaxonCard], _ visit: Visit) -> [TaxonCard] {
    guard visit.address.form == .page else { return cards }
    return withView(visit) { view, _ in view.pictured(cards, sources) }
  }

  /// The cards of taxa of the snapshot, in their order.
  func cards(_ taxa: [TaxonOrdinal], _ visit: Visit) -> [TaxonCard] {
    withView(visit) { view, languages in view.cards(taxa, languages, services.favorites) }
  }

  /// Well-known taxa of the database, for fields in which nothing stands yet.
  func examples(_ visit: Visit) -> [TaxonCard] {
    cards(services.offers.offers(of: snapshot.pack).examples, visit)
  }

  /// What kind of trouble it is, in the language of the page.
  private static func title(_ kind: ErrorKind) -> String {
    guard Words.language != .en else { return kind.title }
    return switch kind {
    case .notFound: Words[.notHere]
    case .usage: Words[.cannotBeDone]
    case .damaged: Words[.isDamaged]
    case .untrusted: Words[.notTrusted]
    case .older: Words[.isOlder]
    case .inputOutput: Words[.notReadOrWritten]
    }
  }

  /// The page, or for the twin in JSON the object, that says what went wrong; the engine says it in English.
  func problem(
    _ visit: Visit, _ status: Int, _ title: String, _ text: String, isOfEngine: Bool = false
  ) -> Reply {
    if visit.isOfProgram {
      return .json(status: status) {
        $0.text("error", title)
        $0.text("detail", text)
      }
    }
    return layout(visit).page(title, hasTwin: false, status: status) {
      tag("h1") { title }
      tag(
        "p", .class("lead"), .lang(isOfEngine && Words.language != .en ? "en" : nil),
        Attribute("dir", isOfEngine && Words.language.isRightToLeft ? "ltr" : nil)
      ) { text.capitalisedFirst }
      tag("p") {
        tag("a", .class("button"), .href(Address(.search))) { Words[.sectionSearch] }
        " "
        tag("a", .class("button"), .href(Address(.tree(nil)))) { Words[.treeFromRoots] }
      }
    }
  }

  func notFound(_ path: String) -> Reply {
    let form = path.hasSuffix(Form.json.rawValue) ? Form.json : .page
    let visit = Visit(address: Address(.home, form), form: nil, language: nil)
    return problem(visit, 404, Words[.noSuchPage], Words[.nothingLies, ["path": path]])
  }

  /// The answer where what follows the question mark is no query.
  func unreadable(_ address: Address) -> Reply {
    problem(
      Visit(address: address, form: nil, language: nil), 400,
      Words[.unreadableAddress],
      Words[.unreadableAddressText, ["count": "\(Fields.greatestCount)"]]
    )
  }

  /// A file that is part of the program.
  private func asset(_ name: String) -> Reply? {
    if let language = PageLanguage.allCases.first(where: { name == "words-\($0.tag).js" }) {
      return Reply(
        contentType: "text/javascript; charset=utf-8", bytes: Catalogue.of(language).script)
    }
    return Asset.all[name].map { Reply(contentType: $0.contentType, bytes: $0.bytes) }
  }
}

/// The answers for programs.
enum API {
  /// Changes when a client would break; members are only added within one version.
  static let version = 2
}

extension RowWriter {
  /// The id of a taxon as its source writes it, null for nil.
  mutating func id(_ name: String?, _ card: TaxonCard?) {
    id(name, card?.taxon.sourceID, isJSONNumber: card?.taxon.hasJSONNumberID ?? false)
  }

  /// A taxon as a member, or for nil as an element.
  mutating func taxon(_ name: String?, _ card: TaxonCard?) {
    guard let card else { return null(name) }
    object(name) { json in
      Schema.writeFields(of: card.taxon, to: &json)
      json.text("address", card.address.text)
      json.text("commonName", card.commonName?.text)
      json.text("commonNameLang", card.commonName?.language)
      json.bool("isFavorite", card.isFavorite)
      json.bool("hasChildren", card.hasChildren)
    }
  }

  mutating func taxa(_ name: String?, _ cards: [TaxonCard]) {
    array(name) { json in
      for card in cards { json.taxon(nil, card) }
    }
  }
}

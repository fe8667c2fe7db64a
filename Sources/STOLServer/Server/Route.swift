import STOLPack

/// A place of the explorer: what follows the host in an address, without its query.
///
/// Addresses are stable: whoever keeps one finds the same page next year.
enum Route: Hashable, Sendable {
  case home
  case search
  case completions
  /// The tree from its roots, or from a taxon.
  case tree(TaxonAddress?)
  case taxon(TaxonAddress)
  case lineage(TaxonAddress)
  case relatives(TaxonAddress)
  case icicle(TaxonAddress?)
  case image(TaxonAddress)
  case drawing(TaxonAddress)
  case thumbnail(TaxonAddress)
  /// The pictures of all taxa, or of those in one.
  case pictures(TaxonAddress?)
  case compare
  case match
  case matchNames
  case ancestor
  case subtree
  /// What is in boxes of the picture of all life.
  case boxes
  case favorites
  case favoritesTree
  case favoritesExport
  case favoritesClear
  /// What a person noted, on pages of its own.
  case journal(JournalRoute)
  case settings
  case databases
  case databasesImport
  case databasesDelete
  /// The packs of images.
  case media
  case mediaImport
  case mediaDelete
  /// Whose signatures are accepted.
  case keys
  case keysTrust
  case keysForget
  case storage
  case privacy
  case sources
  case diagnostics
  case diagnosticsExport
  case api
  case openAPI
  case health
  case asset(String)

  /// The routes without a taxon.
  static let fixed: [Route] =
    [
      .home, .search, .completions, .tree(nil), .icicle(nil), .pictures(nil), .compare, .match,
      .matchNames, .ancestor, .subtree, .boxes,
      .favorites, .favoritesTree, .favoritesExport, .favoritesClear, .settings, .databases,
      .databasesImport, .databasesDelete, .media, .mediaImport, .mediaDelete, .keys, .keysTrust,
      .keysForget, .storage, .sources, .diagnostics, .diagnosticsExport,
      .privacy, .api, .openAPI, .health,
    ] + JournalRoute.fixed.map(Route.journal)

  /// Its path, without the form.
  var path: String {
    switch self {
    case .home: "/"
    case .search: "/search"
    case .completions: "/complete"
    case .tree(nil): "/tree"
    case .tree(let taxon?): "/tree/\(taxon.text)"
    case .icicle(nil): "/icicle"
    case .icicle(let taxon?): "/icicle/\(taxon.text)"
    case .taxon(let taxon): "/taxon/\(taxon.text)"
    case .lineage(let taxon): "/taxon/\(taxon.text)/lineage"
    case .relatives(let taxon): "/taxon/\(taxon.text)/relatives"
    case .image(let taxon): "/taxon/\(taxon.text)/image"
    case .drawing(let taxon): "/taxon/\(taxon.text)/drawing"
    case .thumbnail(let taxon): "/taxon/\(taxon.text)/thumbnail"
    case .pictures(nil): "/pictures"
    case .pictures(let taxon?): "/pictures/\(taxon.text)"
    case .compare: "/compare"
    case .match: "/match"
    case .matchNames: "/api/match"
    case .ancestor: "/api/lca"
    case .subtree: "/api/subtree"
    case .boxes: "/api/tree"
    case .favorites: "/favorites"
    case .favoritesTree: "/favorites/tree"
    case .favoritesExport: "/favorites/export.txt"
    case .favoritesClear: "/favorites/clear"
    case .journal(let route): "/journal" + route.path
    case .settings: "/settings"
    case .databases: "/settings/databases"
    case .databasesImport: "/settings/databases/import"
    case .databasesDelete: "/settings/databases/delete"
    case .media: "/settings/media"
    case .mediaImport: "/settings/media/import"
    case .mediaDelete: "/settings/media/delete"
    case .keys: "/settings/keys"
    case .keysTrust: "/settings/keys/trust"
    case .keysForget: "/settings/keys/forget"
    case .storage: "/settings/storage"
    case .sources: "/settings/sources"
    case .diagnostics: "/settings/diagnostics"
    case .diagnosticsExport: "/settings/diagnostics/report.txt"
    case .privacy: "/privacy"
    case .api: "/api"
    case .openAPI: "/openapi.json"
    case .health: "/health"
    case .asset(let name): "/assets/\(name)"
    }
  }

  /// Whether it has no page, and answers programs with JSON.
  var isForPrograms: Bool { [.matchNames, .ancestor, .subtree, .boxes].contains(self) }

  /// The taxon that it is about.
  var taxon: TaxonAddress? {
    switch self {
    case .tree(let taxon), .icicle(let taxon), .pictures(let taxon): taxon
    case .taxon(let taxon), .lineage(let taxon), .relatives(let taxon), .image(let taxon),
      .drawing(let taxon), .thumbnail(let taxon):
      taxon
    default: nil
    }
  }

  /// The same about a taxon in another form.
  func with(_ taxon: TaxonAddress) -> Route {
    switch self {
    case .tree: .tree(taxon)
    case .icicle: .icicle(taxon)
    case .taxon: .taxon(taxon)
    case .lineage: .lineage(taxon)
    case .relatives: .relatives(taxon)
    case .image: .image(taxon)
    case .drawing: .drawing(taxon)
    case .thumbnail: .thumbnail(taxon)
    case .pictures: .pictures(taxon)
    default: self
    }
  }

  /// The forms in which it is answered.
  var forms: [Form] {
    switch self {
    case .search, .tree, .favorites: [.page, .json, .csv, .tsv]
    case .compare: [.page, .json, .svg, .csv, .tsv]
    case .home, .taxon, .pictures, .settings, .databases, .databasesImport, .media, .mediaImport,
      .keys, .storage, .sources, .diagnostics, .privacy:
      [.page, .json]
    case .lineage, .icicle, .favoritesTree: [.page, .json, .svg]
    case .journal(let route): route.forms
    case .completions, .relatives, .health: [.json]
    case .drawing: [.svg]
    case .image, .thumbnail, .favoritesExport, .favoritesClear, .databasesDelete, .mediaDelete,
      .keysTrust, .keysForget,
      .diagnosticsExport, .api, .openAPI, .asset, .match, .matchNames, .ancestor, .subtree, .boxes:
      [.page]
    }
  }

  private static let routesByPath = Dictionary(uniqueKeysWithValues: fixed.map { ($0.path, $0) })

  /// The route of a path, or nil where there is none.
  init?(path: String) {
    if let route = Self.routesByPath[path] {
      self = route
      return
    }
    let parts = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count >= 2 else { return nil }
    if parts[0] == "assets", parts.count == 2 {
      self = .asset(String(parts[1]))
      return
    }
    if parts[0] == "journal" {
      guard let route = JournalRoute(segments: Array(parts.dropFirst())) else { return nil }
      self = .journal(route)
      return
    }
    guard let id = TaxonAddress(segment: parts[1]) else { return nil }
    switch (parts[0], parts.dropFirst(2).joined(separator: "/"), parts.count) {
    case ("tree", _, 2): self = .tree(id)
    case ("icicle", _, 2): self = .icicle(id)
    case ("pictures", _, 2): self = .pictures(id)
    case ("taxon", _, 2): self = .taxon(id)
    case ("taxon", "lineage", 3): self = .lineage(id)
    case ("taxon", "relatives", 3): self = .relatives(id)
    case ("taxon", "image", 3): self = .image(id)
    case ("taxon", "drawing", 3): self = .drawing(id)
    case ("taxon", "thumbnail", 3): self = .thumbnail(id)
    default: return nil
    }
  }
}

/// The form in which a route is answered: its page, or its twin for programs or for pictures.
enum Form: String, Sendable {
  case page = ""
  case json = ".json"
  case svg = ".svg"
  case csv = ".csv"
  case tsv = ".tsv"

  /// Whether it is a table to save.
  var isTable: Bool { self == .csv || self == .tsv }
}

/// A route, its form, and its query: a whole address below the host.
struct Address: Equatable, Sendable {
  var route: Route
  var form = Form.page
  var query = Fields()

  init(_ route: Route, _ form: Form = .page, query: Fields = Fields()) {
    self.route = route
    self.form = form
    self.query = query
  }

  /// An address with fields; those without a value are left out.
  init(_ route: Route, _ form: Form = .page, _ fields: KeyValuePairs<String, String?>) {
    self.init(route, form)
    for (name, value) in fields { query.append(name, value) }
  }

  /// The address of a path, or nil where there is none.
  ///
  /// Every route has one path: none with a slash at its end, an empty segment, dots, or escapes that are not needed.
  init?(path: String, query: Fields = Fields()) {
    if let route = Route(path: path), route.forms.contains(.page) {
      self.init(route, query: query)
      return
    }
    for form in [Form.json, .svg, .csv, .tsv] where path.hasSuffix(form.rawValue) {
      let stem = String(path.dropLast(form.rawValue.count))
      guard let route = Route(path: stem == "/index" ? "/" : stem), stem != "/",
        route.forms.contains(form)
      else { return nil }
      self.init(route, form, query: query)
      return
    }
    return nil
  }

  /// The path, as in "/taxon/9689.json".
  var path: String {
    (route == .home && form != .page ? "/index" : route.path) + form.rawValue
  }

  /// Path and query.
  var text: String { query.pairs.isEmpty ? path : path + "?" + query.text }
}

extension TaxonID {
  /// The id that decimal digits say, with a minus sign before them or not.
  init?(decimal text: some StringProtocol) {
    guard let number = Int64(text), String(number) == text else { return nil }
    self.init(rawValue: number)
  }
}

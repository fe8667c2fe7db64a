import Foundation
import STOL

/// All about one taxon.
struct DetailScreen {
  let taxon: Taxon
  let lineage: [Taxon]
  let names: NameGroups
  let traits: [Trait]
  let references: [TaxonCitation]
  let image: MediaImage?
  let isFavorite: Bool

  init?(of id: TaxonID, language: String, services: AppServices) async throws {
    guard let taxon = try await services.taxonomy.taxon(id: id) else { return nil }
    self.taxon = taxon
    lineage = try await services.taxonomy.ancestors(of: id)
    names = try await services.taxonomy.nameGroups(for: id, language: language)
    traits = try await services.taxonomy.traits(for: id)
    references = try await services.taxonomy.references(for: id)
    image = await services.media.image(for: id)
    isFavorite = services.favorites.isFavorite(taxonID: id)
  }
}

/// The favourites, in the order that a person chose.
struct FavoritesScreen {
  let services: AppServices
  let language: String

  func list(_ order: FavoriteList.Order) async throws -> FavoriteList {
    FavoriteList(
      try await services.favorites.allFavorites(), in: services.databases.pack, language: language,
      order: order)
  }
}

/// Settings: databases, storage, privacy, diagnostics.
struct SettingsScreen {
  let services: AppServices

  func lines() async throws -> [String] {
    let config = await services.databases.activeConfig
    var lines = ["\(config.taxaCount) taxa"]
    let pack = services.databases.pack
    let facts = pack.view.dataset
    for (key, value) in [
      ("name", facts.name), ("licence", facts.licence), ("source", facts.source),
    ] {
      if let value { lines.append("\(key): \(value)") }
    }
    lines.append("\(services.favorites.favoritesCount()) species saved")
    for part in services.storage.parts() where part.byteCount > 0 {
      let note = part.isDeletable ? "" : " (not deletable)"
      lines.append("\(part.kind.rawValue): \(part.byteCount) bytes\(note)")
    }
    for pack in await services.media.availableMediaPacks() { lines.append("media: \(pack.title)") }
    return lines
  }

  func diagnostics() async -> String {
    DiagnosticReport(
      version: "sample", database: await services.databases.activeConfig,
      storage: services.storage.parts(), isLogging: services.log.isEnabled,
      lines: services.log.lines
    ).text
  }

  /// Imports a database and says how far it is.
  func importDatabase(from url: URL) async throws -> [String] {
    let progress = services.imports.progress
    let watching = Task {
      var stages: [String] = []
      for await step in progress where stages.last != step.stage.rawValue {
        stages.append(step.stage.rawValue)
        if step.stage == .finalizing { break }
      }
      return stages
    }
    try await services.imports.importReferenceDB(from: url)
    return await watching.value
  }
}

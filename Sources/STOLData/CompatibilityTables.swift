import STOLSystem
import GRDB
public import STOLPack

/// Writes the tables that older readers expect to a copy of a taxonomy: `euler_tour`,
/// `first_occurrence` and `top_n_relatives` of Format/DATABASE.md.
public struct CompatibilityTables {
  /// The number of relatives of each species.
  public static let relativeCount = 10

  private let pack: Pack

  /// The tables of `pack`.
  public init(of pack: Pack) { self.pack = pack }

  /// Copies the database at `sourcePath`, from which the pack was compiled, to `path` with the
  /// tables filled.
  ///
  /// The copy is made under a temporary name and renamed when it is complete.
  ///
  /// - Throws: `CompileError` if the source cannot be read, `SystemError` if the copy cannot be written.
  /// - Complexity: O(n) rows; about two minutes for 500,000 taxa, of which SQLite takes most.
  public func write(copying sourcePath: String, to path: String) throws {
    let temporary = TemporaryFiles.name(for: path)
    TemporaryFiles.remove(temporary)
    TemporaryFiles.add(temporary)
    defer { TemporaryFiles.remove(temporary) }
    try TaxonomyDatabase(path: sourcePath).copy(to: temporary)
    do {
      var configuration = Configuration()
      configuration.journalMode = .default
      // A copy is as good as its source, in which keys may be missing.
      configuration.foreignKeysEnabled = false
      let queue = try DatabaseQueue(path: temporary, configuration: configuration)
      try queue.write { database in
        try Self.createTables(database)
        try fillTour(database)
        try fillRelatives(database)
        try database.execute(
          sql: "CREATE INDEX idx_top_n_taxon ON top_n_relatives(taxon_id)")
      }
      try queue.close()
      try TemporaryFiles.rename(temporary, to: path)
    } catch let error as SystemError {
      throw error
    } catch {
      throw TaxonomyDatabase.unreadable(path, error)
    }
  }

  private static func createTables(_ database: Database) throws {
    try database.execute(
      sql: """
        DROP TABLE IF EXISTS euler_tour;
        DROP TABLE IF EXISTS first_occurrence;
        DROP TABLE IF EXISTS top_n_relatives;
        CREATE TABLE euler_tour (
          seq INTEGER PRIMARY KEY,
          taxon_id INTEGER NOT NULL REFERENCES taxa(id),
          depth INTEGER NOT NULL);
        CREATE TABLE first_occurrence (
          taxon_id INTEGER PRIMARY KEY REFERENCES taxa(id),
          seq INTEGER NOT NULL);
        CREATE TABLE top_n_relatives (
          taxon_id INTEGER NOT NULL REFERENCES taxa(id),
          relative_id INTEGER NOT NULL REFERENCES taxa(id),
          rank_order INTEGER NOT NULL,
          lca_id INTEGER NOT NULL REFERENCES taxa(id),
          lca_depth INTEGER NOT NULL,
          distance INTEGER NOT NULL,
          PRIMARY KEY (taxon_id, rank_order));
        """)
  }

  private func fillTour(_ database: Database) throws {
    let view = pack.view
    let entry = try database.makeStatement(sql: "INSERT INTO euler_tour VALUES (?, ?, ?)")
    var position = 0
    let tour = EulerTour(of: view.tree)
    try tour.forEach { taxon in
      try entry.execute(
        arguments: [position, view.ids[taxon].rawValue, view.tree.depth(of: taxon)])
      position += 1
    }
    let first = try database.makeStatement(sql: "INSERT INTO first_occurrence VALUES (?, ?)")
    for taxon in view.tree.taxa {
      try first.execute(
        arguments: [view.ids[taxon].rawValue, tour.firstOccurrence(of: taxon)])
    }
  }

  private func fillRelatives(_ database: Database) throws {
    let view = pack.view
    let row = try database.makeStatement(
      sql: "INSERT INTO top_n_relatives VALUES (?, ?, ?, ?, ?, ?)")
    let species = view.taxa.ranks.row(of: .species)
    for taxon in view.tree.taxa {
      guard view.taxa.rank(of: taxon) == species else { continue }
      let relatives = view.relatives(of: taxon, limit: Self.relativeCount)
      for (order, relative) in relatives.enumerated() {
        try row.execute(
          arguments: [
            view.ids[taxon].rawValue, view.ids[relative.taxon].rawValue, order + 1,
            view.ids[relative.commonAncestor].rawValue,
            view.tree.depth(of: relative.commonAncestor), relative.distance,
          ])
      }
    }
  }
}

import STOLPack
import GRDB

/// What a database says of its schema and of when it was built.
public struct SchemaVersion: Equatable, Sendable {
  /// The newest version that this stol knows.
  public static let newestSupported = TaxonomyDatabase.supportedSchemaVersion
  /// The version of the schema.
  public let number: Int
  /// The text that says when the database was built: `build_time` in the table `dataset`, else
  /// `applied_at` in the table `schema_version`; nil if neither is there.
  public let buildTime: String?

  /// Reads the database at `path`.
  ///
  /// - Throws: `CompileError` if it is none, without such a table, or newer than this stol.
  /// - Complexity: O(1)
  public init(path: String) throws {
    let database = try TaxonomyDatabase(path: path)
    (number, buildTime) = try database.read { database in
      let number = try database.taxonomySchemaVersion()
      guard (0...TaxonomyDatabase.supportedSchemaVersion).contains(number) else {
        throw CompileError.schemaTooNew(
          found: number, supported: TaxonomyDatabase.supportedSchemaVersion)
      }
      return (number, try Self.buildTime(database))
    }
  }

  private static func buildTime(_ database: Database) throws -> String? {
    if try database.hasOptionalTable("dataset", columns: ["key", "value"]) {
      let stated = try String.fetchOne(
        database, sql: "SELECT CAST(value AS TEXT) FROM dataset WHERE key = 'build_time'")
      if let stated { return stated }
    }
    let columns = try database.columns(in: "schema_version").map { $0.name.lowercased() }
    guard columns.contains("applied_at") else { return nil }
    return try String.fetchOne(
      database, sql: "SELECT CAST(max(applied_at) AS TEXT) FROM schema_version")
  }
}

import GRDB
public import STOLPack

/// A row of the table `top_n_relatives`.
public struct StoredRelative: Equatable, Sendable {
  /// The relative.
  public let relativeID: TaxonID
  /// The lowest common ancestor.
  public let ancestorID: TaxonID
  /// The number of steps between taxon and relative.
  public let distance: Int

  /// The first rows of a taxon, the closest relative first; none without such a table.
  ///
  /// - Throws: as `DatabaseSnapshot.references`.
  /// - Complexity: one look-up in an index.
  public static func rows(
    of id: TaxonID, limit: Int, from snapshot: DatabaseSnapshot
  ) async throws -> [StoredRelative] {
    try await snapshot.connection.read { database in
      guard try database.tableExists("top_n_relatives") else { return [] }
      let rows = try database.cachedStatement(
        sql: """
          SELECT relative_id, lca_id, distance FROM top_n_relatives
          WHERE taxon_id = ? ORDER BY rank_order LIMIT ?
          """)
      return try Row.fetchAll(rows, arguments: [id.rawValue, limit]).compactMap { row in
        let values = (0..<3).compactMap { index -> Int64? in
          guard case .int64(let value) = (row[index] as DatabaseValue).storage else { return nil }
          return value
        }
        guard values.count == 3 else { return nil }
        return StoredRelative(
          relativeID: TaxonID(rawValue: values[0]), ancestorID: TaxonID(rawValue: values[1]),
          distance: Int(truncatingIfNeeded: values[2]))
      }
    }
  }
}

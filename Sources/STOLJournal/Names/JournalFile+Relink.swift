import GRDB
public import STOLData
package import STOLPack

/// What a reference of the journal leads to in a pack.
public struct RelinkLine: Equatable, Sendable {
  /// The reference as it is kept.
  public let reference: TaxonReference
  /// What it leads to, in a word or two: `ReferenceOutcome.word`.
  public let outcome: String
  /// The reference to the taxon that it leads to; nil where a person has to say which one.
  public let proposal: TaxonReference?
  /// The taxa that it may be, where they are several.
  public let candidates: [TaxonReference]
  /// How many occurrences have it.
  public let occurrenceCount: Int

  /// Whether the proposal says anything new.
  public var isChange: Bool { proposal != nil && proposal != reference }
}

extension JournalFile {
  /// What the references that hold lead to in a pack; nothing changes.
  ///
  /// - Returns: a line for each reference, those of the most occurrences first.
  /// - Complexity: O(number of references · log n + number of occurrences)
  package func relinkReport(in pack: Pack) throws -> [RelinkLine] {
    let rows = try read { database in
      let reader = RecordReader(database: database)
      return try Row.fetchAll(
        database,
        sql: """
          SELECT i.taxon_ref_id AS taxon, count(*) AS n FROM occurrence o
            JOIN record r ON r.id = o.id AND r.deleted_ms IS NULL
            JOIN identification i ON i.id = (
              SELECT max(id) FROM identification WHERE occurrence_id = o.id)
          WHERE i.taxon_ref_id NOT NULL GROUP BY i.taxon_ref_id ORDER BY n DESC, taxon
          """
      ).map {
        (reference: try reader.reference($0.value("taxon")), count: try $0.value("n") as Int)
      }
    }
    let view = pack.view
    return zip(rows, view.resolve(rows.map(\.reference))).map { row, outcome in
      RelinkLine(
        reference: row.reference, outcome: outcome.word,
        proposal: outcome.taxon.flatMap { view.reference(to: $0) },
        candidates: outcome.candidates.compactMap { view.reference(to: $0) },
        occurrenceCount: row.count)
    }
  }

  /// Adds the identifications that lines of a report propose, in one batch; it changes none.
  ///
  /// - Returns: how many occurrences got one, and the batch that undoes it.
  /// - Throws: `JournalError`, `StoreError`; then nothing has changed.
  @discardableResult
  package func relink(_ lines: [RelinkLine]) throws -> (count: Int, batch: Int64?) {
    try change("relink") { writer in
      var count = 0
      for line in lines where line.isChange {
        guard let proposal = line.proposal, let id = try writer.knownID(of: line.reference) else {
          continue
        }
        let ids = try Int64.fetchAll(
          writer.database,
          sql: """
            SELECT i.id FROM identification i JOIN record r ON r.id = i.id
            WHERE i.taxon_ref_id = ? AND r.deleted_ms IS NULL AND i.id = (
              SELECT max(id) FROM identification WHERE occurrence_id = i.occurrence_id)
            ORDER BY i.id
            """, arguments: [id])
        try writer.addIdentifications(after: ids, proposal, .relinked)
        count += ids.count
      }
      return (count, writer.batch)
    }
  }

  /// Says for sightings of taxa that are not one taxon of a database which one it is, in one batch.
  ///
  /// Each gets another identification with the same words; what was there stays in its history.
  ///
  /// - Parameters:
  ///   - references: the references that they have, as `unclearReferences(in:)` gives them.
  ///   - taxon: the taxon that they are.
  ///   - query: which of the sightings; its page and limit count for nothing.
  ///   - isRehearsal: whether nothing is kept.
  /// - Returns: how many occurrences got an identification, and the batch that undoes it.
  /// - Throws: `JournalError`, `StoreError`; then nothing has changed.
  @discardableResult
  package func decide(
    _ references: Set<TaxonRefID>, is taxon: TaxonReference,
    of query: SightingQuery = SightingQuery(),
    isRehearsal: Bool = false
  ) throws -> (count: Int, batch: Int64?) {
    var query = query
    query.taxa = references
    query.includesAbsent = true
    query.after = nil
    return try change(SaveKind.save.rawValue, isRehearsal: isRehearsal) { writer in
      let parts = try self.parts(query, writer.database)
      let ids = try Int64.fetchAll(
        writer.database,
        sql: """
          SELECT i.id FROM sighting s JOIN identification i ON i.id = (
            SELECT max(id) FROM identification WHERE occurrence_id = s.occurrence_id)
          \(parts.sql) ORDER BY i.id
          """, arguments: parts.arguments)
      try writer.addIdentifications(after: ids, taxon, .chosen)
      return (ids.count, isRehearsal ? nil : writer.batch)
    }
  }
}

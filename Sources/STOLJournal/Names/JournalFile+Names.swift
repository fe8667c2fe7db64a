import GRDB
package import STOLData

/// A name as it was written that is no taxon yet.
public struct OpenName: Equatable, Sendable {
  /// The name.
  public let verbatimName: String
  /// How many sightings have it.
  public let sightingCount: Int
}

extension JournalFile {
  /// The names that hold of sightings without a taxon, the most frequent first.
  package func openNames() throws -> [OpenName] {
    try read { database in
      try Row.fetchAll(
        database,
        sql: """
          SELECT i.verbatim_name AS name, count(*) AS n
          FROM sighting s JOIN identification i ON i.id = (
            SELECT max(id) FROM identification WHERE occurrence_id = s.occurrence_id)
          WHERE s.taxon_ref_id IS NULL GROUP BY i.verbatim_name ORDER BY n DESC, name
          """
      ).map { OpenName(verbatimName: try $0.value("name"), sightingCount: try $0.value("n")) }
    }
  }

  /// Says for all occurrences with a name that has no taxon which one it is, in one batch.
  ///
  /// Each gets another identification with the same words; what was there stays in its history.
  ///
  /// - Returns: how many occurrences got one, and the batch that undoes it.
  /// - Throws: `JournalError`, `StoreError`; then nothing has changed.
  @discardableResult
  package func decide(
    _ verbatimName: String, is taxon: TaxonReference, isRehearsal: Bool = false
  ) throws -> (count: Int, batch: Int64?) {
    try change("save", isRehearsal: isRehearsal) { writer in
      let ids = try Int64.fetchAll(
        writer.database,
        sql: """
          SELECT i.id FROM identification i JOIN record r ON r.id = i.id
          WHERE i.verbatim_name = ? AND i.taxon_ref_id IS NULL AND r.deleted_ms IS NULL AND i.id = (
            SELECT max(id) FROM identification WHERE occurrence_id = i.occurrence_id)
          ORDER BY i.id
          """, arguments: [verbatimName])
      try writer.addIdentifications(after: ids, taxon, .chosen)
      return (ids.count, isRehearsal ? nil : writer.batch)
    }
  }
}

extension RecordWriter {
  /// Adds to each of some identifications one that says the same but for the taxon.
  func addIdentifications(
    after ids: [Int64], _ taxon: TaxonReference, _ match: Identification.Match
  ) throws {
    for id in ids {
      guard case .identification(var identification) = try reader.record(try reader.head(id)) else {
        throw RecordReader.broken("identification \(id) is none")
      }
      identification.id = JournalID()
      identification.taxon = taxon
      identification.match = match
      (identification.date, identification.remarks) = (nil, nil)
      try write(
        .identification(identification), id: try add(identification.id, .identification))
    }
  }
}

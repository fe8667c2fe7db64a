import Foundation
import GRDB

extension JournalFile {
  /// What somebody called some occurrences last: the variety, where one is known, else the name as it was written.
  ///
  /// - Complexity: O(number of occurrences · log n)
  package func writtenNames(of occurrences: Set<JournalID>) throws -> [JournalID: String] {
    guard !occurrences.isEmpty else { return [:] }
    return try read { database in
      let statement = try database.cachedStatement(
        sql: """
          SELECT ifnull(i.cultivar, i.verbatim_name) FROM record r
            JOIN identification i ON i.id = (
              SELECT max(id) FROM identification WHERE occurrence_id = r.id)
          WHERE r.uuid = ?
          """)
      var names: [JournalID: String] = [:]
      for occurrence in occurrences {
        names[occurrence] = try String.fetchOne(statement, arguments: [Data(occurrence.bytes)])
      }
      return names
    }
  }
}

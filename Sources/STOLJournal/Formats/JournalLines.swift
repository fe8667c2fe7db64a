import Foundation
import GRDB

/// Records as JSON, one a line.
package enum JournalLines {
  /// The line of a record, without its end: members in the order of their names.
  package static func line(of record: JournalRecord) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(record), as: UTF8.self)
  }

  /// The record that a line is.
  ///
  /// - Throws: `JournalError.invalid` for a line that is none, with the member that is wrong.
  package static func record(_ line: String) throws(JournalError) -> JournalRecord {
    do {
      return try JSONDecoder().decode(JournalRecord.self, from: Data(line.utf8))
    } catch let error as DecodingError {
      throw fault(error, line)
    } catch {
      throw .invalid(field: "line", value: String(line.prefix(40)), remedy: "a JSON object")
    }
  }

  private static func fault(_ error: DecodingError, _ line: String) -> JournalError {
    func field(_ path: [any CodingKey]) -> String {
      path.isEmpty ? "line" : path.map(\.stringValue).joined(separator: ".")
    }
    if case .keyNotFound(let key, let context) = error {
      return .invalid(
        field: field(context.codingPath + [key]), value: "", remedy: "give it; it is missing")
    }
    var found: DecodingError.Context?
    if case .typeMismatch(_, let context) = error { found = context }
    if case .valueNotFound(_, let context) = error { found = context }
    if case .dataCorrupted(let context) = error { found = context }
    return .invalid(
      field: field(found?.codingPath ?? []), value: String(line.prefix(40)),
      remedy: found?.debugDescription ?? "a JSON object")
  }

  /// All live records of a journal, those that were kept first at first.
  package static func text(of journal: JournalFile) throws -> String {
    var text = ""
    for kept in try journal.liveRecords() { text += try line(of: kept.record) + "\n" }
    return text
  }
}

extension JournalFile {
  /// All live records, in the order in which they were kept first.
  ///
  /// - Complexity: O(n)
  package func liveRecords() throws -> [KeptRecord] {
    try read { database in
      let reader = RecordReader(database: database)
      let cursor = try Row.fetchCursor(
        database, sql: "SELECT * FROM record WHERE deleted_ms IS NULL ORDER BY id")
      var records: [KeptRecord] = []
      while let row = try cursor.next() {
        records.append(KeptRecord(try reader.stored(try RecordReader.Head(row))))
      }
      return records
    }
  }
}

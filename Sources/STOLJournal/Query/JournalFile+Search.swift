import Foundation
import GRDB
package import STOLPack

/// A record whose text fits what was looked for.
public struct TextHit: Equatable, Sendable {
  /// The record.
  public let id: JournalID
  /// Of which kind it is.
  public let kind: JournalRecord.Kind
  /// What it is called, or what an occurrence was taken for; of an event empty.
  public let name: String
  /// What the taxon of an occurrence is called in the pack, or where that has it not, what it was called; nil where there
  /// is none.
  public let scientificName: String?
}

extension JournalFile {
  /// The live records in whose names, words, tags and notes all words of a text are, each as the beginning
  /// of a word, without regard to case and accents: "lodz" finds Łódź.
  ///
  /// Up to some hundred hits the best come first, names before what else is written; of more the ones
  /// that were kept last.
  ///
  /// - Returns: the first of them, and whether there are more.
  package func search(
    _ text: String, kinds: Set<JournalRecord.Kind> = [], limit: Int = 50, in pack: Pack
  ) throws -> (hits: [TextHit], isCut: Bool) {
    // By scalars, for a quotation mark may be part of a character that is a letter.
    let words = Folder.fold(text).unicodeScalars.split { !CharacterSet.alphanumerics.contains($0) }
      .prefix(JournalLimits.listCount)
    guard !words.isEmpty else { return ([], false) }
    let pattern = words.map { "\"\(Substring($0))\"*" }.joined(separator: " ")
    var parts = QueryParts()
    parts.add("journal_text MATCH ?", [pattern])
    if !kinds.isEmpty {
      let words = kinds.map(\.rawValue).sorted()
      parts.add("r.kind IN (\(words.map { _ in "?" }.joined(separator: ", ")))", words)
    }
    return try read { database in
      // To rank many takes ten times as long as to find them.
      let count = try Int.fetchOne(
        database,
        sql: "SELECT count(*) FROM (SELECT 1 FROM journal_text WHERE journal_text MATCH ? LIMIT ?)",
        arguments: [pattern, Self.mostRanked + 1])
      let order =
        (count ?? 0) > Self.mostRanked
        ? "journal_text.rowid DESC" : "bm25(journal_text, 4.0, 1.0), journal_text.rowid"
      let rows = try Row.fetchAll(
        database,
        sql: """
          SELECT f.uuid, f.kind,
            coalesce(p.name, g.name, c.name, h.name, i.verbatim_name, '') AS name,
            i.taxon_ref_id
          FROM (SELECT r.id, r.uuid, r.kind FROM journal_text
              JOIN record r ON r.id = journal_text.rowid\(parts.sql)
            ORDER BY \(order) LIMIT \(max(0, limit) &+ 1)) f
            LEFT JOIN place p ON p.id = f.id LEFT JOIN organism g ON g.id = f.id
            LEFT JOIN collection c ON c.id = f.id LEFT JOIN person h ON h.id = f.id
            LEFT JOIN identification i ON f.kind = 'occurrence' AND i.id = (
              SELECT max(id) FROM identification WHERE occurrence_id = f.id)
          """, arguments: parts.arguments)
      let shown = rows.prefix(max(0, limit))
      let references = try Set(shown.compactMap { try $0.value("taxon_ref_id") as Int64? })
      let taxa = try resolve(references.sorted(), in: pack, database)
      let hits = try shown.map { row in
        let reference: Int64? = try row.value("taxon_ref_id")
        let name = reference.flatMap { taxa[$0]?.name }
        return TextHit(
          id: try row.uuid("uuid"), kind: try row.word("kind"), name: try row.value("name"),
          scientificName: name == "" ? nil : name)
      }
      return (hits, rows.count > hits.count)
    }
  }

  private static let mostRanked = 500
}

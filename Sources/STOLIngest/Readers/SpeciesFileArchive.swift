import STOLFormats
import STOLNames

/// A Species File Group Archive, SFGA: the tables of ColDP in an SQLite database
/// (github.com/sfborg/sfga, its schema).
///
/// Columns are called as in ColDP, with "col__" before them and "_" between words; those of fixed
/// vocabularies end in "_id" and hold words in capitals, as "SPECIES" in `col__rank_id`.
final class SpeciesFileArchive: TableMaker {
  private let database: SourceDatabase

  /// The archive in a database.
  init(_ database: SourceDatabase) { self.database = database }

  /// Whether a database has the tables of one.
  static func isOne(_ tables: Set<String>) -> Bool {
    tables.isSuperset(of: ["taxon", "name", "synonym"])
  }

  /// The tables, as files of a ColDP package.
  var tableNames: [String] {
    database.tables.filter { !Self.vocabularies.contains($0) }.map { $0 + ".tsv" }
  }

  /// What the archive says about its dataset.
  func metadata() throws -> DatasetMetadata {
    var metadata = DatasetMetadata()
    guard database.tables.contains("metadata") else { return metadata }
    let names = ["title", "version", "issued", "license", "url", "citation"]
    let columns = names.map { name in
      let prefixed = database.column("metadata", "col__" + name)
      return prefixed == "NULL" ? database.column("metadata", name) : prefixed
    }
    try database.forEachRow("SELECT \(columns.joined(separator: ", ")) FROM metadata LIMIT 1") {
      let texts = (0..<names.count).map { [row = $0] in row.text($0) }.map { $0.isEmpty ? nil : $0 }
      metadata.title = texts[0]
      metadata.version = texts[1]
      metadata.issued = texts[2]
      metadata.licence = texts[3]
      metadata.url = texts[4]
      metadata.citation = texts[5]
    }
    return metadata
  }

  /// Tables of words that others name, and what is no part of ColDP.
  private static let vocabularies: Set<String> = [
    "version", "metadata", "rank", "nom_code", "nom_status", "taxonomic_status", "gender", "sex",
    "name_part", "environment", "geo_time", "gazetteer", "reference_type", "nom_rel_type",
    "type_status", "distribution_status", "estimate_type", "species_interaction_type",
    "taxon_concept_rel_type", "contact", "editor", "creator", "publisher", "contributor",
  ]
  /// Columns whose "_id" names a word of a vocabulary, without their prefix.
  private static let words: Set<String> = [
    "rank_id", "code_id", "status_id", "gender_id", "sex_id", "notho_id", "environment_id",
    "temporal_range_start_id", "temporal_range_end_id", "gazetteer_id", "type_id",
  ]
  private static let partRowCount = 1024

  /// Opens a table as lines, the names of ColDP's columns first.
  func open(_ name: String) throws(FormatError) -> SourceStream {
    let table = String(name.dropLast(4))
    let columns: [String]
    do { columns = try database.columns(of: table) } catch {
      throw Self.formatError(error, database.path)
    }
    var isWord: [Bool] = []
    var header: [String] = []
    for column in columns {
      var name = column
      if let mark = column.firstRange(of: "__"), column[..<mark.lowerBound] == "col" {
        name = String(column[mark.upperBound...])
      }
      isWord.append(Self.words.contains(name))
      header.append(isWord.last == true ? String(name.dropLast(3)) : name)
    }
    let list = columns.map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: ", ")
    let sql = """
      SELECT rowid, \(list) FROM "\(table)" WHERE rowid > ?1 ORDER BY rowid LIMIT \(Self.partRowCount)
      """
    var last = Int64.min
    var isFirst = true
    let database = database
    return SourceStream(name: name) { () throws(FormatError) in
      var text = ""
      if isFirst { text = header.joined(separator: "\t") + "\n" }
      isFirst = false
      do {
        for row in try database.rows(sql, after: last) {
          last = row.integer(0) ?? .max
          let fields = columns.indices.map { index in
            let value = row.text(index + 1)
            return isWord[index] ? Self.word(value) : Self.onOneLine(value)
          }
          text += fields.joined(separator: "\t") + "\n"
        }
      } catch {
        throw Self.formatError(error, database.path)
      }
      return Array(text.utf8)
    }
  }

  private static func formatError(_ error: any Error, _ path: String) -> FormatError {
    error as? FormatError ?? .unreadable(path: path, reason: "\(error)")
  }

  /// "provisionally accepted" of "PROVISIONALLY_ACCEPTED".
  private static func word(_ value: String) -> String {
    value.contains(where: \.isLowercase)
      ? onOneLine(value) : onOneLine(value.lowercased().replacing("_", with: " "))
  }

  /// A text that ends neither its field nor its row.
  private static func onOneLine(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 < 0x20 }) else { return text }
    return String(
      String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
  }
}

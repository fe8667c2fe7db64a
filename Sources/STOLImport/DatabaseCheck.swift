import STOLSystem
import STOLTrust

/// Checks a SQLite file of a stranger before anything else opens it: Format/DATABASE.md, "Databases
/// of strangers".
///
/// Only the tables of the schema, their plain indexes and the full-text index of the first design may
/// be there. Whatever runs code of its own when it is read or checked is refused: views, triggers,
/// other virtual tables, generated columns, indexes over expressions, calls in constraints.
struct DatabaseCheck {
  private let connection: UntrustedConnection

  static let tables: Set = [
    "schema_version", "taxa", "names", "refs", "traits", "euler_tour", "first_occurrence",
    "top_n_relatives", "dataset", "merged_taxa", "deleted_taxa", "collapsed_taxa", "name_details",
    "source_ids", "sources", "sqlite_sequence", "sqlite_stat1", "sqlite_stat4", "fts_taxa",
    "fts_taxa_data", "fts_taxa_idx", "fts_taxa_content",
    "fts_taxa_docsize", "fts_taxa_config",
  ]
  private static let virtualTable = "fts_taxa"

  /// The columns with texts, in any version of the schema.
  private static let texts: [(table: String, columns: [String])] = [
    (
      "taxa",
      [
        "source_id", "scientific_name", "author", "rank", "status", "conservation", "code",
        "status_text", "sensu",
      ]
    ),
    (
      "names",
      [
        "name", "lang", "name_type", "source_id", "author", "rank", "status", "status_text", "code",
        "sensu",
      ]
    ),
    ("traits", ["trait_key", "trait_value", "unit"]), ("refs", ["citation", "url", "ref_type"]),
    ("dataset", ["key", "value"]), ("merged_taxa", ["source_id"]), ("deleted_taxa", ["source_id"]),
    ("collapsed_taxa", ["rank", "scientific_name", "author"]),
    ("name_details", ["author", "rank"]),
    ("source_ids", ["source_id"]),
    ("sources", ["kind", "name", "release", "licence", "citation", "url"]),
  ]

  /// Opens the database at `path`.
  init(path: String, isCancelled: @escaping () -> Bool) throws {
    let header = try RegularFile(path: path, followsLinks: false).bytes(at: 0, limit: 100)
    guard header.count == 100 else {
      throw ContainerError.databaseCorrupt(detail: "it has \(header.count) bytes")
    }
    // https://sqlite.org/fileformat.html, 1.3.3: 1 for a journal, 2 for a write-ahead log.
    switch (header[18], header[19]) {
    case (1, 1): break
    case (2, 2):
      throw ContainerError.databaseCorrupt(
        detail: "it is in WAL mode; its maker mends that: PRAGMA journal_mode = DELETE")
    case (let write, let read):
      throw ContainerError.databaseCorrupt(
        detail: "its header states versions \(write) and \(read) of SQLite's file format, not 1")
    }
    connection = try Self.naming { () throws(UntrustedConnection.Failure) in
      try UntrustedConnection(path: path, isCancelled: isCancelled)
    }
  }

  /// Checks what the schema holds and that its version is the signed one and not too new.
  func checkSchema(signedVersion: UInt32, supportedVersion: Int) throws {
    let entries = try rows("SELECT type, name, tbl_name, sql FROM sqlite_schema")
    for entry in entries {
      let (type, name, table, sql) = (entry[0] ?? "", entry[1] ?? "", entry[2] ?? "", entry[3])
      guard Self.tables.contains(table), type == "index" || type == "table" && name == table else {
        throw ImportError.unexpectedSchema(type: type, name: name)
      }
      if type == "table" { try checkTable(name, sql ?? "") } else { try checkIndex(name) }
    }
    guard entries.contains(where: { $0[1] == "schema_version" }) else {
      throw ContainerError.databaseCorrupt(detail: "the table schema_version is missing")
    }
    let versions = try rows("SELECT CAST(version AS INTEGER) FROM schema_version")
    guard versions.count == 1, let version = versions[0][0].flatMap({ Int($0) }) else {
      throw ContainerError.databaseCorrupt(
        detail:
          "schema_version has \(versions.count) rows, or no number, in the place of one version")
    }
    guard version <= supportedVersion else {
      throw ImportError.incompatibleSchema(found: version, expected: supportedVersion)
    }
    guard version == Int(signedVersion) else {
      throw ContainerError.databaseCorrupt(
        detail: "its schema version is \(version), the container says \(signedVersion)")
    }
  }

  private func checkTable(_ name: String, _ sql: String) throws {
    let text = sql.lowercased()
    if text.hasPrefix("create virtual table") {
      guard name == Self.virtualTable, text.contains(" using fts5") else {
        throw ImportError.unexpectedSchema(type: "virtual table", name: name)
      }
      return
    }
    if ConstraintText(sql).callsFunctions {
      throw ImportError.unexpectedSchema(type: "call in a constraint of the table", name: name)
    }
    for column in try rows("PRAGMA table_xinfo(\"\(name)\")") where column.last != "0" {
      throw ImportError.unexpectedSchema(
        type: "generated column of the table", name: "\(name), \(column[1] ?? "")")
    }
    for index in try rows("PRAGMA index_list(\"\(name)\")") where index.last != "0" {
      throw ImportError.unexpectedSchema(type: "partial index", name: index[1] ?? "")
    }
  }

  private func checkIndex(_ name: String) throws {
    let quoted = name.replacing("\"", with: "\"\"")
    for column in try rows("PRAGMA index_xinfo(\"\(quoted)\")") where column[1] == "-2" {
      throw ImportError.unexpectedSchema(type: "index over an expression", name: name)
    }
  }

  /// Checks every page, and that no value is longer than any may be.
  ///
  /// - Complexity: O(length of the database)
  func checkIntegrity() throws {
    let result = try rows("PRAGMA integrity_check(1)").first?.first ?? nil
    guard result == "ok" else {
      throw ContainerError.databaseCorrupt(detail: result ?? "the integrity check says nothing")
    }
    // Reading a value over the limit fails.
    for (table, columns) in Self.texts {
      // Versions of the schema differ in their columns.
      let present = Set(try rows("PRAGMA table_xinfo(\(table))").map { $0[1]?.lowercased() })
      let lengths = columns.filter(present.contains).map { "max(length(CAST(\($0) AS BLOB)))" }
      guard !lengths.isEmpty else { continue }
      _ = try rows("SELECT \(lengths.joined(separator: ", ")) FROM \(table)")
    }
  }

  private func rows(_ sql: String) throws -> [[String?]] {
    try Self.naming { () throws(UntrustedConnection.Failure) in try connection.rows(sql) }
  }

  private static func naming<Result>(
    _ body: () throws(UntrustedConnection.Failure) -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch {
      if error.isInterruption { throw CancellationError() }
      if error.isSystems {
        throw SystemError(operation: "read", path: "the database", code: .inputOutput)
      }
      throw ContainerError.databaseCorrupt(detail: "SQLite says: \(error.message)")
    }
  }
}

/// The words of a statement that creates a table, without its comments.
struct ConstraintText {
  private let words: [Substring]

  init(_ sql: String) {
    var words: [Substring] = []
    var rest = sql[...]
    while let first = rest.first {
      if rest.hasPrefix("--") || rest.hasPrefix("/*") {
        let end = rest.hasPrefix("--") ? "\n" : "*/"
        rest = rest.firstRange(of: end).map { rest[$0.upperBound...] } ?? ""
      } else if let close = Self.closing(first) {
        // A quoted name or text; doubled quotes make two of them, which changes nothing here.
        let inside = rest.dropFirst()
        guard let end = inside.firstIndex(of: close) else { break }
        words.append(rest[...end])
        rest = rest[rest.index(after: end)...]
      } else if Self.isWordCharacter(first) {
        let word = rest.prefix(while: Self.isWordCharacter)
        words.append(word)
        rest = rest[word.endIndex...]
      } else {
        if !first.isWhitespace { words.append(rest.prefix(1)) }
        rest = rest.dropFirst()
      }
    }
    self.words = words
  }

  /// Whether a CHECK holds a parenthesis that follows a name.
  var callsFunctions: Bool {
    var depth = 0
    var previous: Substring = ""
    var isInside = false
    for word in words {
      if word == "(" {
        if isInside, depth > 0, Self.isName(previous) { return true }
        if previous.lowercased() == "check" { (isInside, depth) = (true, 0) }
        depth += 1
      } else if word == ")" {
        depth -= 1
        if depth <= 0 { isInside = false }
      }
      previous = word
    }
    return false
  }

  /// What may stand before a parenthesis without calling anything.
  private static let operators: Set = ["in", "and", "or", "not", "is", "between", "like", "then"]

  private static func isName(_ word: Substring) -> Bool {
    guard let first = word.first else { return false }
    if first == "\"" || first == "`" || first == "]" || first == "[" { return true }
    return isWordCharacter(first) && !operators.contains(word.lowercased())
  }

  private static func isWordCharacter(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_" || character == "$"
  }

  private static func closing(_ character: Character) -> Character? {
    switch character {
    case "'", "\"", "`": character
    case "[": "]"
    default: nil
    }
  }
}

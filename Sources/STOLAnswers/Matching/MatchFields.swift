import STOLFormats
import STOLMatch
import STOLPack
package import STOLSystem

/// Which columns of a table say what of a name.
package struct MatchFields: Sendable {
  /// The columns that were asked for by name; nil for those that Darwin Core's terms find.
  package struct Choice: Sendable {
    package var name: String?
    package var authorship: String?
    package var rank: String?
    package var code: String?
    /// Ranks with the column of each, from `family=Familia`.
    package var hints: [(rank: String, column: String)] = []

    package init() {}

    /// Whether anything was asked for.
    var isStated: Bool {
      name != nil || authorship != nil || rank != nil || code != nil || !hints.isEmpty
    }
  }

  /// A table whose columns hold no name.
  package struct Failure: StolError {
    package let description: String
    package var kind: ErrorKind { .usage }
  }

  private let name: [Int]
  private let authorship: Place
  private let rank: Place
  private let code: Place
  private let hints: [(rank: String, place: Place)]

  /// Where something stands: in a column, and what it is in rows that have nothing there.
  private struct Place {
    var column: Int?
    var value: String?

    var isNowhere: Bool { column == nil && value == nil }
  }

  /// What a line that is nothing but a name says.
  package static let line = MatchFields(name: [0])

  private init(name: [Int]) {
    self.name = name
    authorship = Place()
    rank = Place()
    code = Place()
    hints = []
  }

  /// The columns of a header.
  ///
  /// Without a choice they are those of Darwin Core: scientificName (or else genus, specificEpithet and
  /// infraspecificEpithet together), scientificNameAuthorship, taxonRank, nomenclaturalCode, kingdom to
  /// genus; for a name also what tables call it besides.
  ///
  /// - Parameters:
  ///   - header: what the columns are called.
  ///   - choice: those that were asked for.
  ///   - defaults: what terms are in rows that have no such column, or nothing in it.
  /// - Throws: `Failure` where a column is not there, or none holds names.
  package init(
    header: [String], _ choice: Choice, defaults: [(term: String, value: String)] = []
  ) throws(Failure) {
    let columns = ColumnMap(header)
    func chosen(_ name: String?) throws(Failure) -> Int? {
      guard let name else { return nil }
      if let index = columns.exactIndex(name) ?? columns.index(name) { return index }
      throw Self.missing(name, among: header)
    }
    let genus = columns.index("genus", "genericName")
    let epithet = columns.index("specificEpithet")
    if let index = try chosen(choice.name)
      ?? columns.index(
        "scientificName", "verbatimScientificName", "acceptedNameUsage", "canonicalName",
        "taxonName",
        "species", "name", "taxon", "organism", "names")
    {
      name = [index]
    } else if let genus, let epithet {
      name = [genus, epithet] + (columns.index("infraspecificEpithet").map { [$0] } ?? [])
    } else {
      throw Failure(
        description:
          "no column is called scientificName: name the one with the names, --name COLUMN; there are: "
          + Self.list(header))
    }
    func place(_ column: Int?, _ term: String) -> Place {
      Place(column: column, value: defaults.first { $0.term == term }?.value)
    }
    authorship = place(
      try chosen(choice.authorship)
        ?? columns.index("scientificNameAuthorship", "authorship", "author", "authors"),
      "scientificNameAuthorship")
    rank = place(
      try chosen(choice.rank) ?? columns.index("taxonRank", "verbatimTaxonRank", "rank"),
      "taxonRank")
    code = place(
      try chosen(choice.code) ?? columns.index("nomenclaturalCode"), "nomenclaturalCode")
    var hints: [(rank: String, place: Place)] = []
    for rank in MatchQuery.hintRanks where !choice.hints.contains(where: { $0.rank == rank }) {
      var found = place(columns.index(rank), rank)
      if let column = found.column, name.contains(column) { found.column = nil }
      if !found.isNowhere { hints.append((rank, found)) }
    }
    for hint in choice.hints {
      guard MatchQuery.isHintRank(hint.rank) else {
        throw Failure(
          description: "\"\(Escaping.terminal(hint.rank))\" is no rank: a hint is RANK=COLUMN, "
            + "as family=Familia")
      }
      if let index = try chosen(hint.column) { hints.append((hint.rank, Place(column: index))) }
    }
    self.hints = hints.sorted {
      MatchQuery.hintPlace(of: $0.rank) < MatchQuery.hintPlace(of: $1.rank)
    }
  }

  /// What a row asks; nil where its name is no UTF-8.
  func query(_ row: RawTable.Row) -> MatchQuery? { query { row.field($0) } }

  /// What the row of a cursor asks; nil where its name is no UTF-8.
  func query(_ row: RowCursor, of bytes: [UInt8]) -> MatchQuery? {
    query { column in
      var field: [UInt8] = []
      row.appendField(column, of: bytes, to: &field)
      return field
    }
  }

  private func query(_ field: (Int) -> [UInt8]?) -> MatchQuery? {
    var words: [String] = []
    for column in name {
      guard let word = String(validating: field(column) ?? [], as: UTF8.self) else { return nil }
      if !word.isEmpty { words.append(word) }
    }
    func text(_ place: Place) -> String? {
      guard let bytes = place.column.flatMap(field), !bytes.isEmpty else { return place.value }
      return String(decoding: bytes, as: UTF8.self)
    }
    var query = MatchQuery(
      words.joined(separator: " "), authorship: text(authorship), rank: text(rank), code: text(code)
    )
    for hint in hints {
      if let name = text(hint.place) { query.hints.append((hint.rank, name)) }
    }
    return query
  }

  /// What a row asks whose name is no UTF-8, with U+FFFD for what is none.
  func readableQuery(_ row: RawTable.Row) -> MatchQuery {
    let words = name.map { String(decoding: row.field($0) ?? [], as: UTF8.self) }
    return MatchQuery(words.filter { !$0.isEmpty }.joined(separator: " "))
  }

  /// The columns that hold the name.
  var nameColumns: [Int] { name }

  /// Replaces `output` with the name of a row where that stands in one column and nothing is said beside
  /// it; whether it does.
  func readLoneName(_ row: RowCursor, of bytes: [UInt8], into output: inout [UInt8]) -> Bool {
    guard name.count == 1, isEmpty(authorship, row), isEmpty(rank, row), isEmpty(code, row) else {
      return false
    }
    for hint in hints where !isEmpty(hint.place, row) { return false }
    output.removeAll(keepingCapacity: true)
    row.appendField(name[0], of: bytes, to: &output)
    return true
  }

  private func isEmpty(_ place: Place, _ row: RowCursor) -> Bool {
    place.value == nil && place.column.flatMap { row.field($0) }?.isEmpty ?? true
  }

  /// Replaces `key` with the fields that a row asks with: rows with one key ask the same.
  func readKey(_ row: RowCursor, of bytes: [UInt8], into key: inout [UInt8]) {
    key.removeAll(keepingCapacity: true)
    func append(_ column: Int?) {
      guard let column, let range = row.field(column) else { return }
      // The length first, so that no field can be taken for the beginning of the next.
      key.append(UInt8(truncatingIfNeeded: range.count))
      key.append(UInt8(truncatingIfNeeded: range.count >> 8))
      key.append(UInt8(truncatingIfNeeded: range.count >> 16))
      key.append(contentsOf: bytes[range])
    }
    for column in name { append(column) }
    append(authorship.column)
    append(rank.column)
    append(code.column)
    for hint in hints { append(hint.place.column) }
  }

  private static func missing(_ name: String, among header: [String]) -> Failure {
    Failure(
      description: "no column is called \"\(Escaping.terminal(name))\""
        + NearestWord.suggestion(for: name, among: header) + "; there are: " + list(header))
  }

  private static func list(_ header: [String]) -> String {
    header.map { Escaping.terminal($0) }.joined(separator: ", ")
  }
}

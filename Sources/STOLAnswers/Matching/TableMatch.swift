package import STOLFormats
package import STOLMatch
package import STOLPack
import STOLSystem

/// Matches the names of a table, and writes its rows as they are with more columns.
package struct TableMatch: Sendable {
  /// What was read and what became of it.
  package struct Part: Sendable {
    /// The rows, written.
    package var bytes: [UInt8] = []
    /// How many rows have each status.
    package var counts: [MatchStatus: Int] = [:]
    /// The rows with another number of fields than the header, by line.
    package var ragged: [(line: Int, count: Int)] = []
    /// What a person should look at.
    package var review: [ReviewRow] = []
  }

  let fields: MatchFields
  private let columns: [MatchColumn]
  let options: NameMatcher.Options
  /// What separates the cells that are added.
  private let delimiter: UInt8
  private let isQuoted: Bool
  /// How many fields each row should have; nil for any number.
  private let fieldCount: Int?
  var decisions: MatchDecisions
  private let collectsReview: Bool

  /// A way to match rows.
  ///
  /// - Parameters:
  ///   - fields: which columns say what.
  ///   - columns: what is added.
  ///   - options: what counts as an answer.
  ///   - delimiter: what separates cells.
  ///   - isQuoted: whether cells may stand in quotes.
  ///   - fieldCount: how many fields each row should have; nil for any number.
  ///   - decisions: what a person has decided of names before.
  ///   - collectsReview: whether to note what a person should look at.
  package init(
    _ fields: MatchFields, adding columns: [MatchColumn], _ options: NameMatcher.Options,
    delimiter: UInt8,
    isQuoted: Bool, fieldCount: Int?, decisions: MatchDecisions = MatchDecisions(),
    collectsReview: Bool = false
  ) {
    self.fields = fields
    self.columns = columns
    self.options = options
    self.delimiter = delimiter
    self.isQuoted = isQuoted
    self.fieldCount = fieldCount
    self.decisions = decisions
    self.collectsReview = collectsReview
  }

  /// Matches some rows, on as many threads as the machine runs at once.
  ///
  /// - Returns: what became of them, in their order.
  package func match(_ rows: [RawTable.Row], in pack: Pack) -> [Part] {
    let count = min(processorCount(), max(1, rows.count / Self.leastShare))
    return inParallel(count) { number in
      let share = rows.count * number / count..<rows.count * (number + 1) / count
      return match(rows[share], in: pack)
    }
  }

  /// Fewer rows than this are not worth a thread.
  static let leastShare = 256

  private func match(_ rows: ArraySlice<RawTable.Row>, in pack: Pack) -> Part {
    var part = Part()
    var matcher = NameMatcher(options: options)
    let view = pack.view
    var cell: [UInt8] = []
    for row in rows {
      let query = fields.query(row)
      if let fieldCount, row.fields.count != fieldCount {
        part.ragged.append((row.line, row.fields.count))
      }
      let match = match(row, query, &matcher, view)
      part.counts[match.status, default: 0] += 1
      part.bytes += row.bytes
      // What is missing is filled up, so that what is added stands in its columns.
      if let fieldCount, row.fields.count < fieldCount {
        part.bytes += repeatElement(delimiter, count: fieldCount - row.fields.count)
      }
      for column in columns {
        cell.removeAll(keepingCapacity: true)
        column.append(match, query ?? MatchQuery(""), view, to: &cell)
        part.bytes.append(delimiter)
        append(cell, to: &part.bytes)
      }
      part.bytes += row.lineEnd.isEmpty ? [UInt8(ascii: "\n")] : row.lineEnd
      if collectsReview, let query, ReviewRow.isNeeded(match) {
        part.review.append(ReviewRow(query, match, view))
      }
    }
    return part
  }

  /// What became of the name of a row: what was decided of it, else what the matcher says.
  func match(
    _ row: RawTable.Row, _ query: MatchQuery?, _ matcher: inout NameMatcher,
    _ view: borrowing PackView
  ) -> NameMatch {
    if let fieldCount, row.fields.count != fieldCount {
      return .invalid("\(row.fields.count) fields in place of \(fieldCount)")
    }
    guard let query else { return .invalid("the name is no UTF-8") }
    return decisions.match(of: query, view) ?? matcher.match(query, in: view)
  }

  /// The header of the table with the names of the columns that are added; one that the table has already
  /// gets "stol_" in front.
  package func header(_ row: RawTable.Row, _ names: [String]) -> [UInt8] {
    var bytes = row.bytes
    let known = Set(
      row.fields.indices.map {
        String(decoding: row.field($0) ?? [], as: UTF8.self).lowercased()
      })
    for name in names {
      bytes.append(delimiter)
      append(Array((known.contains(name.lowercased()) ? "stol_" + name : name).utf8), to: &bytes)
    }
    return bytes + (row.lineEnd.isEmpty ? [UInt8(ascii: "\n")] : row.lineEnd)
  }

  /// Appends a cell in the dialect of the table.
  private func append(_ cell: [UInt8], to output: inout [UInt8]) {
    let quote = UInt8(ascii: "\"")
    let needsQuotes = cell.contains {
      $0 == delimiter || $0 == quote || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r")
    }
    guard needsQuotes else {
      output += cell
      return
    }
    guard isQuoted else {
      // Without quotes nothing else can stand for what separates fields and rows.
      output += cell.map {
        $0 == delimiter || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r")
          ? UInt8(ascii: " ") : $0
      }
      return
    }
    output.append(quote)
    for byte in cell {
      if byte == quote { output.append(quote) }
      output.append(byte)
    }
    output.append(quote)
  }
}

/// A name that a person should look at, once however many rows have it.
package struct ReviewRow: Hashable, Sendable {
  /// The name as it stands in the table, with what was said beside it.
  package let name: String
  package let status: String
  package let score: Int
  package let reason: String
  /// The taxon that was taken, or that might be.
  package let suggestion: String
  package let candidates: [String]

  package init(_ query: MatchQuery, _ match: NameMatch, _ view: borrowing PackView) {
    name = MatchDecisions.key(query)
    status = match.status.rawValue
    score = match.score
    reason = match.reason
    suggestion = match.taxon.flatMap { view.sourceID(of: $0) } ?? ""
    candidates = match.candidates.map { MatchColumn.shown($0, view) }
  }

  /// All but names that are spelt as they are in the pack, without a contradiction.
  package static func isNeeded(_ match: NameMatch) -> Bool {
    switch match.status {
    case .exact, .synonym: match.score < Self.sureScore
    case .fuzzy, .partial, .ambiguous, .notFound: true
    case .invalid: false
    }
  }

  private static let sureScore = 95

  /// The columns of the file for review; a person fills the last one.
  package static let columns = [
    "name", "status", "score", "reason", "suggestedID", "candidates", "decision",
  ]

  /// Its line in a file for review, with what a person has decided of it.
  package func line(decision: String = "") -> [UInt8] {
    let cells = [
      name, status, "\(score)", reason, suggestion, candidates.joined(separator: "; "), decision,
    ]
    var line: [UInt8] = []
    for (number, cell) in cells.enumerated() {
      if number > 0 { line.append(UInt8(ascii: ",")) }
      var bytes = Array(cell.utf8)
      Escaping.escape(&bytes, from: 0, for: .commaSeparatedCell)
      line += bytes
    }
    return line + [UInt8(ascii: "\n")]
  }

  /// The first line of a file for review.
  package static var header: [UInt8] { Array((columns.joined(separator: ",") + "\n").utf8) }
}

/// What a person has decided of names: an id for each, or that it is none.
package struct MatchDecisions: Sendable {
  /// By name: the id of the taxon; nil for none.
  private var ids: [String: String?] = [:]

  package init() {}

  /// How many names are decided.
  package var count: Int { ids.count }

  /// Notes that a name means the taxon with this id, or for "none" nothing.
  package mutating func add(_ name: String, _ decision: String) {
    ids[name] = decision.lowercased() == "none" ? .some(nil) : decision
  }

  /// The name as decisions know it: with its authors, where these stand in a column of their own.
  package static func key(_ query: MatchQuery) -> String {
    [query.name, query.authorship].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Whether something was decided of a name.
  func has(_ query: MatchQuery) -> Bool { !ids.isEmpty && ids[Self.key(query)] != nil }

  /// What was decided of a name; nil where nothing was.
  func match(of query: MatchQuery, _ view: borrowing PackView) -> NameMatch? {
    guard !ids.isEmpty, let decision = ids[Self.key(query)] else { return nil }
    guard let decision else { return .decided(nil, "decided: none") }
    guard let taxon = view.resolve(sourceID: decision).taxon else {
      return .decided(nil, "decided: \(decision), which the pack does not have")
    }
    return .decided(taxon, "decided")
  }
}

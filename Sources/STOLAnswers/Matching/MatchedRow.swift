package import STOLFormats
package import STOLMatch
package import STOLPack
import STOLSystem

/// A row of a table, and what became of its name.
package struct MatchedRow: Sendable {
  /// The line of the table at which the row begins, from 1; of names without a table their number.
  package let line: Int
  /// What was asked.
  package let query: MatchQuery
  /// What became of it, with what a person has decided.
  package let match: NameMatch
  /// What the matcher says alone.
  package let found: NameMatch

  /// A row whose name nobody has decided anything of.
  package init(line: Int, _ query: MatchQuery, _ match: NameMatch) {
    self.init(line: line, query, match, found: match)
  }

  init(line: Int, _ query: MatchQuery, _ match: NameMatch, found: NameMatch) {
    self.line = line
    self.query = query
    self.match = match
    self.found = found
  }

  /// Whether a person should look at it, or has done so.
  package var needsReview: Bool { ReviewRow.isNeeded(found) }
  /// The name by which it is decided: one decision is for all rows of that name.
  package var key: String { MatchDecisions.key(query) }
}

extension TableMatch {
  /// The name of a row as decisions know it; nil where it is no UTF-8.
  package func key(of row: RawTable.Row) -> String? { fields.query(row).map(MatchDecisions.key) }

  /// Matches some rows as `match` does, and gives the matches in place of bytes.
  ///
  /// - Returns: each row with what became of it, in their order.
  package func matchedRows(_ rows: [RawTable.Row], in pack: Pack) -> [MatchedRow] {
    Self.matched(rows.count) { range in
      var matcher = NameMatcher(options: options)
      var undecided = self
      undecided.decisions = MatchDecisions()
      let view = pack.view
      var matched: [MatchedRow] = []
      for row in rows[range] {
        let query = fields.query(row)
        let found = undecided.match(row, query, &matcher, view)
        // What is decided counts for what can be asked, as in `match`.
        let match = isDecided(row, query) ? self.match(row, query, &matcher, view) : found
        matched.append(
          MatchedRow(line: row.line, query ?? fields.readableQuery(row), match, found: found))
      }
      return matched
    }
  }

  /// Matches names that stand in no table, on as many threads as the machine runs at once.
  ///
  /// - Returns: each name with what became of it, in their order.
  package static func matchedRows(
    _ queries: [MatchQuery], _ options: NameMatcher.Options, in pack: Pack
  ) -> [MatchedRow] {
    matched(queries.count) { range in
      var matcher = NameMatcher(options: options)
      let view = pack.view
      var matched: [MatchedRow] = []
      for number in range {
        let query = queries[number]
        matched.append(MatchedRow(line: number + 1, query, matcher.match(query, in: view)))
      }
      return matched
    }
  }

  private func isDecided(_ row: RawTable.Row, _ query: MatchQuery?) -> Bool {
    query.map { decisions.has($0) } ?? false
  }

  /// Fewer rows than this are not worth a thread.
  private static let leastShare = 256

  private static func matched(
    _ count: Int, _ body: @escaping @Sendable (Range<Int>) -> [MatchedRow]
  ) -> [MatchedRow] {
    let share = min(processorCount(), max(1, count / leastShare))
    return inParallel(share) { number in
      body(count * number / share..<count * (number + 1) / share)
    }.flatMap { $0 }
  }
}

/// What is odd about a row of a table; the row is read all the same, but for one that is too long.
package enum TableFinding: String, Sendable {
  /// More or fewer columns than the file has.
  case wrongColumnCount
  /// Longer than any row may be; left out.
  case rowTooLong
  /// A quoted field that never ends.
  case unclosedQuote
  /// Bytes that are not in the stated encoding.
  case invalidEncoding
  /// Bytes that are not UTF-8, of a table whose encoding nobody states: read as Windows-1252.
  case windows1252

  /// Gets each finding, and makes "file, line: what" of it if asked to.
  package typealias Handler = (TableFinding, _ example: () -> String) -> Void
}

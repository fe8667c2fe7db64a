public import STOLSystem
import STOLPack

/// Why a search cannot be made.
public enum SearchError: Error, Equatable, Sendable {
  /// The query is longer than `SearchQuery.maximumByteCount`.
  case queryTooLong(byteCount: Int)
  /// The pack has no such rank, status, conservation code, language or trait key.
  case unknownValue(of: String, given: String, known: [String])
}

extension SearchError: StolError {
  /// What kind of trouble it is.
  public var kind: ErrorKind { .usage }

  /// One line: what is wrong, and what there is instead.
  public var description: String {
    switch self {
    case .queryTooLong(let byteCount):
      return "the query has \(byteCount) bytes, at most \(SearchQuery.maximumByteCount) are allowed"
    case .unknownValue(let field, let given, let known):
      let shown = known.prefix(20).joined(separator: ", ") + (known.count > 20 ? ", ..." : "")
      return "unknown \(field) \"\(given)\"; this pack has: \(known.isEmpty ? "none" : shown)"
    }
  }
}

import Foundation
import GRDB
import STOLIngest
import STOLPack
import STOLNames

/// A tree of names as lines, each with the whole way to it, so that two of them can be compared.
///
/// "Plantae [kingdom] / Asteraceae [family]" is a taxon, "... = Compositae [family]" a synonym.
struct TreeLines {
  private(set) var lines: [String] = []

  /// What is in one and not in the other: "-" missing, "+" too much.
  func difference(from expected: TreeLines) -> [String] {
    var counts: [String: Int] = [:]
    for line in lines { counts[line, default: 0] += 1 }
    for line in expected.lines { counts[line, default: 0] -= 1 }
    return counts.filter { $0.value != 0 }
      .map { ($0.value < 0 ? "- " : "+ ") + $0.key }.sorted { $0.dropFirst() < $1.dropFirst() }
  }

  /// A name with its authorship, which may be written in several ways: with or without spaces after
  /// full stops and before braces, "et al." or "& al.", authors in capitals, the year after a comma,
  /// after a space or in parentheses.
  static func label(_ name: String, _ authorship: String?, _ rank: String) -> String {
    var label = name
    if let authorship, !authorship.isEmpty { label += " " + authorship }
    label = label.replacingOccurrences(of: ". ", with: ".")
      .replacingOccurrences(of: " et al.", with: " & al.")
      .replacingOccurrences(of: " {", with: "{")
    label = label.replacing(/,?\ \(?(1[789]\d\d|20\d\d)\)?$/) { ", \($0.1)" }
    label = label.replacing(/\b\p{Lu}{3,}\b/) { String($0.0).capitalized }
    return "\(label) [\(SourceRank(rank)?.canonicalName ?? "unranked")]"
  }
}

// MARK: - What a database holds

extension TreeLines {
  /// The tree in a database that was ingested.
  init(_ database: Database) throws {
    let rows = try Row.fetchAll(
      database, sql: "SELECT id, parent_id, scientific_name, author, rank FROM taxa")
    var labels: [Int64: (label: String, parent: Int64?)] = [:]
    for row in rows { labels[row[0]] = (Self.label(row[2], row[3], row[4]), row[1]) }
    var paths: [Int64: String] = [:]
    for id in labels.keys {
      var parts: [String] = []
      var next: Int64? = id
      while let current = next, let entry = labels[current], parts.count < 300 {
        parts.append(entry.label)
        next = entry.parent
      }
      paths[id] = parts.reversed().joined(separator: " / ")
    }
    lines = Array(paths.values)
    for row in try Row.fetchAll(
      database,
      sql: """
        SELECT taxon_id, name, author, rank FROM names LEFT JOIN name_details
        ON name_details.name_id = names.id WHERE name_type = 'synonym'
        """)
    {
      let rank: String? = row[3]
      lines.append("\(paths[row[0]] ?? "?") = \(Self.label(row[1], row[2], rank ?? ""))")
    }
  }
}

// MARK: - What was expected

/// A tree in the text format of the Catalogue of Life's test archives: two spaces a level,
/// "Name Authorship [rank]", "=" before synonyms, "$" before basionyms, "?" before doubtful taxa and
/// "†" before extinct ones, "pro-parte:" and ids for the other taxa that a name is a synonym of.
struct ExpectedTree {
  struct Node {
    var name: String
    var rank: String
    var isSynonym: Bool
    var parent: Int?
    var proParteIDs: [String]
  }

  private(set) var nodes: [Node] = []

  init(_ text: String) {
    var stack: [Int] = []
    for line in text.split(whereSeparator: \.isNewline)
    where !line.allSatisfy(\.isWhitespace) {
      let depth = line.prefix { $0 == " " }.count / 2
      var label = line.drop { $0 == " " }
      var isSynonym = false
      while let first = label.first, "=$?†\u{2021}≡*".contains(first) {
        if first == "=" || first == "≡" { isSynonym = true }
        label.removeFirst()
      }
      var rank = ""
      if let match = label.firstMatch(of: /\s*\[([^\]]*)\]\s*$/) {
        rank = String(match.1)
        label = label[..<match.range.lowerBound]
      }
      var ids: [String] = []
      if let match = label.firstMatch(of: /\ pro-parte:(\S+)/) {
        ids = match.1.split(separator: "|").map(String.init)
        label.removeSubrange(match.range)
      }
      stack.removeLast(max(0, stack.count - depth))
      nodes.append(
        Node(
          name: Self.withoutPhrase(String(label)), rank: rank, isSynonym: isSynonym,
          parent: stack.last, proParteIDs: ids))
      stack.append(nodes.count - 1)
    }
  }

  /// The name without what limits it, for which the database has no column: Catalogue of Life's
  /// "name phrase", as "sensu lato", "auct.", "non Scacchi".
  private static func withoutPhrase(_ name: String) -> String {
    let words = [
      "sensu", "auct.", "(auct.)", "nom.", "non", "(non", "nec", "emend.", "auct.,", "s.l.",
      "s.str.",
    ]
    var kept = name.split(separator: " ")
    if let end = kept.dropFirst().firstIndex(where: { words.contains(String($0)) }) {
      kept = Array(kept[..<end])
    }
    return kept.joined(separator: " ")
  }

  /// The tree without taxa of other ranks than the eight: what is below them goes to the nearest
  /// taxon above that is kept, synonyms without one go nowhere.
  ///
  /// - Parameter path: the way to the taxon that an id stands for.
  /// - Returns: what is left.
  func collapsed(path: (String) throws -> String?) rethrows -> TreeLines {
    var paths: [String?] = []
    var lines: [String] = []
    for node in nodes {
      let above = node.parent.flatMap { paths[$0] }
      guard !node.isSynonym else {
        paths.append(above)
        let label = TreeLines.label(node.name, nil, node.rank)
        var accepted = above.map { [$0] } ?? []
        for id in node.proParteIDs {
          if let path = try path(id), !accepted.contains(path) { accepted.append(path) }
        }
        lines += accepted.map { "\($0) = \(label)" }
        continue
      }
      guard let kept = SourceRank(node.rank)?.kept else {
        paths.append(above)
        continue
      }
      let label = TreeLines.label(node.name, nil, kept.name)
      let path = above.map { "\($0) / \(label)" } ?? label
      paths.append(path)
      lines.append(path)
    }
    return TreeLines(lines: lines)
  }
}

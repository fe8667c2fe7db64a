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

  /// Leaves out what is there before.
  mutating func showOnce() {
    var seen: Set<String> = []
    lines.removeAll { !seen.insert($0).inserted }
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
    return "\(label) [\(Self.rank(rank))]"
  }

  /// One word for each place; ranks without a place are none.
  ///
  /// What rows call "section" has its code in some trees.
  private static func rank(_ rank: String) -> String {
    let word = SourceRank(rank)?.level.map { KnownRanks.ordered[$0][0] } ?? "unranked"
    return word.replacing(" zoology", with: "")
  }

  /// Whether a rank is one of the eight.
  static func isMain(_ rank: String) -> Bool { SourceRank(rank)?.kept != nil }
}

// MARK: - What a database holds

extension TreeLines {
  /// The tree in a database that was ingested.
  ///
  /// Only taxa of ranks that are kept are shown; what is below others goes to the nearest taxon above
  /// that is, synonyms without one go nowhere.
  init(_ database: Database, isKept: (String) -> Bool = { _ in true }) throws {
    let rows = try Row.fetchAll(
      database, sql: "SELECT id, parent_id, scientific_name, author, rank FROM taxa")
    var labels: [Int64: (label: String, parent: Int64?, isKept: Bool)] = [:]
    for row in rows {
      // No expected tree has an implied root.
      let shown = row[0] != -1 && isKept(row[4])
      labels[row[0]] = (Self.label(row[2], row[3], row[4]), row[1], shown)
    }
    var paths: [Int64: String] = [:]
    for (id, own) in labels {
      var parts: [String] = []
      var next: Int64? = id
      while let current = next, let entry = labels[current], parts.count < 300 {
        if entry.isKept { parts.append(entry.label) }
        next = entry.parent
      }
      guard !parts.isEmpty else { continue }
      paths[id] = parts.reversed().joined(separator: " / ")
      if own.isKept { lines.append(paths[id] ?? "") }
    }
    // A name of several taxa that are shown as one is shown once.
    var seen: Set<String> = []
    for row in try Row.fetchAll(
      database,
      sql: """
        SELECT taxon_id, name, author, rank, coalesce(source_id, id) FROM names
        WHERE name_type = 'synonym'
        """)
    {
      let rank: String? = row[3]
      guard let path = paths[row[0]] else { continue }
      let line = "\(path) = \(Self.label(row[1], row[2], rank ?? ""))"
      let id: String = row[4]
      if seen.insert("\(id) \(line)").inserted { lines.append(line) }
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

  /// The name without what limits it, which the database keeps apart: Catalogue of Life's "name
  /// phrase", as "sensu lato", "auct.", "non Scacchi".
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

  /// Puts every variety below the one species beside it that its name begins with.
  mutating func putVarietiesBelowSpecies() {
    // Names here have their authorship: "Zignoëlla campi-silii Sacc.".
    func binomial(_ node: Node) -> [Substring] {
      Array(node.name.split(separator: " ").prefix(2))
    }
    for (number, node) in nodes.enumerated() where node.rank == "variety" && !node.isSynonym {
      let species = nodes.indices.filter {
        nodes[$0].rank == "species" && !nodes[$0].isSynonym && nodes[$0].parent == node.parent
          && binomial(nodes[$0]) == binomial(node)
      }
      if species.count == 1 { nodes[number].parent = species[0] }
    }
  }

  /// The tree as lines.
  ///
  /// - Parameters:
  ///   - isKept: whether taxa of a rank are shown; what is below others goes to the nearest taxon above
  ///     that is, synonyms without one go nowhere.
  ///   - path: the way to the taxon that an id stands for.
  /// - Returns: what is left.
  func lines(
    isKept: (String) -> Bool, path: (String) throws -> String?
  ) rethrows -> TreeLines {
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
      guard isKept(node.rank) else {
        paths.append(above)
        continue
      }
      let label = TreeLines.label(node.name, nil, node.rank)
      let path = above.map { "\($0) / \(label)" } ?? label
      paths.append(path)
      lines.append(path)
    }
    return TreeLines(lines: lines)
  }
}

import STOLNames

/// Taxa that a source states as ways from the root: "d__Bacteria;p__Bacillota;c__Bacilli".
///
/// Names before "__" are ranks, as GTDB, UNITE and Greengenes write them; an empty name behind one is no
/// taxon. Two ways that begin alike share what they begin with.
struct LineageTable {
  /// A taxon, and what its row says.
  private struct Node {
    var name: String
    var rank: SourceRank?
    var parent: Int?
    var id = ""
    /// The line of the row that is about it; 0 where none is.
    var line = 0
  }

  private var nodes: [Node] = []
  private var byPath: [String: Int] = [:]
  /// How many of `nodes` have been given.
  private var givenCount = 0

  /// The letters that stand for ranks before "__".
  private static let ranks = [
    "d": "domain", "k": "kingdom", "p": "phylum", "c": "class", "o": "order", "f": "family",
    "g": "genus", "s": "species", "t": "strain", "sk": "superkingdom",
  ]

  /// Adds the taxa of a way, of which the last one is what a row is about.
  ///
  /// - Parameters:
  ///   - text: the way, from the root down.
  ///   - separator: what is between two names.
  ///   - id: what the source calls the last one; empty where it says nothing.
  ///   - rank: its rank, where the way does not say it.
  ///   - line: where it stands.
  ///   - clean: removes what is no part of a name.
  /// - Returns: whether the last one had no row before and has not been given; nil where the way names none.
  /// - Complexity: O(length)
  mutating func add(
    _ text: String, separator: String, id: String, rank: SourceRank?, line: Int,
    clean: (String) -> String
  ) -> Bool? {
    var path = ""
    var parent: Int?
    for part in text.split(separator: separator) {
      let (rank, name) = Self.rankAndName(
        clean(trimmingSpaces(String(part))), below: parent.map { nodes[$0].name })
      guard !name.isEmpty else { continue }
      path += (path.isEmpty ? "" : ";") + trimmingSpaces(String(part))
      if let known = byPath[path] {
        parent = known
        continue
      }
      byPath[path] = nodes.count
      nodes.append(Node(name: name, rank: rank, parent: parent, id: path))
      parent = nodes.count - 1
    }
    guard let last = parent else { return nil }
    guard nodes[last].line == 0, last >= givenCount else { return false }
    nodes[last].line = line
    if !id.isEmpty { nodes[last].id = id }
    if nodes[last].rank == nil { nodes[last].rank = rank }
    return true
  }

  /// Gives every taxon that came since the last time, parents before their children.
  mutating func giveNew(_ body: (SourceUsage) throws -> Void) rethrows {
    for node in nodes[givenCount...] {
      var usage = SourceUsage()
      usage.id = node.id
      usage.name = node.name
      usage.rank = node.rank
      usage.line = node.line
      if let parent = node.parent { usage.parentID = nodes[parent].id }
      try body(usage)
    }
    givenCount = nodes.count
  }

  /// The rank and the name of a part of a way: "g__Bacillus" is the genus Bacillus.
  ///
  /// Below the genus Aspergillus, the "Aspergillus_niger" of UNITE is
  /// two words.
  private static func rankAndName(
    _ part: String, below parent: String?
  ) -> (rank: SourceRank?, name: String) {
    guard let mark = part.firstRange(of: "__"),
      let word = ranks[part[..<mark.lowerBound].lowercased()]
    else { return (nil, part) }
    let name = trimmingSpaces(String(part[mark.upperBound...]))
    let rank = SourceRank(word)
    if word == "species", let parent, name.hasPrefix(parent + "_") {
      return (rank, name.replacing("_", with: " "))
    }
    return (rank, name)
  }
}

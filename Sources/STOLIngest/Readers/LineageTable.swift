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
    /// What the way says here, of which ids are made.
    var part: String
    /// What the source calls it; empty where it says nothing.
    var id = ""
    /// The line of the row that is about it; 0 where none is.
    var line = 0
  }

  /// A part of a way, below another one.
  private struct Step: Hashable {
    var parent: Int?
    var part: String
  }

  /// What became of a way.
  enum Outcome {
    /// The last taxon of it had no row before and has not been given.
    case new
    /// It had one.
    case known
    /// It names no taxon.
    case nameless
    /// It has more parts than `partLimit`, or would make an id that is longer than any may be.
    case tooLong
  }

  /// How many parts a way may have: as deep as a tree may be.
  static let partLimit = 200

  private var nodes: [Node] = []
  private var bySteps: [Step: Int] = [:]
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
  /// - Returns: what became of the way; nothing of one that is too long is kept.
  /// - Complexity: O(length)
  mutating func add(
    _ text: String, separator: String, id: String, rank: SourceRank?, line: Int,
    clean: (String) -> String
  ) -> Outcome {
    let parts = text.split(separator: separator)
    guard parts.count <= Self.partLimit, text.utf8.count <= Intake.idByteLimit else {
      return .tooLong
    }
    var parent: Int?
    for part in parts {
      let part = clean(trimmingSpaces(String(part)))
      let (rank, name) = Self.rankAndName(part, below: parent.map { nodes[$0].name })
      guard !name.isEmpty else { continue }
      let step = Step(parent: parent, part: part)
      if let known = bySteps[step] {
        parent = known
        continue
      }
      bySteps[step] = nodes.count
      nodes.append(Node(name: name, rank: rank, parent: parent, part: part))
      parent = nodes.count - 1
    }
    guard let last = parent else { return .nameless }
    guard nodes[last].line == 0, last >= givenCount else { return .known }
    nodes[last].line = line
    nodes[last].id = id
    if nodes[last].rank == nil { nodes[last].rank = rank }
    return .new
  }

  /// Gives every taxon that came since the last time, parents before their children.
  mutating func giveNew(_ body: (SourceUsage) throws -> Void) rethrows {
    for index in givenCount..<nodes.count {
      let node = nodes[index]
      var usage = SourceUsage()
      usage.id = id(of: index)
      usage.name = node.name
      usage.rank = node.rank
      usage.line = node.line
      if let parent = node.parent { usage.parentID = id(of: parent) }
      try body(usage)
    }
    givenCount = nodes.count
  }

  /// What the source calls a taxon, else the way to it, which is only made when it is asked for: all of them
  /// together are longer than the table.
  private func id(of index: Int) -> String {
    guard nodes[index].id.isEmpty else { return nodes[index].id }
    var parts: [String] = []
    var next: Int? = index
    while let place = next {
      parts.append(nodes[place].part)
      next = nodes[place].parent
    }
    return parts.reversed().joined(separator: ";")
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

import STOLAnswers
import STOLPack

/// What was seen, where it stands in the tree: with the families and orders, and how much was seen in each.
///
/// Too many to be read are grouped: one taxon then stands for all that was seen in it.
struct LifeTree: Sendable {
  /// A taxon that was seen, one that holds some, or one that stands for several.
  struct Node: Equatable, Sendable {
    let label: TaxonLabel
    /// The position in `nodes` of the nearest one above it, or nil for the first of a tree.
    let parent: Int?
    /// How many taxa were seen in it, itself among them.
    let taxonCount: Int
    /// How often.
    let sightingCount: Int
    /// Whether it was seen itself.
    let isSeen: Bool
    /// Whether it stands for several that are not drawn.
    let isGroup: Bool
    /// The colour of its class: 1 to 8.
    let branch: Int

    /// What is said of it.
    var fact: String {
      let sightings = Words.count(sightingCount, "sighting", "sightings")
      return taxonCount > 1
        ? Words.count(taxonCount, "taxon", "taxa") + ", " + sightings : sightings
    }
  }

  /// More ends than these are grouped.
  static let greatestEndCount = 60

  /// The taxa in preorder.
  private(set) var nodes: [Node] = []
  /// How many taxa are in it.
  let taxonCount: Int
  /// How many that were seen are in no place of the tree: of another database, or not sure.
  let absentCount: Int
  /// How many are not drawn, since even groups would be too many.
  private(set) var hiddenCount = 0
  private let filter: JournalFilter

  /// Nothing that was seen.
  init() { (taxonCount, absentCount, filter) = (0, 0, JournalFilter()) }

  /// The tree of taxa that were seen, each with how often.
  ///
  /// - Complexity: O(k · depth + k log k) for k taxa.
  init(
    of seen: [TaxonOrdinal: Int], absentCount: Int, _ filter: JournalFilter,
    in view: borrowing PackView, _ preference: borrowing LanguagePreference
  ) {
    (taxonCount, self.absentCount, self.filter) = (seen.count, absentCount, filter)
    let groups = Self.groups(of: Set(seen.keys), view)
    let ends = groups.keys.sorted()
    let shown = ends.prefix(Self.greatestEndCount)
    hiddenCount = ends[shown.endIndex...].reduce(0) { $0 + (groups[$1]?.count ?? 0) }
    let ranks = [MainRank.order, .family].map { view.taxa.ranks.row(of: TaxonRank($0)) }
    var drawn = Set(shown)
    for end in shown {
      for above in view.tree.ancestors(of: end) where ranks.contains(view.taxa.rank(of: above)) {
        drawn.insert(above)
      }
    }
    let subtree = view.tree.inducedSubtree(drawn.sorted()).nodes
    let places = Dictionary(uniqueKeysWithValues: zip(subtree.map(\.taxon), subtree.indices))
    var counts = Array(repeating: (taxa: 0, sightings: 0), count: subtree.count)
    for (taxon, count) in seen {
      for above in [taxon] + view.tree.ancestors(of: taxon) {
        guard let place = places[above] else { continue }
        counts[place].taxa += 1
        counts[place].sightings &+= count
      }
    }
    for (node, count) in zip(subtree, counts) {
      nodes.append(
        Node(
          label: TaxonLabel(node.taxon, in: view, preference), parent: node.parent,
          taxonCount: count.taxa, sightingCount: count.sightings,
          isSeen: seen[node.taxon] != nil, isGroup: (groups[node.taxon]?.count ?? 0) > 1,
          branch: FavoritesTree.branch(of: node.taxon, view)))
    }
  }

  /// Taxa by the lowest rank that makes few enough groups of them, unless that is but one.
  private static func groups(
    of taxa: Set<TaxonOrdinal>, _ view: borrowing PackView
  ) -> [TaxonOrdinal: [TaxonOrdinal]] {
    var groups = Dictionary(uniqueKeysWithValues: taxa.map { ($0, [$0]) })
    for rank in MainRank.allCases.reversed().drop(while: { $0 > .genus })
    where groups.count > greatestEndCount {
      let coarser = FavoritesTree.groups(of: taxa, by: rank, view)
      if coarser.count < 2 { break }
      groups = coarser
    }
    return groups
  }

  /// Where a node leads to: nearer to what is in it, or to what was seen of it.
  func address(of node: Node) -> Address {
    let isHere = filter.taxon == node.label.address.text
    let filter = filter.with { $0.taxon = node.label.address.text }
    return filter.address(node.taxonCount > 1 && !isHere ? .lifeTree : .list)
  }

  /// The same taxa as nested lists.
  var list: Html {
    Html {
      nestedLists(nodes.map(\.parent)) { index in
        nodes[index].label.item(to: address(of: nodes[index]))
        Words.comma + nodes[index].fact
      }
      if hiddenCount > 0 {
        tag("p") {
          tag("a", .href(filter.address(.life))) { "And \(Words.grouped(hiddenCount)) more" }
        }
      }
    }
  }

  /// Adds the members of its twin for programs.
  func write(to json: inout RowWriter) {
    json.number("count", taxonCount)
    json.number("absentCount", absentCount)
    json.number("hiddenCount", hiddenCount)
    json.objects("nodes", nodes) { json, node in
      node.label.write(to: &json)
      if let parent = node.parent {
        nodes[parent].label.writeID("parentID", to: &json)
      } else {
        json.null("parentID")
      }
      json.number("taxonCount", node.taxonCount)
      json.number("sightingCount", node.sightingCount)
      json.bool("isSeen", node.isSeen)
      json.bool("isGroup", node.isGroup)
      json.text("href", address(of: node).text)
    }
  }

  /// The tree as a drawing of rows, each further to the right than the one above it in the tree.
  func picture(_ format: PictureFormat) -> Picture {
    let width = format == .wide ? 720.0 : 360
    var rows: [TreeRow] = []
    var indents: [Int] = []
    for node in nodes {
      var row = TreeRow(node.label, parent: node.parent)
      row.address = address(of: node)
      row.title += Words.comma + node.fact
      row.note = node.fact
      let isEnd = node.isSeen || node.isGroup
      row.branch = isEnd ? node.branch : 0
      row.stop = isEnd ? .end : .plain
      indents.append(node.parent.map { indents[$0] + 1 } ?? 0)
      rows.append(row)
    }
    if hiddenCount > 0 {
      rows.append(TreeRow(leavingOut: hiddenCount, see: filter.address(.life), parent: nil))
      indents.append(0)
    }
    TreeRow.place(&rows, indents, width)
    return Picture(
      kind: "life-list", id: "\(format)", title: "Life list on the tree of life",
      description: nodes.isEmpty
        ? "Nothing was seen that is in this tree."
        : "\(Words.count(taxonCount, "taxon", "taxa")), with their families and orders.",
      width: width, height: max(TreeRow.height, TreeRow.height * Double(rows.count)),
      marks: TreeRow.marks(rows))
  }
}

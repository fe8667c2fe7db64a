import STOLAnswers
import STOLPack

/// The favourites where they stand in the tree, with the ancestors at which their ways part.
///
/// Too many to be read are grouped: one taxon then stands for all favourites in it.
struct FavoritesTree: Sendable {
  /// A favourite, an ancestor that some have in common, or a clade that stands for several.
  struct Node: Equatable, Sendable {
    let label: TaxonLabel
    /// The position in `nodes` of the nearest one above it, or nil for the first of a tree.
    let parent: Int?
    let isFavorite: Bool
    /// How many favourites it stands for, 0 unless it is a group.
    let groupedCount: Int
    /// The colour of its class: 1 to 8.
    let branch: Int

    /// Where it leads to.
    var address: Address {
      Address(groupedCount > 0 ? .tree(label.address) : .taxon(label.address))
    }
  }

  /// More ends than these are grouped.
  static let greatestEndCount = 60

  /// The taxa in preorder.
  private(set) var nodes: [Node] = []
  /// The number of favourites.
  let count: Int
  /// The number of favourites that are not drawn, since even groups would be too many.
  private(set) var hiddenCount = 0

  /// The tree of some favourites.
  ///
  /// - Complexity: O(k · depth + k log k) for k favourites.
  init(
    of favorites: [TaxonOrdinal], in view: borrowing PackView,
    _ preference: borrowing LanguagePreference
  ) {
    let favorites = Set(favorites)
    count = favorites.count
    var groups = Dictionary(uniqueKeysWithValues: favorites.map { ($0, [$0]) })
    // The lowest rank that makes few enough groups.
    for rank in MainRank.allCases.reversed().drop(while: { $0 > .family })
    where groups.count > Self.greatestEndCount {
      groups = Self.groups(of: favorites, by: rank, view)
    }
    let ends = groups.keys.sorted()
    let shown = ends.prefix(Self.greatestEndCount)
    hiddenCount = ends[shown.endIndex...].reduce(0) { $0 + (groups[$1]?.count ?? 0) }
    let subtree = view.tree.inducedSubtree(shown).nodes
    for node in subtree {
      let members = groups[node.taxon] ?? []
      nodes.append(
        Node(
          label: TaxonLabel(node.taxon, in: view, preference), parent: node.parent,
          isFavorite: favorites.contains(node.taxon) || members.count > 1,
          groupedCount: members.count > 1 ? members.count : 0,
          branch: Self.branch(of: node.taxon, view)))
    }
  }

  /// The colour of the class of a taxon, or of what comes nearest to one above it.
  static func branch(of taxon: TaxonOrdinal, _ view: borrowing PackView) -> Int {
    guard let row = view.taxa.ranks.row(of: .class) else {
      return Icicle.branch(of: view.ids[taxon])
    }
    var taxon = taxon
    while !view.taxa.ranks.isAtOrAbove(view.taxa.rank(of: taxon), row),
      let parent = view.tree.parent(of: taxon)
    {
      taxon = parent
    }
    return Icicle.branch(of: view.ids[taxon])
  }

  /// The favourites by their ancestor of a rank, or themselves where they have none or are alone.
  static func groups(
    of favorites: Set<TaxonOrdinal>, by rank: MainRank, _ view: borrowing PackView
  ) -> [TaxonOrdinal: [TaxonOrdinal]] {
    let row = view.taxa.ranks.row(of: TaxonRank(rank))
    var groups: [TaxonOrdinal: [TaxonOrdinal]] = [:]
    for favorite in favorites {
      var next: TaxonOrdinal? = favorite
      while let step = next, view.taxa.rank(of: step) != row { next = view.tree.parent(of: step) }
      groups[next ?? favorite, default: []].append(favorite)
    }
    return Dictionary(
      groups.map { $1.count == 1 ? ($1[0], $1) : ($0, $1) }, uniquingKeysWith: +)
  }

  /// The same taxa as nested lists.
  var list: Html {
    Html {
      nestedLists(nodes.map(\.parent)) { index in
        nodes[index].label.item(to: nodes[index].address)
        nodes[index].fact.map { Words.comma + $0 } ?? ""
      }
      if hiddenCount > 0 {
        tag("p") {
          tag("a", .href(Address(.favorites))) {
            Words[.andMore, ["number": Words.grouped(hiddenCount)]]
          }
        }
      }
    }
  }

  /// Adds the members of its twin for programs.
  func write(to json: inout RowWriter) {
    json.number("count", count)
    json.number("hiddenCount", hiddenCount)
    json.objects("nodes", nodes) { json, node in
      node.label.write(to: &json)
      if let parent = node.parent {
        nodes[parent].label.writeID("parentID", to: &json)
      } else {
        json.null("parentID")
      }
      json.bool("isFavorite", node.isFavorite)
      json.number("groupedCount", node.groupedCount)
      json.number("branch", node.branch)
      json.text("href", node.address.text)
    }
  }
}

extension FavoritesTree.Node {
  /// Whether it is a favourite, in words.
  fileprivate var fact: String? {
    groupedCount > 0
      ? Words[.favorites, count: groupedCount] : isFavorite ? Words[.favoriteWord] : nil
  }
}

extension FavoritesTree {
  /// The tree as a drawing of rows, each further to the right than the one above it in the tree.
  func picture(_ format: PictureFormat) -> Picture {
    let width = format == .wide ? 720.0 : 360
    let height = TreeRow.height
    var rows: [TreeRow] = []
    var indents: [Int] = []
    for node in nodes {
      var row = TreeRow(node.label, parent: node.parent)
      row.address = node.address
      row.title += node.fact.map { Words.comma + $0 } ?? ""
      row.note = node.groupedCount > 0 ? node.fact : nil
      row.isFavorite = node.isFavorite
      row.branch = node.isFavorite ? node.branch : 0
      row.stop = node.isFavorite ? .end : .plain
      indents.append(node.parent.map { indents[$0] + 1 } ?? 0)
      rows.append(row)
    }
    if hiddenCount > 0 {
      rows.append(TreeRow(leavingOut: hiddenCount, see: Address(.favorites), parent: nil))
      indents.append(0)
    }
    TreeRow.place(&rows, indents, width)
    var marks = TreeRow.marks(rows)
    if nodes.isEmpty {
      let box = Box(x: 0, y: 0, width: width, height: height)
      marks += Label(TextPiece(Words[.noFavoritesYet], .soft), in: box).map { [.label($0)] } ?? []
    }
    return Picture(
      kind: "favorites", id: "\(format)", title: Words[.favoritesInTree],
      description: nodes.isEmpty
        ? Words[.noFavoritesThere] : Words[.favoritesDrawn, count: count],
      width: width, height: max(height, height * Double(rows.count)), marks: marks)
  }
}

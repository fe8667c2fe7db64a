import STOLAnswers
import STOLPack

/// A clade as rows of cells: each row one level further down, each cell as wide as its share of the species.
///
/// What is too small to be touched is grouped: a cell of a group leads to the list of all children. A group
/// has its share too, and may be too narrow to lead anywhere but from the list beside.
struct Icicle: Sendable {
  /// A clade, or a group of small ones.
  struct Cell: Equatable, Sendable {
    /// What cells are sized by: `species`, or where a clade has none, the tips of its branches.
    enum Measure: String, Sendable {
      case species, tips
    }

    /// The clade, or nil for a group.
    let label: TaxonLabel?
    /// The position in `cells` of the cell above it, or nil in the first row.
    let parent: Int?
    /// How many edges below the clade shown; the roots are on level 1 of the whole tree.
    let level: Int
    let x: Double
    let width: Double
    let speciesCount: Int
    /// What it is sized by: the number of species, or of tips.
    let count: Int
    /// The number of clades in a group, 0 for a clade.
    let groupedCount: Int
    /// Its colour: 1 to 8, or 0 for none.
    let branch: Int
    /// Where it leads to.
    let address: Address
  }

  /// The clade shown, or nil for the whole tree.
  let clade: TaxonLabel?
  /// The way to it from the root.
  let ancestors: [TaxonLabel]
  let format: PictureFormat
  /// The number of levels below the clade shown.
  let levels: Int
  /// What cells are sized by.
  let measure: Cell.Measure
  /// The sum of the widths of a row that is full.
  let length: Double
  /// The cells in preorder.
  private(set) var cells: [Cell] = []

  /// The icicle of a clade, or for nil of the whole tree.
  ///
  /// Unless `levels` is given, it shows as many below the clade as the format has room for.
  ///
  /// - Complexity: O(number of taxa in those levels)
  init(
    of clade: TaxonOrdinal?, levels: Int? = nil, format: PictureFormat, _ counts: CladeCounts,
    in view: borrowing PackView, _ preference: borrowing LanguagePreference
  ) {
    self.clade = clade.map { TaxonLabel($0, in: view, preference) }
    self.format = format
    let levels = levels ?? (format == .wide ? 3 : 2)
    self.levels = levels
    length = format == .wide ? 1200 : 16 * format.smallestTarget
    ancestors = TaxonLabel.labels(
      of: clade.map { view.tree.ancestors(of: $0) } ?? [], in: view, preference)
    let sizes = view.cladeSizes(
      of: clade, levels: levels, species: counts.species, tips: counts.tips)
    let whole = Slot(positions: 0..<1, isGroup: false, x: 0, width: length)
    let tops = sizes.filter { $0.level == (clade == nil ? 1 : 0) }
    measure = tops.contains { $0.speciesCount > 0 } ? .species : .tips
    let total = tops.reduce(0) { $0 + $1.count(measure) }
    if let label = self.clade, let own = sizes.first {
      cells.append(
        Cell(
          label: label, parent: nil, level: 0, x: 0, width: length,
          speciesCount: own.speciesCount, count: total, groupedCount: 0,
          branch: Self.branch(of: label.id),
          address: Address(.taxon(label.address))))
      addChildren(1..<own.end, of: whole, total, parent: 0, sizes, view, preference)
    } else {
      addChildren(0..<sizes.count, of: whole, total, parent: nil, sizes, view, preference)
    }
  }

  /// The colour that a clade has wherever it is drawn, unless its neighbour has it too.
  static func branch(of id: TaxonID) -> Int {
    let hash = UInt64(bitPattern: id.rawValue) &* 0x9E37_79B9_7F4A_7C15
    // These three bits differ between the classes that people know best, as NCBI numbers them.
    return Int(hash >> 22 & 7) + 1
  }

  /// Adds the cells below a cell of size `total`, which stand in `range` of `sizes`, and those below them.
  private mutating func addChildren(
    _ range: Range<Int>, of slot: Slot, _ total: Int, parent: Int?, _ sizes: [CladeSize],
    _ view: borrowing PackView, _ preference: borrowing LanguagePreference
  ) {
    var children: [Int] = []
    var next = range.lowerBound
    while next < range.upperBound {
      children.append(next)
      next = max(next + 1, sizes[next].end)
    }
    let measure = measure
    children.sort { (sizes[$1].count(measure), $0) < (sizes[$0].count(measure), $1) }
    var neighbour = 0
    let slots = Slot.divide(
      slot, among: children.map { sizes[$0].count(measure) }, of: total, format.smallestTarget)
    for slot in slots {
      let members = children[slot.positions]
      guard let first = members.first else { continue }
      let label = slot.isGroup ? nil : TaxonLabel(sizes[first].taxon, in: view, preference)
      let taxon = sizes[first].taxon
      var branch = parent.map { cells[$0].level == 0 ? 0 : cells[$0].branch } ?? 0
      // What fills nearly all of a row would give all below it one colour.
      if branch == 0, let label, slot.width < length * 0.8 || view.tree.isLeaf(taxon) {
        branch = Self.branch(of: label.id)
        if branch == neighbour { branch = branch % 8 + 1 }
        neighbour = branch
      }
      let address =
        label.map { view.tree.isLeaf(taxon) ? .taxon($0.address) : .icicle($0.address) }
        ?? Route.tree(view.tree.parent(of: taxon).map { view.address(of: $0) })
      let position = cells.count
      cells.append(
        Cell(
          label: label, parent: parent, level: sizes[first].level, x: slot.x, width: slot.width,
          speciesCount: members.reduce(0) { $0 + sizes[$1].speciesCount },
          count: members.reduce(0) { $0 + sizes[$1].count(measure) },
          groupedCount: slot.isGroup ? members.count : 0, branch: branch,
          address: Address(address)))
      if !slot.isGroup, slot.width >= format.smallestTarget {
        addChildren(
          first + 1..<sizes[first].end, of: slot, sizes[first].count(measure),
          parent: position, sizes, view, preference)
      }
    }
  }

  /// Adds the members of its twin for programs.
  func write(to json: inout RowWriter) {
    json.number("width", length)
    json.text("measure", measure.rawValue)
    json.number("levels", levels)
    json.objects("ancestors", ancestors) { $1.write(to: &$0) }
    json.objects("cells", cells) { json, cell in
      if let label = cell.label { label.writeID(to: &json) } else { json.null("id") }
      json.text("scientificName", cell.label?.scientificName)
      json.text("commonName", cell.label?.commonName)
      json.text("rank", cell.label?.rank)
      json.number("level", cell.level)
      json.number("x", exact: (cell.x * 10).rounded() / 10)
      json.number("width", exact: (cell.width * 10).rounded() / 10)
      json.number("speciesCount", cell.speciesCount)
      json.number("count", cell.count)
      json.number("groupedCount", cell.groupedCount)
      json.number("branch", cell.branch)
      json.text("href", cell.address.text)
    }
  }
}

extension CladeSize {
  /// How large it is by a measure.
  fileprivate func count(_ measure: Icicle.Cell.Measure) -> Int {
    measure == .species ? speciesCount : size
  }
}

/// The ids that stand for another taxon, for a name of one, or for none.
struct RetiredIDs {
  /// Ids, ascending, and what each stands for: a taxon, or the number of taxa plus that of a further name.
  private var merged: [(id: Int64, target: UInt32)] = []
  private let deleted: [Int64]

  /// Resolves merged ids, chains of them to the end; synonyms with an id of their own count as merged
  /// into it.
  ///
  /// Where several names have one id, the first row counts; an id that is also that of a taxon is left
  /// out.
  init(
    merged rows: [(id: Int64, into: Int64)], deleted: [Int64], taxa: TaxonTable,
    names: NameTable, _ order: TreeOrder, _ further: FurtherNames, _ warnings: inout WarningList
  ) throws(CompileError) {
    let ofNames = Self.idsOfNames(taxa, names, order, further)
    var chain: [Int64: Int64] = [:]
    for (id, target) in rows where chain[id] == nil { chain[id] = target }
    /// The taxon that an id leads to.
    func taxon(_ id: Int64) -> UInt32? {
      if let taxon = order.taxon(withID: id) { return taxon }
      return ofNames[id].map { further.taxa[Int($0) - order.count] }
    }
    // What ids on the way of a chain lead to, once they have been followed; nil for nowhere.
    var ends: [Int64: UInt32?] = [:]
    for (id, target) in rows where order.taxon(withID: id) == nil && ofNames[id] == nil {
      var path: [Int64] = []
      var next = target
      var end = taxon(next)
      while end == nil, let further = chain[next] {
        if let known = ends[next] {
          end = known
          break
        }
        // A circle leads nowhere: whoever comes by again finds this.
        ends[next] = .some(nil)
        path.append(next)
        next = further
        end = taxon(next)
      }
      for member in path { ends[member] = .some(end) }
      if let end { self.merged.append((id, end)) } else { warnings.add(.orphanMergedID, id: id) }
    }
    for (id, name) in ofNames { self.merged.append((id, name)) }
    self.merged.sort { ($0.id, $0.target) < ($1.id, $1.target) }
    let found = self.merged
    self.merged = found.indices.filter { $0 == 0 || found[$0 - 1].id != found[$0].id }
      .map { found[$0] }
    let ids = Set(found.map { $0.id })
    self.deleted = Set(deleted).filter { order.taxon(withID: $0) == nil && !ids.contains($0) }
      .sorted()
  }

  /// The own ids of synonyms and the numbers of those in the pack.
  private static func idsOfNames(
    _ taxa: TaxonTable, _ names: NameTable, _ order: TreeOrder, _ further: FurtherNames
  ) -> [Int64: UInt32] {
    var result: [Int64: UInt32] = [:]
    var firstRows: [Int64: UInt32] = [:]
    for (number, source) in further.sources.enumerated() {
      let name = UInt32(order.count + number)
      switch source {
      case .synonymTaxon(let row): result[taxa.ids[Int(row)]] = name
      case .name(let row):
        guard let text = names.idOfSynonym(Int(row)) else { continue }
        let id = TaxonID(sourceText: text, amongTexts: taxa.hasTextIDs).rawValue
        guard order.taxon(withID: id) == nil, row < firstRows[id] ?? .max else { continue }
        firstRows[id] = row
        result[id] = name
      }
    }
    return result
  }

  func write<Output: SectionOutput & ~Copyable>(to file: inout Output) throws(Output.Failure) {
    try file.write(.mergedID, .based(merged.map { $0.id }))
    try file.write(.mergedInto, .packed(merged.map { $0.target }))
    try file.write(.deletedID, .based(deleted))
  }
}

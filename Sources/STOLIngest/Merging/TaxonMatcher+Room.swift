import STOLNames
import STOLPack

extension TaxonMatcher {
  /// A taxon that is to be written.
  struct NewTaxon {
    var row: Int
    var id: Int64
    var sourceID: String
    var parent: Int64?
  }

  /// Finds a place in the tree for what is not there.
  ///
  /// What a cut does not ask for, and what lies outside of what is kept, becomes `.cut` in `matches`.
  /// `homonyms` are rows whose names are there in other groups: they regroup nothing.
  func makeRoom(
    for addition: Intake, _ added: Resolution, _ matches: inout [Match], _ homonyms: Set<Int>,
    prefix: String, _ matching: inout IngestReport.Matching
  ) throws -> (ids: Column<Int64>, taxa: [NewTaxon]) {
    let targets = added.targets
    var ids = Column<Int64>(repeating: Intake.none, count: matches.count)
    // What stands above a taxon that is there regroups it.
    var regroups = [Bool](repeating: false, count: matches.count)
    for row in matches.indices {
      guard case .taxon(let id) = matches[row] else { continue }
      ids[row] = id
      var next = targets[row]
      while next != Resolution.none, !regroups[Int(next)] {
        regroups[Int(next)] = true
        next = targets[Int(next)]
      }
    }
    try noteConflicts(of: addition, added, ids)
    for row in matches.indices where added.fates[row] == .taxon {
      if case .absent = matches[row], !isInside(row, added, ids) { matches[row] = .cut }
    }
    // What regroups others is needed as well where something new stands in it.
    var isNeeded = [Bool](repeating: false, count: matches.count)
    for row in matches.indices
    where added.fates[row] == .taxon && (!regroups[row] || homonyms.contains(row))
      && filter.keeps(row, added.usages)
    {
      var next = row
      while case .absent = matches[next], !isNeeded[next] {
        isNeeded[next] = true
        guard targets[next] != Resolution.none else { break }
        next = Int(targets[next])
      }
    }
    var taxa: [NewTaxon] = []
    for row in matches.indices where added.fates[row] == .taxon {
      // From the first ancestor that has a place down to the row.
      var way: [Int] = []
      var next = row
      while ids[next] == Intake.none {
        way.append(next)
        guard targets[next] != Resolution.none else { break }
        next = Int(targets[next])
      }
      var parent = ids[next] == Intake.none ? nil : ids[next]
      for step in way.reversed() {
        guard isNeeded[step] else { continue }
        let sourceID = try newID(of: step, addition, added, prefix)
        let id = TaxonID(sourceText: sourceID).rawValue
        ids[step] = id
        taxa.append(NewTaxon(row: step, id: id, sourceID: sourceID, parent: parent))
        parent = id
      }
    }
    for row in matches.indices where added.fates[row] == .taxon && ids[row] == Intake.none {
      guard case .absent = matches[row] else { continue }
      guard filter.keeps(row, added.usages) else {
        matches[row] = .cut
        continue
      }
      addition.findings.add(.regroupsTaxa, addition.describe(row))
      matching.unmatched += 1
    }
    for row in matches.indices {
      if case .cut = matches[row] { matching.cut += 1 }
    }
    matching.taxaAdded = taxa.count
    return (ids, taxa)
  }

  /// Whether a new taxon would stand in what is kept with all that is below it.
  private func isInside(_ row: Int, _ added: Resolution, _ ids: Column<Int64>) -> Bool {
    guard let outside else { return true }
    var next = row
    while ids[next] == Intake.none {
      guard added.targets[next] != Resolution.none else { return false }
      next = Int(added.targets[next])
    }
    return !outside.contains(ids[next])
  }

  /// Counts taxa that the first source puts elsewhere than the one that is added.
  private func noteConflicts(
    of addition: Intake, _ added: Resolution, _ ids: Column<Int64>
  ) throws {
    let base = known[0].resolution
    for row in 0..<ids.count where ids[row] != Intake.none {
      guard let there = base.taxon(ids[row]) else { continue }
      var next = added.targets[row]
      while next != Resolution.none, ids[Int(next)] == Intake.none {
        next = added.targets[Int(next)]
      }
      guard next != Resolution.none, let parent = base.taxon(ids[Int(next)]), parent != there else {
        continue
      }
      var ancestor = base.targets[there]
      while ancestor != Resolution.none, Int(ancestor) != parent {
        ancestor = base.targets[Int(ancestor)]
      }
      if ancestor == Resolution.none {
        addition.findings.add(
          .otherPlace, "\(addition.describe(row)) within \(addition.describe(Int(next)))")
      }
    }
  }

  /// What stands before the ids of a source, which are of that id space, so that they are none of the first.
  func prefix(_ space: String?, _ source: Int) -> String {
    guard let space else { return "source\(source):" }
    return space == idSpace ? "" : space + ":"
  }

  /// The id in the database of a row that is new there.
  private func newID(
    of row: Int, _ addition: Intake, _ added: Resolution, _ prefix: String
  ) throws -> String {
    let own = prefix + (try addition.sourceID(row))
    for text in [own, "source\(known.count + 1):\(own)"] {
      let id = TaxonID(sourceText: text).rawValue
      if known[0].resolution.table.row(id, ids: known[0].resolution.usages.ids) == nil,
        takenIDs.insert(id).inserted
      {
        return text
      }
    }
    throw IngestError.idCollision(first: own, second: own)
  }

  // MARK: Roots

  /// Puts the domains, kingdoms and realms without a parent that were added below the root of the first
  /// source, or with those of that source below an implied one; other roots stay roots, and are counted.
  ///
  /// - Complexity: O(n)
  func settleRoots(impliesRoot: Bool) throws {
    guard !addedRoots.isEmpty else { return }
    let base = known[0].resolution
    let roots = (0..<base.usages.count).filter { base.isRoot($0) }
    let tops = roots.filter { base.isTop($0) }
    let isTop = { [known] (place: Place) in
      known[Int(place.source)].resolution.isTop(Int(place.row))
    }
    let addedTops = addedRoots.filter { isTop($0.place) }
    var parent = base.rootOfTops.map { base.usages.ids[$0] }
    if parent == nil, impliesRoot, tops.count + addedTops.count > 1 {
      parent = TaxonomySchema.impliedRoot
      if tops.count < 2 {
        try writer.writeImpliedRoot()
        try writer.put(tops.map { base.usages.ids[$0] }, below: TaxonomySchema.impliedRoot)
        for root in roots where !base.isTop(root) {
          known[0].intake.findings.add(.otherRoot, known[0].intake.describe(root))
        }
      }
    }
    if let parent { try writer.put(addedTops.map(\.id), below: parent) }
    for root in addedRoots where parent == nil || !isTop(root.place) {
      guard roots.count + addedRoots.count > 1 else { continue }
      let intake = known[Int(root.place.source)].intake
      intake.findings.add(.otherRoot, intake.describe(Int(root.place.row)))
    }
  }

  // MARK: Synonyms

  /// The synonyms of a source that is added of which the sources before say something else: the rows of
  /// usages, and where entries are.
  func conflicts(
    of addition: Intake, _ added: Resolution, _ databaseID: (Int) -> Int64?
  ) throws -> (rows: Set<Int>, entries: Set<Int>) {
    var rows: Set<Int> = []
    for row in 0..<added.usages.count
    where added.fates[row] == .synonym && added.targets[row] != Resolution.none {
      let taxon = Int(added.targets[row])
      guard let id = databaseID(taxon) else { continue }
      let text = try addition.text(row)
      let name = try name(
        text.name, text.authorship, text.year,
        level: added.usages.rankName(row).isEmpty
          ? added.usages.level(taxon) : added.usages.level(row), isSynonym: true,
        of: Home(row: taxon, intake: addition, resolution: added))
      let sensu = NamePhrase(text.sensu).sensu
      let status = NameStatusWord.ofSynonym(text.statusText, sensu: sensu)
      if try isElsewhere(name, status, of: id, addition.describe(taxon), addition) {
        rows.insert(row)
      }
    }
    var entries: Set<Int> = []
    try addition.forEachAttachment { offset, _, id, attachment in
      guard
        case .synonym(let text, let authorship, let year, let rank, let said, let phrase) =
          attachment,
        let taxon = added.taxon(id), let there = databaseID(taxon)
      else { return }
      let name = try name(
        text, authorship, year,
        level: rank.isEmpty ? added.usages.level(taxon) : SourceRank(rank)?.level,
        isSynonym: true, of: Home(row: taxon, intake: addition, resolution: added))
      let status = NameStatusWord.ofSynonym(said, sensu: NamePhrase(phrase).sensu)
      if try isElsewhere(name, status, of: there, addition.describe(taxon), addition) {
        entries.insert(offset)
      }
    }
    return (rows, entries)
  }

  /// Whether the sources before have a synonym as a taxon of its own or as a synonym of others; that is
  /// counted.
  ///
  /// A name that is misapplied, or part of several taxa, may be elsewhere as well.
  private func isElsewhere(
    _ name: Name, _ status: String, of taxon: Int64, _ described: String, _ addition: Intake
  ) throws -> Bool {
    guard Self.contradictingStatuses.contains(status) else { return false }
    var there: String?
    for place in places(of: name) {
      let source = known[Int(place.source)]
      let row = Int(place.row)
      if source.id(row) == taxon { return false }
      let text = try source.intake.text(row)
      let fit = try fit(name, text.authorship, text.year, of: source.home(row), isSynonym: false)
      if fit == .same { there = "accepted" }
    }
    if there == nil {
      let taxa = try taxa(withSynonym: name)
      guard !taxa.there.contains(taxon) else { return false }
      if let other = taxa.there.min() {
        there = place(of: other).map {
          "of " + known[Int($0.source)].intake.describe(Int($0.row))
        }
      } else if taxa.isCut {
        there = "of a taxon that is left out"
      }
    }
    guard let there else { return false }
    addition.findings.add(
      .conflictingSynonym, "\(name.text): here of \(described), there \(there)")
    return true
  }

  /// What a name is that can be one of a single taxon only.
  private static let contradictingStatuses: Set = ["synonym", "homotypic", "heterotypic"]
}

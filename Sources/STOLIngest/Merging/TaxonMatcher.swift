import STOLNames
import STOLPack

/// Finds the taxa of the sources before for those of a source that is added, and makes a place for the
/// others.
///
/// - Two are the same if they have one name and rank, kingdoms and authorships that do not contradict; the
///   rank may be another where both have one id of one id space, and of a kingdom. Else one is the other's
///   if that has its name as a synonym. Where there are several such taxa nothing is guessed.
/// - Where the kingdom of one of two is not known, a genus, a name without a rank or a synonym is not the
///   same in other groups, unless both name the same authors, or something below both is the same.
/// - A synonym that the sources before have as a taxon, or as a synonym of another one, is not added.
/// - What the first source had and a cut left out does not come back, and nothing is added that the cut
///   does not ask for.
/// - What is not there is added below its nearest ancestor that is. A taxon that only regroups others,
///   as a superfamily of which all families are there without one, is not: the tree stays that of the
///   first source.
final class TaxonMatcher {
  /// A source whose taxa are in the database.
  struct Known {
    let intake: Intake
    let resolution: Resolution
    /// The id in the database of each row that is a taxon there; nil where rows have their own.
    let ids: Column<Int64>?

    func id(_ row: Int) -> Int64 { ids.map { $0[row] } ?? resolution.usages.ids[row] }

    func home(_ row: Int) -> Home { Home(row: row, intake: intake, resolution: resolution) }
  }

  /// A row of a known source.
  struct Place {
    var source: UInt32
    var row: UInt32
  }

  let writer: TaxonomyWriter
  private(set) var known: [Known] = []
  /// What the ids of the first source are ids of.
  let idSpace: String?
  /// Which part of the sources is kept.
  let filter: CutFilter
  /// The ancestors of the taxon that is kept with what is below it; nil where all may be kept.
  let outside: Set<Int64>?
  /// Of taxa with one name and rank the first.
  private var places: [UInt64: Place] = [:]
  /// The others.
  private var further: [UInt64: [Place]] = [:]
  /// Domains, kingdoms and their like by the one name that all of them have.
  private var kingdomPlaces: [String: [Place]] = [:]
  /// In which kingdoms taxa are.
  let kingdoms = KingdomSigns()
  /// Where taxa are that sources after the first one have added.
  private var addedPlaces: [Int64: Place] = [:]
  /// The rows of synonyms in the database by name.
  private var synonyms: [UInt64: [Int64]] = [:]
  /// Synonyms of what a cut left out, by name.
  private var cutNames: [UInt64: [CutName]] = [:]
  /// Taxa without a parent that sources after the first one have added.
  var addedRoots: [(id: Int64, place: Place)] = []
  /// What the database says already.
  private var present: Set<UInt64> = []
  /// Ids that no new taxon may get: retired ones, and those of taxa that were added.
  var takenIDs: Set<Int64>

  /// A matcher that knows the first source, of which a cut has left out what it does not keep.
  ///
  /// - Parameters:
  ///   - base: the first source.
  ///   - resolution: what became of it.
  ///   - writer: writes the database.
  ///   - idSpace: what its ids are ids of.
  ///   - cut: which part of the sources is kept.
  ///   - top: the taxon of `base` that the cut is within.
  /// - Throws: `IngestError`
  /// - Complexity: O(n); about 50 bytes a name.
  init(
    _ base: Intake, _ resolution: Resolution, _ writer: TaxonomyWriter, idSpace: String?,
    cut: SourceCut, top: Int?
  ) throws {
    self.writer = writer
    self.idSpace = idSpace
    filter = CutFilter(cut)
    outside = top.map { top in
      Set(resolution.ancestors(of: top).map { resolution.usages.ids[$0] })
    }
    takenIDs = Set(base.merged.map(\.id)).union(base.deleted)
    try learn(Known(intake: base, resolution: resolution, ids: nil), number: 1) { _ in true }
    if !cut.isWhole { try learnCutNames() }
    try writer.forEachEntry { present.insert($0) }
  }

  /// Takes in the names of the source of that number, of taxa those that `isThere` says are its own and
  /// those that a cut left out.
  private func learn(_ source: Known, number: Int, _ isThere: (Int) -> Bool) throws {
    let index = UInt32(known.count)
    known.append(source)
    let resolution = source.resolution
    for row in 0..<resolution.usages.count
    where resolution.fates[row] == .cut || resolution.fates[row] == .taxon && isThere(row) {
      let (name, level) = (try source.intake.text(row).name, resolution.usages.level(row))
      let key = Self.key(name, level)
      let place = Place(source: index, row: UInt32(row))
      if let kingdom = Self.kingdom(name, level) {
        kingdomPlaces[kingdom, default: []].append(place)
      }
      if source.ids != nil { addedPlaces[source.id(row)] = place }
      if places[key] == nil {
        places[key] = place
      } else {
        further[key, default: []].append(place)
      }
    }
    try writer.forEachSynonym(ofSource: number) { row, name in
      synonyms[textHash(Resolver.key(name)), default: []].append(row)
    }
  }

  /// Where a taxon of the database is.
  func place(of id: Int64) -> Place? {
    known[0].resolution.taxon(id).map { Place(source: 0, row: UInt32($0)) } ?? addedPlaces[id]
  }

  /// A synonym of what a cut left out.
  struct CutName {
    var taxon: UInt32
    /// The row of the usage, or where the entry is.
    var usage: UInt32?
    var entry = 0
  }

  /// Takes in the synonyms of what a cut left out of the first source.
  private func learnCutNames() throws {
    let (intake, resolution) = (known[0].intake, known[0].resolution)
    for row in 0..<resolution.usages.count where resolution.fates[row] == .cutName {
      let name = CutName(taxon: resolution.targets[row], usage: UInt32(row))
      cutNames[textHash(Resolver.key(try intake.text(row).name)), default: []].append(name)
    }
    try intake.forEachAttachment { offset, _, id, attachment in
      guard case .synonym(let name, _, _, _, _, _) = attachment,
        let row = resolution.table.row(id, ids: resolution.usages.ids)
      else { return }
      let taxon = resolution.fates[row] == .cut ? UInt32(row) : resolution.targets[row]
      guard resolution.isCut(row: row), taxon != Resolution.none else { return }
      cutNames[textHash(Resolver.key(name)), default: []].append(
        CutName(taxon: taxon, usage: nil, entry: offset))
    }
  }

  /// Writes what a source adds, as from the source of that number.
  ///
  /// - Throws: `IngestError`
  /// - Complexity: O(n log n)
  func add(_ addition: Intake, kind: SourceKind, source: Int) throws -> IngestReport.Matching {
    let added = try Resolver.resolve(addition)
    let space = kind.idSpace ?? addition.metadata.knownIDSpace
    var matching = IngestReport.Matching()
    var (matches, homonyms) = try self.matches(
      of: addition, added, sharesIDs: space != nil && space == idSpace, &matching)
    let plan = try makeRoom(
      for: addition, added, &matches, homonyms, prefix: prefix(space, source), &matching)
    let ids = plan.ids
    let databaseID = { (row: Int) -> Int64? in ids[row] == Intake.none ? nil : ids[row] }
    let conflicts = try self.conflicts(of: addition, added, databaseID)
    let isNew = { (taxon: Int64, attachment: Attachment) in
      self.present.insert(attachment.key(of: taxon)).inserted
    }
    // What became of what has no place.
    let lost = { (row: Int) -> RowOutcome in
      if case .cut = matches[row] { .cut } else { .unmatched }
    }
    let newRows = Set(plan.taxa.map(\.row))
    try writer.addTaxa(plan.taxa, of: addition, added, source: source)
    let (known, names) = try writer.addUsages(
      addition, added, source: source, &matching, isNew: isNew,
      taxon: { newRows.contains($0) ? nil : databaseID($0) },
      accepted: { conflicts.rows.contains($0) ? nil : databaseID(Int(added.targets[$0])) })
    func isConflict(_ id: Int64) -> Bool {
      added.table.row(id, ids: added.usages.ids).map { conflicts.rows.contains($0) } ?? false
    }
    matching.conservationAdded += try writer.writeAttachments(
      addition, source: source, isNew: isNew, conflicts: conflicts.entries,
      missing: { isConflict($0) ? .conflict : added.taxon($0).map(lost) ?? .unmatched },
      isCollapsed: { added.isCollapsed($0) },
      name: { added.table.row($0, ids: added.usages.ids).flatMap { names[$0] } },
      taxon: { isConflict($0) ? nil : added.taxon($0).flatMap(databaseID) })
    addition.account.ignoreAll(.merged, "an added source retires no ids of the first one")
    addition.account.ignoreAll(.deleted, "an added source retires no ids of the first one")
    added.count(into: addition) { row in
      switch added.fates[row] {
      case .taxon:
        databaseID(row) == nil ? lost(row) : newRows.contains(row) ? nil : .alreadyThere
      case .collapsed, .synonym:
        added.targets[row] == Resolution.none
          ? .unmatched
          : databaseID(Int(added.targets[row])) == nil
            ? lost(Int(added.targets[row]))
            : conflicts.rows.contains(row) ? .conflict : known.contains(row) ? .alreadyThere : nil
      default: nil
      }
    }
    let index = UInt32(self.known.count)
    addedRoots += plan.taxa.filter { $0.parent == nil }
      .map { ($0.id, Place(source: index, row: UInt32($0.row))) }
    try learn(Known(intake: addition, resolution: added, ids: ids), number: source) {
      newRows.contains($0)
    }
    return matching
  }

  // MARK: What is there

  /// What was found for a row.
  enum Match {
    case taxon(Int64)
    /// Several could be it.
    case ambiguous
    /// It is not to be there.
    case cut
    case absent
  }

  private func matches(
    of addition: Intake, _ added: Resolution, sharesIDs: Bool,
    _ matching: inout IngestReport.Matching
  ) throws -> (matches: [Match], homonyms: Set<Int>) {
    var matches = [Match](repeating: .absent, count: added.usages.count)
    var homonyms: [Int: Set<Int64>] = [:]
    for row in 0..<added.usages.count where added.fates[row] == .taxon {
      let text = try addition.text(row)
      let name = try name(
        text.name, text.authorship, text.year, level: added.usages.level(row), isSynonym: false,
        of: Home(row: row, intake: addition, resolution: added))
      if sharesIDs {
        let (match, hasOtherName) = try matchByID(added.usages.ids[row], name, &matching)
        if let match {
          matches[row] = match
          continue
        }
        if hasOtherName { addition.findings.add(.otherNameOfID, addition.describe(row)) }
      }
      matches[row] = try match(name, row, addition, &homonyms, &matching)
    }
    confirm(&homonyms, &matches, added, &matching)
    for row in homonyms.keys.sorted() {
      addition.findings.add(.possibleHomonym, addition.describe(row))
    }
    return (matches, Set(homonyms.keys))
  }

  /// The taxon of the first source with that id, if it can be the one of that name, and whether that
  /// source has the id for another name.
  private func matchByID(
    _ id: Int64, _ name: Name, _ matching: inout IngestReport.Matching
  ) throws -> (match: Match?, hasOtherName: Bool) {
    let base = known[0]
    guard let row = base.resolution.table.row(id, ids: base.resolution.usages.ids) else {
      return (nil, false)
    }
    let text = try base.intake.text(row)
    guard Resolver.key(text.name) == Resolver.key(name.text) else { return (nil, true) }
    let fate = base.resolution.fates[row]
    guard fate == .taxon || fate == .cut else { return (nil, false) }
    switch try fit(name, text.authorship, text.year, of: base.home(row), isSynonym: false) {
    // One id and one name are enough where groups are others.
    case .same, .otherGroups: break
    case .otherAuthors, .otherKingdom: return (nil, false)
    }
    if fate == .cut { return (.cut, false) }
    matching.byID += 1
    return (.taxon(base.id(row)), false)
  }

  private func match(
    _ name: Name, _ row: Int, _ addition: Intake, _ homonyms: inout [Int: Set<Int64>],
    _ matching: inout IngestReport.Matching
  ) throws -> Match {
    var found: Set<Int64> = []
    var isCut = false
    var isOther = false
    /// Those in other groups.
    var others: Set<Int64> = []
    var hasOthers = false
    for place in places(of: name) {
      let source = known[Int(place.source)]
      let row = Int(place.row)
      let other = try source.intake.text(row)
      let isThere = source.resolution.fates[row] != .cut
      switch try fit(
        name, other.authorship, other.year, of: source.home(row), isSynonym: false)
      {
      case .same where isThere: found.insert(source.id(row))
      case .same: isCut = true
      case .otherAuthors: isOther = true
      case .otherKingdom: break
      case .otherGroups:
        hasOthers = true
        if isThere { others.insert(source.id(row)) }
      }
    }
    if found.count > 1, Self.kingdom(name.text, name.level) != nil {
      found = try settled(found, name)
    }
    var isSynonym = false
    if found.isEmpty, !isCut {
      let taxa = try self.taxa(withSynonym: name)
      found = taxa.there
      isCut = taxa.isCut
      isSynonym = !found.isEmpty
      if taxa.hasOthers { hasOthers = true }
    }
    if found.count > 1 || isCut && !found.isEmpty {
      addition.findings.add(.ambiguousMatch, addition.describe(row))
      matching.ambiguous += 1
      return .ambiguous
    }
    if let id = found.first {
      if isSynonym {
        matching.bySynonym += 1
        addition.findings.add(.acceptedIsSynonym, addition.describe(row))
      } else {
        matching.byName += 1
      }
      return .taxon(id)
    }
    if isCut { return .cut }
    if hasOthers {
      homonyms[row] = others
      return .absent
    }
    if isOther { addition.findings.add(.otherAuthorship, addition.describe(row)) }
    return .absent
  }

  /// The taxa with a name and rank; the rank of a kingdom may be another.
  func places(of name: Name) -> [Place] {
    let key = Self.key(name.text, name.level)
    let found = (places[key].map { [$0] } ?? []) + (further[key] ?? [])
    guard found.isEmpty, let kingdom = Self.kingdom(name.text, name.level) else { return found }
    return kingdomPlaces[kingdom] ?? []
  }

  /// The taxa that have a name as a synonym, whether a taxon has it that a cut left out, and whether one
  /// has it in other groups.
  func taxa(withSynonym name: Name) throws -> (there: Set<Int64>, isCut: Bool, hasOthers: Bool) {
    var found: Set<Int64> = []
    var hasOthers = false
    let hash = textHash(Resolver.key(name.text))
    /// Whether a synonym of the taxon in a row is that name.
    func isName(
      _ text: String, _ authorship: String, _ year: Int?, _ rank: String, of row: Int,
      _ source: Known
    ) throws -> Bool {
      guard Resolver.key(text) == Resolver.key(name.text) else { return false }
      // Where nobody says it, a synonym has the rank of its taxon.
      let level = rank.isEmpty ? source.resolution.usages.level(row) : SourceRank(rank)?.level
      if let own = name.level, let level, own != level { return false }
      let fit = try fit(name, authorship, year, of: source.home(row), isSynonym: true)
      if fit == .otherGroups { hasOthers = true }
      return fit == .same
    }
    for nameRow in synonyms[hash] ?? [] {
      guard let synonym = try writer.synonym(inRow: nameRow), let place = place(of: synonym.taxon)
      else { continue }
      let isFound = try isName(
        synonym.name, synonym.authorship, synonym.year, synonym.rank, of: Int(place.row),
        known[Int(place.source)])
      if isFound { found.insert(synonym.taxon) }
    }
    let intake = known[0].intake
    let isCut = try (cutNames[hash] ?? []).contains { name in
      if let usage = name.usage {
        let text = try intake.text(Int(usage))
        return try isName(
          text.name, text.authorship, text.year, known[0].resolution.usages.rankName(Int(usage)),
          of: Int(name.taxon), known[0])
      }
      guard
        case .synonym(let text, let authorship, let year, let rank, _, _) =
          try intake.attachment(at: name.entry)
      else { return false }
      return try isName(text, authorship, year, rank, of: Int(name.taxon), known[0])
    }
    return (found, isCut, hasOthers)
  }

  // MARK: Kingdoms and keys

  /// The one name of a taxon that is a domain or kingdom, of a name and rank; nil for others.
  static func kingdom(_ name: String, _ level: Int?) -> String? {
    KingdomSigns.isKingdom(level) ? KingdomNames.name(of: name) : nil
  }

  /// What taxa that may be the same have in common: name and rank.
  ///
  /// Words for one rank are one; those without a place are none. Kingdoms have the one name of theirs.
  private static func key(_ name: String, _ level: Int?) -> UInt64 {
    textHash("\(level ?? -1) \(kingdom(name, level) ?? Resolver.key(name))")
  }
}

/// A hash of a text that lives as long as the process.
func textHash(_ text: String) -> UInt64 {
  var hasher = Hasher()
  hasher.combine(text)
  return UInt64(bitPattern: Int64(hasher.finalize()))
}

extension Attachment {
  /// What makes two entries of a taxon the same.
  func key(of taxon: Int64) -> UInt64 {
    switch self {
    case .vernacular(let name, let language, _, _, _): Self.key(taxon, "name", language, name)
    case .synonym(let name, _, _, _, _, _): Self.key(taxon, "name", "la", name)
    case .reference(let citation, _, _): Self.key(taxon, "reference", "", citation)
    case .trait(let key, let value, _, _): Self.key(taxon, "trait", key, value)
    case .conservation: Self.key(taxon, "conservation", "", "")
    }
  }

  static func key(_ taxon: Int64, _ kind: String, _ detail: String, _ text: String) -> UInt64 {
    textHash("\(taxon)\u{1F}\(kind)\u{1F}\(detail)\u{1F}\(text)")
  }
}

import STOLPack

/// Finds the taxa of a first source for those of sources that are added to it.
///
/// Two are the same if they have one id and one name, or one name and rank within the same kingdom.
/// Where the first source has several such taxa nothing is guessed.
final class TaxonMatcher {
  private let base: Intake
  private let resolution: Resolution
  private let writer: TaxonomyWriter
  /// Of taxa with one name and rank the first.
  private var rows: [UInt64: UInt32] = [:]
  /// The others.
  private var further: [UInt64: [UInt32]] = [:]
  /// What the database says already.
  private var present: Set<UInt64> = []

  /// - Complexity: O(n); about 40 bytes a taxon.
  init(
    _ base: Intake, _ resolution: Resolution, _ writer: TaxonomyWriter
  ) throws {
    self.base = base
    self.resolution = resolution
    self.writer = writer
    for row in 0..<resolution.usages.count where resolution.fates[row] == .taxon {
      let key = Self.key(try base.text(row).name, resolution.usages.keptRank(row))
      if rows[key] == nil {
        rows[key] = UInt32(row)
      } else {
        further[key, default: []].append(UInt32(row))
      }
    }
    try writer.forEachEntry { present.insert($0) }
  }

  /// Reads where the taxa of `addition` belong, and writes what it adds.
  ///
  /// - Throws: `IngestError`
  func add(_ addition: Intake) throws -> IngestReport.Matching {
    let added = try Resolver.resolve(addition)
    var matching = IngestReport.Matching()
    var matches = Column<UInt32>(repeating: Resolution.none, count: added.usages.count)
    for row in 0..<added.usages.count where added.fates[row] == .taxon {
      if let match = try match(row, of: addition, added, &matching) {
        matches[row] = UInt32(match)
      }
    }
    let baseID = { [resolution] (row: Int) -> Int64? in
      matches[row] == Resolution.none ? nil : resolution.usages.ids[Int(matches[row])]
    }
    let isNew = { (taxon: Int64, attachment: Attachment) in
      self.present.insert(attachment.key(of: taxon)).inserted
    }
    let known = try writer.addUsages(
      addition, added, &matching, isNew: isNew, taxon: baseID)
    matching.conservationAdded += try writer.writeAttachments(
      addition, isNew: isNew, missing: .unmatched,
      isCollapsed: { added.isCollapsed($0) }, taxon: { added.taxon($0).flatMap(baseID) })
    addition.account.moveAll(from: .merged, to: .ignored)
    addition.account.moveAll(from: .deleted, to: .ignored)
    added.count(into: addition) { row in
      switch added.fates[row] {
      case .taxon: baseID(row) == nil ? .unmatched : nil
      case .collapsed, .synonym:
        added.targets[row] == Resolution.none || baseID(Int(added.targets[row])) == nil
          ? .unmatched : known.contains(row) ? .alreadyThere : nil
      default: nil
      }
    }
    return matching
  }

  private func match(
    _ row: Int, of addition: Intake, _ added: Resolution, _ matching: inout IngestReport.Matching
  ) throws -> Int? {
    let name = try addition.text(row).name
    if let same = resolution.taxon(added.usages.ids[row]) {
      if Resolver.key(try base.text(same).name) == Resolver.key(name) {
        matching.byID += 1
        return same
      }
      addition.findings.add(.otherNameOfID, addition.describe(row))
    }
    let key = Self.key(name, added.usages.keptRank(row))
    guard let first = rows[key] else {
      matching.unmatched += 1
      return nil
    }
    let kingdom = try Self.kingdom(of: row, addition, added)
    var candidates: [Int] = []
    for candidate in [first] + (further[key] ?? []) {
      let other = try Self.kingdom(of: Int(candidate), base, resolution)
      if kingdom == nil || other == nil || kingdom == other { candidates.append(Int(candidate)) }
    }
    guard candidates.count == 1 else {
      if candidates.isEmpty {
        matching.unmatched += 1
      } else {
        addition.findings.add(.ambiguousMatch, addition.describe(row))
        matching.ambiguous += 1
      }
      return nil
    }
    matching.byName += 1
    return candidates[0]
  }

  /// The kingdom of a taxon, by one name where sources have several; nil if none is above it.
  private static func kingdom(
    of row: Int, _ intake: Intake, _ resolution: Resolution
  ) throws -> String? {
    var row = row
    while resolution.usages.keptRank(row) != .kingdom {
      guard resolution.targets[row] != Resolution.none else { return nil }
      row = Int(resolution.targets[row])
    }
    let name = try intake.text(row).name.lowercased()
    return kingdoms[name] ?? name
  }

  /// NCBI's names of the kingdoms of animals and plants.
  private static let kingdoms = ["metazoa": "animalia", "viridiplantae": "plantae"]

  private static func key(_ name: String, _ rank: MainRank?) -> UInt64 {
    textHash("\(rank?.rawValue ?? -1) \(Resolver.key(name))")
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
    case .vernacular(let name, let language, _, _): Self.key(taxon, "name", language, name)
    case .synonym(let name, _, _, _): Self.key(taxon, "name", "la", name)
    case .reference(let citation, _, _): Self.key(taxon, "reference", "", citation)
    case .trait(let key, let value, _, _): Self.key(taxon, "trait", key, value)
    case .conservation: Self.key(taxon, "conservation", "", "")
    }
  }

  static func key(_ taxon: Int64, _ kind: String, _ detail: String, _ text: String) -> UInt64 {
    textHash("\(taxon)\u{1F}\(kind)\u{1F}\(detail)\u{1F}\(text)")
  }
}

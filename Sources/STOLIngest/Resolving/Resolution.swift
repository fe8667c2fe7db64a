import STOLPack
import STOLFormats
import STOLNames

/// Where every usage of a source ends up.
struct Resolution {
  /// What a usage is in the end.
  enum Fate: UInt8 {
    /// Not known yet.
    case open
    /// A taxon.
    case taxon
    /// In schema 1 a taxon of another rank than the eight: it stands for the taxon in `targets`, or for none.
    case collapsed
    /// A synonym of the taxon in `targets`, or of one that found no place.
    case synonym
    /// A name without a place.
    case bare
    /// A taxon that is not in the part of the source that is kept; its parent stays in `targets`.
    case cut
    /// A synonym of such a taxon, which is in `targets`.
    case cutName
    /// Its id was there before, in the row in `targets`.
    case duplicate
  }

  /// Stands for no row.
  static let none = UInt32.max

  /// The fate of each row.
  var fates: Column<Fate>
  /// For a taxon its parent among taxa; for all others the taxon that they stand for.
  var targets: Column<UInt32>
  /// Rows by id.
  let table: IDTable
  let usages: UsageTable

  /// Whether an id is that of a taxon of another rank, which stands for its ancestor.
  func isCollapsed(_ id: Int64) -> Bool {
    table.row(id, ids: usages.ids).map { fates[$0] == .collapsed } ?? false
  }

  /// The taxon that an id stands for.
  func taxon(_ id: Int64) -> Int? {
    guard let row = table.row(id, ids: usages.ids), !isCut(row: row) else { return nil }
    if fates[row] == .taxon { return row }
    let target = targets[row]
    return target == Self.none ? nil : Int(target)
  }
}

/// Finds where every usage of a source ends up.
///
/// In this order: ids that are there twice; taxa that are stated by name; synonyms, through other
/// synonyms; parents, through synonyms; cycles; columns with higher taxa, above what has no parent;
/// ranks. The Catalogue of Life's normaliser goes the same way.
struct Resolver {
  let intake: Intake
  var findings: Findings { intake.findings }
  /// The parent or accepted taxon of each row.
  var links: Column<UInt32>
  var fates: Column<Resolution.Fate>
  /// For rows with columns: a row above that is nearer to the highest one than `links` says.
  var shortcuts = Column<UInt32>()
  /// Rows of synonyms by the hashes of their names, once they are asked for.
  var speciesSynonyms: [UInt64: UInt32]?
  /// Taxa that have no row of their own, by what stands for their ids.
  var implicit: [String: Int] = [:]
  let table: IDTable

  /// - Complexity: O(n)
  static func resolve(_ intake: Intake) throws -> Resolution {
    guard intake.usages.count < Int(Resolution.none) else {
      throw FormatError.tooLarge(
        path: "the source", what: "rows with names", limit: Int(Resolution.none) - 1)
    }
    var resolver = try Resolver(intake)
    try resolver.resolveSeveralAccepted()
    try resolver.resolveNamedLinks()
    resolver.resolveSynonyms()
    resolver.resolveParents()
    resolver.cutCycles()
    try resolver.applyClassifications()
    let (fates, targets) = resolver.settleTaxa()
    return Resolution(fates: fates, targets: targets, table: resolver.table, usages: intake.usages)
  }

  private init(_ intake: Intake) throws {
    self.intake = intake
    let count = intake.usages.count
    links = Column(repeating: Resolution.none, count: count)
    fates = Column(repeating: .open, count: count)
    var table = IDTable(count: count)
    for row in 0..<count {
      guard let first = table.insert(row, ids: intake.usages.ids) else { continue }
      fates[row] = .duplicate
      links[row] = UInt32(first)
      let id = try intake.sourceID(row)
      let firstID = try intake.sourceID(first)
      guard id == firstID else { throw IngestError.idCollision(first: firstID, second: id) }
      intake.findings.add(.duplicateID, "id \(id): \(intake.describe(row))")
    }
    for row in 0..<count where fates[row] == .open {
      let id = intake.usages.links[row]
      if id != Intake.none, let target = table.row(id, ids: intake.usages.ids) {
        links[row] = UInt32(target)
      }
    }
    self.table = table
  }

  /// Whether the row states an id to which no row belongs.
  func isBroken(_ row: Int) -> Bool {
    links[row] == Resolution.none && intake.usages.links[row] != Intake.none
  }

  // MARK: Synonyms

  /// Leads synonyms with several accepted ids to the first that is there.
  ///
  /// A text that is an id as a whole, although it looks like several, stays one.
  private mutating func resolveSeveralAccepted() throws {
    for row in 0..<intake.usages.count
    where fates[row] == .open && intake.usages.flags[row].contains(.proParte) {
      let ids = try intake.text(row).acceptedIDs
      let first = ids.first.map { TaxonID(sourceText: $0).rawValue }
      if links[row] != Resolution.none, intake.usages.links[row] != first {
        intake.usages.flags[row].remove(.proParte)
        continue
      }
      let targets = ids.compactMap { self.row(ofSourceID: $0) }
      guard let target = targets.first else { continue }
      links[row] = UInt32(target)
      if Set(targets).count > 1 { findings.add(.synonymProParte, intake.describe(row)) }
    }
  }

  /// Leads every synonym to an accepted row; those that lead nowhere become bare names.
  private mutating func resolveSynonyms() {
    // All of them before any synonym, which may come first.
    for row in 0..<intake.usages.count
    where fates[row] == .open && intake.usages.flags[row].contains(.bare) {
      fates[row] = .bare
      findings.add(.bareName, intake.describe(row))
    }
    var path: [Int] = []
    var isOnPath = Column(repeating: false, count: intake.usages.count)
    for row in 0..<intake.usages.count
    where fates[row] == .open && intake.usages.flags[row].contains(.synonym) {
      path.removeAll()
      var current = row
      // Up to a row that is accepted, whose fate is known, that leads nowhere, or that was seen.
      while fates[current] == .open, intake.usages.flags[current].contains(.synonym),
        !isOnPath[current]
      {
        isOnPath[current] = true
        path.append(current)
        guard links[current] != Resolution.none else { break }
        current = Int(links[current])
      }
      for step in path { isOnPath[step] = false }
      if let start = path.firstIndex(of: current), links[current] != Resolution.none {
        for member in path[start...] {
          findings.add(.synonymCycle, intake.describe(member))
          fates[member] = .bare
        }
      }
      settle(path)
    }
  }

  private func row(ofSourceID id: String) -> Int? {
    table.row(TaxonID(sourceText: id).rawValue, ids: intake.usages.ids)
  }

  /// Gives the rows of a path of synonyms, the last one nearest to the accepted row, their fates.
  private mutating func settle(_ path: [Int]) {
    for row in path.reversed() where fates[row] == .open {
      guard links[row] != Resolution.none else {
        fates[row] = .bare
        findings.add(
          isBroken(row) ? .missingAccepted : .synonymWithoutAccepted, intake.describe(row))
        continue
      }
      let target = Int(links[row])
      if intake.usages.flags[row].contains(.acceptedByParent), !mayBeAccepted(target, of: row) {
        fates[row] = .bare
        findings.add(.synonymWithoutAccepted, intake.describe(row))
        continue
      }
      switch fates[target] {
      case .synonym:
        findings.add(.chainedSynonym, intake.describe(row))
        links[row] = links[target]
        fates[row] = .synonym
      case .bare:
        fates[row] = .bare
        findings.add(.synonymOfBareName, intake.describe(row))
      default:
        links[row] = UInt32(target)
        fates[row] = .synonym
      }
    }
  }

  /// Whether the parent of a synonym that names no accepted taxon is that, by its rank: one that stands
  /// higher is what it was once put into.
  private func mayBeAccepted(_ parent: Int, of row: Int) -> Bool {
    guard let own = intake.usages.level(row), let level = intake.usages.level(parent) else {
      return true
    }
    guard let species = SourceRank.species.level else { return false }
    return level >= own || min(level, own) >= species
  }

  // MARK: Parents

  private mutating func resolveParents() {
    for row in 0..<intake.usages.count where fates[row] == .open {
      guard links[row] != Resolution.none else {
        if isBroken(row) {
          findings.add(.missingParent, intake.describe(row))
        }
        continue
      }
      var parent = Int(links[row])
      switch fates[parent] {
      case .synonym:
        findings.add(.parentIsSynonym, intake.describe(row))
        parent = Int(links[parent])
      case .bare:
        findings.add(.parentIsBareName, intake.describe(row))
        links[row] = Resolution.none
        continue
      default: break
      }
      if parent == row {
        // A root that names itself as its parent, as NCBI's does, is no oddity.
        if intake.usages.links[row] != intake.usages.ids[row] {
          findings.add(.parentCycle, intake.describe(row))
        }
        links[row] = Resolution.none
      } else {
        links[row] = UInt32(parent)
      }
    }
  }

  /// Cuts every cycle above its highest rank; of several rows of that rank, above the last.
  private mutating func cutCycles() {
    var stamps = Column<UInt32>(repeating: 0, count: intake.usages.count)
    var stamp: UInt32 = 0
    for start in 0..<intake.usages.count where fates[start] == .open && stamps[start] == 0 {
      stamp += 1
      var row = start
      while stamps[row] == 0 {
        stamps[row] = stamp
        guard links[row] != Resolution.none else { break }
        row = Int(links[row])
      }
      guard stamps[row] == stamp, links[row] != Resolution.none else { continue }
      var highest = row
      var next = row
      repeat {
        let a = intake.usages.level(next) ?? .max
        let b = intake.usages.level(highest) ?? .max
        if a < b || a == b && next > highest { highest = next }
        next = Int(links[next])
      } while next != row
      findings.add(.parentCycle, intake.describe(highest))
      links[highest] = Resolution.none
    }
  }

  // MARK: Ranks

  /// Gives taxa their parents; where only the eight ranks are kept, all others stand for their nearest
  /// ancestor that is of them.
  private mutating func settleTaxa() -> (Column<Resolution.Fate>, Column<UInt32>) {
    let count = intake.usages.count
    var targets = Column<UInt32>(repeating: Resolution.none, count: count)
    var depths = Column<UInt8>(repeating: 0, count: count)
    var path: [Int] = []
    for start in 0..<count where fates[start] == .open {
      var row = start
      path.removeAll(keepingCapacity: true)
      while true {
        path.append(row)
        guard links[row] != Resolution.none else { break }
        row = Int(links[row])
        if fates[row] != .open { break }
      }
      for row in path.reversed() where fates[row] == .open {
        let parent = links[row]
        // A parent of a rank that is not kept hands on what it stands for.
        let above =
          parent == Resolution.none
          ? parent : fates[Int(parent)] == .taxon ? parent : targets[Int(parent)]
        targets[row] = above
        guard isKept(row) else {
          fates[row] = .collapsed
          if above == Resolution.none {
            findings.add(.collapsedWithoutAncestor, intake.describe(row))
          }
          continue
        }
        fates[row] = .taxon
        guard above != Resolution.none else { continue }
        if let own = place(row), let higher = place(Int(above)), higher >= own {
          findings.add(.rankNotBelowParent, intake.describe(row))
        }
        if depths[Int(above)] == Self.maximumDepth {
          findings.add(.tooDeep, intake.describe(row))
          targets[row] = targets[Int(above)]
        }
        depths[row] = depths[Int(targets[row])] + 1
      }
    }
    // Synonyms stand for what their accepted row is or stands for.
    for row in 0..<count where fates[row] == .synonym || fates[row] == .duplicate {
      let accepted = links[row]
      targets[row] =
        fates[row] == .duplicate || fates[Int(accepted)] == .taxon
        ? accepted : targets[Int(accepted)]
    }
    return (fates, targets)
  }

  private func isKept(_ row: Int) -> Bool {
    intake.keepsAllRanks || intake.usages.keptRank(row) != nil
  }

  /// How high the rank of a row is among those that are kept; nil if it has no place.
  private func place(_ row: Int) -> Int? {
    intake.keepsAllRanks ? intake.usages.level(row) : intake.usages.keptRank(row)?.rawValue
  }

  /// More ancestors than any source has, and fewer than a pack allows.
  private static let maximumDepth: UInt8 = 200
}

extension Intake {
  /// The texts of a row, with its id only where that stands for a text; empty for one whose name
  /// never came.
  func text(_ row: Int) throws -> SourceUsage {
    guard usages.texts[row] != .max else { return SourceUsage() }
    var record = try texts.record(at: usages.texts[row])
    return SourceUsage(&record)
  }

  /// What the source itself calls the row.
  func sourceID(_ row: Int) throws -> String {
    let id = TaxonID(rawValue: usages.ids[row])
    return id.standsForText ? try text(row).id : "\(id.rawValue)"
  }

  /// "id: name", for examples; of a row without an id the name.
  func describe(_ row: Int) -> String {
    do {
      if usages.flags[row].contains(.withoutID) { return try text(row).name }
      return "\(try sourceID(row)): \(try text(row).name)"
    } catch {
      return "row \(row)"
    }
  }
}

import STOLNames
import STOLPack

@testable import STOLIngest

/// What a database made of a `SmallSource` without columns holds, worked out row by row as the rules
/// of `Finding` say it, by searching all rows for everything.
struct ResolverOracle {
  /// "id|parent|rank|status".
  private(set) var taxa: [String] = []
  /// "taxon|name", and in the newest schema "|id of the source".
  private(set) var synonyms: [String] = []
  private(set) var findings: [String: Int] = [:]
  private(set) var outcomes: [String: Int] = [:]

  /// What a row is before its links are followed.
  private enum Kind { case accepted, synonym, bare }

  /// Where a synonym leads.
  private enum Place: Equatable { case accepted(Int), nowhere }

  private struct Entry {
    var row: SmallSource.Row
    var kind = Kind.accepted
    /// The row that it states as its parent or accepted taxon.
    var link: Int?
    /// All rows that it states as accepted.
    var accepted: [Int] = []
    var statesID = false
    /// Whether its parent is all that may be its accepted taxon.
    var isByParent = false
    var isImplicit = false
  }

  private var entries: [Entry] = []
  private static let kept = [
    "domain", "kingdom", "phylum", "class", "order", "family", "genus", "species",
  ]
  /// From the highest to the lowest.
  private static let order = [
    "kingdom", "family", "subfamily", "genus", "subgenus", "species", "subspecies",
  ]

  /// Whether all ranks are kept, or only the eight.
  private let keepsAllRanks: Bool

  init(_ source: SmallSource, keepsAllRanks: Bool = true) {
    self.keepsAllRanks = keepsAllRanks
    for row in source.rows {
      if row.name.isEmpty {
        find(.emptyName)
        outcomes["emptyName", default: 0] += 1
      } else if entries.contains(where: { $0.row.id == row.id }) {
        find(.duplicateID)
        outcomes["duplicate", default: 0] += 1
      } else {
        entries.append(Entry(row: row))
      }
    }
    for number in entries.indices { classify(number) }
    for number in entries.indices { linkByName(number) }
    let places = entries.indices.map { place($0) }
    linkParents(places)
    cutCycles()
    write(places)
  }

  private mutating func find(_ finding: Finding) {
    findings[finding.rawValue, default: 0] += 1
  }

  private func number(_ id: String) -> Int? { entries.firstIndex { $0.row.id == id } }

  // MARK: What a row says

  private mutating func classify(_ number: Int) {
    let row = entries[number].row
    let others = row.acceptedIDs.filter { $0 != row.id }
    let namesItself = row.acceptedIDs.contains(row.id)
    if !others.isEmpty, !namesItself || row.status == .synonym {
      entries[number].kind = .synonym
      entries[number].statesID = true
      for id in others {
        if let target = self.number(id), !entries[number].accepted.contains(target) {
          entries[number].accepted.append(target)
        }
      }
      entries[number].link = entries[number].accepted.first
      if entries[number].accepted.count > 1 { find(.synonymProParte) }
    } else if row.acceptedIDs.isEmpty, !row.acceptedName.isEmpty, !isOwn(row.acceptedName, row) {
      entries[number].kind = .synonym
    } else if row.status == .synonym, !namesItself {
      entries[number].kind = .synonym
      if row.acceptedName.isEmpty, !row.parentID.isEmpty, row.parentID != row.id {
        entries[number].isByParent = true
        entries[number].statesID = true
        entries[number].link = self.number(row.parentID)
      }
    } else if row.status == .bareName {
      entries[number].kind = .bare
    }
    if entries[number].kind == .accepted, !row.parentID.isEmpty {
      entries[number].statesID = true
      entries[number].link = self.number(row.parentID)
    }
  }

  private func split(_ name: String) -> (name: String, authorship: String) {
    let words = name.split(separator: " ").map(String.init)
    return (words[0], words.count > 1 ? words[1] : "")
  }

  private func isOwn(_ name: String, _ row: SmallSource.Row) -> Bool {
    let (name, authorship) = split(name)
    return name == row.name
      && (authorship.isEmpty || row.authorship.isEmpty || authorship == row.authorship)
  }

  private mutating func linkByName(_ number: Int) {
    let entry = entries[number]
    guard entry.link == nil else { return }
    switch entry.kind {
    case .synonym
    where !entry.row.acceptedName.isEmpty && !isOwn(entry.row.acceptedName, entry.row):
      entries[number].link = named(entry.row.acceptedName, of: number)
    case .accepted
    where !entry.row.parentName.isEmpty && entry.row.parentID != entry.row.id
      && !isOwn(entry.row.parentName, entry.row):
      entries[number].link = named(entry.row.parentName, of: number)
    default: break
    }
  }

  private mutating func named(_ text: String, of number: Int) -> Int {
    let (name, authorship) = split(text)
    var found = entries.indices.filter { $0 != number && entries[$0].row.name == name }
    if !authorship.isEmpty {
      let same = found.filter { entries[$0].row.authorship == authorship }
      found = same.isEmpty ? found.filter { entries[$0].row.authorship.isEmpty } : same
    }
    let accepted = found.filter { entries[$0].kind == .accepted }
    if !accepted.isEmpty { found = accepted }
    if found.count > 1 { find(.ambiguousName) }
    if let first = found.first { return first }
    find(.implicitTaxon)
    var entry = Entry(row: SmallSource.Row(id: "name=" + text, name: name, authorship: authorship))
    entry.isImplicit = true
    entries.append(entry)
    return entries.count - 1
  }

  // MARK: Where links lead

  private mutating func place(_ number: Int) -> Place {
    guard entries[number].kind == .synonym else {
      if entries[number].kind == .bare { find(.bareName) }
      return .nowhere
    }
    guard let first = entries[number].link else {
      find(entries[number].statesID ? .missingAccepted : .synonymWithoutAccepted)
      return .nowhere
    }
    if leadsBack(number) {
      find(.synonymCycle)
      return .nowhere
    }
    if isRefused(number) {
      find(.synonymWithoutAccepted)
      return .nowhere
    }
    guard let end = end(of: number), entries[end].kind == .accepted else {
      find(.synonymOfBareName)
      return .nowhere
    }
    if first != end { find(.chainedSynonym) }
    return .accepted(end)
  }

  private func leadsBack(_ number: Int) -> Bool {
    var next = number
    for _ in entries {
      guard entries[next].kind == .synonym, let link = entries[next].link else { return false }
      next = link
      if next == number { return true }
    }
    return false
  }

  /// Whether the parent of a synonym is of a higher rank, so that it is not what it is a synonym of; a
  /// species may be that of what is below species.
  private func isRefused(_ number: Int) -> Bool {
    guard entries[number].isByParent, let link = entries[number].link,
      let own = Self.order.firstIndex(of: entries[number].row.rank),
      let parent = Self.order.firstIndex(of: entries[link].row.rank)
    else { return false }
    return parent < own && Self.order[parent] != "species"
  }

  /// The first row on the way that is no synonym.
  private func end(of number: Int) -> Int? {
    var next = number
    for _ in entries {
      guard entries[next].kind == .synonym else { return next }
      guard !isRefused(next), let link = entries[next].link else { return nil }
      next = link
    }
    return nil
  }

  private mutating func linkParents(_ places: [Place]) {
    for number in entries.indices where entries[number].kind == .accepted {
      let row = entries[number].row
      guard let parent = entries[number].link else {
        if entries[number].statesID { find(.missingParent) }
        continue
      }
      if parent == number {
        entries[number].link = nil
      } else if entries[parent].kind != .accepted {
        if case .accepted(let end) = places[parent] {
          find(.parentIsSynonym)
          entries[number].link = end == number ? nil : end
          if end == number { find(row.parentID == row.id ? .homonym : .parentCycle) }
        } else {
          find(.parentIsBareName)
          entries[number].link = nil
        }
      }
    }
  }

  private mutating func cutCycles() {
    while true {
      var cycle: [Int] = []
      for start in entries.indices where entries[start].kind == .accepted && cycle.isEmpty {
        var way = [start]
        while let parent = entries[way[way.count - 1]].link, way.count <= entries.count {
          if parent == start {
            cycle = way
            break
          }
          way.append(parent)
        }
      }
      guard !cycle.isEmpty else { return }
      find(.parentCycle)
      func height(_ number: Int) -> Int {
        Self.order.firstIndex(of: entries[number].row.rank) ?? .max
      }
      let highest = cycle.map { height($0) }.min()
      let last = cycle.filter { height($0) == highest }.max()
      if let last { entries[last].link = nil }
    }
  }

  // MARK: What is written

  private func isKept(_ number: Int) -> Bool {
    keepsAllRanks || Self.kept.contains(entries[number].row.rank)
  }

  /// How high the rank of a row is among those that count.
  private func height(_ number: Int) -> Int? {
    (keepsAllRanks ? Self.order : Self.kept).firstIndex(of: entries[number].row.rank)
  }

  /// The nearest taxon above that is kept.
  private func above(_ number: Int) -> Int? {
    var next = entries[number].link
    while let parent = next {
      if isKept(parent) { return parent }
      next = entries[parent].link
    }
    return nil
  }

  private func id(_ number: Int?) -> String {
    number.map { "\(TaxonID(sourceText: entries[$0].row.id).rawValue)" } ?? "-"
  }

  /// The taxon that a row is or stands for.
  private func taxon(_ number: Int, _ places: [Place]) -> Int? {
    var number = number
    if entries[number].kind != .accepted {
      guard case .accepted(let end) = places[number] else { return nil }
      number = end
    }
    return isKept(number) ? number : above(number)
  }

  private mutating func write(_ places: [Place]) {
    var names: [String: Int] = [:]
    for number in entries.indices {
      let entry = entries[number]
      var outcome = "bareName"
      if entry.kind == .accepted, isKept(number) {
        outcome = "taxon"
        let doubtful = keepsAllRanks ? "provisional" : "doubtful"
        let status = entry.row.status == .doubtful ? doubtful : "accepted"
        let rank = entry.row.rank.isEmpty ? "no rank" : entry.row.rank
        taxa.append("\(id(number))|\(id(above(number)))|\(rank)|\(status)")
        names[entry.row.name, default: 0] += 1
        if let own = height(number), let higher = above(number).flatMap({ height($0) }),
          higher >= own
        {
          find(.rankNotBelowParent)
        }
      } else if entry.kind == .accepted {
        outcome = "collapsed"
        if let above = above(number) { synonyms.append("\(id(above))|\(entry.row.name)") }
        if above(number) == nil { find(.collapsedWithoutAncestor) }
      } else if entry.kind == .synonym, places[number] != .nowhere {
        outcome = "unknownTaxon"
        if let target = taxon(number, places) {
          outcome = "synonym"
          let others = entry.accepted.compactMap { taxon($0, places) }
          let own = keepsAllRanks ? "|\(entry.row.id)" : ""
          for named in Set([target] + others) {
            synonyms.append("\(id(named))|\(entry.row.name)\(own)")
          }
        }
      }
      if !entry.isImplicit { outcomes[outcome, default: 0] += 1 }
    }
    for count in names.values where count > 1 { find(.homonym) }
    taxa.sort()
    synonyms.sort()
  }
}

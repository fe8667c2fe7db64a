import Foundation
import GRDB
import TestSupport

@testable import STOLJournal

/// What two copies of a journal become together, over all records at once.
///
/// By "Two copies of a journal" in Format/JOURNAL.md; the groups are those of its table.
struct CopiesOracle {
  /// What a copy has under a UUID.
  struct Entry: Equatable {
    var kind: String
    var created: Int64
    /// Of each group when it changed, and what it says.
    var groups: [String: Said]
    var deleted: Int64?

    struct Said: Equatable {
      var moment: Int64
      var members: [String: String]

      var text: [UInt8] {
        let parts = members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
        return Array("{\(parts.joined(separator: ","))}".utf8)
      }
    }

    var said: Int64 { groups.values.map(\.moment).max() ?? created }

    /// The records that some members name.
    func names(_ members: Set<String>) -> Set<String> {
      let values = groups.values.flatMap(\.members).filter { members.contains($0.key) }.map(\.value)
      return Set(
        values.flatMap { $0.split(separator: "\"") }.map(String.init).filter {
          $0.utf8.count == 36 && JournalID($0) != nil
        })
    }
  }

  /// The records of a copy as they are, deleted ones too.
  struct State: Equatable {
    var entries: [String: Entry] = [:]
    var live: Set<String> = []
    /// Of each occurrence the identification that holds.
    var holding: [String: String] = [:]
  }

  static let references: Set<String> = [
    "parent", "place", "event", "organism", "occurrence", "target", "collections", "persons",
  ]
  private static let owners: Set<String> = ["event", "organism", "target"]

  var entries: [String: Entry] = [:]
  private var lastLive: Set<String> = []
  /// How many parents had to go.
  private(set) var goneParentCount = 0

  /// The members of each group of each kind.
  static func table() throws -> [String: [String: [String]]] {
    let root = (0..<3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
      url.deletingLastPathComponent()
    }
    let text = try String(
      contentsOf: root.appendingPathComponent("Format/JOURNAL.md"), encoding: .utf8)
    let lines = text.split(separator: "\n")
    guard let first = lines.firstIndex(of: "| kind | groups, each with its members |") else {
      return [:]
    }
    func words(_ part: Substring) -> [String] {
      part.matches(of: /`([A-Za-z0-9]+)`/).map { String($0.output.1) }
    }
    var table: [String: [String: [String]]] = [:]
    for line in lines[(first + 2)...].prefix(while: { $0.hasPrefix("|") }) {
      let cells = line.split(separator: "|")
      guard cells.count == 2, let kind = words(cells[0]).first else { continue }
      for part in cells[1].split(separator: ";") {
        let words = words(part)
        table[kind, default: [:]][words[0]] = Array(words.dropFirst())
      }
    }
    return table
  }

  /// What a journal has.
  static func state(
    of journal: JournalFile, _ table: [String: [String: [String]]]
  ) throws -> State {
    var state = State()
    try journal.read { database in
      let reader = RecordReader(database: database)
      let ids = try Int64.fetchAll(database, sql: "SELECT id FROM record ORDER BY id")
      for id in ids {
        let head = try reader.head(id)
        let record = try reader.record(head)
        let moments = try head.moments()
        let members = try JournalLines.members(of: record).mapValues {
          String(decoding: $0, as: UTF8.self)
        }
        let uuid = head.uuid.description
        var entry = Entry(
          kind: head.kind.rawValue, created: head.createdMs, groups: [:], deleted: moments.deletedMs
        )
        for (group, names) in table[entry.kind] ?? [:] {
          entry.groups[group] = Entry.Said(
            moment: moments[group], members: members.filter { names.contains($0.key) })
        }
        state.entries[uuid] = entry
        if head.deletedMs == nil { state.live.insert(uuid) }
        if case .identification(let identification) = record {
          state.holding[identification.occurrence.description] = uuid
        }
      }
    }
    return state
  }

  /// Takes in what an edit has made of a journal: what differs was changed when the record was.
  mutating func follow(_ journal: JournalFile, _ table: [String: [String: [String]]]) throws {
    let state = try Self.state(of: journal, table)
    for (uuid, now) in state.entries {
      guard let id = JournalID(uuid), let kept = try journal.record(id) else { continue }
      let changed = Int64((kept.changedAt.timeIntervalSince1970 * 1000).rounded())
      var entry = entries[uuid] ?? now
      for (group, said) in now.groups {
        if entries[uuid] == nil {
          entry.groups[group]?.moment = now.created
        } else if entry.groups[group]?.members != said.members {
          entry.groups[group] = Entry.Said(moment: changed, members: said.members)
        }
      }
      if !state.live.contains(uuid), lastLive.contains(uuid) { entry.deleted = changed }
      entries[uuid] = entry
    }
    lastLive = state.live
  }

  /// What this copy and another one are together.
  func merged(with other: CopiesOracle) -> CopiesOracle {
    var merged = self
    for (uuid, theirs) in other.entries {
      guard var own = merged.entries[uuid] else {
        merged.entries[uuid] = theirs
        continue
      }
      own.created = min(own.created, theirs.created)
      for (group, said) in theirs.groups {
        guard let known = own.groups[group] else { continue }
        if said.moment > known.moment
          || said.moment == known.moment && known.text.lexicographicallyPrecedes(said.text)
        {
          own.groups[group] = said
        }
      }
      own.deleted = [own.deleted, theirs.deleted].compactMap { $0 }.max()
      merged.entries[uuid] = own
    }
    merged.settleParents()
    return merged
  }

  private mutating func settleParents() {
    for kind in ["place", "event"] {
      var parents: [String: String] = [:]
      let said = entries.filter { $0.value.kind == kind }.compactMap { uuid, entry in
        entry.names(["parent"]).first.map {
          (uuid: uuid, parent: $0, moment: entry.groups["parent"]?.moment ?? 0)
        }
      }
      for link in said.sorted(by: { ($0.moment, $0.uuid) < ($1.moment, $1.uuid) }) {
        parents[link.uuid] = link.parent
        let isFine = parents.keys.allSatisfy { first in
          var count = 1
          var next = first
          while let parent = parents[next], count < 10 { (next, count) = (parent, count + 1) }
          return count <= 8
        }
        if isFine { continue }
        parents[link.uuid] = nil
        entries[link.uuid]?.groups["parent"]?.members = [:]
        goneParentCount += 1
      }
    }
  }

  /// All that follows from the entries.
  func state() -> State {
    var state = State(entries: entries)
    state.live = Set(entries.filter { $0.value.deleted ?? .min < $0.value.said }.keys)
    var isAtEnd = false
    while !isAtEnd {
      let before = state.live
      for uuid in before { state.live.formUnion(entries[uuid]?.names(Self.references) ?? []) }
      for (uuid, entry) in entries where !state.live.contains(uuid) {
        let isPart =
          entry.kind == "identification"
          ? !entry.names(["occurrence"]).isDisjoint(with: state.live)
          : ["occurrence", "note", "measure", "photo"].contains(entry.kind)
            && entry.names(Self.owners).contains {
              state.live.contains($0) && entries[$0]?.deleted == entry.deleted
            }
        if isPart { state.live.insert(uuid) }
      }
      isAtEnd = state.live == before
    }
    for (uuid, entry) in entries where entry.kind == "identification" {
      for occurrence in entry.names(["occurrence"]) {
        let known = state.holding[occurrence]
        let key = (known.flatMap { entries[$0]?.created } ?? .min, known ?? "")
        if key < (entry.created, uuid) { state.holding[occurrence] = uuid }
      }
    }
    return state
  }
}

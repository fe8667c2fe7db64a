import Foundation
import TestSupport
import Testing

@testable import STOLJournal

@Suite("Two copies of a journal")
struct CopiesTests {
  /// Copies of one journal, on computers with one clock.
  private struct Copy {
    let home: TestJournal
    let journal: JournalFile
    var oracle = CopiesOracle()

    init(of archive: [UInt8]?, _ time: TestClock) throws {
      home = try TestJournal(time: time)
      journal = try home.open()
      if let archive { try ArchiveTests.take(archive, into: journal) }
    }

    /// Changes, adds, deletes or merges something.
    mutating func edit(
      _ maker: inout RandomRecords, _ table: [String: [String: [String]]]
    ) throws {
      do {
        switch maker.number(0...99) {
        case ..<50: try change(&maker)
        case ..<70: try add(&maker)
        case ..<90:
          let live = try journal.liveRecords().filter { $0.record.kind != .identification }
          if let record = live.randomElement(using: &maker.generator) {
            try journal.delete(record.record.id)
          }
        default:
          let kinds: [JournalRecord.Kind] = [.place, .organism, .occurrence]
          let kind = maker.one(of: kinds, or: .place)
          let live = try journal.liveRecords().map(\.record).filter { $0.kind == kind }
          if live.count > 1 {
            let two = live.shuffled(using: &maker.generator)
            try journal.merge(two[0].id, into: two[1].id)
          }
        }
      } catch is JournalError {
        // What cannot be is refused, and changes nothing.
      }
      try oracle.follow(journal, table)
    }

    private func add(_ maker: inout RandomRecords) throws {
      var trial = maker
      defer { maker.generator = trial.generator }
      guard let record = try trial.next(), record.kind != .photo else { return }
      try journal.save([record])
      maker = trial
    }

    /// Lets a record say some of what another one of its kind does.
    private func change(_ maker: inout RandomRecords) throws {
      let live = try journal.liveRecords().map(\.record).filter { $0.kind != .identification }
      guard let record = live.randomElement(using: &maker.generator) else { return }
      var trial = maker
      var other: JournalRecord?
      for _ in 0..<200 where other?.kind != record.kind { other = try trial.next() }
      maker.generator = trial.generator
      guard let other, other.kind == record.kind else { return }
      var members = try JournalLines.members(of: record)
      let others = try JournalLines.members(of: other)
      let names = Set(members.keys).union(others.keys).subtracting(["id", "recordKind", "file"])
      for name in names.sorted().shuffled(using: &maker.generator).prefix(maker.number(1...4)) {
        members[name] = others[name]
      }
      let text = members.map { "\"\($0.key)\":\(String(decoding: $0.value, as: UTF8.self))" }
      let changed = try JournalLines.record("{\(text.joined(separator: ","))}")
      try changed.validate()
      try journal.save([changed])
    }
  }

  private static func archive(_ journal: JournalFile) throws -> [UInt8] {
    try ArchiveTests.archive(journal)
  }

  private static func base(_ maker: inout RandomRecords, _ time: TestClock) throws -> [UInt8] {
    let journal = try TestJournal(time: time).open()
    try PhotoSample.saveWalk(in: journal)
    for _ in 0..<80 {
      guard let record = try maker.next(), record.kind != .photo else { continue }
      try journal.save([record])
    }
    return try archive(journal)
  }

  @Test(arguments: 0..<Sweep.count(few: 4, full: 1000))
  func copiesBecomeOneInWhateverOrder(seed: Int) throws {
    let table = try CopiesOracle.table()
    var maker = RandomRecords(seed: UInt64(seed) &+ 9000)
    let time = TestClock()
    let base = try Self.base(&maker, time)
    var copies = try (0..<3).map { _ in try Copy(of: base, time) }
    for index in copies.indices { try copies[index].oracle.follow(copies[index].journal, table) }
    for _ in 0..<60 {
      try copies[maker.number(0...2)].edit(&maker, table)
    }
    let archives = try copies.map { try Self.archive($0.journal) }
    let start = try copies.map { try $0.home.dump() }
    // Two take each other's.
    let two = copies[0].oracle.merged(with: copies[1].oracle)
    for (own, other) in [(0, 1), (1, 0)] {
      let journal = copies[own].journal
      let (summary, _) = try ArchiveTests.take(archives[other], into: journal)
      #expect(summary.rowCounts[.refused] == nil)
      let state = try CopiesOracle.state(of: journal, table)
      Self.expectEqual(state, two.state())
      #expect(try journal.check() == [])
      #expect(try ArchiveTests.take(archives[other], into: journal).summary.batch == nil)
      #expect(try ArchiveTests.take(archives[own], into: journal).summary.batch == nil)
      if let batch = summary.batch {
        let undo = try journal.undo(batch: batch).by
        #expect(try copies[own].home.dump() == start[own])
        #expect(try journal.check() == [])
        try journal.undo(batch: undo)
      }
    }
    // An order of parents that had to go counts.
    let all = two.merged(with: copies[2].oracle)
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] where all.goneParentCount == 0 {
      let journal = try TestJournal(time: time).open()
      for index in order { try ArchiveTests.take(archives[index], into: journal) }
      Self.expectEqual(try CopiesOracle.state(of: journal, table), all.state())
      #expect(try journal.check() == [])
    }
  }

  private static func expectEqual(_ found: CopiesOracle.State, _ expected: CopiesOracle.State) {
    #expect(Set(found.entries.keys) == Set(expected.entries.keys))
    for (uuid, entry) in expected.entries where found.entries[uuid] != entry {
      Issue.record("\(uuid): \(String(describing: found.entries[uuid])), not \(entry)")
    }
    for uuid in found.live.symmetricDifference(expected.live) {
      Issue.record(
        "\(uuid): live \(found.live.contains(uuid)): \(String(describing: expected.entries[uuid]))")
    }
    #expect(found.holding == expected.holding)
  }

  // MARK: - Cases

  /// Two copies of a walk.
  private struct Pair {
    let walk: Walk
    let time = TestClock()
    let one: JournalFile
    let other: JournalFile

    init() throws {
      walk = try Walk()
      one = try TestJournal(time: time).open()
      other = try TestJournal(time: time).open()
      try one.save(walk.records)
      try take(one, into: other)
    }

    @discardableResult
    func take(_ journal: JournalFile, into target: JournalFile) throws -> ImportSummary {
      try ArchiveTests.take(CopiesTests.archive(journal), into: target).summary
    }

    func takeBoth() throws {
      let archive = try CopiesTests.archive(one)
      try take(other, into: one)
      try ArchiveTests.take(archive, into: other)
      let table = try CopiesOracle.table()
      CopiesTests.expectEqual(
        try CopiesOracle.state(of: one, table), try CopiesOracle.state(of: other, table))
    }
  }

  @Test func groupsThatWereChangedOnEachSideStandTogether() throws {
    let pair = try Pair()
    var (here, there) = (pair.walk.oak, pair.walk.oak)
    here.count = 3
    try pair.one.save([.occurrence(here)])
    there.remarks = "hollow"
    there.count = 2
    try pair.other.save([.occurrence(there)])
    here.tags = ["late"]
    try pair.one.save([.occurrence(here)])
    try pair.takeBoth()
    here.remarks = "hollow"
    here.count = 2
    #expect(try pair.one.record(here.id)?.record == .occurrence(here))
    // What lost is in the history.
    try pair.one.undo()
    here.remarks = nil
    here.count = 3
    #expect(try pair.one.record(here.id)?.record == .occurrence(here))
  }

  @Test func aDeletionWinsOverAnEarlierChangeAlone() throws {
    for isDeletedLast in [true, false] {
      let pair = try Pair()
      var event = pair.walk.event
      event.remarks = "rain"
      if !isDeletedLast { try pair.one.delete(event.id) }
      try pair.other.save([.event(event)])
      if isDeletedLast { try pair.one.delete(event.id) }
      try pair.takeBoth()
      for id in [event.id, pair.walk.oak.id, pair.walk.bird.id, pair.walk.oakName.id] {
        #expect((try pair.other.record(id)?.deletedAt == nil) != isDeletedLast)
      }
      #expect(try pair.one.record(event.id)?.record == .event(event))
    }
  }

  @Test func whatACopyDidNotKnowOfKeepsWhatItBelongsTo() throws {
    let pair = try Pair()
    let owl = Occurrence(event: pair.walk.event.id)
    try pair.other.save([.occurrence(owl)])
    try pair.one.delete(pair.walk.event.id)
    try pair.takeBoth()
    for id in [owl.id, pair.walk.event.id, pair.walk.bird.id] {
      #expect(try pair.one.record(id)?.deletedAt == nil)
    }
    // Without it the deletion is as strong as it was.
    try pair.other.delete(owl.id)
    try pair.takeBoth()
    #expect(try pair.one.record(pair.walk.event.id)?.deletedAt != nil)
    #expect(try pair.one.check() == [] && pair.other.check() == [])
  }

  @Test func theIdentificationThatWasMadeLastHolds() throws {
    let pair = try Pair()
    let elm = Identification(occurrence: pair.walk.oak.id, verbatimName: "elm")
    let ash = Identification(occurrence: pair.walk.oak.id, verbatimName: "ash")
    try pair.one.save([.identification(elm)])
    try pair.other.save([.identification(ash)])
    try pair.takeBoth()
    let table = try CopiesOracle.table()
    for journal in [pair.one, pair.other] {
      let holding = try CopiesOracle.state(of: journal, table).holding
      #expect(holding[pair.walk.oak.id.description] == ash.id.description)
      #expect(try journal.check() == [])
    }
    try pair.other.undo()
    let holding = try CopiesOracle.state(of: pair.other, table).holding
    #expect(holding[pair.walk.oak.id.description] == ash.id.description)
    #expect(try pair.other.record(elm.id) == nil && pair.other.check() == [])
  }

  @Test func parentsThatMakeARingTogetherGo() throws {
    let pair = try Pair()
    var places = (0..<3).map { Place(kind: .area, name: "Wood \($0)") }
    try pair.one.save(places.map { .place($0) })
    try pair.take(pair.one, into: pair.other)
    places[0].parent = places[1].id
    try pair.one.save([.place(places[0])])
    places[1].parent = places[2].id
    try pair.one.save([.place(places[1])])
    places[2].parent = places[0].id
    try pair.other.save([.place(places[2])])
    try pair.takeBoth()
    places[2].parent = nil
    for place in places {
      #expect(try pair.one.record(place.id)?.record == .place(place))
    }
    #expect(try pair.one.check() == [] && pair.other.check() == [])
  }

  @Test func anOlderArchiveMayBeSaidToHold() throws {
    let pair = try Pair()
    let archive = try Self.archive(pair.one)
    var oak = pair.walk.oak
    oak.count = 9
    try pair.one.save([.occurrence(oak)])
    #expect(try ArchiveTests.take(archive, into: pair.one).summary.batch == nil)
    #expect(try ArchiveTests.take(archive, into: pair.one, updates: true).summary.batch != nil)
    #expect(try pair.one.record(oak.id)?.record == .occurrence(pair.walk.oak))
    #expect(try ArchiveTests.take(archive, into: pair.one, updates: true).summary.batch == nil)
    try pair.takeBoth()
    #expect(try pair.other.record(oak.id)?.record == .occurrence(pair.walk.oak))
  }

  /// A clock that is behind makes nothing older than it was.
  @Test func aChangeIsLaterThanWhatItChanges() throws {
    let pair = try Pair()
    let archive = try Self.archive(pair.one)
    pair.time.pass(days: -30)
    var oak = pair.walk.oak
    oak.count = 9
    try pair.one.save([.occurrence(oak)])
    try pair.one.delete(pair.walk.tree.id)
    #expect(try ArchiveTests.take(archive, into: pair.one).summary.batch == nil)
    try pair.takeBoth()
    for id in [pair.walk.tree.id, oak.id, pair.walk.oakName.id, pair.walk.girth.id] {
      #expect(try pair.other.record(id)?.deletedAt != nil)
    }
    #expect(try pair.other.record(oak.id)?.record == .occurrence(oak))
    #expect(try pair.one.check() == [] && pair.other.check() == [])
  }

  @Test func everyMemberIsInOneGroupOfTheTable() throws {
    let table = try CopiesOracle.table()
    #expect(Set(table.keys) == Set(JournalRecord.Kind.allCases.map(\.rawValue)))
    var maker = RandomRecords(seed: 5)
    var records: [JournalRecord] = []
    while Set(records.map(\.kind)).count < table.count {
      if let record = try maker.next() { records.append(record) }
    }
    for record in records {
      let groups = try #require(table[record.kind.rawValue])
      let known = JournalRecord.groups(of: record.kind)
      #expect(Dictionary(uniqueKeysWithValues: known.map { ($0.name, $0.members) }) == groups)
      let value = try #require(Mirror(reflecting: record).children.first?.value)
      let fields = Mirror(reflecting: value).children.compactMap(\.label)
        .map { $0.hasPrefix("_") ? String($0.dropFirst()) : $0 }.filter { $0 != "id" }
      #expect(groups.values.joined().sorted() == fields.sorted())
    }
  }

  @Test(arguments: [
    "{}", "[]", "{\"createdMs\":1}", "{\"createdMs\":-1,\"record\":R}",
    "{\"createdMs\":1.5,\"record\":R}", "{\"createdMs\":\"1\",\"record\":R}", "{\"record\":R}",
    "{\"createdMs\":2,\"deletedMs\":1,\"record\":R}", "{\"createdMs\":1,\"record\":R,\"x\":1}",
    "{\"createdMs\":1,\"moments\":{\"nom\":2},\"record\":R}",
    "{\"createdMs\":3,\"moments\":{\"name\":2},\"record\":R}",
    "{\"createdMs\":1,\"moments\":[2],\"record\":R}",
    "{\"createdMs\":1,\"deletedMs\":4,\"moments\":{\"deleted\":2},\"record\":R}",
    "{\"createdMs\":253402300800000,\"record\":R}", "{\"createdMs\":1,\"record\":{}}",
    "{\"createdMs\":99999999999999999999,\"record\":R}",
  ])
  func aLineThatIsNoneIsRefused(line: String) throws {
    let record = try JournalLines.line(of: .person(Person(name: "Ada")))
    let bytes = Array(line.replacingOccurrences(of: "R", with: record).utf8)
    #expect(throws: JournalError.self) { try ArchiveLine.record(bytes) }
  }
}

import STOLData

extension JournalRecord {
  /// The record that an object states, where each of its members is known and of the right type.
  ///
  /// - Returns: nil for another one, of which `JSONDecoder` says what is wrong, and for records that are rare:
  ///   dives, what there is to dive at, persons, collections, photos.
  init?(_ node: JSONNode) {
    guard var members = MemberReader(node), let kind: Kind = members.word("recordKind") else {
      return nil
    }
    guard let id = members.id("id"), let record = Self.read(kind, id, &members), members.isWhole
    else { return nil }
    self = record
  }

  private static func read(
    _ kind: Kind, _ id: JournalID, _ members: inout MemberReader
  ) -> JournalRecord? {
    switch kind {
    case .place: Place(id, &members).map { .place($0) }
    case .event: Event(id, &members).map { .event($0) }
    case .organism: Organism(id, &members).map { .organism($0) }
    case .occurrence: Occurrence(id, &members).map { .occurrence($0) }
    case .identification: Identification(id, &members).map { .identification($0) }
    case .note: Note(id, &members).map { .note($0) }
    case .measure: Measure(id, &members).map { .measure($0) }
    case .collection, .person, .photo: nil
    }
  }
}

/// Takes members of an object by their names.
private struct MemberReader {
  private let members: [JSONNode.Member]
  private var takenCount = 0
  private var isOdd = false

  init?(_ node: JSONNode) {
    guard case .object(let members) = node.value else { return nil }
    self.members = members
  }

  /// Whether all members were taken, and were what they have to be.
  var isWhole: Bool { !isOdd && takenCount == members.count }

  /// The value of a member, if there is one and `read` can read it.
  private mutating func take<Value>(
    _ name: String, _ read: (JSONNode.Value) -> Value?
  ) -> Value? {
    guard let member = members.first(where: { $0.name == name }) else { return nil }
    takenCount += 1
    let value = read(member.node.value)
    if value == nil { isOdd = true }
    return value
  }

  private static func text(_ value: JSONNode.Value) -> String? {
    if case .text(let text) = value { text } else { nil }
  }

  /// A whole number that is written as one.
  private static func number(_ value: JSONNode.Value) -> Int? {
    if case .number(let digits) = value { Int(digits) } else { nil }
  }

  /// A list of texts in which each is there once.
  private static func set<Value: Hashable>(
    _ value: JSONNode.Value, _ read: (String) -> Value?
  ) -> Set<Value>? {
    guard case .list(let nodes) = value else { return nil }
    if nodes.isEmpty { return [] }
    let values = Set(nodes.compactMap { text($0.value).flatMap(read) })
    return values.count == nodes.count ? values : nil
  }

  mutating func text(_ name: String) -> String? { take(name, Self.text) }

  /// Takes what others say of a record that they made less exact.
  mutating func remarksOfOthers() {
    for name in JournalMembers.ofShared {
      _ = take(name) { value -> Void? in
        guard case .text(let text) = value else { return nil }
        return try? requireText(text, name)
      }
    }
  }

  mutating func number(_ name: String) -> Int? { take(name, Self.number) }

  mutating func bool(_ name: String) -> Bool? {
    take(name) { if case .bool(let bool) = $0 { bool } else { nil } }
  }

  mutating func id(_ name: String) -> JournalID? {
    take(name) { Self.text($0).flatMap { JournalID($0) } }
  }

  mutating func time(_ name: String) -> LocalTime? {
    take(name) { Self.text($0).flatMap { try? LocalTime($0) } }
  }

  mutating func word<Word: JournalWord>(_ name: String) -> Word? {
    take(name) { Self.text($0).flatMap { Word(rawValue: $0) } }
  }

  mutating func words<Word: JournalWord>(_ name: String) -> Set<Word> {
    take(name) { Self.set($0) { Word(rawValue: $0) } } ?? []
  }

  /// Takes a list that has to be empty.
  mutating func emptyList(_ name: String) {
    _ = take(name) { value -> Void? in
      if case .list(let nodes) = value, nodes.isEmpty { () } else { nil }
    }
  }

  /// Tags and collections.
  mutating func labels() -> (Set<String>, Set<JournalID>) {
    (
      take("tags") { Self.set($0) { $0 } } ?? [],
      take("collections") { Self.set($0) { JournalID($0) } } ?? []
    )
  }

  mutating func position() -> Position? {
    take("position") { value in
      guard case .object(let members) = value else { return nil }
      var reader = MemberReader(members)
      guard let latitude = reader.number("latitudeE7"), let longitude = reader.number("longitudeE7")
      else { return nil }
      let uncertainty = reader.number("uncertaintyM")
      return reader.isWhole
        ? Position(latitudeE7: latitude, longitudeE7: longitude, uncertaintyM: uncertainty) : nil
    }
  }

  private init(_ members: [JSONNode.Member]) { self.members = members }

  mutating func taxon() -> TaxonReference? {
    take("taxon") { value in
      guard case .object(let members) = value else { return nil }
      var reader = MemberReader(members)
      let space = reader.text("idSpace")
      guard let id = reader.text("id"), !id.isEmpty,
        space.map({ TaxonReference.isIDSpace($0) && $0 != TaxonReference.unstatedIDSpace }) ?? true
      else { return nil }
      let reference = TaxonReference(
        idSpace: space, id: id, name: reader.text("name") ?? "",
        authorship: reader.text("authorship") ?? "", year: reader.number("year"),
        rank: reader.text("rank") ?? "", kingdoms: reader.list("kingdoms"))
      return reader.isWhole ? reference : nil
    }
  }

  private mutating func list(_ name: String) -> [String] {
    take(name) { value in
      guard case .list(let nodes) = value else { return nil }
      let texts = nodes.compactMap { Self.text($0.value) }
      return texts.count == nodes.count ? texts : nil
    } ?? []
  }
}

extension Place {
  fileprivate init?(_ id: JournalID, _ members: inout MemberReader) {
    guard let kind: Kind = members.word("kind"), let name = members.text("name") else { return nil }
    self.init(id: id, kind: kind, name: name)
    parent = members.id("parent")
    position = members.position()
    elevationCm = members.number("elevationCm")
    locality = members.text("locality")
    waterBody = members.text("waterBody")
    country = members.text("country")
    privacy = members.word("privacy") ?? .open
    states = members.words("states")
    (tags, collections) = members.labels()
  }
}

extension Event {
  fileprivate init?(_ id: JournalID, _ members: inout MemberReader) {
    guard let kind: Kind = members.word("kind"), let start = members.time("start"),
      let status: Status = members.word("status"), let isComplete = members.bool("isCompleteList")
    else { return nil }
    self.init(id: id, kind: kind, start: start)
    self.status = status
    isCompleteList = isComplete
    parent = members.id("parent")
    place = members.id("place")
    position = members.position()
    end = members.time("end")
    utcOffsetMin = members.number("utcOffsetMin")
    `protocol` = members.text("protocol")
    effortValue = members.number("effortValue")
    effortUnit = members.text("effortUnit")
    weather = members.text("weather")
    remarks = members.text("remarks")
    privacy = members.word("privacy") ?? .open
    members.emptyList("persons")
    members.remarksOfOthers()
    (tags, collections) = members.labels()
  }
}

extension Organism {
  fileprivate init?(_ id: JournalID, _ members: inout MemberReader) {
    guard let status: Status = members.word("status") else { return nil }
    self.init(id: id)
    self.status = status
    name = members.text("name")
    place = members.id("place")
    position = members.position()
    elevationCm = members.number("elevationCm")
    planted = members.time("planted")
    members.remarksOfOthers()
    privacy = members.word("privacy") ?? .open
    (tags, collections) = members.labels()
  }
}

extension Occurrence {
  fileprivate init?(_ id: JournalID, _ members: inout MemberReader) {
    guard let event = members.id("event"), let presence: Presence = members.word("presence") else {
      return nil
    }
    self.init(id: id, event: event)
    self.presence = presence
    organism = members.id("organism")
    position = members.position()
    time = members.time("time")
    count = members.number("count")
    countKind = members.word("countKind")
    sex = members.text("sex")
    lifeStage = members.text("lifeStage")
    behaviour = members.text("behaviour")
    establishment = members.word("establishment")
    minDepthMm = members.number("minDepthMm")
    maxDepthMm = members.number("maxDepthMm")
    members.remarksOfOthers()
    privacy = members.word("privacy") ?? .open
    remarks = members.text("remarks")
    (tags, collections) = members.labels()
  }
}

extension Identification {
  fileprivate init?(_ id: JournalID, _ members: inout MemberReader) {
    guard let occurrence = members.id("occurrence"), let name = members.text("verbatimName"),
      let match: Match = members.word("match")
    else { return nil }
    self.init(id: id, occurrence: occurrence, verbatimName: name)
    self.match = match
    qualifier = members.text("qualifier")
    cultivar = members.text("cultivar")
    rootstock = members.text("rootstock")
    taxon = members.taxon()
    date = members.time("date")
    remarks = members.text("remarks")
  }
}

extension Note {
  fileprivate init?(_ id: JournalID, _ members: inout MemberReader) {
    guard let target = members.id("target"), let text = members.text("text") else { return nil }
    self.init(id: id, target: target, text: text, time: members.time("time"))
  }
}

extension Measure {
  fileprivate init?(_ id: JournalID, _ members: inout MemberReader) {
    guard let target = members.id("target"), let type = members.text("type") else { return nil }
    self.init(
      id: id, target: target, type: type, number: members.number("number"),
      text: members.text("text"))
    method = members.text("method")
    time = members.time("time")
    remarks = members.text("remarks")
  }
}

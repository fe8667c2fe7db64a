/// The groups of Format/JOURNAL.md, "Two copies of a journal".

extension Place: Grouped {
  static let groups: [MemberGroup<Place>] = [
    MemberGroup("kind", .init("kind", \.kind), .init("diveSite", \.diveSite)),
    MemberGroup("name", .init("name", \.name)),
    MemberGroup("parent", .init("parent", \.parent)),
    MemberGroup(
      "position", .init("position", \.position), .init("elevationCm", \.elevationCm),
      .init("locality", \.locality), .init("waterBody", \.waterBody), .init("country", \.country)),
    MemberGroup("states", .init("states", \.states)),
    MemberGroup("privacy", .init("privacy", \.privacy)),
    MemberGroup("tags", .init("tags", \.tags)),
    MemberGroup("collections", .init("collections", \.collections)),
  ]
}

extension Event: Grouped {
  static let groups: [MemberGroup<Event>] = [
    MemberGroup("kind", .init("kind", \.kind), .init("dive", \.dive)),
    MemberGroup("status", .init("status", \.status)),
    MemberGroup("parent", .init("parent", \.parent)),
    MemberGroup("place", .init("place", \.place), .init("position", \.position)),
    MemberGroup(
      "time", .init("start", \.start), .init("end", \.end), .init("utcOffsetMin", \.utcOffsetMin)),
    MemberGroup(
      "effort", .init("protocol", \.protocol), .init("effortValue", \.effortValue),
      .init("effortUnit", \.effortUnit), .init("isCompleteList", \.isCompleteList)),
    MemberGroup("text", .init("weather", \.weather), .init("remarks", \.remarks)),
    MemberGroup("persons", .init("persons", \.persons)),
    MemberGroup("privacy", .init("privacy", \.privacy)),
    MemberGroup("tags", .init("tags", \.tags)),
    MemberGroup("collections", .init("collections", \.collections)),
  ]
}

extension Organism: Grouped {
  static let groups: [MemberGroup<Organism>] = [
    MemberGroup("name", .init("name", \.name)),
    MemberGroup(
      "place", .init("place", \.place), .init("position", \.position),
      .init("elevationCm", \.elevationCm)),
    MemberGroup("status", .init("status", \.status), .init("planted", \.planted)),
    MemberGroup("privacy", .init("privacy", \.privacy)),
    MemberGroup("tags", .init("tags", \.tags)),
    MemberGroup("collections", .init("collections", \.collections)),
  ]
}

extension Occurrence: Grouped {
  static let groups: [MemberGroup<Occurrence>] = [
    MemberGroup("event", .init("event", \.event), .init("organism", \.organism)),
    MemberGroup("position", .init("position", \.position)),
    MemberGroup("time", .init("time", \.time)),
    MemberGroup(
      "count", .init("presence", \.presence), .init("count", \.count),
      .init("countKind", \.countKind)),
    MemberGroup(
      "state", .init("sex", \.sex), .init("lifeStage", \.lifeStage),
      .init("behaviour", \.behaviour), .init("establishment", \.establishment)),
    MemberGroup(
      "depth", .init("minDepthMm", \.minDepthMm), .init("maxDepthMm", \.maxDepthMm)),
    MemberGroup("text", .init("remarks", \.remarks)),
    MemberGroup("privacy", .init("privacy", \.privacy)),
    MemberGroup("tags", .init("tags", \.tags)),
    MemberGroup("collections", .init("collections", \.collections)),
  ]
}

extension Identification: Grouped {
  static let groups: [MemberGroup<Identification>] = [
    MemberGroup("occurrence", .init("occurrence", \.occurrence)),
    MemberGroup(
      "name", .init("verbatimName", \.verbatimName), .init("qualifier", \.qualifier),
      .init("cultivar", \.cultivar), .init("rootstock", \.rootstock), .init("taxon", \.taxon),
      .init("match", \.match), .init("date", \.date), .init("remarks", \.remarks)),
  ]
}

extension Note: Grouped {
  static let groups: [MemberGroup<Note>] = [
    MemberGroup("target", .init("target", \.target)),
    MemberGroup("text", .init("text", \.text), .init("time", \.time)),
  ]
}

extension JournalCollection: Grouped {
  static let groups: [MemberGroup<JournalCollection>] = [
    MemberGroup("name", .init("name", \.name)),
    MemberGroup("privacy", .init("privacy", \.privacy)),
  ]
}

extension Measure: Grouped {
  static let groups: [MemberGroup<Measure>] = [
    MemberGroup("target", .init("target", \.target)),
    MemberGroup(
      "value", .init("type", \.type), .init("number", \.number), .init("text", \.text),
      .init("method", \.method), .init("time", \.time), .init("remarks", \.remarks)),
  ]
}

extension Person: Grouped {
  static let groups: [MemberGroup<Person>] = [
    MemberGroup("name", .init("name", \.name), .init("orcid", \.orcid))
  ]
}

extension Photo: Grouped {
  static let groups: [MemberGroup<Photo>] = [
    MemberGroup("target", .init("target", \.target)),
    MemberGroup("file", .init("file", \.file)),
    MemberGroup(
      "text", .init("name", \.name), .init("caption", \.caption), .init("ordinal", \.ordinal),
      .init("author", \.author), .init("licence", \.licence), .init("source", \.source)),
    MemberGroup(
      "taken", .init("time", \.time), .init("utcOffsetMin", \.utcOffsetMin),
      .init("position", \.position), .init("elevationCm", \.elevationCm)),
  ]
}

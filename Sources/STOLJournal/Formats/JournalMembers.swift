/// The members of records in JSON, as Format/journal.schema.json has them.
enum JournalMembers {
  /// Of each kind of record, with `recordKind`.
  private static let ofRecords = ofKinds.mapValues { $0.union(["recordKind"]) }

  /// What says of a record from others that it is not all that they know; nothing of it is kept.
  static let ofShared = ["dataGeneralizations", "informationWithheld"]

  /// Of each kind of record, but for `recordKind`.
  static let ofKinds: [String: Set<String>] = [
    "place": [
      "id", "kind", "name", "parent", "position", "elevationCm", "locality", "waterBody", "country",
      "diveSite", "privacy", "states", "tags", "collections",
    ],
    "event": [
      "id", "kind", "status", "parent", "place", "position", "start", "end", "utcOffsetMin",
      "protocol", "effortValue", "effortUnit", "isCompleteList", "weather", "remarks", "dive",
      "privacy", "persons", "tags", "collections", "dataGeneralizations", "informationWithheld",
    ],
    "organism": [
      "id", "name", "place", "position", "elevationCm", "status", "planted", "privacy", "tags",
      "collections", "dataGeneralizations", "informationWithheld",
    ],
    "occurrence": [
      "id", "event", "organism", "position", "time", "presence", "count", "countKind", "sex",
      "lifeStage", "behaviour", "establishment", "minDepthMm", "maxDepthMm", "privacy", "remarks",
      "tags", "collections", "dataGeneralizations", "informationWithheld",
    ],
    "identification": [
      "id", "occurrence", "verbatimName", "qualifier", "cultivar", "rootstock", "taxon", "match",
      "date", "remarks", "informationWithheld",
    ],
    "note": ["id", "target", "time", "text"],
    "collection": ["id", "name", "privacy"],
    "measure": ["id", "target", "type", "number", "text", "method", "time", "remarks"],
    "person": ["id", "name", "orcid"],
    "photo": [
      "id", "target", "file", "name", "caption", "ordinal", "time", "utcOffsetMin", "position",
      "elevationCm", "author", "licence", "source",
    ],
  ]

  /// Of what lies in a member of a record.
  static let ofParts: [String: Set<String>] = [
    "position": ["latitudeE7", "longitudeE7", "uncertaintyM"],
    "dive": [
      "number", "mode", "durationS", "bottomS", "maxDepthMm", "meanDepthMm", "waterMinCk",
      "waterMaxCk", "airCk", "visibilityCm", "currentLevel", "salinityMgL", "surfaceMbar",
      "weightG", "suit", "signedMs", "tanks", "logs",
    ],
    "logs": ["model", "serial", "fingerprint", "start", "samples"],
    "samples": ["depthMm", "temperatureCk", "pressureMbar", "events"],
    "depthMm": ["timeS", "value"],
    "temperatureCk": ["timeS", "value"],
    "pressureMbar": ["tank", "timeS", "value"],
    "events": ["timeS", "what", "tank"],
    "tanks": [
      "volumeMl", "workMbar", "startMbar", "endMbar", "o2Permille", "hePermille", "use",
    ],
    "diveSite": [
      "kind", "entry", "difficulty", "minDepthMm", "maxDepthMm", "water", "season", "description",
    ],
    "persons": ["person", "role", "number"],
    "file": ["sha256", "type", "byteCount", "width", "height", "orientation"],
    "taxon": ["idSpace", "id", "name", "authorship", "year", "rank", "kingdoms"],
  ]

  /// Members that are sets: what they hold is there once.
  private static let sets: Set<String> = ["tags", "collections", "states", "persons"]

  /// Looks at whether a record has members that are not known, that say nothing, or say it twice.
  ///
  /// What the values are is for whoever decodes them.
  static func check(_ record: JSONNode) throws(JournalError) {
    guard case .text(let kind)? = record["recordKind"]?.value, let known = ofRecords[kind] else {
      return
    }
    try check(record, known, "")
  }

  private static func check(
    _ node: JSONNode, _ known: Set<String>, _ path: String
  ) throws(JournalError) {
    guard case .object(let members) = node.value else { return }
    for member in members {
      guard known.contains(member.name) else {
        throw .invalid(
          field: path + member.name, value: member.node.shown,
          remedy: "one of \(known.sorted().joined(separator: ", "))")
      }
      if case .null = member.node.value {
        throw .invalid(field: path + member.name, value: "null", remedy: "leave it out")
      }
      if case .number(let digits) = member.node.value, !isWhole(digits) {
        throw .invalid(field: path + member.name, value: digits, remedy: numberForm)
      }
      if ofShared.contains(member.name) {
        guard case .text(let text) = member.node.value else {
          throw .invalid(field: path + member.name, value: member.node.shown, remedy: "a text")
        }
        try requireText(text, path + member.name)
      }
      if case .list(let list) = member.node.value, sets.contains(member.name) {
        try checkSet(list, path + member.name)
      }
      guard let parts = ofParts[member.name] else { continue }
      let field = path + member.name
      if case .list(let list) = member.node.value {
        for (index, part) in list.enumerated() { try check(part, parts, "\(field).\(index).") }
      } else {
        try check(member.node, parts, field + ".")
      }
    }
  }

  /// What every number in a record is.
  static let numberForm = "a whole number of at most 18 digits"

  /// Whether a number is whole and not beyond all measure: no member has another one.
  private static func isWhole(_ digits: String) -> Bool {
    if Int(digits) != nil { return true }
    return Double(digits).flatMap { Int(exactly: $0) } != nil
  }

  private static func checkSet(_ list: [JSONNode], _ field: String) throws(JournalError) {
    var seen: Set<String> = []
    for node in list {
      let text = node.object.map { $0.map { "\($0.name):\($0.node.shown)" }.sorted().joined() }
      guard seen.insert(text ?? node.shown).inserted else {
        throw .invalid(field: field, value: node.shown, remedy: "once")
      }
    }
  }
}

extension JSONNode {
  /// The names of all members that say something, those in others after a point: "position.latitudeE7".
  var memberPaths: [String] {
    var paths: [String] = []
    collect(&paths, "")
    return paths
  }

  fileprivate var object: [Member]? {
    if case .object(let members) = value { members } else { nil }
  }

  private func collect(_ paths: inout [String], _ path: String) {
    switch value {
    case .object(let members):
      for member in members {
        member.node.collect(&paths, path.isEmpty ? member.name : "\(path).\(member.name)")
      }
    case .list(let list):
      guard case .object? = list.first?.value else {
        if !list.isEmpty { paths.append(path) }
        return
      }
      for node in list { node.collect(&paths, path) }
    default: paths.append(path)
    }
  }
}

extension JournalRecord {
  /// What is kept, with what this record says otherwise than its echo, a member at a time.
  ///
  /// - Parameters:
  ///   - echo: what it would say had nobody changed it.
  ///   - kept: the record of its UUID and kind that is there.
  /// - Returns: the record as it will be.
  /// - Throws: `JournalError.invalid`
  func news(since echo: JournalRecord, on kept: JournalRecord) throws -> JournalRecord {
    guard self != echo else { return kept }
    func json(_ record: JournalRecord) throws -> ArraySlice<UInt8> {
      Array(try JournalLines.line(of: record).utf8)[...]
    }
    let merged = try MemberNews.merged(json(self), json(echo), json(kept), of: "")
    return try merged.map { try JournalLines.record(Array($0)) } ?? kept
  }
}

/// What three records say of a member, as JSON by which what is the same has the same bytes.
private enum MemberNews {
  typealias JSON = ArraySlice<UInt8>

  /// Members whose parts mean nothing without each other.
  private static let whole: Set<String> = ["position", "samples"]
  /// Lists whose elements are what they are by where they stand; the others are sets.
  private static let ordered: Set<String> = ["tanks", "logs"]

  /// What is kept unless the new one says something, and says it otherwise than the echo.
  static func merged(
    _ new: JSON?, _ echo: JSON?, _ kept: JSON?, of name: String
  ) throws -> JSON? {
    guard let new, new != echo else { return kept }
    guard let kept, !whole.contains(name) else { return new }
    if let new = try JournalLines.members(of: new), let kept = try JournalLines.members(of: kept) {
      let echo = try echo.flatMap { try JournalLines.members(of: $0) } ?? [:]
      let members = try Set(new.keys).union(kept.keys).sorted().compactMap { name -> JSON? in
        try merged(new[name], echo[name], kept[name], of: name).map {
          Array("\"\(name)\":".utf8)[...] + $0
        }
      }
      return joined(members, "{", "}")
    }
    if let new = try JournalLines.elements(of: new), let kept = try JournalLines.elements(of: kept)
    {
      let echo = try echo.flatMap { try JournalLines.elements(of: $0) } ?? []
      let isOrdered = ordered.contains(name)
      return joined(try isOrdered ? list(new, echo, kept) : set(new, echo, kept), "[", "]")
    }
    return new
  }

  private static func list(_ new: [JSON], _ echo: [JSON], _ kept: [JSON]) throws -> [JSON] {
    try (0..<max(new.count, kept.count)).compactMap { index in
      let other = echo.indices.contains(index) ? echo[index] : nil
      let known = kept.indices.contains(index) ? kept[index] : nil
      guard new.indices.contains(index) else { return other == nil ? known : nil }
      return try merged(new[index], other, known, of: "")
    }
  }

  private static func set(_ new: [JSON], _ echo: [JSON], _ kept: [JSON]) throws -> [JSON] {
    let removed = echo.filter { !new.contains($0) }
    let stays = try kept.filter { element in
      try !removed.contains { try says(element, all: $0) }
    }
    return stays + new.filter { !echo.contains($0) && !stays.contains($0) }
  }

  /// Whether an element says all that another one says.
  private static func says(_ element: JSON, all other: JSON) throws -> Bool {
    guard element != other else { return true }
    guard let own = try JournalLines.members(of: element),
      let others = try JournalLines.members(of: other)
    else { return false }
    return others.allSatisfy { own[$0.key] == $0.value }
  }

  private static func joined(_ parts: [JSON], _ open: String, _ close: String) -> JSON {
    (Array(open.utf8) + Array(parts.joined(separator: ",".utf8)) + Array(close.utf8))[...]
  }
}

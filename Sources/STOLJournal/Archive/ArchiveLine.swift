/// A record as a line of an archive, with when it changed: Format/JOURNAL.md, "The archive".
enum ArchiveLine {
  private static let members: Set<String> = ["createdMs", "deletedMs", "moments", "record"]
  private static let range: ClosedRange<Int64> = 0...253_402_300_799_999

  /// The line, without its end.
  static func text(
    of record: JournalRecord, _ moments: RecordMoments, isLive: Bool
  ) throws -> String {
    var text = "{\"createdMs\":\(moments.createdMs),"
    if !isLive, let deletedMs = moments.deletedMs { text += "\"deletedMs\":\(deletedMs)," }
    if let changes = moments.text(isLive: isLive) { text += "\"moments\":\(changes)," }
    return text + "\"record\":\(try JournalLines.line(of: record))}"
  }

  /// What a line says.
  ///
  /// - Throws: `JournalError.invalid`, with the member that is wrong.
  static func record(
    _ line: [UInt8]
  ) throws(JournalError) -> (record: JournalRecord, moments: RecordMoments) {
    let node: JSONNode
    do {
      node = try JSONScanner.document(line)
    } catch {
      throw .invalid(
        field: "line", value: "",
        remedy: "a JSON object; at byte \(error.offset + 1): \(error.reason)")
    }
    guard case .object(let found) = node.value else {
      throw .invalid(field: "line", value: node.shown, remedy: "a JSON object")
    }
    for member in found where !members.contains(member.name) {
      throw .invalid(
        field: member.name, value: member.node.shown,
        remedy: "one of \(members.sorted().joined(separator: ", "))")
    }
    guard let own = node["record"] else {
      throw .invalid(field: "record", value: "", remedy: "give it; it is missing")
    }
    let record = try JournalLines.record(own, line)
    return (record, try moments(node, of: record.kind))
  }

  private static func moments(
    _ node: JSONNode, of kind: JournalRecord.Kind
  ) throws(JournalError) -> RecordMoments {
    guard let created = node["createdMs"] else {
      throw .invalid(field: "createdMs", value: "", remedy: "give it; it is missing")
    }
    var moments = RecordMoments(createdMs: try moment(created, "createdMs", from: 0))
    if let deleted = node["deletedMs"] {
      moments.deletedMs = try moment(deleted, "deletedMs", from: moments.createdMs)
    }
    guard let changes = node["moments"] else { return moments }
    guard case .object(let found) = changes.value else {
      throw .invalid(field: "moments", value: changes.shown, remedy: "an object")
    }
    let names = JournalRecord.groups(of: kind).map(\.name)
    for member in found {
      let field = "moments.\(member.name)"
      let value = try moment(member.node, field, from: moments.createdMs)
      if member.name == RecordMoments.deletion, node["deletedMs"] == nil {
        moments.deletedMs = value
      } else if names.contains(member.name) {
        moments[member.name] = value
      } else {
        throw .invalid(
          field: field, value: member.node.shown,
          remedy: "one of \((names + [RecordMoments.deletion]).sorted().joined(separator: ", "))")
      }
    }
    return moments
  }

  private static func moment(
    _ node: JSONNode, _ field: String, from least: Int64
  ) throws(JournalError) -> Int64 {
    guard case .number(let digits) = node.value, let value = Int64(digits),
      range.contains(value), value >= least
    else {
      throw .invalid(
        field: field, value: node.shown,
        remedy: "milliseconds since 1970, not before createdMs and not after the year 9999")
    }
    return value
  }
}

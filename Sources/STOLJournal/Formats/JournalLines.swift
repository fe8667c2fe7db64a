import Foundation

/// Records as JSON, one a line, as Format/journal.schema.json has them.
package enum JournalLines {
  /// The line of a record, without its end: members in the order of their names.
  package static func line(of record: JournalRecord) throws -> String {
    try RecordLineWriter.line(of: record) ?? text(of: record)
  }

  /// The line of a record as others may have it, which says what is not in it.
  static func line(of record: SharedRecord) throws -> String {
    record.generalizations == nil && record.withheld == nil
      ? try line(of: record.record) : try text(of: record)
  }

  /// The line of anything, by `JSONEncoder`.
  static func text(of record: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(record), as: UTF8.self)
  }

  /// The members of the line of a record, each with what it says as JSON.
  static func members(of record: JournalRecord) throws -> [String: ArraySlice<UInt8>] {
    try members(of: Array(try line(of: record).utf8)[...]) ?? [:]
  }

  /// The members of an object, each with what it says as JSON; nil of another value.
  ///
  /// - Throws: `JSONFault` for what is no JSON.
  static func members(
    of json: ArraySlice<UInt8>
  ) throws -> [String: ArraySlice<UInt8>]? {
    let bytes = Array(json)
    guard case .object(let members) = try JSONScanner.document(bytes).value else { return nil }
    return Dictionary(uniqueKeysWithValues: members.map { ($0.name, bytes[$0.node.range]) })
  }

  /// The elements of a list, as JSON; nil of another value.
  ///
  /// - Throws: `JSONFault` for what is no JSON.
  static func elements(of json: ArraySlice<UInt8>) throws -> [ArraySlice<UInt8>]? {
    let bytes = Array(json)
    guard case .list(let list) = try JSONScanner.document(bytes).value else { return nil }
    return list.map { bytes[$0.range] }
  }

  /// The record that a line is.
  ///
  /// - Throws: `JournalError.invalid` for a line that is none, with the member that is wrong.
  package static func record(_ line: String) throws(JournalError) -> JournalRecord {
    try record(Array(line.utf8))
  }

  static func record(_ line: [UInt8]) throws(JournalError) -> JournalRecord {
    do {
      return try record(try JSONScanner.document(line), line)
    } catch let fault as JSONFault {
      throw .invalid(
        field: "line", value: shown(line),
        remedy: "a JSON object; at byte \(fault.offset + 1): \(fault.reason)")
    } catch let error as JournalError {
      throw error
    } catch {
      throw .invalid(field: "line", value: shown(line), remedy: "a JSON object")
    }
  }

  /// The record that a value of a text is; what it says may be what cannot be.
  static func record(_ node: JSONNode, _ bytes: [UInt8]) throws(JournalError) -> JournalRecord {
    if let record = JournalRecord(node) { return record }
    let part = bytes[node.range]
    guard case .object = node.value else {
      throw .invalid(field: "line", value: shown(part), remedy: "a JSON object")
    }
    try JournalMembers.check(node)
    do {
      return try JSONDecoder().decode(JournalRecord.self, from: Data(part))
    } catch let error as DecodingError {
      throw fault(error, node, part)
    } catch let error as JournalError {
      throw error
    } catch {
      throw .invalid(field: "line", value: shown(part), remedy: "a JSON object")
    }
  }

  private static func shown(_ bytes: some Collection<UInt8>) -> String {
    String(String(decoding: bytes.prefix(160), as: UTF8.self).prefix(40))
  }

  private static func fault(
    _ error: DecodingError, _ node: JSONNode, _ bytes: ArraySlice<UInt8>
  ) -> JournalError {
    func field(_ path: [any CodingKey]) -> String {
      path.isEmpty
        ? "line"
        : path.map { $0.intValue.map(String.init) ?? $0.stringValue }.joined(separator: ".")
    }
    if case .keyNotFound(let key, let context) = error {
      return .invalid(
        field: field(context.codingPath + [key]), value: "", remedy: "give it; it is missing")
    }
    var found: DecodingError.Context?
    var remedy = "a JSON object"
    switch error {
    case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
      (found, remedy) = (context, form(of: type))
    // Those are the words of this room, but for what Foundation says of numbers and of the whole.
    case .dataCorrupted(let context): (found, remedy) = (context, context.debugDescription)
    default: break
    }
    let value = found?.codingPath.reduce(Optional(node)) { node, key in
      guard let index = key.intValue else { return node?[key.stringValue] }
      guard case .list(let list)? = node?.value, list.indices.contains(index) else { return nil }
      return list[index]
    }
    if case .dataCorrupted = error {
      switch value?.value {
      case .number: remedy = JournalMembers.numberForm
      case .text: break
      default: remedy = "as Format/journal.schema.json has it"
      }
    }
    return .invalid(
      field: field(found?.codingPath ?? []), value: value?.shown ?? shown(bytes), remedy: remedy)
  }

  /// What a value of a type is in JSON.
  private static func form(of type: any Any.Type) -> String {
    switch type {
    case is any BinaryInteger.Type: JournalMembers.numberForm
    case is String.Type: "a text"
    case is Bool.Type: "true or false"
    case is [Any].Type: "a list"
    default: "an object"
    }
  }
}

extension SharedRecord: Encodable {
  private enum CodingKeys: String, CodingKey {
    case generalizations = "dataGeneralizations"
    case withheld = "informationWithheld"
  }

  func encode(to encoder: any Encoder) throws {
    try record.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(generalizations, forKey: .generalizations)
    try container.encodeIfPresent(withheld, forKey: .withheld)
  }
}

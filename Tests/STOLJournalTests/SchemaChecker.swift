import Foundation

@testable import STOLJournal

/// Holds JSON against Format/journal.schema.json: those keywords of JSON Schema 2020-12 that it uses, and no other.
struct SchemaChecker {
  let root: JSONNode
  private var patterns: [String: NSRegularExpression] = [:]

  /// What the repository's schema says.
  init() throws {
    let package = (0..<3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
      url.deletingLastPathComponent()
    }
    let path = package.appendingPathComponent("Format/journal.schema.json")
    var scanner = JSONScanner(Array(try Data(contentsOf: path)))
    root = try scanner.node()
  }

  struct Unknown: Error { let keyword: String }

  func definition(_ name: String) -> JSONNode? { root["$defs"]?[name] }

  /// Whether a value is what a definition says.
  mutating func accepts(_ value: JSONNode, as name: String) throws -> Bool {
    guard let schema = definition(name) else { throw Unknown(keyword: name) }
    return try accepts(value, schema)
  }

  mutating func accepts(_ value: JSONNode, _ schema: JSONNode) throws -> Bool {
    guard case .object(let keywords) = schema.value else { throw Unknown(keyword: schema.shown) }
    for keyword in keywords {
      guard try holds(keyword.name, keyword.node, value, schema) else { return false }
    }
    return true
  }

  private mutating func holds(
    _ keyword: String, _ rule: JSONNode, _ value: JSONNode, _ schema: JSONNode
  ) throws -> Bool {
    switch keyword {
    case "$schema", "$id", "$defs", "title", "description", "then", "else": return true
    case "$ref":
      let name = rule.shown.split(separator: "/").last.map(String.init) ?? ""
      return try accepts(value, as: name)
    case "type":
      return value.type == rule.shown || rule.shown == "number" && value.type == "integer"
    case "const": return value.isEqual(to: rule)
    case "enum": return rule.list.contains { value.isEqual(to: $0) }
    case "minimum": return value.number.map { $0 >= rule.number ?? 0 } ?? true
    case "maximum": return value.number.map { $0 <= rule.number ?? 0 } ?? true
    case "minLength":
      return value.text.map { $0.unicodeScalars.count >= Int(rule.number ?? 0) } ?? true
    case "maxLength":
      return value.text.map { $0.unicodeScalars.count <= Int(rule.number ?? 0) } ?? true
    case "pattern":
      guard let text = value.text else { return true }
      let known = try patterns[rule.shown] ?? NSRegularExpression(pattern: rule.shown)
      patterns[rule.shown] = known
      return known.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
    case "items":
      for item in value.list { guard try accepts(item, rule) else { return false } }
      return true
    case "minItems":
      guard case .list(let list) = value.value else { return true }
      return list.count >= Int(rule.number ?? 0)
    case "maxItems": return value.list.count <= Int(rule.number ?? 0)
    case "uniqueItems":
      let list = value.list
      return list.indices.allSatisfy { a in !list[..<a].contains { $0.isEqual(to: list[a]) } }
    case "minProperties": return value.members.map { $0.count >= Int(rule.number ?? 0) } ?? true
    case "required":
      guard let members = value.members else { return true }
      return rule.list.allSatisfy { name in members.contains { $0.name == name.shown } }
    case "properties":
      for member in value.members ?? [] {
        guard let known = rule[member.name] else { continue }
        guard try accepts(member.node, known) else { return false }
      }
      return true
    case "additionalProperties":
      let known = Set(schema["properties"]?.members?.map(\.name) ?? [])
      return value.members?.allSatisfy { known.contains($0.name) } ?? true
    case "dependentRequired":
      let names = Set(value.members?.map(\.name) ?? [])
      return rule.members?.allSatisfy { entry in
        !names.contains(entry.name) || entry.node.list.allSatisfy { names.contains($0.shown) }
      } ?? true
    case "oneOf": return try rule.list.count { try accepts(value, $0) } == 1
    case "anyOf": return try rule.list.contains { try accepts(value, $0) }
    case "if":
      let branch = try accepts(value, rule) ? schema["then"] : schema["else"]
      return try branch.map { try accepts(value, $0) } ?? true
    default: throw Unknown(keyword: keyword)
    }
  }
}

extension JSONNode {
  var members: [Member]? { if case .object(let members) = value { members } else { nil } }
  var list: [JSONNode] { if case .list(let list) = value { list } else { [] } }
  var text: String? { if case .text(let text) = value { text } else { nil } }
  var number: Double? { if case .number(let digits) = value { Double(digits) } else { nil } }

  var type: String {
    switch value {
    case .null: "null"
    case .bool: "boolean"
    case .number: number.map { $0.rounded() == $0 } == true ? "integer" : "number"
    case .text: "string"
    case .list: "array"
    case .object: "object"
    }
  }

  func isEqual(to other: JSONNode) -> Bool {
    switch (value, other.value) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.number, .number): number == other.number
    case (.text(let a), .text(let b)): Array(a.utf8) == Array(b.utf8)
    case (.list(let a), .list(let b)):
      a.count == b.count && zip(a, b).allSatisfy { $0.isEqual(to: $1) }
    case (.object(let a), .object(let b)):
      a.count == b.count
        && a.allSatisfy { member in
          b.contains { $0.name == member.name && $0.node.isEqual(to: member.node) }
        }
    default: false
    }
  }
}

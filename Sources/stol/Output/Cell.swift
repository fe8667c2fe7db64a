/// One value of a result, before it takes the form of a table, TSV, CSV or JSON.
enum Cell {
  case none
  case text(String)
  case integer(Int64)
  case number(Double)

  init(_ text: String?) { self = text.map { .text($0) } ?? .none }
  init(_ value: Int?) { self = value.map { .integer(Int64($0)) } ?? .none }

  /// The value as plain text, "" for none.
  var plain: String {
    switch self {
    case .none: ""
    case .text(let text): text
    case .integer(let value): String(value)
    case .number(let value): Cell.text(of: value)
    }
  }

  /// Whether the value is a number, which a table aligns to the right.
  var isNumeric: Bool {
    switch self {
    case .integer, .number: true
    case .none, .text: false
    }
  }

  /// Four decimals at most, without zeros at the end.
  static func text(of value: Double) -> String {
    let scaled = (value * 10_000).rounded()
    var digits = String(Int(abs(scaled)) % 10_000)
    digits = String(repeating: "0", count: 4 - digits.count) + digits
    while digits.hasSuffix("0") { digits.removeLast() }
    let whole = (scaled < 0 ? "-" : "") + String(Int(abs(scaled)) / 10_000)
    return digits.isEmpty ? whole : whole + "." + digits
  }
}

/// A structured value with keys in the order in which they were given.
enum JSON {
  case null
  case bool(Bool)
  case string(String)
  case integer(Int64)
  case number(Double)
  case array([JSON])
  case structure(JSONObject)

  /// An object with these members.
  static func object(_ members: [(String, JSON)]) -> JSON {
    .structure(JSONObject(members: members))
  }

  init(_ cell: Cell) {
    switch cell {
    case .none: self = .null
    case .text(let text): self = .string(text)
    case .integer(let value): self = .integer(value)
    case .number(let value): self = .number(value)
    }
  }

  init(_ text: String?) { self = text.map { .string($0) } ?? .null }
  init(_ value: Int?) { self = value.map { .integer(Int64($0)) } ?? .null }

  /// The value on one line.
  var text: String {
    var output = ""
    write(to: &output)
    return output
  }

  /// The value over many lines, indented.
  var indentedText: String {
    var output = ""
    write(to: &output, indentation: 0)
    return output
  }

  private func write(to output: inout String, indentation: Int? = nil) {
    switch self {
    case .null: output += "null"
    case .bool(let value): output += value ? "true" : "false"
    case .string(let value): Self.writeQuoted(value, to: &output)
    case .integer(let value): output += String(value)
    case .number(let value): output += Cell.text(of: value)
    case .array(let values):
      Self.writeList("[", "]", values.count, to: &output, indentation) { index, output, deeper in
        values[index].write(to: &output, indentation: deeper)
      }
    case .structure(let object):
      let members = object.members
      Self.writeList("{", "}", members.count, to: &output, indentation) { index, output, deeper in
        Self.writeQuoted(members[index].0, to: &output)
        output += deeper == nil ? ":" : ": "
        members[index].1.write(to: &output, indentation: deeper)
      }
    }
  }

  private static func writeList(
    _ open: String, _ close: String, _ count: Int, to output: inout String, _ indentation: Int?,
    _ element: (Int, inout String, Int?) -> Void
  ) {
    output += open
    let deeper = indentation.map { $0 + 2 }
    for index in 0..<count {
      if index > 0 { output += "," }
      if let deeper { output += "\n" + String(repeating: " ", count: deeper) }
      element(index, &output, deeper)
    }
    if let indentation, count > 0 { output += "\n" + String(repeating: " ", count: indentation) }
    output += close
  }

  private static func writeQuoted(_ text: String, to output: inout String) {
    output += "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": output += "\\\""
      case "\\": output += "\\\\"
      case "\n": output += "\\n"
      case "\r": output += "\\r"
      case "\t": output += "\\t"
      case _ where Escaping.isHarmful(scalar):
        let code = String(scalar.value, radix: 16)
        output += "\\u" + String(repeating: "0", count: 4 - code.count) + code
      default: output.unicodeScalars.append(scalar)
      }
    }
    output += "\""
  }
}

/// The members of a JSON object, in order.
final class JSONObject {
  let members: [(String, JSON)]

  init(members: [(String, JSON)]) { self.members = members }
}

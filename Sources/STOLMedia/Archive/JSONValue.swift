/// A value of JSON, RFC 8259; a manifest uses no more of it than this.
enum JSONValue {
  case null
  case bool
  case integer(Int64)
  /// A number that is no integer of 64 bits.
  case otherNumber
  case text(String)
  case array([JSONValue])
  case object(JSONObject)
}

/// The members of an object, each there once.
struct JSONObject {
  /// By the bytes of their names: texts that only look the same are two names.
  fileprivate(set) var members: [[UInt8]: JSONValue] = [:]

  subscript(name: String) -> JSONValue? { members[Array(name.utf8)] }
}

/// Reads JSON from the bytes of a stranger: no value is guessed, no name may come twice.
struct JSONReader {
  /// Where and why the text is no JSON.
  struct Failure: Error {
    let reason: String
  }

  private let bytes: [UInt8]
  private var next = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The one value that `bytes` are.
  ///
  /// - Complexity: O(n) time; as deep on the stack as `MediaLayout.depthLimit`.
  static func value(_ bytes: [UInt8]) throws(Failure) -> JSONValue {
    var reader = JSONReader(bytes)
    let value = try reader.value(depth: 0)
    reader.skipSpace()
    guard reader.next == bytes.count else { throw reader.failure("the end") }
    return value
  }

  private func failure(_ expected: String) -> Failure {
    Failure(reason: "byte \(next) of the JSON: expected \(expected)")
  }

  private var byte: UInt8? { next < bytes.count ? bytes[next] : nil }

  private mutating func skipSpace() {
    while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { next += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard byte == UInt8(ascii: character) else { return false }
    next += 1
    return true
  }

  private mutating func value(depth: Int) throws(Failure) -> JSONValue {
    skipSpace()
    switch byte {
    case UInt8(ascii: "{"): return .object(try object(depth: depth + 1))
    case UInt8(ascii: "["): return .array(try array(depth: depth + 1))
    case UInt8(ascii: "\""): return .text(try text())
    case UInt8(ascii: "t"): return try word("true", .bool)
    case UInt8(ascii: "f"): return try word("false", .bool)
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func word(_ word: String, _ value: JSONValue) throws(Failure) -> JSONValue {
    guard bytes[next...].starts(with: word.utf8) else { throw failure(word) }
    next += word.utf8.count
    return value
  }

  private mutating func object(depth: Int) throws(Failure) -> JSONObject {
    guard depth <= MediaLayout.depthLimit else { throw failure("less nesting") }
    var object = JSONObject()
    next += 1
    skipSpace()
    if take("}") { return object }
    repeat {
      skipSpace()
      let start = next
      let name = Array(try text().utf8)
      guard object.members[name] == nil else {
        next = start
        throw failure("a name that is not there yet")
      }
      skipSpace()
      guard take(":") else { throw failure("a colon") }
      object.members[name] = try value(depth: depth)
      skipSpace()
    } while take(",")
    guard take("}") else { throw failure("} or a comma") }
    return object
  }

  private mutating func array(depth: Int) throws(Failure) -> [JSONValue] {
    guard depth <= MediaLayout.depthLimit else { throw failure("less nesting") }
    var values: [JSONValue] = []
    next += 1
    skipSpace()
    if take("]") { return values }
    repeat {
      values.append(try value(depth: depth))
      skipSpace()
    } while take(",")
    guard take("]") else { throw failure("] or a comma") }
    return values
  }

  private mutating func digits() throws(Failure) {
    let start = next
    while let byte, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { next += 1 }
    guard next > start else { throw failure("a value") }
  }

  private mutating func number() throws(Failure) -> JSONValue {
    let start = next
    _ = take("-")
    let first = next
    try digits()
    guard bytes[first] != UInt8(ascii: "0") || next == first + 1 else {
      next = first
      throw failure("a number without zeros in front")
    }
    var isInteger = true
    if take(".") {
      isInteger = false
      try digits()
    }
    if take("e") || take("E") {
      isInteger = false
      if !take("+") { _ = take("-") }
      try digits()
    }
    guard isInteger, let value = Int64(String(decoding: bytes[start..<next], as: UTF8.self))
    else { return .otherNumber }
    return .integer(value)
  }

  private mutating func text() throws(Failure) -> String {
    guard take("\"") else { throw failure("a text") }
    let start = next
    var content: [UInt8] = []
    while let byte, byte != UInt8(ascii: "\"") {
      guard byte >= 0x20 else { throw failure("no control character") }
      next += 1
      if byte == UInt8(ascii: "\\") {
        content += String(try escaped()).utf8
      } else {
        content.append(byte)
      }
    }
    guard take("\"") else { throw failure("the end of a text") }
    guard let text = String(validating: content, as: UTF8.self) else {
      next = start
      throw failure("UTF-8")
    }
    return text
  }

  private mutating func escaped() throws(Failure) -> Unicode.Scalar {
    guard let byte else { throw failure("the end of a text") }
    next += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: throw failure("an escape of JSON")
    }
    var unit = try codeUnit()
    if (0xD800..<0xDC00).contains(unit), take("\\"), take("u") {
      let low = try codeUnit()
      guard (0xDC00..<0xE000).contains(low) else { throw failure("a pair of surrogates") }
      unit = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(unit) else { throw failure("a pair of surrogates") }
    return scalar
  }

  private mutating func codeUnit() throws(Failure) -> UInt32 {
    let digits = bytes[next...].prefix(4)
    let isHexadecimal = digits.allSatisfy { Unicode.Scalar($0).properties.isASCIIHexDigit }
    guard digits.count == 4, isHexadecimal,
      let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw failure("four hexadecimal digits") }
    next += 4
    return value
  }
}

/// A value of a JSON text (RFC 8259), with where it stands.
struct JSONNode {
  /// What it is; of a number the digits as they are written.
  enum Value {
    case null
    case bool(Bool)
    case number(String)
    case text(String)
    case list([JSONNode])
    case object([Member])
  }

  struct Member {
    let name: String
    let node: JSONNode
  }

  let value: Value
  /// Its bytes.
  let range: Range<Int>

  /// The member of an object; nil where there is none, or it is null.
  subscript(name: String) -> JSONNode? {
    guard case .object(let members) = value,
      let node = members.first(where: { $0.name == name })?.node
    else { return nil }
    if case .null = node.value { return nil }
    return node
  }

  /// What stands there, short enough for a message.
  var shown: String {
    switch value {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let digits): digits
    case .text(let text): text
    case .list(let list): "a list of \(list.count)"
    case .object: "an object"
    }
  }
}

/// Why a text is no JSON, and where.
struct JSONFault: Error, Equatable {
  let offset: Int
  let reason: String
}

/// Reads JSON values one after another; nothing else is taken for JSON.
struct JSONScanner {
  let bytes: [UInt8]
  private(set) var offset: Int
  /// The name of members whose lists are looked at and not kept, for they may have millions of numbers; their nodes
  /// are empty lists, which say where they stand.
  var passedName: String?
  /// Whether half of a surrogate pair is U+FFFD, which is counted, and no fault.
  var replacesHalfPairs = false
  /// How many such halves there were.
  private(set) var replacedCount = 0
  /// How many values are kept, after which others are looked at alone.
  var nodeLimit = Int.max
  /// How many values there were since somebody has set it to 0.
  var nodeCount = 0
  /// How deep values may lie in each other.
  static let depthLimit = 32
  private static let numberLimit = 64

  init(_ bytes: [UInt8], at offset: Int = 0) {
    self.bytes = bytes
    self.offset = offset
    if offset == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { self.offset = 3 }
  }

  /// The one value that a text is.
  static func document(_ bytes: [UInt8]) throws(JSONFault) -> JSONNode {
    var scanner = JSONScanner(bytes)
    let node = try scanner.node()
    guard scanner.peek() == nil else { throw scanner.fault("something follows the value") }
    return node
  }

  func fault(_ reason: String) -> JSONFault { JSONFault(offset: offset, reason: reason) }

  /// The byte that comes next, after white space; nil at the end.
  mutating func peek() -> UInt8? {
    while offset < bytes.count {
      switch bytes[offset] {
      case 0x20, 0x09, 0x0A, 0x0D: offset += 1
      case let byte: return byte
      }
    }
    return nil
  }

  /// Takes a byte, if it comes next.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(truncatingIfNeeded: character.value) else { return false }
    offset += 1
    return true
  }

  /// Goes to the beginning of the next line.
  mutating func skipLine() {
    while offset < bytes.count, bytes[offset] != UInt8(ascii: "\n") { offset += 1 }
  }

  /// The value that comes next.
  mutating func node(depth: Int = 0) throws(JSONFault) -> JSONNode {
    guard let first = peek() else { throw fault("the text ends where a value is needed") }
    guard depth < Self.depthLimit else {
      throw fault("values lie more than \(Self.depthLimit) deep in each other")
    }
    let start = offset
    nodeCount += 1
    let value: JSONNode.Value
    switch first {
    case UInt8(ascii: "{"): value = .object(try members(depth))
    case UInt8(ascii: "["): value = .list(try elements(depth))
    case UInt8(ascii: "\""): value = .text(try text())
    case UInt8(ascii: "t") where takeWord("true"): value = .bool(true)
    case UInt8(ascii: "f") where takeWord("false"): value = .bool(false)
    case UInt8(ascii: "n") where takeWord("null"): value = .null
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): value = .number(try number())
    default: throw fault("no JSON value begins so")
    }
    return JSONNode(value: value, range: start..<offset)
  }

  /// The name of a member, and the colon behind it.
  mutating func name() throws(JSONFault) -> String {
    guard peek() == UInt8(ascii: "\"") else {
      throw fault("a name in quotation marks is needed here")
    }
    let name = try text()
    guard take(":") else { throw fault("a colon is needed after the name \"\(name)\"") }
    return name
  }

  /// The value that comes next, of a member with a name.
  mutating func node(of name: String, depth: Int = 1) throws(JSONFault) -> JSONNode {
    guard name == passedName, peek() == UInt8(ascii: "[") else { return try node(depth: depth) }
    let start = offset
    try passList(depth)
    return JSONNode(value: .list([]), range: start..<offset)
  }

  private mutating func members(_ depth: Int) throws(JSONFault) -> [JSONNode.Member] {
    offset += 1
    var members: [JSONNode.Member] = []
    // Few names are looked through sooner than they are hashed.
    let fewCount = 32
    var names: Set<String> = []
    if take("}") { return members }
    repeat {
      _ = peek()
      let start = offset
      let name = try self.name()
      if members.count == fewCount { names = Set(members.map(\.name)) }
      // What is not kept is not compared either.
      let isNew =
        !isKept || members.count < fewCount
        ? !members.contains { $0.name == name } : names.insert(name).inserted
      guard isNew else {
        throw JSONFault(offset: start, reason: "the member \"\(name)\" is there twice")
      }
      let node = try node(of: name, depth: depth + 1)
      if isKept { members.append(JSONNode.Member(name: name, node: node)) }
    } while take(",")
    guard take("}") else { throw fault("a comma or } is needed here") }
    return members
  }

  private mutating func elements(_ depth: Int) throws(JSONFault) -> [JSONNode] {
    offset += 1
    var elements: [JSONNode] = []
    if take("]") { return elements }
    repeat {
      let node = try node(depth: depth + 1)
      if isKept { elements.append(node) }
    } while take(",")
    guard take("]") else { throw fault("a comma or ] is needed here") }
    return elements
  }

  /// Whether the values that come are kept.
  var isKept: Bool { nodeCount <= nodeLimit }

  /// Looks at a list, of which nothing is kept.
  private mutating func passList(_ depth: Int) throws(JSONFault) {
    guard depth < Self.depthLimit else {
      throw fault("values lie more than \(Self.depthLimit) deep in each other")
    }
    offset += 1
    if take("]") { return }
    repeat {
      if peek() == UInt8(ascii: "[") {
        try passList(depth + 1)
      } else {
        let count = nodeCount
        _ = try node(depth: depth + 1)
        nodeCount = count
      }
    } while take(",")
    guard take("]") else { throw fault("a comma or ] is needed here") }
  }

  private mutating func takeWord(_ word: String) -> Bool {
    guard bytes[offset...].starts(with: word.utf8) else { return false }
    offset += word.utf8.count
    return true
  }

  private mutating func number() throws(JSONFault) -> String {
    let start = offset
    func isDigit(_ offset: Int) -> Bool {
      offset < bytes.count && (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[offset])
    }
    func isByte(_ offset: Int, _ wanted: String) -> Bool {
      offset < bytes.count && wanted.utf8.contains(bytes[offset])
    }
    if isByte(offset, "-") { offset += 1 }
    guard isDigit(offset) else { throw fault("a digit is needed here") }
    if bytes[offset] == UInt8(ascii: "0"), isDigit(offset + 1) {
      throw fault("a number does not begin with 0 and another digit")
    }
    while isDigit(offset) { offset += 1 }
    if isByte(offset, ".") {
      offset += 1
      guard isDigit(offset) else { throw fault("a digit is needed after the point") }
      while isDigit(offset) { offset += 1 }
    }
    if isByte(offset, "eE") {
      offset += 1
      if isByte(offset, "+-") { offset += 1 }
      guard isDigit(offset) else { throw fault("a digit is needed in the exponent") }
      while isDigit(offset) { offset += 1 }
    }
    guard offset - start <= Self.numberLimit else {
      throw JSONFault(
        offset: start, reason: "a number with more than \(Self.numberLimit) characters")
    }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  private mutating func text() throws(JSONFault) -> String {
    offset += 1
    var collected: [UInt8] = []
    var start = offset
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte == UInt8(ascii: "\"") {
        let last = bytes[start..<offset]
        let read =
          collected.isEmpty
          ? String(validating: last, as: UTF8.self)
          : String(validating: collected + last, as: UTF8.self)
        guard let text = read else {
          throw JSONFault(offset: start, reason: "a text that is not UTF-8")
        }
        offset += 1
        return text
      }
      guard byte >= 0x20 else { throw fault("a control character in a text") }
      offset += 1
      if byte == UInt8(ascii: "\\") {
        collected += bytes[start..<(offset - 1)]
        collected += String(try escaped()).utf8
        start = offset
      }
    }
    throw fault("a text without a quotation mark at its end")
  }

  /// The character behind a backslash.
  private mutating func escaped() throws(JSONFault) -> Unicode.Scalar {
    guard offset < bytes.count else { throw fault("a text without a quotation mark at its end") }
    let letter = bytes[offset]
    offset += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: throw fault("no escape of JSON")
    }
    let first = try unit()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, bytes[offset...].starts(with: "\\u".utf8) else {
      return try half()
    }
    let end = offset
    offset += 2
    let second = try unit()
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else {
      // What follows is a character of its own.
      if replacesHalfPairs { offset = end }
      return try half()
    }
    return scalar
  }

  /// What half of a surrogate pair is.
  private mutating func half() throws(JSONFault) -> Unicode.Scalar {
    guard replacesHalfPairs else { throw fault("half of a surrogate pair") }
    replacedCount += 1
    return "\u{FFFD}"
  }

  private mutating func unit() throws(JSONFault) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard offset < bytes.count,
        let digit = Character(Unicode.Scalar(bytes[offset])).hexDigitValue
      else { throw fault("four hexadecimal digits are needed after \\u") }
      value = value << 4 | UInt32(digit)
      offset += 1
    }
    return value
  }
}

/// Counts lines of a text up to places that come in order.
struct LineCounter {
  private var offset = 0
  private var line = 1
  private var lineStart = 0

  /// The line and the column, both from 1, of a byte that is not before the one asked for last.
  mutating func place(of wanted: Int, in bytes: [UInt8]) -> (line: Int, column: Int) {
    while offset < min(wanted, bytes.count) {
      if bytes[offset] == UInt8(ascii: "\n") {
        line += 1
        lineStart = offset + 1
      }
      offset += 1
    }
    return (line, wanted - lineStart + 1)
  }
}

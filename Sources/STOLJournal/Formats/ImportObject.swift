import STOLSystem

/// An object of another program's JSON, whose members are taken one after another.
struct ImportObject {
  let node: JSONNode
  /// The line that it begins on.
  let line: Int
  private var taken: Set<String> = []
  /// What is odd about it.
  var flags: [ImportFlag] = []
  /// What of it is not kept as it is, in words.
  private(set) var left: [String] = []

  init(_ node: JSONNode, line: Int) {
    self.node = node
    self.line = line
  }

  func refusal(_ column: String, _ value: String, _ reason: String, _ remedy: String)
    -> ImportRefusal
  {
    ImportRefusal(line: line, column: column, value: value, reason: reason, remedy: remedy)
  }

  mutating func flag(_ column: String, _ value: String, _ reason: String) {
    flags.append(ImportFlag(column: column, value: value, reason: reason))
  }

  /// Takes members that are not kept, which is counted and no more.
  mutating func leave(_ names: String...) {
    taken.formUnion(names)
    left += names.filter { node[$0] != nil }
  }

  /// The member with one of several names; nil where there is none, or it is null.
  mutating func take(_ names: [String]) throws(ImportRefusal) -> (name: String, node: JSONNode)? {
    taken.formUnion(names)
    var found: (name: String, node: JSONNode)?
    for name in names {
      guard let member = node[name] else { continue }
      if let found {
        throw refusal(
          name, member.shown, "\(found.name) says the same", "give one of them")
      }
      found = (name, member)
    }
    return found
  }

  /// A text that says something; of a number its digits.
  mutating func text(_ names: String...) throws(ImportRefusal) -> String? {
    guard let (name, member) = try take(names) else { return nil }
    switch member.value {
    case .text(let text): return text.allSatisfy(\.isWhitespace) ? nil : text
    case .number(let digits): return digits
    default: throw refusal(name, member.shown, "not a text", "a text")
    }
  }

  /// A number times ten to the power of `decimals`, rounded to the nearest.
  mutating func number(
    _ names: String..., decimals: Int
  ) throws(ImportRefusal) -> (name: String, value: Int, digits: String)? {
    guard let (name, member) = try take(names) else { return nil }
    guard case .number(let digits) = member.value else {
      throw refusal(name, member.shown, "not a number", "a number, without quotation marks")
    }
    guard let plain = Self.plainDigits(digits),
      let value = DecimalText.value(plain, decimals: decimals)
    else { throw refusal(name, digits, "beyond all measure", "a smaller number") }
    let fraction = plain.split(separator: ".").dropFirst().first ?? ""
    if fraction.dropFirst(decimals).contains(where: { $0 != "0" }) { leave(rounded: name) }
    return (name, value, digits)
  }

  /// Says that a member is kept, and not to its last digit.
  mutating func leave(rounded name: String) { left.append(Self.rounded(name)) }

  private static func rounded(_ name: String) -> String { "\(name), rounded" }

  /// A number as above, alone.
  mutating func value(_ name: String, decimals: Int) throws(ImportRefusal) -> Int? {
    try number(name, decimals: decimals)?.value
  }

  mutating func flag(named name: String) throws(ImportRefusal) -> Bool? {
    guard let (name, member) = try take([name]) else { return nil }
    switch member.value {
    case .bool(let value): return value
    case .number("0"): return false
    case .number("1"): return true
    default: throw refusal(name, member.shown, "neither true nor false", "true or false")
    }
  }

  /// A moment or a local time; see `ImportTime`.
  mutating func time(_ names: String...) throws(ImportRefusal) -> ImportTime? {
    guard let (name, member) = try take(names) else { return nil }
    let time: ImportTime?
    switch member.value {
    case .text(let text): time = ImportTime(text)
    case .number(let digits): time = ImportTime(secondsSince2001: digits)
    default: time = nil
    }
    guard let time else {
      throw refusal(
        name, member.shown, "no time", "a time as 2026-03-15T09:44:30Z or 2026-03-15T09:44:30-04:00"
      )
    }
    return time
  }

  /// The UUID, or one that is named by what stands there and `words`.
  mutating func id(_ name: String, naming words: [String]? = nil) throws(ImportRefusal)
    -> JournalID?
  {
    guard let text = try text(name) else { return nil }
    if let id = JournalID(text) { return id }
    if let words { return JournalID(naming: words + [text]) }
    throw refusal(name, text, "no UUID", "32 hexadecimal digits, with hyphens or without")
  }

  /// Latitude and longitude with the metres around them, rounded up: the point lies within.
  mutating func position(
    _ latitudes: (String, String), _ longitudes: (String, String), _ accuracies: (String, String)
  ) throws(ImportRefusal) -> Position? {
    let latitude = try number(latitudes.0, latitudes.1, decimals: 7)
    let longitude = try number(longitudes.0, longitudes.1, decimals: 7)
    let accuracy = try number(accuracies.0, accuracies.1, decimals: 3)
    guard let latitude, let longitude else {
      guard latitude == nil, longitude == nil else {
        throw refusal(
          latitude == nil ? latitudes.0 : longitudes.0, "", "missing", "give both, or neither")
      }
      return nil
    }
    if let accuracy, accuracy.value <= 0 {
      throw refusal(
        accuracy.name, accuracy.digits, "no accuracy, so that the position is none",
        "metres above 0; leave it out where it is not known")
    }
    if let accuracy, accuracy.value % 1000 != 0, left.last != Self.rounded(accuracy.name) {
      leave(rounded: accuracy.name)
    }
    let position = Position(
      latitudeE7: latitude.value, longitudeE7: longitude.value,
      uncertaintyM: accuracy.map { ($0.value + 999) / 1000 })
    do {
      try position.validate()
    } catch {
      throw ImportRefusal(error, line: line)
    }
    return position
  }

  /// The members that nobody took and that say something.
  private var rest: [(name: String, node: JSONNode)] {
    guard case .object(let members) = node.value else { return [] }
    return members.filter { !taken.contains($0.name) && node[$0.name] != nil }
      .map { ($0.name, $0.node) }
  }

  /// Flags the members that nobody took and that say something.
  mutating func flagTheRest() {
    for (name, node) in rest {
      flag(name, node.shown, "not read: the journal has no member for it")
    }
  }

  /// Counts them.
  mutating func leaveTheRest() { left += rest.map(\.name) }

  /// A row of records, each of which is looked at.
  ///
  /// - Parameters:
  ///   - records: the records.
  ///   - sources: for fields of records the members that they were made of.
  /// - Returns: the row.
  /// - Throws: `ImportRefusal`, with the member.
  func row(
    _ records: [JournalRecord], _ sources: KeyValuePairs<String, String>
  ) throws(ImportRefusal) -> ImportRow {
    var row = ImportRow(line: line, records: records, flags: flags)
    for (field, name) in sources {
      if let member = node[name] {
        row.members[field] = ImportMember(name: name, shown: member.shown)
      }
    }
    for record in records {
      do {
        try record.validate()
      } catch {
        throw ImportRefusal(error, line: line).shown(by: row.members)
      }
    }
    return row
  }

  /// A JSON number without an exponent; nil for one of more than 60 places.
  static func plainDigits(_ digits: String) -> String? {
    let parts = digits.lowercased().split(separator: "e")
    guard parts.count == 2 else { return digits }
    guard let exponent = Int(parts[1]), exponent.magnitude <= 60 else { return nil }
    let isNegative = parts[0].hasPrefix("-")
    let mantissa = parts[0].drop { $0 == "-" }.split(separator: ".")
    let all = mantissa.joined()
    let point = (mantissa.first?.count ?? 0) + exponent
    var whole = point <= 0 ? "0" : String((all + String(repeating: "0", count: 60)).prefix(point))
    whole = String(whole.drop { $0 == "0" })
    let fraction = String(repeating: "0", count: max(0, -point)) + all.dropFirst(max(0, point))
    return (isNegative ? "-" : "") + (whole.isEmpty ? "0" : whole)
      + (fraction.isEmpty ? "" : "." + fraction)
  }
}

/// A time of another program: the clock at the place, and how far it was ahead of UTC where that is stated.
struct ImportTime: Equatable {
  let time: LocalTime
  let utcOffsetMin: Int?

  /// A time by ISO 8601, as "2026-03-15T09:44:30Z", with parts of seconds, which are dropped, and with an offset,
  /// or without: then it is a local time, and nobody knows the zone.
  init?(_ text: String) {
    var body = Substring(text)
    var offset: Int?
    if text.utf8.count > 16 {
      if let last = body.last, last == "Z" || last == "z" {
        body.removeLast()
        offset = 0
      } else if let sign = body.lastIndex(where: { "+-\u{2212}".contains($0) }),
        body[..<sign].utf8.count >= 16
      {
        let digits = body[sign...].dropFirst().filter { $0 != ":" }
        guard [2, 4].contains(digits.utf8.count), digits.utf8.areDigits,
          let hours = Int(digits.prefix(2)),
          let minutes = Int(digits.dropFirst(2).isEmpty ? "0" : digits.dropFirst(2)),
          minutes < 60
        else { return nil }
        offset = (hours * 60 + minutes) * (body[sign] == "+" ? 1 : -1)
        body = body[..<sign]
      }
    }
    if let point = body.lastIndex(of: "."), body[..<point].utf8.count == 19 {
      let parts = body[point...].dropFirst().utf8
      guard !parts.isEmpty, parts.areDigits else { return nil }
      body = body[..<point]
    }
    guard let time = try? LocalTime(String(body)) else { return nil }
    self.time = time
    utcOffsetMin = offset
  }

  /// The seconds since 2001-01-01T00:00:00Z, which Swift writes for a date.
  init?(secondsSince2001 digits: String) {
    guard let seconds = Double(digits)?.rounded(.down), abs(seconds) < 1e11,
      let whole = Int(exactly: seconds),
      let time = try? LocalTime(timeText(secondsSince1970: whole + 978_307_200))
    else { return nil }
    self.time = time
    utcOffsetMin = 0
  }

  /// The text that `init(_:)` reads: with seconds and the offset where both are known, else as it is known.
  static func text(_ time: LocalTime, utcOffsetMin: Int?) -> String {
    guard time.hasTimeOfDay, let utcOffsetMin else { return time.text }
    let seconds = time.text.utf8.count == 16 ? time.text + ":00" : time.text
    guard utcOffsetMin != 0 else { return seconds + "Z" }
    let size = abs(utcOffsetMin)
    return seconds + (utcOffsetMin < 0 ? "-" : "+") + (size / 60).digits(2) + ":"
      + (size % 60).digits(2)
  }
}

extension Sequence<UInt8> {
  /// Whether all bytes are digits of ASCII.
  var areDigits: Bool {
    allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }
}

/// The objects of a JSON list, or of lines or other pieces of a file, one after another.
struct JSONObjects {
  private var scanner: JSONScanner
  private var counter = LineCounter()
  private let isList: Bool
  private var isFirst = true
  private var isDone = false

  init(_ bytes: [UInt8]) {
    scanner = JSONScanner(bytes)
    isList = scanner.take("[")
  }

  /// The next one; nil at the end.
  ///
  /// - Throws: `JournalError` where the list goes no further.
  mutating func next() throws(JournalError) -> Result<ImportObject, ImportRefusal>? {
    guard !isDone else { return nil }
    guard try hasNext() else {
      isDone = true
      return nil
    }
    isFirst = false
    let start = scanner
    do {
      let node = try scanner.node()
      let line = counter.place(of: node.range.lowerBound, in: scanner.bytes).line
      guard case .object = node.value else {
        return .failure(
          ImportRefusal(
            line: line, column: "", value: node.shown, reason: "no object",
            remedy: "an object in { }"))
      }
      return .success(ImportObject(node, line: line))
    } catch {
      if isList { throw JournalDocumentReader.error(error, in: scanner.bytes) }
      scanner = start
      let place = counter.place(of: start.offset, in: scanner.bytes)
      scanner.skipLine()
      return .failure(
        ImportRefusal(
          line: place.line, column: "", value: "", reason: error.reason, remedy: "a JSON object"))
    }
  }

  /// Goes to the next one, if there is one.
  private mutating func hasNext() throws(JournalError) -> Bool {
    guard isList else { return scanner.peek() != nil }
    let isMore = isFirst ? scanner.peek() != UInt8(ascii: "]") : scanner.take(",")
    if isMore { return true }
    guard scanner.take("]") else { throw failure("a comma or ] is needed here") }
    guard scanner.peek() == nil else { throw failure("something follows the list") }
    return false
  }

  private func failure(_ reason: String) -> JournalError {
    JournalDocumentReader.error(scanner.fault(reason), in: scanner.bytes)
  }
}

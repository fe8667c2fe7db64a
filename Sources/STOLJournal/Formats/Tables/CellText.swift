import STOLSystem

/// What stands in a cell, as a number, a date or a time.
enum CellText {
  /// A number with a point, from one with a point or a comma.
  ///
  /// A comma with three digits behind it may part thousands: unless `hasDecimalComma` says so, or `isDegree`, it is
  /// none of decimals.
  ///
  /// - Returns: the digits, or nil where it is no number or nobody can tell.
  static func number(_ text: String, hasDecimalComma: Bool?, isDegree: Bool = false) -> String? {
    // Spreadsheets write a minus of their own.
    let plain = text.hasPrefix("\u{2212}") ? "-" + text.dropFirst() : text
    let commas = plain.utf8.count { $0 == UInt8(ascii: ",") }
    let points = plain.utf8.count { $0 == UInt8(ascii: ".") }
    guard commas > 0 else {
      return points == 0 || points == 1 && hasDecimalComma != true ? plain : nil
    }
    guard commas == 1, points == 0, hasDecimalComma != false else { return nil }
    let decimals = plain.split(separator: ",", omittingEmptySubsequences: false)[1]
    let digits = decimals.prefix { $0.isASCII && $0.isNumber }.count
    guard hasDecimalComma == true || isDegree || digits != 3 else { return nil }
    return String(plain.map { $0 == "," ? "." : $0 })
  }

  /// Whether a number has a comma that can stand before decimals alone: "50,5".
  static func hasCertainDecimalComma(_ text: String, isDegree: Bool) -> Bool {
    guard text.utf8.contains(UInt8(ascii: ",")),
      let number = number(text, hasDecimalComma: nil, isDegree: isDegree)
    else { return false }
    return ExactDecimal(number) != nil
  }

  /// Whether the point of a number may part thousands: "1.234", and not "0.234" or "1.5".
  static func mayPartThousands(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let whole = parts[0].drop { "-+\u{2212}".contains($0) }
    return parts.count == 2 && (1...3).contains(whole.utf8.count) && whole.first != "0"
      && parts[1].utf8.count == 3 && whole.utf8.areDigits && parts[1].utf8.areDigits
  }

  /// The local time that a cell states, and the offset of its clock where it states that too.
  ///
  /// - Parameters:
  ///   - text: as 2026, 2026-03, 2026-03-15, 2026/03/15, 20260315, 15.3.2026, 3/15/2026, each with a time of day or
  ///     none, and an offset.
  ///   - order: the order of the parts where the year stands last.
  ///   - field: what it is, for the error.
  /// - Returns: the local time, and the minutes that its clock is ahead of UTC.
  /// - Throws: `JournalError.invalid`
  static func time(
    _ text: String, _ order: TableMapping.DateOrder?, _ field: String
  ) throws(JournalError) -> (time: LocalTime, offsetMin: Int?) {
    func refusal(_ remedy: String) -> JournalError {
      .invalid(field: field, value: text, remedy: remedy)
    }
    let form = "a date as 2026, 2026-03, 2026-03-15, 15.3.2026 or 3/15/2026, or one with a time"
    guard text.utf8.count <= 40 else { throw refusal(form) }
    let split = text.firstIndex { $0 == "T" || $0 == " " }
    let datePart = String(split.map { text[..<$0] } ?? text[...])
    let rest = split.map { text[text.index(after: $0)...].drop { $0 == " " } } ?? ""
    let parts = datePart.split(omittingEmptySubsequences: false) { "-/.".contains($0) }
    guard parts.allSatisfy({ (1...8).contains($0.utf8.count) && $0.utf8.allSatisfy(isDigit) })
    else { throw refusal(form) }
    let date: String
    switch (parts.count, parts[0].utf8.count) {
    case (1, 4): date = datePart
    case (1, 8):
      date = "\(datePart.prefix(4))-\(datePart.dropFirst(4).prefix(2))-\(datePart.suffix(2))"
    case (2, 4): date = "\(parts[0])-\(padded(parts[1]))"
    case (2, 1...2) where parts[1].utf8.count == 4: date = "\(parts[1])-\(padded(parts[0]))"
    case (3, 4): date = "\(parts[0])-\(padded(parts[1]))-\(padded(parts[2]))"
    case (3, 1...2) where parts[2].utf8.count == 4:
      guard let order, order != .ymd else {
        throw refusal("say in which order day and month stand: --dates dmy or --dates mdy")
      }
      let (day, month) = order == .dmy ? (parts[0], parts[1]) : (parts[1], parts[0])
      date = "\(parts[2])-\(padded(month))-\(padded(day))"
    default: throw refusal(form)
    }
    guard !rest.isEmpty else { return (try LocalTime(date, field: field), nil) }
    guard date.utf8.count == 10, let (time, offset) = clock(String(rest)) else {
      throw refusal("the time as 9:44, 09:44:30 or 9:44 PM")
    }
    return (try LocalTime("\(date)T\(time)", field: field), offset)
  }

  /// A time of day, and the minutes that its clock is ahead of UTC, where an offset stands behind it; nil for a text
  /// that states none.
  ///
  /// Where no date stands before it, "9:44-10:30" may be two times, and is none.
  static func clock(
    _ text: String, isAlone: Bool = false
  ) -> (time: String, offsetMin: Int?)? {
    let (clock, offset) = offset(of: text)
    guard let time = timeOfDay(clock) else { return nil }
    let isSpan = isAlone && time.utf8.count == 5 && text.suffix(3).first == ":"
    if isSpan, let offset, offset < 0 { return nil }
    return (time, offset)
  }

  /// A time of day as "09:44" or "09:44:30"; nil for a text that states none.
  static func timeOfDay(_ text: String) -> String? {
    var words = text.uppercased()
    var isAfternoon: Bool?
    for (suffix, value) in [("AM", false), ("PM", true)] where words.hasSuffix(suffix) {
      isAfternoon = value
      words = String(words.dropLast(2))
    }
    words = words.filter { $0 != " " && $0 != "\u{202F}" }
    let parts = words.split(separator: ":", omittingEmptySubsequences: false).map { part in
      // Fractions of a second are dropped.
      part.prefix { $0 != "." }
    }
    guard (2...3).contains(parts.count),
      parts.allSatisfy({ (1...2).contains($0.utf8.count) && $0.utf8.allSatisfy(isDigit) }),
      var hour = Int(parts[0])
    else { return nil }
    if let isAfternoon {
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + (isAfternoon ? 12 : 0)
    }
    return ([hour.digits(2)] + parts.dropFirst().map { padded($0) }).joined(separator: ":")
  }

  /// A time of day, and the minutes east of UTC behind it: "Z", "+02:00", "-0400".
  private static func offset(of text: String) -> (clock: String, offsetMin: Int?) {
    if text.hasSuffix("Z") { return (String(text.dropLast()), 0) }
    guard let sign = text.lastIndex(where: { $0 == "+" || $0 == "-" }) else { return (text, nil) }
    let digits = text[text.index(after: sign)...].filter { $0 != ":" }
    guard digits.utf8.count == 4, digits.utf8.allSatisfy(isDigit), let number = Int(digits) else {
      return (text, nil)
    }
    let minutes = number / 100 * 60 + number % 100
    return (text[..<sign].trimmed(), text[sign] == "-" ? -minutes : minutes)
  }

  private static func padded(_ digits: some StringProtocol) -> String {
    (digits.utf8.count == 1 ? "0" : "") + String(digits)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  // MARK: - Several texts in a cell

  /// What stands between several texts of a cell.
  static let separator = " | "

  /// Several texts as one; a separator within one becomes " / ".
  ///
  /// - Parameters:
  ///   - texts: the texts.
  ///   - changedCount: counts those that had one.
  /// - Returns: the text of the cell.
  static func joined(_ texts: [String], _ changedCount: inout Int) -> String {
    texts.map { text in
      guard text.utf8.contains(UInt8(ascii: "|")) else { return text }
      // A bar at an end would be read with what is put there.
      let once = TableEscapes.replacing(separator, in: " \(text) ", with: " / ")
      // Two bars may share a space.
      let changed = TableEscapes.replacing(separator, in: once, with: " / ")
      let inner = String(decoding: changed.utf8.dropFirst().dropLast(), as: UTF8.self)
      if inner != text { changedCount += 1 }
      return inner
    }.joined(separator: separator)
  }

  /// The texts of a cell.
  static func split(_ cell: String) -> [String] {
    let bytes = Array(cell.utf8)
    let bar = Array(separator.utf8)
    var parts: [String] = []
    var start = 0
    var index = 0
    func add(_ end: Int) {
      if end > start { parts.append(String(decoding: bytes[start..<end], as: UTF8.self)) }
    }
    while index < bytes.count {
      if bytes[index...].starts(with: bar) {
        add(index)
        index += bar.count
        start = index
      } else {
        index += 1
      }
    }
    add(bytes.count)
    return parts
  }
}

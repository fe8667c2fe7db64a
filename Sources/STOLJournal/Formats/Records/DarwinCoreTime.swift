import STOLSystem

/// When an event was.
struct DarwinCoreSpan {
  let start: LocalTime
  let end: LocalTime?
}

/// When something was, by the terms of Darwin Core that say it.
struct DarwinCoreTime {
  /// A beginning and an end.
  private struct Span {
    let start: ImportTime
    var end: ImportTime?
    /// Whether something stands in the place of the end that is no time.
    var isEndLost = false
  }

  private(set) var start: LocalTime
  private(set) var end: LocalTime?
  private(set) var offsetMin: Int?
  /// What stood there, where the time says less than that may mean.
  private(set) var verbatim: String?
  /// What is odd about a term.
  private(set) var doubts: [(column: String, reason: String)] = []

  /// The time of a row; nil where no term says one.
  init?(
    eventDate: String?, eventTime: String?, year: String?, month: String?, day: String?,
    verbatim: String?
  ) {
    if let span = eventDate.flatMap(Self.span) {
      (start, end, offsetMin) = (span.start.time, span.end?.time, span.start.utcOffsetMin)
      if span.isEndLost || span.end != nil && span.end?.utcOffsetMin != offsetMin {
        end = nil
        doubts.append(
          ("eventDate", "has an end that is no time by the same clock, which was left out"))
      }
      compare([("year", year), ("month", month), ("day", day)])
      take(eventTime)
    } else if let date = Self.date(year, month, day) {
      start = date
      take(eventTime)
    } else if year != nil {
      return nil
    } else if let eventDate, let found = Self.loose(eventDate) {
      (start, offsetMin) = (found.time, found.offsetMin)
      take(eventTime)
      if found.isRough { doubt("eventDate", eventDate) }
    } else if let verbatim, let found = Self.loose(verbatim) {
      (start, offsetMin) = (found.time, found.offsetMin)
      if found.isRough { doubt("verbatimEventDate", verbatim) }
    } else {
      return nil
    }
  }

  private mutating func doubt(_ column: String, _ text: String) {
    verbatim = text
    doubts.append((column, "was taken for the year alone, for nobody says what else it means"))
  }

  /// Says which part of a date is not that of the one which was taken.
  private mutating func compare(_ stated: [(column: String, text: String?)]) {
    // Of a span they may be those of any day of it.
    guard end == nil else { return }
    for (part, other) in zip(start.text.prefix(10).split(separator: "-"), stated) {
      guard let text = other.text, let number = Int(text), number != Int(part) else { continue }
      doubts.append((other.column, "is not that of eventDate, which was kept"))
      return
    }
  }

  /// Takes the time of day, where the date has none.
  private mutating func take(_ eventTime: String?) {
    guard let eventTime, !start.hasTimeOfDay, start.dayNumber != nil else { return }
    let first = eventTime.split(separator: "/").first.map(String.init) ?? eventTime
    guard let (clock, offset) = CellText.clock(first.trimmed(), isAlone: true),
      let time = try? LocalTime("\(start.text)T\(clock)")
    else {
      doubts.append(("eventTime", "is no time of day, and was left out"))
      return
    }
    (start, offsetMin) = (time, offset)
  }

  /// A time of ISO 8601, also by the number of the day in its year.
  private static func time(_ text: String) -> ImportTime? {
    if let time = ImportTime(text) { return time }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count == 4, parts[1].utf8.count == 3,
      let day = Int(parts[1]), (1...366).contains(day),
      let year = try? LocalTime("\(parts[0])-01-01")
    else { return nil }
    let date = timeText(secondsSince1970: year.firstSecond + (day - 1) * 86_400).prefix(10)
    return date.hasPrefix(parts[0]) ? ImportTime(String(date)) : nil
  }

  /// A date of ISO 8601, or two with a slash between them, of which the second may leave out what both have.
  private static func span(_ text: String) -> Span? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { $0.trimmed() }
    guard parts.count <= 2, let start = time(parts[0]) else { return nil }
    guard parts.count == 2, parts[1] != parts[0] else { return Span(start: start) }
    var last = parts[1]
    let isShort =
      !start.time.hasTimeOfDay && last.utf8.count < parts[0].utf8.count
      && last.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2D }
    if isShort { last = String(parts[0].dropLast(last.count)) + last }
    guard let end = time(last) else { return Span(start: start, isEndLost: true) }
    return Span(start: start, end: end)
  }

  /// A date by its parts, as far as they are there; nil where one of them is wrong.
  private static func date(_ year: String?, _ month: String?, _ day: String?) -> LocalTime? {
    guard let year else { return nil }
    return wrongPart(year, month, day) == nil ? try? LocalTime(text([year, month, day])) : nil
  }

  /// The first part of a date that is none of one: year, month or day.
  static func wrongPart(_ year: String, _ month: String?, _ day: String?) -> String? {
    let parts = [year, month, day]
    for (index, column) in ["year", "month", "day"].enumerated() {
      guard parts[index] != nil else { return nil }
      if (try? LocalTime(text(Array(parts[...index])))) == nil { return column }
    }
    return nil
  }

  /// The parts of a date as ISO 8601 writes them, up to the first that is missing.
  private static func text(_ parts: [String?]) -> String {
    var text = ""
    for (part, width) in zip(parts, [4, 2, 2]) {
      guard let part else { break }
      let padded = String(repeating: "0", count: max(0, width - part.utf8.count)) + part
      text += (text.isEmpty ? "" : "-") + padded
    }
    return text
  }

  /// A date as somebody wrote it; of one of which nobody knows where the month stands the year alone.
  private static func loose(_ text: String) -> (time: LocalTime, offsetMin: Int?, isRough: Bool)? {
    if let found = try? CellText.time(text, nil, "date") {
      return (found.time, found.offsetMin, false)
    }
    let date = text.prefix { $0 != " " && $0 != "T" }
    let numbers = date.split { "-/.".contains($0) }.map { Int($0) ?? 0 }
    if numbers.count == 3, numbers[2] > 999 {
      let order: TableMapping.DateOrder? =
        numbers[0] > 12 || numbers[0] == numbers[1] ? .dmy : numbers[1] > 12 ? .mdy : nil
      if let order, let found = try? CellText.time(text, order, "date") {
        return (found.time, found.offsetMin, false)
      }
    }
    // One that is written from the year on is whole, or wrong.
    if numbers.count > 1, let first = numbers.first, first > 999 { return nil }
    let words = text.split { !($0.isASCII && $0.isNumber) }
    let years = words.compactMap { $0.count == 4 ? Int($0) : nil }.filter { $0 >= 1500 }
    guard let year = years.first, Set(years).count == 1, let time = try? LocalTime(year.digits(4))
    else { return nil }
    return (time, nil, true)
  }
}

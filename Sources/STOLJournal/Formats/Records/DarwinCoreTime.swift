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

  /// A date of ISO 8601, or two with a slash between them, of which the second may leave out what both have.
  private static func span(_ text: String) -> Span? {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { $0.trimmed() }
    guard parts.count <= 2, let start = ImportTime(parts[0]) else { return nil }
    guard parts.count == 2, parts[1] != parts[0] else { return Span(start: start) }
    var last = parts[1]
    let isShort =
      !start.time.hasTimeOfDay && last.utf8.count < parts[0].utf8.count
      && last.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2D }
    if isShort { last = String(parts[0].dropLast(last.count)) + last }
    guard let end = ImportTime(last) else { return Span(start: start, isEndLost: true) }
    return Span(start: start, end: end)
  }

  /// A date by its parts, as far as they are there.
  private static func date(_ year: String?, _ month: String?, _ day: String?) -> LocalTime? {
    guard let year = year.flatMap({ Int($0) }), (1...9999).contains(year) else { return nil }
    var text = year.digits(4)
    if let month = month.flatMap({ Int($0) }), (1...12).contains(month) {
      text += "-" + month.digits(2)
      if let day = day.flatMap({ Int($0) }), (1...31).contains(day) { text += "-" + day.digits(2) }
    }
    return try? LocalTime(text)
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

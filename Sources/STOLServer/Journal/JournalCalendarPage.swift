import Foundation
import STOLAnswers
import STOLJournal
import STOLSystem

extension Pages {
  /// A year of days, each with how much was seen.
  func journalCalendar(_ visit: Visit, _ journal: LocalJournal) async throws -> Reply {
    let all = try await journal.read { file, _ in try file.calendar(LocalTime.dayRange) }
    let years = Set(all.map { CivilDate(days: $0.day).year }).sorted()
    let today = JournalClock.today
    let newest = years.last ?? CivilDate(days: today).year
    let year = visit.query.number("year", in: 1...9999) ?? newest
    let first = CivilDate(year: year, month: 1, day: 1).days
    let last = CivilDate(year: year, month: 12, day: 31).days
    let days = all.filter { (first...last).contains($0.day) }
    if visit.address.form == .json {
      return .json { json in
        json.number("year", year)
        json.array("years") { json in
          for year in years { json.number(nil, year) }
        }
        json.objects("days", days) { json, day in
          json.text("day", JournalWords.day(day.day))
          json.number("sightingCount", day.sightingCount)
        }
      }
    }
    let counts = Dictionary(uniqueKeysWithValues: days.map { ($0.day, $0.sightingCount) })
    let most = days.map(\.sightingCount).max() ?? 0
    return journalPage(visit, .calendar, "Calendar") {
      if years.count > 1 || years.first.map({ $0 != year }) == true {
        Layout.chips(
          "Year",
          years.reversed().prefix(30).map {
            ("\($0)", Address(.calendar, ["year": "\($0)"]), $0 == year)
          })
      }
      tag("p", .class("lead")) {
        let total = days.reduce(0) { $0 + $1.sightingCount }
        "In \(year) there were \(Words.count(total, "sighting", "sightings")) on "
        "\(Words.count(days.count, "day", "days")). "
        "What is known by its month or year alone is in the list."
      }
      tag("div", .class("calendar")) {
        for month in 1...12 { calendarMonth(year, month, counts, most, today) }
      }
      tag("p", .class("note")) {
        "A square says the day and, below it, how many sightings it has; the fuller, the stronger its colour. "
        "A day without any leads to a new note of it."
      }
    }
  }

  /// A month as a table of weeks, which begin on Monday.
  private func calendarMonth(
    _ year: Int, _ month: Int, _ counts: [Int: Int], _ most: Int, _ today: Int
  ) -> Html {
    let first = CivilDate(year: year, month: month, day: 1).days
    let next =
      month == 12
      ? CivilDate(year: year + 1, month: 1, day: 1).days
      : CivilDate(year: year, month: month + 1, day: 1).days
    // The first day of 1970 was a Thursday.
    let lead = (first + 3).flooredDivision(by: 7).remainder
    let cells = (0..<lead).map { _ in nil as Int? } + (first..<next).map { $0 }
    return tag("table") {
      tag("caption") { JournalWords.month(month) }
      tag("thead") {
        tag("tr") {
          for (letter, name) in [
            ("M", "Monday"), ("T", "Tuesday"), ("W", "Wednesday"), ("T", "Thursday"),
            ("F", "Friday"), ("S", "Saturday"), ("S", "Sunday"),
          ] {
            tag("th", Attribute("scope", "col")) {
              tag("abbr", Attribute("title", name)) { letter }
            }
          }
        }
      }
      tag("tbody") {
        for week in stride(from: 0, to: cells.count, by: 7) {
          tag("tr") {
            for cell in cells[week..<min(week + 7, cells.count)] {
              tag("td") { cell.map { daySquare($0, counts[$0] ?? 0, most, today) } }
            }
          }
        }
      }
    }
  }

  private func daySquare(_ day: Int, _ count: Int, _ most: Int, _ today: Int) -> Html {
    let date = CivilDate(days: day)
    let name = "\(date.day) \(JournalWords.month(date.month))"
    guard count > 0 else {
      // What has not been yet cannot have been seen.
      guard day <= today else { return tag("span") { "\(date.day)" } }
      return tag(
        "a", .href(Address(.new, ["when": JournalWords.day(day)])),
        .label("\(name): nothing yet, note something")
      ) { "\(date.day)" }
    }
    // By the square root: one day of many would make all others pale.
    let level = 1 + Int((3 * (Double(count) / Double(max(1, most))).squareRoot()).rounded(.down))
    return tag(
      "a", .class("level-\(min(4, level))"),
      .href(JournalFilter().with { $0.day = JournalWords.day(day) }.address(.list)),
      .label("\(name): \(Words.count(count, "sighting", "sightings"))")
    ) {
      "\(date.day)"
      tag("b") { count > 999 ? "999+" : "\(count)" }
    }
  }
}

/// The clock of this machine, for what somebody is about to note.
enum JournalClock {
  /// The days from 1970-01-01 to today.
  static var today: Int { secondsSince1970.flooredDivision(by: 86_400).quotient }

  /// The minutes that the clock of this machine is ahead of UTC.
  static var offsetMin: Int { TimeZone.current.secondsFromGMT() / 60 }

  /// Now, as "2026-03-15T09:44".
  static var now: String { String(timeText(secondsSince1970: secondsSince1970).prefix(16)) }

  /// The seconds of the clock of this machine.
  static var secondsSince1970: Int {
    Int(Date().timeIntervalSince1970.rounded(.down)) + TimeZone.current.secondsFromGMT()
  }
}

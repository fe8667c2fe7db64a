import Foundation
import STOLJournal
import STOLSystem

/// What the journal holds, as a person reads it.
enum JournalWords {
  static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]

  /// A month from 1.
  static func month(_ month: Int) -> String {
    months.indices.contains(month - 1) ? months[month - 1] : "\(month)"
  }

  /// A time as exact as it is known: "15 March 2026, 09:44".
  static func time(_ time: LocalTime) -> String {
    let date = CivilDate(days: time.firstDay)
    let text = time.text
    return switch text.utf8.count {
    case 4: text
    case 7: "\(month(date.month)) \(date.year)"
    case 10: "\(date.day) \(month(date.month)) \(date.year)"
    default: "\(date.day) \(month(date.month)) \(date.year), \(text.dropFirst(11).prefix(5))"
    }
  }

  /// A day as the calendar counts it: "2026-03-15".
  static func day(_ days: Int) -> String {
    let date = CivilDate(days: days)
    return String(format: "%04d-%02d-%02d", date.year, date.month, date.day)
  }

  /// A position to a hundred metres or so, with how exact it is: "42.453, -76.481, within 4 m".
  static func position(_ position: Position) -> String {
    let point = String(format: "%.4f, %.4f", position.latitude, position.longitude)
    return position.uncertaintyM.map { "\(point), within \(Words.grouped($0)) m" } ?? point
  }

  /// Whole metres and a tenth: "31", "27.5".
  static func metres(_ millimetres: Int) -> String {
    let tenths = (millimetres + 50) / 100
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  /// Hours and a tenth of seconds.
  static func hours(_ seconds: Int) -> String {
    let tenths = (seconds + 180) / 360
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  /// A kind of event, as one of several.
  static func kind(_ kind: Event.Kind) -> String {
    switch kind {
    case .visit: "walks and visits"
    case .dive: "dives"
    case .survey: "surveys"
    case .planting: "plantings"
    case .trip: "trips"
    }
  }

  /// A kind of event alone.
  static func oneKind(_ kind: Event.Kind) -> String {
    switch kind {
    case .visit: "visit"
    case .dive: "dive"
    case .survey: "survey"
    case .planting: "planting"
    case .trip: "trip"
    }
  }

  /// How exact a position is, in a word and the metres.
  static func accuracy(_ metres: Int, _ thresholds: AccuracyClass.Thresholds) -> String {
    "\(AccuracyClass(uncertaintyM: metres, thresholds).rawValue), within \(Words.grouped(metres)) m"
  }
}

extension JournalWords {
  /// A position without how exact it is.
  static func point(_ position: Position) -> String {
    self.position(Position(latitudeE7: position.latitudeE7, longitudeE7: position.longitudeE7))
  }
}

import STOLJournal
import STOLSystem

/// From where a new note has its position, where nobody typed it.
enum EntryOrigin: Sendable {
  /// From a track, so many seconds from its nearest point.
  case track(nearestS: Int)
  case photo
  /// From the map.
  case map

  /// It in words.
  var words: String {
    switch self {
    case .track(nearestS: 0): "Its position is that of the track at that second."
    case .track(let seconds):
      "Its position is from the track, whose nearest point is \(Self.span(seconds)) away in time."
    case .photo: "Its position is from the photo, as the camera wrote it."
    case .map: "Its position is from the map."
    }
  }

  /// A span of time: "40 s", "3 min".
  private static func span(_ seconds: Int) -> String {
    seconds < 100 ? "\(seconds) s" : "\((seconds + 30) / 60) min"
  }

  /// The field of an address that says it.
  var text: String {
    switch self {
    case .track(let seconds): "track-\(seconds)"
    case .photo: "photo"
    case .map: "map"
    }
  }

  /// What the field of an address says; nil for another one.
  init?(_ text: String) {
    switch text {
    case "photo": self = .photo
    case "map": self = .map
    default:
      guard text.hasPrefix("track-"), let seconds = Int(text.dropFirst(6)), seconds >= 0 else {
        return nil
      }
      self = .track(nearestS: seconds)
    }
  }

  init(_ place: TrackPlace) { self = .track(nearestS: place.nearestS) }
}

extension JournalEntry {
  /// So many seconds two points of a track may lie apart, or one alone from the moment: as the command has it.
  private static let gapS = 600

  /// How many minutes a clock is ahead of UTC: "+2", "+02:00", "-5:30", "Z".
  ///
  /// - Throws: `JournalError.invalid`
  static func offset(_ text: String) throws(JournalError) -> Int {
    if text == "Z" || text == "z" { return 0 }
    let digits = text.drop { $0 == "+" || $0 == "-" || $0 == "\u{2212}" }
    let parts = digits.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      (1...2).contains(part.utf8.count) && part.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        ? Int(part) : nil
    }
    guard text.count - digits.count <= 1, (1...2).contains(parts.count),
      numbers.count == parts.count, numbers[0] <= 18, numbers.count == 1 || numbers[1] < 60
    else {
      throw .invalid(
        field: "offset", value: text,
        remedy: "hours and minutes ahead of UTC, as +2, +02:00 or -5:30, at most 18 hours")
    }
    let minutes = numbers[0] * 60 + (numbers.count == 2 ? numbers[1] : 0)
    return text.first == "+" || text.first?.isNumber == true ? minutes : -minutes
  }

  /// An offset as a form says it: "+02:00".
  static func offsetText(_ minutes: Int) -> String {
    let size = abs(minutes)
    return (minutes < 0 ? "-" : "+") + "\((size / 60).digits(2)):\((size % 60).digits(2))"
  }

  /// Where a track was when something was seen; the track itself is not kept.
  ///
  /// - Throws: `JournalError.invalid` where the file does not tell, with what is missing.
  static func place(
    on file: SentFile, at when: String?, offset: String?
  ) throws(JournalError) -> TrackPlace {
    let track = TimedTrack(try GPXTrack.fixes(file.bytes))
    func fault(_ remedy: String) -> JournalError {
      .invalid(field: "track", value: file.name, remedy: remedy)
    }
    guard let utc = track.span(offsetMin: 0) else {
      throw fault("none of its points says when it was")
    }
    let time = try LocalTime(when ?? "", field: "when")
    guard time.hasTimeOfDay else {
      throw fault("say the time of day too: the track is of \(utc.first) to \(utc.last) UTC")
    }
    guard let offset else {
      throw fault(
        "say how far the clock there was ahead of UTC: the track is of \(utc.first) to "
          + "\(utc.last) UTC")
    }
    let minutes = try Self.offset(offset)
    guard let place = track.place(at: time, offsetMin: minutes, within: gapS) else {
      let there = track.span(offsetMin: minutes) ?? utc
      throw fault(
        "it has no points around \(time.text.replacing("T", with: " ")): by that clock it is of "
          + "\(there.first) to \(there.last)")
    }
    return place
  }
}

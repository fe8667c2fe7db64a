import STOLFormats

/// Reads GPX 1.0 and 1.1: waypoints are places, tracks visits from their first to their last time, routes areas.
///
/// Of a track or a route one position is kept, and a track without times is an area.
struct GPXSource: MapSource {
  private let pieces: XMLPieceReader
  private(set) var left: [String: Int] = [:]
  private(set) var credit: String?
  /// The track or route that is read.
  private var open: MapFeature?
  private var times = TrackTimes()
  private var isBegun = false
  private var isDone = false

  init(_ stream: SourceStream) throws {
    pieces = try XMLPieceReader(
      stream, holders: ["gpx", "trk", "trkseg", "rte"],
      attributes: ["lat", "lon", "href", "author"])
  }

  mutating func next() throws -> Result<MapFeature, ImportRefusal>? {
    guard !isDone else { return nil }
    do {
      while let piece = try pieces.next() {
        switch piece {
        case .begin(let name, let line):
          try begin(name, line)
        case .element(let element, let line):
          if let found = take(element, line) { return found }
        case .end(let name):
          guard name == "trk" || name == "rte", let feature = open else { continue }
          open = nil
          guard feature.shape.count > 0 || !feature.flags.isEmpty else {
            left["\(feature.kind.rawValue) without points", default: 0] += 1
            continue
          }
          return .success(finished(feature))
        }
      }
    } catch let failure as XMLFailure {
      isDone = true
      return .failure(ImportRefusal(failure, line: pieces.line))
    }
    isDone = true
    return nil
  }

  private mutating func begin(_ name: String, _ line: Int) throws {
    guard isBegun else {
      isBegun = true
      guard name == "gpx" else {
        throw JournalError.invalid(
          field: "GPX", value: name, remedy: "a document whose root is gpx")
      }
      return
    }
    guard name == "trk" || name == "rte" else { return }
    open = MapFeature(name == "trk" ? .track : .route, line: line)
    times = TrackTimes()
  }

  private mutating func take(
    _ element: XMLElement, _ line: Int
  ) -> Result<MapFeature, ImportRefusal>? {
    guard open != nil else {
      guard element.name == "wpt" else {
        if element.name == "metadata" { credit = Self.credit(element) }
        left[element.name, default: 0] += 1
        return nil
      }
      return Result { () throws(ImportRefusal) -> MapFeature in
        try Self.waypoint(element, line)
      }
    }
    switch element.name {
    case "trkpt", "rtept": addPoint(element, line)
    default: open?.take(element)
    }
    return nil
  }

  /// What the metadata say of the copyright.
  private static func credit(_ metadata: XMLElement) -> String? {
    guard let copyright = metadata.child("copyright") else { return nil }
    let owner = [copyright.child("year")?.wholeText, copyright.attributes["author"]]
    let words = owner.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " ")
    let licence = copyright.child("license")?.wholeText ?? ""
    let lines = [
      words.isEmpty ? "" : "\u{A9} \(words)", licence.isEmpty ? "" : "Licence: \(licence)",
    ]
    let text = lines.filter { !$0.isEmpty }.joined(separator: "\n")
    return text.isEmpty ? nil : text
  }

  private static func position(
    _ point: XMLElement, _ line: Int
  ) throws(ImportRefusal) -> Position {
    try MapDegrees.position(
      point.attributes["lat"], point.attributes["lon"], line: line, ("lat", "lon"))
  }

  private static func waypoint(
    _ element: XMLElement, _ line: Int
  ) throws(ImportRefusal) -> MapFeature {
    var feature = MapFeature(.waypoint, line: line)
    feature.shape.add(try position(element, line))
    for child in element.children { feature.take(child) }
    feature.uncertaintyM = GPXTrack.uncertaintyM(element)
    if let text = element.child("hdop")?.wholeText,
      PositionFix.uncertaintyM(dilution: text) == feature.uncertaintyM
    {
      feature.dilution = text
    }
    if feature.uncertaintyM != nil { feature.kept.insert("accuracy") }
    return feature
  }

  /// Adds a point of a track; one without a position is flagged, and spoils no other.
  private mutating func addPoint(_ element: XMLElement, _ line: Int) {
    do {
      open?.shape.add(try Self.position(element, line))
      let what = element.name == "trkpt" ? "points of tracks" : "points of routes"
      left["\(what), but for their middle", default: 0] += 1
    } catch {
      guard (open?.flags.count ?? 0) < MapFeature.flagLimit else {
        left["points of no place", default: 0] += 1
        return
      }
      open?.flag(error.column, error.value, "(line \(line)) \(error.reason): left out")
      return
    }
    guard open?.kind == .track, let text = element.child("time")?.trimmed, !text.isEmpty else {
      return
    }
    var reason = "is no time of the calendar"
    if let time = ImportTime(text) {
      if times.add(time) { return }
      reason = "is without a time of day, or by another clock than the first"
    }
    if (open?.flags.count ?? 0) < MapFeature.flagLimit {
      open?.flag("time", text, "(line \(line)) \(reason): left out")
    } else {
      left["times of tracks that are none", default: 0] += 1
    }
  }

  private mutating func finished(_ feature: MapFeature) -> MapFeature {
    var feature = feature
    (feature.start, feature.end) = (times.start, times.end)
    return feature
  }
}

/// The first and the last of some times.
struct TrackTimes {
  private(set) var start: ImportTime?
  private(set) var end: ImportTime?

  /// Adds a time; those without a time of day, or by another clock than the first, are passed over.
  ///
  /// - Returns: whether it was added.
  @discardableResult
  mutating func add(_ time: ImportTime) -> Bool {
    guard time.time.hasTimeOfDay else { return false }
    guard let first = start, let last = end else {
      (start, end) = (time, time)
      return true
    }
    guard (time.utcOffsetMin == nil) == (first.utcOffsetMin == nil) else { return false }
    if time.moment < first.moment { start = time }
    if time.moment > last.moment { end = time }
    return true
  }
}

extension ImportTime {
  /// Its first second, counted from 1970 in UTC, or by its own clock where nobody knows that.
  fileprivate var moment: Int { time.firstSecond - (utcOffsetMin ?? 0) * 60 }
}

extension MapFeature {
  /// Takes an element of GPX that says something of it.
  fileprivate mutating func take(_ element: XMLElement) {
    guard element.name != "extensions" else {
      for leaf in element.leaves { addExtended(leaf.name, leaf.text) }
      return
    }
    let text = element.name == "link" ? element.attributes["href"] ?? "" : element.wholeText
    addColumn(element.name, text)
    guard !text.isEmpty else { return }
    switch element.name {
    case "name": name = text
    // Its lines are kept.
    case "cmt", "desc": add(element.trimmed)
    case "ele" where kind == .waypoint: setElevation(text, "ele")
    case "hdop" where kind == .waypoint: break
    default: return
    }
    kept.insert(element.name)
  }

  /// Adds what it says, unless that is nothing.
  mutating func addColumn(_ name: String, _ text: String) {
    if text.contains(where: { !$0.isWhitespace }) {
      columns.append(Column(name: name, text: text))
    }
  }

  /// Adds what it says in other elements or properties than those of its format.
  mutating func addExtended(_ name: String, _ text: String) {
    guard !text.isEmpty else { return }
    extended.append(Column(name: name, text: text))
    addColumn(name, text)
  }
}

extension XMLElement {
  /// Its own text without white space around it.
  var trimmed: String { text.trimmed { $0.isWhitespace } }

  /// The elements within it, or it itself, that hold no others.
  var leaves: [XMLElement] { children.isEmpty ? [self] : children.flatMap(\.leaves) }
}

extension ImportRefusal {
  /// The end of a document that goes no further.
  init(_ failure: XMLFailure, line: Int) {
    var line = line
    if case .malformed(let place, _) = failure { line = place }
    self.init(
      line: line, column: "", value: "", reason: "ends the file: \(failure)",
      remedy: "what stands before it is read")
  }
}

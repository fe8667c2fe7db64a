import STOLFormats

/// Reads KML 2.2: placemarks are places, or visits where they say when they were, and folders collections.
struct KMLSource: MapSource {
  private let pieces: XMLPieceReader
  private(set) var left: [String: Int] = [:]
  /// The folders that are open, each with its name once that is known, and the documents, which have none.
  private var folders: [String?] = []
  private var isBegun = false
  private var isDone = false

  init(_ stream: SourceStream) throws {
    pieces = try XMLPieceReader(
      stream, holders: ["kml", "Document", "Folder"], attributes: ["id", "name", "value"])
  }

  mutating func next() throws -> Result<MapFeature, ImportRefusal>? {
    guard !isDone else { return nil }
    do {
      while let piece = try pieces.next() {
        switch piece {
        case .begin(let name, _): try begin(name)
        case .element(let element, let line):
          if let found = take(element, line) { return found }
        case .end: _ = folders.popLast()
        }
      }
    } catch let failure as XMLFailure {
      isDone = true
      return .failure(ImportRefusal(failure, line: pieces.line))
    }
    isDone = true
    return nil
  }

  private mutating func begin(_ name: String) throws {
    if !isBegun {
      isBegun = true
      guard name == "kml" else {
        throw JournalError.invalid(
          field: "KML", value: name, remedy: "a document whose root is kml")
      }
    }
    // The folder within is that of what lies there.
    folders.append(name == "Folder" ? nil : folders.last ?? nil)
    isFolder = name == "Folder"
  }

  /// Whether a folder has begun whose name may come.
  private var isFolder = false

  private mutating func take(
    _ element: XMLElement, _ line: Int
  ) -> Result<MapFeature, ImportRefusal>? {
    switch element.name {
    case "Placemark":
      isFolder = false
      let folder = folders.last ?? nil
      return Result { () throws(ImportRefusal) -> MapFeature in
        var feature = try Self.placemark(element, line)
        feature.folder = folder
        return feature
      }
    case "name" where isFolder && !folders.isEmpty:
      let name = element.wholeText
      if !name.isEmpty, name.utf8.count <= JournalLimits.nameByteCount {
        folders[folders.count - 1] = name
      }
    case "NetworkLink", "GroundOverlay", "ScreenOverlay", "PhotoOverlay", "Tour":
      left[element.name, default: 0] += 1
    default: break
    }
    return nil
  }

  private static func placemark(
    _ element: XMLElement, _ line: Int
  ) throws(ImportRefusal) -> MapFeature {
    var feature = MapFeature(.placemark, line: line)
    feature.identifier = element.attributes["id"]
    for child in element.children {
      switch child.name {
      case "name":
        feature.name = child.wholeText.isEmpty ? nil : child.wholeText
        feature.addColumn("name", child.wholeText)
      case "description":
        feature.add(child.trimmed)
        feature.addColumn("description", child.trimmed)
      case "ExtendedData": feature.takeData(child)
      case "TimeStamp": feature.start = try feature.time(child.child("when"), "when")
      case "TimeSpan":
        let (begin, end) = (child.child("begin"), child.child("end"))
        feature.start = try feature.time(begin ?? end, begin == nil ? "end" : "begin")
        if begin != nil { feature.end = try feature.time(end, "end") }
      case "address", "phoneNumber", "Snippet", "snippet", "author", "link":
        feature.addColumn(child.name, child.wholeText)
      default: try feature.takeGeometry(child)
      }
    }
    feature.kept = ["name", "description"]
    return feature
  }
}

extension MapFeature {
  /// Takes what another program says of a placemark in elements of its own.
  fileprivate mutating func takeData(_ element: XMLElement) {
    for child in element.children {
      switch child.name {
      case "Data": addExtended(child.attributes["name"] ?? "", child.child("value")?.text ?? "")
      case "SimpleData": addExtended(child.attributes["name"] ?? "", child.text)
      case "SchemaData": takeData(child)
      default: addExtended(child.name, child.text)
      }
    }
  }

  /// The time of an element; nil where there is none, or it says nothing.
  fileprivate func time(
    _ element: XMLElement?, _ column: String
  ) throws(ImportRefusal) -> ImportTime? {
    guard let text = element?.trimmed, !text.isEmpty else { return nil }
    guard let time = ImportTime(text) else {
      throw refusal(
        column, text, "is no time", "a date of the calendar, or a time as 2026-03-15T09:44:30Z")
    }
    return time
  }

  /// Takes the points of a geometry, and the times of a track.
  fileprivate mutating func takeGeometry(_ element: XMLElement) throws(ImportRefusal) {
    switch element.name {
    case "coordinates":
      // There may be millions of them, which are looked at one after another.
      var rest = element.text.utf8[...]
      while true {
        rest = rest.drop { Self.isSpace($0) }
        let tuple = rest.prefix { !Self.isSpace($0) }
        guard !tuple.isEmpty else { return }
        rest = rest[tuple.endIndex...]
        try addPoint(Substring(tuple).split(separator: ",", omittingEmptySubsequences: false))
      }
    case "Track":
      var times = TrackTimes()
      for child in element.children {
        if child.name == "when", let time = try time(child, "when"), !times.add(time) {
          flag(
            "when", child.trimmed,
            "is without a time of day, or by another clock than the first: left out")
        }
        if child.name == "coord" {
          try addPoint(child.text.split(whereSeparator: \.isWhitespace))
        }
      }
      if let start = times.start { join(start, times.end) }
    case "Point":
      let count = shape.count
      for child in element.children { try takeGeometry(child) }
      guard shape.count <= count + 1 else {
        throw refusal(
          "coordinates", element.child("coordinates")?.trimmed ?? "",
          "are several positions in a Point",
          "one longitude and latitude, a comma between them and points in them, as 7.5,45.5")
      }
      let parts = (element.child("coordinates")?.trimmed ?? "").split(separator: ",")
      let isAbove = element.child("altitudeMode")?.trimmed != "relativeToGround"
      if parts.count == 3, isAbove { setHeight(parts[2], "coordinates (height)") }
    case "LineString", "LinearRing", "Polygon", "MultiGeometry", "MultiTrack",
      "outerBoundaryIs", "innerBoundaryIs":
      for child in element.children { try takeGeometry(child) }
    case "Model": left.append("Model")
    default: break
    }
  }

  /// Makes it begin and end with a track, of which there may be several.
  private mutating func join(_ first: ImportTime, _ last: ImportTime?) {
    var times = TrackTimes()
    for time in [start, end, first, last].compactMap({ $0 }) { times.add(time) }
    (start, end) = (times.start ?? first, times.end)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  private mutating func addPoint(_ parts: [Substring]) throws(ImportRefusal) {
    guard parts.count == 2 || parts.count == 3 else {
      throw refusal(
        "coordinates", parts.joined(separator: ","), "is no position",
        "longitude, latitude and height with commas between, and no spaces")
    }
    shape.add(
      try MapDegrees.position(
        String(parts[1]), String(parts[0]), line: line,
        ("coordinates (latitude)", "coordinates (longitude)")))
  }
}

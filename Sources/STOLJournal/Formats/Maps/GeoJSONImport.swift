/// Reads GeoJSON (RFC 7946): features in a collection, in collections within it, alone, or one after another as lines
/// or as a sequence (RFC 8142).
struct GeoJSONSource: MapSource {
  private var scanner: JSONScanner
  private var counter = LineCounter()
  private(set) var left: [String: Int] = [:]
  /// Features that were read, as those of collections within a collection, the next one last.
  private var waiting: [Found] = []
  /// The line of the object that has features in it, and how many of them there were.
  private var (listLine, number) = (0, 0)
  private var stage = Stage.outside
  private var isDone = false

  /// An object that may be a feature.
  private struct Found {
    let node: JSONNode
    let line: Int
    /// Its number in its list; 0 of one that is on a line of its own.
    var number = 0
    /// What is odd about all of it.
    var flags: [ImportFlag] = []
    /// Whether there is more of it than is read.
    var isTooLarge = false
  }

  /// The most values of a feature but for its coordinates.
  static let nodeLimit = 200_000

  /// Where the scanner stands.
  private enum Stage: Equatable {
    /// Before an object.
    case outside
    /// In a list of features, before the first or a later one.
    case features(isFirst: Bool)
    /// Behind that list, within its object.
    case behind
  }

  /// Reads what `chunks` gives.
  ///
  /// - Throws: `JournalError` for a file that is too large; what `chunks` throws.
  init(_ chunks: ByteChunks) throws {
    scanner = JSONScanner(try chunks.rest(limit: JournalDocumentReader.byteLimit))
    scanner.passedName = "coordinates"
    scanner.replacesHalfPairs = true
    scanner.nodeLimit = Self.nodeLimit
  }

  mutating func next() throws -> Result<MapFeature, ImportRefusal>? {
    while !isDone {
      if let next = waiting.popLast() {
        if let found = take(next) { return found }
        continue
      }
      // Where an object is none, the next line may be one.
      if stage == .outside { _ = scanner.peek() }
      let start = scanner
      do {
        guard try step() else {
          isDone = true
          return nil
        }
      } catch let fault as JSONFault {
        return .failure(refusal(fault, start))
      }
    }
    return nil
  }

  /// Goes on to what gives features; false at the end.
  private mutating func step() throws -> Bool {
    scanner.nodeCount = 0
    let replacedCount = scanner.replacedCount
    switch stage {
    case .outside:
      while scanner.take("\u{1E}") {}
      guard scanner.peek() != nil else { return false }
      let start = scanner.offset
      guard scanner.take("{") else { throw scanner.fault("an object in { } is needed here") }
      listLine = line(start)
      number = 0
      try readMembers(from: start, replacedCount)
    case .features(let isFirst):
      if scanner.take("]") {
        stage = .behind
      } else {
        guard isFirst || scanner.take(",") else {
          throw scanner.fault("a comma or ] is needed here")
        }
        stage = .features(isFirst: false)
        let node = try scanner.node()
        let line = line(node.range.lowerBound)
        number += 1
        waiting.append(found(node, line, line == listLine ? number : 0, replacedCount))
        listLine = line
      }
    case .behind:
      if scanner.take(",") {
        let name = try scanner.name()
        try Self.requireDegrees(name, try scanner.node())
      } else {
        guard scanner.take("}") else { throw scanner.fault("a comma or } is needed here") }
        stage = .outside
      }
    }
    return true
  }

  /// Reads the members of an object up to its features, or all of one without.
  private mutating func readMembers(from start: Int, _ replacedCount: Int) throws {
    var members: [JSONNode.Member] = []
    guard !scanner.take("}") else { return }
    repeat {
      let name = try scanner.name()
      if name == "features", scanner.take("[") {
        stage = .features(isFirst: true)
        return
      }
      let node = try scanner.node(of: name)
      try Self.requireDegrees(name, node)
      members.append(JSONNode.Member(name: name, node: node))
    } while scanner.take(",")
    guard scanner.take("}") else { throw scanner.fault("a comma or } is needed here") }
    let node = JSONNode(value: .object(members), range: start..<scanner.offset)
    waiting.append(found(node, listLine, 0, replacedCount))
  }

  private func found(
    _ node: JSONNode, _ line: Int, _ number: Int, _ replacedCount: Int
  ) -> Found {
    var found = Found(node: node, line: line, number: number, isTooLarge: !scanner.isKept)
    if scanner.replacedCount > replacedCount {
      found.flags.append(
        ImportFlag(
          column: "\\u", value: "",
          reason: "has half of a surrogate pair, which is no character: it is U+FFFD now"))
    }
    return found
  }

  /// Refuses a file whose positions are in no degrees, which older ones may say.
  private static func requireDegrees(_ name: String, _ node: JSONNode) throws {
    guard name == "crs", let word = node["properties"]?["name"]?.shown else { return }
    guard !["CRS84", "EPSG::4326", "EPSG:4326"].contains(where: word.hasSuffix) else { return }
    throw JournalError.invalid(
      field: "crs", value: word,
      remedy: "degrees in WGS 84, as RFC 7946 has it: write the file in that (EPSG:4326)")
  }

  private mutating func line(_ offset: Int) -> Int {
    counter.place(of: offset, in: scanner.bytes).line
  }

  /// Why the file goes no further, or of an object on a line of its own why that is none.
  private mutating func refusal(_ fault: JSONFault, _ start: JSONScanner) -> ImportRefusal {
    let isLine = stage == .outside
    let line = line(isLine ? start.offset : fault.offset)
    if isLine {
      scanner = start
      scanner.skipLine()
      // Where nothing follows, that was all.
      isDone = scanner.offset <= start.offset
    } else {
      isDone = true
    }
    return ImportRefusal(
      line: line, column: "", value: "", reason: fault.reason,
      remedy: isLine ? "a JSON object" : "what stands before it is read")
  }

  // MARK: - Features

  /// The feature that an object is; nil of one that holds others, which are next.
  private mutating func take(_ found: Found) -> Result<MapFeature, ImportRefusal>? {
    if !found.isTooLarge, case .list(let nodes)? = found.node["features"]?.value {
      for (index, node) in nodes.enumerated().reversed() {
        waiting.append(
          Found(node: node, line: found.line, number: index + 1, flags: found.flags))
      }
      return nil
    }
    let bytes = scanner.bytes
    return Result { () throws(ImportRefusal) -> MapFeature in
      do throws(ImportRefusal) {
        return try Self.feature(found, bytes)
      } catch {
        throw error.of(found.number)
      }
    }
  }

  private static func feature(
    _ found: Found, _ bytes: [UInt8]
  ) throws(ImportRefusal) -> MapFeature {
    let node = found.node
    var feature = MapFeature(.feature, line: found.line)
    guard !found.isTooLarge else {
      throw feature.refusal(
        "properties", "", "have more than \(nodeLimit) values in them", "leave out what is no text")
    }
    feature.flags = found.flags
    guard case .text(let type)? = node["type"]?.value else {
      throw feature.refusal("type", node["type"]?.shown ?? node.shown, "is no feature", "a Feature")
    }
    if type == "Feature" {
      feature.identifier = text(node["id"])
      if case .object(let members)? = node["properties"]?.value {
        for member in members { feature.take(member.name, member.node) }
      }
      if let geometry = node["geometry"] { try feature.addGeometry(geometry, bytes) }
    } else {
      try feature.addGeometry(node, bytes)
    }
    return feature
  }

  /// The text of a member; nil of one that is none.
  fileprivate static func text(_ node: JSONNode?) -> String? {
    switch node?.value {
    case .text(let text): text.isEmpty ? nil : text
    case .number(let digits): digits
    case .bool(let value): value ? "true" : "false"
    default: nil
    }
  }
}

extension MapFeature {
  /// Takes a property.
  fileprivate mutating func take(_ name: String, _ node: JSONNode) {
    guard let text = GeoJSONSource.text(node) else {
      if case .null = node.value { return }
      if case .text = node.value { return }
      return left.append(name)
    }
    addExtended(name, text)
    switch asciiLowercased(name) {
    case "name", "title": self.name = self.name ?? text
    case "description", "desc", "comment", "notes", "note": add(text)
    default: return
    }
    kept.insert(name)
  }

  /// Takes the points of a geometry.
  fileprivate mutating func addGeometry(
    _ node: JSONNode, _ bytes: [UInt8]
  ) throws(ImportRefusal) {
    guard case .text(let type)? = node["type"]?.value else {
      throw refusal("geometry", node.shown, "has no type", "a Point, a LineString or the like")
    }
    guard Self.geometries.contains(type) else {
      throw refusal("geometry", type, "is no geometry", "a Point, a LineString or the like")
    }
    if type == "GeometryCollection" {
      guard case .list(let parts)? = node["geometries"]?.value else { return }
      for part in parts { try addGeometry(part, bytes) }
    } else if let coordinates = node["coordinates"] {
      guard case .list = coordinates.value else {
        throw refusal(
          "coordinates", coordinates.shown, "is no position", "a list of longitude and latitude")
      }
      // What they are was looked at, and not kept.
      var scanner = JSONScanner(bytes, at: coordinates.range.lowerBound)
      scanner.nodeLimit = GeoJSONSource.nodeLimit
      try addPoints(&scanner, isAlone: type == "Point")
    }
  }

  private static let geometries: Set<String> = [
    "Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon",
    "GeometryCollection",
  ]

  /// Takes the positions of the lists within lists that come next, whose form is known.
  private mutating func addPoints(
    _ scanner: inout JSONScanner, isAlone: Bool
  ) throws(ImportRefusal) {
    guard scanner.take("[") else {
      let shown = (try? scanner.node())?.shown ?? ""
      throw refusal("coordinates", shown, "is no position", "a list of longitude and latitude")
    }
    if scanner.take("]") { return }
    var numbers: [String] = []
    repeat {
      if numbers.isEmpty, scanner.peek() == UInt8(ascii: "[") {
        try addPoints(&scanner, isAlone: isAlone)
      } else if case .number(let digits)? = (try? scanner.node())?.value {
        // What follows longitude, latitude and height has no meaning.
        if numbers.count < 3 { numbers.append(digits) }
      } else {
        throw refusal(
          "coordinates", numbers.first ?? "", "is no position",
          "longitude and latitude, two numbers")
      }
    } while scanner.take(",")
    _ = scanner.take("]")
    guard let longitude = numbers.first else { return }
    guard numbers.count > 1 else {
      throw refusal(
        "coordinates", longitude, "is half a position", "longitude and latitude, in this order")
    }
    shape.add(
      try MapDegrees.position(
        numbers[1], longitude, line: line,
        ("coordinates (latitude)", "coordinates (longitude)")))
    if isAlone, numbers.count > 2 { setHeight(numbers[2][...], "coordinates (height)") }
  }
}

extension ImportRefusal {
  /// The refusal of one of several that are on one line; of one with the number 0 it is what it is.
  fileprivate func of(_ number: Int) -> ImportRefusal {
    guard number > 0 else { return self }
    var refusal = self
    refusal.column = ["feature \(number)", column].filter { !$0.isEmpty }.joined(separator: ", ")
    return refusal
  }
}

/// Reads GeoJSON (RFC 7946): features in a collection, in collections within it, alone, or one after another as lines
/// or as a sequence (RFC 8142).
struct GeoJSONSource: MapSource {
  private var scanner: JSONScanner
  private var counter = LineCounter()
  private(set) var left: [String: Int] = [:]
  /// Features of collections within a collection, with their lines, the next one last.
  private var waiting: [(node: JSONNode, line: Int)] = []
  private var stage = Stage.outside
  private var isDone = false

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
  }

  mutating func next() throws -> Result<MapFeature, ImportRefusal>? {
    while !isDone {
      if let (node, line) = waiting.popLast() {
        if let found = take(node, line) { return found }
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
    switch stage {
    case .outside:
      while scanner.take("\u{1E}") {}
      guard scanner.peek() != nil else { return false }
      let start = scanner.offset
      guard scanner.take("{") else { throw scanner.fault("an object in { } is needed here") }
      try readMembers(from: start)
    case .features(let isFirst):
      if scanner.take("]") {
        stage = .behind
      } else {
        guard isFirst || scanner.take(",") else {
          throw scanner.fault("a comma or ] is needed here")
        }
        stage = .features(isFirst: false)
        let node = try scanner.node()
        waiting.append((node, line(node.range.lowerBound)))
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
  private mutating func readMembers(from start: Int) throws {
    var members: [JSONNode.Member] = []
    guard !scanner.take("}") else { return }
    repeat {
      let name = try scanner.name()
      if name == "features", scanner.take("[") {
        stage = .features(isFirst: true)
        return
      }
      let node = try scanner.node()
      try Self.requireDegrees(name, node)
      members.append(JSONNode.Member(name: name, node: node))
    } while scanner.take(",")
    guard scanner.take("}") else { throw scanner.fault("a comma or } is needed here") }
    waiting.append(
      (JSONNode(value: .object(members), range: start..<scanner.offset), line(start)))
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
  private mutating func take(
    _ node: JSONNode, _ line: Int
  ) -> Result<MapFeature, ImportRefusal>? {
    if case .list(let nodes)? = node["features"]?.value {
      for node in nodes.reversed() { waiting.append((node, line)) }
      return nil
    }
    return Result { () throws(ImportRefusal) -> MapFeature in try Self.feature(node, line) }
  }

  private static func feature(_ node: JSONNode, _ line: Int) throws(ImportRefusal) -> MapFeature {
    var feature = MapFeature(.feature, line: line)
    guard case .text(let type)? = node["type"]?.value else {
      throw feature.refusal("type", node["type"]?.shown ?? node.shown, "is no feature", "a Feature")
    }
    if type == "Feature" {
      feature.identifier = text(node["id"])
      if case .object(let members)? = node["properties"]?.value {
        for member in members { feature.take(member.name, member.node) }
      }
      if let geometry = node["geometry"] { try feature.addGeometry(geometry) }
    } else {
      try feature.addGeometry(node)
    }
    if feature.shape.count > 0, !feature.shape.isPoint {
      feature.left.append("shape (kept as its middle)")
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
  fileprivate mutating func addGeometry(_ node: JSONNode) throws(ImportRefusal) {
    guard case .text(let type)? = node["type"]?.value else {
      throw refusal("geometry", node.shown, "has no type", "a Point, a LineString or the like")
    }
    guard Self.geometries.contains(type) else {
      throw refusal("geometry", type, "is no geometry", "a Point, a LineString or the like")
    }
    if type == "GeometryCollection" {
      guard case .list(let parts)? = node["geometries"]?.value else { return }
      for part in parts { try addGeometry(part) }
    } else if let coordinates = node["coordinates"] {
      try addPoints(coordinates)
    }
  }

  private static let geometries: Set<String> = [
    "Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon",
    "GeometryCollection",
  ]

  /// Takes the positions of lists within lists.
  private mutating func addPoints(_ node: JSONNode) throws(ImportRefusal) {
    guard case .list(let nodes) = node.value else {
      throw refusal("coordinates", node.shown, "is no position", "a list of longitude and latitude")
    }
    guard case .number(let longitude)? = nodes.first?.value else {
      for node in nodes { try addPoints(node) }
      return
    }
    guard nodes.count > 1, case .number(let latitude) = nodes[1].value else {
      throw refusal(
        "coordinates", longitude, "is half a position", "longitude and latitude, in this order")
    }
    shape.add(
      try MapDegrees.position(
        latitude, longitude, line: line,
        ("coordinates (latitude)", "coordinates (longitude)")))
  }
}

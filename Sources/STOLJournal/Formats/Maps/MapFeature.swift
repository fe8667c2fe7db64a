/// What a file of a map says of one place, line or area.
struct MapFeature {
  /// What it is there.
  enum Kind: String {
    case waypoint, track, route, placemark, feature
  }

  /// A member of it: an element, or a property.
  struct Column: Hashable, Sendable {
    let name: String
    let text: String
  }

  let kind: Kind
  /// The line that it begins on.
  let line: Int
  var name: String?
  /// What is written about it.
  var texts: [String] = []
  /// When it began and ended, where it was at a time; not when its file was written.
  var start: ImportTime?
  var end: ImportTime?
  var shape = MapShape()
  /// Within so many metres it lies.
  var uncertaintyM: Int?
  /// The dilution of precision that this was made of, as it is written.
  var dilution: String?
  var elevationCm: Int?
  /// Whether its point says that, and no element of it.
  private(set) var hasHeight = false
  /// The folder that it lies in.
  var folder: String?
  /// What its file calls it.
  var identifier: String?
  /// All that it says in texts that are not empty, as a mapping may take it.
  var columns: [Column] = []
  /// What it says in elements or properties that are not those of its format, which may be an export of the journal.
  var extended: [Column] = []
  /// The names of those that are a name, a text or the like above.
  var kept: Set<String> = []
  /// What of it a place or a visit cannot hold, in words.
  var left: [String] = []
  var flags: [ImportFlag] = []

  init(_ kind: Kind, line: Int) { (self.kind, self.line) = (kind, line) }

  /// Where it is.
  var position: Position? {
    guard var position = shape.position else { return nil }
    position.uncertaintyM = position.uncertaintyM ?? uncertaintyM
    return position
  }

  /// Adds a text, unless it says nothing, or says it again.
  mutating func add(_ text: String?) {
    guard let text, text.contains(where: { !$0.isWhitespace }), text != name,
      !texts.contains(text)
    else { return }
    texts.append(text)
  }

  func refusal(_ column: String, _ value: String, _ reason: String, _ remedy: String)
    -> ImportRefusal
  {
    ImportRefusal(line: line, column: column, value: value, reason: reason, remedy: remedy)
  }

  /// Says what is odd about it, of many such things a few.
  mutating func flag(_ column: String, _ value: String, _ reason: String) {
    guard flags.count < Self.flagLimit else { return }
    flags.append(ImportFlag(column: column, value: value, reason: reason))
  }

  static let flagLimit = 8

  /// Takes the height of a point, if it says one: most programs write 0 where they know none.
  mutating func setHeight(_ text: Substring, _ column: String) {
    let text = text.trimmed { $0.isWhitespace }
    guard let digits = ImportObject.plainDigits(text), DecimalText.value(digits, decimals: 2) != 0
    else { return }
    setElevation(digits, column)
    hasHeight = elevationCm != nil
  }

  /// Takes an elevation in metres above the sea, if it is one.
  mutating func setElevation(_ text: String, _ column: String) {
    guard let value = DecimalText.value(text, decimals: 2), Organism.elevationRange.contains(value)
    else {
      flags.append(
        ImportFlag(column: column, value: text, reason: "left out: is no elevation in metres"))
      return
    }
    elevationCm = value
  }
}

/// Reads the features of a file of a map, one after another.
protocol MapSource {
  /// What of the file is in none of its features, in words.
  var left: [String: Int] { get }
  /// Whose it is and what others may do with it, where that stands before its features.
  var credit: String? { get }

  /// The next one, or why it is none; nil at the end.
  mutating func next() throws -> Result<MapFeature, ImportRefusal>?
}

extension MapSource {
  var credit: String? { nil }
}

/// Features that are read already.
struct SampledFeatures: MapSource {
  private var rest: ArraySlice<MapFeature>
  let left: [String: Int] = [:]

  init(_ features: [MapFeature]) { rest = features[...] }

  mutating func next() -> Result<MapFeature, ImportRefusal>? {
    rest.popFirst().map { .success($0) }
  }
}

/// The position of two texts of degrees in WGS 84.
enum MapDegrees {
  /// - Parameters:
  ///   - latitude: degrees north.
  ///   - longitude: degrees east.
  ///   - line: where they stand.
  ///   - columns: what they are called there.
  /// - Returns: the position.
  /// - Throws: `ImportRefusal` where one is no number, or not on the globe.
  static func position(
    _ latitude: String?, _ longitude: String?, line: Int,
    _ columns: (latitude: String, longitude: String)
  ) throws(ImportRefusal) -> Position {
    func number(_ text: String?, _ column: String) throws(ImportRefusal) -> Int {
      let text = (text ?? "").trimmed { $0.isWhitespace }
      let mantissa = text.prefix { $0 != "e" && $0 != "E" }
      guard mantissa.utf8.contains(where: { (0x30...0x39).contains($0) }),
        let digits = ImportObject.plainDigits(text),
        let value = DecimalText.value(digits, decimals: 7)
      else {
        throw ImportRefusal(
          line: line, column: column, value: text,
          reason: text.isEmpty ? "is missing" : "is no number",
          remedy: "degrees as 42.45331, south and west with a minus")
      }
      return value
    }
    let north = try number(latitude, columns.latitude)
    let east = try number(longitude, columns.longitude)
    let (pole, edge) = (90 * Position.unitsPerDegree, 180 * Position.unitsPerDegree)
    guard north.magnitude <= pole else {
      let isSwapped = north.magnitude <= edge && east.magnitude <= pole
      throw ImportRefusal(
        line: line, column: columns.latitude, value: (latitude ?? "").trimmed { $0.isWhitespace },
        reason: "is not on the globe",
        remedy: "from -90 to 90 degrees"
          + (isSwapped ? "; are latitude and longitude swapped?" : ""))
    }
    guard east.magnitude <= edge else {
      throw ImportRefusal(
        line: line, column: columns.longitude, value: (longitude ?? "").trimmed { $0.isWhitespace },
        reason: "is not on the globe", remedy: "from -180 to 180 degrees")
    }
    return Position(latitudeE7: north, longitudeE7: east)
  }
}

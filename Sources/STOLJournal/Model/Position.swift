/// A point on the globe in WGS 84, as exact as somebody knew it.
public struct Position: Hashable, Sendable, Codable {
  /// North of the equator, in 1e-7 degree.
  public var latitudeE7: Int
  /// East of Greenwich, in 1e-7 degree.
  public var longitudeE7: Int
  /// Within so many metres it lies; nil where nobody knows.
  public var uncertaintyM: Int?

  /// A position, which `validate` looks at.
  public init(latitudeE7: Int, longitudeE7: Int, uncertaintyM: Int? = nil) {
    self.latitudeE7 = latitudeE7
    self.longitudeE7 = longitudeE7
    self.uncertaintyM = uncertaintyM
  }

  /// A position in degrees, as "42.45331" and "-76.48070", rounded to 1e-7 degree; digits and at most one
  /// point, not the form of any country.
  ///
  /// - Throws: `JournalError.invalid` for what is no number, or not on the globe.
  public init(
    latitude: String, longitude: String, uncertaintyM: Int? = nil
  ) throws(JournalError) {
    self.init(
      latitudeE7: try Self.parse(latitude, "latitude", 90),
      longitudeE7: try Self.parse(longitude, "longitude", 180), uncertaintyM: uncertaintyM)
    try validate()
  }

  private static func parse(
    _ text: String, _ field: String, _ limit: Int
  ) throws(JournalError) -> Int {
    guard let number = DecimalText.value(text, decimals: 7) else {
      throw .invalid(
        field: field, value: text,
        remedy: "degrees as a number with a point, as 42.45331, south and west with a minus")
    }
    guard abs(number) <= limit * unitsPerDegree else {
      throw .invalid(field: field, value: text, remedy: "from -\(limit) to \(limit) degrees")
    }
    return number
  }

  static let unitsPerDegree = 10_000_000
  /// The mean radius of the Earth (IUGG).
  static let earthRadiusM = 6_371_008.8

  func validate() throws(JournalError) {
    guard latitudeE7.magnitude <= 90 * Self.unitsPerDegree else {
      throw .invalid(field: "latitude", value: latitudeText, remedy: "from -90 to 90 degrees")
    }
    guard longitudeE7.magnitude <= 180 * Self.unitsPerDegree else {
      throw .invalid(field: "longitude", value: longitudeText, remedy: "from -180 to 180 degrees")
    }
    try require(
      uncertaintyM, "uncertainty_m", 1...20_040_000,
      "whole metres from 1 to 20,040,000; leave out what is not known")
  }

  /// Whether it is 0 N 0 E, where devices are that do not know where they are.
  public var isNullIsland: Bool { latitudeE7 == 0 && longitudeE7 == 0 }

  /// The latitude in degrees, with all decimals that are not zero.
  public var latitudeText: String { DecimalText.text(latitudeE7, decimals: 7) }

  /// The longitude in degrees, likewise.
  public var longitudeText: String { DecimalText.text(longitudeE7, decimals: 7) }

  /// The latitude in degrees.
  public var latitude: Double { Double(latitudeE7) / Double(Self.unitsPerDegree) }

  /// The longitude in degrees.
  public var longitude: Double { Double(longitudeE7) / Double(Self.unitsPerDegree) }

  /// The metres to another point, on a sphere with the mean radius of the Earth (IUGG): within 0.6 %.
  public func distanceM(to other: Position) -> Double {
    func radians(_ units: Double) -> Double {
      units / Double(Self.unitsPerDegree) * .pi / 180
    }
    let (a, b) = (radians(Double(latitudeE7)), radians(Double(other.latitudeE7)))
    let longitude = radians(Double(other.longitudeE7) - Double(longitudeE7))
    let (north, east) = (sine((b - a) / 2), sine(longitude / 2))
    let square = north * north + cosine(a) * cosine(b) * east * east
    return 2 * Self.earthRadiusM * arcSine(min(1, square.squareRoot()))
  }
}

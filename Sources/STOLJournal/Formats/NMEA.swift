import STOLSystem

/// Reads fixes from sentences of NMEA 0183, as receivers send them: GGA, and RMC for the date.
///
/// A sentence counts only where its checksum is there and right. Other sentences, and what is none, are passed
/// over, which is counted.
package struct NMEAReader {
  private let lines: ByteLines
  /// NMEA 0183 has at most 82 characters in a sentence; receivers send longer ones too.
  private static let lineLimit = 512
  /// The date of the last RMC, in days since 1970.
  private var day: Int?
  /// How many lines were no sentence with a right checksum.
  package private(set) var faultCount = 0
  /// How many fixes were nowhere on the globe.
  package private(set) var strayCount = 0

  /// Reads what `chunks` gives.
  package init(_ chunks: ByteChunks) { lines = ByteLines(chunks, limit: Self.lineLimit) }

  /// The next fix; nil at the end.
  package mutating func next() throws -> PositionFix? {
    while let line = try lines.next() {
      guard !line.allSatisfy({ $0 == 0x20 }) else { continue }
      guard !lines.isCut, let fields = Self.fields(line) else {
        faultCount += 1
        continue
      }
      // The first two letters say what kind of receiver it is.
      switch fields[0].suffix(3) {
      case "RMC": day = date(fields)
      case "GGA": if let fix = fix(fields) { return fix }
      default: break
      }
    }
    return nil
  }

  /// The fields of a sentence `$GPGGA,...*47`; nil where it is none.
  private static func fields(_ line: [UInt8]) -> [String]? {
    guard let start = line.firstIndex(of: UInt8(ascii: "$")),
      let star = line.lastIndex(of: UInt8(ascii: "*")), start < star
    else { return nil }
    let body = line[(start + 1)..<star]
    let sum = String(decoding: line[(star + 1)...], as: UTF8.self).filter { $0 != " " }
    guard sum.utf8.count == 2, sum.allSatisfy(\.isHexDigit), let stated = UInt8(sum, radix: 16),
      body.reduce(0, ^) == stated, body.allSatisfy({ (0x20..<0x7F).contains($0) })
    else { return nil }
    let fields = String(decoding: body, as: UTF8.self).split(
      separator: ",", omittingEmptySubsequences: false
    ).map(String.init)
    return fields[0].utf8.count == 5 ? fields : nil
  }

  /// The date in an RMC sentence, where its fix is valid.
  private func date(_ fields: [String]) -> Int? {
    guard fields.count > 9, fields[2] == "A", fields[9].utf8.count == 6,
      fields[9].utf8.areDigits, let digits = Int(fields[9])
    else { return nil }
    // Two digits of the year: receivers are younger than 1980.
    let year = digits % 100
    let date = CivilDate(
      year: year < 80 ? 2000 + year : 1900 + year, month: digits / 100 % 100, day: digits / 10_000)
    return CivilDate(days: date.days) == date ? date.days : nil
  }

  private mutating func fix(_ fields: [String]) -> PositionFix? {
    // 0 stands for no fix, 6 for a reckoned one, 7 and 8 for ones that were typed or simulated.
    guard fields.count > 9, ["1", "2", "3", "4", "5"].contains(fields[6]) else { return nil }
    guard let position = Self.position(fields) else {
      strayCount += 1
      return nil
    }
    let elevation = DecimalText.value(fields[9], decimals: 2)
    let isInMetres = fields.count > 10 && fields[10] == "M"
    return PositionFix(
      position: position,
      elevationCm: elevation.flatMap {
        isInMetres && Organism.elevationRange.contains($0) ? $0 : nil
      },
      seconds: day.flatMap { day in Self.secondOfDay(fields[1]).map { day * 86_400 + $0 } })
  }

  private static func position(_ fields: [String]) -> Position? {
    guard let latitude = degreesE7(fields[2], fields[3], "N", "S"),
      let longitude = degreesE7(fields[4], fields[5], "E", "W")
    else { return nil }
    let position = Position(
      latitudeE7: latitude, longitudeE7: longitude,
      uncertaintyM: PositionFix.uncertaintyM(dilution: fields[8]))
    return (try? position.validate()) == nil ? nil : position
  }

  /// Degrees and minutes "4227.1986" with a hemisphere, in 1e-7 degree, rounded to the nearest.
  private static func degreesE7(
    _ text: String, _ hemisphere: String, _ positive: String, _ negative: String
  ) -> Int? {
    guard hemisphere == positive || hemisphere == negative,
      let value = DecimalText.value(text, decimals: 7), value >= 0
    else { return nil }
    let hundred = 100 * Position.unitsPerDegree
    let (degrees, minutes) = (value / hundred, value % hundred)
    guard minutes < 60 * Position.unitsPerDegree else { return nil }
    let size = degrees * Position.unitsPerDegree + (minutes + 30) / 60
    return hemisphere == positive ? size : -size
  }

  /// The second of the day in "123519.00".
  private static func secondOfDay(_ text: String) -> Int? {
    let digits = text.prefix(6)
    guard digits.utf8.count == 6, digits.utf8.areDigits,
      let value = Int(digits)
    else { return nil }
    let (hour, minute, second) = (value / 10_000, value / 100 % 100, value % 100)
    guard hour < 24, minute < 60, second < 60 else { return nil }
    return (hour * 60 + minute) * 60 + second
  }
}

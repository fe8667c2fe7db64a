/// What a camera wrote about a photo, as far as the journal asks: Exif 2.32 (CIPA DC-008).
public struct ExifFacts: Hashable, Sendable {
  /// How the image lies: 1 as it is, 3 upside down, 6 and 8 on a side, the others mirrored.
  public var orientation: Int?
  /// When it was taken, by the clock of the camera.
  public var time: LocalTime?
  /// The thousandths of a second behind that time.
  public var milliseconds: Int?
  /// The minutes that the clock was ahead of UTC.
  public var utcOffsetMin: Int?
  /// Where it was taken; never 0 N 0 E, which cameras write that do not know where they are.
  public var position: Position?
  /// Metres above the sea, times 100.
  public var elevationCm: Int?
  /// To where the camera looked: hundredths of a degree from true north, clockwise.
  public var bearingCdeg: Int?
  /// The model of the camera.
  public var camera: String?

  /// Nothing is known.
  public init() {}
}

/// What an Exif structure holds.
struct Exif {
  /// What the camera wrote.
  var facts = ExifFacts()
  /// A small JPEG file of the image as the camera saw it, in which nothing was looked at.
  var thumbnail: ByteField?
}

/// Reads the TIFF structure that Exif is, of which no more than four directories are looked at.
///
/// Whatever is damaged or beyond all measure there is as if it were not there: the image can be seen all the same.
struct ExifReader {
  private let field: ByteField
  /// A directory has fewer entries than that, in any camera's file.
  private static let entryLimit = 512

  /// What the bytes say; nil where they are no TIFF structure.
  static func read(_ bytes: ByteField) -> Exif? {
    var field = bytes
    if field.starts(with: "Exif\0\0"), let rest = field.rest(from: 6) { field = rest }
    switch (field.number(at: 0, bytes: 1), field.number(at: 1, bytes: 1)) {
    case (0x49, 0x49): field.isLittleEndian = true
    case (0x4D, 0x4D): field.isLittleEndian = false
    default: return nil
    }
    guard field.number(at: 2, bytes: 2) == 42, let first = field.number(at: 4, bytes: 4) else {
      return nil
    }
    let reader = ExifReader(field: field)
    let image = reader.directory(at: first)
    let facts = reader.facts(
      image, exif: reader.directory(image, at: 0x8769), place: reader.directory(image, at: 0x8825))
    return Exif(facts: facts, thumbnail: reader.thumbnail(behind: first))
  }

  /// The small image that the directory behind the first one leads to.
  private func thumbnail(behind first: Int) -> ByteField? {
    guard let count = field.number(at: first, bytes: 2),
      let next = field.number(at: first + 2 + count * 12, bytes: 4)
    else { return nil }
    let entries = directory(at: next)
    guard let offset = whole(entries[0x0201]), let length = whole(entries[0x0202]) else {
      return nil
    }
    return field.part(at: offset, count: length)
  }

  // MARK: - Directories

  /// A value of a directory: its type, how many of those, and where they are.
  private struct Entry {
    let type: Int
    let count: Int
    let value: ByteField
  }

  /// The bytes that a value of each type takes.
  private static let widths = [1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8]

  private func directory(at offset: Int) -> [Int: Entry] {
    guard offset >= 8, let count = field.number(at: offset, bytes: 2) else { return [:] }
    var entries: [Int: Entry] = [:]
    for index in 0..<min(count, Self.entryLimit) {
      let start = offset + 2 + index * 12
      guard let tag = field.number(at: start, bytes: 2),
        let type = field.number(at: start + 2, bytes: 2), let width = Self.widths[type],
        let number = field.number(at: start + 4, bytes: 4)
      else { continue }
      // Four bytes lie in the entry itself.
      let byteCount = number * width
      let place = byteCount <= 4 ? start + 8 : field.number(at: start + 8, bytes: 4)
      guard let place, let value = field.part(at: place, count: byteCount), entries[tag] == nil
      else { continue }
      entries[tag] = Entry(type: type, count: number, value: value)
    }
    return entries
  }

  private func directory(_ entries: [Int: Entry], at tag: Int) -> [Int: Entry] {
    whole(entries[tag]).map(directory) ?? [:]
  }

  // MARK: - Values

  private func whole(_ entry: Entry?) -> Int? {
    guard let entry, entry.count >= 1 else { return nil }
    switch entry.type {
    case 1, 7: return entry.value.number(at: 0, bytes: 1)
    case 3: return entry.value.number(at: 0, bytes: 2)
    case 4: return entry.value.number(at: 0, bytes: 4)
    default: return nil
    }
  }

  /// A text up to its first NUL, without spaces around it; nil for none, and for one that is no text.
  private func text(_ entry: Entry?) -> String? {
    guard let entry, entry.type == 2 || entry.type == 7,
      let part = entry.value.part(at: 0, count: min(entry.count, 256))
    else { return nil }
    let text = String(part.text.prefix { $0 != "\0" }).trimmed()
    let isText = text.unicodeScalars.allSatisfy {
      $0.value >= 0x20 && $0.value != 0x7F && $0.value != 0xFFFD
    }
    return text.isEmpty || !isText ? nil : text
  }

  /// The ratio with a number; nil where it has none, or is divided by zero.
  private func ratio(_ entry: Entry?, _ index: Int = 0) -> Double? {
    guard let entry, entry.type == 5, index < entry.count,
      let above = entry.value.number(at: index * 8, bytes: 4),
      let below = entry.value.number(at: index * 8 + 4, bytes: 4), below > 0
    else { return nil }
    return Double(above) / Double(below)
  }

  // MARK: - Facts

  private func facts(
    _ image: [Int: Entry], exif: [Int: Entry], place: [Int: Entry]
  ) -> ExifFacts {
    var facts = ExifFacts()
    facts.orientation = whole(image[0x0112]).flatMap { (1...8).contains($0) ? $0 : nil }
    facts.camera = text(image[0x0110])
    // The moment of the shutter, else that of the scan; a third one is when the file was changed.
    for (tag, subsecond, offset) in [(0x9003, 0x9291, 0x9011), (0x9004, 0x9292, 0x9012)] {
      guard let time = text(exif[tag]).flatMap(Self.time) else { continue }
      facts.time = time
      facts.milliseconds = text(exif[subsecond]).flatMap(Self.milliseconds)
      facts.utcOffsetMin = text(exif[offset]).flatMap(Self.offset)
      break
    }
    facts.position = position(place)
    if let metres = ratio(place[6]) {
      let sign = whole(place[5]) == 1 ? -1.0 : 1
      facts.elevationCm = Int(exactly: (sign * metres * 100).rounded())
        .flatMap { Organism.elevationRange.contains($0) ? $0 : nil }
    }
    if text(place[0x10]) != "M", let degrees = ratio(place[0x11]), degrees <= 360 {
      facts.bearingCdeg = Int((degrees * 100).rounded()) % 36_000
    }
    return facts
  }

  private func position(_ place: [Int: Entry]) -> Position? {
    guard let latitude = units(place[2], text(place[1]), positive: "N", negative: "S", limit: 90),
      let longitude = units(place[4], text(place[3]), positive: "E", negative: "W", limit: 180),
      (latitude, longitude) != (0, 0)
    else { return nil }
    // The point lies within, so that it is rounded up.
    let metres = ratio(place[0x1F]).map { $0.rounded(.up) }
    return Position(
      latitudeE7: latitude, longitudeE7: longitude,
      uncertaintyM: metres.flatMap { (1...20_040_000).contains($0) ? Int($0) : nil })
  }

  /// Degrees, minutes and seconds in 1e-7 degree; nil without a hemisphere, and beyond the globe.
  private func units(
    _ entry: Entry?, _ reference: String?, positive: String, negative: String, limit: Double
  ) -> Int? {
    guard reference == positive || reference == negative, let whole = ratio(entry) else {
      return nil
    }
    // Some write no minutes or seconds as 0/0; 61 minutes are none.
    let (minutes, seconds) = (ratio(entry, 1) ?? 0, ratio(entry, 2) ?? 0)
    let degrees = whole + minutes / 60 + seconds / 3600
    guard minutes <= 60, seconds <= 60, degrees <= limit else { return nil }
    let units = Int((degrees * Double(Position.unitsPerDegree)).rounded())
    return reference == negative ? -units : units
  }

  /// "2008:10:22 16:28:39"; nil for blanks or zeros, which clocks write that were never set.
  private static func time(_ text: String) -> LocalTime? {
    let parts = text.split(separator: " ")
    guard parts.count == 2 else { return nil }
    return try? LocalTime("\(parts[0].replacing(":", with: "-"))T\(parts[1])")
  }

  /// The thousandths of a second that decimals such as "07" are.
  private static func milliseconds(_ digits: String) -> Int? {
    let digits = Array(digits.utf8.prefix(3))
    guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    let number = digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
    return digits.count == 3 ? number : digits.count == 2 ? number * 10 : number * 100
  }

  /// The minutes of "+02:00".
  private static func offset(_ text: String) -> Int? {
    if text == "Z" { return 0 }
    let bytes = Array(text.utf8)
    guard bytes.count == 6, bytes[3] == UInt8(ascii: ":"),
      bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-")
    else { return nil }
    let digits = [1, 2, 4, 5].map { Int(bytes[$0]) - 0x30 }
    guard digits.allSatisfy((0...9).contains) else { return nil }
    let minutes = (digits[0] * 10 + digits[1]) * 60 + digits[2] * 10 + digits[3]
    guard minutes <= 1080, digits[2] < 6 else { return nil }
    return bytes[0] == UInt8(ascii: "-") ? -minutes : minutes
  }
}

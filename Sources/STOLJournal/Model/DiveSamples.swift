/// What a dive computer noted on the way: series of values, and what happened.
public struct DiveSamples: Hashable, Sendable {
  /// Values of one kind, each at its second of the dive.
  public struct Series: Hashable, Sendable, Codable {
    /// The seconds from the start of the log, none before an earlier one.
    public private(set) var timeS: [Int] = []
    /// What was measured at each of them.
    public private(set) var value: [Int] = []

    /// Nothing measured.
    public init() {}

    fileprivate init(timeS: [Int], value: [Int]) { (self.timeS, self.value) = (timeS, value) }

    /// How many values there are.
    public var count: Int { value.count }

    /// Adds a value behind those before it.
    ///
    /// - Returns: whether it was added: one that would be before the last is not.
    @discardableResult
    public mutating func append(_ value: Int, at timeS: Int) -> Bool {
      guard timeS >= self.timeS.last ?? .min else { return false }
      self.timeS.append(timeS)
      self.value.append(value)
      return true
    }
  }

  /// Something that happened.
  public struct Mark: Hashable, Sendable, Codable {
    /// The seconds from the start of the log.
    public var timeS: Int
    /// What it was, in the words of the computer: "gaschange".
    public var what: String
    /// The number of the tank that it is about, from 1.
    public var tank: Int?

    /// Something that happened.
    public init(timeS: Int, what: String, tank: Int? = nil) {
      (self.timeS, self.what, self.tank) = (timeS, what, tank)
    }
  }

  /// How deep one was.
  public var depthMm = Series()
  /// How warm the water was, in hundredths of a kelvin.
  public var temperatureCk = Series()
  /// The pressures in tanks, by the number of the tank, from 1.
  public var pressureMbar: [Int: Series] = [:]
  /// What happened, the earliest first.
  public var events: [Mark] = []

  /// Nothing noted.
  public init() {}

  /// Whether nothing was noted.
  public var isEmpty: Bool { series.isEmpty && events.isEmpty }

  /// The series that hold something, by their keys: 0 is depth, 1 temperature, then the pressures.
  private var series: [(key: Int, series: Series)] {
    let pressures = pressureMbar.sorted { $0.key < $1.key }.map { ($0.key &+ 1, $0.value) }
    return ([(0, depthMm), (1, temperatureCk)] + pressures).filter { $0.1.count > 0 }
  }

  func validate() throws(JournalError) {
    try requireSeries("samples.depth_mm", depthMm, 0...12_000_000)
    try requireSeries("samples.temperature_ck", temperatureCk, 20_000...40_000)
    for (tank, series) in pressureMbar.sorted(by: { $0.key < $1.key }) {
      try require(tank, "samples.tank", Self.tanks)
      try requireSeries("samples.pressure_mbar", series, 0...500_000)
    }
    var last = 0
    for event in events {
      try require(event.timeS, "samples.time_s", last...Self.lastSecond)
      try require(event.tank, "samples.tank", Self.tanks)
      try requireName(event.what, "samples.what")
      last = event.timeS
    }
  }

  private static let tanks = 1...JournalLimits.listCount
  /// The last second that anything may be noted at.
  static let lastSecond = 31 * 86_400

  private func requireSeries(
    _ field: String, _ series: Series, _ range: ClosedRange<Int>
  ) throws(JournalError) {
    guard series.timeS.count == series.value.count else {
      throw .invalid(
        field: field, value: "\(series.value.count) values",
        remedy: "as many as times, \(series.timeS.count)")
    }
    var last = 0
    for (time, value) in zip(series.timeS, series.value) {
      try require(time, "samples.time_s", last...Self.lastSecond)
      try require(value, field, range)
      last = time
    }
  }
}

// MARK: - As bytes

extension DiveSamples {
  /// The bytes of Format/JOURNAL.md, of which equal samples have the same; none where nothing was noted.
  var packed: [UInt8] {
    guard !isEmpty else { return [] }
    var bytes = PackedNumbers()
    let series = series
    bytes.append(UInt64(series.count))
    for (key, series) in series {
      bytes.append(UInt64(truncatingIfNeeded: key))
      bytes.append(UInt64(series.count))
      bytes.append(differencesOf: series.timeS)
      bytes.append(differencesOf: series.value)
    }
    bytes.append(UInt64(events.count))
    bytes.append(differencesOf: events.map(\.timeS))
    for event in events {
      bytes.append(UInt64(truncatingIfNeeded: event.tank ?? 0))
      bytes.append(UInt64(event.what.utf8.count))
      bytes.bytes += event.what.utf8
    }
    return bytes.bytes
  }

  /// The samples that bytes are; nil for bytes that `packed` does not give.
  init?(packed bytes: [UInt8]) {
    self.init()
    if bytes.isEmpty { return }
    var rest = PackedReader(bytes: bytes[...])
    guard let seriesCount = rest.count() else { return nil }
    for _ in 0..<seriesCount {
      guard let key = rest.count(), let count = rest.count(),
        let times = rest.values(count), let values = rest.values(count)
      else { return nil }
      let series = Series(timeS: times, value: values)
      switch key {
      case 0: depthMm = series
      case 1: temperatureCk = series
      default: pressureMbar[key - 1] = series
      }
    }
    guard let eventCount = rest.count(), let times = rest.values(eventCount) else { return nil }
    for time in times {
      guard let tank = rest.count(), let length = rest.count(), let text = rest.text(length) else {
        return nil
      }
      events.append(Mark(timeS: time, what: text, tank: tank == 0 ? nil : tank))
    }
    guard rest.bytes.isEmpty, packed == bytes else { return nil }
  }
}

/// Whole numbers of seven bits a byte, the lowest first (LEB128).
private struct PackedNumbers {
  var bytes: [UInt8] = []

  mutating func append(_ number: UInt64) {
    var rest = number
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Adds numbers as what each is more than the one before it, the sign in the lowest bit.
  mutating func append(differencesOf numbers: [Int]) {
    var last = 0
    for number in numbers {
      let difference = number &- last
      append(UInt64(bitPattern: Int64((difference << 1) ^ (difference >> 63))))
      last = number
    }
  }
}

/// Reads what `PackedNumbers` writes.
private struct PackedReader {
  var bytes: ArraySlice<UInt8>

  mutating func number() -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), through: 63, by: 7) {
      guard let byte = bytes.popFirst() else { return nil }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    return nil
  }

  /// A number of things, of which each takes a byte at least, or one that is as small.
  mutating func count() -> Int? {
    guard let number = number(), number <= JournalLimits.samplesByteCount else { return nil }
    return Int(number)
  }

  mutating func values(_ count: Int) -> [Int]? {
    guard count <= bytes.count else { return nil }
    var (values, last): ([Int], Int) = ([], 0)
    values.reserveCapacity(count)
    for _ in 0..<count {
      guard let number = number() else { return nil }
      last = last &+ (Int(bitPattern: UInt(number >> 1)) ^ -Int(number & 1))
      values.append(last)
    }
    return values
  }

  mutating func text(_ count: Int) -> String? {
    guard count <= bytes.count else { return nil }
    defer { bytes = bytes.dropFirst(count) }
    return String(validating: bytes.prefix(count), as: UTF8.self)
  }
}

// MARK: - As JSON

extension DiveSamples: Codable {
  private enum CodingKeys: String, CodingKey { case depthMm, temperatureCk, pressureMbar, events }

  /// The pressures in a tank, as JSON has them.
  private struct TankSeries: Codable {
    let tank: Int
    let timeS: [Int]
    let value: [Int]
  }

  /// Reads what `encode(to:)` writes.
  ///
  /// - Throws: what `decoder` throws.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    depthMm = try container.decodeIfPresent(Series.self, forKey: .depthMm) ?? Series()
    temperatureCk = try container.decodeIfPresent(Series.self, forKey: .temperatureCk) ?? Series()
    let tanks = try container.decodeIfPresent([TankSeries].self, forKey: .pressureMbar) ?? []
    events = try container.decodeIfPresent([Mark].self, forKey: .events) ?? []
    func corrupted(_ key: CodingKeys, _ remedy: String) -> DecodingError {
      .dataCorruptedError(forKey: key, in: container, debugDescription: remedy)
    }
    for tank in tanks {
      guard pressureMbar[tank.tank] == nil else {
        throw corrupted(.pressureMbar, "each tank once")
      }
      pressureMbar[tank.tank] = Series(timeS: tank.timeS, value: tank.value)
    }
    let series: [(CodingKeys, Series)] =
      [(.depthMm, depthMm), (.temperatureCk, temperatureCk)]
      + pressureMbar.values.map { (CodingKeys.pressureMbar, $0) }
    for (key, series) in series where series.timeS.count != series.value.count {
      throw corrupted(key, "as many values as times")
    }
    // What is there says something.
    let counts: [(CodingKeys, Int)] =
      series.map { ($0.0, $0.1.count) } + [(.pressureMbar, tanks.count), (.events, events.count)]
    for (key, count) in counts where count == 0 && container.contains(key) {
      throw corrupted(key, "leave it out where there is nothing")
    }
    guard !isEmpty else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: container.codingPath, debugDescription: "leave them out where there are none")
      )
    }
  }

  /// Writes the series that hold something, those of tanks in the order of their numbers.
  ///
  /// - Throws: what `encoder` throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    if depthMm.count > 0 { try container.encode(depthMm, forKey: .depthMm) }
    if temperatureCk.count > 0 { try container.encode(temperatureCk, forKey: .temperatureCk) }
    let tanks = pressureMbar.sorted { $0.key < $1.key }.filter { $0.value.count > 0 }
      .map { TankSeries(tank: $0.key, timeS: $0.value.timeS, value: $0.value.value) }
    if !tanks.isEmpty { try container.encode(tanks, forKey: .pressureMbar) }
    if !events.isEmpty { try container.encode(events, forKey: .events) }
  }
}

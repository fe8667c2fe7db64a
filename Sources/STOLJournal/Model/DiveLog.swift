extension Dive {
  /// What one dive computer recorded.
  public struct Log: Hashable, Sendable {
    /// What the computer is called: "Suunto Vyper".
    public var model: String?
    /// Its serial number.
    public var serial: String?
    /// By what the computer tells the dive from others.
    public var fingerprint: String?
    /// When it began, by the clock of the computer, where that is not when the dive did.
    public var start: LocalTime?
    /// What it noted on the way, as bytes: lists would be ten times as large in memory.
    private(set) var packed: [UInt8] = []

    /// A computer of which nothing is known.
    public init() {}

    /// What it noted on the way.
    ///
    /// - Complexity: O(samples)
    public var samples: DiveSamples { DiveSamples(packed: packed) ?? DiveSamples() }

    /// Whether it noted anything on the way.
    public var hasSamples: Bool { !packed.isEmpty }

    /// Takes samples in the place of those that are there.
    ///
    /// - Throws: `JournalError.invalid` for samples that say what cannot be.
    /// - Complexity: O(samples)
    public mutating func set(_ samples: DiveSamples) throws(JournalError) {
      try samples.validate()
      packed = samples.packed
    }

    /// The log without what it noted on the way.
    var withoutSamples: Dive.Log {
      var log = self
      log.packed = []
      return log
    }

    /// A log with samples as bytes, of which nothing else is known; nil for bytes that are none, or say what cannot
    /// be.
    init?(packed: [UInt8]) {
      guard let samples = DiveSamples(packed: packed), (try? samples.validate()) != nil else {
        return nil
      }
      self.packed = packed
    }

    func validate() throws(JournalError) {
      try requireName(model, "model")
      try requireName(serial, "serial")
      try requireName(fingerprint, "fingerprint")
    }
  }

  func validateLogs() throws(JournalError) {
    guard logs.count <= JournalLimits.listCount else {
      throw .invalid(
        field: "logs", value: "\(logs.count) logs", remedy: "at most \(JournalLimits.listCount)")
    }
    let byteCount = logs.reduce(0) { $0 + $1.packed.count }
    guard byteCount <= JournalLimits.samplesByteCount else {
      throw .invalid(
        field: "samples", value: "\(byteCount) bytes",
        remedy: "at most \(JournalLimits.samplesByteCount) of all logs: leave out every second one")
    }
    for log in logs { try log.validate() }
  }

  /// The dive with what another one of the same event says where it says nothing, and with what tells a computer from
  /// others, which no export for others has.
  func merged(over old: Dive?) -> Dive {
    guard let old else { return self }
    var dive = self
    for path in Self.numbers where dive[keyPath: path] == nil {
      dive[keyPath: path] = old[keyPath: path]
    }
    dive.mode = mode ?? old.mode
    dive.suit = suit ?? old.suit
    if tanks.isEmpty { dive.tanks = old.tanks }
    if logs.isEmpty { dive.logs = old.logs }
    for (index, known) in zip(dive.logs.indices, old.logs)
    where dive.logs.count == old.logs.count && dive.logs[index].model == known.model {
      dive.logs[index].serial = dive.logs[index].serial ?? known.serial
      dive.logs[index].fingerprint = dive.logs[index].fingerprint ?? known.fingerprint
    }
    return dive
  }

  private static let numbers: [any WritableKeyPath<Dive, Int?> & Sendable] = [
    \.number, \.durationS, \.bottomS, \.maxDepthMm, \.meanDepthMm, \.waterMinCk, \.waterMaxCk,
    \.airCk, \.visibilityCm, \.currentLevel, \.salinityMgL, \.surfaceMbar, \.weightG, \.signedMs,
  ]

  /// Whether a log says which computer it is of, or by what that knows the dive.
  var isTraceable: Bool { logs.contains { $0.serial != nil || $0.fingerprint != nil } }

  /// The dive without that.
  var untraceable: Dive {
    var dive = self
    for index in logs.indices {
      (dive.logs[index].serial, dive.logs[index].fingerprint) = (nil, nil)
    }
    return dive
  }
}

extension Dive.Log: Codable {
  private enum CodingKeys: String, CodingKey { case model, serial, fingerprint, start, samples }

  /// Reads what `encode(to:)` writes.
  ///
  /// - Throws: what `decoder` throws.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    model = try container.decodeIfPresent(String.self, forKey: .model)
    serial = try container.decodeIfPresent(String.self, forKey: .serial)
    fingerprint = try container.decodeIfPresent(String.self, forKey: .fingerprint)
    start = try container.decodeIfPresent(LocalTime.self, forKey: .start)
    if let samples = try container.decodeIfPresent(DiveSamples.self, forKey: .samples) {
      try set(samples)
    }
  }

  /// Writes what is known.
  ///
  /// - Throws: what `encoder` throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(model, forKey: .model)
    try container.encodeIfPresent(serial, forKey: .serial)
    try container.encodeIfPresent(fingerprint, forKey: .fingerprint)
    try container.encodeIfPresent(start, forKey: .start)
    if !packed.isEmpty { try container.encode(samples, forKey: .samples) }
  }
}

extension KeyedDecodingContainer {
  /// The logs of a dive, which are none where their key is missing.
  func decode(_: [Dive.Log].Type, forKey key: Key) throws -> [Dive.Log] {
    try decodeIfPresent([Dive.Log].self, forKey: key) ?? []
  }
}

extension KeyedEncodingContainer {
  /// Writes the logs of a dive where it has any.
  mutating func encode(_ logs: [Dive.Log], forKey key: Key) throws {
    if !logs.isEmpty { try encodeIfPresent(Optional(logs), forKey: key) }
  }
}

extension JournalRecord {
  /// Whether it is a dive of which a computer noted anything on the way.
  var hasSamples: Bool {
    if case .event(let event) = self, let dive = event.dive {
      dive.logs.contains(where: \.hasSamples)
    } else {
      false
    }
  }

  /// The record without that.
  var withoutSamples: JournalRecord {
    guard hasSamples, case .event(var event) = self, var dive = event.dive else { return self }
    dive.logs = dive.logs.map(\.withoutSamples)
    event.dive = dive
    return .event(event)
  }
}

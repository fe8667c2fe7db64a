/// Picks the best of fixes that come one after another.
public struct FixChoice: Equatable, Sendable {
  /// The best one so far: the least uncertainty, of equal ones the first; one without any only where there is no
  /// other.
  public private(set) var best: PositionFix?
  /// How many there were.
  public private(set) var count = 0
  /// Below so many metres a position is good enough.
  public let goodM: Int

  /// None yet.
  ///
  /// - Parameter goodM: no better one is asked for than within less than so many metres.
  public init(goodM: Int) { self.goodM = goodM }

  /// Takes a fix.
  ///
  /// - Returns: whether it is the best so far.
  @discardableResult
  public mutating func take(_ fix: PositionFix) -> Bool {
    count += 1
    let old = best?.position.uncertaintyM ?? .max
    guard best == nil || (fix.position.uncertaintyM ?? .max) < old else { return false }
    best = fix
    return true
  }

  /// Whether nobody need wait for a better one.
  public var isGood: Bool { best?.position.uncertaintyM.map { $0 < goodM } ?? false }
}

/// The metres below which a position is good, and below which it will do.
public struct AccuracyLimits: Equatable, Sendable {
  /// Good.
  public var goodM = 10
  /// Acceptable.
  public var acceptableM = 20

  package static let goodKey = "accuracy_good_m"
  package static let acceptableKey = "accuracy_acceptable_m"

  /// 10 and 20 metres.
  public init() {}
}

extension JournalFile {
  /// The limits that the journal's settings state, where they do.
  package func accuracyLimits() throws -> AccuracyLimits {
    func metres(_ key: String) throws -> Int? {
      try setting(key).flatMap { Int($0) }.flatMap { (1...100_000).contains($0) ? $0 : nil }
    }
    var limits = AccuracyLimits()
    limits.goodM = try metres(AccuracyLimits.goodKey) ?? limits.goodM
    limits.acceptableM = try metres(AccuracyLimits.acceptableKey) ?? limits.acceptableM
    return limits
  }
}

/// Picks the best of fixes that come one after another.
public struct FixChoice: Equatable, Sendable {
  /// The best one so far: the least uncertainty, of equal ones the first; one without any only where there is no
  /// other.
  public private(set) var best: PositionFix?
  /// How many there were.
  public private(set) var count = 0
  /// How many more were at 0 N 0 E, where receivers are that do not know where they are.
  public private(set) var nullIslandCount = 0
  /// Below so many metres a position is good enough.
  public let goodM: Int
  private let acceptsNullIsland: Bool

  /// None yet.
  ///
  /// - Parameters:
  ///   - goodM: no better one is asked for than within less than so many metres.
  ///   - acceptsNullIsland: whether 0 N 0 E is a place like others.
  public init(goodM: Int, acceptsNullIsland: Bool = false) {
    (self.goodM, self.acceptsNullIsland) = (goodM, acceptsNullIsland)
  }

  /// Takes a fix.
  ///
  /// - Returns: whether it is the best so far.
  @discardableResult
  public mutating func take(_ fix: PositionFix) -> Bool {
    guard acceptsNullIsland || !fix.position.isNullIsland else {
      nullIslandCount += 1
      return false
    }
    count += 1
    let old = best?.position.uncertaintyM ?? .max
    guard best == nil || (fix.position.uncertaintyM ?? .max) < old else { return false }
    best = fix
    return true
  }

  /// Whether nobody need wait for a better one.
  public var isGood: Bool { best?.position.uncertaintyM.map { $0 < goodM } ?? false }
}

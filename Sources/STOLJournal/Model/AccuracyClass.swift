/// How good a position is, in a word.
public enum AccuracyClass: String, JournalWord {
  /// Within less than 5 m, unless thresholds say otherwise.
  case excellent
  /// Within less than 10 m.
  case good
  /// Within less than 15 m.
  case acceptable
  /// Within less than 20 m.
  case marginal
  /// Within 20 m or more.
  case poor

  /// From how many metres on a position is but good, acceptable, marginal, poor.
  public struct Thresholds: Equatable, Sendable {
    /// The metres, ascending.
    public let goodM, acceptableM, marginalM, poorM: Int

    /// What holds where nobody has said anything else.
    public static let usual = Thresholds(goodM: 5, acceptableM: 10, marginalM: 15, poorM: 20)

    private init(goodM: Int, acceptableM: Int, marginalM: Int, poorM: Int) {
      (self.goodM, self.acceptableM) = (goodM, acceptableM)
      (self.marginalM, self.poorM) = (marginalM, poorM)
    }

    /// The thresholds that a text states, as `5,10,15,20`.
    ///
    /// - Throws: `JournalError.invalid` for a text that does not state four ascending whole numbers from 1.
    public init(_ text: String) throws(JournalError) {
      let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
      let metres = numbers.compactMap { $0 }
      guard numbers.count == 4, metres.count == 4, metres[0] >= 1,
        zip(metres, metres.dropFirst()).allSatisfy({ $0 < $1 }), metres[3] <= 1_000_000
      else {
        throw .invalid(
          field: "accuracy", value: text,
          remedy: "four whole numbers of metres from 1 to 1,000,000, each greater than the one "
            + "before, as 5,10,15,20")
      }
      self.init(
        goodM: metres[0], acceptableM: metres[1], marginalM: metres[2], poorM: metres[3])
    }

    /// The text that states them.
    public var text: String { "\(goodM),\(acceptableM),\(marginalM),\(poorM)" }
  }

  /// The class of a position that is within so many metres.
  public init(uncertaintyM: Int, _ thresholds: Thresholds = .usual) {
    self =
      switch uncertaintyM {
      case ..<thresholds.goodM: .excellent
      case ..<thresholds.acceptableM: .good
      case ..<thresholds.marginalM: .acceptable
      case ..<thresholds.poorM: .marginal
      default: .poor
      }
  }
}

extension JournalFile {
  private static let accuracyKey = "accuracy_thresholds_m"

  /// From how many metres on positions are what; the usual ones where nobody has said anything.
  package func accuracyThresholds() throws -> AccuracyClass.Thresholds {
    try setting(Self.accuracyKey).map { text throws(JournalError) in
      try AccuracyClass.Thresholds(text)
    } ?? .usual
  }

  /// Keeps thresholds, or with nil goes back to the usual ones.
  package func setAccuracyThresholds(_ thresholds: AccuracyClass.Thresholds?) throws {
    try set(Self.accuracyKey, to: thresholds?.text)
  }
}

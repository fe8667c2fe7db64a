/// How far an import has come.
public struct ImportProgress: Equatable, Sendable {
  /// The stages, in order.
  public enum Stage: String, CaseIterable, Sendable {
    /// The container is copied to where nobody else writes.
    case copying
    /// The header is read and its signature verified.
    case verifyingSignature = "verifying the signature"
    /// The digests of all parts are verified.
    case verifyingChecksum = "verifying the checksum"
    /// Database and pack are decompressed.
    case decompressing
    /// The schema of the database is checked.
    case checkingSchema = "checking the schema"
    /// Every page of the database is checked.
    case runningIntegrityCheck = "checking the database"
    /// The pack is compiled; one that the container carries is verified instead.
    case compiling
    /// The files take their place.
    case finalizing
  }

  /// The stage.
  public let stage: Stage
  /// How much of all work is done, in 0...1.
  public let fractionCompleted: Double

  /// How far a stage has come, `share` of it in 0...1.
  init(_ stage: Stage, _ share: Double = 0) {
    self.stage = stage
    let (start, length) = Self.extent(of: stage)
    fractionCompleted = start + length * min(max(share, 0), 1)
  }

  /// Where a stage begins and how long it is, from the times of 500,000 taxa.
  private static func extent(of stage: Stage) -> (start: Double, length: Double) {
    switch stage {
    case .copying: (0, 0.02)
    case .verifyingSignature: (0.02, 0.01)
    case .verifyingChecksum: (0.03, 0.04)
    case .decompressing: (0.07, 0.18)
    case .checkingSchema: (0.25, 0.01)
    case .runningIntegrityCheck: (0.26, 0.29)
    case .compiling: (0.55, 0.4)
    case .finalizing: (0.95, 0.05)
    }
  }
}

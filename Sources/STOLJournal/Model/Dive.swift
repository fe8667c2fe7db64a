/// What is known of a dive beside when and where it was.
public struct Dive: Hashable, Sendable, Codable {
  /// How one breathed.
  public enum Mode: String, JournalWord {
    /// Open circuit.
    case openCircuit = "oc"
    /// Closed circuit rebreather.
    case closedCircuit = "ccr"
    /// Semi-closed circuit rebreather.
    case semiClosedCircuit = "scr"
    /// On one breath.
    case free
    /// With a computer that was but a gauge.
    case gauge
  }

  /// A tank and what was in it.
  public struct Tank: Hashable, Sendable, Codable {
    /// What a gas is for.
    public enum Use: String, JournalWord {
      /// For most of the dive.
      case bottom
      /// On the way down.
      case travel
      /// On the way up.
      case deco
      /// To dilute, in a rebreather.
      case diluent
      /// Oxygen, in a rebreather.
      case oxygen
      /// If all else fails.
      case bailout
    }

    /// How much water it holds.
    public var volumeMl: Int?
    /// The pressure that it may be filled to.
    public var workMbar: Int?
    /// The pressure at the start.
    public var startMbar: Int?
    /// The pressure at the end.
    public var endMbar: Int?
    /// Oxygen in the gas.
    public var o2Permille: Int?
    /// Helium in the gas.
    public var hePermille: Int?
    /// What the gas is for.
    public var use: Use?

    /// A tank of which nothing is known.
    public init() {}

    func validate() throws(JournalError) {
      try require(volumeMl, "volume_ml", 1...100_000)
      try require(workMbar, "work_mbar", 1...500_000)
      try require(startMbar, "start_mbar", 0...500_000)
      try require(endMbar, "end_mbar", 0...500_000)
      try requireOrder(endMbar, "end_mbar", startMbar, "start_mbar")
      try require(o2Permille, "o2_permille", 0...1000)
      try require(hePermille, "he_permille", 0...1000)
      if let o2Permille, let hePermille, o2Permille + hePermille > 1000 {
        throw .invalid(
          field: "he_permille", value: String(hePermille),
          remedy: "at most \(1000 - o2Permille), what oxygen leaves")
      }
    }
  }

  /// The number of the dive in one's life.
  public var number: Int?
  /// How one breathed.
  public var mode: Mode?
  /// How long it was.
  public var durationS: Int?
  /// How long one was at the bottom.
  public var bottomS: Int?
  /// The deepest point.
  public var maxDepthMm: Int?
  /// The mean depth.
  public var meanDepthMm: Int?
  /// The coldest water, in hundredths of a kelvin.
  public var waterMinCk: Int?
  /// The warmest water, in hundredths of a kelvin.
  public var waterMaxCk: Int?
  /// The air, in hundredths of a kelvin.
  public var airCk: Int?
  /// How far one saw.
  public var visibilityCm: Int?
  /// The current, from 0, none, to 5, very strong.
  public var currentLevel: Int?
  /// The salt in a litre of the water.
  public var salinityMgL: Int?
  /// The pressure of the air at the surface.
  public var surfaceMbar: Int?
  /// The lead that was carried.
  public var weightG: Int?
  /// What was worn.
  public var suit: String?
  /// When the instructor signed, in milliseconds since 1970; nil where nobody did.
  public var signedMs: Int?
  /// The tanks, in the order in which they are numbered.
  public var tanks: [Tank] = []
  /// What dive computers recorded, that of the one that was gone by first.
  public var logs: [Log] = []

  /// A dive of which nothing is known.
  public init() {}

  func validate() throws(JournalError) {
    try require(number, "number", 1...1_000_000)
    try require(durationS, "duration_s", 0...31 * 86_400)
    try require(bottomS, "bottom_s", 0...31 * 86_400)
    try require(maxDepthMm, "max_depth_mm", 0...12_000_000)
    try require(meanDepthMm, "mean_depth_mm", 0...12_000_000)
    try requireOrder(meanDepthMm, "mean_depth_mm", maxDepthMm, "max_depth_mm")
    try require(waterMinCk, "water_min_ck", 20_000...40_000)
    try require(waterMaxCk, "water_max_ck", 20_000...40_000)
    try requireOrder(waterMinCk, "water_min_ck", waterMaxCk, "water_max_ck")
    try require(airCk, "air_ck", 15_000...40_000)
    try require(visibilityCm, "visibility_cm", 0...100_000)
    try require(currentLevel, "current_level", 0...5)
    try require(salinityMgL, "salinity_mg_l", 0...400_000)
    try require(surfaceMbar, "surface_mbar", 300...1_200)
    try require(weightG, "weight_g", 0...1_000_000)
    try requireName(suit, "suit")
    try require(signedMs, "signed_ms", 0...253_402_300_799_999)
    guard tanks.count <= JournalLimits.listCount else {
      throw .invalid(
        field: "tanks", value: "\(tanks.count) tanks", remedy: "at most \(JournalLimits.listCount)")
    }
    for tank in tanks { try tank.validate() }
    try validateLogs()
  }
}

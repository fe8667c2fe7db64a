/// SplitMix64: the same numbers from the same seed.
public struct Random: RandomNumberGenerator {
  private var state: UInt64

  /// The sequence of `seed`.
  public init(seed: UInt64) { state = seed }

  /// The next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z &>> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z &>> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z &>> 31
  }

  /// A number from 0 to `bound` - 1; 0 for a bound below 1.
  public mutating func below(_ bound: Int) -> Int {
    bound > 1 ? .random(in: 0..<bound, using: &self) : 0
  }

  /// Whether something that happens once in `count` times does.
  public mutating func once(in count: Int) -> Bool { below(count) == 0 }
}

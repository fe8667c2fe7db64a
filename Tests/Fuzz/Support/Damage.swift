extension [UInt8] {
  /// The integer of `width` bytes at `offset`, the least significant first; missing bytes are 0.
  public func integer(at offset: Int, width: Int) -> UInt64 {
    (0..<width).reduce(0) { value, place in
      let byte = indices.contains(offset + place) ? self[offset + place] : 0
      return value | UInt64(byte) << UInt64(place * 8)
    }
  }

  /// Writes an integer of `width` bytes; what lies outside is dropped.
  public mutating func set(_ value: UInt64, at offset: Int, width: Int) {
    for place in 0..<width where indices.contains(offset + place) {
      self[offset + place] = UInt8(truncatingIfNeeded: value >> UInt64(place * 8))
    }
  }

  /// Damages bytes of `range` in one way of many; their number stays.
  public mutating func damage(_ range: Range<Int>, _ random: inout Random) {
    let range = range.clamped(to: 0..<count)
    guard !range.isEmpty else { return }
    let place = range.lowerBound + random.below(range.count)
    let width = 1 << random.below(4)
    let length = Swift.min(1 + random.below(16), range.upperBound - place)
    switch random.below(8) {
    case 0: self[place] ^= 1 << UInt8(random.below(8))
    case 1: self[place] = UInt8(random.below(256))
    case 2: set(Self.extremes[random.below(Self.extremes.count)], at: place, width: width)
    case 3:
      let step = UInt64(bitPattern: Int64(random.below(9) - 4))
      set(integer(at: place, width: width) &+ step, at: place, width: width)
    case 4:
      let source = range.lowerBound + random.below(range.count - length + 1)
      replaceSubrange(place..<place + length, with: Array(self[source..<source + length]))
    case 5:
      let source = random.below(count - length + 1)
      replaceSubrange(place..<place + length, with: Array(self[source..<source + length]))
    case 6:
      for index in place..<place + length { self[index] = UInt8(random.below(256)) }
    default:
      let end = Swift.min(range.upperBound, place + 256)
      let mutated = Fuzzer.mutated(self[place..<end], limit: end - place)
      replaceSubrange(place..<place + mutated.count, with: mutated)
    }
  }

  private static let extremes: [UInt64] = [
    0, 1, .max, .max - 1, 0x7F, 0x80, 0x7FFF, 0x8000, 0x7FFF_FFFF, 0x8000_0000, 1 << 32,
    UInt64(Int64.max), 1 << 63, 0xFFFF_FFFF_0000_0000, 64, 8,
  ]
}

import STOLMatch

/// What was answered to the questions of a table, for those that come again: few of the last ones, in memory
/// that does not grow.
struct AnswerCache: Sendable {
  private var hashes: [UInt64] = []
  private var statuses: [MatchStatus] = []
  /// The lengths of the question and the answer in each slot.
  private var lengths: [(key: UInt16, answer: UInt16)] = []
  private var bytes: [UInt8] = []

  private static let slotCount = 8192
  /// Longer questions with their answers are not kept.
  private static let slotByteCount = 256

  /// Appends what was answered to a question, and gives the status of that; nil where it is not known.
  ///
  /// - Complexity: O(length)
  func append(
    answerTo key: [UInt8], _ hash: UInt64, to output: inout [UInt8]
  ) -> MatchStatus? {
    guard !hashes.isEmpty else { return nil }
    let slot = Self.slot(hash)
    guard hashes[slot] == hash, Int(lengths[slot].key) == key.count else { return nil }
    let start = slot * Self.slotByteCount
    for index in key.indices where bytes[start + index] != key[index] { return nil }
    let answer = start + key.count
    output.append(contentsOf: bytes[answer..<answer + Int(lengths[slot].answer)])
    return statuses[slot]
  }

  /// Keeps an answer in the place of another one.
  ///
  /// - Complexity: O(length)
  mutating func keep(
    _ answer: ArraySlice<UInt8>, _ status: MatchStatus, to key: [UInt8], _ hash: UInt64
  ) {
    guard key.count + answer.count <= Self.slotByteCount else { return }
    if hashes.isEmpty { makeRoom() }
    let slot = Self.slot(hash)
    hashes[slot] = hash
    statuses[slot] = status
    lengths[slot] = (UInt16(key.count), UInt16(answer.count))
    var next = slot * Self.slotByteCount
    for byte in key {
      bytes[next] = byte
      next += 1
    }
    for byte in answer {
      bytes[next] = byte
      next += 1
    }
  }

  private mutating func makeRoom() {
    hashes = [UInt64](repeating: 0, count: Self.slotCount)
    statuses = [MatchStatus](repeating: .invalid, count: Self.slotCount)
    lengths = [(key: UInt16, answer: UInt16)](repeating: (.max, 0), count: Self.slotCount)
    bytes = [UInt8](repeating: 0, count: Self.slotCount * Self.slotByteCount)
  }

  private static func slot(_ hash: UInt64) -> Int {
    Int(truncatingIfNeeded: hash >> 32) & (slotCount - 1)
  }

  /// A number for a question: FNV-1a.
  static func hash(_ key: some Sequence<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in key { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return hash
  }
}

import STOLSystem

/// Where rows are handed on to: the standard output, by this thread alone or in turn with others.
struct RowOutput {
  /// Whose turn must have come before anything is handed on.
  private var turns: Turns?
  private var block = 0
  /// How many bytes of the block have been handed on.
  private var handedOnByteCount = 0

  /// What is worth a call of the system.
  static let wantedByteCount = 1 << 16
  /// The most that waits for its turn, but for a row that is longer.
  static let longestByteCount = 1 << 20

  init() { StandardOutput.prepare() }

  /// Begins a block of rows, which are handed on when it is their turn.
  mutating func begin(_ block: Int, _ turns: Turns) {
    self.turns = turns
    self.block = block
    handedOnByteCount = 0
  }

  /// Hands everything on now, or when its turn has come; `bytes` are empty then.
  mutating func flush(_ bytes: inout [UInt8]) throws {
    try turns?.wait(for: block)
    handedOnByteCount += bytes.count
    try StandardOutput.write(&bytes)
  }

  /// Hands everything on if that is much and need not wait, or must.
  mutating func flushIfFull(_ bytes: inout [UInt8]) throws {
    guard bytes.count >= Self.wantedByteCount else { return }
    if let turns, bytes.count < Self.longestByteCount, try !turns.isNext(block) { return }
    try flush(&bytes)
  }

  /// Ends the block; what cannot be handed on yet is left to the thread before it.
  ///
  /// - Returns: how many bytes it has.
  mutating func end(_ bytes: inout [UInt8]) throws -> Int {
    let byteCount = handedOnByteCount + bytes.count
    guard let turns else { return byteCount }
    self.turns = nil
    try turns.finish(block, &bytes) { try StandardOutput.write(&$0) }
    return byteCount
  }
}

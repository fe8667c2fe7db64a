/// The letters of a pattern as bit masks: bit i is set for the letters at position i.
struct LetterMasks {
  /// The longest pattern that one automaton can hold.
  static let maximumCount = 62

  private var ascii = [UInt64](repeating: 0, count: 128)
  private var others: [(scalar: UInt32, mask: UInt64)] = []
  /// The number of letters of the pattern.
  private(set) var count = 0
  /// The letters of each beginning of the pattern, the empty one first.
  private(set) var letters: [LetterSet] = []
  /// Whether all letters are ASCII.
  private(set) var isASCII = true
  private var bytes = [UInt8](repeating: 0, count: 64)

  /// Takes the first `maximumCount` letters of a pattern, or of its reversal.
  mutating func set(_ scalars: [UInt32], _ pattern: Range<Int>, isReversed: Bool = false) {
    for index in ascii.indices { ascii[index] = 0 }
    others.removeAll(keepingCapacity: true)
    isASCII = true
    letters.removeAll(keepingCapacity: true)
    letters.append(LetterSet(rawValue: 0))
    count = min(pattern.count, Self.maximumCount)
    for position in 0..<count {
      let index =
        isReversed ? pattern.upperBound &- 1 &- position : pattern.lowerBound &+ position
      let scalar = scalars[index]
      letters.append(letters[position].inserting(scalar))
      let bit: UInt64 = 1 &<< UInt64(position)
      bytes[position] = UInt8(truncatingIfNeeded: scalar)
      if scalar < 128 {
        ascii[Int(scalar)] |= bit
        continue
      }
      isASCII = false
      if let row = others.firstIndex(where: { $0.scalar == scalar }) {
        others[row].mask |= bit
      } else {
        others.append((scalar, bit))
      }
    }
  }

  /// The letter at `position` of a pattern in ASCII.
  @inline(__always)
  func letter(_ position: Int) -> UInt8 { bytes[position] }

  /// The positions of the next two letters of some beginnings.
  @inline(__always)
  func positions(after beginnings: UInt64) -> UInt64 {
    (beginnings | beginnings &<< 1) & ((1 &<< UInt64(count)) &- 1)
  }

  /// Where the letter stands in the pattern.
  @inline(__always)
  func mask(_ scalar: UInt32) -> UInt64 {
    if scalar < 128 { return ascii[Int(scalar)] }
    for other in others where other.scalar == scalar { return other.mask }
    return 0
  }
}

/// Which beginnings of a pattern lie within how many edits of a text read so far.
///
/// Bit i of level e: e edits turn the first i letters of the pattern into the text. A beginning that
/// a lower level has need not be in a higher one.
struct EditState {
  var level0: UInt64 = 0
  var level1: UInt64 = 0
  var level2: UInt64 = 0
  var level3: UInt64 = 0
  /// Beginnings whose next two letters are being swapped: one of the two has been read.
  var swap1: UInt64 = 0
  var swap2: UInt64 = 0
  var swap3: UInt64 = 0
  /// The scalar whose bytes are being read, and how many of them are missing or, backwards, read.
  var pending: UInt32 = 0
  var pendingCount: UInt8 = 0
  /// The fewest edits that turn the whole pattern into a beginning of the text.
  var reached = EditAutomaton.tooMany

  /// Every beginning that some level has, or that is being swapped.
  @inline(__always)
  var all: UInt64 { level0 | level1 | level2 | level3 | swap1 | swap2 | swap3 }

  /// The beginnings that lie within so many edits and no fewer, but for what lower levels have.
  func level(_ edits: Int) -> UInt64 {
    switch edits {
    case 0: level0
    case 1: level1
    case 2: level2
    default: level3
    }
  }

  /// The beginnings within so many edits whose next two letters are being swapped.
  func swap(afterEdits edits: Int) -> UInt64 {
    switch edits {
    case 0: swap1
    case 1: swap2
    case 2: swap3
    default: 0
    }
  }

  /// Adds what `other` has: the state of either text, both of which are between letters.
  mutating func formUnion(_ other: EditState) {
    level0 |= other.level0
    level1 |= other.level1
    level2 |= other.level2
    level3 |= other.level3
    swap1 |= other.swap1
    swap2 |= other.swap2
    swap3 |= other.swap3
    reached = min(reached, other.reached)
  }

  /// Whether no further letter can lead anywhere.
  @inline(__always)
  var isDead: Bool { all == 0 }

  /// The fewest edits between the first `count` letters of the pattern and the text.
  @inline(__always)
  func distance(at count: Int) -> UInt8 {
    let bit: UInt64 = 1 &<< UInt64(count)
    if level0 & bit > 0 { return 0 }
    if level1 & bit > 0 { return 1 }
    if level2 & bit > 0 { return 2 }
    return level3 & bit > 0 ? 3 : EditAutomaton.tooMany
  }
}

/// Optimal string alignment as a nondeterministic automaton, all its states at once in a few words.
///
/// Insertions, deletions, replacements and swaps of neighbours, up to three, each level of edits in
/// one 64-bit word: Wu and Manber 1992, with the swaps of Hyyrö 2003. A level may be closed to the
/// first letters of the pattern, which is how a search with split budgets is stated: `allowed1` are
/// the beginnings that may have taken one edit, and so on.
struct EditAutomaton {
  /// More edits than any search allows.
  static let tooMany: UInt8 = 9

  /// The number of letters of the pattern.
  let count: Int
  private var allowed1: UInt64
  private var allowed2: UInt64
  private var allowed3: UInt64
  private let final: UInt64

  /// An automaton that makes at most `distance` edits in a pattern of `count` letters.
  init(count: Int, distance: Int) {
    self.count = count
    let all: UInt64 = (2 &<< UInt64(count)) &- 1
    allowed1 = distance > 0 ? all : 0
    allowed2 = distance > 1 ? all : 0
    allowed3 = distance > 2 ? all : 0
    final = 1 &<< UInt64(count)
  }

  /// Allows at most `edits` edits before the letter at `position` of the pattern, whatever was allowed
  /// behind it.
  mutating func allow(_ edits: Int, before position: Int) {
    let open = UInt64.max &<< UInt64(max(0, min(position, 63)))
    if edits < 1 { allowed1 &= open }
    if edits < 2 { allowed2 &= open }
    if edits < 3 { allowed3 &= open }
  }

  /// The state before the first letter.
  var start: EditState { start(at: 0) }

  /// The state before the letter at `position` of the pattern, as if those before it were not there.
  func start(at position: Int) -> EditState {
    var state = EditState(level0: 1 &<< UInt64(position))
    state.level1 = (state.level0 &<< 1) & allowed1
    state.level2 = (state.level1 &<< 1) & allowed2
    state.level3 = (state.level2 &<< 1) & allowed3
    noteReached(&state)
    return state
  }

  /// Whether a letter that is none of the next two of any beginning leads nowhere.
  @inline(__always)
  func isForced(_ state: EditState) -> Bool {
    (state.level0 | state.level0 &<< 1) & allowed1 | (state.level1 | state.level1 &<< 1) & allowed2
      | (state.level2 | state.level2 &<< 1) & allowed3 == 0
  }

  /// The state after a letter that stands in the pattern where `mask` says.
  @inline(__always)
  func step(_ state: EditState, _ mask: UInt64) -> EditState {
    var next = EditState()
    next.reached = state.reached
    let next0 = (state.level0 & mask) &<< 1
    next.level0 = next0
    let ahead = mask &>> 1
    if allowed1 != 0 {
      let next1 =
        ((state.level1 & mask) &<< 1 | state.level0 | state.level0 &<< 1 | next0 &<< 1
          | (state.swap1 & mask) &<< 2) & allowed1
      next.level1 = next1
      next.swap1 = state.level0 & ahead
      if allowed2 != 0 {
        let next2 =
          ((state.level2 & mask) &<< 1 | state.level1 | state.level1 &<< 1 | next1 &<< 1
            | (state.swap2 & mask) &<< 2) & allowed2
        next.level2 = next2
        next.swap2 = state.level1 & ahead
        if allowed3 != 0 {
          next.level3 =
            ((state.level3 & mask) &<< 1 | state.level2 | state.level2 &<< 1 | next2 &<< 1
              | (state.swap3 & mask) &<< 2) & allowed3
          next.swap3 = state.level2 & ahead
        }
      }
    }
    noteReached(&next)
    return next
  }

  @inline(__always)
  private func noteReached(_ state: inout EditState) {
    guard (state.level0 | state.level1 | state.level2 | state.level3) & final > 0 else { return }
    state.reached = min(state.reached, state.distance(at: count))
  }

  /// The state after one byte of UTF-8; within a scalar nothing but `pending` changes.
  @inline(__always)
  func step(_ state: EditState, byte: UInt8, _ masks: borrowing LetterMasks) -> EditState {
    if byte < 0x80 { return step(state, masks.mask(UInt32(byte))) }
    var state = state
    if byte >= 0xC0 {
      let missing: UInt8 = byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : 1
      state.pending = UInt32(byte) & (0x3F &>> UInt32(missing))
      state.pendingCount = missing
      return state
    }
    state.pending = state.pending &<< 6 | UInt32(byte & 0x3F)
    guard state.pendingCount > 1 else {
      return step(state, masks.mask(state.pending))
    }
    state.pendingCount &-= 1
    return state
  }

  /// As `step(_:byte:_:)` for a text that is read from its last byte to its first.
  @inline(__always)
  func stepBackwards(_ state: EditState, byte: UInt8, _ masks: borrowing LetterMasks) -> EditState {
    if byte < 0x80 { return step(state, masks.mask(UInt32(byte))) }
    var state = state
    let shift = UInt32(state.pendingCount) &* 6
    if byte < 0xC0 {
      state.pending |= UInt32(byte & 0x3F) &<< shift
      state.pendingCount = min(state.pendingCount &+ 1, 3)
      return state
    }
    let kept = UInt32(byte) & (0x3F &>> UInt32(state.pendingCount))
    return step(state, masks.mask(state.pending | kept &<< shift))
  }
}

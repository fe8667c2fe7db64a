/// What names that come one after another mostly have in common: their first word, or the first two.
///
/// Where two in a row begin alike, the words are held against the query once, and what may follow them is
/// known: an end of the query, within the edits that the words leave. A name is ruled out by the letters
/// of its last words then, or by none if nothing can follow.
struct NameStart: ~Copyable {
  /// The first word, or -1.
  private(set) var first = -1
  /// The second one, or -1 where there is only one.
  private(set) var second = -1
  private(set) var letters = NameLetters()
  /// The edits that `state` counts up to; 0 where there is none yet.
  private(set) var limit = 0
  /// The state of measuring behind the words and a space.
  private(set) var state = EditState()
  /// The letters of the ends of the query that may follow, and the edits that are left to each.
  private var ends = SIMD8<UInt32>()
  private var edits = SIMD8<UInt8>()
  private var endCount = 0
  private var shared = Ends()

  /// Nothing in common with any name.
  init() {}

  init(_ first: Int, _ second: Int, _ vocabulary: borrowing Vocabulary) {
    (self.first, self.second) = (first, second)
    letters.add(vocabulary.letters(of: first))
    if second >= 0 { letters.add(vocabulary.letters(of: second)) }
  }

  /// Takes the state behind the words, of which at most `limit` edits are made in all.
  ///
  /// The letters of the query that are behind the state are at most `limit` from where the words end, so that
  /// there are no more than seven ends.
  mutating func set(_ state: EditState, limit: Int, _ endLetters: [LetterSet]) {
    self.state = state
    self.limit = limit
    endCount = 0
    shared = Ends()
    var known: UInt64 = 0
    for level in 0...limit {
      // Of two letters that are swapped the first may as well be left out.
      var positions = (state.level(level) | state.swap(afterEdits: level)) & ~known
      known |= positions
      while positions != 0, endCount < ends.scalarCount {
        let position = positions.trailingZeroBitCount
        positions &= positions &- 1
        guard position < endLetters.count else { continue }
        ends[endCount] = endLetters[position].rawValue
        shared.some.formUnion(endLetters[position])
        shared.common.formIntersection(endLetters[position])
        edits[endCount] = UInt8(limit &- level)
        endCount &+= 1
      }
    }
  }

  /// Whether nothing that follows makes a name, or a beginning of one, that is near enough.
  @inline(__always)
  var isDead: Bool { endCount == 0 && state.reached > UInt8(limit) }

  /// Whether letters that follow do not rule a name out.
  @inline(__always)
  func mayGo(onWith rest: NameLetters, needsPrefix: Bool) -> Bool {
    if needsPrefix, state.reached <= UInt8(limit) { return true }
    return !shared.ruleOut(rest, limit, needsPrefix: needsPrefix)
      && isLikeSomeEnd(rest, needsPrefix: needsPrefix)
  }

  private func isLikeSomeEnd(_ rest: NameLetters, needsPrefix: Bool) -> Bool {
    for index in 0..<endCount {
      let end = LetterSet(rawValue: ends[index])
      if rest.mayBe(end, within: Int(edits[index]), needsPrefix: needsPrefix) { return true }
    }
    return false
  }

  /// What the ends that may follow have in common, by which most of what is not like any is told at once.
  private struct Ends {
    /// The letters that some end has, and the greatest length.
    var some = LetterSet(rawValue: 0)
    /// Those that all have, and the least one.
    var common = LetterSet(rawValue: .max)

    /// Whether all ends are more than `limit` edits from `rest`, as a whole or as a beginning of it.
    @inline(__always)
    func ruleOut(_ rest: NameLetters, _ limit: Int, needsPrefix: Bool) -> Bool {
      common.exceeds(rest.set, by: limit) || rest.length &+ limit < common.length
        || !needsPrefix
          && (rest.set.exceeds(some, by: limit) || rest.length > some.length &+ limit)
    }
  }
}

/// The letters of some words together, and their number with a space between each two.
struct NameLetters {
  var set = LetterSet(rawValue: 0)
  var length = -1

  /// Adds a word.
  @inline(__always)
  mutating func add(_ word: LetterSet) {
    set.formUnion(word)
    length &+= word.length &+ 1
  }

  /// Counts spaces as letters.
  @inline(__always)
  mutating func addSpaces() {
    if length > set.length { set.insertSpace() }
  }

  /// Whether letters and lengths do not rule out that these are within `limit` edits of `other`, of which all
  /// letters are counted, or go on from what is.
  @inline(__always)
  func mayBe(_ other: LetterSet, within limit: Int, needsPrefix: Bool) -> Bool {
    if other.exceeds(set, by: limit) || length &+ limit < other.length { return false }
    return needsPrefix
      || !set.exceeds(other, by: limit) && length <= other.length &+ limit
  }
}

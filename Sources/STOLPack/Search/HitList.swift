/// The best hits of a search so far.
///
/// Takes any number of candidates and keeps little more than twice as many as are wanted: whenever
/// the buffer is full, it is put in order, cut, and its worst key becomes the bound for what follows.
struct HitList {
  /// One name that matches.
  struct Candidate {
    /// Class, distance, prominence, rank and status; less comes first.
    var key: UInt32
    /// Whether the taxon is known to be called as the others that are marked.
    var isAlike = false
    /// What follows in the order, as far as a `NameKey` tells.
    var nameKey: UInt64
    var taxon: TaxonOrdinal
    var name: NameOrdinal
    /// The order of names of one taxon with one key.
    var nameOrder: UInt64
  }

  private(set) var candidates: [Candidate] = []
  private var buffers: (a: [UInt8], b: [UInt8]) = ([], [])
  private var limit = 0
  private var capacity = 0
  /// Candidates with a greater key cannot be among the first `limit`.
  private(set) var bound = UInt32.max
  /// A taxon with the key `bound` that is not among the first `limit`.
  private var late: TaxonOrdinal?

  /// Empties the list.
  mutating func start(limit: Int) {
    if !candidates.isEmpty { candidates.removeAll(keepingCapacity: true) }
    self.limit = limit
    capacity = limit < 1 << 20 ? max(64, 4 * limit) : Int.max
    bound = .max
    late = nil
  }

  /// Gives the memory of a huge list back.
  mutating func forgetHugeBuffers() {
    if candidates.capacity > SearchSession.hugeCount { candidates = [] }
  }

  /// Takes a candidate whose key is not above `bound`.
  @inline(__always)
  mutating func append(_ candidate: Candidate, _ view: borrowing PackView) {
    // One comparison with the last of the first ones instead of a position among all.
    if candidate.key == bound, comesTooLate(candidate, view) { return }
    candidates.append(candidate)
    if candidates.count >= capacity { compact(view) }
  }

  /// Whether the last of the first ones precedes a candidate with the key `bound`.
  private mutating func comesTooLate(_ candidate: Candidate, _ view: borrowing PackView) -> Bool {
    if isBehindLate(candidate.taxon, view) { return true }
    guard precedes(candidates[limit - 1], candidate, view) else { return false }
    late = candidate.taxon
    return true
  }

  /// Whether a taxon with the key `bound` is a later sibling of one that is not among the first.
  @inline(__always)
  private func isBehindLate(_ taxon: TaxonOrdinal, _ view: borrowing PackView) -> Bool {
    guard let late else { return false }
    return late < taxon && view.names.areSiblings(late, taxon)
  }

  /// Whether the last of the first ones precedes a candidate with the key `bound`, as far as that is
  /// known without spelling their names out.
  @inline(__always)
  func isPastLast(_ taxon: TaxonOrdinal, nameKey: UInt64, _ view: borrowing PackView) -> Bool {
    let last = candidates[limit - 1]
    if let precedes = NameKey.precedes(last.nameKey, nameKey) { return precedes }
    return last.taxon < taxon && view.names.areSiblings(last.taxon, taxon)
      || isBehindLate(taxon, view)
  }

  /// Whether the first `limit` taxa are all of a class before `matchClass`, or of that class and
  /// within `distance`, so that nothing of greater keys need be looked for.
  mutating func isComplete(
    through matchClass: MatchClass, distance: Int, _ view: borrowing PackView
  ) -> Bool {
    guard candidates.count >= limit else { return false }
    compact(view)
    guard candidates.count >= limit else { return false }
    return candidates[limit - 1].key < HitKey.first(matchClass, distance: distance + 1)
  }

  /// Whether there are three different taxa; one of them may be called alike in any number of languages.
  ///
  /// - Complexity: O(1) where most names are of different taxa, else O(n).
  var hasThreeTaxa: Bool {
    guard let first = candidates.first?.taxon,
      let second = candidates.first(where: { $0.taxon != first })?.taxon
    else { return false }
    return candidates.contains { $0.taxon != first && $0.taxon != second }
  }

  /// One candidate a taxon, the first `limit` of them in order.
  mutating func finish(_ view: borrowing PackView) { compact(view) }

  private mutating func compact(_ view: borrowing PackView) {
    dropRepeatedTaxa()
    if candidates.count > Self.many { markAlike(view) }
    var sorted: [Candidate] = []
    swap(&sorted, &candidates)
    sortInPlace(&sorted) { precedes($0, $1, view) }
    swap(&sorted, &candidates)
    if candidates.count > limit { candidates.removeLast(candidates.count - limit) }
    if candidates.count == limit, let last = candidates.last, last.key != bound {
      bound = last.key
      late = nil
    }
    if candidates.count > capacity / 2 { capacity *= 2 }
  }

  /// So many that a comparison more of each is soon saved.
  private static let many = 256

  /// Marks the taxa that are called as the first one is: thousands have the name "environmental samples", and sorting
  /// them must not spell it out each time.
  private mutating func markAlike(_ view: borrowing PackView) {
    let first = candidates[0]
    for index in candidates.indices {
      candidates[index].isAlike =
        candidates[index].nameKey == first.nameKey
        && view.names.spelledOrder(first.taxon, candidates[index].taxon, &buffers) == 0
    }
  }

  private mutating func dropRepeatedTaxa() {
    guard candidates.count > 1 else { return }
    // Names of whole taxa mostly come in this order.
    if (1..<candidates.count).allSatisfy({ candidates[$0 - 1].taxon < candidates[$0].taxon }) {
      return
    }
    sortInPlace(&candidates) { a, b in
      if a.taxon != b.taxon { return a.taxon < b.taxon }
      return a.key != b.key ? a.key < b.key : a.nameOrder < b.nameOrder
    }
    var kept = 1
    for index in 1..<candidates.count where candidates[index].taxon != candidates[kept - 1].taxon {
      candidates[kept] = candidates[index]
      kept += 1
    }
    candidates.removeLast(candidates.count - kept)
  }

  private mutating func precedes(
    _ a: Candidate, _ b: Candidate, _ view: borrowing PackView
  ) -> Bool {
    if a.key != b.key { return a.key < b.key }
    if let precedes = NameKey.precedes(a.nameKey, b.nameKey) { return precedes }
    if a.isAlike, b.isAlike { return view.ids[a.taxon] < view.ids[b.taxon] }
    let order = view.names.order(a.taxon, b.taxon, &buffers)
    return order == 0 ? view.ids[a.taxon] < view.ids[b.taxon] : order < 0
  }
}

/// The position of a scientific name among all that begin with a capital: its first word, whose letters but
/// the first are small, above what follows.
enum NameKey {
  /// Of a name that may stand anywhere.
  static let none: UInt64 = 0
  private static let more: UInt64 = 0xFFFF_FFFF

  /// Of one word.
  @inline(__always)
  static func uninomial(_ word: Int) -> UInt64 { UInt64(word &+ 1) &<< 32 }

  /// Of two words, the second one in small letters.
  @inline(__always)
  static func binomial(_ genus: Int, _ epithet: Int) -> UInt64 {
    uninomial(genus) | UInt64(epithet &+ 1)
  }

  /// Of a word and anything behind a space.
  @inline(__always)
  static func beginning(_ word: Int) -> UInt64 { uninomial(word) | more }

  /// Whether a name with the key `a` precedes one with the key `b`; nil if the keys do not tell.
  @inline(__always)
  static func precedes(_ a: UInt64, _ b: UInt64) -> Bool? {
    guard a != none, b != none, a != b else { return nil }
    guard a &>> 32 == b &>> 32, a & more == more || b & more == more else { return a < b }
    return nil
  }
}

/// The position of a hit in the order, but for names and ids.
///
/// From the highest bit: match class (4 bits), distance (2), how far the prominence is from the greatest (6),
/// rank (8) and status (2). Where a class has no distance, the two bits put whole scientific names before synonyms
/// and common names, and names in preferred languages before others.
enum HitKey {
  static let bitCount: UInt32 = 22

  /// What may follow `first` in a key.
  static let greatestRest: UInt32 = 1 << 16 - 1

  /// The least key of a class and distance.
  static func first(_ matchClass: MatchClass, distance: Int) -> UInt32 {
    UInt32(matchClass.rawValue) << 18 + UInt32(distance) << 16
  }

  static func matchClass(_ key: UInt32) -> MatchClass {
    MatchClass(rawValue: Int(key >> 18)) ?? .fuzzyWords
  }

  /// What follows `first` for a whole name that is not the scientific one; of the other classes without distance, for a
  /// common name that is not in a preferred language.
  static let furtherName: UInt32 = 1 << 16
  /// What follows `first` for a whole common name that is not in a preferred language.
  static let otherLanguage: UInt32 = 2 << 16

  static func distance(_ key: UInt32) -> Int {
    matchClass(key) < .fuzzyName ? 0 : Int(key >> 16 & 3)
  }

  /// How far a prominence is from the greatest, in its place.
  static func distance(ofProminence prominence: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: Prominence.greatest &- min(prominence, Prominence.greatest)) << 10
  }

  /// A number in 0...1 that falls as the key grows; four decimals tell classes and prominences apart.
  static func score(_ key: UInt32) -> Double { 1 - Double(key) / Double(1 << bitCount) }
}

/// Sorts without allocating: insertion sort for a few elements, heapsort for many.
func sortInPlace<Element>(_ array: inout [Element], _ precedes: (Element, Element) -> Bool) {
  let count = array.count
  guard count > 1 else { return }
  if count <= 24 {
    for index in 1..<count {
      let element = array[index]
      var position = index
      while position > 0, precedes(element, array[position - 1]) {
        array[position] = array[position - 1]
        position -= 1
      }
      array[position] = element
    }
    return
  }
  func sink(_ array: inout [Element], _ start: Int, _ end: Int) {
    let element = array[start]
    var root = start
    while true {
      var child = 2 * root + 1
      if child >= end { break }
      if child + 1 < end, precedes(array[child], array[child + 1]) { child += 1 }
      if !precedes(element, array[child]) { break }
      array[root] = array[child]
      root = child
    }
    array[root] = element
  }
  for start in stride(from: count / 2 - 1, through: 0, by: -1) { sink(&array, start, count) }
  for end in stride(from: count - 1, through: 1, by: -1) {
    array.swapAt(0, end)
    sink(&array, 0, end)
  }
}

public import STOLPack

/// What two taxa have in common, and in what they differ.
public struct TraitComparison: Hashable, Sendable {
  /// The traits that both have, by key.
  public let shared: [Trait]
  /// The keys under which they have different values, by key; of values that both have, see `shared`.
  public let differing: [TraitDifference]
  /// The traits that are one number of each, by key.
  public let numbers: [NumberPair]
  /// Compares the traits of two taxa.
  ///
  /// - Complexity: O((a + b) log(a + b)) for a and b traits
  public init(_ traitsA: [Trait], _ traitsB: [Trait]) {
    let (a, b) = (Set(traitsA), Set(traitsB))
    shared = a.intersection(b).sorted(by: Self.precedes)
    let (byKeyA, byKeyB) = (Self.byKey(a), Self.byKey(b))
    var differing: [TraitDifference] = []
    var numbers: [NumberPair] = []
    for key in Set(byKeyA.keys).union(byKeyB.keys).sorted() {
      let (ofA, ofB) = (byKeyA[key] ?? [], byKeyB[key] ?? [])
      if ofA != ofB {
        differing.append(
          TraitDifference(
            key: key, onlyA: ofA.filter { !b.contains($0) }, onlyB: ofB.filter { !a.contains($0) }))
      }
      if ofA.count == 1, ofB.count == 1, let pair = NumberPair(ofA[0], ofB[0]) {
        numbers.append(pair)
      }
    }
    self.differing = differing
    self.numbers = numbers
  }

  private static func byKey(_ traits: Set<Trait>) -> [String: [Trait]] {
    Dictionary(grouping: traits, by: \.key).mapValues { $0.sorted(by: precedes) }
  }

  private static func precedes(_ a: Trait, _ b: Trait) -> Bool {
    (a.key, a.value, a.unit ?? "") < (b.key, b.value, b.unit ?? "")
  }
}

/// A key under which two taxa have different values.
public struct TraitDifference: Hashable, Sendable {
  /// The key, as in "diet".
  public let key: String
  /// The traits that only the first taxon has; empty where nothing is known of it.
  public let onlyA: [Trait]
  /// The traits that only the second taxon has; empty where nothing is known of it.
  public let onlyB: [Trait]
}

/// A trait that is a number of each of two taxa, as in a length.
public struct NumberPair: Hashable, Sendable {
  /// The key, as in "body_length".
  public let key: String
  /// The unit of both numbers: the smaller of the two units that the source states.
  public let unit: String?
  /// The number of the first taxon.
  public let a: Double
  /// The number of the second taxon.
  public let b: Double

  /// How many times as great the greater one is, or nil unless both are above zero.
  public var ratio: Double? {
    guard a > 0, b > 0 else { return nil }
    let ratio = max(a, b) / min(a, b)
    return ratio.isFinite ? ratio : nil
  }

  /// The numbers of two traits of one key, or nil if one is no number or their units do not agree.
  init?(_ traitA: Trait, _ traitB: Trait) {
    guard let a = Double(traitA.value), let b = Double(traitB.value), a.isFinite, b.isFinite
    else { return nil }
    key = traitA.key
    if traitA.unit == traitB.unit {
      (unit, self.a, self.b) = (traitA.unit, a, b)
      return
    }
    guard let unitA = traitA.unit, let unitB = traitB.unit,
      let scales = Self.scales.first(where: { $0[unitA] != nil && $0[unitB] != nil }),
      let sizeA = scales[unitA], let sizeB = scales[unitB]
    else { return nil }
    if sizeA < sizeB {
      (unit, self.a, self.b) = (unitA, a, b * (sizeB / sizeA))
    } else {
      (unit, self.a, self.b) = (unitB, a * (sizeA / sizeB), b)
    }
    guard self.a.isFinite, self.b.isFinite else { return nil }
  }

  /// Units of one quantity and their sizes.
  private static let scales: [[String: Double]] = [
    ["um": 1, "mm": 1e3, "cm": 1e4, "m": 1e6, "km": 1e9],
    ["mg": 1, "g": 1e3, "kg": 1e6, "t": 1e9],
    ["s": 1, "min": 60, "h": 3600, "d": 86400],
  ]
}

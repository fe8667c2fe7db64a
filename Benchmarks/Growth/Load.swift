import STOLPack

/// What is asked: taxa and names of a pack, drawn by a seed.
struct Load {
  let pack: Pack
  private var generator: Generator
  private let speciesRank: Int

  /// SplitMix64 (Steele, Lea and Flood 2014).
  private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
      return mixed ^ mixed >> 31
    }
  }

  init(_ pack: Pack, seed: UInt64) {
    self.pack = pack
    generator = Generator(state: seed)
    speciesRank = pack.view.taxa.ranks.row(of: "species") ?? 0
  }

  mutating func number(in range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }

  mutating func taxon() -> TaxonOrdinal {
    TaxonOrdinal(rawValue: .random(in: 0..<UInt32(pack.taxonCount), using: &generator))
  }

  /// A species, or any taxon where there are hardly any species.
  mutating func species() -> TaxonOrdinal {
    for _ in 0..<1_000 {
      let taxon = taxon()
      if pack.view.taxa.rank(of: taxon) == speciesRank { return taxon }
    }
    return taxon()
  }

  /// A scientific or further name.
  mutating func name() -> String {
    let count = UInt32(pack.taxonCount + pack.nameCount)
    let name = NameOrdinal(rawValue: .random(in: 0..<count, using: &generator))
    return pack.view.names.text(of: name)
  }

  /// The first letters of a name.
  mutating func beginning(of lengths: ClosedRange<Int>) -> String {
    String(name().prefix(number(in: lengths)))
  }

  mutating func queries(_ count: Int, _ query: (inout Load) -> SearchQuery) -> [SearchQuery] {
    (0..<count).map { _ in query(&self) }
  }

  /// A text with so many letters inserted, lost, replaced or swapped.
  mutating func misspelt(_ text: String, edits: Int) -> String {
    var letters = Array(text)
    for _ in 0..<edits {
      let letter = "abcdefghijklmnopqrstuvwxyz ".randomElement(using: &generator) ?? "a"
      let place = number(in: 0...max(0, letters.count - 1))
      switch number(in: 0...3) {
      case 0: letters.insert(letter, at: place)
      case 1 where !letters.isEmpty: letters.remove(at: place)
      case 2 where place + 1 < letters.count: letters.swapAt(place, place + 1)
      case _ where !letters.isEmpty: letters[place] = letter
      default: letters.append(letter)
      }
    }
    return String(letters)
  }
}

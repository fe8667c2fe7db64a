import STOLPack

/// SplitMix64 (Steele, Lea and Flood 2014).
package struct Generator: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

/// Taxa and queries of a pack, drawn by a seed.
package struct Load {
  package let pack: Pack
  private var generator: Generator

  package init(_ pack: Pack, seed: UInt64) {
    self.pack = pack
    generator = Generator(seed: seed)
  }

  package mutating func number(in range: ClosedRange<Int>) -> Int {
    .random(in: range, using: &generator)
  }

  /// A species, or any taxon where there are hardly any species.
  package mutating func species() -> TaxonOrdinal {
    let rank = pack.view.taxa.ranks.row(of: .species)
    for _ in 0..<1_000 {
      let taxon = taxon()
      if pack.view.taxa.rank(of: taxon) == rank { return taxon }
    }
    return taxon()
  }

  package mutating func queries(_ count: Int, _ query: (inout Load) -> SearchQuery) -> [SearchQuery]
  {
    (0..<count).map { _ in query(&self) }
  }

  package mutating func taxon() -> TaxonOrdinal {
    TaxonOrdinal(rawValue: .random(in: 0..<UInt32(pack.taxonCount), using: &generator))
  }

  /// The beginning of a name, with so many errors, to be completed.
  package mutating func completion(of lengths: ClosedRange<Int>, edits: Int) -> SearchQuery {
    let beginning = String(name().prefix(.random(in: lengths, using: &generator)))
    return SearchQuery(misspelt(beginning, edits: edits), words: .asTyped, limit: 10)
  }

  package mutating func name() -> String {
    let count = UInt32(pack.taxonCount + pack.nameCount)
    let name = NameOrdinal(rawValue: .random(in: 0..<count, using: &generator))
    return pack.view.names.text(of: name)
  }

  /// Some letters of a word of a name, from its second letter on where it has as many.
  package mutating func piece(of counts: ClosedRange<Int>) -> String {
    let word = name().split(separator: " ").filter { $0.count > counts.lowerBound }
      .randomElement(using: &generator)
    guard let word else { return piece(of: counts) }
    let count = min(.random(in: counts, using: &generator), word.count - 1)
    let start = Int.random(in: 1...word.count - count, using: &generator)
    return String(word.dropFirst(start).prefix(count))
  }

  package mutating func misspelt(_ text: String, edits: Int) -> String {
    var letters = Array(text)
    for _ in 0..<edits {
      let letter = "abcdefghijklmnopqrstuvwxyz ".randomElement(using: &generator) ?? "a"
      let place = Int.random(in: 0...max(0, letters.count - 1), using: &generator)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: letters.insert(letter, at: place)
      case 1 where !letters.isEmpty: letters.remove(at: place)
      case 2 where place + 1 < letters.count: letters.swapAt(place, place + 1)
      case _ where !letters.isEmpty: letters[place] = letter
      default: letters.append(letter)
      }
    }
    return String(letters)
  }

  /// One letter many times, common pieces of names, random letters, 512 random bytes.
  package mutating func hostileText() -> String {
    switch number(in: 0...4) {
    case 0:
      let letter = "abcdefghijklmnopqrstuvwxyz".randomElement(using: &generator) ?? "a"
      return String(
        repeating: letter, count: number(in: 0...3) == 0 ? number(in: 60...512) : number(in: 1...20)
      )
    case 1:
      let letter = String("abcdefghijklmnopqrstuvwxyz".randomElement(using: &generator) ?? "a")
      return Array(repeating: letter, count: number(in: 1...8)).joined(separator: " ")
    case 2:
      let pieces = ["ens", "nsi", "sis", "ata", "ica", "ina", "ide", "us ", "is ", "a c"]
      return (0..<number(in: 1...6)).map { _ in pieces[number(in: 0...pieces.count - 1)] }.joined()
    case 3:
      let letters = (0..<number(in: 1...12)).map { _ in UInt8(number(in: 97...122)) }
      return String(decoding: letters, as: UTF8.self)
    default:
      let bytes = (0..<170).map { _ in UInt8(number(in: 0...255)) }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}

/// Epithets that mean something else in most names.
extension NameReader {
  /// Whether a word is the epithet of a species that was published with a genus, though it is elsewhere part
  /// of an author's name or a marker of a rank: "Zodarion van".
  ///
  /// `NameMatcher` asks a pack for whatever may be one; this is for those who have none.
  func isKnownEpithet(_ word: Int, of genus: Range<Int>) -> Bool {
    let range = words.ranges[word]
    guard Self.knownEpithets.contains(words.bytes, range),
      let genera = Self.genera[String(decoding: words.bytes[range], as: UTF8.self)]
    else { return false }
    return genera.contains { words.isWord(genus, $0) }
  }

  private static let knownEpithets = WordSet(genera.keys.joined(separator: " "))

  /// All of NCBI Taxonomy of 2024-09 whose epithets are such words.
  private static let genera: [String: [String]] = [
    "alii": ["Camponotus", "Heterorhabditis", "Mehdinema", "Pseudophoxinus"],
    "dalla": ["Racta"],
    "des": ["Desmoxytes"],
    "do": ["Lauraesilpha"],
    "forma": ["Sarcophaga"],
    "grex": ["Amblysellus"],
    "la": ["Bolitoglossa", "Leptonetela"],
    "san": ["Smicronyx"],
    "santa": ["Myrinia"],
    "ser": ["Helophorus"],
    "ten": ["Concinnum"],
    "van": ["Zodarion"],
    "zu": ["Malamatidia", "Orcevia"],
  ]
}

/// Epithets that mean something else in most names.
extension NameReader {
  /// Whether a word is the epithet of a species that was published with a genus, though it is elsewhere part
  /// of an author's name, a marker of a rank or what no name has: "Zodarion van".
  ///
  /// `NameMatcher` asks a pack for whatever may be one; this is for those who have none.
  func isKnownEpithet(_ word: Int, of genus: Range<Int>) -> Bool {
    let range = words.ranges[word]
    guard Self.knownEpithets.contains(words.bytes, range),
      let genera = Self.genera[String(decoding: words.bytes[range], as: UTF8.self)]
    else { return false }
    return genera.contains { words.isWord(genus, $0) }
  }

  /// Whether a particle behind a genus, of authors with a year, is one that few people bear, none of whom is
  /// the one that follows: "Bolitoglossa la Campbell, 2010", but "Odynerus du Buysson, 1900".
  ///
  /// Where the bearer is somebody else, the genus with its author is taken for a species.
  func isRareParticle(_ word: Int) -> Bool {
    guard
      let bearers = Self.bearers[String(decoding: words.bytes[words.ranges[word]], as: UTF8.self)],
      word == 1 || range(of: .subgenus) != nil, let genus = range(of: .uninomial),
      !Self.endingsOfFamilies.contains(where: { ending in
        words.bytes[genus].suffix(ending.utf8.count).elementsEqual(ending.utf8)
      })
    else { return false }
    return !bearers.contains(words.bytes, words.core(word + 1))
  }

  private static let endingsOfFamilies = ["idae", "inae", "aceae", "ales", "oidea", "formes"]

  /// People who are called by the rarer particles, without those whose name has others before them.
  private static let bearers: [String: WordSet] = [
    "do": WordSet("Amaral Rosario Nascimento Carmo Valle Vale Prado Monte Couto Rego"),
    "dos": WordSet("Santos Passos Anjos Reis Remedios"),
    "des": WordSet("Moulins Murs Gozis Abbayes Etangs Loges Fontaines Cilleuls"),
    "du": WordSet(
      """
      Buysson Bus Petit Mortier Toit Rietz Chatenet Roi Roy Bocage Puy Chaillu Casse Bois Plessis Preez Boulay
      Pasquier Tertre Val Mont Rondeau
      """),
    "la": WordSet(
      "Greca Rivers Llave Cruz Torre Fosse Porte Roche Marck Peyrouse Sagra Fauci Rue Barre Haye"),
    "lo": WordSet("Bianco Bue"),
    "den": WordSet("Hartog Hollander Heede Berg Tex Bosch"),
  ]

  private static let knownEpithets = WordSet(genera.keys.joined(separator: " "))

  private static let genera: [String: [String]] = [
    "ab": ["Selenops"],
    "alii": ["Camponotus", "Mehdinema", "Pseudophoxinus"],
    "bacterium": ["Navicula"],
    "bis": ["Ruteloryctes"],
    "complex": ["Gonatobotrys", "Rubus"],
    "da": ["Semiothisa"],
    "dalla": ["Racta"],
    "den": ["Gnathopleustes"],
    "des": ["Desmoxytes"],
    "do": ["Lauraesilpha", "Parentia", "Tetramorium"],
    "dos": ["Meteorus"],
    "du": ["Sympycnus"],
    "forma": ["Sarcophaga"],
    "grex": ["Amblysellus"],
    "la": ["Bolitoglossa", "Leptonetela"],
    "not": ["Agra"],
    "san": ["Smicronyx"],
    "santa": ["Myrinia"],
    "ser": ["Helophorus", "Serina"],
    "subser": ["Serina"],
    "ten": ["Concinnum"],
    "van": ["Nocaracris", "Zodarion"],
    "zu": ["Malamatidia"],
  ]
}

/// Words by which people say that they are not sure of a name, or something else that is no part of one.
enum NameWords {
  /// The first word of a text by which somebody doubts it, or says what no name and no author says.
  static func first(in text: String) -> String? {
    let words = text.lowercased().split { !$0.isLetter }
    return words.first { doubts.contains(String($0)) }.map(String.init)
  }

  /// In English, German, French, Spanish, Portuguese, Italian and Dutch.
  private static let doubts: Set<String> = set(
    """
    not no nor or maybe perhaps possibly possible poss probably probable prob likely unlikely presumably presumed
    presumable apparently apparent seemingly supposedly supposed potentially potential unsure uncertain uncertainly unclear
    unknown unidentified undetermined unconfirmed unverified doubtful doubt doubted dubious questionable tentative
    tentatively provisional provisionally guess guessed sure certain suspected suspect wrong check checked confirm
    confirmed verify like similar similarly resembling resembles looks seems near nearby close almost approx
    approximately about around friends others other something some sort kind hybrid hybrids cross mix mixed
    hyb hybr hybs hybride hybriden híbrido hibrido ibrido
    vielleicht wohl wahrscheinlich vermutlich evtl eventuell unsicher fraglich nicht oder ähnlich unbekannt sicher
    artig wie
    peut être probablement incertain douteux inconnu ou pas semblable
    quizás quizá tal vez probablemente posible posiblemente dudoso incierto desconocido parecido similar
    talvez provavelmente possivelmente duvidoso incerto desconhecido
    forse probabile probabilmente incerto dubbio sconosciuto simile
    misschien waarschijnlijk mogelijk onzeker twijfelachtig onbekend
    """
  )

  /// Whether a word tells of a plant or an animal, or of where it is, and is hardly anybody's name.
  static func isOrdinary(_ word: String) -> Bool {
    let word = word.lowercased()
    return ordinary.contains(word) || doubts.contains(word)
  }

  private static let ordinary: Set<String> = set(
    """
    dead dying alive live living gone lost felled cut removed remove replaced replace planted replanted pruned coppiced
    pollard pollarded stump vacant empty missing damaged broken fallen hollow diseased sick healthy good fair poor
    tree trees bush shrub hedge seedling sapling shoot clone plant plants flower flowers fruit leaf leaves root
    young old mature juvenile immature adult male female males females pair nest egg eggs larva pupa
    yng juv imm subad cult cultiv plt pltd seedl sdl sdlg stmp repl introd nativ
    big small large tall short little giant dwarf red white black blue green yellow golden purple pink variegated weeping
    garden park street road lane avenue house home wall gate path bridge river lake pond school church field wood forest
    north south east west left right front back inside outside behind beside between
    seen heard photo photographed note notes see species genus family variety form cultivar tag number here there
    group groups grp complex cplx compl intermediate intermed interm
    unk unkn unid unident undet dub incert misid misident tbc tbd unc unconf anon auth
    dbh diam cond tpo sapl graft mutt crossbreed rd blvd
    """)

  private static func set(_ words: String) -> Set<String> {
    Set(words.split(whereSeparator: \.isWhitespace).map(String.init))
  }
}

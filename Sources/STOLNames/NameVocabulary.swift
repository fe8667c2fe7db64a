/// The words of names and authorships that mean something by themselves.
enum NameVocabulary {
  /// What such a word does in a name.
  enum Role: UInt8 {
    /// A marker before an epithet below the species: "subsp.".
    case infraspecific
    /// A marker before a name between genus and species: "sect.".
    case infrageneric
    /// Part of an author's name in lower case: "van".
    case particle
    /// It links authors: "et", "ex".
    case connector
    /// "f.": the son, or a form.
    case filius
    /// Who is not named, or no single person: "hort."
    case anonymous
    /// "cv."
    case cultivar
    /// Here begins what limits or comments the name: "sensu".
    case phrase
    /// There is no scientific name here, or not a whole one: "sp.".
    case informal
    /// A mark of doubt: "cf.".
    case doubt
    /// "×" as a letter.
    case times
  }

  /// Up to sixteen bytes of ASCII in lower case.
  struct Key: Hashable {
    var low: UInt64 = 0
    var high: UInt64 = 0

    /// nil if the word is longer or not ASCII.
    init?(_ bytes: [UInt8], _ range: Range<Int>) {
      guard range.count <= 16, !range.isEmpty else { return nil }
      for index in range {
        var byte = bytes[index]
        guard byte < 0x80 else { return nil }
        if UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte { byte |= 0x20 }
        high = high << 8 | low >> 56
        low = low << 8 | UInt64(byte)
      }
    }

    init?(_ word: some StringProtocol) { self.init(Array(word.utf8), 0..<word.utf8.count) }
  }

  /// The role of a word in any case, or nil.
  static func role(_ bytes: [UInt8], _ range: Range<Int>) -> Role? {
    guard mayHave(bytes, range) else { return nil }
    return Key(bytes, range).flatMap { table[$0] }
  }

  /// Whether a known word has this first letter, this length and such a last letter: most have not.
  private static func mayHave(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    guard range.count <= 16, let first = range.first, bytes[first] < 0x80 else { return false }
    let wanted = shape(length: range.count, last: bytes[range.upperBound - 1])
    return shapes[Int(lower(bytes[first]))] & wanted == wanted
  }

  private static func shape(length: Int, last: UInt8) -> UInt32 {
    1 << UInt32(length - 1) | 1 << (16 + UInt32(lower(last) & 15))
  }

  private static func lower(_ byte: UInt8) -> UInt8 {
    UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
  }

  /// By first letter: the lengths, and the last letters by their low four bits.
  private static let shapes: [UInt32] = {
    var shapes = [UInt32](repeating: 0, count: 128)
    for key in table.keys {
      var length = 1
      var first = UInt8(truncatingIfNeeded: key.low)
      for position in 1..<16 {
        let word =
          position < 8 ? key.low >> UInt64(8 * position) : key.high >> UInt64(8 * (position - 8))
        guard word & 0xff != 0 else { break }
        first = UInt8(truncatingIfNeeded: word)
        length += 1
      }
      shapes[Int(first)] |= shape(length: length, last: UInt8(truncatingIfNeeded: key.low))
    }
    return shapes
  }()

  /// Whether a first word says that no name follows: "Candidatus", "Uncultured".
  static func isPlaceholder(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    Key(bytes, range).map(placeholders.contains) ?? false
  }

  private static let placeholders = Set(
    ["candidatus", "not", "none", "unnamed", "unamed"].compactMap { Key($0) })

  private static let table: [Key: Role] = {
    var table: [Key: Role] = [:]
    for (role, words) in [
      (Role.infraspecific, infraspecific), (.infrageneric, infrageneric), (.particle, particles),
      (.connector, connectors), (.filius, filii), (.phrase, phrases), (.informal, informal),
      (.doubt, doubts),
      (.anonymous, "hort. hort hortul. ht. ht mihi anon. anon anonymous"),
      (.cultivar, "cv. cv cultivar cultivar."), (.times, "x"),
    ] {
      for word in words.split(whereSeparator: \.isWhitespace) {
        if let key = Key(word) { table[key] = role }
      }
    }
    return table
  }()

  private static let infraspecific = """
    subsp. subsp ssp. ssp subspec. subspecies var. var varietas variety subvar. subvar forma fo. form. form subf. subforma
    convar. convar nothosubsp. nothossp. nothovar. nothof. nothoforma f.sp. fsp. pv. pathovar bv. biovar proles prol. lusus
    ab. aberr. aberration mut. monstr. agamosp. agamovar. nat. natio morph morpha race grex subvariety stirps subsubsp. infrasubsp. fm. fma. fm fma morph. agamossp. forma. pathovar. nvar. nsubsp. nothomorph.
    """
  private static let infrageneric = """
    subgen. subgen subg. subg subgenus sect. sect sectio section subsect. subsect subsectio ser. subser. trib.
    tr. subtrib. subtr. supertrib. subfam. supersect. superser. nothosect. nothosubgen. nothoser. div. cohort.
    """
  private static let particles = """
    de d d. di da do du des dos das del della delle dello degli dei dal dalla dall' van von vom v v. v.d. v.d der den dem ten
    ter zu zur zum af av el al il la le les lo los las e y i st. st s. san santa saint sainte 't in't t de' auf op ver vander
    vanden bin ben ibn
    """
  private static let connectors = """
    & et and ex ex. in in. apud ap. with und and/or et. al. al alii aliorum etal. etal coll. cum per a.o. others and. col. i.e.
    """
  private static let filii =
    "f. fil. fil filius f bis ter jr. jr jun. sr. sen. quater"
  private static let phrases = """
    sensu sens. sec. sec auct. auct auctt. auctorum aucts. nec non not emend. emend nom. nomen comb. sp.nov. gen.nov. stat.
    nov. n.sp. s.l. s.l s.lat. s.str. s.str s.s. s.ampl. p.p. p.p pro ined. ined orth. nobis excl. exclud.
    misapplied mss. mss ms ms. unpublished unpubl. p.max.p. p.min.p. syn. nom.nud. nom.illeg. nom.inval. comb.nov.
    stat.nov. nom.cons. nom.rej. preocc. preoccupied suppressed
    """
  private static let informal = """
    sp. spp. sp spp spec. spec species nr. nr npv mnpv snpv near bacterium virus viruses phage viroid satellite phytoplasma endosymbiont symbiont
    environmental sample samples incertae sedis clade inc. indet. indet undet. unidentified uncultured unclassified uncultivated strain
    str. isolate clone serovar serotype serogroup sv. genosp. genomosp. genomospecies biotype ecotype group complex agg. aggr. agg
    aggregate hybrid hybrids metagenome plasmid prion mixed synthetic unassigned unknown unnamed undescribed undefined
    gen. culture cultures consortium enrichment like of subgroup type morphospecies affinis.
    """
  private static let doubts = "cf. cf aff. aff ? cfr. cfr confer"
}

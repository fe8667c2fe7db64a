/// Reads names as people write them: with authors, qualifiers, marks, wrong capitals and what stands
/// behind them by chance.
///
/// Nothing is refused: what can be understood from the beginning on is taken apart, the rest is
/// `Role.skipped`. `ScientificNameParser` is the strict reader, which keeps a name whole when in doubt.
/// One reader may read any number of names; once its buffers have grown it allocates nothing for names
/// of one taxon.
///
/// It follows articles 4 to 6, 11 and 25 of the zoological code, 18 to 24, 46 and H.1 to H.6 of the code
/// for algae, fungi, and plants, and for cf., aff. and their like Bengtson 1988, "Open nomenclature".
package struct NameReader {
  /// What kind of name a text is.
  package enum Kind: String, Sendable {
    /// A name under one of the codes, perhaps with something behind it.
    case scientific
    /// The taxon is known to a genus or species only: "Aus sp.", "Aus cf. bus".
    case open
    /// "Aus bus × Aus cus", "Aus bus + Cus dus".
    case hybridFormula
    /// A virus, a plasmid and the like, whose names are no binomials.
    case virus
    /// A number of a data base of sequences: "BOLD:AAA1234", "SH1140752.08FU".
    case barcode
    /// Anything else: "uncultured bacterium", "Abbott's moray eel".
    case informal
    /// Nothing.
    case empty
  }

  /// What a part of a name is.
  package enum Role: String, Sendable {
    /// "×", or "+" of a graft, before a name.
    case hybridSign
    /// The same between two names.
    case formulaSign
    /// The first name: a genus or what is above it.
    case uninomial
    /// "(Bus)" between genus and species.
    case subgenus
    /// A marker of a rank: "subg.", "var.".
    case marker
    /// The name behind a marker between genus and species.
    case infragenus
    /// The epithet of the species.
    case species
    /// An epithet below it.
    case infraspecies
    /// What a cultivar is called.
    case cultivar
    /// "cf.", "aff.", "sp.".
    case qualifier
    /// An epithet that the taxon is only compared with.
    case compared
    /// Who named what the name ends with, and when.
    case authorship
    /// The authorship of a part before the last one.
    case formerAuthorship
    /// Whose use of the name is meant, or what is said of it: "sensu Bus, 1900", "nom. nud.".
    case phrase
    /// The designation of a strain or of a taxon without a name.
    case designation
    /// What was not understood.
    case skipped
  }

  /// A part: what it is, and which bytes of `text`.
  package struct Part: Equatable, Sendable {
    package let role: Role
    package let range: Range<Int>
  }

  /// What had to be mended, and what there was besides.
  package struct Marks: OptionSet, Sendable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }
    /// The genus is shortened to its first letters.
    package static let isAbbreviated = Marks(rawValue: 1 << 0)
    /// Capitals or small letters stood where the codes want the other.
    package static let hadOtherCase = Marks(rawValue: 1 << 1)
    /// Tags, entities, letters of another script, or signs were removed or replaced.
    package static let wasCleaned = Marks(rawValue: 1 << 2)
    /// It had a dagger.
    package static let isExtinct = Marks(rawValue: 1 << 3)
    /// It had a mark of doubt.
    package static let isUncertain = Marks(rawValue: 1 << 4)
    /// It begins with "Candidatus".
    package static let isCandidate = Marks(rawValue: 1 << 5)
    /// It is a hybrid that has a name.
    package static let isHybrid = Marks(rawValue: 1 << 6)
    /// Something was not understood.
    package static let hasRest = Marks(rawValue: 1 << 7)
  }

  /// What the text is.
  package internal(set) var kind = Kind.empty
  /// The parts, in their order.
  package internal(set) var parts: [Part] = []
  /// What had to be mended.
  package internal(set) var marks: Marks = []
  /// The year of description: that of the first authors, those in parentheses where there are such.
  package internal(set) var year: Int?

  /// The text, cleaned, as words.
  var words = NameWords("")
  /// The word that comes next.
  var next = 0
  /// The word before which the name ends that is being read.
  var end = 0

  /// A reader.
  package init() {}

  /// The text that the ranges of the parts are of, in UTF-8.
  package var text: [UInt8] { words.bytes }

  /// Reads a name in UTF-8; what is no UTF-8 is kept as it is.
  ///
  /// - Complexity: O(length)
  package mutating func read(_ name: some Collection<UInt8>) { read(Array(name)) }

  /// Reads a name in UTF-8; what is no UTF-8 is kept as it is.
  ///
  /// - Complexity: O(length)
  package mutating func read(_ name: [UInt8]) {
    kind = .empty
    parts.removeAll(keepingCapacity: true)
    marks = []
    year = nil
    next = 0
    clean(name)
    guard words.count > 0 else { return }
    kind = kindWithoutName() ?? .scientific
    guard kind == .scientific else { return }
    end = words.count
    readHybridSign()
    guard readUninomial() else {
      parts.removeAll(keepingCapacity: true)
      kind = .informal
      return
    }
    guard let sign = formulaSign() else {
      readRest()
      if let first = parts.first, first.role == .qualifier { compareAll() }
      return
    }
    readFormula(sign)
  }

  /// Reads what follows the first name.
  private mutating func readRest() {
    readInfragenus()
    readEpithets()
    readAuthorship()
    if kind == .scientific, next < end, range(of: .cultivar) == nil { _ = readCultivar() }
    skipRest()
  }

  /// Makes the epithets those of what the taxon is compared with.
  private mutating func compareAll() {
    kind = .open
    for index in parts.indices
    where parts[index].role == .species || parts[index].role == .infraspecies {
      parts[index] = Part(role: .compared, range: parts[index].range)
    }
  }

  /// Reads names with signs between them, of which the first one stands at `sign`.
  private mutating func readFormula(_ sign: Int) {
    end = sign
    readRest()
    while next < words.count {
      kind = .scientific
      end = words.count
      take(.formulaSign, to: next + 1)
      if next < end, !isEpithet(next), !isMarker(next) {
        _ = readUninomial()
      }
      end = formulaSign() ?? words.count
      readRest()
    }
    kind = .hybridFormula
    year = nil
  }

  /// The bytes of the last part of a role, or nil.
  package func range(of role: Role) -> Range<Int>? { parts.last { $0.role == role }?.range }

  /// Notes that words `next` to before `end` are of a role, and goes on behind them.
  mutating func take(_ role: Role, to end: Int) {
    guard end > next else { return }
    add(role, words.ranges[next].lowerBound..<words.ranges[end - 1].upperBound)
    next = end
  }

  mutating func add(_ role: Role, _ range: Range<Int>) {
    parts.append(Part(role: role, range: range))
  }

  private mutating func skipRest() {
    guard next < end else { return }
    marks.insert(.hasRest)
    take(kind == .open || isSpecimen(next) ? .designation : .skipped, to: end)
  }
}

extension NameReader {
  /// Appends the name without authors, markers and signs: "Aus bus cus", "Aus 'Bus'"; of a name between
  /// genus and species the last word; of a formula all names; nothing where there is none.
  ///
  /// - Parameters:
  ///   - isCertain: leave out what the taxon is only compared with.
  ///   - isPlain: write letters with marks and ligatures as the codes do, "ü" as "ue", and numbers as
  ///     words.
  ///   - output: where it is appended.
  /// - Complexity: O(length)
  package func appendCanonical(
    isCertain: Bool = false, isPlain: Bool = false, to output: inout [UInt8]
  ) {
    var start = output.count
    var genus: Range<Int>?
    for part in parts {
      switch part.role {
      case .uninomial:
        // "Aus bus × A. cus".
        let isShort = words.bytes[part.range].last == UInt8(ascii: ".")
        if !isShort || genus == nil { genus = part.range }
      case .species where output.count == start:
        if let genus { appendWord(genus, isCapital: true, isPlain: isPlain, to: &output) }
      case .species, .infraspecies, .cultivar: break
      case .compared: if isCertain { continue }
      case .infragenus: output.removeSubrange(start...)
      case .formulaSign:
        output += " \(words.isWord(part.range, "+") ? "+" : "×") ".utf8
        start = output.count
        continue
      default: continue
      }
      let range = part.role == .uninomial ? genus ?? part.range : part.range
      if output.count > start { output.append(UInt8(ascii: " ")) }
      if part.role == .cultivar {
        output += "'".utf8
        output += words.bytes[withoutQuotes(range)]
        output += "'".utf8
      } else {
        appendWord(range, isCapital: output.count == start, isPlain: isPlain, to: &output)
      }
    }
    // "Aus bus × ?".
    if output.last == UInt8(ascii: " ") { output.removeLast() }
  }

  private func withoutQuotes(_ range: Range<Int>) -> Range<Int> {
    var range = range
    func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") }
    while let first = range.first, isQuote(words.bytes[first]) {
      range = (first + 1)..<range.upperBound
    }
    while let last = range.last, isQuote(words.bytes[last]) { range = range.lowerBound..<last }
    return range
  }

  /// The authorship of the name as written, with single spaces; empty where there is none, and for a
  /// formula, whose names have one each.
  package var authorship: String {
    guard kind != .hybridFormula, let range = range(of: .authorship) else { return "" }
    return words.joined(range)
  }

  /// A word of a name, in the case that it should have.
  private func appendWord(
    _ range: Range<Int>, isCapital: Bool, isPlain: Bool, to output: inout [UInt8]
  ) {
    let start = output.count
    var index = range.lowerBound
    if isPlain, let (word, end) = NumberWord.word(words.bytes, range) {
      output += word.utf8
      index = end
    }
    while index < range.upperBound {
      let byte = words.bytes[index]
      if byte < 0x80 {
        index += 1
        // An apostrophe is no letter of a name: ICZN 32.5.2.3, ICN 60.
        if isPlain,
          byte == UInt8(ascii: "'") || byte == UInt8(ascii: "`")
            || byte == UInt8(ascii: ".") && index < range.upperBound
        {
          continue
        }
        let isFirst = output.count == start
        output.append(isFirst && isCapital ? Letters.upper(byte) : Letters.lower(byte))
        continue
      }
      let length = Letters.length(byte)
      let end = min(index + length, range.upperBound)
      if isPlain, let scalar = words.scalar(index..<end), 0x300..<0x370 ~= scalar.value {
        // A mark behind its letter: "u" and "¨" are "ü".
        if scalar == "\u{308}", let last = output.last, "aouAOU".utf8.contains(last) {
          output.append(UInt8(ascii: "e"))
        }
      } else if isPlain, let scalar = words.scalar(index..<end), let plain = Letters.plain(scalar) {
        for byte in plain.utf8 {
          output.append(output.count == start && isCapital ? Letters.upper(byte) : byte)
        }
      } else {
        output.append(contentsOf: words.bytes[index..<end])
      }
      index = end
    }
  }
}

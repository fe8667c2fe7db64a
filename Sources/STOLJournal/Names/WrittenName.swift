import STOLNames
import STOLPack

/// A name taken apart by what the journal does with it: what a database may know, and what is said beside that.
struct WrittenName {
  /// The name with its authors, without a cultivar and without what is said beside it.
  private(set) var name = ""
  /// The same without authors, markers and signs.
  private(set) var canonicalName = ""
  /// The cultivar, without quotation marks.
  private(set) var cultivar: String?
  /// What is said beside the name, as "- dead".
  private(set) var qualifier: String?
  /// Whether it ends with a genus or species on purpose, as "Aus sp." does.
  private(set) var isOpen = false
  /// Whether a strain, specimen or sample is part of it by its number.
  private(set) var hasDesignation = false
  /// Whether it was read with another letter than it has, a small one for a capital.
  private(set) var isMended = false
  /// Who named what the name ends with.
  private(set) var authorship = ""
  /// What stands in parentheses between genus and species.
  private(set) var subgenus: String?
  /// The genus of a name between genus and species, "Aus (Bus)".
  private(set) var genusOfSubgenus: String?
  /// Whether it has the sign of a hybrid before an epithet, and before its first word.
  private(set) var isHybrid = false, isHybridGenus = false
  /// Why it is no more than a suggestion, whatever a database has; nil where all of it was read as a name.
  private(set) var obstacle: NameObstacle?
  /// What the name is a part of by its own words, the nearest first, each with the words that say which part.
  ///
  /// Of "Aus bus var. cus" it is "Aus bus", with "var. cus".
  private(set) var wholes: [(name: String, part: String)] = []

  /// A name that somebody wrote.
  init(_ written: String, _ reader: inout NameReader) {
    // A number in quotes is no year of the authors before it.
    let (text, number) = Self.quotedNumberEnd(of: written) ?? (written, nil)
    reader.read(Array(text.utf8))
    if let other = Self.withSmallEpithet(reader) {
      reader.read(other)
      isMended = reader.kind == .scientific
    }
    // A formula is one of several names.
    guard reader.kind == .scientific || reader.kind == .open else {
      obstacle = .noName
      return
    }
    var canonical: [UInt8] = []
    reader.appendCanonical(isCertain: true, to: &canonical)
    canonicalName = String(decoding: canonical, as: UTF8.self)
    let parts = reader.parts.map { part in
      (role: part.role, text: String(decoding: reader.text[part.range], as: UTF8.self))
    }
    var reading = Reading()
    for (index, part) in zip(parts.indices, parts) {
      let next = index + 1 < parts.count ? parts[index + 1].role : nil
      if part.role == .marker, next == .infraspecies || next == .hybridSign {
        wholes.insert((reading.words.joined(separator: " "), Self.part(parts[index...])), at: 0)
      }
      reading.take(part.role, part.text, before: next)
    }
    if let number { reading.takeCultivar(number) }
    (cultivar, isOpen) = (reading.cultivar, reading.isOpen)
    hasDesignation = reading.hasDesignation
    (isHybrid, isHybridGenus) = (reading.isHybrid, reading.isHybridGenus)
    (authorship, subgenus) = (reading.authorship, reading.subgenus)
    if parts.contains(where: { $0.role == .infragenus }) {
      genusOfSubgenus = parts.first { $0.role == .uninomial }?.text
    }
    var beside = reading.beside
    if cultivar == nil, let last = beside.last, let (before, quoted) = Self.quotedEnd(of: last) {
      cultivar = quoted
      beside.removeLast()
      reading.unread.removeAll { $0 == last }
      if !before.isEmpty {
        beside.append(before)
        if !Self.concepts.contains(Self.letters(before)) { reading.unread.append(before) }
      }
    }
    name = reading.words.joined(separator: " ")
    qualifier = beside.isEmpty ? nil : beside.joined(separator: " ")
    obstacle = Self.obstacle(text, parts.map(\.text), reading, reader.marks)
  }

  /// The parts of a name, one behind the other.
  private struct Reading {
    var words: [String] = []
    var beside: [String] = []
    var unread: [String] = []
    var usage: String?
    var cultivar: String?
    var authorship = ""
    var formerAuthorships: [String] = []
    var subgenus: String?
    var isOpen = false
    var hasDesignation = false
    var isHybrid = false
    var isHybridGenus = false
    private var hasEpithet = false
    private var isCompared = false
    private var isBehindMarker = false

    /// Takes what stands in quotes or behind "cv.", which is a cultivar if it is written as one.
    mutating func takeCultivar(_ text: String, isMarked: Bool = false) {
      if let epithet = WrittenName.cultivar(in: text, isMarked: isMarked) {
        cultivar = epithet
      } else {
        beside.append(text)
        unread.append(text)
      }
    }

    mutating func take(_ role: NameReader.Role, _ text: String, before next: NameReader.Role?) {
      switch role {
      case .cultivar: takeCultivar(text, isMarked: isBehindMarker)
      case .marker where next == .cultivar: isBehindMarker = true
      case .qualifier: takeQualifier(text, before: next)
      case .compared, .designation:
        isOpen = true
        beside.append(text)
        if role == .compared || isCompared, WrittenName.isEpithet(text) {
          isCompared = true
        } else if WrittenName.isDesignation(text), !WrittenName.isGeneration(text) {
          hasDesignation = true
        } else {
          unread.append(text)
        }
      case .phrase:
        beside.append(text)
        if WrittenName.concepts.contains(WrittenName.letters(text)) { break }
        if text.lowercased().contains("auct") { usage = text } else { unread.append(text) }
      case .skipped:
        beside.append(text)
        if cultivar == nil || !WrittenName.isRootstock(text) { unread.append(text) }
      // "Aus (red)": no name of a subgenus begins so.
      case .subgenus where text.first?.isLowercase == true:
        beside.append("(\(text))")
        unread.append("(\(text))")
      case .subgenus:
        subgenus = text
        words.append("(\(text))")
      // What begins with a parenthesis and goes on behind the authors is no author.
      case .authorship where text.contains("(") && !text.contains(")"):
        beside.append(text)
        unread.append(text)
      // They have named what the taxon is compared with.
      case .authorship where isCompared: beside.append(text)
      default:
        if role == .authorship { authorship = text }
        if role == .formerAuthorship { formerAuthorships.append(text) }
        if role == .hybridSign {
          if words.isEmpty { isHybridGenus = true } else { isHybrid = true }
        }
        if role == .species || role == .infraspecies { hasEpithet = true }
        words.append(text)
      }
    }

    private mutating func takeQualifier(_ text: String, before next: NameReader.Role?) {
      isOpen = true
      beside.append(text)
      let letters = WrittenName.letters(text)
      let isKnown =
        hasEpithet
        ? WrittenName.aggregates.contains(letters)
        : WrittenName.openWords.contains(letters)
          || WrittenName.comparisons.contains(letters)
            && (next == .compared || next == .designation)
      if !isKnown { unread.append(text) }
      isCompared = WrittenName.comparisons.contains(letters)
    }
  }

  /// What keeps a name from being an identification that was read so.
  private static func obstacle(
    _ text: String, _ parts: [String], _ reading: Reading, _ marks: NameReader.Marks
  ) -> NameObstacle? {
    if marks.contains(.isUncertain)
      || text.contains(where: { "?\u{BF}\u{FF1F}\u{61F}".contains($0) })
    {
      return .doubt("?")
    }
    let said =
      reading.beside + reading.unread + reading.formerAuthorships
      + [reading.authorship, reading.subgenus].compactMap { $0 }
    for text in said {
      if let word = NameWords.first(in: text) { return .doubt(word) }
    }
    if let usage = reading.usage { return .usage(usage) }
    if !reading.unread.isEmpty { return .unread(reading.unread.joined(separator: " ")) }
    if let former = reading.formerAuthorships.first(where: { !WrittenAuthors.isPlausible($0) }) {
      return .authors(former)
    }
    // Whatever was mended, or left out, is no letter of the name.
    guard letters(text) == letters(parts.joined()) else { return .letters }
    return marks.contains(.isAbbreviated) ? .abbreviated : nil
  }

  /// A text without spaces, and the marks that parts of a name may have at them or not.
  fileprivate static func letters(_ text: String) -> String {
    Folder.fold(text).filter { !" .,;:()[]'".contains($0) }
  }

  /// Words that say that no more than the genus is known.
  fileprivate static let openWords: Set<String> = [
    "sp", "spp", "spec", "species", "indet", "gensp", "spindet", "spnov",
  ]
  /// Words behind a genus before the epithet of what it is like.
  fileprivate static let comparisons: Set<String> = ["cf", "cfr", "confer", "aff", "affinis", "nr"]
  /// Words that take in what is hard to tell from a species.
  fileprivate static let aggregates: Set<String> = ["agg", "aggr", "aggregate"]
  /// How wide a name is meant, which its database need not say.
  fileprivate static let concepts: Set<String> = [
    "sl", "slat", "ss", "sstr", "sensulato", "sensustricto", "sensulat", "sensustr", "sampl",
  ]

  /// "1", "B", "A2": by what a person tells species of a genus from one another.
  fileprivate static func isDesignation(_ text: String) -> Bool {
    guard let first = text.first, first.isUppercase || first.isNumber else { return text == "nov." }
    return text.count <= 2
      || text.count <= 8 && text.contains(where: \.isNumber)
        && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
  }

  /// "F1": a hybrid, by how many generations it is away from its parents.
  fileprivate static func isGeneration(_ text: String) -> Bool {
    text.count == 2 && text.first == "F" && text.last?.isNumber ?? false
  }

  /// One word in small letters.
  fileprivate static func isEpithet(_ text: String) -> Bool {
    text.count > 2 && text.allSatisfy { $0.isLetter && $0.isLowercase || $0 == "-" }
  }

  /// "on M9": what a cultivar is grafted on.
  fileprivate static func isRootstock(_ text: String) -> Bool {
    let words = text.split(separator: " ")
    return words.count == 2 && words[0].lowercased() == "on"
      && (words[1].first.map { $0.isUppercase || $0.isNumber } ?? false)
  }

  /// The text with a small letter where it has "Aus x Bus", which reads as a formula of two genera, but may be the
  /// hybrid "Aus x bus"; nil of anything else.
  private static func withSmallEpithet(_ reader: NameReader) -> [UInt8]? {
    guard reader.kind == .hybridFormula, reader.parts.count > 2,
      reader.parts.prefix(3).map(\.role) == [.uninomial, .formulaSign, .uninomial]
    else { return nil }
    var text = reader.text
    let first = reader.parts[2].range.lowerBound
    guard (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(text[first]) else { return nil }
    text[first] |= 0x20
    return text
  }

  /// The words from a marker on that say which part of a species is meant.
  private static func part(
    _ parts: ArraySlice<(role: NameReader.Role, text: String)>
  ) -> String {
    var words: [String] = []
    for (index, part) in zip(parts.indices, parts) {
      let isOfCultivar =
        part.role == .marker && index + 1 < parts.endIndex && parts[index + 1].role == .cultivar
      if [.marker, .infraspecies, .hybridSign].contains(part.role), !isOfCultivar {
        words.append(part.text)
      }
    }
    return words.joined(separator: " ")
  }

  /// The epithet of a cultivar, by the code for cultivated plants; nil of anything else, and of a doubt.
  ///
  /// It stands in single quotes or behind "cv.", and each of its words has a capital but for those that link others:
  /// "'Beauty of Bath'".
  fileprivate static func cultivar(in text: String, isMarked: Bool) -> String? {
    var epithet = text[...]
    if let first = text.first, let last = text.last, text.count > 2, singleQuotes.contains(first),
      singleQuotes.contains(last)
    {
      epithet = epithet.dropFirst().dropLast()
    } else if !isMarked {
      return nil
    }
    let words = epithet.split(separator: " ")
    guard let first = words.first, let last = words.last, isCapitalised(first), isCapitalised(last),
      words.allSatisfy({ isCapitalised($0) || linkingWords.contains(String($0)) }),
      !epithet.contains(where: { "\"\u{201C}\u{201D}()[]".contains($0) })
    else { return nil }
    // "No 7" is a number.
    let named = words.count > 1 && last.allSatisfy(\.isNumber) ? words.dropFirst() : words[...]
    return NameWords.first(in: named.joined(separator: " ")) == nil
      ? String(epithet).trimmed() : nil
  }

  private static func isCapitalised(_ word: Substring) -> Bool {
    word.first { $0.isLetter || $0.isNumber }.map { $0.isUppercase || $0.isNumber } ?? false
  }

  private static let singleQuotes = "'\u{2018}\u{2019}"
  /// Words within the names of cultivars that are written small.
  private static let linkingWords: Set<String> = particles.union([
    "of", "and", "the", "a", "an", "for", "to", "on", "at", "with", "&", "\u{E0}", "des", "les",
    "und",
    "am", "im", "zur", "zum", "en", "y", "el", "las", "los", "e", "dei", "delle", "op", "het",
  ])

  /// A number in quotes with which a text ends, and what stands before it.
  private static func quotedNumberEnd(of text: String) -> (before: String, quoted: String?)? {
    let text = text.trimmed()
    guard let last = text.last, "'\"\u{2019}\u{201D}".contains(last),
      let start = text.dropLast().lastIndex(where: { "'\"\u{2018}\u{201C}".contains($0) })
    else { return nil }
    let number = text[text.index(after: start)...].dropLast()
    let before = text[..<start]
    guard !number.isEmpty, number.allSatisfy(\.isNumber), before.last == " ",
      !before.trimmed().lowercased().hasSuffix(" cv.")
    else { return nil }
    return (before.trimmed(), String(text[start...]))
  }

  /// A cultivar in quotes with which a text ends, and what stands before it.
  private static func quotedEnd(of text: String) -> (before: String, quoted: String)? {
    guard let quote = text.last, quote == "'" else { return nil }
    var before: Character = " "
    for index in text.indices.dropLast() {
      let next = text[text.index(after: index)]
      if text[index] == quote, before == " ", next.isUppercase || next.isNumber,
        let quoted = cultivar(in: String(text[index...]), isMarked: false)
      {
        return (text[..<index].trimmed(), quoted)
      }
      before = text[index]
    }
    return nil
  }

  /// A text without a remark in parentheses, brackets or double quotes at its end, and the remark: "Aus bus (Domestic
  /// type)"; nil where there is none, or where it may be who named the taxon: one word in parentheses, unless that is
  /// said to be enough.
  static func withoutRemark(
    _ text: String, isOneWordEnough: Bool = false
  ) -> (name: String, remark: String)? {
    let text = text.trimmed()
    guard let last = text.last, let first = openingMarks[last],
      let start = text.dropLast().lastIndex(of: first), start > text.startIndex
    else { return nil }
    let inner = text[text.index(after: start)..<text.index(before: text.endIndex)]
    let words = inner.split(separator: " ")
    // Authors have years, commas and stops, or are one word.
    guard words.count >= (last == ")" && !isOneWordEnough ? 2 : 1),
      inner.allSatisfy({ $0.isLetter || " -/'".contains($0) }),
      !words.contains(where: { particles.contains($0.lowercased()) })
    else { return nil }
    let name = text[..<start].trimmed()
    return name.isEmpty ? nil : (name, String(text[start...]))
  }

  /// What a remark begins with, by what it ends with.
  private static let openingMarks: [Character: Character] = [
    ")": "(", "]": "[", "\"": "\"", "\u{201D}": "\u{201C}",
  ]

  /// Small words in the names of authors.
  private static let particles: Set<String> = [
    "d", "da", "de", "del", "della", "den", "der", "di", "do", "dos", "du", "et", "ex", "in", "la",
    "le", "st", "ten", "ter", "van", "vander", "vom", "von", "zu",
  ]

  /// The names of which a text with slashes is one, each whole: of "Aus bus/cus" these are "Aus bus" and "Aus cus";
  /// none where it is no such text.
  static func alternatives(in text: String) -> [String] {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map {
      $0.split(separator: " ")
    }
    guard (2...alternativeCount).contains(parts.count), parts[0].count > 1 else { return [] }
    var names: [String] = []
    for part in parts {
      guard let first = part.first?.first else { return [] }
      let isNamed = names.isEmpty || first.isUppercase
      guard isNamed || part.count < parts[0].count else { return [] }
      let words = isNamed ? part : parts[0].dropLast(part.count) + part
      names.append(words.joined(separator: " "))
    }
    return names
  }

  /// More names than these are no text that a person wrote.
  private static let alternativeCount = 16
}

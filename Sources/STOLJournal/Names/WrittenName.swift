import STOLNames

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
  /// Whether somebody was not sure of it.
  private(set) var isDoubted = false
  /// Whether another author's use of the name is meant, and so not the taxon that has it.
  private(set) var isOfOthers = false
  /// What the name is a part of by its own words, the nearest first, each with the words that say which part.
  ///
  /// Of "Aus bus var. cus" it is "Aus bus", with "var. cus".
  private(set) var wholes: [(name: String, part: String)] = []

  /// A name that somebody wrote.
  init(_ text: String, _ reader: inout NameReader) {
    reader.read(Array(text.utf8))
    if let other = Self.withSmallEpithet(reader) {
      reader.read(other)
      isMended = reader.kind == .scientific
    }
    // A formula is one of several names.
    guard reader.kind == .scientific || reader.kind == .open else { return }
    isDoubted = reader.marks.contains(.isUncertain)
    var canonical: [UInt8] = []
    reader.appendCanonical(isCertain: true, to: &canonical)
    canonicalName = String(decoding: canonical, as: UTF8.self)
    let parts = reader.parts.map { part in
      (role: part.role, text: String(decoding: reader.text[part.range], as: UTF8.self))
    }
    var words: [String] = []
    var beside: [String] = []
    for (index, (role, text)) in parts.enumerated() {
      let next = index + 1 < parts.count ? parts[index + 1].role : nil
      switch role {
      case .cultivar: cultivar = Self.unquoted(text)
      case .marker where next == .cultivar: break
      case .qualifier, .compared, .designation:
        isOpen = true
        hasDesignation = hasDesignation || role == .designation
        beside.append(text)
      case .phrase:
        isOfOthers = isOfOthers || text.contains("auct")
        beside.append(text)
      case .skipped: beside.append(text)
      // "Aus (red)": no name of a subgenus begins so.
      case .subgenus where text.first?.isLowercase == true: beside.append("(\(text))")
      // What begins with a parenthesis and goes on behind the authors is no author.
      case .authorship where text.contains("(") && !text.contains(")"): beside.append(text)
      default:
        if role == .marker, next == .infraspecies || next == .hybridSign {
          wholes.insert((words.joined(separator: " "), Self.part(parts[index...])), at: 0)
        }
        words.append(text)
      }
    }
    if cultivar == nil, let last = beside.last, let (before, quoted) = Self.quotedEnd(of: last) {
      cultivar = quoted
      beside.removeLast()
      if !before.isEmpty { beside.append(before) }
    }
    name = words.joined(separator: " ")
    qualifier = beside.isEmpty ? nil : beside.joined(separator: " ")
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

  private static func unquoted(_ text: String) -> String? {
    let isMark = { (character: Character) in "'\" ".contains(character) }
    let bare = String(text.drop(while: isMark).reversed().drop(while: isMark).reversed())
    return bare.isEmpty ? nil : bare
  }

  /// A cultivar in quotes with which a text ends, and what stands before it.
  private static func quotedEnd(of text: String) -> (before: String, quoted: String)? {
    guard let quote = text.last, quote == "'" || quote == "\"" else { return nil }
    var before: Character = " "
    for index in text.indices.dropLast() {
      let next = text[text.index(after: index)]
      if text[index] == quote, before == " ", next.isUppercase || next.isNumber,
        let quoted = unquoted(String(text[index...]))
      {
        return (trimmed(text[..<index]), quoted)
      }
      before = text[index]
    }
    return nil
  }

  /// A text without a remark in parentheses or brackets at its end, and the remark: "Aus bus (Domestic type)"; nil
  /// where there is none, or where it may be who named the taxon.
  static func withoutRemark(_ text: String) -> (name: String, remark: String)? {
    let text = trimmed(text[...])
    guard let last = text.last, last == ")" || last == "]",
      let start = text.lastIndex(of: last == ")" ? "(" : "["), start > text.startIndex
    else { return nil }
    let inner = text[text.index(after: start)..<text.index(before: text.endIndex)]
    let words = inner.split(separator: " ")
    // Authors have years, commas and stops, or are one word.
    guard words.count >= (last == ")" ? 2 : 1),
      inner.allSatisfy({ $0.isLetter || " -/'".contains($0) }),
      !words.contains(where: { particles.contains($0.lowercased()) })
    else { return nil }
    let name = trimmed(text[..<start])
    return name.isEmpty ? nil : (name, String(text[start...]))
  }

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

  private static func trimmed(_ text: Substring) -> String {
    String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}

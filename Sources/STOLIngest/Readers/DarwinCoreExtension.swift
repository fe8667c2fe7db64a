import STOLFormats
import STOLNames

/// Reads the rows of an extension: vernacular names, references, traits and conservation codes.
///
/// GBIF's register of extensions, https://rs.gbif.org/extensions.html. What the schema has no place
/// for, as specimens, media, distributions and relations, is counted as ignored.
struct DarwinCoreExtension {
  private typealias Term = DarwinCoreArchive.Term
  private let intake: Intake
  private let kind: Kind
  private let taxonID: Term

  private enum Kind {
    case vernacular(name: Term, language: Term, lexicon: Term, isPreferred: Term)
    case distribution(threatStatus: Term)
    case profile([(fact: Fact, term: Term)], source: Term)
    case measurement(type: Term, value: Term, unit: Term, source: Term)
    case description(type: Term, text: Term, source: Term)
    case reference(ReferenceTerms)
    case other
  }

  private struct ReferenceTerms {
    let citation, creator, date, title, source, pages, type: Term
    let addresses: [Term]
  }

  init(_ table: DarwinCoreArchive.Table, _ intake: Intake) {
    self.intake = intake
    taxonID = table.term("taxonID")
    switch table.kind {
    case "vernacularname", "vernacularnames":
      kind = .vernacular(
        name: table.term("vernacularName"), language: table.term("language", "languageCode"),
        lexicon: table.term("lexicon"), isPreferred: table.term("isPreferredName", "isPreferred"))
    case "distribution": kind = .distribution(threatStatus: table.term("threatStatus"))
    case "speciesprofile":
      kind = .profile(
        Fact.all.map { ($0, table.term($0.term)) }.filter { $0.1.isStated },
        source: table.term("source", "bibliographicCitation"))
    case "measurementorfact", "measurementorfacts", "extendedmeasurementorfact":
      kind = .measurement(
        type: table.term("measurementType"), value: table.term("measurementValue"),
        unit: table.term("measurementUnit"), source: table.term("source", "bibliographicCitation"))
    case "description":
      kind = .description(
        type: table.term("type"), text: table.term("description"), source: table.term("source"))
    case "reference", "references":
      kind = .reference(
        ReferenceTerms(
          citation: table.term("bibliographicCitation", "full_reference"),
          creator: table.term("creator", "authorList"), date: table.term("date", "created"),
          title: table.term("title", "primaryTitle"), source: table.term("source", "journal"),
          pages: table.term("pages"), type: table.term("type", "publicationType"),
          addresses: [
            table.term("uri"), table.term("references"), table.term("doi"),
            table.term("identifier"),
          ]))
    default: kind = .other
    }
  }

  /// Why nobody reads the columns of the extension, where none of its rows is kept.
  var unreadReason: String? {
    if case .other = kind { UnreadColumn.ofIgnoredFile } else { nil }
  }

  /// Reads a row about the taxon that the core calls `coreID`; a `taxonID` of its own comes first.
  func read(_ row: TableReader, of coreID: String) throws {
    if case .other = kind {
      return intake.account.ignore("a database has no place for this extension")
    }
    let stated = taxonID.text(row)
    let id = stated.isEmpty ? coreID : stated
    guard !id.isEmpty else {
      return intake.leaveOut(.unknownTaxon, row.line, "no id")
    }
    switch kind {
    case .vernacular(let name, let language, let lexicon, let isPreferred):
      let text = intake.clean(name.text(row), line: row.line)
      guard !text.isEmpty else { return intake.leaveOut(.emptyName, row.line, "id \(id)") }
      var tag = intake.language(language.text(row), line: row.line)
      // iNaturalist's lexicon is a language, or what else a name is: "AOU 4-Letter Codes".
      var remark = ""
      if tag == LanguageTag.unknown {
        let words = lexicon.text(row)
        if !words.contains(where: \.isNumber) { tag = LanguageTag.canonical(words) }
        if tag == LanguageTag.unknown { remark = intake.clean(lexicon.text(row), line: row.line) }
      }
      try intake.add(
        .vernacular(
          name: text, language: tag, isPreferred: Self.isTrue(isPreferred.text(row)),
          isCommon: false, statusText: remark),
        of: id)
    case .distribution(let threatStatus):
      guard let code = intake.conservationCode(threatStatus.text(row), line: row.line) else {
        return intake.account.ignore(RowAccount.areaReason)
      }
      try intake.add(.conservation(code: code), of: id)
    case .profile(let facts, let source):
      var values: [Trait] = []
      for (fact, term) in facts { values += fact.traits(term.text(row)) }
      try add(values, row, source, of: id)
    case .measurement(let type, let value, let unit, let source):
      let key = Self.key(type.text(row))
      let text = intake.clean(value.text(row), line: row.line)
      let isShort = text.utf8.count <= Self.valueLimit
      let traits =
        key.isEmpty || text.isEmpty || !isShort
        ? [] : [Trait(key: key, value: text, unit: unit.text(row))]
      try add(traits, row, source, of: id)
    case .description(let type, let text, let source):
      try add(
        Self.traits(of: type.text(row), intake.clean(text.text(row), line: row.line)), row, source,
        of: id)
    case .reference(let terms): try addReference(row, terms, of: id)
    case .other: break
    }
  }

  /// Adds traits, each once; the first is what the row becomes.
  private func add(
    _ traits: [Trait], _ row: TableReader, _ source: Term, of id: String
  ) throws {
    var seen: [Trait] = []
    let citation = traits.isEmpty ? "" : intake.clean(source.text(row), line: row.line)
    for trait in traits where !seen.contains(trait) {
      try intake.add(
        .trait(key: trait.key, value: trait.value, unit: trait.unit, citation: citation), of: id,
        isFurther: !seen.isEmpty)
      seen.append(trait)
    }
    if seen.isEmpty { intake.account.ignore("no short value that is known to be a trait") }
  }

  /// Adds a citation, or one made of its parts: authors, date, title, source and pages.
  private func addReference(
    _ row: TableReader, _ terms: ReferenceTerms, of id: String
  ) throws {
    var citation = intake.clean(terms.citation.text(row), line: row.line)
    if citation.isEmpty {
      var parts = [terms.creator.text(row)]
      let date = terms.date.text(row)
      if !date.isEmpty { parts[0] += parts[0].isEmpty ? date : " (\(date))" }
      let pages = terms.pages.text(row)
      let source = terms.source.text(row)
      parts += [
        terms.title.text(row), source.isEmpty || pages.isEmpty ? source : "\(source): \(pages)",
      ]
      citation = intake.clean(
        parts.filter { !$0.isEmpty }.joined(separator: ". "), line: row.line)
    }
    let url = terms.addresses.lazy.map { DarwinCoreReader.url($0.text(row)) }.first { !$0.isEmpty }
    if citation.isEmpty { citation = url ?? "" }
    guard !citation.isEmpty else { return intake.account.ignore("no citation") }
    try intake.add(
      .reference(citation: citation, url: url ?? "", kind: Self.kind(terms.type.text(row))), of: id)
  }

  /// What a reference is about, by the word for its type.
  private static func kind(_ type: String) -> ReferenceKind {
    let type = type.lowercased()
    let words: [(String, ReferenceKind)] = [
      ("taxonom", .taxonomy), ("nomencl", .taxonomy), ("original", .taxonomy),
      ("ecolog", .ecology), ("morpholog", .morphology), ("conserv", .conservation),
    ]
    return words.first { type.contains($0.0) }?.1 ?? .other
  }

  static func isTrue(_ text: String) -> Bool {
    ["true", "t", "1", "yes", "y"].contains(text.lowercased())
  }
}

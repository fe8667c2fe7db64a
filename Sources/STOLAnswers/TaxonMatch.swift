import STOLMatch
package import STOLPack

/// How a text leads to a taxon.
package struct TaxonMatch {
  /// The text.
  package let text: String
  package private(set) var status: AnswerStatus
  /// The taxon; nil where the text names none, or several.
  package private(set) var taxon: TaxonOrdinal?
  /// The name that leads to the taxon, where that is not its scientific one.
  package private(set) var name: NameOrdinal?
  /// The taxa that fit equally.
  package private(set) var candidates: [TaxonOrdinal] = []

  init(_ text: String, _ status: AnswerStatus, _ taxon: TaxonOrdinal? = nil) {
    self.text = text
    self.status = status
    self.taxon = taxon
  }

  /// What a text names as a whole, its authors behind it or not; of a name in open nomenclature, such as
  /// "Quercus sp.", what stands before the marker, which is a part of it.
  package init(_ text: String, _ view: borrowing PackView, _ filter: SearchFilter) {
    var names = WrittenNames()
    let (resolved, isPart) = names.resolve(text, filter: filter, in: view)
    self.init(text, resolved.status)
    taxon = resolved.taxon
    name = resolved.name
    candidates = resolved.candidates
    if isPart, taxon != nil { status = .partial }
  }

  /// What an answer says of how the taxon was found: nothing where by its own name or id.
  var said: [TaxonMatch?] { taxon == nil || status == .exact ? [] : [self] }

  /// A sentence that says what the text is to the taxon; nil where it is its scientific name or its id.
  package func sentence(_ view: borrowing PackView) -> String? {
    guard let taxon else { return nil }
    let accepted = view.names.scientificName(of: taxon)
    switch status {
    case .merged:
      return "\"\(text)\" was merged into \(accepted) (\(view.sourceID(of: taxon) ?? ""))"
    case .partial:
      return "\"\(text)\" matches in part: \(view.rank(of: taxon)) \(accepted)"
        + (name.map { ", by \"\(view.names.text(of: $0))\"" } ?? "")
    case .synonym, .common:
      guard let name else { return nil }
      guard view.names.type(of: name) == .synonym else {
        return "\"\(text)\" is a common name of \(accepted)"
      }
      let record = view.record(of: name)
      let isID = record.sourceID == text
      let kind = (isID ? "the id of " : "") + (record.status ?? .synonym).phrase
      let cited = TaxonName.cited(view.names.text(of: name), record)
      let count = isID ? 1 : Self.countOfNames(spelledAs: name, of: taxon, view)
      return "\"\(text)\" is \(kind) \(accepted)" + (cited == text ? "" : ": \(cited)")
        + (count > 1 ? ", one of \(count) names of this spelling" : "")
    case .exact, .deleted, .fuzzy, .ambiguous, .notFound, .invalid: return nil
    }
  }

  /// How many synonyms of a taxon have the text of one of them.
  private static func countOfNames(
    spelledAs name: NameOrdinal, of taxon: TaxonOrdinal, _ view: borrowing PackView
  ) -> Int {
    let text = view.names.text(of: name)
    var count = 0
    for other in view.names.furtherNames(of: taxon)
    where view.names.type(of: other) == .synonym && view.names.text(of: other) == text {
      count += 1
    }
    return count
  }
}

extension NameStatus {
  /// What a further name of this status is, before the name of the taxon.
  fileprivate var phrase: String {
    switch self {
    case .synonym, .accepted, .provisional, .bare: "a synonym of"
    case .homotypic: "a homotypic synonym of"
    case .heterotypic: "a heterotypic synonym of"
    case .misapplied: "a name misapplied to"
    case .misspelling: "a misspelling of"
    case .equivalent: "an equivalent name of"
    case .acronym: "an acronym of"
    case .inPart: "in part a synonym of"
    case .includes: "a name of something within"
    case .ambiguous: "an ambiguous synonym of"
    }
  }
}

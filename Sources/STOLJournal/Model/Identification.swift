import Foundation
public import STOLData

/// What somebody took an occurrence for (dwc:Identification); never changed, only followed by another one.
public struct Identification: Hashable, Sendable, Codable {
  /// How the taxon was found.
  public enum Match: String, JournalWord {
    /// The name is that of the taxon or a synonym of it, but for qualifier and cultivar.
    case exact
    /// The name differs by a letter, and whoever imported it accepted that.
    case fuzzy
    /// A person picked it.
    case chosen
    /// An earlier reference was followed into another database.
    case relinked
    /// There is none: the name is not known, or merely similar to one that is.
    case none
  }

  /// Its identity.
  public var id: JournalID
  /// The occurrence that is identified.
  public var occurrence: JournalID
  /// What somebody wrote, letter for letter.
  public var verbatimName: String
  /// What is said beside the taxon about how sure the name is: qualifiers of open nomenclature.
  public var qualifier: String?
  /// The cultivar, without quotation marks.
  public var cultivar: String?
  /// What a grafted tree stands on.
  public var rootstock: String?
  /// The taxon, as the database called it then.
  public var taxon: TaxonReference?
  /// How the taxon was found.
  public var match: Match
  /// When it was identified.
  public var date: LocalTime?
  /// Why.
  public var remarks: String?

  /// An identification without a taxon.
  public init(id: JournalID = JournalID(), occurrence: JournalID, verbatimName: String) {
    self.id = id
    self.occurrence = occurrence
    self.verbatimName = verbatimName
    match = .none
  }

  /// An identification as a taxon.
  public init(
    id: JournalID = JournalID(), occurrence: JournalID, verbatimName: String,
    taxon: TaxonReference, match: Match
  ) {
    self.init(id: id, occurrence: occurrence, verbatimName: verbatimName)
    self.taxon = taxon
    self.match = match
  }

  /// How a part of the remarks begins that says who identified it, where an import has read that.
  private static let identifierWords = "identified by "
  private static let separator = "; "

  /// The remarks of some parts; a person who identified it is the one of an import.
  static func remarks(_ parts: [String?], identifiedBy person: String?) -> String? {
    let words = person.map { identifierWords + $0.replacing(separator, with: ", ") }
    let parts = [words].compactMap { $0 } + parts.compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: separator)
  }

  /// The same without the person who identified it.
  var withoutIdentifier: Identification {
    guard let remarks, remarks.contains(Self.identifierWords) else { return self }
    var identification = self
    let parts = remarks.components(separatedBy: Self.separator)
      .filter { !$0.hasPrefix(Self.identifierWords) }
    identification.remarks = parts.isEmpty ? nil : parts.joined(separator: Self.separator)
    return identification
  }

  func validate() throws(JournalError) {
    try requireName(verbatimName, "verbatim_name")
    try requireName(qualifier, "qualifier")
    try requireName(cultivar, "cultivar")
    try requireName(rootstock, "rootstock")
    try requireText(remarks, "remarks")
    guard (taxon == nil) == (match == .none) else {
      throw .invalid(
        field: "match", value: match.rawValue,
        remedy: taxon == nil
          ? "none, for there is no taxon" : "exact, fuzzy, chosen or relinked, for there is a taxon"
      )
    }
    guard let taxon else { return }
    try requireName(taxon.id, "taxon id")
    if let space = taxon.idSpace, !TaxonReference.isIDSpace(space) {
      throw .invalid(
        field: "taxon id space", value: space,
        remedy:
          "lower-case letters, digits, - and _, a letter first; left out where nobody states it")
    }
    try require(taxon.year, "taxon year", 1...9999)
    for kingdom in taxon.kingdoms { try requireName(kingdom, "taxon kingdom") }
    for (text, field) in [
      (taxon.name, "taxon name"), (taxon.authorship, "taxon authorship"),
      (taxon.rank, "taxon rank"),
    ] where !text.isEmpty {
      try requireName(text, field)
    }
  }
}

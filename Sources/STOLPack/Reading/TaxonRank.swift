/// The rank of a taxon.
///
/// A pack may hold a rank that this version has no constant for; it is kept as it is written.
public struct TaxonRank: RawRepresentable, CaseIterable, Hashable, Sendable,
  CustomStringConvertible
{
  /// The rank as written, as in "species".
  public let rawValue: String
  /// Wraps a rank as written.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A domain, the highest rank.
  public static let domain = TaxonRank(rawValue: "domain")
  /// A kingdom.
  public static let kingdom = TaxonRank(rawValue: "kingdom")
  /// A phylum, or division.
  public static let phylum = TaxonRank(rawValue: "phylum")
  /// A class.
  public static let `class` = TaxonRank(rawValue: "class")
  /// An order.
  public static let order = TaxonRank(rawValue: "order")
  /// A family.
  public static let family = TaxonRank(rawValue: "family")
  /// A genus.
  public static let genus = TaxonRank(rawValue: "genus")
  /// A species, the lowest rank.
  public static let species = TaxonRank(rawValue: "species")

  /// The ranks of the schema, the highest first.
  public static let allCases: [TaxonRank] = [
    .domain, .kingdom, .phylum, .class, .order, .family, .genus, .species,
  ]

  /// The rank as written.
  public var description: String { rawValue }
}

/// What taxonomists think of a taxon.
public struct TaxonStatus: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The status as written, as in "accepted".
  public let rawValue: String
  /// Wraps a status as written.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Accepted.
  public static let accepted = TaxonStatus(rawValue: "accepted")
  /// Another name of an accepted taxon; such rows become names of it.
  public static let synonym = TaxonStatus(rawValue: "synonym")
  /// Doubtful.
  public static let doubtful = TaxonStatus(rawValue: "doubtful")

  /// The status as written.
  public var description: String { rawValue }
}

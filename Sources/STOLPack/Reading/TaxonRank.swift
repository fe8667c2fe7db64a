/// The rank of a taxon, as its source writes it.
///
/// An open set: `MainRank` has the eight that every taxonomy shares.
public struct TaxonRank: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The rank as written, as in "species".
  public let rawValue: String
  /// Wraps a rank as written.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// One of the main ranks.
  public init(_ rank: MainRank) { rawValue = rank.name }

  /// A domain, the highest main rank.
  public static let domain = TaxonRank(.domain)
  /// A kingdom.
  public static let kingdom = TaxonRank(.kingdom)
  /// A phylum, or division.
  public static let phylum = TaxonRank(.phylum)
  /// A class.
  public static let `class` = TaxonRank(.class)
  /// An order.
  public static let order = TaxonRank(.order)
  /// A family.
  public static let family = TaxonRank(.family)
  /// A genus.
  public static let genus = TaxonRank(.genus)
  /// A species, the lowest main rank.
  public static let species = TaxonRank(.species)

  /// The rank as written.
  public var description: String { rawValue }
}

/// The eight ranks of the schema, the highest first.
public enum MainRank: Int, CaseIterable, Comparable, Sendable {
  /// One of the eight, from domain to species.
  case domain, kingdom, phylum, `class`, order, family, genus, species

  /// The ranks as the schema writes them.
  private static let names = [
    "domain", "kingdom", "phylum", "class", "order", "family", "genus", "species",
  ]

  /// The main rank that a rank is, or nil for any other.
  public init?(rank: TaxonRank) {
    guard let number = Self.names.firstIndex(of: rank.rawValue) else { return nil }
    self.init(rawValue: number)
  }

  /// The rank as the schema writes it, as in "species".
  public var name: String { Self.names[rawValue] }

  /// Orders by height: a domain comes first.
  public static func < (a: MainRank, b: MainRank) -> Bool { a.rawValue < b.rawValue }
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
  /// Not settled.
  public static let provisional = TaxonStatus(rawValue: "provisional")

  /// The status as written.
  public var description: String { rawValue }
}

import STOLNames
public import STOLPack

/// A taxon that something outside a database names: a favourite, an image, a bookmark, a sighting.
///
/// What ids are ids of and the id, and a snapshot of what the taxon was called then. So it can be told in
/// any database whether a taxon there is the one that was meant; a number alone stands for another taxon
/// in every database. What it leads to never changes the reference.
public struct TaxonReference: Hashable, Sendable {
  /// What the id is an id of, as in "ncbi"; nil where the database did not say it.
  public var idSpace: String?
  /// The id as the source writes it.
  public var id: String
  /// The scientific name without authorship; empty where nobody knows it any more.
  public var name: String
  /// Who gave the name, as the source writes that; empty where it is not known.
  public var authorship: String
  /// When it was given.
  public var year: Int?
  /// The rank; empty where it is not known.
  public var rank: String
  /// The kingdom and what of its kind is above it, as domains, the highest first; of a taxon within none the
  /// two highest ancestors that have a name.
  public var kingdoms: [String]

  /// A reference, of which only the id need be known.
  public init(
    idSpace: String?, id: String, name: String = "", authorship: String = "", year: Int? = nil,
    rank: String = "", kingdoms: [String] = []
  ) {
    self.idSpace = idSpace
    self.id = id
    self.name = name
    self.authorship = authorship
    self.year = year
    self.rank = rank
    self.kingdoms = kingdoms
  }
}

extension TaxonReference {
  /// Stands in the written form where nobody said what the id is an id of.
  public static let unstatedIDSpace = PackView.unstatedIDSpace

  /// The written form: "ncbi:9689".
  public var written: String { "\(idSpace ?? Self.unstatedIDSpace):\(id)" }

  /// The reference in a written form, without a snapshot; nil for a text that is none.
  ///
  /// - Complexity: O(length)
  public init?(written text: String) {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let space = String(text[..<colon])
    let id = String(text[text.index(after: colon)...])
    guard Self.isIDSpace(space), !id.isEmpty else { return nil }
    self.init(idSpace: space == Self.unstatedIDSpace ? nil : space, id: id)
  }

  /// Whether a word can be that of an id space: a lower-case letter, then such letters, digits, "-" and
  /// "_", at most 32.
  public static func isIDSpace(_ word: String) -> Bool { IDSpace.isWord(word) }
}

extension TaxonReference: Codable {
  private enum CodingKeys: String, CodingKey {
    case idSpace, id, name, authorship, year, rank, kingdoms
  }

  /// Reads what `encode(to:)` writes; all but the id may be missing.
  ///
  /// - Throws: `DecodingError` where the id is missing or empty, the id space is none that the written form
  ///   can name, or a member is of another type.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      idSpace: try values.decodeIfPresent(String.self, forKey: .idSpace),
      id: try values.decode(String.self, forKey: .id),
      name: try values.decodeIfPresent(String.self, forKey: .name) ?? "",
      authorship: try values.decodeIfPresent(String.self, forKey: .authorship) ?? "",
      year: try values.decodeIfPresent(Int.self, forKey: .year),
      rank: try values.decodeIfPresent(String.self, forKey: .rank) ?? "",
      kingdoms: try values.decodeIfPresent([String].self, forKey: .kingdoms) ?? [])
    guard !id.isEmpty else {
      throw DecodingError.dataCorruptedError(
        forKey: .id, in: values, debugDescription: "the member id is empty")
    }
    guard TaxonReference(written: written)?.idSpace == idSpace else {
      throw DecodingError.dataCorruptedError(
        forKey: .idSpace, in: values,
        debugDescription:
          "the member idSpace, '\(idSpace ?? "")', is no id space: lower-case letters, digits, "
          + "'-' and '_', a letter first; left out where nobody states it")
    }
  }

  /// Writes the members that say something.
  ///
  /// - Throws: what `encoder` throws.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encodeIfPresent(idSpace, forKey: .idSpace)
    try values.encode(id, forKey: .id)
    if !name.isEmpty { try values.encode(name, forKey: .name) }
    if !authorship.isEmpty { try values.encode(authorship, forKey: .authorship) }
    try values.encodeIfPresent(year, forKey: .year)
    if !rank.isEmpty { try values.encode(rank, forKey: .rank) }
    if !kingdoms.isEmpty { try values.encode(kingdoms, forKey: .kingdoms) }
  }
}

/// What a reference leads to in a database: exactly one of seven.
public enum ReferenceOutcome: Equatable, Sendable {
  /// The taxon with this id, which has the name of then, or was renamed.
  case same(TaxonOrdinal, isRenamed: Bool)
  /// The taxon that the one with this id was merged into.
  case merged(TaxonOrdinal)
  /// Its id was retired, and into nothing.
  case deleted
  /// The only taxon of this name, where ids do not decide.
  case byName(TaxonOrdinal)
  /// The only taxon with this name as a synonym, where ids do not decide.
  case bySynonym(TaxonOrdinal, NameOrdinal)
  /// Several taxa, or one that has the id and a name that has nothing to do with that of then.
  case ambiguous([TaxonOrdinal])
  /// None.
  case absent

  /// The taxon, where it is one.
  public var taxon: TaxonOrdinal? {
    switch self {
    case .same(let taxon, _), .merged(let taxon), .byName(let taxon), .bySynonym(let taxon, _):
      taxon
    case .deleted, .ambiguous, .absent: nil
    }
  }

  /// The taxa that may be it; none where it is one.
  public var candidates: [TaxonOrdinal] {
    guard case .ambiguous(let taxa) = self else { return [] }
    return taxa
  }

  /// Whether it is the taxon with this id, under another name.
  public var isRenamed: Bool {
    guard case .same(_, let isRenamed) = self else { return false }
    return isRenamed
  }

  /// The outcome in a word or two: "same", "merged", "deleted", "by name", "by synonym", "ambiguous",
  /// "absent".
  public var word: String {
    switch self {
    case .same: "same"
    case .merged: "merged"
    case .deleted: "deleted"
    case .byName: "by name"
    case .bySynonym: "by synonym"
    case .ambiguous: "ambiguous"
    case .absent: "absent"
    }
  }
}

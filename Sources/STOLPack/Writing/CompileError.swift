/// Why a taxonomy cannot become a pack: the table, the row and the reason.
public enum CompileError: Error, Equatable, Sendable {
  /// The file is no SQLite database, or SQLite cannot read it.
  case unreadable(path: String, reason: String)
  /// A table or a column that the schema asks for is absent.
  case missing(table: String, column: String?)
  /// The database has a newer schema than this version of stol knows.
  case schemaTooNew(found: Int, supported: Int)
  /// A value of one row breaks a rule.
  case row(table: String, id: Int64, reason: RowFault)
  /// The database holds no taxa.
  case empty
  /// The database holds more taxa than a pack can.
  case tooManyTaxa(limit: Int)
  /// A warning, where warnings were asked to be errors.
  case warning(CompileWarning)
  /// Whoever began it wants it no more.
  case cancelled
}

/// What is wrong with one row of a source table.
public enum RowFault: Equatable, Sendable {
  /// `parent_id` names no row.
  case unknownParent(Int64)
  /// The row is its own ancestor.
  case cycle
  /// The taxon has more ancestors than a pack allows.
  case tooDeep
  /// Another row has the same id.
  case duplicateID
  /// The row says that it is an implied root, but its id is not -1, it has a parent, or another row is one.
  case noImpliedRoot
  /// The id is not the one that the text, which the source writes for it, has.
  case otherSourceID(String)
  /// No row of `sources` has this position.
  case unknownSource(Int64)
  /// The prominence is none from 0 to `Prominence.greatest`.
  case noProminence(Int64)
  /// The fact `id_space` is no word for an id space, or one that is kept for databases without.
  case noIDSpace(String)
  /// The status is not one of the schema.
  case unknownStatus(String)
  /// The name type is not one of the schema.
  case unknownNameType(String)
  /// A synonym has no `parent_id` that leads to its accepted taxon.
  case synonymWithoutAcceptedTaxon
  /// A text is not UTF-8.
  case invalidUTF8(column: String)
  /// A text that must not be empty is.
  case emptyText(column: String)
  /// A text is longer than a pack can hold.
  case textTooLong(column: String, byteCount: Int)
  /// A value has another type than the schema says.
  case wrongType(column: String, expected: String)
}

/// Something in a taxonomy that a pack can live with, but its author should know.
public struct CompileWarning: Equatable, Sendable {
  /// What was seen.
  public enum Kind: Int, CaseIterable, Sendable {
    /// A taxon's rank stands above that of the nearest ancestor whose rank has a place, or is the same
    /// main rank.
    case rankNotBelowParent
    /// A synonym row leads to a taxon of another rank.
    case synonymRank
    /// A name belongs to a taxon that does not exist; it was left out.
    case orphanName
    /// A trait belongs to a taxon that does not exist; it was left out.
    case orphanTrait
    /// A conservation code is not one of the IUCN.
    case unknownConservationCode
    /// A merged id leads to a taxon that does not exist; it was left out.
    case orphanMergedID
  }

  /// What was seen.
  public let kind: Kind
  /// How often.
  public internal(set) var count: Int
  /// The id of the first row where it was seen.
  public let firstID: Int64
  /// The id of the first taxon as its source writes it, where it was seen in a taxon.
  public internal(set) var firstSourceID: String?
}

extension CompileError: CustomStringConvertible {
  /// One line: table, row, reason, remedy.
  public var description: String {
    switch self {
    case .unreadable(let path, let reason):
      "\(path): not a readable SQLite database (\(reason))"
    case .missing(let table, let column?):
      "the table \(table) has no column \(column); see Format/DATABASE.md"
    case .missing(let table, nil):
      "the table \(table) is missing; see Format/DATABASE.md"
    case .schemaTooNew(let found, let supported):
      "schema_version is \(found), this stol knows up to \(supported); update stol"
    case .row(let table, let id, let reason): "\(table) row \(id): \(reason)"
    case .empty: "the table taxa is empty; there is nothing to pack"
    case .tooManyTaxa(let limit): "more than \(limit) taxa"
    case .warning(let warning): "\(warning) (--strict)"
    case .cancelled: "cancelled"
    }
  }
}

extension RowFault: CustomStringConvertible {
  /// The reason, with the offending value.
  public var description: String {
    switch self {
    case .unknownParent(let id): "parent_id \(id) names no taxon"
    case .cycle: "the taxon is its own ancestor; follow parent_id from it to find the cycle"
    case .tooDeep: "the taxon has more than \(Layout.maximumDepth) ancestors"
    case .duplicateID: "the id is there twice"
    case .noImpliedRoot:
      "an implied root has the id \(Layout.impliedRootID), no parent and no other beside it"
    case .otherSourceID(let text): "the id is not the one that \"\(text)\" has; see \"Ids\""
    case .unknownSource(let position): "source \(position) names no row of sources"
    case .noProminence(let number):
      "the prominence \(number) is none from 0 to \(Prominence.greatest)"
    case .noIDSpace(let word):
      "the id_space \"\(word)\" is no word for one: lower-case letters, digits, - and _, a letter first, at most 32, and not unstated, which is kept for databases without one"
    case .unknownStatus(let status): "the status \"\(status)\" is not in the schema"
    case .unknownNameType(let type): "the name_type \"\(type)\" is not in the schema"
    case .synonymWithoutAcceptedTaxon: "a synonym needs the id of its accepted taxon as parent_id"
    case .invalidUTF8(let column): "\(column) is not valid UTF-8"
    case .emptyText(let column): "\(column) is empty"
    case .textTooLong(let column, let byteCount):
      "\(column) has \(byteCount) bytes, at most \(Layout.maximumNameByteCount) are allowed"
    case .wrongType(let column, let expected): "\(column) is not \(expected)"
    }
  }
}

extension CompileWarning: CustomStringConvertible {
  /// What, how often, and where first.
  public var description: String {
    let what =
      switch kind {
      case .rankNotBelowParent: "taxa whose rank is not below that of their parent"
      case .synonymRank: "synonym rows whose parent_id leads to a taxon of another rank"
      case .orphanName: "names of taxa that do not exist, left out"
      case .orphanTrait: "traits of taxa that do not exist, left out"
      case .unknownConservationCode: "conservation codes outside the IUCN's"
      case .orphanMergedID: "merged ids that lead to no taxon, left out"
      }
    return "\(count) \(what) (first: \(firstSourceID.map { "id \($0)" } ?? "row \(firstID)"))"
  }
}

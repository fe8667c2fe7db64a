import CDoor
import STOLMatch

/// What is asked about names, column by column: `stol_match_columns` of stol.h.
struct MatchTable: ~Escapable {
  static let greatestHintCount = 64

  let names: TextColumn
  private let authorship: BesideColumn?
  private let rank: BesideColumn?
  private let code: BesideColumn?
  /// The highest first.
  private let hints: [(rank: String, column: BesideColumn)]
  /// Whether there is no column but the names.
  private let hasNamesAlone: Bool

  var count: Int { names.count }

  /// The columns that a struct describes.
  @_lifetime(immortal)
  init(_ pointer: UnsafePointer<stol_match_columns>?, _ argument: Argument) throws(DoorError) {
    // SAFETY: a copy of a struct whose size has been looked at; its pointers are checked one by one below.
    let columns = unsafe try argument.sized(pointer)
    func member(_ name: String) -> Argument { Argument(argument.number, name) }
    let names = unsafe try TextColumn(columns.names, member("columns.names"))
    func beside(
      _ texts: UnsafePointer<stol_texts>?, _ name: String
    ) throws(DoorError) -> BesideColumn? {
      guard unsafe texts != nil else { return nil }
      return unsafe try BesideColumn(texts, names.count, member(name))
    }
    authorship = unsafe try beside(columns.authorships, "columns.authorships")
    rank = unsafe try beside(columns.ranks, "columns.ranks")
    code = unsafe try beside(columns.codes, "columns.codes")
    guard unsafe columns.hint_count <= Self.greatestHintCount, unsafe columns.hint_count >= 0 else {
      throw unsafe argument.wrong(
        "has \(UInt(bitPattern: columns.hint_count)) hints: there are at most "
          + "\(Self.greatestHintCount)")
    }
    let (ranks, columnsOfHints) = (member("columns.hint_ranks"), member("columns.hints"))
    var hints: [(rank: String, column: BesideColumn)] = []
    for number in unsafe 0..<columns.hint_count {
      // SAFETY: both arrays have an element for each hint, as the caller of the library states.
      let words = unsafe try ranks.checked(columns.hint_ranks)
      let texts = unsafe try columnsOfHints.checked(columns.hints)
      let rank = unsafe try member("columns.hint_ranks[\(number)]").requiredText(words[number])
        .lowercased()
      guard MatchQuery.isHintRank(rank) else {
        throw .argument(argument.number, "\"\(rank)\" is no rank that a hint can be of")
      }
      unsafe hints.append((rank, try BesideColumn(texts[number], names.count, columnsOfHints)))
    }
    // Not `sort`, which may exchange those of one place.
    self.hints = hints.enumerated().sorted {
      (MatchQuery.hintPlace(of: $0.element.rank), $0.offset)
        < (MatchQuery.hintPlace(of: $1.element.rank), $1.offset)
    }.map(\.element)
    hasNamesAlone = authorship == nil && rank == nil && code == nil && hints.isEmpty
    self.names = names
  }

  /// Whether nothing is said beside the name of a row.
  func hasNameAlone(_ row: Int) throws(DoorError) -> Bool {
    if hasNamesAlone { return true }
    guard try authorship?.isEmpty(row) ?? true, try rank?.isEmpty(row) ?? true,
      try code?.isEmpty(row) ?? true
    else { return false }
    for hint in hints {
      guard try hint.column.isEmpty(row) else { return false }
    }
    return true
  }

  /// What a row asks.
  func query(_ row: Int, _ name: Span<UInt8>) throws(DoorError) -> MatchQuery {
    var query = MatchQuery(
      name.text, authorship: try authorship?.text(row), rank: try rank?.text(row),
      code: try code?.text(row))
    for hint in hints {
      if let name = try hint.column.text(row) { query.hints.append((hint.rank, name)) }
    }
    return query
  }
}

/// A column beside that of the names: of as many rows, or of one that is meant for all.
@safe
struct BesideColumn {
  // SAFETY: its pointers are read by `TextColumn` alone, which checks them; the caller of the library keeps what
  // they point to during the call, which this value does not outlive.
  private let texts: stol_texts
  private let isConstant: Bool
  private let argument: Argument

  init(
    _ pointer: UnsafePointer<stol_texts>?, _ count: Int, _ argument: Argument
  ) throws(DoorError) {
    let column = unsafe try TextColumn(pointer, argument)
    guard column.count == count || column.count == 1 else {
      throw argument.wrong("has \(column.count) rows, and there are \(count) names")
    }
    unsafe texts = pointer.unsafelyUnwrapped.pointee
    isConstant = column.count == 1
    self.argument = argument
  }

  /// The text of a row, with U+FFFD for what is not UTF-8; nil where it is null or empty.
  func text(_ row: Int) throws(DoorError) -> String? {
    let bytes = try bytes(row)
    return bytes.isEmpty ? nil : bytes.text
  }

  func isEmpty(_ row: Int) throws(DoorError) -> Bool { try bytes(row).isEmpty }

  /// The bytes of a row; none for a null.
  @_lifetime(immortal)
  private func bytes(_ row: Int) throws(DoorError) -> Span<UInt8> {
    let column = unsafe try TextColumn(texts, argument)
    let bytes = try column.bytes(isConstant ? 0 : row)
    return unsafe _overrideLifetime(bytes, copying: ())
  }
}

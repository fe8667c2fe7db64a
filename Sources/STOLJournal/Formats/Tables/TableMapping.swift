/// What the columns of a table say, as somebody stated it.
///
/// An entry is `COLUMN=FIELD`, with a unit `COLUMN=FIELD:UNIT` where the field has one, or `=FIELD=VALUE` for what
/// all rows say. A unit "cell" means that each cell has its own. Where rows are from, and what that asks for, say
/// `=source=NAME`, `=licence=NAME` and `=attribution=WORDS`.
package struct TableMapping: Hashable, Sendable {
  /// The order of the parts of a date.
  package enum DateOrder: String, CaseIterable, Sendable {
    case dmy, mdy, ymd
  }

  /// What a column says.
  enum Target: Hashable, Sendable {
    case field(TableField)
    case measure(String)

    /// What it is called.
    var name: String {
      switch self {
      case .field(let field): field.rawValue
      case .measure(let key): key
      }
    }

    /// The unit that its numbers are kept in.
    var unit: String? {
      switch self {
      case .field(let field): field.unit
      case .measure(let key): MeasureType.builtIn.first { $0.key == key }?.unit
      }
    }
  }

  /// A column and what it says.
  struct Entry: Hashable, Sendable {
    let column: String
    let target: Target
    let unit: String?
    /// What the target was called: the number of "ph" is another one than that of "ph_x100".
    let word: String
  }

  private(set) var entries: [Entry] = []
  /// What all rows say.
  private(set) var constants: [TableField: String] = [:]
  /// In which order dates like 1/2/2026 are written; nil where nobody said so.
  package var dates: DateOrder?
  /// Whether a comma stands before decimals; nil where nobody said so.
  package var hasDecimalComma: Bool?
  /// Whether the columns are those of an export of the journal, whose cells are what is kept.
  private(set) var isWritten = false
  /// Where the rows are from: their identifiers are those of this source.
  package var source: String?
  /// What others may do with what the source says; nil where nobody said so.
  private(set) var licence: String?
  /// Whom that asks to be named.
  private(set) var attribution: String?

  /// What a column may say, in lines of a help.
  package static var fieldList: String { TableField.list }

  /// An empty one.
  package init() {}

  /// A mapping of entries.
  ///
  /// - Throws: `JournalError.invalid` for one that is none.
  package init(_ texts: [String]) throws(JournalError) {
    for text in texts { try add(text) }
  }

  /// The mapping that a file holds: an entry a line; lines that are blank or begin with # say nothing.
  ///
  /// - Throws: `JournalError.invalid` for a line that is none.
  package init(contentsOf text: String) throws(JournalError) {
    for line in text.split(whereSeparator: \.isNewline) {
      let words = line.drop { $0 == " " || $0 == "\u{FEFF}" }
      if !words.isEmpty, !words.hasPrefix("#") { try add(String(words)) }
    }
  }

  /// Adds what another one says.
  ///
  /// - Throws: `JournalError.invalid` where both say something of one column or field.
  package mutating func add(_ other: TableMapping) throws(JournalError) {
    for entry in other.entries { try add(entry) }
    constants.merge(other.constants) { $1 }
    dates = other.dates ?? dates
    hasDecimalComma = other.hasDecimalComma ?? hasDecimalComma
    isWritten = other.isWritten || isWritten
    source = other.source ?? source
    licence = other.licence ?? licence
    attribution = other.attribution ?? attribution
  }

  /// Whether nothing is mapped.
  package var isEmpty: Bool { entries.isEmpty && constants.isEmpty }

  /// The entry of a column whose texts tell the things of its source from each other, and of no other source.
  var identifier: Entry? {
    entries.first { $0.target == .field(.id) || $0.target == .field(.organism) }
  }

  /// Where places are from, and what that asks for, as a note; nil where nobody stated it.
  var credit: String? {
    guard licence != nil || attribution != nil else { return nil }
    return [source.map { "Source: \($0)" }, attribution, licence.map { "Licence: \($0)" }]
      .compactMap { $0 }.joined(separator: "\n")
  }

  /// Whether its rows are places by themselves: it says of what they are, and neither when nor what was seen there.
  var isOfPlaces: Bool {
    let fields = entries.compactMap { entry in
      if case .field(let field) = entry.target { field } else { nil }
    }
    return fields.contains(.place) && fields.count == entries.count
      && Self.placeFields.isSuperset(of: fields + constants.keys)
  }

  private static let placeFields: Set<TableField> = [
    .id, .placeUUID, .latitude, .longitude, .uncertainty, .elevation, .tags, .collections, .notes,
    .remarks, .place, .placeKind, .locality, .waterBody, .country, .placePrivacy, .placeStates,
    .placeTags, .placeCollections, .placeNotes, .placeLatitude, .placeLongitude,
    .placeUncertainty, .placeElevation,
  ]

  /// Makes sure that somebody said where its identifiers are from.
  func requireSource() throws(JournalError) {
    guard source == nil, let entry = identifier else { return }
    throw .invalid(
      field: "--map", value: "\(entry.column)=\(entry.target.name)",
      remedy: "other files have the same identifiers for other things: say where these are from, "
        + "as --source Cornell, and the same for a later file from there")
  }

  /// Whether what is mapped is of individuals.
  var hasOrganism: Bool {
    let fields: Set<TableField> = [
      .organism, .organismStatus, .planted, .organismTags, .organismCollections, .organismNotes,
      .organismLatitude, .organismElevation,
    ]
    let measures: Set<String> = ["dbh_mm", "girth_mm", "height_cm", "crown_cm", "stems", "yield_g"]
    return entries.contains { entry in
      switch entry.target {
      case .field(let field): fields.contains(field)
      case .measure(let key): measures.contains(key)
      }
    } || constants.keys.contains(where: fields.contains)
  }

  private mutating func add(_ text: String) throws(JournalError) {
    guard let sign = text.lastIndex(of: "=") else {
      throw .invalid(field: "--map", value: text, remedy: "COLUMN=FIELD, as DBH=dbh_mm:in")
    }
    if text.hasPrefix("=") { return try addConstant(text.dropFirst()) }
    let column = String(text[..<sign])
    let parts = text[text.index(after: sign)...].split(
      separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let word = String(parts[0])
    try add(
      Entry(
        column: column, target: try Self.target(word, in: text),
        unit: parts.count == 2 ? String(parts[1]) : nil, word: word))
  }

  private mutating func add(_ entry: Entry) throws(JournalError) {
    if let other = entries.first(where: { $0.target == entry.target }) {
      guard other != entry else { return }
      throw .invalid(
        field: "--map", value: "\(entry.column)=\(entry.target.name)",
        remedy: "column '\(other.column)' says that already: take one of them out")
    }
    try Self.requireUnit(entry)
    entries.append(entry)
  }

  /// Numbers of what has a unit need one, and nothing else has one.
  private static func requireUnit(_ entry: Entry) throws(JournalError) {
    let (column, name) = (entry.column, entry.target.name)
    guard let kept = entry.target.unit else {
      guard entry.unit == nil else {
        throw .invalid(
          field: "--map", value: "\(column)=\(name):\(entry.unit ?? "")",
          remedy: "\(name) has no unit: leave it out")
      }
      return
    }
    let words = Units.all.filter { unit in
      unit.dimension == Units.all.first { $0.word == kept }?.dimension
    }.map(\.written)
    guard let unit = entry.unit else {
      throw .invalid(
        field: "--map", value: "\(column)=\(name)",
        remedy: "say in which unit its numbers are, which nobody guesses: "
          + words.map { "\(column)=\(name):\($0)" }.joined(separator: ", ")
          + "; or \(column)=\(name):cell, where each cell has its own")
    }
    guard unit == "cell" || words.contains(unit) else {
      throw .invalid(
        field: "--map", value: "\(column)=\(name):\(unit)",
        remedy: "'\(unit)' is no unit here: one of \(words.joined(separator: ", ")), cell")
    }
  }

  private static func target(_ word: String, in text: String) throws(JournalError) -> Target {
    if let field = TableField(named: word) { return .field(field) }
    if let type = MeasureType.builtIn.first(where: { $0.key == word || $0.name == word }) {
      return .measure(type.key)
    }
    if MeasureType.isOwn(word) { return .measure(word) }
    throw .invalid(
      field: "--map", value: text,
      remedy: "'\(word)' is no field: one of "
        + (TableField.allCases.map(\.rawValue) + MeasureType.builtIn.map(\.key)).joined(
          separator: ", ") + ", or a measure of your own, \(MeasureType.ownForm)")
  }

  private mutating func addConstant(_ text: Substring) throws(JournalError) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let value = parts.count == 2 ? String(parts[1]) : ""
    guard !value.isEmpty else {
      throw .invalid(field: "--map", value: "=\(text)", remedy: "=FIELD=VALUE, as =country=US")
    }
    switch parts[0] {
    case "source": source = value
    case "licence", "license": licence = value
    case "attribution": attribution = value
    case "dates":
      guard let order = DateOrder(rawValue: value) else {
        throw .invalid(field: "dates", value: value, remedy: "dmy, mdy or ymd")
      }
      dates = order
    case "decimal":
      guard value == "comma" || value == "point" else {
        throw .invalid(field: "decimal", value: value, remedy: "comma or point")
      }
      hasDecimalComma = value == "comma"
    default:
      guard case .field(let field) = try Self.target(String(parts[0]), in: "=\(text)") else {
        throw .invalid(
          field: "--map", value: "=\(text)", remedy: "a measure is not that of all rows")
      }
      constants[field] = value
    }
  }

  /// The mapping of a table whose header is that of an export of the journal; nil for another one.
  static func own(_ header: [String]) -> TableMapping? {
    guard header.first == TableField.occurrenceUUID.rawValue else { return nil }
    return written(header)
  }

  /// The mapping of columns that an export of the journal has, in the units that it keeps; nil where one is none of
  /// these, or is there twice.
  static func written(_ columns: [String]) -> TableMapping? {
    var mapping = TableMapping()
    for name in columns {
      guard let target = try? target(name, in: name), target.name == name else { return nil }
      mapping.entries.append(Entry(column: name, target: target, unit: target.unit, word: name))
    }
    guard Set(columns).count == columns.count else { return nil }
    mapping.dates = .ymd
    mapping.hasDecimalComma = false
    mapping.isWritten = true
    return mapping
  }
}

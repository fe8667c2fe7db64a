/// What the cells of one row say, by what they are mapped to.
struct TableRow: Hashable, Sendable {
  /// A cell, and where it stands.
  struct Cell: Hashable, Sendable {
    let column: String
    let text: String
    let unit: String?
    var word = ""
  }

  let line: Int
  let mapping: TableMapping
  let acceptsNullIsland: Bool
  /// Whether other cells of the table have decimal commas, so that a point may part thousands.
  var hasCommasBeside = false
  /// What is in cells that are not empty.
  private(set) var cells: [TableMapping.Target: Cell] = [:]

  init(line: Int, mapping: TableMapping, acceptsNullIsland: Bool) {
    self.line = line
    self.mapping = mapping
    self.acceptsNullIsland = acceptsNullIsland
  }

  mutating func set(_ entry: TableMapping.Entry, to text: String) {
    guard !text.isEmpty else { return }
    cells[entry.target] = Cell(
      column: entry.column, text: text, unit: entry.unit, word: entry.word)
  }

  private func cell(_ field: TableField) -> Cell? {
    cells[.field(field)]
      ?? mapping.constants[field].map { Cell(column: "=\(field.rawValue)", text: $0, unit: nil) }
  }

  /// What is said of a field; nil where nothing is.
  func text(_ field: TableField) -> String? { cell(field)?.text }

  /// The column of a field.
  func column(of field: TableField) -> String {
    cell(field)?.column ?? mapping.entries.first { $0.target == .field(field) }?.column
      ?? field.rawValue
  }

  /// The first column that a name is in; nil where none is.
  var nameColumn: String? {
    let fields: Set<TableField> = [.name, .genus, .species, .infraspecies, .cultivar]
    return mapping.entries.first { entry in
      if case .field(let field) = entry.target { fields.contains(field) } else { false }
    }?.column
  }

  /// Why the row cannot be kept: what a field says.
  func refusal(_ field: TableField, _ reason: String, _ remedy: String) -> ImportRefusal {
    ImportRefusal(
      line: line, column: column(of: field), value: text(field) ?? "", reason: reason,
      remedy: remedy)
  }

  /// Why it cannot be kept: what a record says that was made of it.
  func refusal(_ error: JournalError, of field: TableField? = nil) -> ImportRefusal {
    guard case .invalid(let name, let value, let remedy) = error else {
      return ImportRefusal(error, line: line)
    }
    let target = field ?? Self.fields[name] ?? TableField(rawValue: name)
    let cell = target.flatMap { self.cell($0) } ?? self.cell(of: name, saying: value)
    return ImportRefusal(
      line: line, column: cell?.column ?? name, value: cell?.text ?? value, reason: "cannot be",
      remedy: remedy)
  }

  /// Why it cannot be kept: what a column says that a measure was made of.
  func refusal(_ error: JournalError, ofMeasure type: String) -> ImportRefusal {
    var refusal = ImportRefusal(error, line: line)
    if let cell = cells[.measure(type)] {
      (refusal.column, refusal.value) = (cell.column, cell.text)
    }
    return refusal
  }

  /// What is odd about a value of a record, with the column and the cell that it was made of.
  func shown(_ flag: ImportFlag) -> ImportFlag {
    guard let cell = cells[.measure(flag.column)] ?? cell(of: flag.column, saying: flag.value)
    else { return flag }
    return ImportFlag(column: cell.column, value: cell.text, reason: flag.reason)
  }

  /// The cell that says a value of a record, which may be that of several kinds: "uncertainty_m".
  private func cell(of name: String, saying value: String) -> Cell? {
    TableField.allCases.lazy.filter { field in
      field.rawValue == name || field.rawValue.hasSuffix("_" + name)
        || name == "date" && field.isTime
        || field == .minDepth && name == TableField.maxDepth.rawValue
    }.first { field in
      guard let cell = self.cell(field) else { return false }
      if field.isTime, let time = try? time(field)?.time.text { return value.hasPrefix(time) }
      if field.unit != nil, let number = try? whole(field) { return String(number) == value }
      return cell.text == value
    }.flatMap { self.cell($0) }
  }

  /// What the fields of records are called in a table, where the names differ.
  private static let fields: [String: TableField] = [
    "local_end": .end, "verbatim_name": .name, "tag": .tags, "text": .notes, "taxon id": .taxon,
    "taxon id space": .taxon, "taxon name": .taxonName, "taxon authorship": .taxonAuthor,
    "taxon rank": .taxonRank, "taxon year": .taxonYear, "taxon kingdom": .taxonKingdoms,
  ]

  // MARK: - Values

  /// The UUID of a field, with "urn:uuid:" before it or not.
  func uuid(_ field: TableField) throws -> JournalID? {
    guard let text = text(field) else { return nil }
    guard let id = Self.uuid(text) else {
      throw refusal(field, "is no UUID", "32 hexadecimal digits, with hyphens as usual")
    }
    return id
  }

  static func uuid(_ text: String) -> JournalID? {
    JournalID(text.hasPrefix("urn:uuid:") ? String(text.dropFirst(9)) : text)
  }

  /// The whole number of a field.
  func whole(_ field: TableField) throws -> Int? {
    guard let cell = cell(field) else { return nil }
    if field.unit != nil { return try measured(cell, field.unit ?? "", field.rawValue) }
    guard let number = Int(cell.text) else {
      throw refusal(field, "is no whole number", "digits alone")
    }
    return number
  }

  /// The number of a cell in the unit that is kept.
  private func measured(_ cell: Cell, _ kept: String, _ name: String) throws -> Int {
    // What all rows say is said with its unit.
    let hasUnit = cell.unit == "cell" || cell.unit == nil
    func refusal(_ reason: String, _ remedy: String) -> ImportRefusal {
      ImportRefusal(
        line: line, column: cell.column, value: cell.text, reason: reason, remedy: remedy)
    }
    let text: String
    if hasUnit {
      text = cell.text
    } else {
      if hasCommasBeside, mapping.hasDecimalComma == nil, CellText.mayPartThousands(cell.text) {
        throw refusal(
          "may be thousands, for other cells have decimal commas",
          "of a point say what it is by --decimal")
      }
      guard let number = CellText.number(cell.text, hasDecimalComma: mapping.hasDecimalComma),
        ExactDecimal(number) != nil
      else {
        throw refusal("is no number", "digits with a point; of a comma say what it is by --decimal")
      }
      text = number + (cell.unit ?? "")
    }
    do {
      return try Units.number(text, in: kept, name)
    } catch {
      if case .invalid(_, _, let remedy) = error { throw refusal("cannot be", remedy) }
      throw ImportRefusal(error, line: line)
    }
  }

  /// A word of a closed list.
  func word<Word: JournalWord>(_ field: TableField) throws -> Word? {
    guard let text = text(field) else { return nil }
    do {
      return try Word(word: text.lowercased(), field: field.rawValue)
    } catch {
      throw refusal(error, of: field)
    }
  }

  /// A local time, and the offset that stands with it.
  func time(_ field: TableField) throws -> (time: LocalTime, offsetMin: Int?)? {
    guard let text = text(field) else { return nil }
    do {
      return try CellText.time(text, mapping.dates, field.rawValue)
    } catch {
      throw refusal(error, of: field)
    }
  }

  /// How many there were; nil where the cell is an X, which stands for some that nobody counted, as eBird has it.
  func count(_ field: TableField) throws -> Int? {
    text(field)?.lowercased() == "x" ? nil : try whole(field)
  }

  /// Whether something is so.
  func truth(_ field: TableField) throws -> Bool {
    switch text(field)?.lowercased() {
    case nil, "0", "false", "no": return false
    case "1", "true", "yes": return true
    default: throw refusal(field, "is neither yes nor no", "true or false")
    }
  }

  /// Several texts of one cell.
  func list(_ field: TableField) -> [String] { text(field).map(CellText.split) ?? [] }

  /// A position of three fields.
  func position(
    _ latitude: TableField, _ longitude: TableField, _ uncertainty: TableField
  ) throws -> Position? {
    guard text(latitude) != nil || text(longitude) != nil else {
      guard text(uncertainty) == nil else {
        throw refusal(uncertainty, "is the accuracy of no position", "give latitude and longitude")
      }
      return nil
    }
    guard let north = try degrees(latitude), let east = try degrees(longitude) else {
      throw refusal(
        text(latitude) == nil ? latitude : longitude, "is missing",
        "a position has both, or neither")
    }
    if abs(north) > 90 * Position.unitsPerDegree {
      let isSwapped =
        abs(north) <= 180 * Position.unitsPerDegree
        && abs(east) <= 90 * Position.unitsPerDegree
      throw refusal(
        latitude, "is not on the globe",
        "from -90 to 90 degrees" + (isSwapped ? "; are latitude and longitude swapped?" : ""))
    }
    if abs(east) > 180 * Position.unitsPerDegree {
      throw refusal(longitude, "is not on the globe", "from -180 to 180 degrees")
    }
    if north == 0, east == 0, !acceptsNullIsland {
      throw RowChecks.nullIsland(
        line: line, column: column(of: latitude), value: text(latitude) ?? "0")
    }
    return Position(latitudeE7: north, longitudeE7: east, uncertaintyM: try whole(uncertainty))
  }

  private func degrees(_ field: TableField) throws -> Int? {
    guard let text = text(field) else { return nil }
    let number = CellText.number(
      text, hasDecimalComma: mapping.hasDecimalComma, isDegree: true)
    guard let number, let value = DecimalText.value(number, decimals: 7) else {
      throw refusal(
        field, "is no number", "degrees as 42.45331, south and west with a minus")
    }
    return value
  }

  /// The measures of an individual or an occurrence.
  func measures(of target: JournalID, at time: LocalTime) throws -> [Measure] {
    var measures: [Measure] = []
    for (key, cell) in cells {
      guard case .measure(let type) = key else { continue }
      var measure = Measure(
        id: target.derived("\(type) \(time.text)"), target: target, type: type)
      measure.time = time
      if mapping.isWritten, MeasureType.isOwn(type) {
        (measure.number, measure.text) = MeasureType.own(cell.text)
      } else if let unit = key.unit {
        measure.number = try measured(cell, unit, type)
      } else {
        do {
          let parsed = try MeasureType.parse("\(cell.word)=\(cell.text)")
          (measure.number, measure.text) = (parsed.number, parsed.text)
        } catch {
          guard case .invalid(_, _, let remedy) = error else {
            throw ImportRefusal(error, line: line)
          }
          throw ImportRefusal(
            line: line, column: cell.column, value: cell.text, reason: "cannot be", remedy: remedy)
        }
      }
      measures.append(measure)
    }
    return measures.sorted { $0.type < $1.type }
  }
}

import STOLSystem
import STOLPack
import STOLFormats
import STOLNames

/// What the columns of a table mean: a mapping file, specified in Format/MAPPING.md.
///
/// AviList as an example:
///
///     title: AviList: The Global Avian Checklist
///     licence: CC BY 4.0
///     rank = Taxon_rank
///     order = Order
///     family = Family
///     name = Scientific_name
///     authorship = Authority
///     iucn = IUCN_Red_List_Category
///     name.en = English_name_AviList
struct TableMapping {
  /// Where a value comes from.
  enum Source: Equatable {
    case column(Int)
    case constant(String)
  }

  /// A line "field = column".
  struct Entry {
    var field: String
    var source: Source
    /// What is in brackets after the column: of a trait its unit, of names what is between two.
    var unit = ""
  }

  /// Where whole lineages are, and what is between their names.
  struct Lineage {
    var source: Source
    var separator: String
  }

  /// The column with the way from the root to what the row is about.
  private(set) var lineage: Lineage?
  /// Facts about the dataset.
  private(set) var metadata = DatasetMetadata()
  private var fields: [String: Source] = [:]
  /// The columns with higher taxa, the highest rank first.
  private(set) var classification: [(rank: SourceRank, source: Source)] = []
  /// Fields that may be there several times: vernacular names by language, traits by key, references.
  private(set) var vernaculars: [Entry] = []
  private(set) var traits: [Entry] = []
  private(set) var references: [Source] = []

  private static let plainFields = [
    "id", "name", "authorship", "year", "rank", "parent", "status", "code", "accepted", "iucn",
    "extinct", "parentheses",
  ]
  private static let facts = [
    "title", "version", "licence", "citation", "url", "issued", "id_space", "columns",
  ]

  /// The names that a mapping gives to the columns of a table without a header line; nil where it gives
  /// none.
  ///
  /// - Complexity: O(length)
  static func columnNames(_ text: String) -> [String]? {
    for line in text.split(whereSeparator: \.isNewline) {
      guard let (key, value) = fact(trimmingSpaces(String(line))), key == "columns" else {
        continue
      }
      return value.split(separator: ",", omittingEmptySubsequences: false).map {
        trimmingSpaces(String($0))
      }
    }
    return nil
  }

  /// Reads a mapping for a table with these columns.
  ///
  /// - Parameters:
  ///   - text: the mapping file.
  ///   - file: its name, for errors.
  ///   - columns: the columns of the table.
  ///   - ignoresMissing: whether statements about columns that the table lacks do not count.
  /// - Throws: `FormatError.line`
  init(
    _ text: String, file: String, columns: ColumnMap, ignoresMissing: Bool = false
  ) throws {
    let ranks = SourceRank.aboveSpecies + [.species]
    var byRank: [Int: Source] = [:]
    var stated: Set<String> = []
    for (index, content) in text.split(
      omittingEmptySubsequences: false, whereSeparator: \.isNewline
    )
    .enumerated() {
      let line = index + 1
      let words = trimmingSpaces(String(content))
      if words.isEmpty || words.hasPrefix("#") || words.hasPrefix("\u{FEFF}#") { continue }
      if let (key, value) = Self.fact(words) {
        guard Self.facts.contains(key) else {
          throw Self.failure(file, line, "'\(key)' is no fact about a dataset", key, Self.facts)
        }
        guard stated.insert(key).inserted else {
          throw FormatError.line(file: file, line: line, reason: "\(key) is stated twice")
        }
        guard key != "id_space" || Ingestion.isIDSpace(value) else {
          throw FormatError.line(
            file: file, line: line,
            reason:
              "'\(value)' is no id space: lower-case letters, digits, '-' and '_', a letter first, and not 'unstated'"
          )
        }
        set(key, to: value)
        continue
      }
      guard let equals = words.firstIndex(of: "=") else {
        throw FormatError.line(
          file: file, line: line, reason: "neither 'field = column' nor 'title: text': \(words)")
      }
      let field = trimmingSpaces(String(words[..<equals])).replacing("\u{FEFF}", with: "")
      let value = trimmingSpaces(String(words[words.index(after: equals)...]))
      let isTrait = field.lowercased().hasPrefix("trait.")
      var (column, unit) = (value, "")
      let mayHaveUnit =
        isTrait || field.lowercased() == "lineage" || field.lowercased().hasPrefix("name.")
      if mayHaveUnit, columns.index(value) == nil { (column, unit) = Self.splitUnit(value) }
      let source: Source
      do {
        source = try Self.source(column, columns, file: file, line: line)
      } catch  where ignoresMissing {
        continue
      }
      let key = field.lowercased()
      var isRepeated = false
      if isTrait {
        guard field.count > "trait.".count else {
          throw FormatError.line(
            file: file, line: line, reason: "a trait needs a name: trait.KEY = column")
        }
        traits.append(
          Entry(field: String(field.dropFirst("trait.".count)), source: source, unit: unit))
      } else if key.hasPrefix("name.") {
        let tag = LanguageTag.canonical(String(field.dropFirst("name.".count)))
        guard tag != LanguageTag.unknown else {
          throw FormatError.line(
            file: file, line: line, reason: "'\(field.dropFirst(5))' is no language")
        }
        vernaculars.append(Entry(field: tag, source: source, unit: unit))
      } else if key == "lineage" {
        isRepeated = lineage != nil
        lineage = Lineage(source: source, separator: unit.isEmpty ? ";" : unit)
      } else if key == "reference" {
        references.append(source)
      } else if let place = KnownRanks.place(of: key), ranks.contains(where: { $0.level == place })
      {
        isRepeated = byRank.updateValue(source, forKey: place) != nil
      } else if Self.plainFields.contains(key) {
        isRepeated = fields.updateValue(source, forKey: key) != nil
      } else {
        let known =
          Self.plainFields + MainRank.allCases.map(\.name) + [
            "lineage", "reference", "name.en", "trait.KEY",
          ] + ranks.filter { $0.kept == nil }.map(\.canonicalName)
        throw Self.failure(file, line, "there is no field '\(field)'", field, known)
      }
      if isRepeated {
        throw FormatError.line(
          file: file, line: line, reason: "the field '\(key)' was there before")
      }
    }
    classification = ranks.compactMap { rank in
      rank.level.flatMap { byRank[$0] }.map { (rank, $0) }
    }
    guard fields["name"] != nil || lineage != nil else {
      throw FormatError.unreadable(
        path: file,
        reason: "it has no line 'name = COLUMN' or 'lineage = COLUMN'; columns: "
          + Self.list(columns.names))
    }
  }

  /// Where the value of a field comes from, if the mapping says it.
  func source(_ field: String) -> Source? { fields[field] }

  private mutating func set(_ key: String, to value: String) {
    switch key {
    case "title": metadata.title = value
    case "version": metadata.version = value
    case "citation": metadata.citation = value
    case "url": metadata.url = value
    case "issued": metadata.issued = value
    case "id_space": metadata.idSpace = value
    case "columns": break
    default: metadata.licence = value
    }
  }

  /// "title: text", but not "rank = constant:species".
  private static func fact(_ words: String) -> (key: String, value: String)? {
    guard let colon = words.firstIndex(of: ":"),
      words.firstIndex(of: "=").map({ colon < $0 }) ?? true
    else { return nil }
    let key = trimmingSpaces(String(words[..<colon])).replacing("\u{FEFF}", with: "").lowercased()
    return (key, trimmingSpaces(String(words[words.index(after: colon)...])))
  }

  /// "Wing [mm]" is the column Wing, in millimetres.
  private static func splitUnit(_ value: String) -> (column: String, unit: String) {
    guard value.hasSuffix("]"), let bracket = value.lastIndex(of: "[") else { return (value, "") }
    let unit = value[value.index(after: bracket)...].dropLast()
    return (trimmingSpaces(String(value[..<bracket])), trimmingSpaces(String(unit)))
  }

  private static let constant = "constant:"

  private static func source(
    _ value: String, _ columns: ColumnMap, file: String, line: Int
  ) throws -> Source {
    if value.lowercased().hasPrefix(constant) {
      return .constant(trimmingSpaces(String(value.dropFirst(constant.count))))
    }
    if let index = columns.exactIndex(value) ?? columns.index(value) {
      return .column(index)
    }
    throw failure(file, line, "the table has no column '\(value)'", value, columns.names)
  }
}

extension TableMapping {
  /// An error that says what there is, and what may have been meant.
  private static func failure(
    _ file: String, _ line: Int, _ reason: String, _ word: String, _ known: [String]
  ) -> FormatError {
    let meant = NearestWord.suggestion(for: word, among: known)
    return .line(file: file, line: line, reason: "\(reason)\(meant) There are: \(list(known))")
  }

  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(40).joined(separator: ", ")
    return names.count > 40 ? shown + " and \(names.count - 40) more" : shown
  }
}

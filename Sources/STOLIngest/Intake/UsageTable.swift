import STOLPack
import STOLNames

/// What is known of a usage from its row alone.
struct UsageFlags: OptionSet {
  let rawValue: UInt16
  /// It states an accepted taxon, or that it is a synonym.
  static let synonym = UsageFlags(rawValue: 1)
  /// Accepted with doubts.
  static let doubtful = UsageFlags(rawValue: 2)
  /// It states the name of its parent, not the id.
  static let parentByName = UsageFlags(rawValue: 4)
  /// It states the name of its accepted taxon, not the id: perhaps its own.
  static let acceptedByName = UsageFlags(rawValue: 8)
  /// It names higher taxa in columns.
  static let classified = UsageFlags(rawValue: 16)
  /// It has several accepted taxa.
  static let proParte = UsageFlags(rawValue: 32)
  /// A name that nobody says is in use, or not part of any tree.
  static let bare = UsageFlags(rawValue: 64)
  /// Made from the columns of other rows.
  static let implicit = UsageFlags(rawValue: 128)
  /// A synonym whose parent is the only taxon that it names.
  static let acceptedByParent = UsageFlags(rawValue: 256)
  /// Its row has no id of its own.
  static let withoutID = UsageFlags(rawValue: 512)
}

/// The usages of a source: a column for each thing, 28 bytes a row.
struct UsageTable {
  private(set) var ids = Column<Int64>()
  /// The id of the parent, or of the accepted taxon of a synonym.
  private(set) var links = Column<Int64>()
  private(set) var rankCodes = Column<UInt16>()
  var flags = Column<UsageFlags>()
  /// Where the record with the name is.
  var texts = Column<UInt64>()
  var ranks = RankCodes()

  var count: Int { ids.count }

  mutating func append(id: Int64, link: Int64, rank: UInt16, flags: UsageFlags, text: UInt64) {
    ids.append(id)
    links.append(link)
    rankCodes.append(rank)
    self.flags.append(flags)
    texts.append(text)
  }

  /// The rows by their ids.
  var table: IDTable {
    var table = IDTable(count: count)
    for row in 0..<count { _ = table.insert(row, ids: ids) }
    return table
  }

  mutating func setRank(_ code: UInt16, of row: Int) { rankCodes[row] = code }

  /// The word for the rank of `row`; empty for none.
  func rankName(_ row: Int) -> String { ranks.names[Int(rankCodes[row])] }

  /// The position of the rank of `row` among the eight of the schema, or nil if it is another one.
  func keptRank(_ row: Int) -> MainRank? { ranks.kept[Int(rankCodes[row])] }

  /// How high the rank of `row` is; nil where nothing is known.
  func level(_ row: Int) -> Int? { ranks.levels[Int(rankCodes[row])] }
}

/// The ranks of a source by number; 0 stands for none.
struct RankCodes {
  private(set) var names: [String] = [""]
  private(set) var kept: [MainRank?] = [nil]
  private(set) var levels: [Int?] = [nil]
  private var codes: [String: UInt16] = [:]

  /// The ranks that are kept come first, so that there is room for them.
  init() {
    for rank in MainRank.allCases { _ = code(SourceRank(rank)) }
  }

  mutating func code(_ rank: SourceRank?) -> UInt16 {
    guard let rank else { return 0 }
    if let code = codes[rank.canonicalName] { return code }
    // More than 65,535 ranks are no ranks: those that come after are kept as none.
    guard names.count <= UInt16.max else { return 0 }
    let code = UInt16(names.count)
    codes[rank.canonicalName] = code
    names.append(rank.canonicalName)
    kept.append(rank.kept)
    levels.append(rank.level)
    return code
  }
}

/// A name, reference or trait of a taxon, from a row of its own.
package enum Attachment: Equatable {
  /// A name in a language.
  case vernacular(
    name: String, language: String, isPreferred: Bool = false, isCommon: Bool = false,
    statusText: String = "")
  /// A scientific synonym without an id.
  case synonym(
    name: String, authorship: String, year: Int?, rank: String, statusText: String = "",
    sensu: String = "")
  /// A citation.
  case reference(citation: String, url: String = "", kind: ReferenceKind)
  /// A trait, with the citation that it comes from, if it states one.
  case trait(key: String, value: String, unit: String = "", citation: String = "")
  /// An IUCN code.
  case conservation(code: String)

  /// That a taxon has died out.
  static let extinct = Attachment.trait(key: "extinct", value: "true")

  func write(to record: inout RecordBuilder) {
    switch self {
    case .vernacular(let name, let language, let isPreferred, let isCommon, let statusText):
      record.add(0)
      record.add(name, language, statusText)
      record.add((isPreferred ? 1 : 0) + (isCommon ? 2 : 0))
    case .synonym(let name, let authorship, let year, let rank, let statusText, let sensu):
      record.add(1)
      record.add(name, authorship)
      record.add(year: year)
      record.add(rank, statusText, sensu)
    case .reference(let citation, let url, let kind):
      record.add(2)
      record.add(citation, url, kind.rawValue)
    case .trait(let key, let value, let unit, let citation):
      record.add(3)
      record.add(key, value, unit, citation)
    case .conservation(let code):
      record.add(4)
      record.add(code)
    }
  }

  init(_ record: inout RecordReader) {
    switch record.number() {
    case 0:
      let name = record.text()
      let language = record.text()
      let statusText = record.text()
      let flags = record.number()
      self = .vernacular(
        name: name, language: language, isPreferred: flags & 1 != 0, isCommon: flags & 2 != 0,
        statusText: statusText)
    case 1:
      let name = record.text()
      let authorship = record.text()
      let year = record.year()
      let rank = record.text()
      let statusText = record.text()
      self = .synonym(
        name: name, authorship: authorship, year: year, rank: rank, statusText: statusText,
        sensu: record.text())
    case 2:
      let citation = record.text()
      let url = record.text()
      self = .reference(
        citation: citation, url: url, kind: ReferenceKind(rawValue: record.text()) ?? .other)
    case 3:
      let key = record.text()
      let value = record.text()
      let unit = record.text()
      self = .trait(key: key, value: value, unit: unit, citation: record.text())
    default:
      self = .conservation(code: record.text())
    }
  }
}

/// What a reference is about: the schema's `ref_type`.
package enum ReferenceKind: String {
  case taxonomy, ecology, morphology, conservation, other
}

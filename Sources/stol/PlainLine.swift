import ArgumentParser
import STOLPack

/// A command line that the parser need not see: a query, its words, and the options that most have.
///
/// The parser finds out by reflection what a command takes, which is nine tenths of the work of a
/// short query. What this takes it takes as the parser does, which a test compares; all else, every
/// error and every help among it, is the parser's.
struct PlainLine {
  /// What is asked.
  let words: [String]
  private var options: [(name: String, value: String)]
  private var flags: [String]

  private static let optionNames = [
    "pack", "data-dir", "limit", "rank", "ranks", "lang", "within", "status", "conservation",
  ]
  private static let flagNames = [
    "json", "jsonl", "tsv", "csv", "table", "no-header", "no-color", "quiet", "verbose",
  ]

  /// The words behind the name of a command; nil if one of them is unknown, a name or a value is
  /// missing, or an option comes twice.
  init?(_ arguments: ArraySlice<String>) {
    var words: [String] = []
    options = []
    flags = []
    var rest = arguments
    while let argument = rest.popFirst() {
      guard argument.utf8.first == UInt8(ascii: "-") else {
        words.append(argument)
        continue
      }
      guard argument.hasPrefix("--") else { return nil }
      let name = String(argument.dropFirst(2))
      if Self.flagNames.contains(name), !flags.contains(name) {
        flags.append(name)
      } else if Self.optionNames.contains(name), !options.contains(where: { $0.name == name }),
        let value = rest.popFirst(), value.utf8.first != UInt8(ascii: "-")
      {
        options.append((name, value))
      } else {
        return nil
      }
    }
    self.words = words
  }

  /// Takes the value of an option, nil if it is not given.
  mutating func option(_ name: String) -> String? {
    options.firstIndex { $0.name == name }.map { options.remove(at: $0).value }
  }

  /// Takes the value of an option that is a number; what is none is left to the parser.
  mutating func number(_ name: String) -> Int? {
    guard let index = options.firstIndex(where: { $0.name == name }),
      let number = Int(options[index].value)
    else { return nil }
    options.remove(at: index)
    return number
  }

  /// Takes a flag, and says whether it is given.
  mutating func flag(_ name: String) -> Bool {
    flags.firstIndex(of: name).map { _ = flags.remove(at: $0) } != nil
  }

  /// Whether all that is given has been taken.
  var isTaken: Bool { options.isEmpty && flags.isEmpty }
}

extension PlainLine {
  /// The query that the words behind `stol` are, or nil if the parser must see them.
  static func query(_ arguments: ArraySlice<String>) -> (any Query)? {
    var arguments = arguments
    guard arguments.popFirst() == "query", let name = arguments.popFirst() else { return nil }
    return switch name {
    case "search": query(SearchQueryCommand.self, arguments)
    case "complete": query(CompleteCommand.self, arguments)
    case "show": query(ShowCommand.self, arguments)
    case "lineage": query(LineageCommand.self, arguments)
    case "children": query(ChildrenCommand.self, arguments)
    case "lca": query(LCACommand.self, arguments)
    case "distance": query(DistanceCommand.self, arguments)
    case "relatives": query(RelativesCommand.self, arguments)
    case "rank": query(RankCommand.self, arguments)
    default: nil
    }
  }

  private static func query<Command: PlainQuery>(
    _ type: Command.Type, _ arguments: ArraySlice<String>
  ) -> Command? {
    guard var line = PlainLine(arguments) else { return nil }
    var command = Command(&line)
    guard line.isTaken, (try? command.options.validate()) != nil,
      (try? command.validate()) != nil
    else { return nil }
    return command
  }
}

/// A query that a plain line can be.
protocol PlainQuery: Query {
  /// Takes what it has of a line; every property is set, as the parser would.
  init(_ line: inout PlainLine)
}

extension QueryOptions {
  /// Takes those of a line.
  init(_ line: inout PlainLine) {
    self.init()
    var home = HomeOptions()
    home.dataDir = line.option("data-dir")
    var location = LocationOptions()
    location.pack = line.option("pack")
    location.home = home
    self.location = location
    within = line.option("within")
    status = line.option("status")
    conservation = line.option("conservation")
    trait = []
    input = nil
    threads = nil
    json = line.flag("json")
    jsonl = line.flag("jsonl")
    tsv = line.flag("tsv")
    csv = line.flag("csv")
    table = line.flag("table")
    noHeader = line.flag("no-header")
    noColor = line.flag("no-color")
    quiet = line.flag("quiet")
    verbose = line.flag("verbose")
  }
}

extension MatchOptions {
  /// Those of a line that has none.
  static var plain: MatchOptions {
    var options = MatchOptions()
    options.mode = .auto
    options.searchLang = nil
    options.maxDistance = nil
    return options
  }
}

/// A query about words that name taxa, and how these are shown.
protocol PlainNameQuery: PlainQuery {
  init()
  var words: [String] { get set }
  var rank: String? { get set }
  var ranks: String? { get set }
  var language: String? { get set }
  var options: QueryOptions { get set }
}

extension PlainNameQuery {
  init(_ line: inout PlainLine) {
    self.init()
    take(&line)
  }

  /// Takes what all of these have.
  mutating func take(_ line: inout PlainLine) {
    words = line.words
    rank = line.option("rank")
    ranks = line.option("ranks")
    language = line.option("lang")
    options = QueryOptions(&line)
  }
}

/// One that gives many taxa.
protocol PlainListQuery: PlainNameQuery {
  var limit: Int? { get set }
}

extension PlainListQuery {
  init(_ line: inout PlainLine) {
    self.init()
    limit = line.number("limit")
    take(&line)
  }
}

/// One that finds taxa by their names.
protocol PlainSearch: PlainListQuery {
  var match: MatchOptions { get set }
}

extension PlainSearch {
  init(_ line: inout PlainLine) {
    self.init()
    match = .plain
    limit = line.number("limit")
    take(&line)
  }
}

extension SearchQueryCommand: PlainSearch {}
extension CompleteCommand: PlainSearch {}
extension LineageCommand: PlainNameQuery {}
extension ChildrenCommand: PlainListQuery {}
extension RelativesCommand: PlainListQuery {}

extension ShowCommand: PlainNameQuery {
  init(_ line: inout PlainLine) {
    self.init()
    explain = false
    take(&line)
  }
}

extension LCACommand: PlainQuery {
  init(_ line: inout PlainLine) {
    self.init()
    taxa = line.words
    var setOptions = SetOptions()
    setOptions.from = nil
    setOptions.separator = nil
    self.setOptions = setOptions
    skipUnknown = false
    majority = nil
    weights = false
    rank = line.option("rank")
    options = QueryOptions(&line)
  }
}

extension DistanceCommand: PlainQuery {
  init(_ line: inout PlainLine) {
    self.init()
    taxa = line.words
    rank = line.option("rank")
    options = QueryOptions(&line)
  }
}

extension RankCommand: PlainQuery {
  init(_ line: inout PlainLine) {
    self.init()
    words = line.words
    limit = line.number("limit")
    ranks = line.option("ranks")
    language = line.option("lang")
    options = QueryOptions(&line)
  }
}

import Foundation
import STOLAnswers
import STOLFormats
import STOLMatch
import STOLPack
import STOLSystem

/// How names are matched, as fields of a page or of a program say it; what the command calls `--min-score`
/// is `minScore` here, and so on.
struct MatchSettings: Sendable {
  /// The most rows at once.
  static let greatestRowCount = 5000
  /// The most bytes of a table or list.
  static let greatestByteCount = 1 << 20
  /// What may be sent, in words.
  static var limits: String {
    Words[
      .tooMuchText,
      ["rows": Words.grouped(greatestRowCount), "bytes": Words.grouped(greatestByteCount)]]
  }
  /// What a program may send besides forms.
  static let mediaTypes = [
    "application/json", "text/plain", "text/csv", "text/tab-separated-values",
  ]

  /// What counts as an answer.
  private(set) var options = NameMatcher.Options()
  /// Whose fields the answer has; nil for those of the command.
  let service: MatchService?
  /// Whether the answer is the table that was sent with columns added.
  let isTable: Bool
  /// The columns that are added to a table, as the command takes them.
  let add: String
  /// The column with the names; nil for what Darwin Core's terms find.
  let nameColumn: String?
  /// The fields that were given and count for every table of a page, to be sent again.
  let given: [(name: String, value: String)]

  /// What is wrong with what was asked, and where nothing can be answered.
  struct Failure: Error {
    var status = 400
    var title = Words[.cannotBeMatched]
    let text: String
    /// The columns of a table of which none is known to hold names.
    var columns: [String] = []
  }

  /// Reads the fields of a query or a form.
  init(_ fields: Fields, add usual: String = MatchColumn.usual) throws(Failure) {
    let format = fields["format"] ?? "json"
    guard let known = Self.formats.first(where: { $0 == format }) else {
      throw Failure(
        text: "format is one of \(Self.formats.joined(separator: ", ")), got \"\(format)\""
          + NearestWord.suggestion(for: format, among: Self.formats))
    }
    service = MatchService(rawValue: known)
    isTable = known == "table"
    options.follow(service)
    if let text = fields["minScore"] {
      guard let score = Int(text), (0...100).contains(score) else {
        throw Failure(text: "minScore is from 0 to 100, got \"\(text)\"")
      }
      options.leastScore = score
    }
    func flag(_ name: String) throws(Failure) -> Bool {
      guard let text = fields[name] else { return false }
      guard text == "yes" else {
        throw Failure(text: "\(name) is yes or left out, got \"\(text)\"")
      }
      return true
    }
    options.allowsScannerErrors = try flag("ocr")
    options.isStrict = try flag("exact")
    options.allowsHigherTaxa = try !flag("noHigher")
    guard service == nil || fields["add"] == nil else {
      throw Failure(text: "format=\(known) adds its own fields: give no add with it")
    }
    add = fields["add"] ?? usual
    nameColumn = fields["nameColumn"]
    given = ["minScore", "ocr", "exact", "noHigher", "add", "nameColumn"].compactMap { name in
      fields[name].map { (name, $0) }
    }
  }

  /// The columns that are added.
  func columns(_ pack: Pack) throws(Failure) -> [(name: String, column: MatchColumn)] {
    if let service { return service.columns }
    do {
      return try MatchColumn.columns(add, pack.view.taxa.ranks)
    } catch {
      // It names the columns too.
      throw Failure(text: error.description)
    }
  }

  /// Opens a table; where it is a list, each line is a name, whatever commas it has.
  func open(_ file: SentFile, isList: Bool = false) throws(Failure) -> NameTable {
    guard file.bytes.count <= Self.greatestByteCount else { throw Self.tooMuch }
    var choice = MatchFields.Choice()
    choice.name = nameColumn
    do {
      let name = file.name.isEmpty ? "the table" : file.name
      return try NameTable(
        isList
          ? RawTable(head: file.bytes, delimiter: nil, isQuoted: false) { [] }
          : RawTable.reading(file.bytes, fileName: name), choice)
    } catch let failure as MatchFields.Failure {
      let text = failure.description.replacing("--name COLUMN", with: "nameColumn")
      throw Failure(text: text, columns: Self.columnNames(file))
    } catch let error as any StolError {
      throw Failure(text: error.description)
    } catch {
      throw Failure(text: "\(error)")
    }
  }

  /// The rows of a table.
  static func rows(_ table: inout NameTable) throws(Failure) -> [RawTable.Row] {
    do {
      guard let rows = try table.rows(upTo: greatestRowCount) else { throw tooMuch }
      return rows
    } catch let failure as Failure {
      throw failure
    } catch let error as any StolError {
      throw Failure(text: error.description)
    } catch {
      throw Failure(text: "\(error)")
    }
  }

  static var tooMuch: Failure {
    Failure(status: 413, title: Words[.tooMuch], text: limits)
  }

  private static func columnNames(_ file: SentFile) -> [String] {
    guard var table = try? RawTable.reading(file.bytes, fileName: file.name) else { return [] }
    return (try? table.next()).flatMap { $0 }.map { NameTable.texts(of: $0) } ?? []
  }

  // MARK: - Names of programs

  /// What the answer may be; a table where one is sent and asked for.
  static let formats = ["json", "table"] + MatchService.allCases.map(\.rawValue)

  /// The fields that a program may give.
  private static let parameters =
    ["name", "authorship", "rank", "code"] + MatchQuery.hintRanks
    + ["minScore", "ocr", "exact", "noHigher", "ranks", "format", "add", "nameColumn", "lang"]

  /// Refuses what a program gives that nothing asks for: most likely it is misspelt.
  static func check(_ fields: Fields) throws(Failure) {
    for (name, _) in fields.pairs
    where !parameters.contains(name) && name != RequestGuard.tokenField {
      throw Failure(
        text: "nothing is called \"\(name)\""
          + NearestWord.suggestion(for: name, among: parameters))
    }
  }

  /// What the fields of a query or a form ask: each `name` with the same hints.
  static func queries(_ fields: Fields) throws(Failure) -> [MatchQuery] {
    let names = fields.pairs.filter { $0.name == "name" }.map(\.value)
    guard names.count <= greatestRowCount else { throw tooMuch }
    return names.map { query($0) { fields[$0] } }
  }

  /// What an array in JSON asks: texts, or objects with `name` and hints.
  static func queries(json bytes: [UInt8]) throws(Failure) -> [MatchQuery] {
    guard bytes.count <= greatestByteCount else { throw tooMuch }
    guard let root = try? JSONSerialization.jsonObject(with: Data(bytes)) else {
      throw Failure(text: "the body is no JSON")
    }
    guard let entries = root as? [Any] else {
      throw Failure(text: "the body is no array of names")
    }
    guard entries.count <= greatestRowCount else { throw tooMuch }
    var queries: [MatchQuery] = []
    for (index, entry) in entries.enumerated() {
      if let name = entry as? String {
        queries.append(MatchQuery(name))
        continue
      }
      guard let object = entry as? [String: Any], object["name"] is String else {
        throw Failure(
          text: "element \(index) is neither a text nor an object with a text \"name\"")
      }
      for (key, value) in object {
        guard value is String || value is NSNull else {
          throw Failure(text: "element \(index): \"\(key)\" is no text")
        }
        guard
          ["name", "authorship", "rank", "code"].contains(key)
            || MatchQuery.hintRanks.contains(key)
        else { throw Failure(text: "element \(index): nothing is called \"\(key)\"") }
      }
      queries.append(query(object["name"] as? String ?? "") { object[$0] as? String })
    }
    return queries
  }

  private static func query(_ name: String, _ value: (String) -> String?) -> MatchQuery {
    var query = MatchQuery(
      name, authorship: value("authorship"), rank: value("rank"), code: value("code"))
    for rank in MatchQuery.hintRanks {
      if let taxon = value(rank), !taxon.isEmpty { query.hints.append((rank, taxon)) }
    }
    return query
  }
}

/// Matches tables one at a time, each on as many threads as the machine runs at once.
actor MatchQueue {
  /// Runs `body` when its turn comes.
  ///
  /// - Throws: `CancellationError` where the task was cancelled while it waited, and what `body` throws.
  func run<Value: Sendable>(_ body: @Sendable () throws -> Value) throws -> Value {
    try Task.checkCancellation()
    return try body()
  }
}

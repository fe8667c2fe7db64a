/// Reads observations as the API of iNaturalist answers with them: a page with a list, or the list.
package final class INaturalistJSONReader: ImportReader {
  private var scanner: JSONScanner
  private var counter = LineCounter()
  private var isFirst = true
  private var isDone = false
  /// The line of the observation before.
  private var lastLine = 0
  package private(set) var beside = ImportBeside()
  /// More than any answer has.
  static let byteLimit = 128 << 20

  /// Whether the first bytes of a file are such an answer.
  static func isAnswer(_ head: [UInt8]) -> Bool {
    var scanner = JSONScanner(head)
    guard let first = scanner.peek(), first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    else { return false }
    let text = String(decoding: head, as: UTF8.self)
    let isDated = text.contains("\"observed_on\"") || text.contains("\"time_observed_at\"")
    if isDated, text.contains("\"quality_grade\"") { return true }
    if scanner.take("[") {
      return isDated && text.contains("\"uuid\"")
        && (text.contains("\"taxon\"") || text.contains("\"species_guess\""))
    }
    // A page has how many there are, and of an observation what was asked for.
    let names = memberNames(&scanner)
    return names.contains("results") && (isDated || names.contains("total_results"))
      || names.contains("status") && (names.contains("error") || names.contains("errors"))
  }

  /// The names of members of the object that comes next, up to where the bytes end.
  private static func memberNames(_ scanner: inout JSONScanner) -> Set<String> {
    var names: Set<String> = []
    guard scanner.take("{") else { return names }
    repeat {
      guard let name = try? scanner.name() else { break }
      names.insert(name)
      guard (try? scanner.node()) != nil else { break }
    } while scanner.take(",")
    return names
  }

  /// Reads what `chunks` gives.
  ///
  /// - Throws: `JournalError.invalid` for a file without a list of observations; what `chunks` throws.
  package init(_ chunks: ByteChunks) throws {
    scanner = JSONScanner(try chunks.rest(limit: Self.byteLimit))
    scanner.nodeLimit = Self.nodeLimit
    scanner.replacesHalfPairs = true
    do {
      try findList()
    } catch let fault as JSONFault {
      throw JournalDocumentReader.error(fault, in: scanner.bytes)
    }
    guard scanner.peek() != UInt8(ascii: "]") else {
      throw JournalError.invalid(
        field: "answer of iNaturalist", value: "results: []",
        remedy: "it has no observation: ask for others, as those of a user or a project")
    }
  }

  /// The most values of an observation.
  static let nodeLimit = 200_000

  /// Goes to the first observation.
  private func findList() throws {
    if scanner.take("[") { return }
    guard scanner.take("{") else { throw scanner.fault("an answer is an object or a list") }
    var failure: String?
    repeat {
      let name = try scanner.name()
      guard name != "results" else {
        guard scanner.take("[") else { throw scanner.fault("a list is needed here") }
        return
      }
      let node = try scanner.node()
      if name.hasPrefix("error") { failure = node["original"]?["error"]?.shown ?? node.shown }
    } while scanner.take(",")
    if let failure {
      throw JournalError.invalid(
        field: "answer of iNaturalist", value: failure,
        remedy: "it is an error and has no observation: ask again")
    }
    throw scanner.fault("it has no results")
  }

  package func next() throws -> Result<ImportRow, ImportRefusal>? {
    guard !isDone else { return nil }
    let isMore = isFirst ? scanner.peek() != UInt8(ascii: "]") : scanner.take(",")
    isFirst = false
    guard isMore else {
      isDone = true
      guard scanner.take("]") else {
        throw JournalDocumentReader.error(
          scanner.fault("a comma or ] is needed here"), in: scanner.bytes)
      }
      return nil
    }
    let node: JSONNode
    scanner.nodeCount = 0
    let replacedCount = scanner.replacedCount
    do {
      node = try scanner.node()
    } catch {
      throw JournalDocumentReader.error(error, in: scanner.bytes)
    }
    let line = counter.place(of: node.range.lowerBound, in: scanner.bytes).line
    let isOneLine = line == max(1, lastLine)
    lastLine = line
    guard case .object = node.value else {
      return .failure(
        ImportRefusal(
          line: line, column: "", value: node.shown, reason: "is no observation",
          remedy: "an object in { }"))
    }
    var object = ImportObject(node, line: line)
    do throws(ImportRefusal) {
      guard scanner.isKept else {
        throw object.refusal(
          "", "", "has more than \(Self.nodeLimit) values in it", "leave out what is no observation"
        )
      }
      if scanner.replacedCount > replacedCount {
        object.flag(
          "\\u", "", "has half of a surrogate pair, which is no character: it is U+FFFD now")
      }
      let row = try row(&object)
      beside.leave(object.left)
      return .success(row)
    } catch {
      // All of an answer may be on one line.
      guard isOneLine, let id = node["id"]?.shown else { return .failure(error) }
      var refusal = error
      refusal.column = ["observation \(id)", error.column].filter { !$0.isEmpty }
        .joined(separator: ", ")
      return .failure(refusal)
    }
  }

  private func row(_ object: inout ImportObject) throws(ImportRefusal) -> ImportRow {
    guard let id = try object.text("id") else {
      throw object.refusal("id", "", "is missing", "the number of the observation")
    }
    let (start, offset) = try time(&object)
    var seen = INaturalistObservation(id: id, start: start, utcOffsetMin: offset)
    let isHidden = try object.flag(named: "obscured") ?? false
    let accuracy = try metres("positional_accuracy", &object)
    let roughly = try metres("public_positional_accuracy", &object)
    let own = try position("private_location", accuracy, &object)
    let shown = try position("location", isHidden ? roughly ?? accuracy : accuracy, &object)
    seen.position = own ?? shown
    seen.isObscured = isHidden && own == nil
    seen.privacy = INaturalistObservation.privacy(
      try object.text("geoprivacy"), try object.text("taxon_geoprivacy"),
      isHidden ? "obscured" : nil)
    let places = (try object.text("private_place_guess"), try object.text("place_guess"))
    seen.placeName = places.0 ?? places.1
    if let (_, user) = try object.take(["user"]) {
      var user = ImportObject(user, line: object.line)
      (seen.login, seen.personName) = (try user.text("login"), try user.text("name"))
    }
    seen.remarks = try object.text("description")
    seen.tags = try tags(&object)
    seen.isCaptive = try object.flag(named: "captive")
    let guess = try object.text("species_guess")
    var hint: ImportRow.Hint?
    if let (_, member) = try object.take(["taxon"]) {
      var taxon = ImportObject(member, line: object.line)
      seen.name = try taxon.text("name")
      seen.commonName = try taxon.text("preferred_common_name")
      hint = INaturalistObservation.hint(ofGroup: try taxon.text("iconic_taxon_name"))
    }
    seen.name = seen.name ?? guess
    seen.history = try history(&object)
    leaveRest(&object)
    var row = try object.row(seen.records, Self.sources)
    row.commonName = seen.commonName
    row.hints = [hint].compactMap { $0 }
    return row
  }

  private static let sources: KeyValuePairs = [
    "date": "observed_on", "latitude": "location", "longitude": "location",
    "uncertainty_m": "positional_accuracy", "name": "place_guess", "tag": "tags",
    "verbatim_name": "species_guess", "remarks": "description",
  ]

  /// Counts what an observer has put there and the journal has no place for.
  private func leaveRest(_ object: inout ImportObject) {
    for name in ["photos", "sounds", "ofvs", "annotations", "comments", "license_code"] {
      if case .list(let list)? = object.node[name]?.value, list.isEmpty { continue }
      object.leave(name)
    }
  }

  private func time(
    _ object: inout ImportObject
  ) throws(ImportRefusal) -> (time: LocalTime, utcOffsetMin: Int?) {
    let (day, moment) = (try object.text("observed_on"), try object.text("time_observed_at"))
    let written = try object.text("observed_on_string")
    guard day != nil || moment != nil else {
      throw object.refusal(
        "observed_on", "", "is missing", "the journal needs to know when it was")
    }
    // The date of an old answer has a time behind it.
    let date = day.flatMap { try? LocalTime(String($0.prefix(10))) }
    if let moment {
      guard let found = ImportTime(moment) else {
        throw object.refusal(
          "time_observed_at", moment, "is no time", "a time as 2026-03-15T09:44:30-04:00")
      }
      guard found.utcOffsetMin == 0, let date else { return (found.time, found.utcOffsetMin) }
      return INaturalistObservation.time(on: date, written, found.time.firstSecond)
    }
    guard let date else {
      throw object.refusal("observed_on", day ?? "", "is no date", "a date as 2026-03-15")
    }
    return (date, nil)
  }

  /// A number of metres, rounded up; nil for 0, which stands for nobody knows.
  private func metres(
    _ name: String, _ object: inout ImportObject
  ) throws(ImportRefusal) -> Int? {
    guard let number = try object.number(name, decimals: 3), number.value > 0 else { return nil }
    return (number.value + 999) / 1000
  }

  /// A position as "41.6,-93.7".
  private func position(
    _ name: String, _ accuracy: Int?, _ object: inout ImportObject
  ) throws(ImportRefusal) -> Position? {
    guard let text = try object.text(name) else { return nil }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmed() }
    guard parts.count == 2 else {
      throw object.refusal(name, text, "is no position", "latitude and longitude, as 41.6,-93.7")
    }
    do {
      return try Position(latitude: parts[0], longitude: parts[1], uncertaintyM: accuracy)
    } catch {
      guard case .invalid(_, _, let remedy) = error else {
        throw ImportRefusal(error, line: object.line)
      }
      throw object.refusal(name, text, "cannot be", remedy)
    }
  }

  private func tags(_ object: inout ImportObject) throws(ImportRefusal) -> Set<String> {
    guard let (name, member) = try object.take(["tags"]) else { return [] }
    guard case .list(let list) = member.value else {
      throw object.refusal(name, member.shown, "is no list", "a list of texts in [ ]")
    }
    var tags: Set<String> = []
    for node in list {
      switch node.value {
      case .text(let text): tags.insert(text)
      // Old answers have an object for each.
      case .object:
        if case .text(let text)? = node["name"]?.value ?? node["tag"]?.value { tags.insert(text) }
      default: throw object.refusal(name, node.shown, "is no text", "a text in quotation marks")
      }
    }
    return tags
  }

  /// What persons took it for, the earliest first.
  private func history(
    _ object: inout ImportObject
  ) throws(ImportRefusal) -> [INaturalistObservation.Name] {
    guard let (name, member) = try object.take(["identifications"]) else { return [] }
    guard case .list(let list) = member.value else {
      throw object.refusal(name, member.shown, "is no list", "a list of identifications")
    }
    var names: [(number: Int, name: INaturalistObservation.Name)] = []
    for node in list {
      guard case .object = node.value else {
        throw object.refusal(name, node.shown, "is no identification", "an object in { }")
      }
      var inner = ImportObject(node, line: object.line)
      guard let id = try inner.text("id"), case .text(let taxon)? = node["taxon"]?["name"]?.value
      else { continue }
      var found = INaturalistObservation.Name(id: id, name: taxon)
      found.date = try inner.text("created_at").flatMap { try? LocalTime(String($0.prefix(10))) }
      var person: String?
      if case .text(let login)? = node["user"]?["login"]?.value { person = login }
      found.remarks = Identification.remarks([try inner.text("body")], identifiedBy: person)
      names.append((Int(id) ?? 0, found))
    }
    return names.sorted { $0.number < $1.number }.map(\.name)
  }
}

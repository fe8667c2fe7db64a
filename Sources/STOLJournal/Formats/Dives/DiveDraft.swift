import STOLFormats

/// An event of a file of dives while it is read: what cannot be is left out of it and said, and spoils no more.
struct DiveDraft {
  /// The line of its element, or the number of its entry.
  let line: Int
  var event: Event
  var dive = Dive()
  /// What the event refers to.
  private(set) var before: [JournalRecord] = []
  /// What is said about the event.
  private(set) var after: [JournalRecord] = []
  private(set) var words = ImportWords()
  /// What stands in the file for columns of a dive.
  private var sources: [String: ImportMember] = [:]

  init(_ event: Event, line: Int) {
    self.event = event
    self.line = line
  }

  /// Says where a column of the dive stands in the file.
  mutating func note(_ column: String, _ name: String, _ shown: String) {
    sources[column] = ImportMember(name: name, shown: shown)
  }

  /// Adds a record that the event refers to.
  mutating func add(_ record: JournalRecord) {
    if !before.contains(where: { $0.id == record.id }) { before.append(record) }
  }

  /// Adds persons whose names a text has, commas between.
  mutating func addPersons(_ text: String?, _ role: Participant.Role, _ column: String) {
    for name in (text ?? "").split(separator: ",") {
      addPerson(String(name), role, column)
    }
  }

  /// Adds somebody who took part, under a UUID, or with nil under that of the name.
  mutating func addPerson(
    _ name: String, _ role: Participant.Role, _ column: String, _ id: JournalID? = nil
  ) {
    guard let name = self.name(name, column) else { return }
    let person = Person(id: id ?? JournalID(naming: ["dive", "person", name]), name: name)
    guard event.persons.count < JournalLimits.listCount else {
      return flag(column, name, "left out: there are more than \(JournalLimits.listCount)")
    }
    event.persons.insert(Participant(person: person.id, role: role))
    add(.person(person))
  }

  /// Adds a number that the journal has no column for.
  mutating func addMeasure(_ type: String, _ number: Int) {
    after.append(
      .measure(
        Measure(id: event.id.derived(type), target: event.id, type: type, number: number)))
  }

  /// Adds tags.
  mutating func addTags(_ tags: [String], _ column: String) {
    for tag in tags {
      guard let tag = name(tag, column) else { continue }
      let folded = asciiLowercased(tag)
      guard !event.tags.contains(where: { asciiLowercased($0) == folded }) else { continue }
      guard event.tags.count < JournalLimits.listCount else {
        flag(column, tag, "left out: there are more than \(JournalLimits.listCount)")
        continue
      }
      event.tags.insert(tag)
    }
  }

  /// Adds a line to the remarks.
  mutating func addRemarks(_ text: String?, _ column: String) {
    guard let text = self.text(text, column) else { return }
    event.remarks = self.text(
      [event.remarks, text].compactMap { $0 }.joined(separator: "\n"), column)
  }

  /// Puts the dive at the site with a name and a position, of which one may be missing.
  mutating func setLocation(_ name: String?, _ position: Position?) {
    guard let shown = name ?? position.map({ "\($0.latitudeText), \($0.longitudeText)" }) else {
      return
    }
    var place = Place(
      id: JournalID(naming: [
        "subsurface", "location", shown, position?.latitudeText ?? "",
        position?.longitudeText ?? "",
      ]), kind: .site, name: shown)
    place.position = position
    event.place = place.id
    add(.place(place))
  }

  mutating func flag(_ column: String, _ value: String, _ reason: String) {
    words.flag(column, value, reason)
  }

  mutating func name(_ text: String?, _ column: String) -> String? { words.name(text, column) }

  mutating func text(_ text: String?, _ column: String) -> String? { words.text(text, column) }

  // MARK: - What can be

  /// A depth in millimetres, in which computers are wrong by up to a metre; nil for one that cannot be.
  ///
  /// Just above the water one is as deep as at its surface.
  static func depth(_ mm: Int) -> Int? {
    (-1000...12_000_000).contains(mm) ? max(0, mm) : nil
  }

  /// Says that something of it is not kept.
  mutating func leave(_ what: String) { words.left.insert(what) }

  private static let fields: [String: any WritableKeyPath<Dive, Int?> & Sendable] = [
    "number": \.number, "duration_s": \.durationS, "bottom_s": \.bottomS,
    "max_depth_mm": \.maxDepthMm, "mean_depth_mm": \.meanDepthMm, "water_min_ck": \.waterMinCk,
    "water_max_ck": \.waterMaxCk, "air_ck": \.airCk, "visibility_cm": \.visibilityCm,
    "current_level": \.currentLevel, "salinity_mg_l": \.salinityMgL,
    "surface_mbar": \.surfaceMbar, "weight_g": \.weightG,
  ]
  private static let tankFields: [String: any WritableKeyPath<Dive.Tank, Int?> & Sendable] = [
    "volume_ml": \.volumeMl, "work_mbar": \.workMbar, "start_mbar": \.startMbar,
    "end_mbar": \.endMbar, "o2_permille": \.o2Permille, "he_permille": \.hePermille,
  ]

  /// Adds a tank, without what cannot be.
  ///
  /// - Parameters:
  ///   - tank: the tank.
  ///   - column: what it is called in the file.
  ///   - sources: what stands in the file for its fields.
  mutating func add(
    _ tank: Dive.Tank, _ column: String, _ sources: [String: ImportMember] = [:]
  ) {
    guard dive.tanks.count < JournalLimits.listCount else {
      return flag(column, "", "left out: there are more than \(JournalLimits.listCount)")
    }
    var tank = tank
    for _ in Self.tankFields {
      do throws(JournalError) {
        try tank.validate()
        break
      } catch {
        guard case .invalid(let field, let value, let remedy) = error,
          let path = Self.tankFields[field]
        else { break }
        tank[keyPath: path] = nil
        let source = sources[field] ?? ImportMember(name: "\(column).\(field)", shown: value)
        var reason = "left out: \(remedy)"
        if let start = sources["start_mbar"], remedy.contains("start_mbar") {
          reason = "left out: at most \(start.name), which is \(start.shown)"
        }
        flag(source.name, source.shown, reason)
      }
    }
    dive.tanks.append(tank)
  }

  /// Adds what a computer recorded, without samples that cannot be.
  mutating func add(_ log: Dive.Log, _ samples: DiveSamples, _ column: String) {
    guard dive.logs.count < JournalLimits.listCount else {
      return flag(column, "", "left out: there are more than \(JournalLimits.listCount)")
    }
    var log = log
    do throws(JournalError) {
      try log.set(samples)
      dive.logs.append(log)
      try dive.validateLogs()
    } catch {
      // What is there already is known to be fine.
      if dive.logs.last == log { dive.logs.removeLast() }
      dive.logs.append(log.withoutSamples)
      flag(column, "samples", "left out: \(error.description)")
    }
  }

  /// Takes out of the dive what cannot be.
  private mutating func takeOutWhatCannotBe() {
    for _ in Self.fields {
      do throws(JournalError) {
        try dive.validate()
        return
      } catch {
        guard case .invalid(let field, let value, let remedy) = error,
          let path = Self.fields[field]
        else { return }
        dive[keyPath: path] = nil
        let source = sources[field] ?? ImportMember(name: field, shown: value)
        flag(source.name, source.shown, "left out: \(remedy)")
      }
    }
  }

  /// The row of all of it.
  ///
  /// - Throws: `ImportRefusal`, where it says what cannot be.
  mutating func row() throws(ImportRefusal) -> ImportRow {
    takeOutWhatCannotBe()
    if event.kind == .dive { event.dive = dive }
    let row = ImportRow(
      line: line, records: before + [.event(event)] + after, flags: words.flags)
    for record in row.records {
      do {
        try record.validate()
      } catch {
        throw ImportRefusal(error, line: line)
      }
    }
    return row
  }
}

/// Texts of another program as the journal has them, with what is odd about them.
struct ImportWords {
  private(set) var flags: [ImportFlag] = []
  /// What is not kept, in words.
  var left: Set<String> = []
  /// Of a thousand samples that are odd some say it.
  private static let flagLimit = 20

  mutating func flag(_ column: String, _ value: String, _ reason: String) {
    guard flags.count < Self.flagLimit else { return }
    let flag = ImportFlag(column: column, value: String(value.prefix(80)), reason: reason)
    if !flags.contains(flag) { flags.append(flag) }
  }

  /// A text of one line; nil for one that says nothing.
  mutating func name(_ text: String?, _ column: String) -> String? {
    let words = (text ?? "").unicodeScalars.split { scalar in
      scalar.properties.isWhitespace || scalar.value < 0x20 || scalar.value == 0x7F
    }.map { String($0) }
    return cut(words.joined(separator: " "), JournalLimits.nameByteCount, column)
  }

  /// A text of several lines; nil for one that says nothing.
  mutating func text(_ text: String?, _ column: String) -> String? {
    cut((text ?? "").trimmed { $0.isWhitespace }, JournalLimits.textByteCount, column)
  }

  private mutating func cut(_ text: String, _ limit: Int, _ column: String) -> String? {
    guard text.utf8.count > limit else { return text.isEmpty ? nil : text }
    flag(column, text, "is cut: the journal has at most \(limit) bytes of it")
    var end = text.utf8.index(text.startIndex, offsetBy: limit)
    while String.Index(end, within: text.unicodeScalars) == nil {
      end = text.utf8.index(before: end)
    }
    return String(text[..<end])
  }
}

extension ImportRow {
  /// The row with flags that are of the whole file, which no later row says again.
  func taking(_ flags: inout [ImportFlag]) -> ImportRow {
    var row = self
    row.flags += flags
    flags = []
    return row
  }
}

/// Names what the rows of a file are called by, so that the same file makes the same records.
struct NamedOnce {
  private var counts: [[String]: Int] = [:]

  /// The UUID of what some words name; of those after the first with the same words a number is one more word.
  mutating func id(_ words: [String]) -> JournalID {
    let count = counts[words, default: 0]
    counts[words] = count + 1
    return JournalID(naming: count == 0 ? words : words + ["\(count)"])
  }
}

/// The parts of an XML document, one after another.
final class XMLParts {
  private let chunks: ByteChunks
  private let parser: XMLItemParser
  private var parts: ArraySlice<XMLPart> = []
  private var isAtEnd = false
  private var failure: XMLFailure?
  /// The line that was read last.
  var line: Int { parser.line }

  /// The parts of what `chunks` gives.
  ///
  /// - Throws: `JournalError.invalid` where memory is short.
  init(
    _ chunks: ByteChunks, choose: @escaping (String, String?) -> XMLItemParser.Choice
  ) throws(JournalError) {
    self.chunks = chunks
    do {
      parser = try XMLItemParser(choose: choose)
    } catch {
      throw .invalid(field: "file", value: "", remedy: error.description)
    }
  }

  /// The next part; nil at the end.
  ///
  /// - Throws: `ImportRefusal` for what is no XML, once all before it was given; what the file throws.
  func next() throws -> XMLPart? {
    while true {
      if let part = parts.popFirst() { return part }
      if let failure {
        self.failure = nil
        isAtEnd = true
        throw Self.refusal(failure, line: parser.line)
      }
      guard !isAtEnd else { return nil }
      let chunk = try chunks.next()
      isAtEnd = chunk.isEmpty
      do throws(XMLFailure) {
        try parser.parse(chunk, isLast: isAtEnd)
      } catch {
        failure = error
      }
      parts = parser.parts[...]
      parser.parts = []
    }
  }

  private static func refusal(_ failure: XMLFailure, line: Int) -> ImportRefusal {
    var reason = failure.description
    if case .malformed(_, let text) = failure { reason = "is not valid XML: \(text)" }
    return ImportRefusal(
      line: line, column: "", value: "", reason: reason,
      remedy: "nothing behind it is read; mend the file, or get it again")
  }
}

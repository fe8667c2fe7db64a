import STOLFormats

/// Reads the list of dives that Subsurface exports as comma-separated values, whose header has the units.
///
/// A dive has what it has in a log of Subsurface, and the same UUID as there where no computer knows it by more
/// than when it began.
final class SubsurfaceTableReader: ImportReader {
  private var rows: TableReader
  /// Where columns are and in which units, by their names without these.
  private var columns: [String: (index: Int, unit: String)] = [:]
  private var tankCount = 0
  private var names = NamedOnce()
  private(set) var beside = ImportBeside()
  var roundTrip: RoundTripFormat? { .subsurface }

  /// Whether a file begins as such a list does.
  static func isTable(_ head: [UInt8]) -> Bool {
    let line = head.prefix { $0 != UInt8(ascii: "\n") }
    let text = asciiLowercased(String(decoding: line, as: UTF8.self))
    return text.contains("dive number") && text.contains("duration [min]")
  }

  /// Reads what `chunks` gives.
  ///
  /// - Throws: `JournalError.invalid` for a file without a header; what `chunks` throws.
  init(_ chunks: ByteChunks) throws {
    let head = try chunks.peek(1 << 16)
    let stream = SourceStream(name: "table") { () throws(FormatError) in
      do {
        return try chunks.next()
      } catch let error as FormatError {
        throw error
      } catch {
        throw .unreadable(path: "table", reason: "\(error)")
      }
    }
    rows = TableReader(stream, TableLayout.guess(fileName: "a.csv", head: head)) { _, _ in }
    let header = try rows.header() ?? []
    for (index, name) in header.enumerated() {
      let parts = asciiLowercased(name).split(separator: "[")
      let base = parts.first.map { $0.trimmed() } ?? ""
      let unit = parts.count == 2 ? parts[1].filter { $0 != "]" }.trimmed() : ""
      columns[base] = (index, unit == "lbs" ? "lb" : unit)
      if base.hasPrefix("cylinder size") { tankCount += 1 }
    }
    guard columns["date"] != nil else {
      throw JournalError.invalid(
        field: "file", value: header.prefix(8).joined(separator: ", "),
        remedy: "the list of dives of Subsurface, with a column date")
    }
  }

  func next() throws -> Result<ImportRow, ImportRefusal>? {
    guard try rows.next() else { return nil }
    do throws(ImportRefusal) {
      return .success(try row())
    } catch {
      return .failure(error)
    }
  }

  private func text(_ column: String) -> String? {
    guard let index = columns[column]?.index else { return nil }
    let text = rows.text(index)
    return text.isEmpty ? nil : text
  }

  private func row() throws(ImportRefusal) -> ImportRow {
    let (date, clock) = (text("date") ?? "", text("time"))
    guard let start = try? LocalTime(clock.map { "\(date)T\($0)" } ?? date) else {
      throw ImportRefusal(
        line: rows.line, column: "date", value: [date, clock ?? ""].joined(separator: " "),
        reason: "is no date of the calendar", remedy: "a date as 2026-03-15, and a time as 09:44:30"
      )
    }
    let id = names.id(["subsurface", "dive", start.text, "", ""])
    var draft = DiveDraft(Event(id: id, kind: .dive, start: start), line: rows.line)
    draft.dive.number = whole("dive number", &draft)
    if draft.dive.number == 0 { draft.dive.number = nil }
    if let duration = text("duration") {
      draft.dive.durationS = SubsurfaceText.seconds(duration)
      if draft.dive.durationS == nil { draft.flag("duration", duration, "is no time: left out") }
    }
    draft.dive.maxDepthMm = value("maxdepth", .length, &draft)
    draft.dive.meanDepthMm = value("avgdepth", .length, &draft)
    draft.dive.airCk = value("airtemp", .temperature, &draft)
    draft.dive.waterMinCk = value("watertemp", .temperature, &draft)
    draft.dive.weightG = value("weight", .mass, &draft)
    draft.dive.suit = draft.name(text("suit"), "suit")
    switch text("mode").map(asciiLowercased) {
    case "oc": draft.dive.mode = .openCircuit
    case "ccr": draft.dive.mode = .closedCircuit
    case "pscr": draft.dive.mode = .semiClosedCircuit
    case "freedive": draft.dive.mode = .free
    case nil: break
    case let other?: draft.flag("mode", other, "is no way to dive: left out")
    }
    for number in 0..<tankCount { addTank(number + 1, &draft) }
    draft.addPersons(text("divemaster"), .guide, "divemaster")
    draft.addPersons(text("buddy"), .buddy, "buddy")
    draft.addRemarks(text("notes"), "notes")
    draft.addTags((text("tags") ?? "").split(separator: ",").map(String.init), "tags")
    for name in ["rating", "visibility"] {
      if let number = whole(name, &draft), (0...5).contains(number) {
        draft.addMeasure("x-\(name)", number)
      }
    }
    setPlace(&draft)
    if text("sac") != nil { draft.leave("sac") }
    let row = try draft.row()
    beside.leave(draft.words.left.sorted())
    return row
  }

  private func addTank(_ number: Int, _ draft: inout DiveDraft) {
    var tank = Dive.Tank()
    tank.volumeMl = value("cylinder size (\(number))", .volume, &draft)
    tank.startMbar = value("startpressure (\(number))", .pressure, &draft)
    tank.endMbar = value("endpressure (\(number))", .pressure, &draft)
    tank.o2Permille = percent("o2 (\(number))", &draft)
    tank.hePermille = percent("he (\(number))", &draft)
    if tank != Dive.Tank() { draft.add(tank, "cylinder (\(number))") }
  }

  private func setPlace(_ draft: inout DiveDraft) {
    var flags: [ImportFlag] = []
    let position = SubsurfaceReader.position(text("gps"), "gps", &flags)
    for flag in flags { draft.flag(flag.column, flag.value, flag.reason) }
    let name = draft.name(text("location"), "location")
    draft.setLocation(name, position)
  }

  private func whole(_ column: String, _ draft: inout DiveDraft) -> Int? {
    guard let text = text(column) else { return nil }
    if let number = WrittenNumber(text), number.unit.isEmpty { return number.scaled(by: 1) }
    draft.flag(column, text, "is no number: left out")
    return nil
  }

  private func percent(_ column: String, _ draft: inout DiveDraft) -> Int? {
    guard let text = text(column) else { return nil }
    if let number = WrittenNumber(text), number.unit.isEmpty { return number.scaled(by: 10) }
    draft.flag(column, text, "is no per cent: left out")
    return nil
  }

  /// A number in the unit of its column.
  private func value(
    _ column: String, _ kind: SubsurfaceText.Kind, _ draft: inout DiveDraft
  ) -> Int? {
    guard let text = text(column), let unit = columns[column]?.unit else { return nil }
    if let value = SubsurfaceText.value(
      "\(text) \(kind == .temperature ? unit.uppercased() : unit)", kind)
    {
      return value
    }
    draft.flag(column, text, "is no number in the unit [\(unit)] that the journal knows: left out")
    return nil
  }
}

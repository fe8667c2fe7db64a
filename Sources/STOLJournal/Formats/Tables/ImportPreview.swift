import STOLData

/// What the first rows of a file would be kept as, in words.
enum ImportPreview {
  private static let rowCount = 3

  /// A line for each record of the first rows, and for what is odd about them.
  ///
  /// - Throws: what `reader` throws.
  static func lines(of reader: any ImportReader) throws -> [String] {
    var lines: [String] = []
    for _ in 0..<rowCount {
      guard let next = try reader.next() else { break }
      switch next {
      case .failure(let refusal): lines.append("nothing: \(refusal)")
      case .success(let row):
        for record in row.records { lines.append("line \(row.line): \(words(record))") }
        for flag in row.flags { lines.append("line \(row.line): \(flag.column) \(flag.reason)") }
      }
    }
    return lines
  }

  /// What a record says.
  private static func words(_ record: JournalRecord) -> String {
    var words: [String?] = []
    switch record {
    case .place(let it):
      words = ["\(it.kind.rawValue) \"\(it.name)\"", at(it.position), height(it.elevationCm)]
    case .event(let it):
      let offset = it.utcOffsetMin.map { "\($0) min ahead of UTC" }
      words = ["\(it.kind.rawValue) \(it.start.text)", offset, at(it.position)]
    case .organism(let it):
      let name = it.name.map { " \"\($0)\"" } ?? ""
      words = ["individual" + name, at(it.position), height(it.elevationCm)]
    case .occurrence(let it):
      let count = it.count.map { "count \($0)" }
      words = ["sighting, \(it.presence.rawValue)", count, at(it.position)]
    case .identification(let it): words = ["name \"\(it.verbatimName)\""]
    case .measure(let it):
      let unit = MeasureType.builtIn.first { $0.key == it.type }?.unit
      let number = it.number.map { "\($0)" } ?? it.text ?? ""
      words = ["\(it.type) \(number)" + (unit.map { " \($0)" } ?? "")]
    case .note(let it): words = ["note \"\(it.text)\""]
    case .collection(let it): words = ["collection \"\(it.name)\""]
    case .person(let it): words = ["person \"\(it.name)\""]
    case .photo: words = ["photo"]
    }
    return words.compactMap { $0 }.joined(separator: ", ")
  }

  private static func at(_ position: Position?) -> String? {
    position.map { position in
      "at \(position.latitudeText), \(position.longitudeText)"
        + (position.uncertaintyM.map { " within \($0) m" } ?? "")
    }
  }

  private static func height(_ elevationCm: Int?) -> String? {
    elevationCm.map { "\(DecimalText.text($0, decimals: 2)) m above the sea" }
  }
}

/// What is looked at in every row, whatever its format.
enum RowChecks {
  /// What is odd about records that are kept all the same.
  static func flags(
    of records: [JournalRecord], nowMs: Int64, acceptsNullIsland: Bool
  ) -> [ImportFlag] {
    // Somewhere it is tomorrow already.
    let lastDay = Int(nowMs / 86_400_000) + 1
    var flags: [ImportFlag] = []
    for record in records {
      if let accuracy = record.position?.uncertaintyM, accuracy >= 20 {
        flags.append(
          ImportFlag(
            column: "uncertainty_m", value: "\(accuracy)",
            reason: "is much: below 10 m is good, from 20 m on poor"))
      }
      if let position = record.position, position.isNullIsland, !acceptsNullIsland {
        flags.append(ImportFlag(column: "latitude", value: "0", reason: "is \(nullIsland)"))
      }
      if let time = record.time, time.firstDay > lastDay {
        flags.append(ImportFlag(column: "date", value: time.text, reason: "is in the future"))
      }
      if case .measure(let measure) = record, let finding = measure.finding {
        let value = measure.number.map(String.init) ?? measure.text ?? ""
        flags.append(ImportFlag(column: measure.type, value: value, reason: "is a \(finding)"))
      }
      if case .event(let event) = record, let dive = event.dive { flags += self.flags(of: dive) }
      if case .occurrence(let occurrence) = record,
        let depth = occurrence.maxDepthMm ?? occurrence.minDepthMm, depth > deepestMm
      {
        flags.append(
          ImportFlag(column: "max_depth_mm", value: "\(depth)", reason: "is over 130 m"))
      }
    }
    return flags
  }

  private static let deepestMm = 130_000

  private static func flags(of dive: Dive) -> [ImportFlag] {
    var flags: [ImportFlag] = []
    if let depth = dive.maxDepthMm, depth > deepestMm {
      flags.append(ImportFlag(column: "max_depth_mm", value: "\(depth)", reason: "is over 130 m"))
    }
    // -2 to 36 degrees Celsius, in hundredths of a kelvin.
    for (value, column) in [(dive.waterMinCk, "water_min_ck"), (dive.waterMaxCk, "water_max_ck")] {
      if let value, !(27_115...30_915).contains(value) {
        flags.append(
          ImportFlag(column: column, value: "\(value)", reason: "is not from -2 to 36 C"))
      }
    }
    return flags
  }

  private static let nullIsland =
    "0 N 0 E, where devices are that do not know where they are"

  /// The flag of a position at 0 N 0 E that is left out.
  static let leftOutNullIsland = ImportFlag(
    column: "position", value: "0 0", reason: "left out: it is \(nullIsland)")

  /// The refusal of a position at 0 N 0 E.
  static func nullIsland(
    line: Int, column: String = "latitude", value: String = "0"
  ) -> ImportRefusal {
    ImportRefusal(
      line: line, column: column, value: value, reason: "is \(nullIsland)",
      remedy: "leave both empty, or say --accept-null-island")
  }
}

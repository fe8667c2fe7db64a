/// Something that a record says and that may be wrong; it is kept as it is.
public struct Finding: Equatable, Sendable {
  /// What may be wrong.
  public enum Kind: String, JournalWord {
    /// A position is as good as the thresholds call poor.
    case accuracy
    /// A date is still to come, wherever on Earth.
    case future
    /// A dive is deeper than 130 m.
    case depth
    /// Water is colder than -2 or warmer than 36 degrees Celsius.
    case water
    /// A time of day is without an offset from UTC.
    case offset
    /// A position is 0 N 0 E, where devices are that do not know where they are.
    case nullIsland
    /// A position is far from where its place, event or parent is, and near with latitude and longitude exchanged.
    case swapped
    /// A place is far from the one that it is part of.
    case far
    /// The own dives at a site are on average less than 5 m or more than 130 m deep.
    case siteDepth
    /// One sees less than 3 m or more than 60 m there on average.
    case siteVisibility
    /// The water there is on average colder than 0 or warmer than 35 degrees Celsius.
    case siteTemperature
    /// Something measured is beyond what is known of its kind: a trunk thicker than 12 m.
    case measure
    /// A dive is on land, as a coarse map has it.
    case diveOnLand
    /// A plant is in the sea, as a coarse map has it.
    case plantInSea
  }

  /// What may be wrong.
  public let kind: Kind
  /// Which record says it.
  public let record: JournalID
  /// Of which kind that is.
  public let recordKind: JournalRecord.Kind
  /// The field, or what is measured.
  public let field: String
  /// What stands there.
  public let value: String
  /// What is odd about it, and what one can do.
  public let text: String
}

/// One rule over rows of the journal, whose columns are `uuid`, `kind` of the record, `field` and `value`.
struct FindingRule {
  let kind: Finding.Kind
  let sql: String
  /// A value as people write it: a number of the last place of a decimal, or a text.
  let decimals: Int?
  let offset: Int
  let unit: String
  let text: String

  init(
    _ kind: Finding.Kind, _ text: String, decimals: Int? = nil, offset: Int = 0, unit: String = "",
    _ sql: String
  ) {
    (self.kind, self.text, self.sql) = (kind, text, sql)
    (self.decimals, self.offset, self.unit) = (decimals, offset, unit)
  }

  /// Temperatures are hundredths of a kelvin, and nobody says so.
  private static let zeroCelsius = 27_315

  /// The rules for which a number or a text is enough; `?1` is the threshold of poor positions in metres, `?2` the
  /// latest clock on Earth, as `2026-03-15T09:44:30`.
  private static let stated: [FindingRule] = [
    FindingRule(
      .accuracy, "poor: go there again with a better view of the sky, or leave it", decimals: 0,
      unit: " m",
      ["event", "organism", "occurrence", "place"].map { table in
        """
        SELECT r.uuid, r.kind, 'uncertainty_m' AS field, t.uncertainty_m AS value, r.id AS id
        FROM \(table) t JOIN record r ON r.id = t.id
        WHERE r.deleted_ms IS NULL AND t.uncertainty_m >= ?1
        """ + (table == "place" ? " AND t.kind NOT IN ('region', 'area')" : "")
      }.joined(separator: " UNION ALL ")),
    FindingRule(
      .nullIsland, "where devices are that do not know where they are: look at the position",
      ["event", "organism", "occurrence", "place"].map { table in
        """
        SELECT r.uuid, r.kind, 'latitude' AS field, '0,0' AS value, r.id AS id
        FROM \(table) t JOIN record r ON r.id = t.id
        WHERE r.deleted_ms IS NULL AND t.latitude_e7 = 0 AND t.longitude_e7 = 0
        """
      }.joined(separator: " UNION ALL ")),
    FindingRule(
      .future, "still to come: look at the date",
      [
        ("event", "local_start"), ("event", "local_end"), ("occurrence", "local_time"),
        ("identification", "local_date"), ("note", "local_time"), ("organism", "planted"),
        ("photo", "local_time"),
      ].map { table, column in
        """
        SELECT r.uuid, r.kind, '\(column)' AS field, t.\(column) AS value, r.id AS id
        FROM \(table) t JOIN record r ON r.id = t.id
        WHERE r.deleted_ms IS NULL AND t.\(column) > substr(?2, 1, length(t.\(column)))
        """
      }.joined(separator: " UNION ALL ")),
    FindingRule(
      .depth, "deeper than 130 m: look at the unit", decimals: 3, unit: " m",
      """
      SELECT r.uuid, r.kind, 'max_depth_mm' AS field, d.max_depth_mm AS value, r.id AS id
      FROM dive d JOIN record r ON r.id = d.event_id
      WHERE r.deleted_ms IS NULL AND d.max_depth_mm > 130000
      UNION ALL
      SELECT r.uuid, r.kind, 'max_depth_mm', o.max_depth_mm, r.id
      FROM occurrence o JOIN record r ON r.id = o.id JOIN event e ON e.id = o.event_id
      WHERE r.deleted_ms IS NULL AND e.kind = 'dive' AND o.max_depth_mm > 130000
      """),
    FindingRule(
      .water, "not from -2 to 36 degrees Celsius: look at the unit", decimals: 2,
      offset: -zeroCelsius, unit: " degC",
      """
      SELECT r.uuid, r.kind, 'water_min_ck' AS field, d.water_min_ck AS value, r.id AS id
      FROM dive d JOIN record r ON r.id = d.event_id
      WHERE r.deleted_ms IS NULL AND d.water_min_ck NOT BETWEEN 27115 AND 30915
      UNION ALL
      SELECT r.uuid, r.kind, 'water_max_ck', d.water_max_ck, r.id
      FROM dive d JOIN record r ON r.id = d.event_id
      WHERE r.deleted_ms IS NULL AND d.water_max_ck NOT BETWEEN 27115 AND 30915
      """),
    FindingRule(
      .offset, "no offset from UTC: say how far the clock there was ahead, where you know it",
      """
      SELECT r.uuid, r.kind, 'utc_offset_min' AS field, e.local_start AS value, r.id AS id
      FROM event e JOIN record r ON r.id = e.id
      WHERE r.deleted_ms IS NULL AND e.utc_offset_min IS NULL AND length(e.local_start) > 10
      """),
    site(.siteDepth, "mean depth", "d.max_depth_mm", 5000...130_000, decimals: 3, unit: " m"),
    site(
      .siteVisibility, "mean visibility", "d.visibility_cm", 300...6000, decimals: 2, unit: " m"),
    site(
      .siteTemperature, "mean temperature",
      "coalesce((d.water_min_ck + d.water_max_ck) / 2, d.water_min_ck, d.water_max_ck)",
      zeroCelsius...zeroCelsius + 3500, decimals: 2, offset: -zeroCelsius, unit: " degC"),
  ]

  /// All rules over rows.
  static let all = stated + MeasureType.builtIn.compactMap(measure)

  /// The rule about what is measured of one type, where that has a range.
  private static func measure(_ type: MeasureType) -> FindingRule? {
    guard let low = type.low, let high = type.high else { return nil }
    return FindingRule(
      .measure,
      "not from \(type.written(low)) to \(type.written(high)): look at the unit",
      decimals: type.decimals, unit: type.unit.map { " \($0)" } ?? "",
      """
      SELECT r.uuid, r.kind, m.type AS field, m.number AS value, r.id AS id
      FROM measure m JOIN record r ON r.id = m.id
      WHERE r.deleted_ms IS NULL AND m.type = '\(type.key)'
        AND m.number NOT BETWEEN \(low) AND \(high)
      """)
  }

  /// A rule about the mean of a column over the saved dives at a site.
  private static func site(
    _ kind: Finding.Kind, _ field: String, _ column: String, _ range: ClosedRange<Int>,
    decimals: Int, offset: Int = 0, unit: String
  ) -> FindingRule {
    func shown(_ value: Int) -> String { DecimalText.text(value + offset, decimals: decimals) }
    return FindingRule(
      kind,
      "not from \(shown(range.lowerBound)) to \(shown(range.upperBound))\(unit): look at the dives there",
      decimals: decimals, offset: offset, unit: unit,
      """
      SELECT r.uuid, r.kind, '\(field)' AS field,
        CAST(round(avg(\(column))) AS INTEGER) AS value, r.id AS id
      FROM dive d JOIN event e ON e.id = d.event_id AND e.status = 'saved'
        JOIN record x ON x.id = e.id AND x.deleted_ms IS NULL
        JOIN record r ON r.id = e.place_id
      GROUP BY r.id
      HAVING value NOT BETWEEN \(range.lowerBound) AND \(range.upperBound)
      """)
  }
}

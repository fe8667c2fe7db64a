import GRDB
import STOLSystem

/// What is found of one field of one kind of records.
public struct FindingGroup: Equatable, Sendable {
  /// How many there are.
  public fileprivate(set) var count: Int
  /// The first of them.
  public fileprivate(set) var first: [Finding]
}

extension JournalFile {
  /// What live records say and may be wrong, kind by kind, of each those that were kept first at first.
  ///
  /// Nothing is ever refused or changed for it.
  ///
  /// - Complexity: O(number of records)
  package func findings() throws -> [Finding] {
    let given = try givenForFindings()
    return try read { database in
      var findings: [Finding] = []
      try Self.eachFinding(given, database) { findings.append($0) }
      return findings
    }
  }

  /// The same, counted by kind, kind of record and field.
  ///
  /// - Parameter limit: the most of each that are given.
  /// - Returns: the groups that have any, kind by kind.
  /// - Throws: `StoreError`
  /// - Complexity: O(number of records); of findings no more are kept than are given.
  package func findingGroups(showing limit: Int) throws -> [FindingGroup] {
    struct Key: Hashable {
      let kind: Finding.Kind
      let recordKind: JournalRecord.Kind
      let field: String
    }
    let given = try givenForFindings()
    return try read { database in
      var groups: [FindingGroup] = []
      var places: [Key: Int] = [:]
      try Self.eachFinding(given, database) { finding in
        let key = Key(kind: finding.kind, recordKind: finding.recordKind, field: finding.field)
        let place = places[key, default: groups.count]
        if place == groups.count {
          places[key] = place
          groups.append(FindingGroup(count: 0, first: []))
        }
        groups[place].count += 1
        if groups[place].first.count < limit { groups[place].first.append(finding) }
      }
      return groups
    }
  }

  /// What the rules compare with: the threshold of poor positions in metres, and the latest clock on Earth.
  private func givenForFindings() throws -> StatementArguments {
    // No clock on Earth is more than 14 hours ahead of UTC.
    let latest = Int(now() / 1000) + 14 * 3600
    let poorM = try accuracyThresholds().poorM
    return [poorM, timeText(secondsSince1970: latest)]
  }

  /// Gives all findings to `body`, kind by kind.
  private static func eachFinding(
    _ given: StatementArguments, _ database: Database, _ body: (Finding) throws -> Void
  ) throws {
    var misplaced: [Finding]?
    var coast = Coast()
    for kind in Finding.Kind.allCases {
      for rule in FindingRule.all where rule.kind == kind {
        let rows = try Row.fetchCursor(
          database,
          sql: "WITH given(poor, latest) AS (VALUES (?1, ?2)) \(rule.sql) ORDER BY id, field",
          arguments: given)
        while let row = try rows.next() { try body(try Finding(row, rule)) }
      }
      switch kind {
      case .swapped, .far:
        let all = try misplaced ?? self.misplaced(database)
        misplaced = all
        for finding in all where finding.kind == kind { try body(finding) }
      case .diveOnLand, .plantInSea: try coast.eachFinding(of: kind, database, body)
      default: break
      }
    }
  }

  /// So many metres are far from a parent.
  private static let farM = 50_000.0

  /// Positions far from that of what they are at, which may be wide itself.
  private static func misplaced(_ database: Database) throws -> [Finding] {
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT r.uuid, r.kind, t.latitude_e7, t.longitude_e7, NULL AS uncertainty_m,
          p.latitude_e7 AS there_lat, p.longitude_e7 AS there_lon, p.uncertainty_m AS there_m, p.name AS name
        FROM (SELECT id, parent_id AS place_id, latitude_e7, longitude_e7 FROM place
            UNION ALL SELECT id, place_id, latitude_e7, longitude_e7 FROM event
            UNION ALL SELECT id, place_id, latitude_e7, longitude_e7 FROM organism
            UNION ALL SELECT o.id, e.place_id, o.latitude_e7, o.longitude_e7
              FROM occurrence o JOIN event e ON e.id = o.event_id) t
          JOIN record r ON r.id = t.id JOIN place p ON p.id = t.place_id
        WHERE r.deleted_ms IS NULL AND t.latitude_e7 NOT NULL AND p.latitude_e7 NOT NULL
        ORDER BY t.id
        """)
    var findings: [Finding] = []
    while let row = try rows.next() {
      guard let position = try row.position else { continue }
      let there = Position(
        latitudeE7: try row.value("there_lat"), longitudeE7: try row.value("there_lon"))
      let reach = max(farM, Double(try row.value("there_m") as Int? ?? 0))
      let apart = position.distanceM(to: there)
      guard apart > reach else { continue }
      let name: String = try row.value("name")
      let other = Position(latitudeE7: position.longitudeE7, longitudeE7: position.latitudeE7)
      let isOnGlobe = abs(other.latitudeE7) <= 90 * Position.unitsPerDegree
      let kind: JournalRecord.Kind = try row.word("kind")
      let isSwapped = isOnGlobe && other.distanceM(to: there) <= reach
      // Only a place is part of another one; whoever goes far from a place says so on purpose.
      guard isSwapped || kind == .place else { continue }
      findings.append(
        Finding(
          kind: isSwapped ? .swapped : .far, record: try row.uuid("uuid"), recordKind: kind,
          field: "latitude", value: "\(position.latitudeText),\(position.longitudeText)",
          text: isSwapped
            ? "far from \(name), and near with latitude and longitude exchanged: exchange them"
            : "\(Int(apart / 1000)) km from \(name), which it is part of: look at both"))
    }
    return findings
  }
}

/// Dives far inland, but for those in waters that have a name or are those of the land, and plants far out at sea, but
/// for those of dives.
private struct Coast {
  private var sides: [Position: Land.Side] = [:]

  private static let dives = """
    SELECT r.uuid, r.kind, ifnull(e.latitude_e7, p.latitude_e7) AS latitude_e7,
      CASE WHEN e.latitude_e7 NOT NULL THEN e.longitude_e7 ELSE p.longitude_e7 END
        AS longitude_e7,
      NULL AS uncertainty_m
    FROM event e JOIN record r ON r.id = e.id LEFT JOIN place p ON p.id = e.place_id
    WHERE r.deleted_ms IS NULL AND e.kind = 'dive'
      AND coalesce(e.latitude_e7, p.latitude_e7) NOT NULL
      AND NOT EXISTS (WITH RECURSIVE above(id) AS (SELECT e.place_id UNION
          SELECT place.parent_id FROM place JOIN above ON place.id = above.id)
        SELECT 1 FROM place JOIN above ON place.id = above.id
          LEFT JOIN dive_site d ON d.place_id = place.id
        WHERE place.water_body NOT NULL OR d.kind IN ('lake', 'quarry') OR d.water = 'fresh')
    ORDER BY e.id
    """
  private static let plants = """
    SELECT r.uuid, r.kind, s.latitude_e7, s.longitude_e7, s.uncertainty_m
    FROM sighting s JOIN taxon_ref t ON t.id = s.taxon_ref_id
      JOIN record r ON r.id = s.occurrence_id
    WHERE s.is_present AND s.kind <> 'dive' AND s.latitude_e7 NOT NULL
      AND (char(10) || t.kingdoms || char(10) LIKE '%' || char(10) || 'Plantae' || char(10) || '%'
        OR char(10) || t.kingdoms || char(10)
          LIKE '%' || char(10) || 'Viridiplantae' || char(10) || '%')
    ORDER BY s.occurrence_id
    """
  private static let inland =
    "more than 20 km inland on a coarse map: look at the position, or say which water it is, as lake or fresh"
  private static let atSea =
    "more than 20 km out at sea on a coarse map, which lacks small islands: look at the position"

  /// Gives the findings of one of the two kinds to `body`.
  mutating func eachFinding(
    of kind: Finding.Kind, _ database: Database, _ body: (Finding) throws -> Void
  ) throws {
    let areDives = kind == .diveOnLand
    let rows = try Row.fetchCursor(database, sql: areDives ? Self.dives : Self.plants)
    while let row = try rows.next() {
      guard let position = try row.position, side(of: position) == (areDives ? .land : .sea) else {
        continue
      }
      try body(
        Finding(
          kind: kind, record: try row.uuid("uuid"), recordKind: try row.word("kind"),
          field: "latitude", value: "\(position.latitudeText),\(position.longitudeText)",
          text: areDives ? Self.inland : Self.atSea))
    }
  }

  private mutating func side(of position: Position) -> Land.Side {
    var position = position
    // Who knows no better may be as far from the coast as that.
    let margin = max(Land.marginM, Double(position.uncertaintyM ?? 0))
    position.uncertaintyM = nil
    guard margin == Land.marginM else { return Land.fine.side(of: position, marginM: margin) }
    if let known = sides[position] { return known }
    let side = Land.fine.side(of: position, marginM: margin)
    sides[position] = side
    return side
  }
}

extension Finding {
  fileprivate init(_ row: Row, _ rule: FindingRule) throws {
    kind = rule.kind
    record = try row.uuid("uuid")
    recordKind = try row.word("kind")
    field = try row.value("field")
    text = rule.text
    if let decimals = rule.decimals {
      value = DecimalText.text(try row.value("value") + rule.offset, decimals: decimals) + rule.unit
    } else {
      value = try row.value("value")
    }
  }
}

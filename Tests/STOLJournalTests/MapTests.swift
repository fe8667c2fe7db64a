import GRDB
import STOLData
import TestSupport
import Testing

@testable import STOLJournal

@Suite("Maps and facets of the journal")
struct MapTests {
  /// The cell of a coordinate by walking along all of them.
  private static func walked(_ value: Int, limit: Int, _ level: Int) -> Int {
    let half = Double(limit * Position.unitsPerDegree)
    let width = 2 * half / Double(1 << level)
    var index = 0
    while index + 1 < 1 << level, Double(value) >= -half + width * Double(index + 1) { index += 1 }
    return index
  }

  @Test func cellsShareTheGlobe() throws {
    var generator = SeededGenerator(seed: 1)
    for limit in [90, 180] {
      let half = limit * Position.unitsPerDegree
      var values = [-half, half, 0, -1, 1]
      values += (0..<200).map { _ in Int.random(in: -half...half, using: &generator) }
      for level in [0, 1, 4, 7, 12] {
        for value in values {
          let index = MapCell.index(of: value, limit: limit, level)
          #expect(index == Self.walked(value, limit: limit, level))
          #expect(MapCell.span(index...index, limit: limit, level).contains(value))
        }
        // Where one ends the next one begins.
        for index in 0..<min(64, (1 << level) - 1) {
          let span = MapCell.span(index...index, limit: limit, level)
          let next = MapCell.span(index + 1...index + 1, limit: limit, level)
          #expect(span.upperBound + 1 == next.lowerBound)
        }
      }
    }
  }

  /// A random view, often with edges on those of cells, or across the antimeridian.
  private static func view(_ generator: inout SeededGenerator) throws -> Bounds {
    let unit = Position.unitsPerDegree
    func edge(_ limit: Int, _ generator: inout SeededGenerator) -> Int {
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: return Int.random(in: -1...1, using: &generator) * limit * unit
      case 1: return Int.random(in: -8...8, using: &generator) * limit * unit / 8
      case 2:
        return Int.random(in: -16...15, using: &generator) * limit * unit / 16 - 1 + limit / 90
      default: return Int.random(in: -limit * unit...limit * unit, using: &generator)
      }
    }
    func clamped(_ value: Int, _ limit: Int) -> Int { max(-limit * unit, min(limit * unit, value)) }
    let latitudes = [edge(90, &generator), edge(90, &generator)].map { clamped($0, 90) }.sorted()
    return try Bounds(
      southE7: latitudes[0], westE7: clamped(edge(180, &generator), 180), northE7: latitudes[1],
      eastE7: clamped(edge(180, &generator), 180))
  }

  /// The cells that a view covers are those of its points, and exact says that all of them are its points.
  @Test func coversAreThoseOfTheirPoints() throws {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<300 {
      let bounds = try Self.view(&generator)
      let cover = MapCover(bounds, level: 4)
      func isCovered(_ position: Position) -> Bool {
        let cell = MapCell(level: 4, containing: position)
        return cover.rows.contains(cell.y) && cover.columns.contains { $0.contains(cell.x) }
      }
      for _ in 0..<40 {
        let unit = Position.unitsPerDegree
        let position = Position(
          latitudeE7: Int.random(in: -90 * unit...90 * unit, using: &generator),
          longitudeE7: Int.random(in: -180 * unit...180 * unit, using: &generator))
        if bounds.contains(position) { #expect(isCovered(position), "\(bounds)") }
        if cover.isExact { #expect(bounds.contains(position) == isCovered(position), "\(bounds)") }
      }
      #expect(cover.columns.count < 2 || !cover.columns[0].overlaps(cover.columns[1]))
    }
    #expect(MapCover(try JournalFile.globe(), level: 4).isExact)
  }

  /// Random sightings: where, what, when, of which kind, with which tags.
  private struct Seen {
    var id: JournalID
    var position: Position?
    var taxon: Int?
    var year: Int
    var month: Int?
    var kind: Event.Kind
    var tags: Set<String>
    var isPresent: Bool
  }

  private static func journal(
    _ count: Int, _ generator: inout SeededGenerator
  ) throws -> (journal: JournalFile, seen: [Seen]) {
    let journal = try TestJournal().open()
    var records: [JournalRecord] = []
    var all: [Seen] = []
    let unit = Position.unitsPerDegree
    for _ in 0..<count {
      let year = Int.random(in: 2024...2026, using: &generator)
      let month = Int.random(in: 0...12, using: &generator)
      let kind = [Event.Kind.visit, .dive, .survey].randomElement(using: &generator) ?? .visit
      var event = Event(
        kind: kind, start: try LocalTime(month == 0 ? "\(year)" : "\(year)-\(month.digits2)-07"))
      var occurrence = Occurrence(event: event.id)
      let isEdge = Int.random(in: 0..<5, using: &generator) == 0
      var position: Position? = Position(
        latitudeE7: Int.random(in: -90 * unit...90 * unit, using: &generator),
        longitudeE7: isEdge
          ? [-180, 0, 180][Int.random(in: 0..<3, using: &generator)] * unit
          : Int.random(in: -180 * unit...180 * unit, using: &generator))
      if Int.random(in: 0..<8, using: &generator) == 0 { position = nil }
      event.position = position
      let isPresent = Int.random(in: 0..<8, using: &generator) > 0
      occurrence.presence = isPresent ? .present : .absent
      let tags = Set(
        ["wet", "dry", "odd"].filter { _ in Int.random(in: 0..<4, using: &generator) == 0 })
      // Some are those of the event or of the individual, or of both.
      var organism = Organism()
      for tag in tags {
        let owners = Int.random(in: 1...7, using: &generator)
        if owners & 1 > 0 { occurrence.tags.insert(tag) }
        if owners & 2 > 0 { event.tags.insert(tag.uppercased()) }
        if owners & 4 > 0 { organism.tags.insert(tag) }
      }
      if !organism.tags.isEmpty {
        occurrence.organism = organism.id
        records.append(.organism(organism))
      }
      records += [.event(event), .occurrence(occurrence)]
      let number = Int.random(in: 0...5, using: &generator)
      if number > 0 {
        records.append(
          .identification(
            Identification(
              occurrence: occurrence.id, verbatimName: "n", taxon: taxon(number, "Taxon \(number)"),
              match: .exact)))
      }
      all.append(
        Seen(
          id: occurrence.id, position: position, taxon: number == 0 ? nil : number, year: year,
          month: month == 0 ? nil : month, kind: kind, tags: tags, isPresent: isPresent))
    }
    try journal.save(records)
    return (journal, all)
  }

  /// Whether a view has a position, both names of the antimeridian being one.
  private static func has(_ bounds: Bounds?, _ position: Position?) -> Bool {
    guard let bounds else { return true }
    guard var other = position else { return false }
    if bounds.contains(other) { return true }
    guard abs(other.longitudeE7) == 180 * Position.unitsPerDegree else { return false }
    other.longitudeE7 = -other.longitudeE7
    return bounds.contains(other)
  }

  /// Whether a position lies in a part of the globe that does not cross the antimeridian.
  private static func lies(_ position: Position, in bounds: Bounds) -> Bool {
    (bounds.southE7...bounds.northE7).contains(position.latitudeE7)
      && (bounds.westE7...bounds.eastE7).contains(position.longitudeE7)
  }

  @Test(arguments: 0..<Sweep.count(few: 4, full: 200))
  func dotsClustersAndFacetsAreThoseOfBruteForce(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let (journal, all) = try Self.journal(150, &generator)
    let ids: [Int: TaxonRefID] = try journal.read { database in
      try Row.fetchAll(database, sql: "SELECT id, id_text FROM taxon_ref").reduce(into: [:]) {
        $0[Int($1["id_text"] as String) ?? 0] = TaxonRefID(rawValue: $1["id"])
      }
    }
    for step in 0..<30 {
      let remark: Comment = "seed \(seed), step \(step)"
      var query = SightingQuery()
      var tests: [String: (Seen) -> Bool] = [:]
      let bounds =
        Int.random(in: 0..<4, using: &generator) > 0 ? try Self.view(&generator) : nil
      query.bounds = bounds
      let isFiltered = Bool.random(using: &generator)
      if isFiltered, Bool.random(using: &generator) {
        query.taxa = Set([1, 2].compactMap { ids[$0] })
        tests["taxon"] = { $0.taxon == 1 || $0.taxon == 2 }
      }
      if isFiltered, Bool.random(using: &generator) {
        query.years = [2025, 2026]
        tests["year"] = { $0.year > 2024 }
      }
      if isFiltered, Bool.random(using: &generator) {
        query.months = [3, 4, 5, 6]
        tests["month"] = { (3...6).contains($0.month ?? 0) }
      }
      if isFiltered, Bool.random(using: &generator) {
        query.kinds = [.dive]
        tests["kind"] = { $0.kind == .dive }
      }
      if isFiltered, Bool.random(using: &generator) {
        query.tag = "WET"
        tests["tag"] = { $0.tags.contains("wet") }
      }
      func fitting(but facet: String? = nil) -> [Seen] {
        all.filter { seen in
          seen.isPresent && Self.has(bounds, seen.position)
            && tests.allSatisfy { $0.key == facet || $0.value(seen) }
        }
      }
      // Dots.
      let shown = fitting().filter { $0.position != nil }
      let dots = try journal.map(of: query)
      #expect(dots.clusters.isEmpty && dots.isExact, remark)
      #expect(
        Dictionary(uniqueKeysWithValues: dots.dots.map { ($0.occurrence, $0.position) })
          == Dictionary(
            uniqueKeysWithValues: shown.compactMap { seen in
              seen.position.map { (seen.id, $0) }
            }), remark)
      // Clusters, exact or not.
      if shown.count > 3 {
        let map = try journal.map(of: query, dotLimit: 3)
        #expect(map.dots.isEmpty, remark)
        let total = map.clusters.reduce(0) { $0 + $1.count }
        if map.isExact { #expect(total == shown.count, remark) }
        for cluster in map.clusters {
          let others = map.isExact ? shown : all.filter { $0.isPresent && $0.position != nil }
          let members = others.compactMap(\.position).filter { Self.lies($0, in: cluster.bounds) }
          #expect(members.count == cluster.count, remark)
          let mean = Double(members.reduce(0) { $0 + $1.latitudeE7 }) / Double(members.count)
          #expect(abs(mean - Double(cluster.position.latitudeE7)) <= 1, remark)
          let east = Double(members.reduce(0) { $0 + $1.longitudeE7 }) / Double(members.count)
          #expect(abs(east - Double(cluster.position.longitudeE7)) <= 1, remark)
        }
      }
      // Facets.
      func counts<Value: Hashable>(_ facet: String, _ value: (Seen) -> Value?) -> [Value: Int] {
        Dictionary(grouping: fitting(but: facet).compactMap(value)) { $0 }.mapValues(\.count)
      }
      let facets = try journal.facets(of: query)
      #expect(facets.isExact, remark)
      func table<Value: Hashable & Sendable>(_ list: [FacetCount<Value>]) -> [Value: Int] {
        Dictionary(uniqueKeysWithValues: list.map { ($0.value, $0.count) })
      }
      #expect(table(facets.years) == counts("year") { $0.year }, remark)
      #expect(table(facets.months) == counts("month") { $0.month }, remark)
      #expect(table(facets.kinds) == counts("kind") { $0.kind }, remark)
      let taxa = Dictionary(
        uniqueKeysWithValues: facets.taxa.map { (Int($0.value.reference.id) ?? 0, $0.count) })
      #expect(taxa == counts("taxon") { $0.taxon }, remark)
      #expect(facets.taxa.map(\.count) == facets.taxa.map(\.count).sorted(by: >), remark)
      #expect(facets.taxonCount == taxa.count, remark)
      var tags: [String: Int] = [:]
      for seen in fitting(but: "tag") { for tag in seen.tags { tags[tag, default: 0] += 1 } }
      let counted = facets.tags.map { ($0.value.lowercased(), $0.count) }
      #expect(Dictionary(counted) { $0 + $1 } == tags, remark)
      #expect(counted.count == tags.count, remark)
    }
  }

  @Test func manySightingsAreTakenFromTallies() throws {
    let home = try TestJournal()
    let journal = try home.open()
    let event = Event(kind: .visit, start: try LocalTime("2026-03-15"))
    var records: [JournalRecord] = [.event(event)]
    // In the cells to the west and to the east of Greenwich, and in few others.
    let unit = Position.unitsPerDegree
    for index in 0..<300 {
      var seen = Occurrence(event: event.id)
      seen.position = Position(latitudeE7: 5 * unit, longitudeE7: (index % 3 - 1) * 5 * unit + 1)
      records.append(.occurrence(seen))
    }
    try journal.save(records)
    // As if there were three hundred times as many.
    try home.inside {
      try $0.execute(
        sql: """
          UPDATE cell SET sighting_count = 300 * sighting_count,
            latitude_sum_e7 = 300 * latitude_sum_e7, longitude_sum_e7 = 300 * longitude_sum_e7;
          UPDATE facet_tally SET sighting_count = 300 * sighting_count
          """)
    }
    var query = SightingQuery()
    query.bounds = try Bounds(
      southE7: 0, westE7: unit, northE7: 85 * unit, eastE7: 175 * unit)
    let map = try journal.map(of: query, dotLimit: 10)
    #expect(!map.isExact && map.clusters.map(\.count) == [60_000])
    #expect(map.clusters.first?.position.longitudeE7 == 25_000_001)
    let east = try journal.facets(of: query)
    #expect(!east.isExact && east.years == [FacetCount(value: 2026, count: 60_000)])
    // So small a view is looked at by smaller cells.
    query.bounds = try Bounds(
      southE7: 4 * unit, westE7: 4 * unit, northE7: 6 * unit, eastE7: 6 * unit)
    #expect(try journal.facets(of: query).years == [FacetCount(value: 2026, count: 30_000)])
    // Few are counted one by one.
    query.bounds = try Bounds(
      southE7: 4 * unit, westE7: 6 * unit, northE7: 6 * unit, eastE7: 8 * unit)
    #expect(try journal.facets(of: query) == SightingFacets())
    query.bounds = try JournalFile.globe()
    let world = try journal.map(of: query, dotLimit: 10)
    #expect(world.isExact && world.clusters.map(\.count) == [30_000, 60_000])
    let facets = try journal.facets(of: query)
    #expect(facets.isExact && facets.years == [FacetCount(value: 2026, count: 90_000)])
    #expect(facets.months == [FacetCount(value: 3, count: 90_000)])
    #expect(facets.kinds == [FacetCount(value: .visit, count: 90_000)])
    query.bounds = try Bounds(
      southE7: 0, westE7: -179 * unit, northE7: 85 * unit, eastE7: 179 * unit)
    let most = try journal.facets(of: query)
    #expect(!most.isExact && most.years == [FacetCount(value: 2026, count: 90_000)])
    // What more than bounds limits is counted one by one.
    query.years = [2026]
    #expect(try journal.facets(of: query).years == [FacetCount(value: 2026, count: 300)])
  }

  @Test func placesAreDotsOrClusters() throws {
    var generator = SeededGenerator(seed: 3)
    let journal = try TestJournal().open()
    var country = Place(kind: .region, name: "Palau")
    country.country = "PW"
    var places = [country]
    let unit = Position.unitsPerDegree
    for index in 0..<80 {
      var place = Place(kind: index % 2 == 0 ? .site : .shop, name: "\(index)")
      place.position = Position(
        latitudeE7: Int.random(in: -90 * unit...90 * unit, using: &generator),
        longitudeE7: Int.random(in: -180 * unit...180 * unit, using: &generator))
      if index % 3 == 0 { place.parent = country.id }
      if index % 9 == 0 { place.country = "FJ" }
      places.append(place)
    }
    try journal.save(places.map { .place($0) })
    for _ in 0..<40 {
      var query = PlaceQuery()
      query.bounds = try Self.view(&generator)
      if Bool.random(using: &generator) { query.kinds = [.site] }
      if Bool.random(using: &generator) { query.country = "PW" }
      let fitting = places.filter { place in
        place.position != nil && Self.has(query.bounds, place.position)
          && (query.kinds.isEmpty || place.kind == .site)
          && (query.country == nil || place.country == "PW"
            || place.parent == country.id && place.country == nil)
      }
      let map = try journal.map(of: query)
      #expect(Set(map.dots.map(\.id)) == Set(fitting.map(\.id)))
      #expect(map.dots.map(\.name) == map.dots.map(\.name).sorted() && map.clusters.isEmpty)
      query.limit = 5
      let few = try journal.map(of: query)
      if fitting.count <= 5 {
        #expect(few.dots.count == fitting.count)
      } else {
        #expect(few.dots.isEmpty && few.isExact)
        for cluster in few.clusters {
          let members = fitting.filter { place in
            place.position.map { Self.lies($0, in: cluster.bounds) } ?? false
          }
          #expect(members.count == cluster.count)
        }
        #expect(few.clusters.reduce(0) { $0 + $1.count } == fitting.count)
      }
    }
  }
}

extension Int {
  /// With a zero in front, where it has one digit.
  fileprivate var digits2: String { self < 10 ? "0\(self)" : "\(self)" }
}

import ArgumentParser
import STOLAnswers
import STOLData
import STOLJournal
import STOLPack
import STOLSystem

/// The command `stol journal map`.
struct MapJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "map",
    abstract: "List what a map shows: each sighting, or clusters where there are many.",
    discussion: """
      A cluster has its middle, how many it counts, and the part of the globe that was looked at as one. \
      With many sightings and nothing but --bbox clusters count all of each part that the edges of the box \
      touch, which is said.

        stol journal map --bbox 7,134,8,135
        stol journal map --places --json
      """)

  @OptionGroup var sightings: SightingOptions

  @Flag(
    help: "List places instead, of which --bbox, --country, --place, --tag and --collection choose."
  )
  var places = false

  @Option(help: ArgumentHelp("So many are listed one by one (default: 1000).", valueName: "n"))
  var limit = 1000

  @OptionGroup var format: RowFormatOptions
  @OptionGroup var journal: JournalOptions

  private static let columns = [
    "id", "name", "latitude", "longitude", "count", "south", "west", "north", "east",
  ]

  func validate() throws {
    if limit < 1 { throw ValidationError("--limit must be 1 or more, got \(limit)") }
    let others =
      sightings.within != nil || sightings.from != nil || sightings.to != nil
      || !sightings.year.isEmpty || !sightings.month.isEmpty || !sightings.kind.isEmpty
    if places, others {
      throw ValidationError(
        "--places does nothing with --within, --from, --to, --year, --month and --kind")
    }
  }

  func run() throws {
    let pack = try journal.location.open().pack
    let file = try journal.open()
    let query = try sightings.query(file, pack)
    var writer = format.writer(Self.columns)
    if places {
      var placeQuery = PlaceQuery()
      placeQuery.bounds = query.bounds
      placeQuery.country = query.country
      placeQuery.within = query.region
      placeQuery.tag = query.tag
      placeQuery.collection = query.collection
      placeQuery.limit = limit
      let map = try file.map(of: placeQuery)
      for dot in map.dots {
        try Self.write(dot.id, dot.name, dot.position, to: &writer)
      }
      try finish(map.clusters, map.isExact, &writer)
      return
    }
    let map = try file.map(of: query, dotLimit: limit)
    let names = try file.names(of: Set(map.dots.compactMap(\.taxon)), in: pack)
    for dot in map.dots {
      try Self.write(dot.occurrence, dot.taxon.flatMap { names[$0] }, dot.position, to: &writer)
    }
    try finish(map.clusters, map.isExact, &writer)
  }

  private static func write(
    _ id: JournalID, _ name: String?, _ position: Position?, to writer: inout RowWriter
  ) throws {
    writer.beginRow()
    writer.text("id", id.description)
    writer.text("name", name)
    writer.number("latitude", exact: position?.latitude)
    writer.number("longitude", exact: position?.longitude)
    writer.number("count", 1)
    for edge in ["south", "west", "north", "east"] { writer.number(edge, nil as Int?) }
    try writer.endRow()
  }

  private func finish(
    _ clusters: [MapCluster], _ isExact: Bool, _ writer: inout RowWriter
  ) throws {
    for cluster in clusters {
      let low = Position(
        latitudeE7: cluster.bounds.southE7, longitudeE7: cluster.bounds.westE7)
      let high = Position(
        latitudeE7: cluster.bounds.northE7, longitudeE7: cluster.bounds.eastE7)
      writer.beginRow()
      writer.text("id", nil)
      writer.text("name", nil)
      writer.number("latitude", exact: cluster.position.latitude)
      writer.number("longitude", exact: cluster.position.longitude)
      writer.number("count", cluster.count)
      writer.number("south", exact: low.latitude)
      writer.number("west", exact: low.longitude)
      writer.number("north", exact: high.latitude)
      writer.number("east", exact: high.longitude)
      try writer.endRow()
    }
    try writer.presentFound(header: !format.noHeader)
    if !isExact, !journal.quiet {
      writeStandardError("stol: clusters at the edges of the box count what lies beyond, too\n")
    }
  }
}

/// The command `stol journal facets`.
struct FacetsJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "facets", abstract: "Count sightings by taxon, year, month, kind and tag.",
    discussion: """
      What an option chooses is counted as if it did not, so that one sees what else could be chosen.

        stol journal facets --bbox 7,134,8,135 --year 2026
      """)

  @OptionGroup var sightings: SightingOptions

  @Option(help: ArgumentHelp("The most taxa that are listed (default: 20).", valueName: "n"))
  var limit = 20

  @OptionGroup var format: RowFormatOptions
  @OptionGroup var journal: JournalOptions

  func validate() throws {
    if limit < 1 { throw ValidationError("--limit must be 1 or more, got \(limit)") }
  }

  func run() throws {
    let pack = try journal.location.open().pack
    let file = try journal.open()
    let facets = try file.facets(
      of: try sightings.query(file, pack), in: pack, taxonLimit: limit)
    var writer = format.writer(["facet", "value", "name", "sightingCount"])
    for taxon in facets.taxa {
      try Self.write(
        "taxon", taxon.value.reference.written, taxon.value.name, taxon.count, to: &writer)
    }
    for year in facets.years {
      try Self.write("year", "\(year.value)", nil, year.count, to: &writer)
    }
    for month in facets.months {
      try Self.write("month", "\(month.value)", nil, month.count, to: &writer)
    }
    for kind in facets.kinds {
      try Self.write("kind", kind.value.rawValue, nil, kind.count, to: &writer)
    }
    for tag in facets.tags {
      try Self.write("tag", tag.value, nil, tag.count, to: &writer)
    }
    try writer.presentFound(header: !format.noHeader)
    guard !journal.quiet else { return }
    if facets.taxonCount > facets.taxa.count {
      writeStandardError("stol: \(facets.taxonCount) taxa; see --limit\n")
    }
    if !facets.isExact {
      writeStandardError("stol: counts are of all that the edges of the box touch\n")
    }
  }

  private static func write(
    _ facet: String, _ value: String, _ name: String?, _ count: Int, to writer: inout RowWriter
  ) throws {
    writer.beginRow()
    writer.text("facet", facet)
    writer.text("value", value)
    writer.text("name", name)
    writer.number("sightingCount", count)
    try writer.endRow()
  }
}

/// The command `stol journal popular`.
struct PopularJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "popular", abstract: "List the species that were seen most often.",
    discussion: """
      What is within a species counts for it; what is identified as a genus or the like is no species. What \
      the active database does not have counts where it was a species when it was named.

        stol journal popular --bbox 7,134,8,135
        stol journal popular --country PW --limit 5
      """)

  @OptionGroup var sightings: SightingOptions

  @Option(help: ArgumentHelp("The most that are listed (default: 20).", valueName: "n"))
  var limit = 20

  @OptionGroup var format: RowFormatOptions
  @OptionGroup var journal: JournalOptions

  func validate() throws {
    if limit < 1 { throw ValidationError("--limit must be 1 or more, got \(limit)") }
  }

  func run() throws {
    let pack = try journal.location.open().pack
    let file = try journal.open()
    let list = try file.popularSpecies(
      try sightings.query(file, pack), in: pack, limit: limit)
    var writer = format.writer(["taxon", "scientificName", "sightingCount"])
    for species in list {
      writer.beginRow()
      writer.text("taxon", species.taxon.written)
      writer.text("scientificName", species.taxon.name)
      writer.number("sightingCount", species.sightingCount)
      try writer.endRow()
    }
    try writer.presentFound(header: !format.noHeader)
  }
}

/// The command `stol journal calendar`.
struct CalendarJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calendar", abstract: "Count sightings by day or by month.",
    discussion: """
      By day only what has one is counted; by month also what was in a month, and nobody knows when: in one of \
      which any day is asked for.

        stol journal calendar --from 2026 --to 2026
        stol journal calendar --by month
      """)

  /// What is counted together.
  enum Period: String, CaseIterable, ExpressibleByArgument {
    case day, month
  }

  @Option(help: "What is counted together: day or month.")
  var by = Period.day

  @Option(help: ArgumentHelp("From this date on.", valueName: "date"))
  var from: String?

  @Option(help: ArgumentHelp("Up to this date, all of it.", valueName: "date"))
  var to: String?

  @OptionGroup var format: RowFormatOptions
  @OptionGroup var journal: JournalOptions

  func run() throws {
    let first = try from.map { text throws(JournalError) in try LocalTime(text, field: "--from") }
    let last = try to.map { text throws(JournalError) in try LocalTime(text, field: "--to") }
    let all = LocalTime.dayRange
    let days = (first?.firstDay ?? all.lowerBound, last?.lastDay ?? all.upperBound)
    guard days.0 <= days.1 else {
      throw CommandFailure(.usage, "--from \(first?.text ?? "") is after --to \(last?.text ?? "")")
    }
    let file = try journal.open()
    let counts: [(day: Int, count: Int)] =
      switch by {
      case .day: try file.calendar(days.0...days.1).map { ($0.day, $0.sightingCount) }
      case .month: try file.monthlyCounts(days.0...days.1).map { ($0.firstDay, $0.sightingCount) }
      }
    var writer = format.writer([by.rawValue, "sightingCount"])
    for (day, count) in counts {
      let date = timeText(secondsSince1970: day * 86_400)
      writer.beginRow()
      writer.text(by.rawValue, String(date.prefix(by == .day ? 10 : 7)))
      writer.number("sightingCount", count)
      try writer.endRow()
    }
    try writer.presentFound(header: !format.noHeader)
  }
}

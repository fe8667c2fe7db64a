import ArgumentParser
import STOLAnswers
import STOLJournal
import STOLSystem

/// The command `stol journal place`.
struct PlaceJournalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "place", abstract: "Keep places: regions, dive sites, orchards, shops.",
    discussion: """
        stol journal place add "Blue Corner" --at 7.134,134.2205 --site-kind wall --entry boat
        stol journal place near "Blue Corner" --kind shop
      """,
    subcommands: [
      AddPlaceCommand.self, ListPlaceCommand.self, NearPlaceCommand.self, StatePlaceCommand.self,
      JournalPlaceDuplicatesCommand.self,
    ])
}

/// What a diver asks about a place.
struct DiveSiteOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What there is to dive at: reef, wreck, wall, cave, lake, quarry.", valueName: "kind"))
  var siteKind: String?

  @Option(help: ArgumentHelp("From where one gets in: shore or boat.", valueName: "entry"))
  var entry: String?

  @Option(help: ArgumentHelp("From 1, for beginners, to 5, for few.", valueName: "1-5"))
  var difficulty: Int?

  @Option(help: ArgumentHelp("Where it begins, as 5m.", valueName: "depth"))
  var minDepth: String?

  @Option(help: ArgumentHelp("Where it ends, as 30m or 100ft.", valueName: "depth"))
  var maxDepth: String?

  @Option(help: ArgumentHelp("What water it is: salt, fresh, brackish.", valueName: "water"))
  var water: String?

  @Option(help: ArgumentHelp("When to go there, in words.", valueName: "text"))
  var season: String?

  @Option(help: ArgumentHelp("What it is like.", valueName: "text"))
  var description: String?

  func site() throws -> DiveSite? {
    var site = DiveSite()
    site.kind = try siteKind.map { try DiveSite.Kind(word: $0, field: "--site-kind") }
    site.entry = try entry.map { try DiveSite.Entry(word: $0, field: "--entry") }
    site.difficulty = difficulty
    site.minDepthMm = try minDepth.map { try Length($0, field: "--min-depth").mm }
    site.maxDepthMm = try maxDepth.map { try Length($0, field: "--max-depth").mm }
    site.water = try water.map { try DiveSite.Water(word: $0, field: "--water") }
    (site.season, site.description) = (season, description)
    return site.isEmpty ? nil : site
  }
}

/// The command `stol journal place add`.
struct AddPlaceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a place.",
    discussion: """
      With - for the name each line of the standard input is a place: name, position, kind and UUID, tabs \
      between; what a line leaves out the options say.

        stol journal place add "Blue Corner" --at 7.134,134.2205 --site-kind wall --entry boat --max-depth 30m
        stol journal place add Palau --kind region --country PW
      """)

  @Argument(help: "What it is called; - to read lines.")
  var name: String

  @Option(
    help: ArgumentHelp(
      "What kind of place it is: region, area, site, spot, shop, home.",
      valueName: "kind"))
  var kind = "site"

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Where, in degrees: latitude,longitude.", valueName: "position"))
  var at: String?

  @Option(help: ArgumentHelp("Within how many metres that is.", valueName: "metres"))
  var accuracy: Int?

  @Option(help: ArgumentHelp("The place that it is part of (name or UUID).", valueName: "place"))
  var parent: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The height above the sea, as 120m.", valueName: "height"))
  var elevation: String?

  @Option(help: ArgumentHelp("Where it is, in words.", valueName: "text"))
  var locality: String?

  @Option(help: ArgumentHelp("The sea, lake or river.", valueName: "text"))
  var waterBody: String?

  @Option(help: ArgumentHelp("The country, as PW for Palau.", valueName: "code"))
  var country: String?

  @Option(
    help: ArgumentHelp(
      "What you mean to do there: wishlist or planned; may be repeated.", valueName: "state"))
  var state: [String] = []

  @Option(help: ArgumentHelp("A tag; may be repeated.", valueName: "tag"))
  var tag: [String] = []

  @Option(
    help: ArgumentHelp("A collection (name or UUID); may be repeated.", valueName: "collection"))
  var collection: [String] = []

  @OptionGroup var privacy: PrivacyOptions

  @Option(help: ArgumentHelp("The UUID; of a place that is there, what it says is replaced."))
  var id: String?

  @Flag(help: "Say what would be kept, and keep nothing.")
  var dryRun = false

  @OptionGroup var nullIsland: NullIslandOptions
  @OptionGroup(title: "Dive Site Options") var site: DiveSiteOptions
  @OptionGroup var answers: JournalAnswerOptions
  @OptionGroup var journal: JournalOptions

  func validate() throws {
    if accuracy != nil, at == nil, name != "-" {
      throw ValidationError("--accuracy says how exact --at is: give that too")
    }
    if name == "-", id != nil {
      throw ValidationError("--id is for one: with - each line may have a UUID of its own")
    }
  }

  func run() throws {
    let file = try journal.open(isDryRun: dryRun)
    var model = Place(
      id: try id.map { try journalID($0) } ?? JournalID(),
      kind: try Place.Kind(word: kind, field: "--kind"), name: name)
    model.parent = try parent.map { try journalPlace($0, file) }
    model.elevationCm = try elevation.map { try height($0) }
    (model.locality, model.waterBody, model.country) = (locality, waterBody, country)
    for word in state { model.states.insert(try Place.State(word: word, field: "--state")) }
    model.tags = Set(tag)
    model.collections = Set(try collection.map { try SightingOptions.collection($0, file) })
    model.diveSite = try site.site()
    guard name == "-" else {
      model.position = try at.map {
        try nullIsland.checked(try journalPosition($0, "--at", accuracy: accuracy), "--at")
      }
      model.privacy = try privacy.chosen(model.id, in: file)
      let twins = try file.places(named: name).filter { $0.id != model.id }
      let word = try file.save([.place(model)], isRehearsal: dryRun)
      var answers = JournalAnswers(self.answers)
      try answers.add(word, model.id)
      try answers.finish()
      if let twin = twins.first, !journal.quiet {
        writeStandardError("stol: there is another place with this name: \(twin.id)\n")
      }
      return
    }
    var answers = JournalAnswers(self.answers, isBatch: true)
    var lines = try JournalInputLines()
    try lines.forEach(cells: 4) { line in
      try answers.line(line, id: 3) { cells, answers in
        func cell(_ index: Int) -> String? {
          index < cells.count && !cells[index].isEmpty ? cells[index] : nil
        }
        var place = model
        place.name = cells[0]
        place.position = try (cell(1) ?? at).map {
          try nullIsland.checked(try journalPosition($0, "--at", accuracy: accuracy), "--at")
        }
        if let kind = cell(2) { place.kind = try Place.Kind(word: kind, field: "kind") }
        place.id = try cell(3).map { try journalID($0) } ?? JournalID()
        place.privacy = try privacy.chosen(place.id, in: file)
        try answers.add(try file.save([.place(place)], isRehearsal: dryRun), place.id)
      }
    }
    try answers.finish()
  }

  /// The centimetres that a height is, which may be below the sea.
  private func height(_ text: String) throws -> Int {
    let mm = try Length(text, field: "--elevation").mm
    return (mm / 10) + (abs(mm % 10) >= 5 ? mm.signum() : 0)
  }
}

/// The command `stol journal place list`.
struct ListPlaceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List places by name.",
    discussion: """
        stol journal place list --state wishlist
        stol journal place list --within Palau --difficulty 2 --json
      """)

  @Option(
    help: ArgumentHelp(
      "Only this kind: region, area, site, spot, shop, home; may be repeated.", valueName: "kind"))
  var kind: [String] = []

  @Option(help: ArgumentHelp("Only wishlist, planned or visited ones.", valueName: "state"))
  var state: String?

  @Option(help: ArgumentHelp("Only what is part of this place (name or UUID).", valueName: "place"))
  var within: String?

  @Option(help: ArgumentHelp("Only what has this tag.", valueName: "tag"))
  var tag: String?

  @Option(help: ArgumentHelp("Only what is in this collection (name or UUID).", valueName: "name"))
  var collection: String?

  @Option(
    help: ArgumentHelp(
      "Only dive sites at a reef, wreck, wall, cave, lake or quarry; may be repeated.",
      valueName: "kind"))
  var siteKind: [String] = []

  @Option(help: ArgumentHelp("Only dive sites from shore or boat.", valueName: "entry"))
  var entry: String?

  @Option(help: ArgumentHelp("Only dive sites of at most this difficulty.", valueName: "1-5"))
  var difficulty: Int?

  @Option(
    help: ArgumentHelp("Only dive sites in salt, fresh or brackish water.", valueName: "water"))
  var water: String?

  @Option(help: ArgumentHelp("The most that are listed (default: all).", valueName: "n"))
  var limit: Int?

  @OptionGroup var format: RowFormatOptions
  @OptionGroup var journal: JournalOptions

  func validate() throws {
    if let limit, limit < 1 { throw ValidationError("--limit must be 1 or more, got \(limit)") }
  }

  func run() throws {
    let file = try journal.open()
    var query = PlaceQuery()
    query.kinds = Set(try kind.map { try Place.Kind(word: $0, field: "--kind") })
    query.state = try state.map { try PlaceQuery.State(word: $0, field: "--state") }
    query.within = try within.map { try journalPlace($0, file) }
    query.tag = try tag.map { try SightingOptions.tag($0, file) }
    query.collection = try collection.map { try SightingOptions.collection($0, file) }
    query.diveSite.kinds = Set(
      try siteKind.map { try DiveSite.Kind(word: $0, field: "--site-kind") })
    query.diveSite.entry = try entry.map { try DiveSite.Entry(word: $0, field: "--entry") }
    query.diveSite.maxDifficulty = difficulty
    query.diveSite.water = try water.map { try DiveSite.Water(word: $0, field: "--water") }
    query.limit = limit ?? .max - 1
    let (places, isCut) = try file.places(query)
    var writer = format.writer(["id", "kind", "name", "latitude", "longitude", "uncertaintyM"])
    for place in places { try writer.row(place) }
    try writer.presentFound(header: !format.noHeader)
    if isCut, !journal.quiet { writeStandardError("stol: there are more; see --limit\n") }
  }
}

extension RowWriter {
  /// Writes the row of a place.
  fileprivate mutating func row(_ place: PlaceDot, distanceM: Double? = nil) throws {
    beginRow()
    text("id", place.id.description)
    text("kind", place.kind.rawValue)
    text("name", place.name)
    number("latitude", exact: place.position?.latitude)
    number("longitude", exact: place.position?.longitude)
    number("uncertaintyM", place.position?.uncertaintyM)
    // No two points of the globe are farther apart than 20,100 km.
    if let distanceM { number("distanceM", Int(distanceM.rounded())) }
    try endRow()
  }
}

/// The command `stol journal place near`.
struct NearPlaceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "near", abstract: "List the places around a point or a place, the nearest first.",
    discussion: """
      Distances are on a sphere, exact to 0.6 %.

        stol journal place near --at 7.134,134.2205 --kind shop --radius 50km
        stol journal place near "Blue Corner" --json
      """)

  @Argument(help: "The place (name or UUID).")
  var place: String?

  // A value may begin with a minus.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Around a point, in degrees: latitude,longitude.", valueName: "position"))
  var at: String?

  @Option(help: ArgumentHelp("How far, as 250m or 50km.", valueName: "length"))
  var radius = "50km"

  @Option(
    help: ArgumentHelp(
      "Only this kind: region, area, site, spot, shop, home; may be repeated.", valueName: "kind"))
  var kind: [String] = []

  @Option(help: ArgumentHelp("The most that are listed.", valueName: "n"))
  var limit = 50

  @OptionGroup var format: RowFormatOptions
  @OptionGroup var journal: JournalOptions

  func validate() throws {
    if (place == nil) == (at == nil) { throw ValidationError("give a place or --at") }
    if limit < 1 { throw ValidationError("--limit must be 1 or more, got \(limit)") }
  }

  func run() throws {
    let file = try journal.open()
    let metres = try Length(radius, field: "--radius").mm / 1000
    let kinds = Set(try kind.map { try Place.Kind(word: $0, field: "--kind") })
    let (position, own) = try self.position(file)
    var query = PlaceQuery()
    query.kinds = kinds
    // One more tells whether there are more, and another one may be the place itself.
    query.limit = limit > .max - 2 ? .max : limit + 2
    let others = try file.places(near: position, radiusM: Double(metres), query)
      .filter { $0.place.id != own }
    var writer = format.writer([
      "id", "kind", "name", "latitude", "longitude", "uncertaintyM", "distanceM",
    ])
    for near in others.prefix(limit) { try writer.row(near.place, distanceM: near.distanceM) }
    try writer.presentFound(header: !format.noHeader)
    if others.count > limit, !journal.quiet {
      writeStandardError("stol: there are more; see --limit\n")
    }
  }

  /// The point, and the place that it is that of.
  private func position(
    _ file: JournalFile
  ) throws -> (position: Position, place: JournalID?) {
    if let at { return (try journalPosition(at, "--at"), nil) }
    let id = try journalPlace(place ?? "", file)
    guard case .place(let place)? = try file.record(id)?.record else {
      throw JournalError.unknown(id: id, needed: "place")
    }
    guard let position = place.position else {
      throw CommandFailure(
        .usage, "\"\(Escaping.terminal(place.name))\" has no position: give a point by --at")
    }
    return (position, id)
  }
}

/// The command `stol journal place state`.
struct StatePlaceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "state", abstract: "Say what you mean to do at a place: wishlist, planned, none.",
    discussion: """
      What is said takes the place of what was. That one has been there follows from the visits and dives.

        stol journal place state "Blue Corner" wishlist
        stol journal place state "Blue Corner" none
      """)

  @Argument(help: "The place (name or UUID).")
  var place: String

  @Argument(help: "wishlist, planned, both, or none.")
  var states: [String]

  @OptionGroup var targets: JournalTargets

  func validate() throws {
    if states.contains("none"), states.count > 1 {
      throw ValidationError("none stands alone")
    }
    if states.contains("visited") {
      throw ValidationError("visited follows from visits and dives: add one")
    }
  }

  func run() throws {
    let file = try targets.open()
    let states =
      try states == ["none"] ? [] : states.map { try Place.State(word: $0, field: "state") }
    let id = try journalPlace(place, file)
    try targets.change([id.description], file) { record throws(JournalError) in
      guard case .place(var place) = record else {
        throw .otherKind(id: record.id, found: record.kind.rawValue, needed: "place")
      }
      place.states = Set(states)
      return .place(place)
    }
  }
}

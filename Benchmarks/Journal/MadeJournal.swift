import Foundation
import STOLData
import STOLJournal
import STOLPack
import TestSupport

/// The records of a made-up journal, always the same for one seed.
///
/// Four of five places lie around some hundred centres, as people live; a few places and taxa are in most
/// events.
struct MadeJournal {
  /// A place that was made, in few bytes: there are many, and it is the journal's memory that is measured.
  struct Site {
    let id: JournalID
    private let latitudeE7, longitudeE7: Int32

    init(id: JournalID, position: Position) {
      self.id = id
      latitudeE7 = Int32(position.latitudeE7)
      longitudeE7 = Int32(position.longitudeE7)
    }

    var position: Position {
      Position(latitudeE7: Int(latitudeE7), longitudeE7: Int(longitudeE7))
    }
  }

  static let occurrencesPerEvent = 10
  private static let taxonCount = 5_000
  private static let centreCount = 300
  private static let unitsPerDegree = 10_000_000
  private static let syllables = [
    "ba", "co", "da", "el", "fi", "gu", "ha", "is", "ka", "lo", "ma", "no", "or", "pe", "ri", "sa",
    "ta", "um", "ve", "wi",
  ]
  private static let nouns = [
    "Reef", "Wood", "Point", "Bay", "Orchard", "Hill", "Wall", "Garden", "Lake", "Meadow",
  ]

  var generator: SeededGenerator
  private(set) var sites: [Site] = []
  private var centres: [Position] = []
  private var taxa: [TaxonReference] = []
  /// So many records were made.
  private var count: Int64 = 0

  init(_ pack: Pack, seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    let view = pack.view
    let species = view.taxa.ranks.row(of: .species)
    var seen: Set<TaxonOrdinal> = []
    for _ in 0..<100 * Self.taxonCount where taxa.count < Self.taxonCount {
      let taxon = TaxonOrdinal(
        rawValue: .random(in: 0..<UInt32(pack.taxonCount), using: &generator))
      guard view.taxa.rank(of: taxon) == species, seen.insert(taxon).inserted,
        let reference = view.reference(to: taxon)
      else { continue }
      taxa.append(reference)
    }
    centres = (0..<Self.centreCount).map { _ in anywhere() }
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    .random(in: range, using: &generator)
  }

  /// A number below a limit, most often a small one.
  private mutating func skewed(_ limit: Int) -> Int {
    let share = Double.random(in: 0..<1, using: &generator)
    return min(limit - 1, Int(share * share * share * Double(limit)))
  }

  private mutating func anywhere() -> Position {
    Position(
      latitudeE7: number(-60 * Self.unitsPerDegree...75 * Self.unitsPerDegree),
      longitudeE7: number(-180 * Self.unitsPerDegree...180 * Self.unitsPerDegree))
  }

  /// A position within so many units of another one, most often nearer.
  private mutating func near(_ position: Position, within units: Int) -> Position {
    func step() -> Int { (0..<3).reduce(0) { sum, _ in sum + number(-units / 3...units / 3) } }
    let limit = 180 * Self.unitsPerDegree
    return Position(
      latitudeE7: min(max(position.latitudeE7 + step(), -limit / 2), limit / 2),
      longitudeE7: min(max(position.longitudeE7 + step(), -limit), limit), uncertaintyM: 10)
  }

  private mutating func centre() -> Position {
    let index = skewed(centres.count)
    return centres[index]
  }

  private mutating func id() -> JournalID {
    count += 1
    return JournalID(milliseconds: 1_700_000_000_000 + count, using: &generator)
  }

  /// Makes room for so many places, so that they never lie in memory twice.
  mutating func reserve(_ placeCount: Int) { sites.reserveCapacity(placeCount) }

  /// More places.
  mutating func places(_ count: Int) -> [JournalRecord] {
    (0..<count).map { _ in
      let word = (0..<3).map { _ in Self.syllables[number(0...Self.syllables.count - 1)] }.joined()
      let noun = Self.nouns[number(0...Self.nouns.count - 1)]
      var place = Place(id: id(), kind: .site, name: "\(word.capitalized) \(noun)")
      let position =
        number(0...4) == 0
        ? anywhere()
        : near(centre(), within: 2 * Self.unitsPerDegree)
      place.position = position
      sites.append(Site(id: place.id, position: position))
      return .place(place)
    }
  }

  /// More events, each with its occurrences and what they were taken for.
  mutating func events(_ count: Int) throws -> [JournalRecord] {
    try (0..<count).flatMap { _ in try event() }
  }

  /// An event with its occurrences and what they were taken for.
  mutating func event() throws -> [JournalRecord] {
    let index = skewed(sites.count)
    let site = sites[index]
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (month, day) = (padded(number(1...12)), padded(number(1...28)))
    let (hour, minute) = (padded(number(5...20)), padded(number(0...59)))
    var event = Event(
      id: id(), kind: .visit,
      start: try LocalTime("\(number(2006...2025))-\(month)-\(day)T\(hour):\(minute)"))
    event.place = site.id
    var records: [JournalRecord] = [.event(event)]
    for _ in 0..<Self.occurrencesPerEvent {
      var seen = Occurrence(id: id(), event: event.id)
      if number(0...1) == 0 { seen.position = near(site.position, within: 100_000) }
      if number(0...1) == 0 { (seen.count, seen.countKind) = (number(1...40), .exact) }
      if number(0...19) == 0 { seen.tags = ["lifer"] }
      records.append(.occurrence(seen))
      let kind = skewed(taxa.count)
      let taxon = taxa[kind]
      records.append(
        .identification(
          Identification(
            id: id(), occurrence: seen.id, verbatimName: taxon.name, taxon: taxon, match: .exact)))
    }
    return records
  }

  /// A view of so many hundredths of a degree around a place, as a map shows it.
  mutating func view(hundredths: Int) throws -> Bounds {
    let index = number(0...sites.count - 1)
    let centre = sites[index].position
    let half = hundredths * (Self.unitsPerDegree / 200)
    let limit = 180 * Self.unitsPerDegree
    return try Bounds(
      southE7: max(centre.latitudeE7 - half, -limit / 2),
      westE7: max(centre.longitudeE7 - half, -limit),
      northE7: min(centre.latitudeE7 + half, limit / 2),
      eastE7: min(centre.longitudeE7 + half, limit))
  }

  /// The first letters of a word of a place's name.
  mutating func beginning(_ length: Int) -> String {
    let word = (0..<3).map { _ in Self.syllables[number(0...Self.syllables.count - 1)] }.joined()
    return String(word.prefix(length))
  }
}

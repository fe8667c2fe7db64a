/// What was seen in numbers: year by year, month by month, by occasion.
///
/// A species counts with all that is within it; what is identified as a genus or the like is none.
public struct JournalStatistics: Equatable, Sendable {
  /// What was seen in a year.
  public struct Year: Equatable, Sendable {
    /// The year.
    public let year: Int
    /// How many species.
    public var speciesCount = 0
    /// How many of those in no year before, among what is counted.
    public var newSpeciesCount = 0
    /// How many sightings.
    public var sightingCount = 0
  }

  /// What was seen in a month, of all years together.
  public struct Month: Equatable, Sendable {
    /// The month, from 1.
    public let month: Int
    /// How many species.
    public var speciesCount = 0
    /// How many sightings.
    public var sightingCount = 0
  }

  /// How many species had been seen by the end of a day on which there was a new one.
  public struct Step: Equatable, Sendable {
    /// The day, as `LocalTime` counts them; of what is known by its month or year the first day of that.
    public let day: Int
    /// How many species up to then.
    public let speciesCount: Int
  }

  /// What was seen on one kind of occasion.
  public struct Occasion: Equatable, Sendable {
    /// The kind of events.
    public let kind: Event.Kind
    /// How many events: where nothing limits what counts all that are saved, else those with a sighting that counts.
    public var eventCount = 0
    /// How many species.
    public var speciesCount = 0
    /// How many sightings.
    public var sightingCount = 0
  }

  /// How many species.
  public var speciesCount = 0
  /// How many sightings.
  public var sightingCount = 0
  /// How many of those are of something of which the species is not known.
  public var otherSightingCount = 0
  /// The years that have any, in order.
  public var years: [Year] = []
  /// The twelve months.
  public var months: [Month] = (1...12).map { Month(month: $0) }
  /// The days on which there was a new species, in order.
  public var steps: [Step] = []
  /// The kinds of events that have any, in the order of `Event.Kind`.
  public var occasions: [Occasion] = []
  /// The seconds of those events that are dives.
  public var diveSeconds = 0
  /// The deepest of them; nil where no depth is known.
  public var maxDepthMm: Int?

  /// Nothing.
  public init() {}
}

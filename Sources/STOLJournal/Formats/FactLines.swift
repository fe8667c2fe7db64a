import Foundation

/// What follows from the records about a place or an event, as JSON in one line; no record, and not for import.
package enum FactLines {
  private struct Step: Encodable {
    let id: JournalID
    let kind: Place.Kind
    let name: String

    init(_ place: PlaceDot) { (id, kind, name) = (place.id, place.kind, place.name) }
  }

  private struct OfPlace: Encodable {
    let id: JournalID
    let within: [Step]
    let facts: PlaceFacts
  }

  private struct OfEvent: Encodable {
    let id: JournalID
    let places: [Step]
    let participants: [NamedParticipant]
    let seen: [SeenInEvent]
  }

  /// What follows about a place: what it is part of, and what one's own events say about it.
  package static func line(of detail: PlaceDetail) throws -> String {
    try line(
      OfPlace(
        id: detail.place.record.id, within: detail.parents.map(Step.init), facts: detail.facts))
  }

  /// What follows about an event: its places, who took part by name, and what was seen.
  package static func line(of detail: EventDetail) throws -> String {
    try line(
      OfEvent(
        id: detail.event.record.id, places: detail.places.map(Step.init),
        participants: detail.participants, seen: detail.seen))
  }

  private static func line(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}

/// Reads what another reader gives, without positions at 0 N 0 E: what else a program knows of a site or a dive stays,
/// though its device did not know where it was.
final class KnownPlaceReader: ImportReader {
  private let reader: any ImportReader

  init(_ reader: any ImportReader) { self.reader = reader }

  var beside: ImportBeside { reader.beside }
  var byteCount: Int? { reader.byteCount }
  var roundTrip: RoundTripFormat? { reader.roundTrip }

  func next() throws -> Result<ImportRow, ImportRefusal>? {
    try reader.next().map { $0.map { $0.withoutNullIsland } }
  }
}

extension ImportRow {
  /// The row with what it says of 0 N 0 E as flags.
  fileprivate var withoutNullIsland: ImportRow {
    guard records.contains(where: { $0.position?.isNullIsland == true }) else { return self }
    var row = self
    row.records = records.map { record in
      switch record {
      case .place(var place) where place.position?.isNullIsland == true:
        place.position = nil
        return .place(place)
      case .event(var event) where event.position?.isNullIsland == true:
        event.position = nil
        return .event(event)
      default: return record
      }
    }
    row.flags.append(RowChecks.leftOutNullIsland)
    return row
  }
}

import Foundation
import STOLFormats
import TestSupport

@testable import STOLJournal

/// Files of dives as texts, and what is read of them.
enum DiveFile {
  /// Real files, which the repository does not hold.
  static let folder = "reference/journal/dive/"

  /// What reads bytes, by what they say themselves.
  static func reader(_ bytes: [UInt8]) throws -> any ImportReader {
    let (format, whole) = try ImportFormat.detect(TestTable.stream(bytes, pieceByteCount: 1000))
    guard let reader = try DiveFormat.reader(format, ByteChunks(whole)) else {
      throw JournalError.invalid(field: "file", value: format.rawValue, remedy: "dives")
    }
    return reader
  }

  /// The rows of a text or of bytes.
  static func rows(
    _ text: String
  ) throws -> (rows: [ImportRow], refusals: [ImportRefusal], beside: ImportBeside) {
    try rows(Array(text.utf8))
  }

  static func rows(
    _ bytes: [UInt8]
  ) throws -> (rows: [ImportRow], refusals: [ImportRefusal], beside: ImportBeside) {
    let reader = try reader(bytes)
    let (rows, refusals) = try reader.all()
    return (rows, refusals, reader.beside)
  }

  /// The rows of a real file.
  static func real(
    _ name: String
  ) throws -> (rows: [ImportRow], refusals: [ImportRefusal], beside: ImportBeside) {
    let files = try SourceFiles(path: SharedData.path(folder + name))
    var bytes: [UInt8] = []
    let stream = try files.open(files.names[0])
    while true {
      let piece = try stream.next()
      if piece.isEmpty { break }
      bytes += piece
    }
    return try rows(bytes)
  }
}

extension [ImportRow] {
  var records: [JournalRecord] { flatMap(\.records) }

  /// The dives.
  var dives: [Event] {
    records.compactMap { record in
      if case .event(let event) = record, event.kind == .dive { event } else { nil }
    }
  }

  var trips: [Event] {
    records.compactMap { record in
      if case .event(let event) = record, event.kind == .trip { event } else { nil }
    }
  }

  /// The places, each once.
  var places: [Place] {
    var places: [Place] = []
    for case .place(let place) in records where !places.contains(where: { $0.id == place.id }) {
      places.append(place)
    }
    return places
  }

  var persons: [Person] {
    records.compactMap { if case .person(let person) = $0 { person } else { nil } }
  }

  var measures: [Measure] {
    records.compactMap { if case .measure(let measure) = $0 { measure } else { nil } }
  }

  /// What is odd about them, as "column: value".
  var flagged: [String] { flatMap(\.flags).map { "\($0.column): \($0.value)" } }
}

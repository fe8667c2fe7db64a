public import Foundation

/// What became of records that were to be kept.
public struct SaveOutcome: Equatable, Sendable {
  /// What became of one.
  public enum Result: String, CaseIterable, Sendable {
    /// It was not there.
    case new
    /// It was there, and is the same.
    case same
    /// It was there, and is another now.
    case updated
  }

  /// What became of each record, in their order.
  public let results: [Result]
  /// The batch that undoes all of it; nil where nothing changed.
  public let batch: Int64?
}

/// The word for what is kept, in the history.
public enum SaveKind: String, Sendable {
  /// Something that a person entered.
  case save
  /// A file.
  case `import`
}

/// A record of the journal, and what the file notes about it.
public struct KeptRecord: Equatable, Sendable {
  /// The record.
  public let record: JournalRecord
  /// When it was kept first.
  public let createdAt: Date
  /// When it was changed last.
  public let changedAt: Date
  /// When it was deleted; nil while it is live.
  public let deletedAt: Date?

  init(_ stored: StoredRecord) {
    func date(_ milliseconds: Int64) -> Date {
      Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    }
    record = stored.record
    createdAt = date(stored.createdMs)
    changedAt = date(stored.changedMs)
    deletedAt = stored.deletedMs.map(date)
  }
}

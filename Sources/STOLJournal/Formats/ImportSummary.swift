/// What became of a row that was imported.
public struct ImportedRow: Hashable, Sendable {
  /// What became of it, in a word.
  public enum Outcome: String, CaseIterable, Sendable {
    /// All is there now that was not.
    case new
    /// It was there already, and stays as it is.
    case same
    /// It was deleted where it comes from and not known here, and is kept as that: other copies learn of it.
    case deleted
    /// It was there, and is what the file says now.
    case updated
    /// It is new, and something like it was seen there on that day already.
    case duplicate = "duplicate?"
    /// It is kept, and something is odd about it.
    case flagged
    /// It says otherwise than what is there, which stays; what else it says is kept.
    case differs
    /// It is not kept.
    case refused
  }

  /// The number of its first line, or of its entry.
  public let line: Int
  /// What became of it.
  public let outcome: Outcome
  /// Its occurrence, or its first record; nil of what was refused.
  public let id: JournalID?
  /// What is odd about it.
  public let flags: [ImportFlag]
  /// Why it was refused.
  public let refusal: ImportRefusal?
}

/// What of a file became no record.
public struct ImportBeside: Hashable, Sendable {
  /// How many rows of each table other rows have taken over.
  public internal(set) var joined: [String: Int] = [:]
  /// What was left out, or not kept as it is, in words, with the number of rows.
  public internal(set) var leftOut: [String: Int] = [:]

  mutating func leave(_ words: [String]) { for word in words { leftOut[word, default: 0] += 1 } }
}

/// What became of a file that was imported.
public struct ImportSummary: Hashable, Sendable {
  /// How many rows had each outcome; together as many as the file has.
  public internal(set) var rowCounts: [ImportedRow.Outcome: Int] = [:]
  /// How many records are new.
  public internal(set) var newRecordCount = 0
  /// How many records are others now.
  public internal(set) var updatedRecordCount = 0
  /// How many rows say of something that it was seen, and not what it was.
  public internal(set) var namelessCount = 0
  /// How many occurrences that are new have a name.
  public internal(set) var namedCount = 0
  /// How many of these have no taxon.
  public internal(set) var unresolvedCount = 0
  /// How many rows are what this journal gave away of records that it knows better itself.
  public internal(set) var ownSharedCount = 0
  /// What of the file became no record.
  public internal(set) var beside = ImportBeside()
  /// The batch that undoes all of it; nil where nothing changed.
  public internal(set) var batch: Int64?

  /// How many rows the file has.
  public var rowCount: Int { rowCounts.values.reduce(0, +) }
}

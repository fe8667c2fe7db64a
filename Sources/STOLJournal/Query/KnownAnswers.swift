import GRDB
import STOLPack
import STOLSystem

/// What takes a while to count and is the same until somebody changes the journal: numbers about all of it.
///
/// Every change is a batch, whose number is given but once; so a file and its last batch say of what state an answer is.
struct KnownAnswers: Sendable {
  /// A state of a journal.
  fileprivate struct State: Equatable {
    /// The label of connections to the file, which those to another one have not.
    let file: String?
    let batch: Int64
    /// The pack that says which references are one; nil where none is asked.
    let mark: Int64?
  }

  /// An answer, and what it is of.
  struct Answer<Value: Sendable>: Sendable {
    fileprivate let state: State
    fileprivate let value: Value
  }

  var figures: Answer<KeyFigures>?
  var life: Answer<[JournalFile.LifeTally]>?
  var statistics: Answer<JournalStatistics>?
  /// Of more taxa a life list is not kept, for the memory of it.
  static let tallyLimit = 1 << 14
}

extension JournalFile {
  /// An answer as it was found for the state that a transaction reads, or as `find` finds it now.
  ///
  /// - Parameters:
  ///   - part: which answer.
  ///   - pack: what says which references are one; nil for an answer without it.
  ///   - database: a connection within a transaction, which `find` reads too.
  ///   - isKept: whether an answer is worth its memory.
  ///   - find: finds it.
  /// - Returns: the answer.
  /// - Throws: what `find` throws, `DatabaseError`.
  func known<Value: Sendable>(
    _ part: WritableKeyPath<KnownAnswers, KnownAnswers.Answer<Value>?>, in pack: Pack?,
    _ database: Database, isKept: (Value) -> Bool = { _ in true }, _ find: () throws -> Value
  ) throws -> Value {
    if let pack, pack.mark == nil { return try find() }
    let batch = try Int64.fetchOne(
      database.cachedStatement(sql: "SELECT seq FROM sqlite_sequence WHERE name = 'batch'"))
    let state = KnownAnswers.State(
      file: database.configuration.label, batch: batch ?? 0, mark: pack?.mark)
    let known = knownAnswers.withLock { $0[keyPath: part] }
    if let known, known.state == state { return known.value }
    let value = try find()
    let answer = isKept(value) ? KnownAnswers.Answer(state: state, value: value) : nil
    knownAnswers.withLock { $0[keyPath: part] = answer }
    return value
  }
}

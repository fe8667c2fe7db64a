public import STOLSystem

/// Why something cannot be kept in the journal, or changed there.
public enum JournalError: Error, Equatable, Sendable {
  /// A field says what cannot be.
  case invalid(field: String, value: String, remedy: String)
  /// No record has this UUID, or none of the kind that is needed.
  case unknown(id: JournalID, needed: String)
  /// The record is deleted; nothing is saved under its UUID.
  case deleted(id: JournalID)
  /// The UUID is that of a record of another kind.
  case otherKind(id: JournalID, found: String, needed: String)
  /// An identification cannot be changed, only another one added.
  case identificationChanged(id: JournalID)
  /// A record would be its own parent, or stand under too many.
  case nesting(id: JournalID, limit: Int)
  /// There is nothing to undo.
  case nothingToUndo
  /// There is no such batch, or not any more.
  case unknownBatch(Int64)
  /// The batch was undone already.
  case alreadyUndone(batch: Int64, by: Int64)
  /// A later batch changed what would be put back.
  case changedSince(batch: Int64, later: Int64, id: JournalID)
  /// What would be gone is referred to by another record.
  case inUse(batch: Int64)
  /// A file is no photo that the journal takes.
  case photo(name: String, PhotoFault)
  /// The file of a photo is gone, or another one.
  case lostFile(path: String, reason: String)
  /// A sealed file cannot be opened.
  case damagedFile(path: String)
  /// Several collections have this name.
  case severalCollections(name: String, [JournalID])
  /// The journal is locked already.
  case alreadyLocked
  /// The journal is not locked.
  case notLocked
  /// A file beside a locked journal can be read with its keys alone.
  case needsKeys(path: String)
}

extension JournalError: StolError {
  /// What kind of trouble it is.
  public var kind: ErrorKind {
    switch self {
    case .unknown, .unknownBatch, .nothingToUndo, .severalCollections: .notFound
    case .invalid, .deleted, .otherKind, .identificationChanged, .nesting, .alreadyUndone,
      .changedSince, .inUse, .alreadyLocked, .notLocked, .needsKeys:
      .usage
    case .photo: .usage
    case .lostFile, .damagedFile: .damaged
    }
  }

  /// One line: what is wrong, where, and what to do.
  public var description: String {
    switch self {
    case .invalid(let field, let value, let remedy):
      "\(field): '\(value.count > 80 ? value.prefix(80) + "…" : value)' cannot be: \(remedy)"
    case .unknown(let id, let needed):
      "\(id): the journal has no \(needed) with this UUID: check it; what a record refers to is saved "
        + "before it, or in the same entry"
    case .deleted(let id):
      "\(id): the record is deleted: undo that, or save under a new UUID"
    case .otherKind(let id, let found, let needed):
      "\(id): is the UUID of a record of the kind \(found), not \(needed): make a new UUID"
    case .identificationChanged(let id):
      "\(id): an identification is never changed: add another one with a UUID of its own"
    case .nesting(let id, let limit):
      "\(id): stands within itself, or under more than \(limit - 1) others: choose another parent"
    case .nothingToUndo: "there is nothing to undo"
    case .unknownBatch(let batch):
      "there is no batch \(batch): those older than \(JournalLimits.historyDays) days are gone; "
        + "'stol journal history' lists the others"
    case .alreadyUndone(let batch, let by):
      "batch \(batch) was undone by batch \(by) already: to have it again, undo that one"
    case .changedSince(let batch, let later, let id):
      "batch \(batch) cannot be undone: batch \(later) has changed \(id) since: undo that first"
    case .inUse(let batch):
      "batch \(batch) cannot be undone: what was saved since refers to what it added: undo that first"
    case .photo(let name, let fault):
      "\(name), byte \(fault.offset): \(fault.reason): \(fault.remedy)"
    case .lostFile(let path, let reason):
      "\(path): \(reason): 'stol journal restore' takes it from a backup; else remove the photo"
    case .damagedFile(let path):
      "\(path): is damaged, so that nothing was changed: put it there from a backup, or move it elsewhere; then "
        + "its photo is lost"
    case .severalCollections(let name, let ids):
      "several collections are called \"\(name)\": say which one by its UUID, "
        + ids.prefix(5).map(\.description).joined(separator: ", ")
    case .alreadyLocked:
      "the journal is locked already: 'stol journal passphrase' changes its passphrase"
    case .notLocked: "the journal is not locked: 'stol journal lock' locks it"
    case .needsKeys(let path):
      "\(path): is encrypted, and unlocking removes the keys: move it elsewhere, with a copy of key.json to "
        + "open it by, or delete it"
    }
  }
}

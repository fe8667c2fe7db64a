import STOLAnswers
import STOLJournal
import STOLStore
import STOLSystem
import STOLTrust

/// Whether a journal is locked, and whether this program has opened it.
enum JournalProtection: String, Sendable {
  /// There is no journal yet.
  case none
  /// Whoever uses this computer as its owner can read it.
  case unprotected
  /// It is locked, and this program has opened it.
  case opened
  /// It is locked, and nothing of it is shown.
  case locked
}

extension Pages {
  /// Whether the journal is locked, and how that is changed.
  func journalLock(_ visit: Visit) async throws -> Reply {
    let protection = try await protection()
    if visit.address.form == .json {
      return .json { json in
        json.text("state", protection.rawValue)
        json.bool("isUsable", DatabaseKey.isUsable)
        json.number("waitSeconds", services.journal.tries.wait() ?? 0)
      }
    }
    return lockPage(visit, protection)
  }

  func protection() async throws -> JournalProtection {
    let room = services.journal
    guard try JournalLock.isLocked(in: services.directory) else {
      return JournalFile.isPresent(in: services.directory) ? .unprotected : .none
    }
    guard room.isOpened else { return .locked }
    do {
      // Another program may have locked it since.
      _ = try await room.journal()?.read { file, _ in try file.setting("lock") }
      return .opened
    } catch StoreError.locked {
      room.close()
      return .locked
    }
  }

  // MARK: - Changing

  /// Locks, opens, shuts or unlocks, or changes what opens it.
  func changeLock(_ visit: Visit, _ form: Fields) async throws -> Reply {
    do {
      return try await lockAnswer(visit, form)
    } catch let error as TriedTooOften {
      var reply = try await refusedLock(
        visit, 429,
        "That was wrong too often. Wait \(Words.count(error.seconds, "second", "seconds")), and try again"
      )
      reply.fields.append(("retry-after", "\(error.seconds)"))
      return reply
    } catch StoreError.wrongPassphrase {
      return try await refusedLock(
        visit, 403, "That is not its passphrase. Who has lost that has the recovery code")
    } catch StoreError.wrongRecoveryCode {
      return try await refusedLock(
        visit, 403,
        "That is not its recovery code: a later one may have taken its place. The passphrase opens it too"
      )
    } catch let error as JournalError {
      switch error {
      case .invalid(_, _, let remedy):
        return try await refusedLock(visit, 400, remedy.capitalisedFirst)
      case .alreadyLocked:
        return try await refusedLock(
          visit, 409,
          "It is locked already. The recovery code was shown once; the passphrase makes a new one")
      case .notLocked: return try await refusedLock(visit, 409, "It is not locked")
      default: throw error
      }
    }
  }

  private func refusedLock(_ visit: Visit, _ status: Int, _ text: String) async throws -> Reply {
    if visit.isOfProgram {
      return .json(status: status) {
        $0.text("error", "Nothing has changed")
        $0.text("detail", text)
      }
    }
    return lockPage(visit, try await protection(), wrong: text, status: status)
  }

  private func lockAnswer(_ visit: Visit, _ form: Fields) async throws -> Reply {
    let (room, directory) = (services.journal, services.directory)
    switch form["action"] {
    case "lock":
      guard JournalFile.isPresent(in: directory) else {
        return try await refusedLock(visit, 409, "There is nothing to lock yet")
      }
      guard try !JournalLock.isLocked(in: directory) else { throw JournalError.alreadyLocked }
      let passphrase = try newPassphrase(form)
      await services.uploads.drop()
      room.close()
      let (code, left) = try await lockWork {
        let code = Locked("")
        let left = try JournalLock.lock(in: directory, passphrase: passphrase) { text in
          code.withLock { $0 = text }
        }
        return (code.withLock { $0 }, left)
      }
      room.close()
      room.isCodeOpen.withLock { $0 = true }
      return codePage(visit, code, left)
    case "confirm":
      let code = try secret(form, "code", "type the recovery code")
      try await tried {
        try JournalLock.change(in: directory, openedBy: .recoveryCode(code), to: nil)
      }
      room.isCodeOpen.withLock { $0 = false }
      return .seeOther(Address(.lock, ["done": "confirmed"]))
    case "open":
      let passphrase = try secret(form, "passphrase", "type the passphrase")
      guard try JournalLock.isLocked(in: directory) else { throw JournalError.notLocked }
      try await tried { try room.unlock(passphrase) }
      return .seeOther(Address(.list))
    case "shut":
      await services.uploads.drop()
      room.close()
      return .seeOther(Address(.lock))
    case "recover":
      let code = try secret(form, "code", "type the recovery code")
      let passphrase = try newPassphrase(form)
      try await tried {
        try JournalLock.change(in: directory, openedBy: .recoveryCode(code), to: passphrase)
        try room.unlock(passphrase)
      }
      room.isCodeOpen.withLock { $0 = false }
      return .seeOther(Address(.lock, ["done": "recovered"]))
    case "change":
      let old = try secret(form, "old", "type the passphrase that it has now")
      let passphrase = try newPassphrase(form)
      try await tried {
        try JournalLock.change(in: directory, openedBy: .passphrase(old), to: passphrase)
      }
      return .seeOther(Address(.lock, ["done": "changed"]))
    case "code":
      let passphrase = try secret(form, "passphrase", "type the passphrase")
      let code = try await tried {
        let code = Locked("")
        try JournalLock.change(in: directory, openedBy: .passphrase(passphrase), to: nil) { text in
          code.withLock { $0 = text }
        }
        return code.withLock { $0 }
      }
      room.isCodeOpen.withLock { $0 = true }
      return codePage(visit, code, [])
    case "unlock":
      let passphrase = try secret(form, "passphrase", "type the passphrase")
      room.close()
      try await tried { try JournalLock.unlock(in: directory, passphrase: passphrase) }
      room.close()
      room.isCodeOpen.withLock { $0 = false }
      return .seeOther(Address(.lock, ["done": "unlocked"]))
    default:
      return problem(
        visit, 400, "Unknown action",
        "one of: lock, confirm, open, shut, recover, change, code, unlock")
    }
  }

  private func secret(
    _ form: Fields, _ name: String, _ remedy: String
  ) throws(JournalError) -> SecretBytes {
    guard let secret = SecretBytes(form, name) else {
      throw .invalid(field: name, value: "", remedy: remedy)
    }
    return secret
  }
}

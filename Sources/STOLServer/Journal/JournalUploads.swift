import Dispatch
import STOLData
import STOLJournal
import STOLStore
import STOLSystem

/// The one file that waits to be imported into the journal, or the last one that was.
actor JournalUploads {
  /// How far it is.
  enum State: Sendable {
    case none
    /// It would be imported so; nothing is kept yet.
    case waiting(JournalUpload, ImportOutcome)
    /// It cannot be read so; what its columns may mean, where it is a table.
    case unreadable(JournalUpload, reason: String, proposal: String?)
    /// It is imported.
    case done(id: String, name: String, ImportOutcome)
  }

  /// How long a file waits.
  static let patience = Duration.seconds(30 * 60)

  private let provider: any DatabaseProvider
  private let room: JournalRoom
  private(set) var state = State.none
  private var running: (id: String, task: Task<ImportOutcome, any Error>)?
  private var expiry: Task<Void, Never>?

  init(provider: any DatabaseProvider, room: JournalRoom) {
    (self.provider, self.room) = (provider, room)
  }

  /// Takes a file in place of the one before, and looks what would become of it; nothing of it is kept.
  ///
  /// - Throws: `StoreError`, `SystemError`
  func take(_ upload: JournalUpload) async throws {
    let found = await look(at: upload)
    // A journal that was locked meanwhile shows nothing.
    if case .failure(let error as StoreError) = found { throw error }
    switch found {
    case .success(let outcome): state = .waiting(upload, outcome)
    case .failure(ImportObstacle.sealed):
      state = .unreadable(
        upload, reason: "it is sealed: choose it again, with its passphrase", proposal: nil)
    case .failure(let error):
      state = .unreadable(
        upload, reason: upload.words(error), proposal: upload.mapping ?? (try? upload.proposal()))
    }
    expire(upload.id)
  }

  private func look(at upload: JournalUpload) async -> Result<ImportOutcome, any Error> {
    let pack = provider.pack
    do {
      guard let journal = try room.journal() else {
        return .success(
          try await Self.aside {
            try upload.work(into: JournalFile.temporary(), pack, isRehearsal: true)
          })
      }
      return .success(
        try await journal.change { try upload.work(into: $0, pack, isRehearsal: true) })
    } catch {
      return .failure(error)
    }
  }

  /// Imports the file that waits, once however often it is asked.
  ///
  /// - Parameters:
  ///   - id: which one is meant.
  ///   - decisions: the taxa that were chosen for names.
  /// - Returns: whether it is imported; not where another file has taken its place.
  /// - Throws: what keeps it from being imported; then nothing of it is kept.
  func finish(_ id: String, decisions: [String: String]) async throws -> Bool {
    if case .done(id: id, _, _) = state { return true }
    let task: Task<ImportOutcome, any Error>
    let name: String
    if let running, running.id == id {
      _ = try await running.task.value
      return true
    }
    guard case .waiting(let upload, _) = state, upload.id == id else { return false }
    name = upload.name
    let (room, pack) = (room, provider.pack)
    task = Task {
      try await room.begun().change {
        try upload.work(into: $0, pack, decisions: decisions, isRehearsal: false)
      }
    }
    running = (id, task)
    defer { if running?.id == id { running = nil } }
    let outcome = try await task.value
    // Another file may have come meanwhile.
    if case .waiting(let waiting, _) = state, waiting.id != id { return true }
    state = .done(id: id, name: name, outcome)
    return true
  }

  /// The file that waits, where it is the one that is meant.
  func held(_ id: String?) -> JournalUpload? {
    switch state {
    case .waiting(let upload, _), .unreadable(let upload, _, _): upload.id == id ? upload : nil
    case .none, .done: nil
    }
  }

  /// Lets go of the file that waits.
  func drop() {
    state = .none
    expiry?.cancel()
  }

  private func expire(_ id: String) {
    expiry?.cancel()
    expiry = Task {
      try? await Task.sleep(for: Self.patience)
      guard !Task.isCancelled else { return }
      self.drop(id)
    }
  }

  private func drop(_ id: String) {
    switch state {
    case .waiting(let upload, _), .unreadable(let upload, _, _):
      if upload.id == id { state = .none }
    case .none, .done: break
    }
  }

  /// What `body` makes, where waiting for the disk keeps no task from running.
  private static func aside<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(with: Result { try body() }) }
    }
  }
}

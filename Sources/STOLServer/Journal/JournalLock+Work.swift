import Dispatch
import STOLJournal
import STOLStore
import STOLSystem
import STOLTrust

extension Pages {
  /// Where one passphrase after another is tried, as each takes a second and much memory.
  private static let lockQueue = DispatchQueue(label: "stol.server.lock")

  /// What `body` makes, where no other passphrase is tried meanwhile.
  func lockWork<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      Self.lockQueue.async { continuation.resume(with: Result { try body() }) }
    }
  }

  /// The same with a passphrase or a recovery code, which may be wrong: then others wait for a while.
  ///
  /// - Throws: `TriedTooOften`, what `body` throws.
  func tried<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let tries = services.journal.tries
    return try await lockWork {
      if let seconds = tries.wait() { throw TriedTooOften(seconds: seconds) }
      do {
        let value = try body()
        tries.succeeded()
        return value
      } catch let error as StoreError {
        switch error {
        case .wrongPassphrase, .wrongRecoveryCode: tries.failed()
        default: break
        }
        throw error
      }
    }
  }
}

/// Why a passphrase is not tried.
struct TriedTooOften: Error {
  /// After how many seconds it may be.
  let seconds: Int
}

extension SecretBytes {
  /// What a field of a form says, as it was typed; nil for nothing, and for more than a passphrase may have.
  convenience init?(_ form: Fields, _ name: String) {
    guard let text = form.verbatim(name), !text.isEmpty, text.utf8.count <= HiddenInput.limit else {
      return nil
    }
    var bytes = Array(text.utf8)
    self.init(moving: &bytes)
  }
}

extension Pages {
  /// A new passphrase, typed twice.
  ///
  /// - Throws: `JournalError.invalid`
  func newPassphrase(_ form: Fields) throws(JournalError) -> SecretBytes {
    let typed = form.verbatim("passphrase") ?? ""
    guard typed.utf8.count <= HiddenInput.limit else {
      throw .invalid(
        field: "passphrase", value: "", remedy: "it may have \(HiddenInput.limit) bytes")
    }
    guard typed == form.verbatim("again") ?? "" else {
      throw .invalid(field: "passphrase", value: "", remedy: "the two differ; type both again")
    }
    guard let secret = SecretBytes(form, "passphrase") else {
      throw .invalid(field: "passphrase", value: "", remedy: "it is empty; type one")
    }
    return secret
  }

  /// A field for a passphrase.
  func secretField(
    _ name: String, _ title: String, isNew: Bool, id: String? = nil
  ) -> Html {
    let id = id ?? name
    return tag("div", .class("field")) {
      tag("label", .for(id)) { title }
      void(
        "input", .type("password"), .id(id), .name(name),
        Attribute("autocomplete", isNew ? "new-password" : "current-password"),
        Attribute("maxlength", "\(HiddenInput.limit)"))
    }
  }
}

#if Encryption
import Foundation
import STOLJournal
import STOLSystem
import Testing

@testable import STOLServer

/// Locking the journal on its page, and opening it again.
@Suite("The lock of the journal")
struct JournalLockPageTests {
  private let harness: JournalHarness

  init() async throws {
    harness = try JournalHarness()
    var random = RandomJournal(seed: 1)
    try await random.fill(try harness.pages.services.journal.begun(), eventCount: 12)
  }

  private func post(_ action: String, _ fields: (String, String)...) async throws -> Reply {
    try await harness.post("/journal/lock", [("action", action)] + fields)
  }

  private func state() async throws -> String? {
    try await harness.json("/journal/lock.json")["state"] as? String
  }

  private func locked() async throws -> String {
    let reply = try await post("lock", ("passphrase", "under the oak"), ("again", "under the oak"))
    #expect(reply.status == 200)
    #expect(reply.fields.contains { $0 == ("cache-control", "no-store") })
    let page = String(decoding: reply.bytes, as: UTF8.self)
    let code = try Regex("<code>((?:[0-9A-Z]{4}-){8}[0-9A-Z]{4})</code>")
    return String(try #require(page.firstMatch(of: code)?[1].substring))
  }

  @Test func lockForgetAndRecover() async throws {
    #expect(try await state() == "unprotected")
    let code = try await locked()
    #expect(try await state() == "locked")
    // Nothing else is shown, and nothing of what comes shows the code again.
    for route in JournalRoute.fixed where route != .lock {
      for form in route.forms {
        let reply = try await harness.get(Address(.journal(route), form).path)
        let text = String(decoding: reply.bytes, as: UTF8.self)
        // The form for a note, and completion of what the database has, say nothing of the journal.
        if route != .new, route != .completions { #expect(reply.status == 403, "\(route)") }
        #expect(!text.contains("Felis") && !text.contains("Place 1"), "\(route)")
      }
    }
    let page = try await harness.text("/journal/lock")
    #expect(!page.contains(code) && page.contains("Is the recovery code written down?"))
    // It is written down, in small letters.
    #expect(try await post("confirm", ("code", code.lowercased())).status == 303)
    #expect(!(try await harness.text("/journal/lock").contains("Is the recovery code written")))
    // The passphrase is forgotten.
    #expect(try await post("open", ("passphrase", "under the ash")).status == 403)
    #expect(
      try await post(
        "recover", ("code", code), ("passphrase", "by the gate"), ("again", "by the gate")
      ).status == 303)
    #expect(try await state() == "opened")
    #expect(try await harness.get("/journal").status == 200)
    #expect(try await post("shut").status == 303)
    #expect(try await harness.get("/journal").status == 403)
    #expect(try await post("open", ("passphrase", "under the oak")).status == 403)
    #expect(try await post("open", ("passphrase", "by the gate")).status == 303)
    #expect(try await harness.get("/journal").status == 200)
    // A new code takes the place of the old one.
    let new = try await post("code", ("passphrase", "by the gate"))
    #expect(new.status == 200)
    #expect(try await post("confirm", ("code", code)).status == 403)
    // All of it is decrypted.
    #expect(try await post("unlock", ("passphrase", "by the gate")).status == 303)
    #expect(try await state() == "unprotected")
    #expect(try await harness.get("/journal").status == 200)
  }

  @Test func passphrasesThatDifferOrAreNoneChangeNothing() async throws {
    for fields in [
      [("passphrase", "a"), ("again", "b")], [("passphrase", ""), ("again", "")], [],
      [("passphrase", String(repeating: "a", count: 2000))],
    ] {
      #expect(
        try await harness.post("/journal/lock", [("action", "lock")] + fields).status == 400)
      #expect(try await state() == "unprotected")
    }
    #expect(try await post("open", ("passphrase", "a")).status == 409)
    #expect(try await post("unlock", ("passphrase", "a")).status == 409)
    #expect(
      try await post("change", ("old", "a"), ("passphrase", "b"), ("again", "b")).status == 409)
    #expect(try await post("drop").status == 400)
    _ = try await locked()
    #expect(try await post("lock", ("passphrase", "a"), ("again", "a")).status == 409)
    #expect(
      try await post("recover", ("code", "0000"), ("passphrase", "b"), ("again", "b")).status == 400
    )
  }

  @Test func wrongPassphrasesAreSlowed() async throws {
    _ = try await locked()
    var statuses: [Int] = []
    // To try one takes time, and while the waits are short more than they.
    while statuses.last != 429, statuses.count < 10 {
      statuses.append(
        try await post("open", ("passphrase", "wrong \(statuses.count)")).status)
    }
    #expect(statuses.prefix(3) == [403, 403, 403])
    #expect(statuses.last == 429)
    // Nor is the right one tried then.
    let reply = try await post("open", ("passphrase", "under the oak"))
    if reply.status == 429 { #expect(reply.fields.contains { $0.name == "retry-after" }) }
  }

  @Test func theWaitGrowsAndEnds() {
    let limit = TryLimit()
    let start = Duration.seconds(7)
    for _ in 0..<TryLimit.freeCount - 1 { limit.failed(at: start) }
    #expect(limit.wait(at: start) == nil)
    var last = 0
    for _ in 0..<20 {
      limit.failed(at: start)
      let wait = limit.wait(at: start) ?? 0
      #expect(wait >= last && wait <= 61)
      last = wait
    }
    #expect(last == 61)
    #expect(limit.wait(at: start + .seconds(61)) == nil)
    limit.succeeded()
    #expect(limit.wait(at: start) == nil)
  }

  @Test func aFileThatWaitsGoesWithTheLock() async throws {
    _ = try await harness.post(
      "/journal/import", [("action", "send")],
      SentFile(name: "a.csv", bytes: Array("name,date\nFelis number1,2024\n".utf8)))
    _ = try await locked()
    #expect(try await harness.get("/journal/import").status == 403)
    #expect(try await harness.post("/journal/import", [("action", "import")]).status == 403)
    #expect(try await post("open", ("passphrase", "under the oak")).status == 303)
    #expect(try await harness.json("/journal/import.json")["state"] as? String == "none")
  }
}
#endif

import STOLAnswers
import STOLData
import STOLJournal
import STOLPack
import STOLSystem
import STOLTrust

extension Pages {
  /// The file that waits and what would become of it, or the form for one.
  func journalImport(_ visit: Visit) async throws -> Reply {
    // A locked journal shows nothing, also of what was sent to it.
    _ = try services.journal.journal()
    let state = await services.uploads.state
    if visit.address.form == .json { return importAnswer(state) }
    return importPage(visit, state)
  }

  /// Takes a file, decides, imports, or lets go of it.
  func changeImport(_ visit: Visit, _ form: Fields) async throws -> Reply {
    _ = try services.journal.journal()
    let uploads = services.uploads
    switch form["action"] {
    case "send":
      guard let file = visit.file, file.byteCount > 0 else {
        return importPage(visit, .none, wrong: "Choose a file first", status: 400)
      }
      let passphrase = SecretBytes(form, "passphrase")
      let upload = try JournalUpload(
        file, skipsPhotos: form["photos"] == "skip", passphrase: passphrase)
      try await uploads.take(upload)
      return .seeOther(Address(.import))
    case "look":
      guard let upload = await uploads.held(form["upload"]) else { return replaced(visit) }
      try await uploads.take(JournalUpload(upload, mapping: form.verbatim("map") ?? ""))
      return .seeOther(Address(.import))
    case "import":
      guard let id = form["upload"] else { return replaced(visit) }
      var decisions: [String: String] = [:]
      for (name, value) in form.pairs where name.hasPrefix(Self.decisionPrefix) && !value.isEmpty {
        decisions[String(name.dropFirst(Self.decisionPrefix.count))] = value
      }
      guard try await uploads.finish(id, decisions: decisions) else { return replaced(visit) }
      return .seeOther(Address(.import))
    case "drop":
      await uploads.drop()
      return .seeOther(Address(.import))
    default:
      return problem(
        visit, 400, "Unknown action", "one of: send, look, import, drop")
    }
  }

  /// What begins the names of fields that say what a name is.
  static let decisionPrefix = "name-"

  private func replaced(_ visit: Visit) -> Reply {
    problem(
      visit, 409, "This file waits no more",
      "another one has taken its place, or it waited too long; nothing of it was kept")
  }

  private func importAnswer(_ state: JournalUploads.State) -> Reply {
    .json { json in
      switch state {
      case .none: json.text("state", "none")
      case .waiting(let upload, let outcome):
        json.text("state", "waiting")
        json.text("upload", upload.id)
        json.text("file", upload.name)
        outcome.write(to: &json)
      case .unreadable(let upload, let reason, let proposal):
        json.text("state", "unreadable")
        json.text("upload", upload.id)
        json.text("file", upload.name)
        json.text("reason", reason)
        json.text("mapping", proposal)
      case .done(let id, let name, let outcome):
        json.text("state", "done")
        json.text("upload", id)
        json.text("file", name)
        outcome.write(to: &json)
      }
    }
  }
}

extension ImportOutcome {
  /// Writes its members.
  func write(to json: inout RowWriter) {
    json.text("format", format.rawValue)
    json.text("mapping", mapping)
    json.texts("unread", unread)
    json.number("rowCount", summary.rowCount)
    json.objects("outcomes", ImportedRow.Outcome.allCases.filter { summary.rowCounts[$0] != nil }) {
      $0.text("outcome", $1.rawValue)
      $0.number("rowCount", summary.rowCounts[$1])
    }
    json.objects("rows", odd.shown) { json, row in
      json.number("line", row.line)
      json.text("outcome", row.outcome.rawValue)
      json.objects("reasons", row.reasons) { json, reason in
        json.text("column", reason.column)
        json.text("value", reason.value)
        json.text("reason", reason.reason)
        json.text("remedy", reason.remedy)
      }
    }
    json.number("oddRowCount", odd.count)
    json.objects("questions", questions) { json, question in
      json.text("name", question.verbatimName)
      json.text("key", question.key)
      json.number("rowCount", question.rowCount)
      json.text("reason", question.reason)
      json.objects("candidates", question.candidates) { json, candidate in
        json.reference("taxon", candidate.taxon)
        json.text("matchedName", candidate.matchedName)
        json.text("difference", candidate.difference)
      }
    }
    json.number("decidedNameCount", decidedCount)
    json.number("newRecordCount", summary.newRecordCount)
    json.number("updatedRecordCount", summary.updatedRecordCount)
    json.number("batch", summary.batch.map { Int($0) })
  }
}

extension ImportedRow {
  /// What there is to say of a row.
  typealias Reason = (column: String, value: String, reason: String, remedy: String)

  /// Why it was refused, or what is odd.
  var reasons: [Reason] {
    (refusal.map { [($0.column, $0.value, $0.reason, $0.remedy)] } ?? [])
      + flags.map { ($0.column, $0.value, $0.reason, "") }
  }
}

import STOLAnswers
import STOLData
import STOLJournal
import STOLSystem
import STOLTrust

extension Pages {
  // MARK: - Looking

  /// What leaves the journal, before it does: the form, and once that is filled in what the file would have.
  func journalExport(_ visit: Visit, _ journal: LocalJournal?) async throws -> Reply {
    do {
      guard let choice = try JournalExportChoice(visit.query) else {
        return try await exportForm(visit, visit.query, journal)
      }
      guard let journal else { return try await exportForm(visit, visit.query, nil) }
      let question = try await question(visit, JournalFilter(visit.query), journal)
      guard question.obstacle == nil else {
        return try await exportForm(visit, visit.query, journal, question: question)
      }
      let leaving = try await leaving(choice, question, journal)
      return try await exportForm(
        visit, visit.query, journal, question: question, leaving: leaving)
    } catch let error as JournalError {
      guard case .invalid = error else { throw error }
      return try await exportForm(visit, visit.query, journal, error: error.description)
    }
  }

  /// Which sightings an export is of; nil for all records.
  private func exported(_ question: JournalQuestion) -> SightingQuery? {
    guard !question.filter.isEmpty else { return nil }
    var query = question.query
    query.includesAbsent = true
    return query
  }

  /// Writes an export to nowhere, and counts.
  private func leaving(
    _ choice: JournalExportChoice, _ question: JournalQuestion, _ journal: LocalJournal
  ) async throws -> JournalLeaving {
    let (query, writer) = (exported(question), services.version)
    return try await journal.read { file, pack in
      var byteCount = 0
      let report = try file.export(
        choice.format, of: query, for: choice.isExact ? .exact : .shared(pack), by: writer,
        as: choice.dataset
      ) { byteCount += $0.count }
      return JournalLeaving(choice: choice, report: report, byteCount: byteCount)
    }
  }

  // MARK: - Giving out

  /// The file, unless it is another one than the page has shown.
  func giveOut(_ visit: Visit, _ form: Fields, _ journal: LocalJournal) async throws -> Reply {
    do {
      guard let choice = try JournalExportChoice(form) else {
        throw JournalError.invalid(
          field: "format", value: "", remedy: "choose in which format it is to leave")
      }
      let question = try await question(visit, JournalFilter(form), journal)
      guard question.obstacle == nil else {
        return try await exportForm(visit, form, journal, question: question, status: 409)
      }
      let passphrase = try sealing(choice, form)
      let (leaving, bytes) = try await written(choice, question, passphrase, journal)
      guard form["shown"] == leaving.mark else {
        return try await exportForm(
          visit, form, journal, question: question, leaving: leaving, status: 409)
      }
      let name = choice.format.fileName(collection: nil, at: JournalClock.secondsSince1970)
      return Reply(
        contentType: choice.mediaType, bytes: [],
        fields: [("content-disposition", "attachment; filename=\"\(name)\"")], spooled: bytes)
    } catch let error as JournalError {
      guard case .invalid = error else { throw error }
      return try await exportForm(visit, form, journal, error: error.description)
    }
  }

  /// What an archive is sealed with; nil for one that anybody can read, and for other formats.
  private func sealing(
    _ choice: JournalExportChoice, _ form: Fields
  ) throws -> SecretBytes? {
    guard choice.format == .archive, form["unsealed"] == nil else { return nil }
    return try newPassphrase(form)
  }

  private func written(
    _ choice: JournalExportChoice, _ question: JournalQuestion, _ passphrase: SecretBytes?,
    _ journal: LocalJournal
  ) async throws -> (JournalLeaving, SpooledBytes) {
    let (query, writer, folder) = (
      exported(question), services.version, services.directory.journal
    )
    return try await journal.read { file, pack in
      let target = SpoolingTarget(beside: "\(folder)/export")
      let report =
        try choice.format == .archive
        ? file.archive(of: query, by: writer, sealedWith: passphrase) { try target.append($0) }
        : file.export(
          choice.format, of: query, for: choice.isExact ? .exact : .shared(pack), by: writer,
          as: choice.dataset
        ) { try target.append($0) }
      let bytes = try target.finish()
      return (
        JournalLeaving(choice: choice, report: report, byteCount: bytes.byteCount), bytes
      )
    }
  }
}

/// What an export is written to, by whoever writes it.
private final class SpoolingTarget {
  private var writer: SpooledBytes.Writer?

  init(beside path: String) { writer = SpooledBytes.Writer(beside: path) }

  func append(_ bytes: [UInt8]) throws(SystemError) { try writer?.append(bytes) }

  func finish() throws(SystemError) -> SpooledBytes {
    let whole = writer.take() ?? SpooledBytes.Writer(beside: "")
    return try whole.finish()
  }
}

import STOLPack
import STOLFormats
package import STOLNames

/// Collects what the files of one source say, before it is known how it fits together.
///
/// Numbers stay in memory, 28 bytes a row; texts wait in files without names beside the result.
package final class Intake {
  /// Stands for no id.
  static let none = Int64.min

  /// What rows say about names.
  var usages = UsageTable()
  /// A record for each usage, and where it is stated apart, for its names.
  let texts: Spool
  /// A record for each further name, reference, trait and distribution.
  let attachments: Spool
  /// The places of the ranks that rows have columns for.
  var classifiedRanks: Set<Int> = []
  /// Ids that were merged, and into what.
  var merged: [(id: Int64, into: Int64)] = []
  /// Ids that were deleted.
  var deleted: [Int64] = []
  /// Facts about the dataset.
  package var metadata = DatasetMetadata()
  /// Whether taxa of all ranks are kept, or only those of the eight of schema 1.
  let keepsAllRanks: Bool
  /// What was odd.
  package let findings: Findings
  /// What became of each row of each file.
  package let account = RowAccount()
  private let path: String
  /// What words for the standing of names mean.
  var statuses: [String: TaxonomicStatus] = [:]
  private let onRow: (Int) -> Void
  private let isCancelled: () -> Bool
  private var rowCount = 0
  private static let reportInterval = 1 << 15

  /// An intake whose scratch files lie beside `path`.
  ///
  /// - Parameters:
  ///   - path: where the result will be.
  ///   - findings: counts what is odd.
  ///   - keepsAllRanks: whether taxa of all ranks are kept, or only those of the eight of schema 1.
  ///   - onRow: called now and then with the number of rows so far.
  ///   - isCancelled: asked as often; once true, `IngestError.cancelled` is thrown.
  /// - Throws: `SystemError`
  package init(
    beside path: String, findings: Findings, keepsAllRanks: Bool = true,
    onRow: @escaping (Int) -> Void = { _ in },
    isCancelled: @escaping () -> Bool = { false }
  ) throws {
    self.path = path
    texts = try Spool(beside: path)
    attachments = try Spool(beside: path)
    self.findings = findings
    self.keepsAllRanks = keepsAllRanks
    self.onRow = onRow
    self.isCancelled = isCancelled
  }

  /// A further scratch file, for texts that a reader has to look up.
  func makeSpool() throws -> Spool { try Spool(beside: path) }

  /// Counts a row of the current file; every reader calls it for every row that it reads.
  package func countRow() throws {
    account.countRow()
    rowCount += 1
    if rowCount % Self.reportInterval == 0 {
      onRow(rowCount)
      if isCancelled() { throw IngestError.cancelled }
    }
  }

  /// Goes to the next row of the current file, and counts it.
  func next(_ rows: inout TableReader) throws -> Bool {
    guard try rows.next() else { return false }
    try countRow()
    return true
  }

  /// Counts an oddity of a row.
  func note(_ finding: Finding, _ line: Int?, _ what: @autoclosure () -> String) {
    findings.add(finding, account.place(line, what()))
  }

  /// Why a row is left out: a finding, and its outcome in the account.
  struct Omission {
    let finding: Finding
    let outcome: RowOutcome
    static let emptyName = Omission(finding: .emptyName, outcome: .emptyName)
    static let unknownTaxon = Omission(finding: .unknownTaxon, outcome: .unknownTaxon)
  }

  /// Counts a row of the current file that is left out.
  func leaveOut(_ omission: Omission, _ line: Int?, _ what: @autoclosure () -> String) {
    note(omission.finding, line, what())
    account.add(omission.outcome)
  }

  /// Counts a row of the current file that is ignored because of what is odd about it.
  func ignore(
    _ finding: Finding, _ reason: String, _ line: Int?, _ what: @autoclosure () -> String
  ) {
    note(finding, line, what())
    account.ignore(reason)
  }

  /// How long an id may be, in bytes of UTF-8: Format/PACK.md.
  static let idByteLimit = 65_535

  /// Whether an id can be kept and printed: without control characters, and short enough.
  private static func isFit(_ id: String) -> Bool {
    id.utf8.count <= idByteLimit && id.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }

  /// Adds a usage.
  ///
  /// - Throws: `SystemError`
  package func add(_ usage: SourceUsage) throws {
    guard !usage.name.isEmpty else {
      return leaveOut(.emptyName, usage.line, "id \(usage.id)")
    }
    guard Self.isFit(usage.id) else {
      return ignore(
        .unfitID, "an id that cannot be kept", usage.line > 0 ? usage.line : nil,
        NameCleaner.clean(usage.id).text)
    }
    let id = TaxonID(sourceText: usage.id)
    var flags: UsageFlags = []
    var link = Self.none
    let acceptedIDs = usage.acceptedIDs.filter { $0 != usage.id }
    let isSelfAccepted = usage.acceptedIDs.contains(usage.id)
    if let accepted = acceptedIDs.first, !isSelfAccepted || usage.status == .synonym {
      flags.insert(.synonym)
      let undivided = usage.undividedAcceptedID
      link = TaxonID(sourceText: undivided.isEmpty ? accepted : undivided).rawValue
      if acceptedIDs.count > 1 || !undivided.isEmpty { flags.insert(.proParte) }
      if !usage.acceptedName.isEmpty { flags.insert(.acceptedByName) }
    } else if !usage.acceptedName.isEmpty, usage.acceptedIDs.isEmpty {
      flags.insert(.acceptedByName)
      if usage.status == .synonym { flags.insert(.synonym) }
      // Unless the name turns out to be another one than its own.
      if usage.status == .bareName { flags.insert(.bare) }
    } else if usage.status == .synonym, !isSelfAccepted {
      flags.insert(.synonym)
      if !usage.parentID.isEmpty, usage.parentID != usage.id {
        flags.insert(.acceptedByParent)
        link = TaxonID(sourceText: usage.parentID).rawValue
      }
    } else if usage.status == .bareName {
      flags.insert(.bare)
    }
    if usage.status == .doubtful { flags.insert(.doubtful) }
    if !usage.hasOwnID { flags.insert(.withoutID) }
    if !flags.contains(.synonym), !usage.parentID.isEmpty {
      link = TaxonID(sourceText: usage.parentID).rawValue
    }
    if usage.parentID != usage.id, !usage.parentName.isEmpty { flags.insert(.parentByName) }
    var stored = usage
    if !keepsAllRanks { stored.classification.removeAll { $0.rank.kept == nil } }
    if !stored.classification.isEmpty { flags.insert(.classified) }
    for (place, entry) in stored.classification.enumerated() {
      if let level = entry.rank.level { classifiedRanks.insert(level) }
      guard
        let name = entry.rank == .species
          ? NameCase.repaired(entry.name, rank: .species)
          : NameCase.repairedHigherTaxon(entry.name)
      else { continue }
      note(.nameCaseRepaired, usage.line > 0 ? usage.line : nil, entry.name)
      stored.classification[place].name = name
    }
    if !id.standsForText { stored.id = "" }
    stored.acceptedIDs = acceptedIDs
    usages.append(
      id: id.rawValue, link: link, rank: usages.ranks.code(usage.rank), flags: flags,
      text: try put(stored))
    account.noteUsages(usages.count)
  }

  /// Adds a taxon that has no row of its own.
  func addImplicit(_ usage: SourceUsage) throws {
    var flags: UsageFlags = .implicit
    if !usage.classification.isEmpty { flags.insert(.classified) }
    usages.append(
      id: TaxonID(sourceText: usage.id).rawValue,
      link: usage.parentID.isEmpty ? Self.none : TaxonID(sourceText: usage.parentID).rawValue,
      rank: usages.ranks.code(usage.rank), flags: flags,
      text: try put(usage))
  }

  /// Adds a usage of a source with numbers for ids, from the bytes of its row.
  ///
  /// - Parameters:
  ///   - id: its id.
  ///   - link: the id of its parent, or of the accepted taxon of a synonym.
  ///   - rank: a number from `rankCode(_:)`.
  ///   - flags: what it is.
  ///   - name: the name without authorship, in UTF-8, clean.
  ///   - authorship: in UTF-8, clean.
  ///   - year: the year of description.
  ///   - statusText: what the row says it is.
  /// - Throws: `SystemError`
  func add(
    id: Int64, link: Int64?, rank: UInt16, flags: UsageFlags, name: Span<UInt8>,
    authorship: Span<UInt8>, year: Int?, statusText: String
  ) throws {
    var usage = SourceUsage()
    usage.year = year
    usage.statusText = statusText
    var record = RecordBuilder()
    usage.write(name: name, authorship: authorship, to: &record)
    usages.append(
      id: id, link: link ?? Self.none, rank: rank, flags: flags, text: try put(record, into: texts))
    account.noteUsages(usages.count)
  }

  /// Adds a usage whose name comes later, in the form of sources with numbers for ids.
  package func add(id: Int64, parentID: Int64?, rank: UInt16) {
    usages.append(id: id, link: parentID ?? Self.none, rank: rank, flags: [], text: .max)
    account.noteUsages(usages.count)
  }

  /// The number that stands for a rank in `add(id:parentID:rank:)`.
  package func rankCode(_ rank: SourceRank?) -> UInt16 { usages.ranks.code(rank) }

  /// States the name of the usage in `row`, which has a number for an id.
  package func setName(
    _ name: String, authorship: String = "", year: Int? = nil, sensu: String = "", ofRow row: Int
  ) throws {
    var usage = SourceUsage()
    usage.name = name
    usage.authorship = authorship
    usage.year = year
    usage.sensu = sensu
    usages.texts[row] = try put(usage)
  }

  /// States the authorship of a usage, and what stands behind it: "ined.".
  func setAuthorship(_ parts: NameParts, ofRow row: Int) throws {
    var usage = try text(row)
    usage.authorship = parts.authorship
    usage.year = parts.year
    usage.addPhrase(parts.phrase)
    usages.texts[row] = try put(usage)
  }

  /// What references of a usage are of: itself, but in schema 1, which has no references of names, the
  /// first accepted taxon of a synonym.
  func referenced(_ usage: SourceUsage) -> Int64 {
    let accepted = usage.status == .synonym && !keepsAllRanks ? usage.acceptedIDs.first : nil
    return TaxonID(sourceText: accepted ?? usage.id).rawValue
  }

  /// Adds a name, reference or trait of the taxon that the source calls `id`.
  package func add(
    _ attachment: Attachment, of id: String, isFurther: Bool = false
  ) throws {
    let key = TaxonID(sourceText: id)
    try add(
      attachment, of: key.rawValue, text: key.standsForText ? id : "", isFurther: isFurther)
  }

  /// Adds a name, reference or trait of the taxon with this id.
  ///
  /// - Parameters:
  ///   - attachment: what it is.
  ///   - id: of which taxon.
  ///   - isFurther: whether its row has another outcome, as one with a name and a reference.
  /// - Throws: `SystemError`
  package func add(
    _ attachment: Attachment, of id: Int64, isFurther: Bool = false
  ) throws {
    try add(attachment, of: id, text: "", isFurther: isFurther)
  }

  private func add(
    _ attachment: Attachment, of id: Int64, text: String, isFurther: Bool
  ) throws {
    var record = RecordBuilder()
    record.add(account.mark(isFurther: isFurther))
    record.add(Int(id))
    record.add(text)
    attachment.write(to: &record)
    _ = try put(record, into: attachments)
  }

  /// The entry at a place that `forEachAttachment` gave.
  func attachment(at offset: Int) throws -> Attachment {
    var record = try attachments.record(at: UInt64(offset))
    _ = record.number()
    _ = record.number()
    _ = record.text()
    return Attachment(&record)
  }

  /// "id: what it says" of the entry at a place, for examples; without an id that is a text and was given
  /// as a key alone.
  func describe(_ attachment: Attachment, at offset: Int) -> String {
    guard var record = try? attachments.record(at: UInt64(offset)) else { return attachment.text }
    _ = record.number()
    let id = TaxonID(rawValue: Int64(record.number()))
    let stated = id.standsForText ? record.text() : "\(id.rawValue)"
    return stated.isEmpty ? attachment.text : "id \(stated): \(attachment.text)"
  }

  /// Gives `body` every entry: where it is, its file, the id of its taxon and what it is.
  ///
  /// - Throws: `SystemError`
  /// - Complexity: O(n)
  func forEachAttachment(
    _ body: (_ offset: Int, _ file: Int, _ id: Int64, Attachment) throws -> Void
  ) throws {
    try attachments.finish()
    var offset = 0
    while offset < attachments.byteCount {
      var record = try attachments.record(at: UInt64(offset))
      let start = offset
      offset += RecordBuilder.headByteCount + record.byteCount
      let file = record.number()
      let id = Int64(record.number())
      _ = record.text()
      try body(start, file, id, Attachment(&record))
    }
  }

  private func put(_ usage: SourceUsage) throws -> UInt64 {
    var record = RecordBuilder()
    usage.write(to: &record)
    return try put(record, into: texts)
  }

  private func put(_ record: RecordBuilder, into spool: Spool) throws -> UInt64 {
    findings.add(.textTooLong, count: record.cutCount)
    findings.add(.impossibleYear, count: record.impossibleYearCount)
    return try spool.append(record)
  }
}

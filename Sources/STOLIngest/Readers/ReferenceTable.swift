import STOLPack
import STOLNames

/// The references of a source, by their ids: 25 to 31 bytes of memory each, their texts on disk.
///
/// In the account a row of a file of references is `.reference` if some taxon refers to it, else
/// `.ignored`; what taxa get of it counts with the rows that refer to it.
final class ReferenceTable {
  private let intake: Intake
  private let spool: Spool
  private var ids = Column<Int64>()
  private var texts = Column<UInt64>()
  private var files = Column<UInt16>()
  private var isUsed = Column<Bool>()
  private var table = IDTable(count: 0)
  /// Pairs of taxon and reference that are there already, hashed: 8 to 16 bytes each.
  private var attached: Set<UInt64> = []

  init(_ intake: Intake) throws {
    self.intake = intake
    spool = try intake.makeSpool()
  }

  /// Adds a row of the current file.
  func add(id: String, citation: String, url: String) throws {
    let (citation, found) = NameCleaner.clean(citation)
    if found.contains(.tooLong) {
      intake.note(.textTooLong, nil, citation)
    }
    guard !id.isEmpty, !citation.isEmpty else {
      intake.account.ignore("no id or no citation")
      return
    }
    var record = RecordBuilder()
    record.add(citation, url, id)
    ids.append(TaxonID(sourceText: id).rawValue)
    texts.append(try spool.append(record))
    files.append(UInt16(clamping: intake.account.currentFile))
    isUsed.append(false)
  }

  /// Makes all that was added ready to be found.
  func close() throws {
    try spool.finish()
    table = IDTable(count: ids.count)
    for row in 0..<ids.count {
      guard table.insert(row, ids: ids) != nil else { continue }
      intake.account.add(.duplicate, file: Int(files[row]))
      intake.findings.add(.duplicateID, "reference \(id(ofRow: row))")
      files[row] = .max
    }
  }

  /// The reference with this id.
  func row(_ id: String) -> Int? {
    id.isEmpty ? nil : table.row(TaxonID(sourceText: id).rawValue, ids: ids)
  }

  /// What the source calls a reference, for examples.
  private func id(ofRow row: Int) -> String {
    guard var record = try? spool.record(at: texts[row]) else { return "in row \(row)" }
    _ = record.text()
    _ = record.text()
    return record.text()
  }

  /// The references that a field names, one id or several between commas; unknown ones are counted.
  func rows(_ list: String, line: Int?) -> [Int] {
    guard !list.isEmpty else { return [] }
    if let row = row(list) { return [row] }
    var rows: [Int] = []
    for id in list.split(whereSeparator: { $0 == "," || $0 == ";" || $0 == "|" }) {
      let id = trimmingSpaces(String(id))
      if let row = row(id) {
        if !rows.contains(row) { rows.append(row) }
      } else if !id.isEmpty {
        intake.note(.unknownReference, line, id)
      }
    }
    return rows
  }

  /// The citation in `row`, which counts as used from now on.
  func citation(_ row: Int) throws -> (text: String, url: String) {
    isUsed[row] = true
    var record = try spool.record(at: texts[row])
    let text = record.text()
    return (text, record.text())
  }

  /// Gives a taxon a reference that it does not have yet; the row that says so has another outcome.
  ///
  /// - Returns: whether it did not have it.
  func attach(_ row: Int, to taxon: Int64, _ kind: ReferenceKind) throws -> Bool {
    let pair =
      (UInt64(bitPattern: taxon) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(row)) &* 0xD6E8_FEB8_6659_FD93
    guard attached.insert(pair).inserted else { return false }
    let (text, url) = try citation(row)
    try intake.add(.reference(citation: text, url: url, kind: kind), of: taxon, isFurther: true)
    return true
  }

  /// Gives a taxon the references that the field of a row names; the row has no other outcome.
  func attachRow(_ list: String, to taxon: Int64, line: Int) throws {
    let found = rows(list, line: line)
    var isNew = false
    for row in found where try attach(row, to: taxon, .taxonomy) { isNew = true }
    if found.isEmpty {
      intake.account.ignore("no reference that is there")
    } else {
      intake.account.add(isNew ? .reference : .joined)
    }
  }

  /// Notes in the account what became of the files of references.
  func count() {
    for row in 0..<ids.count where files[row] != .max {
      if isUsed[row] {
        intake.account.add(.reference, file: Int(files[row]))
      } else {
        intake.account.ignore("nothing refers to it", file: Int(files[row]))
      }
    }
  }

  /// A citation made of its parts, in the order of the parameters.
  static func citation(
    author: String, year: String, title: String, container: String = "", volume: String = "",
    issue: String = "", pages: String = "", details: String = ""
  ) -> String {
    let issue = issue.isEmpty ? "" : "(\(issue))"
    let number = volume + issue
    let place =
      number.isEmpty ? pages : pages.isEmpty ? number : "\(number): \(pages)"
    let source = [container, place].filter { !$0.isEmpty }.joined(separator: " ")
    var result = ""
    for part in [author, year, title, source, details] where !part.isEmpty {
      if !result.isEmpty { result += ".?!".contains(result.last ?? " ") ? " " : ". " }
      result += part
    }
    return result.isEmpty || ".?!".contains(result.last ?? " ") ? result : result + "."
  }

  /// The address of a reference: its DOI before another link.
  static func address(doi: String, link: String) -> String {
    guard !doi.isEmpty else { return link }
    if doi.hasPrefix("http") { return doi }
    let number = doi.lowercased().hasPrefix("doi:") ? String(doi.dropFirst(4)) : doi
    return "https://doi.org/" + trimmingSpaces(number)
  }
}

import Foundation
import Logging
import STOLData
import STOLPack
import TestSupport
import Testing

@testable import STOLDiagnostics
import STOLSystem

@Suite("Diagnostics")
struct DiagnosticsTests {
  @Test func keepsNothingUntilItIsSwitchedOn() {
    let log = DiagnosticLog()
    log.record(.db, "error", "opened")
    #expect(log.lines.isEmpty)
    log.isEnabled = true
    log.record(.search, "info", "slow", at: Date(timeIntervalSince1970: 0))
    #expect(log.lines == ["1970-01-01T00:00:00Z info search: slow"])
    log.clear()
    #expect(log.isEnabled && log.lines.isEmpty)
    log.record(.db, "error", "again")
    log.isEnabled = false
    #expect(log.lines.isEmpty)
  }

  @Test func keepsTheLastLinesAndCutsLongOnes() {
    let log = DiagnosticLog(isEnabled: true)
    for number in 0..<DiagnosticLog.capacity + 5 { log.record(.db, "info", "line \(number)") }
    #expect(log.lines.count == DiagnosticLog.capacity)
    #expect(log.lines.first?.hasSuffix(": line 5") == true)
    log.record(.db, "info", String(repeating: "ä", count: 10_000))
    #expect((log.lines.last?.utf8.count ?? .max) < DiagnosticLog.longestLine + 60)
  }

  @Test(arguments: [
    ("/home/ann/x.sqlite: open failed: No such file", "<path>: open failed: No such file"),
    ("/media/Ann Maria Smith/x.stol: damaged", "<path>: damaged"),
    ("cannot open /media/Ann Smith/x", "cannot open <path>"),
    ("no taxon \"Panthera leo\"; did you mean \"lion\"?", "no taxon <text>?"),
    ("nothing for \"x\" Panthera leo\"", "nothing for <text>"),
    ("cannot read ann.sqlite", "cannot read <file>"),
    ("no taxon 6 in it", "no taxon <number> in it"),
    ("9689: this id was deleted", "<number>: this id was deleted"),
    ("row 123456 of names", "row <number> of names"), ("exit 3, 2.5 ms", "exit 3, 2.5 ms"),
    ("query \"never closed Panthera", "query <text>"), ("to ann@host.example", "to <path>"),
    ("C:\\Users\\ann\\f", "<path>"), ("~/notes", "<path>"), ("„Löwe“ und «lion» da", "<text> da"),
    ("two\nlines", "two lines"), ("", ""), ("release 12, key abc", "release 12, key abc"),
  ])
  func takesOutWhatTellsOfAPerson(_ line: String, _ redacted: String) {
    #expect(Redaction.redact(line) == redacted)
    // A second time nothing changes.
    #expect(Redaction.redact(redacted) == redacted)
  }

  @Test func theReportHoldsNoPathNameOrID() throws {
    let folder = try TemporaryFolder()
    let directory = DataDirectory(override: folder("ann"))
    let log = DiagnosticLog(isEnabled: true)
    let secrets = ["Panthera leo", "/home/ann", "ann.stol", "9689", folder.path]
    let errors: [any Error] = [
      SystemError(operation: "open", path: folder("ann/x"), code: .noSuchFile),
      TaxonomyError.unknownTaxon(9689), TaxonomyError.deletedTaxon(9689),
      TaxonomyError.noDatabase(packPath: "/home/ann/a.stolpack"),
      ReferenceStore.Failure.stateDamaged(path: folder("ann/Databases/reference.txt")),
      CompileError.missing(table: "taxa", column: "id"),
    ]
    let logger = DiagnosticLogHandler.logger(for: .db, log: log)
    for error in errors { logger.error("\(error)") }
    logger.error("nothing found for \"Panthera leo\"")
    #expect(log.lines.count == errors.count + 1)
    let report = DiagnosticReport(
      version: "stol 0.1.0", database: nil,
      storage: LocalStorage(directory: directory).parts(), isLogging: true,
      lines: log.lines + ["from a file: /home/ann, \"Panthera leo\""])
    for secret in secrets { #expect(!report.text.contains(secret), "\(report.text)") }
    #expect(!report.text.contains(ProcessInfo.processInfo.hostName))
    #expect(report.text.contains("version"))
    #expect(report.text.contains("error db:"))
  }

  @Test func theLogOnDiskIsThereOnlyWhileItIsOn() throws {
    let folder = try TemporaryFolder()
    let file = DiagnosticFile(in: DataDirectory(override: folder("home")))
    try file.append(["lost"])
    #expect(try file.lines().isEmpty)
    #expect(!FileManager.default.fileExists(atPath: folder("home")))
    try file.enable()
    try file.enable()
    try file.append(["one", "two"])
    try file.append([])
    #expect(try file.lines() == ["one", "two"])
    try file.clear()
    #expect(try file.lines().isEmpty && file.isEnabled)
    try file.disable()
    #expect(!file.isEnabled)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder("home")).isEmpty)
    try file.disable()
  }

  @Test func theLogOnDiskStaysSmallAndKeepsTheNewest() throws {
    let folder = try TemporaryFolder()
    let file = DiagnosticFile(in: DataDirectory(override: folder("home")))
    try file.enable()
    let filler = String(repeating: "x", count: 390)
    for block in 0..<40 { try file.append((0..<50).map { "\(block * 50 + $0) \(filler)" }) }
    let lines = try file.lines()
    #expect(lines.last == "1999 \(filler)")
    let numbers = lines.compactMap { Int($0.prefix { $0 != " " }) }
    #expect(numbers == Array(2000 - numbers.count..<2000))
    #expect(numbers.count * 395 <= DiagnosticFile.greatestByteCount)
  }

  @Test func countsTheBytesOfEachPart() throws {
    let folder = try TemporaryFolder()
    let directory = DataDirectory(override: folder("home"))
    let storage = LocalStorage(directory: directory)
    #expect(storage.parts().allSatisfy { $0.byteCount == 0 && !$0.isDeletable })
    func write(_ path: String, _ count: Int) throws {
      let url = URL(fileURLWithPath: directory.path + "/" + path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(count: count).write(to: url)
    }
    try write("Databases/bundled.sqlite", 11)
    try write("Databases/reference.txt", 100)
    try write("Databases/reference-3/reference.sqlite", 1_000)
    try write("Favorites/favorites.sqlite", 10_000)
    try write("Journal/journal.sqlite", 50_000)
    try write("Media/cats/media.bin", 100_000)
    try write("explorer.txt", 22)
    // What a link points to is counted where it lies, if it is ours at all.
    try FileManager.default.createSymbolicLink(
      atPath: directory.path + "/Media/link", withDestinationPath: folder.path)
    let parts = storage.parts()
    #expect(parts.map(\.kind) == StoredPart.Kind.allCases)
    #expect(parts.map(\.byteCount) == [11, 1_100, 10_000, 50_000, 100_000, 0, 22, 0])
    #expect(parts.map(\.isDeletable) == [false, true, true, false, true, false, false, false])
  }
}

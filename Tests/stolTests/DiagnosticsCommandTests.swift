import Foundation
import TestSupport
import Testing
import STOLSystem

@Suite("Diagnostics, storage and paths")
struct DiagnosticsCommandTests {
  @Test func logsHowCommandsEndButNotWhatWasAsked() throws {
    let folder = try TemporaryFolder()
    let home = ["--data-dir", folder.path]
    func run(_ arguments: [String]) throws -> Command.Outcome {
      try Command().run(Command.path, arguments + home, input: Data())
    }
    expect(try run(["diagnostics", "on"]), status: 0)
    expect(try run(["query", "search", "Panthera leo", "--quiet"]), status: 0)
    expectError(try run(["query", "show", "Xyzzyus plughus"]), status: 1)
    let report = try run(["diagnostics", "export"])
    expect(report, status: 0)
    #expect(report.text.contains("info ui: query search: exit 0, "))
    #expect(report.text.contains("info ui: query show: exit 1, "))
    #expect(report.text.contains("error ui: TaxonNotFound"))
    for secret in ["Panthera", "Xyzzyus", folder.path, NSUserName() + "/"] {
      #expect(!report.text.contains(secret))
    }
    let file = folder.path + "/report.txt"
    expect(try run(["diagnostics", "export", "-o", file]), status: 0)
    #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("stol diagnostics\n"))
    expect(try run(["diagnostics", "clear"]), status: 0)
    #expect(try !run(["diagnostics", "export"]).text.contains("query show"))
    expect(try run(["diagnostics", "off"]), status: 0)
    #expect(try run(["diagnostics", "export"]).text.contains("log          off"))
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/Diagnostics"))
  }

  @Test func nothingIsLoggedUnlessAsked() throws {
    let folder = try TemporaryFolder()
    _ = try Command()("query", "search", "lion", "--data-dir", folder.path)
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/Diagnostics"))
  }

  @Test func storageSaysWhatMayBeDeleted() throws {
    let folder = try TemporaryFolder()
    // Its references are unpacked.
    _ = try Command()("query", "show", "lion", "--data-dir", folder.path)
    let outcome = try Command()("storage", "--data-dir", folder.path)
    expect(outcome, status: 0)
    #expect(outcome.lines.first == "part\tbytes\tdelete")
    #expect(outcome.lines.last?.hasPrefix("all\t") == true)
    let json = try Command()("storage", "--json", "--data-dir", folder.path)
    let parts = try #require(
      JSONSerialization.jsonObject(with: json.output) as? [[String: Any]])
    #expect(
      parts.map { $0["part"] as? String } == [
        "bundled", "reference", "favorites", "journal", "media", "keys", "choices", "diagnostics",
      ])
    #expect((parts[0]["byteCount"] as? Int ?? 0) > 1_000_000)
    #expect(parts[0]["isDeletable"] as? Bool == false)
  }

  @Test func pathsAreThoseOfTheDataDirectory() throws {
    let folder = try TemporaryFolder()
    let outcome = try Command()("paths", "--data-dir", folder.path)
    expect(outcome, status: 0)
    #expect(outcome.lines.allSatisfy { $0.contains(folder.path) })
    #expect(outcome.lines.count == 8)
    let json = try Command()("paths", "--json", "--data-dir", folder.path)
    let paths = try #require(JSONSerialization.jsonObject(with: json.output) as? [String: String])
    #expect(paths["media"] == folder.path + "/Media")
  }
}

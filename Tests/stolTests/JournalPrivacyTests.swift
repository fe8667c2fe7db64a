import Foundation
import TestSupport
import Testing

@Suite("stol journal privacy, and exports for others")
struct JournalPrivacyTests {
  private static let id = "0192f3a4-5b6c-7d8e-9fab-cdef01234567"

  private static func add(_ home: CommandHome, _ words: String...) throws {
    let added = try home(
      ["add", "Quercus robur", "--id", id, "--at", "42.45331,-76.4807", "--when"]
        + ["2026-03-15T09:44", "--collection", "Orchard", "--note", "by the gate"] + words)
    expect(added, status: 0)
  }

  @Test func othersAreToldWhatMayBeToldUnlessExactIsAskedFor() throws {
    let home = try CommandHome("journal")
    try Self.add(home, "--privacy", "obscured")
    let shared = try home("export")
    expect(shared, status: 0)
    for word in [Self.id, "424533100", "03-15", "Orchard", "gate"] {
      #expect(!shared.text.contains(word), "\(word)")
    }
    #expect(shared.text.contains("\"latitudeE7\":424500000,\"longitudeE7\":-764500000"))
    #expect(shared.errorText.contains("only the cell of the grid and the month of: event (1)"))
    #expect(
      shared.errorText.contains(
        "left out for others: collection (1), identification (1), note (1)"))
    #expect(try home("export", "--format", "csv").errorText.contains("note (1)"))
    for words in [["--exact"], ["--privacy", "exact"], ["--exact", "--privacy", "exact"]] {
      let exact = try home(["export"] + words)
      #expect(exact.text.contains("424533100") && exact.text.contains("by the gate"))
      #expect(exact.errorText == "")
    }
    #expect(try home("export", "--privacy", "shared").text == shared.text)
    #expect(try home("export").text == shared.text)
    // What one looks at oneself is exact.
    #expect(try home("list", "--json").text.contains("42.45331"))
    expectError(
      try home("export", "--exact", "--privacy", "shared"), status: 2, saying: "choose one")
    expectError(try home("export", "--privacy", "half"), status: 2, saying: "shared or exact")
    for name in ["journal.xml", "journal.csv.gz", "journal.zip"] {
      let file = home.folder(name)
      expectError(try home("export", "-o", file), status: 2, saying: "no format is known by")
      expect(try home("export", "-o", file, "--format", "csv", "-q"), status: 0)
    }
    // What comes back changes nothing.
    let file = home.folder("shared.jsonl")
    expect(try home("export", "-o", file, "-q"), status: 0)
    let before = try home("export", "--exact").text
    let outcome = try home("import", file, "--update")
    expect(outcome, status: 0)
    #expect(outcome.errorText.contains("are what this journal gave away"))
    #expect(try home("export", "--exact").text == before)
  }

  @Test func filesAreCalledAfterWhatOthersMayKnow() throws {
    let home = try CommandHome("journal")
    try Self.add(home)
    let folder = home.folder("out")
    func names(_ words: String...) throws -> [String] {
      try? FileManager.default.removeItem(atPath: folder)
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
      expect(
        try home(["export", "-q", "--collection", "Orchard", "-o", folder] + words), status: 0)
      return try FileManager.default.contentsOfDirectory(atPath: folder)
    }
    #expect(try names().allSatisfy { $0.hasPrefix("orchard_") })
    expect(try home("privacy", "set", "obscured", Self.id), status: 0)
    #expect(try names().allSatisfy { $0.hasPrefix("journal_") })
    #expect(try names("--exact").allSatisfy { $0.hasPrefix("orchard_") })
  }

  @Test func recordsPlacesAndCollectionsAreKeptFromOthers() throws {
    let home = try CommandHome("journal")
    try Self.add(home)
    expect(try home("place", "add", "Owl wood", "--at", "1.23456,2"), status: 0)
    func exported() throws -> String { try home("export", "-q").text }
    #expect(try exported().contains("Owl wood") && exported().contains(Self.id))
    expect(try home("privacy", "set", "private", "--place", "Owl wood"), status: 0)
    #expect(try !exported().contains("Owl wood") && exported().contains(Self.id))
    let set = try home(
      "privacy", "set", "private", "--collection", "Orchard", "--place", "Owl wood")
    expect(set, status: 0)
    #expect(set.lines.map { String($0.prefix(4)) } == ["same", "upda"])
    #expect(try !exported().contains("Quercus"))
    // The next ones go into the same collection, which stays what it is.
    expect(try home("add", "Quercus robur", "--at", "50,1"), status: 0)
    expect(try home("collection", "add", "Orchard"), status: 0)
    #expect(try !exported().contains("Quercus"))
    expect(try home("privacy", "set", "open", "--collection", "Orchard"), status: 0)
    #expect(try exported().contains(Self.id))
    let batch = try home("privacy", "set", "private", "-", input: Self.id + "\nx\n")
    #expect(batch.status == 2 && batch.text.contains("updated\t\(Self.id)"))
    #expect(try !exported().contains(Self.id))
    expect(try home("undo"), status: 0)
    #expect(try exported().contains(Self.id))
    expectError(try home("privacy", "set", "private"), status: 2, saying: "of what?")
    expectError(try home("privacy", "set", "secret", Self.id), status: 2, saying: "obscured")
    expectError(
      try home("privacy", "set", "open", "--place", "No wood"), status: 1, saying: "No wood")
  }

  @Test func newRecordsAreWhatTheDefaultSays() throws {
    let home = try CommandHome("journal")
    #expect(try home("privacy", "default").text == "open\n")
    #expect(try home("privacy", "default", "obscured").text == "obscured\n")
    try Self.add(home)
    expect(try home("dive", "--place", "Blue Corner", "--new-place"), status: 0)
    expect(try home("place", "add", "Owl wood", "--at", "1,2"), status: 0)
    expect(try home("place", "add", "Town", "--privacy", "open"), status: 0)
    let exact = try home("export", "--exact").text
    #expect(exact.components(separatedBy: "\"privacy\":\"obscured\"").count == 5)
    #expect(try home("export", "-q").text.contains("Town"))
    // What is there stays what it is, and the same command changes nothing.
    expect(try home("privacy", "default", "open"), status: 0)
    try Self.add(home)
    #expect(try home("export", "--exact").text == exact)
    expectError(try home("privacy", "default", "secret"), status: 2, saying: "obscured")
  }
}

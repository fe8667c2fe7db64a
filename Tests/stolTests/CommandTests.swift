import Foundation
import TestSupport
import Testing
import STOLSystem

@Suite("The command")
struct CommandTests {
  static let commands: [[String]] =
    [
      [], ["pack"], ["inspect"], ["verify"], ["query"],
    ]
    + [
      "search", "complete", "show", "lineage", "children", "subtree", "lca", "distance", "compare",
      "relatives", "rank",
    ].map { ["query", $0] }
    + [["db"], ["db", "keygen"], ["db", "sign"], ["db", "keys"]]
    + ["list", "add", "remove", "revoke", "sign-ring", "apply"].map { ["db", "keys", $0] }
    + [["storage"], ["paths"], ["diagnostics"]]
    + ["on", "off", "export", "clear"].map { ["diagnostics", $0] }
    + [["favorites"]]
    + ["add", "remove", "toggle", "list", "count", "clear", "export"].map { ["favorites", $0] }

  @Test(arguments: commands)
  func helpHasAnExample(_ arguments: [String]) throws {
    let outcome = try Command().run(Command.path, arguments + ["--help"], input: Data())
    expect(outcome, status: 0)
    #expect(outcome.errorText == "")
    let examples = outcome.lines.filter {
      $0.trimmingCharacters(in: .whitespaces).hasPrefix("stol ")
    }
    #expect(!examples.isEmpty)
    #expect(outcome.lines.allSatisfy { $0.count <= 80 || $0.hasPrefix("USAGE:") })
  }

  @Test(arguments: commands)
  func paragraphsOfHelpAreNotBrokenTwice(_ arguments: [String]) throws {
    let outcome = try Command().run(Command.path, arguments + ["--help"], input: Data())
    let overview = outcome.lines.prefix { !$0.hasPrefix("USAGE:") }
    // A line of one or two words in the middle of a paragraph was wrapped, then broken again.
    for (line, next) in zip(overview, overview.dropFirst()) where !next.isEmpty {
      let wordCount = line.split(separator: " ").count
      #expect(line.isEmpty || line.hasPrefix("  ") || wordCount > 3, "\(line)")
    }
  }

  @Test func versionNamesFormatAndBuild() throws {
    let outcome = try Command()("--version")
    expect(outcome, status: 0)
    #expect(outcome.text.contains("pack format 1") && outcome.text.hasPrefix("stol "))
    #expect(outcome.lines.count == 1)
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func completionScriptsKnowTheCommands(_ shell: String) throws {
    let outcome = try Command()("--generate-completion-script", shell)
    expect(outcome, status: 0)
    for word in ["query", "relatives", "no-header"] { #expect(outcome.text.contains(word)) }
  }

  @Test(arguments: [["nonsense"], ["--nonsense"], ["pack"], ["pack", "a", "b"], ["query", "--x"]])
  func usageErrorsAreOneLineAndExit2(_ arguments: [String]) throws {
    expectError(try Command().run(Command.path, arguments, input: Data()), status: 2)
  }

  @Test func closedPipeEndsQuietly() throws {
    let command = try SmallTaxonomy.command
    let folder = try TemporaryFolder()
    let numbers = (1...200_000).map { "\($0)\n" }.joined()
    try Data(numbers.utf8).write(to: URL(fileURLWithPath: folder("numbers")))
    let scripts = [
      "stol query show - < numbers | head -1", "stol query show - --jsonl < numbers | head -1",
      "stol query children | head -0",
      "stol query rank species -l 100000 --json --pack \"$BUNDLED\" | head -1",
      "stol query subtree 2759 --pack \"$BUNDLED\" | head -1",
      "stol query subtree 2759 --newick --pack \"$BUNDLED\" | head -c 10", "stol inspect | head -1",
      "stol --help | head -1", "stol --generate-completion-script bash | head -1",
    ]
    expect(try Command()("query", "show", "lion"), status: 0)
    let setting = "BUNDLED=\"$STOL_HOME/Databases/bundled.stolpack\"; cd '\(folder.path)'; "
    for script in scripts {
      let outcome = try command.shell(setting + script + "; exit ${PIPESTATUS[0]}")
      // 141: ended by the signal for a closed pipe, as is usual.
      expect(outcome, status: outcome.status == 141 ? 141 : 0)
      #expect(outcome.errorText == "", "\(script)")
    }
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "needs /dev/full"))
  func fullDiskIsExit6() throws {
    let command = try SmallTaxonomy.command
    for query in ["query show lion", "query rank species", "inspect", "verify"] {
      let outcome = try command.shell("stol \(query) > /dev/full")
      expectError(outcome, status: 6, saying: "standard output")
    }
  }

  @Test func bundledTaxonomyAnswersAtOnce() throws {
    let folder = try TemporaryFolder()
    var command = Command()
    command.environment["STOL_HOME"] = folder("home")
    let first = try command("query", "search", "lion", "--no-header")
    expect(first, status: 0)
    #expect(first.lines.first?.hasPrefix("9689\tspecies\tPanthera leo\t") == true)
    #expect(first.errorText == "")
    let again = try command("query", "search", "lion", "--no-header")
    #expect(again.text == first.text)
    let verified = try command("verify")
    expect(verified, status: 0)
    #expect(verified.text.hasPrefix(folder("home/Databases/bundled.stolpack")))
  }

  @Test func manyFirstUsesAtOnceAllAnswer() throws {
    let folder = try TemporaryFolder()
    var command = Command()
    command.environment["STOL_HOME"] = folder("home")
    let outcome = try command.shell(
      "for i in 1 2 3 4 5 6; do stol query lca lion tiger --no-header & done; wait")
    expect(outcome, status: 0)
    #expect(outcome.lines.count == 6 && Set(outcome.lines).count == 1)
    #expect(outcome.errorText == "")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder("home/Databases"))
    #expect(files.sorted() == ["bundled.sqlite", "bundled.stolpack"])
  }

  @Test func dataDirectoryComesFromOptionThenEnvironmentThenXDG() throws {
    let folder = try TemporaryFolder()
    var command = Command()
    command.environment["STOL_HOME"] = folder("home")
    command.environment["XDG_DATA_HOME"] = folder("xdg")
    expect(try command("query", "show", "lion", "--data-dir", folder("option")), status: 0)
    #expect(try folder.contents == ["option"])
    expect(try command("query", "show", "lion"), status: 0)
    #expect(try folder.contents == ["home", "option"])
    #if os(Linux)
    command.environment["STOL_HOME"] = nil
    expect(try command("query", "show", "lion"), status: 0)
    #expect(try folder.contents == ["home", "option", "xdg"])
    command.environment["XDG_DATA_HOME"] = nil
    command.environment["HOME"] = folder("user")
    expect(try command("query", "show", "lion"), status: 0)
    let path = folder("user/.local/share/stol/Databases/bundled.stolpack")
    #expect(FileManager.default.fileExists(atPath: path))
    #endif
  }

  @Test func packComesFromOptionThenEnvironment() throws {
    let small = try SmallTaxonomy.pack
    var command = Command()
    let option = try command("query", "show", "8", "--pack", small, "--no-header")
    #expect(option.lines.contains("scientificName\tPanthera leo"))
    command.environment["STOL_PACK"] = small
    let environment = try command("query", "show", "8", "--no-header")
    #expect(environment.text == option.text)
    command.environment["STOL_PACK"] = "/absent/x.stolpack"
    let both = try command("query", "show", "8", "--pack", small, "--no-header")
    #expect(both.text == option.text)
    expectError(try command("query", "show", "8"), status: 6, saying: "/absent/x.stolpack")
  }

  @Test func unusableDataDirectoryIsExit6InPlainWords() throws {
    let folder = try TemporaryFolder()
    try Data().write(to: URL(fileURLWithPath: folder("file")))
    var command = Command()
    command.environment["STOL_HOME"] = folder("file")
    let outcome = try command("query", "show", "lion")
    expectError(outcome, status: 6, saying: folder("file"), "--data-dir")
    #expect(!outcome.errorText.contains("NSCocoa"))
  }

  @Test func nothingIsPrintedOnTheStandardErrorWhenAllIsWell() throws {
    for arguments in QueryTests.everyQuery {
      let outcome = try Command().run(
        Command.path, ["query"] + arguments, input: Data())
      expect(outcome, status: 0)
      #expect(outcome.errorText == "", "\(arguments)")
    }
  }

  @Test func hostileArgumentsNeverTrap() throws {
    let command = try SmallTaxonomy.command
    let words = [
      "", " ", "-", "--", "\"", "\"\"", "\"lion", "9223372036854775807", "-9223372036854775808",
      "99999999999999999999", "-1", "+8", "8.0", "\u{0}x", String(repeating: "a", count: 100_000),
      "%s%n", "lion\ttiger", "\u{202E}", "=1+1", "é\u{301}\u{301}\u{301}", "🦁",
    ].filter { !$0.contains("\0") }
    for query in QueryTests.everyQuery.map({ $0[0] }) {
      for word in words {
        for arguments in [[word], [word, word], ["--within", word, "lion"], ["--", word]] {
          let outcome = try command.run(
            Command.path, ["query", query] + arguments, input: Data("lion\n".utf8))
          #expect(
            !outcome.isSignalled && !outcome.isTimedOut && [0, 1, 2].contains(outcome.status),
            "\(query) \(arguments.map { $0.prefix(30) }): \(outcome.status)")
        }
      }
    }
  }
}

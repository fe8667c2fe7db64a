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
    + [["journal"]]
    + [
      "add", "list", "show", "life", "search", "names", "map", "facets", "popular", "calendar",
      "duplicates", "merge", "delete", "undo", "history", "check", "status", "export", "import",
      "accuracy", "relink", "privacy",
    ].map { ["journal", $0] } + ["set", "default"].map { ["journal", "privacy", $0] }
    + ["list", "decide"].map { ["journal", "names", $0] }
    + ["report", "decide"].map { ["journal", "relink", $0] }
    + [["favorites"]]
    + ["add", "remove", "toggle", "list", "count", "clear", "export", "import"].map {
      ["favorites", $0]
    } + ["references", "resolve-references", "diff"].map { ["db", $0] }

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

  @Test(arguments: commands)
  func helpHasExitCodesAndOptionsThatDoSomething(_ arguments: [String]) throws {
    let help = try Command().run(Command.path, arguments + ["--help"], input: Data()).text
    let codes = try #require(help.components(separatedBy: "\nEXIT CODES:\n").last)
    let numbers = codes.split(separator: "\n").map { String($0.split(separator: " ")[0]) }
    #expect(numbers == (0...6).map { "\($0)" })
    guard arguments.first == "query", arguments.count == 2 else { return }
    for (option, value) in [
      ("--limit", "1"), ("--rank", "species"), ("--ranks", "main"), ("--lang", "en"),
    ] {
      let isOfTwo = ["lca", "distance", "compare"].contains(arguments[1])
      let outcome = try SmallTaxonomy.command.run(
        Command.path, arguments + (isOfTwo ? ["8", "9"] : ["species"]) + [option, value],
        input: Data())
      #expect((outcome.status == 2) == !help.contains(" \(option) "), "\(option)")
    }
  }

  @Test(arguments: [
    ("search", "20"), ("complete", "10"), ("children", "all"), ("subtree", "200 on a terminal"),
    ("relatives", "10"), ("rank", "100 on a terminal"),
  ])
  func helpSaysTheLimitThatCuts(_ query: String, _ limit: String) throws {
    let help = try Command()("query", query, "--help").text
    #expect(help.contains("The most results (default: \(limit)"))
    // Help is broken into lines.
    let words = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(query != "search" || words.contains("contains (default: auto)"))
    guard let count = Int(limit) else { return }
    let text = query == "relatives" ? "Panthera leo" : "p"
    #expect(try Command()("query", query, text).lines.count == count + 1)
  }

  @Test func versionNamesFormatAndBuild() throws {
    let outcome = try Command()("--version")
    expect(outcome, status: 0)
    #expect(outcome.text.contains("pack format 2") && outcome.text.hasPrefix("stol "))
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
    expect(try Command()("db", "built-in", "-o", folder("bundled")), status: 0)
    let setting = "BUNDLED=bundled.stolpack; cd '\(folder.path)'; "
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
    for query in ["query show 8", "query rank species", "inspect", "verify"] {
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
    #expect(first.errorText == "more taxa match; see --limit\n")
    let again = try command("query", "search", "lion", "--no-header")
    #expect(again.text == first.text)
    let verified = try command("verify")
    expect(verified, status: 0)
    #expect(verified.text.hasPrefix("the built-in taxonomy: ok, "))
    // None of this needed a file.
    #expect(try folder.contents == [])
  }

  /// Where nothing can be written, it answers; what cannot be kept says so.
  @Test func theBuiltInTaxonomyNeedsNoHome() throws {
    let folder = try TemporaryFolder()
    try Data().write(to: URL(fileURLWithPath: folder("file")))
    var command = Command()
    command.environment["STOL_HOME"] = folder("file/home")
    let found = try command("query", "lca", "lion", "tiger", "--no-header")
    expect(found, status: 0)
    #expect(found.text.contains("Panthera") && found.errorText == "")
    // References are unpacked where the system keeps what is not to stay.
    let shown = try command("query", "show", "lion", "--json")
    expect(shown, status: 0)
    #expect(shown.text.contains("\"references\":[{") && shown.errorText == "")
    command.environment["TMPDIR"] = folder("file")
    let without = try command("query", "show", "lion", "--json")
    expect(without, status: 0)
    #expect(without.text.contains("Panthera leo"))
    #expect(without.errorText.hasPrefix("stol: without references: cannot unpack"))
    expectError(try command("favorites", "add", "lion"), status: 6, saying: folder("file"))
  }

  @Test func aLostDatabaseIsUnpackedAgain() throws {
    let folder = try TemporaryFolder()
    var command = Command()
    command.environment["STOL_HOME"] = folder("home")
    let path = folder("home/Databases/bundled.sqlite")
    let first = try command("query", "show", "Panthera leo")
    let whole = try folder.bytes(of: "home/Databases/bundled.sqlite")
    for damage in [nil, Data(), Data("nonsense".utf8)] {
      try FileManager.default.removeItem(atPath: path)
      try damage?.write(to: URL(fileURLWithPath: path))
      let again = try command("query", "show", "Panthera leo")
      expect(again, status: 0)
      #expect(again.text == first.text && again.errorText == "")
      #expect(try folder.bytes(of: "home/Databases/bundled.sqlite") == whole)
    }
  }

  @Test func theBuiltInTaxonomyIsWritten() throws {
    let folder = try TemporaryFolder()
    let command = Command()
    expect(try command("db", "built-in", "-o", folder("life")), status: 0)
    let verified = try command(
      "verify", folder("life.stolpack"), "--database", folder("life.sqlite"))
    expect(verified, status: 0)
    #expect(verified.text.contains(", what \(folder("life.sqlite")) compiles to"))
    expectError(
      try command("db", "built-in", "-o", folder("life")), status: 2, saying: "life.sqlite")
    expectError(
      try command("verify", folder("life.stolpack"), "--database", try SmallTaxonomy.database),
      status: 3, saying: "life.stolpack", "another database")
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
    #expect(try folder.contents == [])
    let shown = try command.shell(
      "for i in 1 2 3 4 5 6; do stol query show Panthera leo --no-header & done; wait")
    expect(shown, status: 0)
    #expect(shown.errorText == "")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder("home/Databases"))
    #expect(files == ["bundled.sqlite"])
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
    let path = folder("user/.local/share/stol/Databases/bundled.sqlite")
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
    for words in [["favorites", "list"], ["favorites", "add", "lion"]] {
      let outcome = try command.run(Command.path, words, input: Data())
      expectError(outcome, status: 6, saying: folder("file"))
      #expect(!outcome.errorText.contains("NSCocoa"))
    }
  }

  @Test func nothingIsPrintedOnTheStandardErrorWhenAllIsWell() throws {
    for arguments in QueryTests.everyQuery {
      let outcome = try Command().run(
        Command.path, ["query"] + arguments, input: Data())
      expect(outcome, status: 0)
      // That more was found than is shown is said, and what a text is that is no accepted name.
      let cuts = [
        "search": "more taxa match; see --limit", "complete": "more taxa match; see --limit",
        "relatives": "there are others; see --limit",
      ]
      let others = outcome.errorLines.filter {
        !$0.hasPrefix("\"lion\" is a common name of ")
          && !$0.hasPrefix("\"panth\" matches in part: ")
      }
      #expect(others == (cuts[arguments[0]].map { [$0] } ?? []), "\(arguments)")
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

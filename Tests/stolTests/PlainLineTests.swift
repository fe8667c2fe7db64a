import ArgumentParser
import TestSupport
import Testing

@testable import stol

/// Command lines that are read without the parser, against the parser.
struct PlainLineTests {
  private static let names = [
    "search", "complete", "show", "lineage", "children", "subtree", "lca", "distance", "compare",
    "relatives", "rank",
  ]
  /// What is asked, and what only looks like an option or a command.
  private static let words = [
    "lion", "Panthera leo", "9689", "", "help", "version", "query", "search", "--", "-", "-5", "—x",
    "names.txt", "é", "\"a b\"", "limit", "a=b", "@file",
  ]
  private static let options = [
    "--pack", "--data-dir", "--limit", "--rank", "--ranks", "--lang", "--within", "--status",
    "--conservation", "--trait", "--input", "--threads", "--mode", "--max-distance", "-l", "-i",
    "--from", "--separator", "--majority", "--labels", "--unknown",
  ]
  private static let values = [
    "3", "0", "-1", "+4", "03", "x", "", "genus", "order,family", "en", "lion", "--json", "-", "--",
    "99999999999999999999", "3.0", "auto", "0.8", "é",
  ]
  private static let flags = [
    "--json", "--jsonl", "--tsv", "--csv", "--table", "--no-header", "--no-color", "--quiet",
    "--verbose", "-q", "-v", "-qv", "--skip-unknown", "--weights", "--newick", "--help", "-h",
    "--version", "--json=1", "--limit=3", "--lim", "--no-quiet", "---json",
  ]

  private static func line(_ generator: inout SeededGenerator) -> [String] {
    func one(_ texts: [String], ofFirst count: Int? = nil) -> String {
      // The first ones are the plain ones.
      let isPlain = Int.random(in: 0..<4, using: &generator) > 0
      let end = isPlain ? count ?? texts.count : texts.count
      return texts[Int.random(in: 0..<end, using: &generator)]
    }
    var line = ["query", one(names)]
    if Int.random(in: 0..<20, using: &generator) == 0 { line.removeFirst() }
    for _ in 0..<Int.random(in: 0...5, using: &generator) {
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: line.append(one(words, ofFirst: 4))
      case 1: line += [one(options, ofFirst: 9), one(values, ofFirst: 12)]
      default: line.append(one(flags, ofFirst: 9))
      }
    }
    if Int.random(in: 0..<20, using: &generator) == 0 { line.removeLast() }
    return line
  }

  @Test func aPlainLineIsReadAsTheParserReadsIt() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var generator = SeededGenerator(seed: seed)
    var plainCounts: [String: Int] = [:]
    for _ in 0..<4_000 {
      let line = Self.line(&generator)
      guard let plain = PlainLine.query(line[...]) else { continue }
      plainCounts[line[1], default: 0] += 1
      let parsed = try Stol.parseAsRoot(line)
      let (got, expected) = (Self.contents(plain), Self.contents(parsed))
      #expect(got == expected, "\(line), seed \(seed)")
      if got != expected { return }
    }
    for name in Self.names where name != "subtree" && name != "compare" {
      #expect(plainCounts[name, default: 0] > 30, "\(name), seed \(seed)")
    }
  }

  /// A command with all that it holds, in words.
  private static func contents(_ command: Any) -> String {
    var text = ""
    dump(command, to: &text)
    return text
  }

  @Test(arguments: [
    ["search", "lion"], ["search", "Panthera", "leo", "--limit", "3", "--json"],
    ["complete", "pan", "--pack", "x.stolpack"], ["show", "9689", "--tsv", "--no-header"],
    ["lca", "lion", "tiger", "--quiet"], ["lineage", "lion", "--ranks", "order,family"],
  ])
  func commonLinesArePlain(_ line: [String]) {
    #expect(PlainLine.query(["query"] + line) != nil)
  }

  @Test(arguments: [
    [], ["query"], ["search", "lion"], ["query", "search", "-"], ["query", "search", "--help"],
    ["query", "search", "lion", "--limit", "x"], ["query", "search", "lion", "--limit"],
    ["query", "search", "lion", "--json", "--json"], ["query", "search", "--", "lion"],
    ["query", "search", "lion", "--json", "--tsv"], ["query", "lca", "a", "b", "--limit", "3"],
  ])
  func allElseIsLeftToTheParser(_ line: [String]) {
    #expect(PlainLine.query(line[...]) == nil)
  }
}

import Foundation
import STOLData
import STOLPack
import Testing

/// What people type, and what they expect, in the built-in taxonomy.
struct WordsTests {
  /// A text that somebody types, and the scientific names of the taxa that answer it.
  private struct Wish {
    let text: String
    let language: String
    let expected: Set<String>
  }

  /// The rows of a table beside this file, without its first line.
  private static func rows(_ name: String) throws -> [[String]] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let text = try String(contentsOf: folder.appending(path: "Words/\(name)"), encoding: .utf8)
    return text.split(separator: "\n").dropFirst().map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }

  private static func names(_ cell: String) -> Set<String> {
    Set(cell.split(separator: "|").map(String.init))
  }

  /// The scientific names of the first hits.
  private static func firstNames(
    _ query: SearchQuery, _ session: inout SearchSession, _ view: borrowing PackView
  ) -> [String] {
    session.search(query, in: view)
    var names: [String] = []
    for hit in session.hits { names.append(view.names.scientificName(of: hit.taxon)) }
    return names
  }

  @Test func whatIsExpectedComesFirst() throws {
    let pack = try BundledDatabase.open()
    let view = pack.view
    var session = SearchSession()
    let wishes = try Self.rows("words.tsv").map {
      Wish(text: $0[0], language: $0[1], expected: Self.names($0[2]))
    }
    #expect(wishes.count >= 300)
    #expect(Set(wishes.map(\.language)).count >= 10)
    var late: [String] = []
    var missing: [String] = []
    for wish in wishes {
      let found = Self.firstNames(SearchQuery(wish.text, limit: 5), &session, view)
      guard let place = found.firstIndex(where: { wish.expected.contains($0) }) else {
        missing.append("\(wish.text) (\(wish.language)): \(found)")
        continue
      }
      if place > 0 { late.append("\(wish.text) (\(wish.language)): \(found[0])") }
    }
    let first = wishes.count - late.count - missing.count
    print("words: \(first) of \(wishes.count) first, \(missing.count) not within five")
    let (lateOnes, missingOnes) = (late, missing)
    #expect(first * 100 >= wishes.count * 96, "\(lateOnes) \(missingOnes)")
    #expect((wishes.count - missing.count) * 100 >= wishes.count * 99, "\(missingOnes)")
  }

  /// How many letters have to be typed until a taxon is among the first three.
  @Test func fewLettersAreEnough() throws {
    let pack = try BundledDatabase.open()
    let view = pack.view
    var session = SearchSession()
    var counts: [Int] = []
    var never: [String] = []
    for row in try Self.rows("words500.tsv") {
      let (name, expected) = (row[0], Self.names(row[1]))
      let count = (1...name.count).first { count in
        let query = SearchQuery(String(name.prefix(count)), words: .asTyped, limit: 3)
        return Self.firstNames(query, &session, view).contains { expected.contains($0) }
      }
      if count == nil { never.append(name) }
      counts.append(count ?? 99)
    }
    counts.sort()
    let (median, ninth) = (counts[counts.count / 2], counts[counts.count * 9 / 10])
    print("letters: median \(median), 90 of 100 within \(ninth), \(never.count) never")
    #expect(counts.count >= 500)
    #expect(median <= 3)
    #expect(ninth <= 5)
    let hidden = never
    #expect(hidden.count <= 5, "\(hidden)")
  }
}

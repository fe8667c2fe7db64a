import Foundation
import GRDB
import STOLPack
import TestSupport

/// All names of a database, as written and folded.
///
/// Every name is looked at for every query: `RealSearch`.
struct RealNames: Sendable {
  struct Taxon: Sendable {
    var id: Int64
    var rank: Int
    var status: Int
    /// How well known it is, and what that is made of.
    var prominence = 0
    var languages: [String] = []
    var traitCount = 0
    var isListed = false
    /// Its place by the bytes of scientific names, then ids.
    var place: Int
  }

  struct Name: Sendable {
    var taxon: Int
    var text: String
    /// 0 scientific, 1 common, 2 synonym.
    var kind: Int
    var isPreferred: Bool
    /// That of a common name.
    var language: String?
    /// Folded.
    var whole: [UInt32]
    var wordCount: Int
  }

  /// Different folded words.
  struct Word: Sendable {
    var text: [UInt32]
    var letters: UInt64
  }

  private(set) var taxa: [Taxon] = []
  /// Those of a taxon in the order of their rows, the scientific one first.
  private(set) var names: [Name] = []
  private(set) var words: [Word] = []
  /// The length of each folded name.
  private(set) var counts: [Int] = []
  /// One bit for every letter of each folded name, several letters sharing one.
  private(set) var letters: [UInt64] = []
  /// The rows in `words` of the words of all names, one name after the other.
  private(set) var rows: [Int32] = []
  private var rowEnds: [Int] = []
  private var wordRows: [[UInt32]: Int32] = [:]
  /// The words by what English forms of a word have in common, with a comma at their end and without it.
  private var rowsByStem: [String: [Int]] = [:]

  init(_ path: String) throws {
    var configuration = Configuration()
    configuration.readonly = true
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    var parents: [Int64?] = []
    var index: [Int64: Int] = [:]
    try queue.read { database in
      let rows = try Row.fetchCursor(
        database,
        sql: """
          SELECT id, parent_id, rank, status, scientific_name, conservation FROM taxa WHERE status <> 'synonym'
          ORDER BY CAST(scientific_name AS BLOB), id
          """)
      while let row = try rows.next() {
        let text: String = row[4]
        index[row[0]] = taxa.count
        addName(text, taxon: taxa.count, kind: 0, isPreferred: false)
        taxa.append(
          Taxon(
            id: row[0], rank: MainRank(rank: TaxonRank(rawValue: row[2]))?.rawValue ?? -1,
            status: row[3] == "accepted" ? 0 : 1, isListed: !(row[5] as String? ?? "").isEmpty,
            place: taxa.count))
        parents.append(row[1])
      }
      let further = try Row.fetchCursor(
        database,
        sql: "SELECT taxon_id, name, name_type, is_preferred, lang FROM names ORDER BY id")
      while let row = try further.next() {
        guard let taxon = index[row[0]] else { continue }
        let type: String = row[2]
        let language: String? = type == "synonym" ? nil : row[4]
        addName(
          row[1], taxon: taxon, kind: type == "synonym" ? 2 : 1, isPreferred: row[3],
          language: language)
        if let language { taxa[taxon].languages.append(language) }
      }
      let traits = try Row.fetchCursor(
        database, sql: "SELECT DISTINCT taxon_id, trait_key, trait_value, unit FROM traits")
      while let row = try traits.next() {
        if let taxon = index[row[0]] { taxa[taxon].traitCount += 1 }
      }
    }
    let weights = taxa.map { taxon in
      let languages = Set(taxon.languages).count
      return 1 + (languages > 0 ? 16 + 2 * taxon.languages.count + 8 * languages : 0)
        + 4 * taxon.traitCount + (taxon.isListed ? 8 : 0)
    }
    var sums = weights.map { _ in 0 }
    for taxon in taxa.indices {
      var ancestor: Int? = taxon
      while let current = ancestor {
        sums[current] += weights[taxon]
        ancestor = parents[current].flatMap { index[$0] }
      }
    }
    for taxon in taxa.indices {
      let own = max(Self.logarithm(weights[taxon]), Self.logarithm(sums[taxon]) / 2)
      taxa[taxon].prominence = min(63, own)
    }
  }

  /// Four times the logarithm to the base of two, linear between powers of two, rounded down.
  private static func logarithm(_ weight: Int) -> Int {
    var (power, exponent) = (1, 0)
    while power * 2 <= weight { (power, exponent) = (power * 2, exponent + 1) }
    return 4 * exponent + 4 * (weight - power) / power
  }

  private mutating func addName(
    _ text: String, taxon: Int, kind: Int, isPreferred: Bool, language: String? = nil
  ) {
    let whole = Folder.fold(text).unicodeScalars.map(\.value)
    let start = rows.count
    for word in whole.split(separator: 32).map({ Array($0) }) {
      let row = wordRows[word] ?? Int32(words.count)
      rows.append(row)
      guard row == words.count else { continue }
      wordRows[word] = row
      addStems(of: word)
      words.append(Word(text: word, letters: Self.letters(word)))
    }
    rowEnds.append(rows.count)
    counts.append(whole.count)
    letters.append(Self.letters(whole))
    names.append(
      Name(
        taxon: taxon, text: text, kind: kind, isPreferred: isPreferred, language: language,
        whole: whole,
        wordCount: rows.count - start))
  }

  /// The words of a name.
  func wordTexts(of name: Int) -> [[UInt32]] {
    rows[rowRange(of: name)].map { words[Int($0)].text }
  }

  /// Where the words of a name lie in `rows`.
  func rowRange(of name: Int) -> Range<Int> { (name > 0 ? rowEnds[name - 1] : 0)..<rowEnds[name] }

  /// The row of a word.
  func row(of word: [UInt32]) -> Int? { wordRows[word].map { Int($0) } }

  /// The rows of all words that may be English forms of a word, and of others.
  func rowsWithStem(of word: [UInt32]) -> [Int] {
    rowsByStem[FormsOracle.stem(FormsOracle.text(word), "en")] ?? []
  }

  /// Notes the stems of the word that is added next.
  private mutating func addStems(of word: [UInt32]) {
    let text = FormsOracle.text(word)
    rowsByStem[FormsOracle.stem(text, "en"), default: []].append(words.count)
    guard text.hasSuffix(",") else { return }
    rowsByStem[FormsOracle.stem(String(text.dropLast()), "en"), default: []].append(words.count)
  }

  /// One bit for each letter that is there.
  static func letters(_ text: [UInt32]) -> UInt64 {
    text.reduce(0) { $0 | 1 << UInt64($1 & 63) }
  }
}

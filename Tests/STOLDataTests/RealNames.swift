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
    var hasCommonName = false
    var subtreeCount = 0
    /// Its place by the bytes of scientific names, then ids.
    var place: Int
  }

  struct Name: Sendable {
    var taxon: Int
    var text: String
    /// 0 scientific, 1 common, 2 synonym.
    var kind: Int
    var isPreferred: Bool
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
          SELECT id, parent_id, rank, status, scientific_name FROM taxa WHERE status <> 'synonym'
          ORDER BY CAST(scientific_name AS BLOB), id
          """)
      while let row = try rows.next() {
        let text: String = row[4]
        index[row[0]] = taxa.count
        addName(text, taxon: taxa.count, kind: 0, isPreferred: false)
        taxa.append(
          Taxon(
            id: row[0], rank: MainRank(rank: TaxonRank(rawValue: row[2]))?.rawValue ?? -1,
            status: row[3] == "accepted" ? 0 : 1, place: taxa.count))
        parents.append(row[1])
      }
      let further = try Row.fetchCursor(
        database, sql: "SELECT taxon_id, name, name_type, is_preferred FROM names ORDER BY id")
      while let row = try further.next() {
        guard let taxon = index[row[0]] else { continue }
        let type: String = row[2]
        addName(row[1], taxon: taxon, kind: type == "synonym" ? 2 : 1, isPreferred: row[3])
        if type != "synonym" { taxa[taxon].hasCommonName = true }
      }
    }
    for taxon in taxa.indices {
      var ancestor: Int? = taxon
      while let current = ancestor {
        taxa[current].subtreeCount += 1
        ancestor = parents[current].flatMap { index[$0] }
      }
    }
    wordRows = [:]
  }

  private mutating func addName(_ text: String, taxon: Int, kind: Int, isPreferred: Bool) {
    let whole = Folder.fold(text).unicodeScalars.map(\.value)
    let start = rows.count
    for word in whole.split(separator: 32).map({ Array($0) }) {
      let row = wordRows[word] ?? Int32(words.count)
      rows.append(row)
      guard row == words.count else { continue }
      wordRows[word] = row
      words.append(Word(text: word, letters: Self.letters(word)))
    }
    rowEnds.append(rows.count)
    counts.append(whole.count)
    letters.append(Self.letters(whole))
    names.append(
      Name(
        taxon: taxon, text: text, kind: kind, isPreferred: isPreferred, whole: whole,
        wordCount: rows.count - start))
  }

  /// Where the words of a name lie in `rows`.
  func rowRange(of name: Int) -> Range<Int> { (name > 0 ? rowEnds[name - 1] : 0)..<rowEnds[name] }

  /// One bit for each letter that is there.
  static func letters(_ text: [UInt32]) -> UInt64 {
    text.reduce(0) { $0 | 1 << UInt64($1 & 63) }
  }
}

import STOLIngest
import Testing
import STOLFormats

struct ColumnMapTests {
  @Test(arguments: [
    "taxonID", "dwc:taxonID", "http://rs.tdwg.org/dwc/terms/taxonID", "Taxon_ID", " taxonid ",
    "\u{FEFF}taxonID", "col:taxonID",
  ])
  func findsAColumnUnderEachOfItsNames(name: String) throws {
    let map = ColumnMap(["x", name])
    #expect(map.index("taxonID") == 1)
    #expect(map.index("id", "taxon_id") == 1)
    #expect(try map.requiredIndex("taxonID", file: "t") == 1)
  }

  @Test func theFirstOfTwoColumnsCounts() {
    let map = ColumnMap(["", "name", "col:name"])
    #expect(map.index("name") == 1)
    #expect(map.index("") == nil)
    #expect(throws: FormatError.missingColumn(file: "t", column: "rank")) {
      try map.requiredIndex("rank", file: "t")
    }
  }

  @Test(arguments: [
    ("a.csv", "ID,name;x,rank", 0x2C), ("a.csv", "ID;name;rank", 0x3B), ("a.txt", "ID|name", 0x7C),
    ("a.tsv", "ID", 0x09), ("a.csv", "ID", 0x2C), ("a.txt", "ID\tname, or not", 0x09),
  ])
  func guessesTheDelimiter(name: String, header: String, delimiter: UInt8) {
    let layout = TableLayout.guess(fileName: name, head: Array((header + "\nx").utf8))
    #expect(layout.delimiter == [delimiter])
    #expect((layout.quote == nil) == (delimiter == 0x09))
  }

  @Test(arguments: [
    ("id\tname\n1\t\"(L., 1758)\"\n", true), ("id\tname\n1\tx\n2\t\"Aus\"\tx\n", true),
    ("id\tname\n1\t\"a\tb\"", true), ("id\t\"name\"\n1\tx\n", true),
    // A quote that begins a field and does not end it is a letter, and so are all others then.
    ("id\tname\n1\t\"Aus\" bus\n2\t\"x\"\n", false), ("id\tname\n1\t\"x\n2\ty\"\n", false),
    ("id\tname\n1\t\"\n", false), ("id\tname\n1\tx\"y\"\n", false),
  ])
  func quotesOfRowsAreSeenWhereTheHeaderHasNone(text: String, isQuoted: Bool) {
    let layout = TableLayout.guess(fileName: "t.tsv", head: Array(text.utf8))
    #expect((layout.quote != nil) == isQuoted && layout.quotesWholeFields == isQuoted)
  }

  @Test func guessesDumps() {
    let layout = TableLayout.guess(fileName: "t.tsv", head: Array("uid\t|\tname\t|\t\n".utf8))
    #expect(layout.delimiter == TableLayout.dump.delimiter)
    #expect(layout.rowSuffix == TableLayout.dump.rowSuffix)
  }
}

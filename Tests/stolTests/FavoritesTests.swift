import Foundation
import GRDB
import TestSupport
import Testing
import STOLSystem

@Suite("stol favorites")
struct FavoritesTests {
  @Test func addsRemovesAndToggles() throws {
    let home = try CommandHome("favorites")
    try home.expectLines(["0"], "count")
    try home.expectLines(["added\t8", "added\t9"], "add", "Panthera leo", "9")
    try home.expectLines(["unchanged\t8"], "add", "900")
    try home.expectLines(["removed\t9", "added\t15"], "toggle", "tiger", "Gray wolf")
    try home.expectLines(["2"], "count")
    try home.expectLines(["removed\t8", "unchanged\t12"], "remove", "lion", "12")
    try home.expectLines([], "add", "-q", "lion")
    try home.expectLines(["2"], "count")
    try home.expectLines(["2"], "count", "--data-dir", home.folder("home"))
    try home.expectLines(["0"], "count", "--data-dir", home.folder("other"))
  }

  @Test func unknownAndAmbiguousTaxaChangeNothing() throws {
    let home = try CommandHome("favorites")
    let outcome = try home("add", "8", "Panthera leu")
    expectError(outcome, status: 1, saying: "Panthera leu", "did you mean")
    let ambiguous = try home("add", "Prunella")
    expect(ambiguous, status: 1)
    #expect(ambiguous.errorText.contains("--within"))
    expectError(try home("add"), status: 2, saying: "no taxon", "stol favorites --help")
    expectError(try home("add", "901"), status: 1, saying: "deleted")
    expectError(try home("toggle", "4711"), status: 1, saying: "4711")
    try home.expectLines(["0"], "count")
    try home.expectLines(["added\t31"], "add", "Prunella", "--within", "Plantae")
    try home.expectLines(["added\t33"], "add", "Prunella", "--rank", "family")
  }

  @Test func idsThatTheDatabaseDoesNotKnowCanBeRemoved() throws {
    let home = try CommandHome("favorites")
    try home.expectLines(["0"], "count")
    try home.insert([4711, 4712, 901, 900].map { ($0, "2026-01-01T00:00:00.000Z") })
    try home.expectLines(["4"], "count")
    try home.expectLines(["removed\t4711", "removed\t901"], "remove", "4711", "901")
    try home.expectLines(["removed\t4712"], "toggle", "4712")
    // Nobody knows what 900 was, which here has become part of the lion.
    try home.expectLines(["unchanged\t8"], "remove", "lion")
    try home.expectLines(["removed\tunstated:900"], "remove", "unstated:900")
    try home.expectLines(["0"], "count")
  }

  @Test func readsALineAfterTheOther() throws {
    let home = try CommandHome("favorites")
    try home.expectLines(
      [
        "added\t8", "not_found\t\tno such", "unchanged\t8", "ambiguous\t\tPrunella",
        "invalid\t\t", "deleted\t\t901", "added\t9",
      ], "add", "-", input: "Panthera leo\nno such\n900\nPrunella\n\n901\r\ntiger")
    try home.expectLines(["not_found\t\tx"], "add", "-", input: "x\n", status: 1)
    try home.expectLines(["removed\t8", "added\t15"], "toggle", "-", input: "lion\nwolf\n")
    try home.expectLines(["removed\t9", "unchanged\t77"], "remove", "-", input: "9\n77\n")
  }

  @Test func acknowledgesBeforeItReadsOn() throws {
    let home = try CommandHome("favorites")
    let outcome = try home.command.shell(
      """
      mkfifo '\(home.folder("in"))'; stol favorites add - < '\(home.folder("in"))' &
      exec 3> '\(home.folder("in"))'; echo lion >&3; sleep 1; stol favorites count; echo 9 >&3
      exec 3>&-; wait
      """)
    expect(outcome, status: 0)
    #expect(outcome.lines == ["added\t8", "1", "added\t9"])
  }

  @Test func lists() throws {
    let home = try CommandHome("favorites")
    let header =
      "id\trank\tscientificName\tcommonName\tconservationStatus\toutcome\treference\taddedName\tothers"
    try home.expectLines([header], "list")
    try home.expectLines(["[]"], "list", "--json")
    try home.expectLines(
      ["added\t12", "added\t9", "added\t8"], "add", "-", input: "Felis catus\n9\n8\n")
    try home.insert([(4711, "2026-01-01T00:00:00.000Z")])
    let (cat, tiger, lion, missing) = (
      "12\tspecies\tFelis catus\tCat\t\tsame\tunstated:12\tFelis catus\t",
      "9\tspecies\tPanthera tigris\tTiger\tEN\tsame\tunstated:9\tPanthera tigris\t",
      "8\tspecies\tPanthera leo\tLion\tVU\tsame\tunstated:8\tPanthera leo\t",
      "\t\t\t\t\tabsent\tunstated:4711\t\t"
    )
    try home.expectLines([header, lion, tiger, cat, missing], "list")
    try home.expectLines(
      [cat, lion, tiger, missing], "list", "--sort", "scientific", "--no-header")
    try home.expectLines([header, cat, lion, tiger, missing], "list", "--sort", "common", "--tsv")
    let german = try home("list", "--lang", "de-AT", "--json", "--sort", "common")
    expect(german, status: 0)
    let rows = try #require(
      try JSONSerialization.jsonObject(with: german.output) as? [[String: Any]])
    #expect(rows.map { "\($0["id"] ?? "")" } == ["12", "8", "9", "<null>"])
    #expect(rows[1]["commonName"] as? String == "Löwe")
    #expect(rows[3]["id"] is NSNull && rows[3]["scientificName"] is NSNull)
    #expect(rows[3]["outcome"] as? String == "absent")
    #expect(rows[1]["addedName"] as? String == "Panthera leo")
    expectError(try home("list", "--sort", "size"), status: 2, saying: "sort")
  }

  @Test(.enabled(if: Terminal.isAvailable, "needs the command script"))
  func listsAlignedOnATerminal() throws {
    let home = try CommandHome("favorites")
    expect(try home("add", "lion", "101"), status: 0)
    try home.insert([(4711, "2000-01-01T00:00:00.000Z")])
    let outcome = try home.command.terminal("favorites", "list")
    expect(outcome, status: 0)
    #expect(outcome.text.contains("  8  species  Panthera leo"))
    #expect(outcome.text.contains("(unstated:4711: absent)"))
    #expect(!outcome.text.contains("\u{1B}[31m"))
  }

  @Test func exportsToAFileOrTheOutput() throws {
    let home = try CommandHome("favorites")
    expect(try home("add", "9", "lion", "Felidae"), status: 0)
    try home.insert([(4711, "2000-01-01T00:00:00.000Z")])
    let lines = [
      "My Favourite Species — Species: Tree of Life", "", "1. Felidae", "2. Panthera leo (Lion)",
      "3. Panthera tigris (Tiger)", "1 more not in the active database",
    ]
    try home.expectLines(lines, "export", "--sort", "scientific")
    try home.expectLines([], "export", "--sort", "scientific", "-o", home.folder("out.txt"))
    let text = try String(contentsOfFile: home.folder("out.txt"), encoding: .utf8)
    #expect(text == lines.joined(separator: "\n") + "\n")
    expectError(
      try home("export", "-o", home.folder("no/out.txt")), status: 6, saying: "no/out.txt")
    #expect(try home.folder.contents == ["home", "out.txt"])
  }

  @Test func whatIsNoReferenceIsNotImported() throws {
    let home = try CommandHome("favorites")
    for (line, words) in [
      (#"{"id":"","name":"Foo"}"#, "id is empty"), (#"{"id":"1","idSpace":"NCBI X"}"#, "'NCBI X'"),
      (#"{"name":"Foo"}"#, "needs the member id"), (#"{"id":"1","year":"x"}"#, "member year"),
      ("{", "no JSON"),
    ] {
      expectError(
        try home("import", "-", input: line + "\n"), status: 3, saying: "line 1", words)
    }
    try home.expectLines(["0"], "count")
  }

  @Test func clearsWhereThatIsConfirmed() throws {
    let home = try CommandHome("favorites")
    expect(try home("add", "9", "lion"), status: 0)
    expectError(try home("clear"), status: 2, saying: "all 2 favourites", "--yes")
    try home.expectLines(["2"], "count")
    try home.expectLines([], "clear", "--yes", "-q")
    try home.expectLines(["0"], "count")
  }

  @Test func aDamagedListIsKeptUntilAllIsCleared() throws {
    let home = try CommandHome("favorites")
    expect(try home("add", "9", "lion"), status: 0)
    try Data("garbage".utf8).write(to: URL(fileURLWithPath: home.file))
    let outcome = try home("count")
    expectError(outcome, status: 0, saying: "damaged", "favorites.damaged-1.sqlite")
    #expect(outcome.lines == ["0"])
    try home.expectLines(["added\t8"], "add", "lion")
    let aside = home.folder("home/Favorites/favorites.damaged-1.sqlite")
    #expect(FileManager.default.fileExists(atPath: aside))
    expectError(
      try home("clear"), status: 2, saying: "1 favourite and what is left of 1 damaged list")
    expect(try home("clear", "-y"), status: 0)
    #expect(!FileManager.default.fileExists(atPath: aside))
  }

  @Test func aNewerListIsRefused() throws {
    let home = try CommandHome("favorites")
    expect(try home("add", "lion"), status: 0)
    try home.execute("PRAGMA user_version = 4")
    expectError(
      try home("list"), status: 2, saying: "favorites.sqlite", "version 4", "update stol")
    try FileManager.default.removeItem(atPath: home.file)
    try FileManager.default.createDirectory(
      atPath: home.file, withIntermediateDirectories: true)
    expectError(try home("list"), status: 6, saying: "favorites.sqlite")
  }

  /// References leave and come back, also over another database.
  @Test func referencesAreTakenAlong() throws {
    let home = try CommandHome("favorites")
    expect(try home("add", "lion", "tiger", "Felis catus"), status: 0)
    let file = home.folder("favourites.jsonl")
    expect(try home("export", "--json", "-o", file), status: 0)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.split(separator: "\n").count == 3)
    #expect(text.contains("\"name\":\"Panthera leo\""))
    let other = try CommandHome("favorites")
    try other.expectLines(["added\t3", "unchanged\t0"], "import", file)
    try other.expectLines(["added\t0", "unchanged\t3"], "import", "-", input: text)
    try other.expectLines(["3"], "count")
    #expect(try other("list", "--no-header").output == home("list", "--no-header").output)
    let found = try home.command.run(
      Command.path, ["db", "resolve-references", "-", "--no-header"], input: Data(text.utf8))
    expect(found, status: 0)
    #expect(found.lines.allSatisfy { $0.contains("\tsame\t") } && found.lines.count == 3)
    expectError(
      try home("import", "-", input: "{\"name\":\"x\"}\n"), status: 3, saying: "line 1", "id")
    expectError(
      try home("import", "-", input: "lion\n"), status: 3, saying: "'lion' is no reference")
  }

  /// Without a home, or with one that depends on the current folder, nothing is trusted.
  @Test func aHomeThatOthersCanWriteToIsRefused() throws {
    let home = try CommandHome("favorites")
    var command = home.command
    for (name, value) in [("STOL_HOME", "relative"), ("HOME", "relative")] {
      command = home.command
      command.environment["STOL_HOME"] = nil
      command.environment["XDG_DATA_HOME"] = nil
      command.environment[name] = value
      let outcome = try command.run(Command.path, ["favorites", "count"], input: Data())
      expectError(outcome, status: 2, saying: name, "relative")
    }
    let open = home.folder("open")
    try FileManager.default.createDirectory(atPath: open, withIntermediateDirectories: true)
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: open)
    for words in [["favorites", "add", "lion"], ["db", "status"], ["db", "keys", "list"]] {
      expectError(
        try command.run(Command.path, words + ["--data-dir", open], input: Data()), status: 2,
        saying: open, "chmod go-w")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: open) == [])
  }
}

extension CommandHome {
  fileprivate func expectLines(
    _ lines: [String], _ arguments: String..., input: String = "", status: Int32 = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let outcome = try self(arguments, input: input)
    expect(outcome, status: status, sourceLocation: sourceLocation)
    #expect(outcome.lines == lines, sourceLocation: sourceLocation)
    #expect(outcome.errorText == "", sourceLocation: sourceLocation)
  }

  fileprivate var file: String { folder("home/Favorites/favorites.sqlite") }

  /// Adds rows as a database without an id space, which has no names for them, would have made them.
  fileprivate func insert(_ rows: [(id: Int, time: String)]) throws {
    try execute(
      rows.map { id, time in
        """
        INSERT INTO favorites VALUES (\(id), '\(time)');
        INSERT INTO favorite_references (taxon_id, id, created_at) VALUES (\(id), '\(id)', '\(time)');
        """
      }.joined())
  }

  fileprivate func execute(_ sql: String) throws {
    let queue = try DatabaseQueue(path: file)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
  }
}

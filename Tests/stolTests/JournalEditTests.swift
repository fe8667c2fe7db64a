import Foundation
import TestSupport
import Testing

@Suite("stol journal edit, relink, purge and demo")
struct JournalEditTests {
  private static let id = "0192f3a4-5b6c-7d8e-9fab-cdef01234567"

  private func home(_ arguments: String...) throws -> CommandHome {
    let home = try CommandHome("journal")
    expect(
      try home(["add", "Panthera leo", "--id", Self.id, "--when", "2026-03-15", "-q"] + arguments),
      status: 0)
    return home
  }

  @Test func whatPeopleChangeIsChangedAndTakenBack() throws {
    let home = try home("--count", "2")
    #expect(
      try home.fields(
        "edit", Self.id, "--count", "3", "--remarks", "Two of them young", "--at", "-1.5,36",
        "--accuracy", "8", "--when", "2026-03-15T10:00") == [["updated", Self.id, "2"]])
    let row = try #require(try home.fields("list", "--no-header").first)
    #expect(Array(row.dropFirst(7)) == ["-1.5", "36", "8", "present", "3", "good"])
    #expect(row[2] == "2026-03-15T10:00")
    #expect(try home.fields("search", "young", "--no-header").map(\.first) == [Self.id])
    #expect(try home.fields("edit", Self.id, "--count", "3") == [["same", Self.id, ""]])
    #expect(
      try home.fields("edit", Self.id, "--count", "", "--at", "", "--when", "")
        == [["updated", Self.id, "3"]])
    #expect(
      try home.fields("list", "--no-header").map { Array($0.dropFirst(7)) }
        == [["", "", "", "present", "", ""]])
    _ = try home.fields("undo")
    #expect(try home.fields("list", "--no-header") == [row])
    #expect(try home.fields("check") == [["ok"]])
  }

  /// A position of its own is taken away, and that of the visit stays, which is said.
  @Test func whereAVisitWasIsSaidWhereAnOccurrenceLosesItsPosition() throws {
    let home = try home("--at", "-1.5,36.25")
    #expect(try home.fields("edit", Self.id, "--at", "2,3") == [["updated", Self.id, "2"]])
    for word in ["updated", "same"] {
      let edited = try home("edit", Self.id, "--at", "")
      #expect(edited.text.hasPrefix(word))
      #expect(edited.errorText.contains("\(Self.id): is at -1.5,36.25 all the same"))
      #expect(try home.fields("list", "--no-header").map { $0[7] } == ["-1.5"])
    }
    let event = try #require(try home.fields("list", "--no-header").first)[1]
    expect(try home("edit", event, "--at", ""), status: 0)
    #expect(try home("edit", Self.id, "--at", "").errorText.isEmpty)
  }

  @Test func aRecordIsShownBesideOneThatIsNotThere() throws {
    let home = try home()
    let shown = try home("show", "0192f3a4-5b6c-7d8e-9fab-000000000000", Self.id)
    #expect(shown.status == 1 && shown.lines.first?.contains(Self.id) == true)
    #expect(shown.errorText.contains("0192f3a4-5b6c-7d8e-9fab-000000000000"))
  }

  @Test func recordsAreShownAsLinesOrAsOneArray() throws {
    let home = try home()
    let lines = try home("show", Self.id).lines
    #expect(lines.count > 1)
    let array = try home("show", Self.id, "--json").lines
    #expect(array.first == "[" && array.last == "]")
    let shown = array.dropFirst().dropLast()
    #expect(shown.map { $0.trimmingCharacters(in: [" ", ","]) } == lines)
    #expect(shown.dropLast().allSatisfy { $0.hasSuffix(",") })
    #expect(shown.last?.hasSuffix(",") == false)
    let none = try home("show", "0192f3a4-5b6c-7d8e-9fab-000000000000", "--json")
    #expect(none.lines == ["[", "]"] && none.status == 1)
  }

  @Test func anotherNameIsAnotherIdentification() throws {
    let home = try home()
    let edited = try home("edit", Self.id, "--name", "Panthera tigris")
    #expect(edited.lines == ["updated\t\(Self.id)\t2"])
    #expect(edited.errorText == "stol: read as Panthera tigris\n")
    #expect(
      try home.fields("edit", Self.id, "--name", "Panthera tigris") == [["same", Self.id, ""]])
    #expect(try home.fields("list", "--no-header").map { $0[4] } == ["Panthera tigris"])
    let shown = try home("show", Self.id).lines.filter { $0.contains("\"identification\"") }
    #expect(shown.count == 2)
    // Who loses the taxon is told so.
    let lost = try home("edit", Self.id, "--name", "Panthera leoo")
    expect(lost, status: 0)
    #expect(
      lost.errorText.contains("no taxon for it yet")
        && lost.errorText.contains("is it Panthera leo"))
    _ = try home.fields("undo")
    _ = try home.fields("undo")
    #expect(try home.fields("list", "--no-header").map { $0[3] } == ["Panthera leo"])
  }

  @Test(arguments: [
    (["edit", Self.id], "nothing to change"), (["edit", Self.id, "--height", "3"], "--height"),
    (["edit", Self.id, "--count", "x"], "--count"),
    (["edit", Self.id, "--count=-1"], "count"), (["edit", Self.id, "--count", "-1"], "count"),
    (["edit", Self.id, "--name", ""], "verbatim_name"),
    (["edit", Self.id, "--at", "1"], "latitude,longitude"),
    (["edit", Self.id, "--when", "x"], "--when"),
    (["edit", Self.id, "--accuracy", "4"], "how exact --at is"),
    (["edit", "x", "--count", "1"], "UUID"),
    (["demo"], "--data-dir"),
  ])
  func whatCannotBeIsRefusedInALine(arguments: [String], word: String) throws {
    let home = try home()
    let before = try home("export", "--exact").text
    expectError(try home(arguments), status: 2, saying: word)
    #expect(try home("export", "--exact").text == before)
  }

  @Test func optionsThatSayNothingOfARecordAreRefused() throws {
    let home = try home("--note", "Two cubs")
    let lines = try home("export", "--exact").lines
    func ids(_ kind: String) -> [String] {
      lines.filter { $0.contains("\"recordKind\":\"\(kind)\"") }.compactMap {
        $0.components(separatedBy: "\"id\":\"").dropFirst().first.map { String($0.prefix(36)) }
      }
    }
    let event = try #require(ids("event").first)
    expectError(try home("edit", event, "--count", "1"), status: 2, saying: "--count", "event")
    #expect(try home.fields("edit", event, "--remarks", "dry") == [["updated", event, "2"]])
    let note = try #require(ids("note").first)
    expectError(try home("edit", note, "--name", "a"), status: 2, saying: "--name", "note")
    #expect(try home.fields("edit", note, "--remarks", "Three cubs") == [["updated", note, "3"]])
    let other = "0192f3a4-5b6c-7d8e-9fab-cdef01234568"
    expectError(try home("edit", other, "--count", "1"), status: 1, saying: other)
  }

  @Test func whatIsTheSameNeedsNoLink() throws {
    let home = try home()
    #expect(try home.fields("relink", "--no-header") == [])
    let applied = try home("relink", "--apply", "--no-header")
    expect(applied, status: 0)
    #expect(applied.text == "" && applied.errorText == "stol: identifications added: 0\n")
  }

  @Test func aReferenceIsFollowedIntoAnotherDatabase() throws {
    let home = try home()
    // The same taxon under another id and in another id space.
    let other = home.folder("other.sqlite")
    try SmallTaxonomy.write(
      SmallTaxonomy.sql + """
        UPDATE taxa SET id = 88 WHERE id = 8; UPDATE taxa SET parent_id = 88 WHERE parent_id = 8;
        UPDATE names SET taxon_id = 88 WHERE taxon_id = 8;
        UPDATE merged_taxa SET into_id = 88; UPDATE refs SET taxon_id = 88;
        UPDATE traits SET taxon_id = 88 WHERE taxon_id = 8;
        INSERT INTO dataset VALUES ('id_space', 'other');
        """, to: other)
    expect(try home.command("pack", other, "-q"), status: 0)
    let pack = home.folder("other.stolpack")
    let dry = try home("relink", "--no-header", "--pack", pack)
    expect(dry, status: 0)
    let row = dry.lines.map { $0.components(separatedBy: "\t") }
    #expect(
      row.map { Array($0.prefix(6)) } == [
        ["unstated:8", "Panthera leo", "by name", "1", "other:88", "Panthera leo"]
      ])
    #expect(dry.errorText.contains("--apply"))
    #expect(try home.fields("history", "--no-header").count == 1)
    expect(try home("relink", "--apply", "--pack", pack, "-q"), status: 0)
    #expect(try home.fields("list", "--no-header").map { $0[5] } == ["other:88"])
    #expect(try home.fields("history", "--no-header").first?[2] == "relink")
    _ = try home.fields("undo")
    #expect(try home.fields("list", "--no-header").map { $0[5] } == ["unstated:8"])
    #expect(try home.fields("check") == [["ok"]])
  }

  @Test func aTaxonThatWasSplitIsShownWithItsSightings() throws {
    let home = try home()
    // The lion is two species in another database.
    let other = home.folder("other.sqlite")
    try SmallTaxonomy.write(
      SmallTaxonomy.sql + """
        UPDATE taxa SET scientific_name = 'Panthera africana' WHERE id = 8;
        INSERT INTO taxa (id, parent_id, rank, scientific_name)
          SELECT 88, parent_id, rank, 'Panthera asiatica' FROM taxa WHERE id = 8;
        INSERT INTO names (id, taxon_id, name, lang, name_type, is_preferred) VALUES
          (901, 8, 'Panthera leo', 'la', 'synonym', 0), (902, 88, 'Panthera leo', 'la', 'synonym', 0);
        INSERT INTO dataset VALUES ('id_space', 'other');
        """, to: other)
    expect(try home.command("pack", other, "-q"), status: 0)
    let pack = home.folder("other.stolpack")
    let life = try home("life", "--no-header", "--pack", pack)
    expect(life, status: 0)
    #expect(life.errorText.contains("life --unclear"))
    let row = try #require(life.lines.first).components(separatedBy: "\t")
    #expect(row.prefix(5) == ["", "Panthera leo", "ambiguous", "unstated:8", "1"])
    let both = Set((row.last ?? "").components(separatedBy: ";"))
    #expect(both == ["Panthera africana (other:8)", "Panthera asiatica (other:88)"])
    let unclear = try home.fields("life", "--unclear", "--no-header", "--pack", pack)
    #expect(unclear.map { $0.prefix(2) } == [[Self.id, "2026-03-15"]])
    #expect(unclear.first?[7] == "ambiguous" && unclear.first?.last == row.last)
    expect(try home("life", "--unclear", "--no-header"), status: 1)
    let decide = ["relink", "decide", "unstated:8", "Panthera asiatica", "--pack", pack]
    #expect(try home(decide + ["--dry-run"]).lines == ["1\tother:88"])
    expect(try home(decide + ["--year", "1999"]), status: 1)
    #expect(try home(decide).lines == ["1\tother:88"])
    expect(try home("life", "--unclear", "--no-header", "--pack", pack), status: 1)
    expectError(try home(decide), status: 1, saying: "stol journal relink")
    expectError(try home(decide + ["--within", "Panthera"]), status: 2, saying: "--within")
    _ = try home("undo")
    expect(try home("edit", Self.id, "--name", "Panthera asiatica", "--pack", pack), status: 0)
    expect(try home("life", "--unclear", "--no-header", "--pack", pack), status: 1)
    expectError(try home("life", "--unclear", "--by", "year"), status: 2, saying: "--unclear")
  }

  @Test func aPurgeIsListedAskedForAndFinal() throws {
    let home = try home()
    _ = try home.fields("delete", Self.id)
    let gone = [["records", "3"], ["batches", "2"], ["files", "0"]]
    #expect(try home.fields("purge", "--dry-run") == gone)
    // By a database that knows no threats what was threatened is not kept from others any more.
    let other = home.folder("other.sqlite")
    try SmallTaxonomy.write(SmallTaxonomy.sql + "UPDATE taxa SET conservation = NULL;", to: other)
    expect(try home.command("pack", other, "-q"), status: 0)
    let plan = try home("purge", "--dry-run", "--pack", home.folder("other.stolpack"))
    #expect(plan.lines.map { $0.components(separatedBy: "\t") } == gone)
    #expect(plan.errorText.contains("says of no taxon that it is threatened"))
    expectError(try home("purge"), status: 2, saying: "--yes")
    #expect(try home.fields("history", "--no-header").count == 2)
    let purged = try home("purge", "--yes", "-q")
    #expect(purged.lines.map { $0.components(separatedBy: "\t") } == gone && purged.errorText == "")
    expectError(try home("undo"), status: 1, saying: "nothing to undo")
    expectError(try home("show", Self.id), status: 1, saying: Self.id)
    #expect(try home.fields("check") == [["ok"]])
  }

  @Test func aMadeUpJournalIsAddedButOnce() throws {
    let home = try CommandHome("journal")
    let rehearsed = try home.fields("demo", "--dry-run")
    let count = try #require(rehearsed.first?.last.flatMap { Int($0) })
    #expect(count > 50)
    #expect(rehearsed == [["new", "\(count)"], ["same", "0"], ["updated", "0"]])
    #expect(try home("export", "--exact").text == "")
    #expect(try home.fields("demo") == rehearsed)
    #expect(try home.fields("demo") == [["new", "0"], ["same", "\(count)"], ["updated", "0"]])
    #expect(try home.fields("check").last == ["ok"])
    _ = try home("add", "lion")
    expectError(try home("demo"), status: 2, saying: "--data-dir")
  }
}

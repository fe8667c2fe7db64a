import Foundation
import TestSupport
import Testing

@Suite("stol journal photo")
struct JournalPhotoTests {
  private static let id = "0192f3a4-5b6c-7d8e-9fab-cdef01234567"
  /// 4 x 3 pixels, on a side, 2026-03-15 09:44:30 +02:00 at 43.5 N 11.25 W within 3.1 m.
  private static let oak =
    "/9j/4QDtRXhpZgAATU0AKgAAAAgAAwESAAMAAAABAAYAAIdpAAQAAAABAAAAMoglAAQAAAABAAAAawAAAAAAApADAAIAAAAU"
    + "AAAAUJARAAIAAAAHAAAAZAAAAAAyMDI2OjAzOjE1IDA5OjQ0OjMwACswMjowMAAABQABAAIAAAACTgAAAAACAAUAAAADAAAA"
    + "rQADAAIAAAACVwAAAAAEAAUAAAADAAAAxQAfAAUAAAABAAAA3QAAAAAAAAArAAAAAQAAAB4AAAABAAAAAAAAAAEAAAALAAAA"
    + "AQAAAA8AAAABAAAAAAAAAAEAAAAfAAAACv/AAAsIAAMABAEBEQD/2gAIAQEAAD8AAQIABP/Z"
  /// Another one of the same moment, without a place.
  private static let bark =
    "/9j/4QBnRXhpZgAATU0AKgAAAAgAAgESAAMAAAABAAYAAIdpAAQAAAABAAAAJgAAAAAAApADAAIAAAAUAAAARJARAAIAAAAH"
    + "AAAAWAAAAAAyMDI2OjAzOjE1IDA5OjQ0OjMwACswMjowMAD/wAALCAADAAQBAREA/9oACAEBAAA/AAECBwT/2Q=="
  private static let walk = """
    <gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
    <trkpt lat="50.0" lon="8.0"><time>2026-03-15T07:43:30Z</time></trkpt>
    <trkpt lat="50.001" lon="8.001"><time>2026-03-15T07:45:30Z</time></trkpt>
    </trkseg></trk></gpx>
    """

  private let home: CommandHome
  private let oak: String
  private let bark: String

  init() throws {
    home = try CommandHome("journal")
    (oak, bark) = (home.folder("oak.jpg"), home.folder("bark.jpg"))
    for (text, path) in [(Self.oak, oak), (Self.bark, bark)] {
      try #require(Data(base64Encoded: text)).write(to: URL(fileURLWithPath: path))
    }
  }

  private func addLion(_ more: String...) throws -> Command.Outcome {
    try home(["add", "Panthera leo", "--id", Self.id] + more)
  }

  @Test func aPhotoSaysWhereAndWhenUnlessSomebodyDoes() throws {
    let rehearsed = try addLion("--photo", bark, "--photo", oak, "--dry-run")
    expect(rehearsed, status: 0)
    #expect(rehearsed.lines == ["new\t\(Self.id)\tunstated:8"])
    #expect(
      rehearsed.errorLines[0]
        == "stol: \(bark) says it was on 2026-03-15T09:44:30, 120 minutes ahead of UTC")
    #expect(rehearsed.errorLines[1] == "stol: \(oak) says it was at 43.5,-11.25, within 4 m")
    try home.expectEmpty("list", "--no-header")
    for word in ["new", "same"] {
      #expect(try addLion("--photo", bark, "--photo", oak).lines[0].hasPrefix(word))
    }
    let row = try home.fields("list", "--no-header")[0]
    #expect(row[2] == "2026-03-15T09:44:30" && Array(row[7...9]) == ["43.5", "-11.25", "4"])
    #expect(try home.fields("photo", "list", Self.id, "--no-header").count == 2)
    // What the command line says wins.
    let other = try addLion(
      "--photo", oak, "--at", "1,2", "--when", "2025-01-01", "--utc-offset", "60")
    #expect(!other.errorText.contains("says"))
    let changed = try home.fields("list", "--no-header")[0]
    #expect(changed[2] == "2025-01-01" && Array(changed[7...9]) == ["1", "2", ""])
    expectError(
      try home("add", "-", "--photo", oak), status: 2, saying: "--photo is for one")
    expectError(
      try addLion("--photo", home.folder("missing.jpg")), status: 6, saying: "missing.jpg")
  }

  @Test func photosAreAddedListedShownWrittenAndTakenAway() throws {
    expect(try addLion("--when", "2026-03-15"), status: 0)
    let text = home.folder("renamed.jpg")
    try Data("name\n".utf8).write(to: URL(fileURLWithPath: text))
    let added = try home("photo", "add", Self.id, oak, text, bark, "--caption", "At the gate")
    expect(added, status: 2)
    let fields = added.lines.map { $0.components(separatedBy: "\t") }
    #expect(fields.map { $0[0] } == ["new", "invalid", "new"])
    #expect(Array(fields[0][2...6]) == ["2026-03-15T09:44:30", "43.5", "-11.25", "4", oak])
    #expect(fields[1][6] == text)
    #expect(fields[1][7].contains("\(text), byte 0: the file begins as no photo does"))
    let photo = fields[0][1]
    #expect(
      try home.fields("photo", "add", Self.id, oak).map { Array($0.prefix(2)) } == [
        ["same", photo]
      ])
    let list = try home.fields("photo", "list", "--no-header")
    #expect(list.map { $0[0] } == [photo, fields[2][1]])
    #expect(list[0][3] == "At the gate" && Array(list[0][8...10]) == ["jpeg", "4", "3"])
    let shown = try home.fields("photo", "show", photo)
    #expect(shown.contains(["position", "43.5,-11.25 within 4 m"]))
    #expect(shown.contains(["image", "jpeg, 4 x 3 pixels"]))
    #expect(shown.contains(["orientation", "6"]))
    let copy = home.folder("copy.jpg")
    #expect(try home.fields("photo", "export", photo, "--exact", "-o", copy) == [])
    #expect(FileManager.default.contents(atPath: copy) == Data(base64Encoded: Self.oak))
    let mode = try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    // What is there is left alone.
    expectError(
      try home("photo", "export", photo, "-o", copy), status: 2, saying: "is there already")
    #expect(FileManager.default.contents(atPath: copy) == Data(base64Encoded: Self.oak))
    #expect(try home.fields("photo", "export", photo, "-o", copy, "--force") == [])
    let stripped = try #require(FileManager.default.contents(atPath: copy))
    #expect(stripped.range(of: Data("2026:03:15".utf8)) == nil && stripped.count > 50)
    #expect(try home.fields("photo", "remove", photo) == [["deleted", photo, "4", photo, ""]])
    #expect(try home.fields("photo", "list", "--no-header").count == 1)
    expectError(try home("photo", "show", photo), status: 2, saying: "is deleted")
    expectError(try home("photo", "show", Self.id), status: 1, saying: "no photo")
    _ = try home("undo")
    #expect(try home.fields("photo", "list", "--no-header").count == 2)
  }

  /// 48 x 32 pixels that can be decoded, on a side.
  private static let tree =
    "/9j/4QAiRXhpZgAATU0AKgAAAAgAAQESAAMAAAABAAYAAAAAAAD/4AAQSkZJRgABAQAAAQABAAD/2wBDAAYEBQYFBAYGBQYH"
    + "BwYIChAKCgkJChQODwwQFxQYGBcUFhYaHSUfGhsjHBYWICwgIyYnKSopGR8tMC0oMCUoKSj/2wBDAQcHBwoIChMKChMoGhYa"
    + "KCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCgoKCj/wAARCAAgADADASIAAhEBAxEB/8QA"
    + "FwABAQEBAAAAAAAAAAAAAAAABAUDBv/EAB0QAAICAgMBAAAAAAAAAAAAAAAEA2ERQQIhMQH/xAAYAQEBAAMAAAAAAAAAAAAA"
    + "AAAFBAMGB//EABwRAAIDAQADAAAAAAAAAAAAAAEEAAIDEQUSIf/aAAwDAQACEQMRAD8A41daihCvQqNbGhcUNDNfKjEcJmVd"
    + "jsLwXoF8Vzo6KKDOjGJXOibXyI3BAihZ56yPwUoTEnRbiSzoXEjQLqta57FlXZA+LUbRrd+FjipnRvGnRC7rc2+TjijYk2Ba"
    + "hS6vnRVhT86EwK40GX2tU19psSzcJApQ6NTrwbAvjQ6KCi6rmYr9ji7Rn//Z"

  @Test func aThumbnailIsWrittenWhereOneCanBeMade() throws {
    let tree = home.folder("tree.jpg")
    try #require(Data(base64Encoded: Self.tree)).write(to: URL(fileURLWithPath: tree))
    expect(try addLion("--photo", tree, "--photo", oak, "-q"), status: 0)
    let rows = try home.fields("photo", "list", "--no-header")
    let ids = [tree, oak].compactMap { path in
      rows.first { path.hasSuffix("/" + $0[2]) }.map { $0[0] }
    }
    try #require(ids.count == 2)
    #expect(
      try home.fields("photo", "thumbnail") == [["made", "1"], ["none", "1"], ["lost", "0"]])
    let output = home.folder("small.jpg")
    for size in ["64", "512"] {
      let written = try home(
        "photo", "thumbnail", ids[0], "-o", output, "--size", size, "--force")
      expect(written, status: 0)
      let bytes = try #require(FileManager.default.contents(atPath: output))
      // The size of the image behind the start of its frame: it is seen the right way up.
      let frame = try #require(bytes.range(of: Data([0xFF, 0xC0])))
      #expect(Array(bytes[frame.upperBound + 3..<frame.upperBound + 7]) == [0, 48, 0, 32])
      #expect(bytes.range(of: Data("Exif".utf8)) == nil)
    }
    let mode = try FileManager.default.attributesOfItem(atPath: output)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    expectError(
      try home("photo", "thumbnail", ids[0], "-o", output), status: 2, saying: "is there already")
    expectError(
      try home("photo", "thumbnail", ids[1], "-o", output), status: 1, saying: "thumbnail: none")
    #expect(try home.fields("photo", "show", ids[1]).contains(["thumbnail", "none"]))
    #expect(try !home.fields("photo", "show", ids[0]).contains(["thumbnail", "none"]))
    for words in [[ids[0]], ["-o", output]] {
      expectError(try home(["photo", "thumbnail"] + words), status: 2, saying: "--output")
    }
    for words in [["--size", "64"], [ids[0], "-o", output, "--size", "65"]] {
      expectError(try home(["photo", "thumbnail"] + words), status: 2, saying: "--size")
    }
    expect(try home("check"), status: 0)
  }

  @Test func anExportGoesInWithTheFilesBesideIt() throws {
    expect(try addLion("--photo", oak, "-q"), status: 0)
    let folder = home.folder("backup")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let lines = folder + "/journal.jsonl"
    expect(try home("export", "--exact", "--format", "jsonl", "--output", lines), status: 0)
    expect(try home("photo", "export", "--exact", "-o", folder), status: 0)
    let other = try CommandHome("journal")
    expect(try other("import", lines, "-q"), status: 0)
    #expect(try other.fields("photo", "list", "--no-header").count == 1)
    #expect(try other("check").lines.last == "ok")
    let third = try CommandHome("journal")
    expect(try third("import", lines, "--photos", "skip", "-q"), status: 0)
    try third.expectEmpty("photo", "list", "--no-header")
    try FileManager.default.removeItem(atPath: folder + "/media")
    let refused = try third("import", lines)
    expect(refused, status: 2)
    #expect(
      refused.errorText.contains("put the file there; 'stol journal import --photos skip' takes"))
  }

  @Test func othersGetCopiesOfWhatTheyMayHave() throws {
    expect(
      try addLion("--photo", oak, "--when", "2026-03-15", "--privacy", "obscured", "-q"), status: 0)
    let photo = try home.fields("photo", "list", "--no-header")[0][0]
    expect(try home("photo", "add", Self.id, bark, "--caption", "By the gate"), status: 0)
    let folder = home.folder("shared")
    let lines = folder + "/journal.jsonl"
    func written() throws -> [String: Data] {
      try? FileManager.default.removeItem(atPath: folder)
      expect(try home("photo", "export", "-o", folder), status: 0)
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
      expect(try home("export", "-o", lines, "-q"), status: 0)
      let names = FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []
      return Dictionary(
        uniqueKeysWithValues: names.filter { $0.contains("/") && $0.count > 20 }.map {
          ($0, FileManager.default.contents(atPath: folder + "/" + $0) ?? Data())
        })
    }
    // Of what is obscured there are the images alone.
    let files = try written()
    #expect(files.count == 2)
    for bytes in files.values { #expect(bytes.range(of: Data("2026:03:15".utf8)) == nil) }
    let text = try String(contentsOfFile: lines, encoding: .utf8)
    #expect(text.components(separatedBy: "\"recordKind\":\"photo\"").count == 3)
    for word in ["gate", "oak.jpg", "03-15", photo] { #expect(!text.contains(word), "\(word)") }
    let other = try CommandHome("journal")
    expect(try other("import", lines, "-q"), status: 0)
    #expect(try other.fields("photo", "list", "--no-header").count == 2)
    #expect(try other("check").lines.last == "ok")
    // What comes home is known better there.
    let before = try home("export", "--exact").text
    try FileManager.default.removeItem(atPath: folder + "/media")
    expect(try home("import", lines, "--update", "-q"), status: 0)
    #expect(try home("export", "--exact").text == before)
    // What is private is nobody's.
    expect(try home("privacy", "set", "private", Self.id), status: 0)
    #expect(try written().isEmpty)
    let copy = home.folder("copy.jpg")
    expectError(try home("photo", "export", photo, "-o", copy), status: 2, saying: "--exact")
    #expect(!FileManager.default.fileExists(atPath: copy))
    expect(try home("photo", "export", photo, "--exact", "-o", copy), status: 0)
  }

  @Test func aCheckFindsLostFilesAndARebuildRemovesOrphans() throws {
    expect(try addLion("--photo", oak, "-q"), status: 0)
    let media = home.folder("home/Journal/media")
    let files = (FileManager.default.enumerator(atPath: media)?.allObjects as? [String] ?? [])
      .filter { $0.contains("/") }
    let path = media + "/" + (try #require(files.first))
    let orphan = path + "0"
    try Data("rest".utf8).write(to: URL(fileURLWithPath: orphan))
    #expect(try home("check").lines.contains("orphan\t\(orphan)"))
    expect(try home("check", "--rebuild"), status: 0)
    #expect(!FileManager.default.fileExists(atPath: orphan))
    try FileManager.default.removeItem(atPath: path)
    let broken = try home("check")
    expect(broken, status: 3)
    #expect(broken.lines.contains { $0.hasPrefix("media: \(path)") })
    // The same photo again mends it.
    expect(try home("photo", "add", Self.id, oak), status: 0)
    expect(try home("check"), status: 0)
  }

  /// A photo that is gone comes back from a backup, though no record changes.
  @Test func restoringBringsLostFilesBackAndSaysSo() throws {
    expect(try addLion("--photo", oak, "-q"), status: 0)
    let backup = home.folder("a.stoljournal")
    expect(try home("backup", "-o", backup, "--unsealed", "-q"), status: 0)
    #expect(!(try home("restore", backup, "--yes").errorText.contains("back")))
    try FileManager.default.removeItem(atPath: home.folder("home/Journal/media"))
    #expect(!(try home("restore", backup, "--dry-run").errorText.contains("back")))
    expect(try home("check"), status: 3)
    let restored = try home("restore", backup, "--yes")
    #expect(restored.errorText.contains("stol: 1 file of a photo that was gone is back\n"))
    expect(try home("check"), status: 0)
  }

  /// One lost file hides nothing else that a check finds, and JSON says what text does.
  @Test func aLostFileHidesNoFindings() throws {
    expect(try addLion("--photo", oak, "-q"), status: 0)
    expect(try home("add", "Panthera leo", "--when", "2999-01-01", "-q"), status: 0)
    let media = home.folder("home/Journal/media")
    try FileManager.default.removeItem(atPath: media)
    try FileManager.default.createDirectory(
      atPath: media + "/ab", withIntermediateDirectories: true)
    try Data("rest".utf8).write(to: URL(fileURLWithPath: media + "/ab/x"))
    let text = try home("check")
    expect(text, status: 3)
    #expect(text.lines.count { $0.hasPrefix("media: ") } == 1)
    #expect(text.lines.contains("orphan\t\(media)/ab/x"))
    let findings = text.lines.count { $0.hasPrefix("finding\t") }
    #expect(findings > 0 && !text.lines.contains("ok"))
    let json = try home("check", "--jsonl")
    expect(json, status: 3)
    #expect(json.lines.count == findings && json.errorText.contains("stol: media: "))
  }

  /// Photos of a journal that was set aside stay until a purge, which says how many they are.
  @Test func photosOfADamagedJournalStay() throws {
    expect(try addLion("--photo", oak, "-q"), status: 0)
    let journal = home.folder("home/Journal/journal.sqlite")
    var bytes = try Data(contentsOf: URL(fileURLWithPath: journal))
    bytes.replaceSubrange(4096..<8192, with: Data(repeating: 0x51, count: 4096))
    try bytes.write(to: URL(fileURLWithPath: journal))
    func files() -> Int {
      let found = FileManager.default.enumerator(atPath: home.folder("home/Journal/media"))
      return (found?.allObjects as? [String] ?? []).count { $0.contains("/") }
    }
    expect(try home("check", "--set-aside", "--rebuild"), status: 0)
    expect(try home("check", "--rebuild"), status: 0)
    #expect(files() == 1)
    #expect(try home("purge", "--dry-run").lines.contains("files\t1"))
    #expect(try home("purge", "--yes").lines.contains("files\t1"))
    #expect(files() == 0)
    #expect(try home("purge", "--dry-run").lines.contains("files\t0"))
  }

  #if Encryption
  /// What somebody has exported into the journal's folder is named where that is locked.
  @Test func whatStaysReadableIsNamedInFoldersToo() throws {
    expect(try addLion("--photo", oak, "-q"), status: 0)
    let backup = home.folder("home/Journal/backup")
    expect(try home("photo", "export", "--exact", "-o", backup, "-q"), status: 0)
    let secret = home.folder("secret")
    try "an oak\n".write(toFile: secret, atomically: true, encoding: .utf8)
    let locked = try home("lock", "--journal-passphrase-file", secret)
    expect(locked, status: 0)
    let found = FileManager.default.enumerator(atPath: backup)?.allObjects as? [String] ?? []
    let files = found.filter { name in
      (try? FileManager.default.contentsOfDirectory(atPath: "\(backup)/\(name)")) == nil
    }
    #expect(!files.isEmpty)
    for file in files { #expect(locked.errorText.contains("\(backup)/\(file) stays readable")) }
  }

  /// What was lost while the journal was locked is said when it is not any more.
  @Test func unlockingSaysHowManyFilesAreGone() throws {
    expect(try addLion("--photo", oak, "-q"), status: 0)
    let secret = home.folder("secret")
    try "an oak\n".write(toFile: secret, atomically: true, encoding: .utf8)
    let key = ["--journal-passphrase-file", secret]
    let gone = "stol: 1 file of a photo was gone before: 'stol journal check' names them\n"
    for isLost in [false, true] {
      expect(try home(["lock"] + key), status: 0)
      if isLost {
        try FileManager.default.removeItem(atPath: home.folder("home/Journal/sealed/media"))
      }
      let unlocked = try home(["unlock"] + key)
      expect(unlocked, status: 0)
      #expect(
        unlocked.errorText == "stol: the journal is not locked any more\n" + (isLost ? gone : ""))
    }
    expect(try home("check"), status: 3)
  }
  #endif

  @Test func aTrackPlacesPhotos() throws {
    expect(try addLion("--when", "2026-03-15", "--photo", bark, "-q"), status: 0)
    let gpx = home.folder("walk.gpx")
    try Self.walk.write(toFile: gpx, atomically: true, encoding: .utf8)
    let rehearsed = try home("photo", "match", "--gpx", gpx, "--dry-run")
    #expect(rehearsed.lines.map { $0.components(separatedBy: "\t")[0] } == ["placed"])
    #expect(rehearsed.errorText == "stol: 1 placed; nothing was kept\n")
    // The photo says itself how far its clock is ahead.
    let stated = try home("media", "match", "--gpx", gpx, "--offset", "+09:00", "-q", "--dry-run")
    #expect(stated.lines == rehearsed.lines)
    let placed = try home("photo", "match", "--gpx", gpx)
    #expect(placed.lines.first?.hasSuffix("\t50.0005\t8.0005\t\t") == true)
    #expect(placed.errorText.contains("1 placed; 'stol journal undo"))
    // It has a place, so that nothing is left to do.
    #expect(try home("photo", "match", "--gpx", gpx).lines == [])
    for offset in ["02:00", "+2:00", "+19:00", "+02:60"] {
      expectError(
        try home("photo", "match", "--gpx", gpx, "--offset", offset), status: 2, saying: "--offset")
    }
  }
}

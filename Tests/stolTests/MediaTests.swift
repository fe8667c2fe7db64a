import Foundation
import TestSupport
import Testing
import STOLSystem

@Suite("stol media, and verify and inspect of media packs")
struct MediaTests {
  /// A folder of images, a key and its passphrase, and a command with a home in it that asks the small
  /// taxonomy.
  private struct Workshop {
    static let vectors = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Format/vectors/container")
    let folder: TemporaryFolder
    var command: Command

    init() throws {
      folder = try TemporaryFolder()
      command = try SmallTaxonomy.command
      command.environment["STOL_HOME"] = folder("home")
      try Data("test\n".utf8).write(to: URL(fileURLWithPath: folder("pass")))
      // The key of the vectors, whose passphrase takes no time to try.
      for name in ["key", "pub"] {
        try FileManager.default.copyItem(
          atPath: Self.vectors.appendingPathComponent("test.\(name)").path,
          toPath: folder("a.\(name)"))
      }
      try writeImages([4, 8])
    }

    /// Images that begin as PNG, for these taxa.
    func writeImages(_ taxa: [Int], content: String = "") throws {
      try FileManager.default.createDirectory(
        atPath: folder("images"), withIntermediateDirectories: true)
      for taxon in taxa {
        let bytes =
          [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array("\(taxon)\(content)".utf8)
        try Data(bytes).write(to: URL(fileURLWithPath: folder("images/\(taxon).png")))
      }
      let names = [4: "Mammalia", 8: "Panthera leo"]
      let images = taxa.map {
        "{\"taxon\": {\"id\": \"\($0)\", \"name\": \"\(names[$0] ?? "?")\"}, \"file\": \"\($0).png\", \"title\": \"Picture \($0)\", "
          + "\"author\": \"stol\", \"licence\": \"CC0-1.0\", \"source\": \"\"}"
      }
      let manifest =
        "{\"title\": \"Test\", \"licence\": \"CC0-1.0\", \"buildTime\": \"2026-01-01T00:00:00Z\", "
        + "\"images\": [\(images.joined(separator: ", "))]}"
      try Data(manifest.utf8).write(to: URL(fileURLWithPath: folder("images/manifest.json")))
    }

    func sign(_ name: String, release: Int = 1, id: String = "animals") throws -> Command.Outcome {
      try command(
        "media", "sign", folder("images"), "-o", folder(name), "--key", folder("a.key"), "--id", id,
        "--release", "\(release)", "--passphrase-file", folder("pass"))
    }

    func add(_ name: String, _ more: String...) throws -> Command.Outcome {
      try command.run(
        Command.path, ["media", "add", folder(name), "--key", folder("a.pub")] + more,
        input: Data())
    }

    func bytes(_ name: String) throws -> Data {
      try Data(contentsOf: URL(fileURLWithPath: folder(name)))
    }
  }

  @Test func signsAddsListsAndRemoves() throws {
    let shop = try Workshop()
    let signed = try shop.sign("a.stol-media")
    expect(signed, status: 0)
    #expect(signed.errorText.contains("animals release 1") && signed.text == "")
    expect(try shop.sign("b.stol-media"), status: 0)
    #expect(try shop.bytes("a.stol-media") == shop.bytes("b.stol-media"))
    #expect(
      try shop.folder.contents == [
        "a.key", "a.pub", "a.stol-media", "b.stol-media", "images", "pass",
      ])

    let added = try shop.add("a.stol-media")
    expect(added, status: 0)
    #expect(added.errorText.contains("media pack animals, release 1: installed, 2 images"))
    let list = try shop.command("media", "list")
    expect(list, status: 0)
    #expect(list.lines.count == 2)
    #expect(list.lines.first?.hasPrefix("id\trelease\timages\tbytes\tstate\ttitle\t") == true)
    #expect(list.lines.last?.hasPrefix("animals\t1\t2\t") == true)
    let json = try shop.command("media", "list", "--json").text
    #expect(json.contains("\"id\":\"animals\"") && json.contains("\"state\":\"installed\""))
    let storage = try shop.command("media", "storage")
    #expect(storage.text.contains("home/Media\npacks   1\nbytes   "))
    #expect(try shop.command("media", "storage", "--json").text.contains("\"packs\": ["))

    expectError(
      try shop.command("media", "remove", "animals"), status: 2, saying: "remove animals --yes")
    expect(try shop.command("media", "remove", "animals", "--yes"), status: 0)
    expectError(
      try shop.command("media", "remove", "animals", "--yes"), status: 1, saying: "animals",
      "media list")
    #expect(try shop.command("media", "list", "--json").text == "[]\n")
  }

  @Test func writesTheImageOfATaxonOrItsNearestAncestor() throws {
    let shop = try Workshop()
    expect(try shop.sign("a.stol-media"), status: 0)
    expect(try shop.add("a.stol-media"), status: 0)
    for (taxon, owner, id) in [
      ("Panthera leo", "Panthera leo", 8), ("900", "Panthera leo", 8),
      ("Felis", "Mammalia, to which Felis belongs", 4),
    ] {
      let outcome = try shop.command("media", "image", taxon, "-o", shop.folder("out.png"))
      expect(outcome, status: 0)
      #expect(outcome.errorText.contains("of \(owner) (\(id)): Picture \(id), by stol, CC0-1.0"))
      #expect(try shop.bytes("out.png") == shop.bytes("images/\(id).png"))
    }
    expectError(
      try shop.command("media", "image", "Plantae", "-o", shop.folder("none.png")), status: 1,
      saying: "no image of Plantae")
    expect(
      try shop.command("media", "image", "Prunella", "-o", shop.folder("none.png")), status: 1)
    expect(
      try shop.command(
        "media", "image", "Prunella", "--rank", "family", "-o", shop.folder("none.png")), status: 1)
    #expect(!FileManager.default.fileExists(atPath: shop.folder("none.png")))
    expectError(
      try shop.command("media", "image", "8", "-o", shop.folder("no/such/folder.png")), status: 6)
  }

  @Test func exitCodesSayWhyAPackIsRefused() throws {
    let shop = try Workshop()
    expect(try shop.sign("one.stol-media", release: 1), status: 0)
    try shop.writeImages([8], content: "new")
    expect(try shop.sign("two.stol-media", release: 2), status: 0)
    expectError(
      try shop.command("media", "add", shop.folder("one.stol-media")), status: 4,
      saying: "one.stol-media", "not trusted")
    expect(try shop.add("two.stol-media"), status: 0)
    expectError(try shop.add("one.stol-media"), status: 5, saying: "--allow-downgrade")
    expect(try shop.add("one.stol-media", "--allow-downgrade"), status: 0)
    var bytes = try shop.bytes("two.stol-media")
    bytes[bytes.count - 20] ^= 1
    try bytes.write(to: URL(fileURLWithPath: shop.folder("bad.stol-media")))
    expectError(try shop.add("bad.stol-media"), status: 3, saying: "bad.stol-media", "corrupt")
    expectError(try shop.add("missing.stol-media"), status: 6, saying: "missing.stol-media")
    expectError(
      try shop.command(
        "db", "import", shop.folder("one.stol-media"), "--key", shop.folder("a.pub")),
      status: 2, saying: "holds images, not a database", "stol media add")
    expectError(
      try shop.command(
        "media", "add", Workshop.vectors.appendingPathComponent("valid/v2.stol").path, "--key",
        Workshop.vectors.appendingPathComponent("test.pub").path),
      status: 2, saying: "holds a database, not images", "stol db import")
  }

  @Test func verifyAndInspectKnowMediaPacks() throws {
    let shop = try Workshop()
    expect(try shop.sign("a.stol-media"), status: 0)
    let path = shop.folder("a.stol-media")
    let verified = try shop.command("verify", path, "--key", shop.folder("a.pub"))
    expect(verified, status: 0)
    #expect(verified.lines.contains("manifest   ok, 2 images"))
    #expect(verified.lines.contains("dataset    animals"))
    let shown = try shop.command("inspect", path)
    expect(shown, status: 0)
    #expect(shown.lines.contains { $0.hasPrefix("media ") })
    #expect(try shop.command("inspect", path, "--json").text.contains("\"kind\": \"media\""))
    expectError(try shop.command("verify", path), status: 4, saying: "not trusted")
  }

  @Test func aDamagedPackIsListedAndCanBeRemoved() throws {
    let shop = try Workshop()
    expect(try shop.sign("a.stol-media"), status: 0)
    expect(try shop.add("a.stol-media"), status: 0)
    let installed = shop.folder("home/Media/animals.stolimages")
    try Data("nonsense".utf8).write(to: URL(fileURLWithPath: installed))
    let list = try shop.command("media", "list")
    expect(list, status: 0)
    #expect(list.lines.last?.hasPrefix("animals\t\t\t8\tdamaged\t") == true)
    let image = try shop.command("media", "image", "8", "-o", shop.folder("x.png"))
    expect(image, status: 1)
    #expect(image.errorText.contains("animals cannot be used"))
    expect(try shop.command("media", "remove", "animals", "-y"), status: 0)
  }

  /// What was installed before its key was revoked stays, which is said wherever packs are listed.
  @Test func aRevokedKeyIsSaidOfAPack() throws {
    let shop = try Workshop()
    expect(try shop.sign("a.stol-media"), status: 0)
    expect(try shop.add("a.stol-media"), status: 0)
    let key = try String(contentsOfFile: shop.folder("a.pub"), encoding: .utf8)
    let id = try #require(key.split(separator: " ").dropFirst().first.map(String.init))
    #expect(try shop.command("media", "list", "--json").text.contains("\"key\":\"\(id)\""))
    expect(try shop.command("db", "keys", "revoke", id), status: 0)
    let list = try shop.command("media", "list")
    expect(list, status: 0)
    #expect(list.text.contains("\trevoked\t"))
    #expect(list.text.contains("\(id), which has been revoked; get one that another key signs"))
    let image = try shop.command("media", "image", "8", "-o", shop.folder("x.png"))
    expect(image, status: 0)
    #expect(image.errorText.contains("stol: media pack animals: signed by the key \(id)"))
    expectError(try shop.add("a.stol-media"), status: 4, saying: "revoked")
    expect(try shop.command("media", "remove", "animals", "-y"), status: 0)
    #expect(try shop.command("media", "list", "--json").text == "[]\n")
  }

  @Test func signSaysWhatIsWrongWithTheFolder() throws {
    let shop = try Workshop()
    try Data("<svg/>".utf8).write(to: URL(fileURLWithPath: shop.folder("images/8.png")))
    expectError(
      try shop.sign("a.stol-media"), status: 3, saying: "images", "8.png", "none of png")
    try FileManager.default.removeItem(atPath: shop.folder("images/8.png"))
    expectError(try shop.sign("a.stol-media"), status: 6, saying: "8.png")
    expectError(
      try shop.command(
        "media", "sign", shop.folder("images"), "-o", shop.folder("x"), "--id", "a", "--release",
        "1"),
      status: 2, saying: "--plain")
    #expect(try shop.folder.contents == ["a.key", "a.pub", "images", "pass"])
    try shop.writeImages([8])
    expect(
      try shop.command(
        "media", "sign", shop.folder("images"), "-o", shop.folder("x"), "--id", "a", "--release",
        "1",
        "--plain"), status: 0)
    #expect(try shop.bytes("x").prefix(4) == Data([0x89, 0x53, 0x54, 0x4D]))
    expectError(
      try shop.command("media", "add", shop.folder("x")), status: 3, saying: "stol media sign")
    for name in ["a.key", "images/8.png", "images/manifest.json"] {
      let before = try shop.bytes(name)
      expectError(try shop.sign(name), status: 2, saying: "would replace")
      #expect(try shop.bytes(name) == before)
    }
  }
}

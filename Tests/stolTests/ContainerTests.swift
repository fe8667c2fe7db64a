import Foundation
import TestSupport
import Testing
import STOLSystem

@Suite("stol db, and verify and inspect of containers")
struct ContainerTests {
  /// A folder with the small taxonomy, a passphrase and a key, and a command with a home in it.
  private struct Workshop {
    let folder: TemporaryFolder
    var command = Command()

    init() throws {
      folder = try TemporaryFolder()
      command.environment["STOL_HOME"] = folder("home")
      try SmallTaxonomy.write(SmallTaxonomy.sql, to: folder("a.sqlite"))
      try Data("correct horse\n".utf8).write(to: URL(fileURLWithPath: folder("pass")))
      expect(try keygen("a"), status: 0)
    }

    func keygen(_ name: String) throws -> Command.Outcome {
      try command("db", "keygen", "-o", folder(name), "--passphrase-file", folder("pass"))
    }

    func sign(_ name: String, _ more: String...) throws -> Command.Outcome {
      let arguments = [
        "db", "sign", folder("a.sqlite"), "-o", folder(name), "--key", folder("a.key"), "--dataset",
        "test.small", "--release", "3", "--build-time", "2026-01-31", "--passphrase-file",
        folder("pass"),
      ]
      return try command.run(Command.path, arguments + more, input: Data())
    }

    func id(_ name: String) throws -> String {
      let text = try String(contentsOfFile: folder(name + ".pub"), encoding: .utf8)
      return try #require(text.split(separator: " ").dropFirst().first.map(String.init))
    }

    func bytes(_ name: String) throws -> Data {
      try Data(contentsOf: URL(fileURLWithPath: folder(name)))
    }
  }

  @Test func signsAndVerifiesInEveryFormat() throws {
    let shop = try Workshop()
    for (options, version) in [
      ([], "1.1"), (["--format", "2"], "2"), (["--format", "2", "--with-pack"], "2"),
    ] as [([String], String)] {
      let arguments =
        [
          "db", "sign", shop.folder("a.sqlite"), "--key", shop.folder("a.key"), "--dataset",
          "test.small", "--release", "3", "--build-time", "2026-01-31", "--passphrase-file",
          shop.folder("pass"), "-o",
        ]
      for name in ["x.stol", "y.stol"] {
        let outcome = try shop.command.run(
          Command.path, arguments + [shop.folder(name)] + options, input: Data())
        expect(outcome, status: 0)
        #expect(outcome.text == "" && outcome.errorText.contains("test.small release 3"))
      }
      #expect(try shop.bytes("x.stol") == shop.bytes("y.stol"))
      let key = shop.folder("a.pub")
      let verified = try shop.command("verify", shop.folder("x.stol"), "--key", key)
      expect(verified, status: 0)
      for text in [
        "magic      ok, container version \(version)", "key        ok, ", "signature  ok, Ed25519",
        "checksum   ok, ", "gzip       ok, ", "length     ok, ", "database   ok, ",
        "dataset    test.small", "release    3", "built      2026-01-31T00:00:00Z",
      ] { #expect(verified.text.contains("\n\(text)"), "\(text)") }
      #expect(verified.text.contains("\npack       ok") == options.contains("--with-pack"))
      let inspected = try shop.command("inspect", shop.folder("x.stol"))
      expect(inspected, status: 0)
      #expect(inspected.text.contains("verified   no"))
      let json = try JSONSerialization.jsonObject(
        with: shop.command("inspect", shop.folder("x.stol"), "--json").output)
      let object = try #require(json as? [String: Any])
      #expect(object["dataset"] as? String == "test.small" && object["release"] as? Int == 3)
    }
    #expect(
      try shop.folder.contents == ["a.key", "a.pub", "a.sqlite", "pass", "x.stol", "y.stol"])
  }

  @Test func trustIsAddedAndRemovedAndRevoked() throws {
    let shop = try Workshop()
    let (container, id) = (shop.folder("a.stol"), try shop.id("a"))
    expect(try shop.sign("a.stol"), status: 0)
    expectError(
      try shop.command("verify", container), status: 4, saying: container, id, "stol db keys add")
    let key = shop.folder("a.pub")
    expectError(try shop.command("db", "keys", "add", key), status: 2, saying: "--dataset ID")
    expect(try shop.command("db", "keys", "add", key, "--dataset", "other"), status: 0)
    expectError(
      try shop.command("verify", container), status: 4, saying: container, "--dataset test.small")
    let added = try shop.command("db", "keys", "add", key, "--dataset", "test.small")
    expect(added, status: 0)
    #expect(added.errorText.contains("trusted for other, test.small"))
    expect(try shop.command("verify", container), status: 0)
    let list = try shop.command("db", "keys", "list")
    #expect(
      list.lines.last?.hasPrefix("\(id)\tcurrent\tadded\tother test.small\ttrusted\ta\t") == true)
    expect(try shop.command("db", "keys", "remove", id), status: 0)
    expectError(try shop.command("verify", container), status: 4, saying: container, id)
    expectError(try shop.command("db", "keys", "remove", id), status: 4, saying: id)
    expect(try shop.command("db", "keys", "revoke", id), status: 0)
    expectError(try shop.command("verify", container), status: 4, saying: container, "revoked")
    expectError(
      try shop.command("db", "keys", "add", key, "--dataset", "x"), status: 4, saying: "revoked")
    // Whoever names the key does not get around that.
    expectError(
      try shop.command("verify", container, "--key", key), status: 4, saying: "revoked")
    expectError(
      try shop.command("db", "import", container, "--key", key), status: 4, saying: "revoked")
    expectError(try shop.command("db", "keys", "revoke", "xyz"), status: 2)
  }

  /// What was installed before its key was revoked answers on, which is said, and not again.
  @Test func aRevokedKeyIsSaidOfWhatIsInstalled() throws {
    let shop = try Workshop()
    let (container, key) = (shop.folder("a.stol"), shop.folder("a.pub"))
    expect(try shop.sign("a.stol"), status: 0)
    expect(try shop.command("db", "import", container, "--key", key), status: 0)
    let id = try shop.id("a")
    let sound = try shop.command("db", "status", "--json")
    #expect(sound.text.contains(#""isKeyRevoked": false"#))
    expect(try shop.command("db", "keys", "revoke", id), status: 0)
    let status = try shop.command("db", "status")
    #expect(status.status == 0 && status.text.contains("\(id), revoked"))
    #expect(status.errorText.contains("db delete"))
    let json = try shop.command("db", "status", "--json")
    #expect(json.text.contains(#""isKeyRevoked": true"#))
    expect(try shop.command("db", "deactivate"), status: 0)
    let refusals = [
      try shop.command("db", "activate"), try shop.command("db", "activate", "--dry-run"),
    ]
    for refusal in refusals { expectError(refusal, status: 4, saying: id, "revoked", "db delete") }
    expect(try shop.command("db", "delete", "--yes"), status: 0)
  }

  /// What would become of favourites is said before, and nothing is changed.
  @Test func importsAndSwitchesAreRehearsed() throws {
    let shop = try Workshop()
    let (container, key) = (shop.folder("a.stol"), shop.folder("a.pub"))
    expect(try shop.sign("a.stol"), status: 0)
    expect(try shop.command("favorites", "add", "9689", "tiger"), status: 0)
    func files() throws -> [String] {
      try FileManager.default.subpathsOfDirectory(atPath: shop.folder("home")).sorted()
    }
    let before = try files()
    let rehearsed = try shop.command("db", "import", container, "--key", key, "--dry-run")
    expect(rehearsed, status: 0)
    #expect(rehearsed.lines.count == 3, "\(rehearsed.text)")
    #expect(rehearsed.lines.dropFirst().allSatisfy { $0.hasPrefix("ncbi:") })
    #expect(rehearsed.errorText.hasPrefix("2 favourites, "))
    #expect(try files() == before)
    expect(try shop.command("db", "import", container, "--key", key, "--no-activate"), status: 0)
    let activation = try shop.command("db", "activate", "--dry-run")
    expect(activation, status: 0)
    #expect(activation.text == rehearsed.text)
    #expect(try shop.command("db", "status", "--json").text.contains("\"active\": \"bundled\""))
    expect(try shop.command("db", "activate"), status: 0)
    let back = try shop.command("db", "deactivate", "--dry-run", "--json")
    expect(back, status: 0)
    #expect(back.errorText == "2 favourites, all in it\n")
    expectError(try shop.command("db", "activate", "--json"), status: 2, saying: "--dry-run")
  }

  @Test func keyringsRotateAndNeverGoBack() throws {
    let shop = try Workshop()
    for name in ["b", "c", "root", "safe"] { expect(try shop.keygen(name), status: 0) }
    let pass = ["--passphrase-file", shop.folder("pass")]
    func ring(_ version: Int, _ more: String...) throws -> String {
      let path = shop.folder("\(version).stolkeys")
      let arguments = ["db", "keys", "sign-ring", "-o", path, "--version-number", "\(version)"]
      expect(try shop.command.run(Command.path, arguments + pass + more, input: Data()), status: 0)
      return path
    }
    let (a, b, root) = (shop.folder("a"), shop.folder("b"), shop.folder("root"))
    let first = try ring(
      1, "--key", root + ".key", "--root", root + ".pub", "--recovery", shop.folder("safe.pub"),
      "--current", a + ".pub", "--next", b + ".pub")
    expect(try shop.sign("a.stol"), status: 0)
    expectError(
      try shop.command("db", "keys", "apply", first), status: 4, saying: first, try shop.id("root"))
    expect(
      try shop.command("db", "keys", "add", root + ".pub", "--dataset", "test.small"), status: 0)
    expectError(
      try shop.command("db", "keys", "apply", first), status: 4, saying: "no keyring")
    expect(try shop.command("db", "keys", "remove", try shop.id("root")), status: 0)
    expect(try shop.command("db", "keys", "add", root + ".pub", "--root"), status: 0)
    let applied = try shop.command("db", "keys", "apply", first)
    expect(applied, status: 0)
    #expect(applied.errorText.contains("version 1 applied, none before"))
    expect(try shop.command("verify", shop.folder("a.stol")), status: 0)
    let second = shop.folder("2.stolkeys")
    expect(
      try shop.command.run(
        Command.path,
        ["db", "keys", "rotate", first, "-o", second, "--key", root + ".key"] + pass
          + ["--next", shop.folder("c.pub"), "--revoke-old"], input: Data()), status: 0)
    expect(try shop.command("db", "keys", "apply", second), status: 0)
    expectError(try shop.command("verify", shop.folder("a.stol")), status: 4, saying: "revoked")
    expectError(
      try shop.command("db", "keys", "apply", first), status: 5, saying: first, "older")
    let far = try ring(
      1_000, "--key", root + ".key", "--root", root + ".pub", "--current", b + ".pub")
    expectError(try shop.command("db", "keys", "apply", far), status: 4, saying: far, "100 above")
    let stolen = try ring(
      3, "--key", root + ".key", "--root", root + ".pub", "--current", b + ".pub")
    expectError(
      try shop.command("db", "keys", "apply", stolen), status: 4, saying: "recovery key")
    let third = try ring(
      4, "--key", shop.folder("safe.key"), "--root", b + ".pub", "--current",
      shop.folder("c.pub"), "--revoke", try shop.id("root"))
    expect(try shop.command("db", "keys", "apply", third), status: 0)
    let list = try shop.command("db", "keys", "list").text
    #expect(list.contains("\(try shop.id("root"))\troot\tadded\tkeyrings\trevoked\troot"))
  }

  @Test func faultsHaveTheirExitCodes() throws {
    let shop = try Workshop()
    expect(try shop.sign("a.stol"), status: 0)
    let key = shop.folder("a.pub")
    let good = try shop.bytes("a.stol")
    func fault(_ change: (inout Data) -> Void) throws -> Command.Outcome {
      var bytes = good
      change(&bytes)
      try bytes.write(to: URL(fileURLWithPath: shop.folder("b.stol")))
      return try shop.command("verify", shop.folder("b.stol"), "--key", key)
    }
    let name = shop.folder("b.stol")
    expectError(try fault { $0[0] ^= 1 }, status: 3, saying: name, "not a stol container")
    expectError(try fault { $0[7] = 9 }, status: 2, saying: name, "newer stol")
    expectError(try fault { $0[50] ^= 1 }, status: 4, saying: name, "signature")
    expectError(try fault { $0[$0.count - 1] ^= 1 }, status: 3, saying: name, "checksum")
    expectError(try fault { $0 = $0.prefix(50) }, status: 3, saying: name, "truncated")
    expectError(try fault { $0.append(0) }, status: 3, saying: name, "checksum")
    expectError(
      try shop.command("verify", shop.folder("absent.stol")), status: 6, saying: "absent.stol")
    let link = try shop.command.shell(
      "cd '\(shop.folder.path)' && ln -s a.stol l.stol && stol verify l.stol")
    expectError(link, status: 6, saying: "l.stol")
    expectError(
      try shop.command("verify", try SmallTaxonomy.pack, "--key", key), status: 2, saying: "--key")
  }

  @Test func refusesWhatCannotBeSigned() throws {
    let shop = try Workshop()
    try Data("wrong".utf8).write(to: URL(fileURLWithPath: shop.folder("wrong")))
    expectError(
      try shop.sign("a.stol", "--passphrase-file", shop.folder("wrong")), status: 2,
      saying: "a.key", "wrong passphrase")
    expectError(try shop.sign("a.stol", "--dataset", "No Good"), status: 2, saying: "--dataset")
    expectError(try shop.sign("a.stol", "--release", "0"), status: 2, saying: "--release")
    expectError(try shop.sign("a.stol", "--with-pack"), status: 2, saying: "--format 2")
    expectError(try shop.sign("a.sqlite"), status: 2, saying: "replace")
    expectError(try shop.sign("a.stol", "--key", shop.folder("a.pub")), status: 3, saying: "a.pub")
    expectError(try shop.keygen("a"), status: 2, saying: "a.key", "already")
    let undated = try shop.command(
      "db", "sign", shop.folder("a.sqlite"), "-o", shop.folder("a.stol"), "--key",
      shop.folder("a.key"), "--dataset", "x", "--release", "1", "--passphrase-file",
      shop.folder("pass"))
    expectError(undated, status: 2, saying: "a.sqlite", "--build-time")
    #expect(try shop.folder.contents == ["a.key", "a.pub", "a.sqlite", "pass", "wrong"])
  }

  @Test func secretKeyIsTheOwnersOnlyAndNeverShown() throws {
    let shop = try Workshop()
    let mode = try FileManager.default.attributesOfItem(atPath: shop.folder("a.key"))
    #expect(mode[.posixPermissions] as? Int == 0o600)
    let outcome = try shop.command.shell(
      "printf 'from a pipe\\n' | stol db keygen -o '\(shop.folder("p"))' --passphrase-file -")
    expect(outcome, status: 0)
    #expect(outcome.text == "" && outcome.errorLines.count == 1)
    #expect(!outcome.errorText.contains("pipe"))
  }

  @Test(.enabled(if: Terminal.isAvailable, "needs the command script"))
  func passphraseIsAskedTwiceWithoutEcho() throws {
    let shop = try Workshop()
    let line = "'\(Command.path)' db keygen -o '\(shop.folder("t"))'"
    for (second, status) in [("hush\\n", 0), ("other\\n", 2)] as [(String, Int32)] {
      let outcome = try shop.command.shell(
        """
        { sleep 1; printf 'hush\\n'; sleep 1; printf '\(second)'; sleep 2; } \
          | \(Terminal.script) -qec "\(line)" /dev/null
        """)
      #expect(outcome.status == status, "\(outcome.text)")
      #expect(outcome.text.contains("The same again: "))
      #expect(!outcome.text.contains("hush") && !outcome.text.contains("other"))
      try? FileManager.default.removeItem(atPath: shop.folder("t.key"))
      try? FileManager.default.removeItem(atPath: shop.folder("t.pub"))
    }
  }
}

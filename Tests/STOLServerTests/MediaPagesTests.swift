import Foundation
import STOLData
import STOLMedia
import STOLPack
import STOLSystem
import STOLTrust
import TestSupport
import Testing

@testable import STOLServer

/// Packs of images and keys, from the first page to the last without a command.
@Suite struct MediaPagesTests {
  private let folder: TemporaryFolder
  private let directory: DataDirectory
  private let pages: Pages

  private static let vectors = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Format/vectors").path
  private static let sample = vectors + "/media/valid/sample.stol-media"

  /// The key of the vectors, which everybody knows.
  private static var key: VerifyingKey {
    get throws { try VerifyingKey(path: vectors + "/container/test.pub") }
  }

  init() throws {
    folder = try TemporaryFolder()
    var rows = Rows()
    let life = rows.add("Biota", "domain", "life")
    rows.add("Panthera leo", "species", below: life, "lion")
    let path = folder.path + "/small.stolpack"
    try rows.write(to: path)
    directory = DataDirectory(override: folder.path + "/home")
    var options = Explorer.Options(directory: directory, version: "stol 0")
    options.packPath = path
    pages = Pages(services: try Services(options), token: "secret")
  }

  private func visit(_ target: String, _ form: Fields? = nil, _ file: SentFile? = nil) async throws
    -> Reply
  {
    let parts = target.split(separator: "?", maxSplits: 1)
    let query = try #require(Fields(parsing: parts.dropFirst().first ?? ""))
    let address = try #require(Address(path: String(parts[0]), query: query), "\(target)")
    var visit = Visit(address: address, form: form, language: "en")
    visit.files = file.map { [$0] } ?? []
    return await pages.reply(to: visit)
  }

  private func text(_ target: String) async throws -> String {
    let reply = try await visit(target)
    #expect(reply.status == 200, "\(target)")
    return String(decoding: reply.bytes, as: UTF8.self)
  }

  private func post(_ target: String, _ fields: String, _ file: SentFile? = nil) async throws
    -> (status: Int, location: String?, text: String)
  {
    let form: Fields = try #require(Fields(parsing: fields))
    let reply = try await visit(target, form, file)
    return (
      reply.status, reply.fields.first { $0.name == "location" }?.value,
      String(decoding: reply.bytes, as: UTF8.self)
    )
  }

  /// Lets a file arrive as from a browser; returns the state once it has settled.
  private func send(_ path: String, _ fields: String = "") async throws -> MediaInstalls.State {
    try FileManager.default.createDirectory(
      atPath: directory.media, withIntermediateDirectories: true)
    try? FileManager.default.removeItem(atPath: pages.mediaInstalls.uploadPath)
    #expect(await pages.mediaInstalls.beginUpload())
    try FileManager.default.copyItem(atPath: path, toPath: pages.mediaInstalls.uploadPath)
    await pages.mediaInstalls.arrived(try #require(Fields(parsing: fields)))
    return await settled()
  }

  private func settled() async -> MediaInstalls.State {
    for _ in 0..<10_000 {
      let state = await pages.mediaInstalls.state
      guard state.isBusy else { return state }
      try? await Task.sleep(for: .milliseconds(2))
    }
    return await pages.mediaInstalls.state
  }

  private var uploads: [String] {
    fileNames(inFolder: directory.media).filter { $0.hasPrefix("upload-") }
  }

  private func packs() async -> [String] {
    await pages.services.media.availableMediaPacks().map(\.id.text)
  }

  private func trust(_ name: String = "sample") async throws {
    let done = try await post(
      "/settings/keys/trust", "key=\(try Self.key.hexadecimal)&dataset=\(name)&compared=yes")
    #expect(done.status == 303)
  }

  // MARK: - From the first page to the last

  @Test func aPackWaitsUntilItsSignerIsTrusted() async throws {
    #expect(try await text("/settings/media").contains("None is installed."))
    guard case .untrusted(let signer) = try await send(Self.sample) else {
      Issue.record("nobody asked whether its signer is trusted")
      return
    }
    #expect(signer.release?.dataset.text == "sample")
    #expect(await packs() == [] && uploads.count == 1)
    let question = try await text("/settings/media/import")
    #expect(question.contains("Do you trust whoever made it?"))
    #expect(question.contains("9e08 71ff f951 4718"))
    // The key is looked at, and trusts nobody by that.
    let file = SentFile(
      name: "release.pub", bytes: Array(try Self.key.fileText.utf8))
    let looked = try await post("/settings/keys", "", file)
    let decision = try #require(looked.location)
    #expect(decision == "/settings/keys/trust?key=\(try Self.key.hexadecimal)&name=release")
    #expect(try Keyring(folder: directory.keys).trustedKeys.isEmpty)
    let page = try await text(decision)
    #expect(page.contains("392f f420 a39d 00d5"))
    #expect(page.contains("sample, release 1: waits for your decision"))
    #expect(page.contains("name=\"dataset\" value=\"sample\" checked"))
    // Without comparing there is no trust.
    let fields = "key=\(try Self.key.hexadecimal)&name=release&dataset=sample"
    let refused = try await post("/settings/keys/trust", fields)
    #expect(refused.status == 400 && refused.text.contains("Compare the digits first"))
    #expect(try Keyring(folder: directory.keys).trustedKeys.isEmpty)
    let done = try await post("/settings/keys/trust", fields + "&compared=yes")
    #expect(done.status == 303 && done.location == "/settings/media/import")
    guard case .done(let pack) = await settled() else {
      Issue.record("it is not installed")
      return
    }
    #expect(await packs() == [pack.id.text] && uploads.isEmpty)
    #expect(try await text("/settings/media/import").contains("The pack is installed"))
    #expect(try await text("/settings/media").contains("9e08 71ff f951 4718"))
    let keys = try await text("/settings/keys")
    #expect(keys.contains("It may sign: sample.") && keys.contains("which are installed."))
    // Another look at the same asks nothing any more.
    guard case .done = try await send(Self.sample) else {
      Issue.record("it is not installed again")
      return
    }
  }

  @Test func aPackIsRemovedOnceSomebodySaysSo() async throws {
    try await trust()
    _ = try await send(Self.sample)
    let question = try await text("/settings/media/delete?pack=sample")
    #expect(question.contains("name=\"pack\" value=\"sample\""))
    #expect(await packs() == ["sample"])
    #expect(try await visit("/settings/media/delete?pack=nobody").status == 303)
    #expect(try await post("/settings/media/delete", "pack=..%2F..%2Fetc").status == 400)
    #expect(try await post("/settings/media/delete", "pack=nobody").status == 404)
    #expect(await packs() == ["sample"])
    let done = try await post("/settings/media/delete", "pack=sample")
    #expect(done.status == 303 && done.location == "/settings/media")
    #expect(await packs() == [])
    #expect(try await post("/settings/media/delete", "pack=sample").status == 404)
  }

  // MARK: - Refusals

  @Test func eachRefusalSaysWhatToDo() async throws {
    try await trust()
    _ = try await send(Self.sample)
    let sample = try Data(contentsOf: URL(fileURLWithPath: Self.sample))
    var changed = sample
    changed[sample.count - 1] ^= 1
    var foreign = sample
    foreign[40] ^= 1
    let cases: [(String, Data, String)] = [
      ("nothing", Data(), "It is not such a file."),
      ("a picture", Data([0x89, 0x50, 0x4E, 0x47]) + Data(count: 500), "It is not such a file."),
      ("cut", sample.prefix(sample.count / 2), "Get it again"),
      ("of the head only", sample.prefix(200), "Get it again"),
      ("changed", changed, "Get it again"),
      ("a database", try vector("container/valid/v2.stol"), "It holds a database."),
    ]
    for (name, data, words) in cases {
      let path = folder.path + "/sent"
      try data.write(to: URL(fileURLWithPath: path))
      let state = try await send(path)
      guard case .failed(let refusal) = state else {
        Issue.record("\(name) was taken")
        continue
      }
      let page = try await text("/settings/media/import")
      #expect(page.contains(words), "\(name): \(refusal)")
      #expect(page.contains("Nothing has changed"), "\(name)")
      #expect(!page.contains("stol media") && !page.contains("stol db"), "\(name)")
      #expect(uploads.isEmpty && fileNames(inFolder: directory.media).count == 2, "\(name)")
    }
    #expect(await packs() == ["sample"])
  }

  private func vector(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: Self.vectors + "/" + name))
  }

  /// Every pack with a good signature that must be refused is, and what is installed stays.
  @Test func whatIsSignedAndWrongIsRefused() async throws {
    let names = fileNames(inFolder: Self.vectors + "/media/invalid").sorted()
    #expect(names.count > 30)
    try await trust("sample")
    _ = try await send(Self.sample)
    for dataset in ["test", "images", "animals"] { try await trust(dataset) }
    for name in names where name.hasSuffix(".stol-media") {
      let state = try await send(Self.vectors + "/media/invalid/" + name)
      if case .done = state { Issue.record("\(name) was taken") }
      let page = try await text("/settings/media/import")
      #expect(!page.contains("stol media") && !page.contains("stol db"), "\(name)")
      await pages.mediaInstalls.cancel()
      #expect(uploads.isEmpty, "\(name)")
    }
    #expect(await packs() == ["sample"])
  }

  @Test func whatWaitsCanBeLetGo() async throws {
    _ = try await send(Self.sample)
    #expect(uploads.count == 1)
    #expect(try await post("/settings/media/import", "action=cancel").status == 303)
    #expect(uploads.isEmpty)
    #expect(try await text("/settings/media/import").contains("stopped, as you asked"))
    #expect(try await post("/settings/media/import", "action=explode").status == 400)
    #expect(try await post("/settings/media/import", "").status == 400)
  }

  /// An installation waits for another process; whoever does not want to wait ends it.
  @Test func aLockedStoreIsWaitedForAndSaid() async throws {
    try await trust()
    _ = try await send(Self.sample)
    do {
      let lock = try FolderLock(path: directory.media)
      defer { _ = lock }
      let refused = try await post("/settings/media/delete", "pack=sample")
      #expect(refused.status == 409 && refused.text.contains("Another program changes this now"))
      #expect(await packs() == ["sample"])
      #expect(await pages.mediaInstalls.beginUpload())
      try FileManager.default.copyItem(
        atPath: Self.sample, toPath: pages.mediaInstalls.uploadPath)
      await pages.mediaInstalls.arrived(Fields())
      #expect(await !pages.mediaInstalls.beginUpload())
      #expect(try await post("/settings/media/import", "action=cancel").status == 303)
      guard case .failed(let refusal) = await settled() else {
        Issue.record("it was not ended")
        return
      }
      #expect(refusal == .cancelled)
    }
    try FileManager.default.createDirectory(
      atPath: directory.keys, withIntermediateDirectories: true)
    let lock = try FolderLock(path: directory.keys)
    defer { _ = lock }
    let fields = "key=\(try Self.key.hexadecimal)&dataset=other&compared=yes"
    let refused = try await post("/settings/keys/trust", fields)
    #expect(refused.status == 409 && refused.text.contains("Another program changes this now"))
    #expect(await packs() == ["sample"])
  }

  // MARK: - Keys

  @Test func whatIsNoKeyIsSaidSo() async throws {
    let secret = try vector("container/test.key")
    let refused = try await post(
      "/settings/keys", "", SentFile(name: "test.key", bytes: Array(secret)))
    #expect(refused.status == 400 && refused.text.contains("That is a secret key."))
    for text in ["", "stol-ed25519", "hello", try Self.key.hexadecimal, "\u{0}\u{1}"] {
      let refused = try await post(
        "/settings/keys", "", SentFile(name: "x.pub", bytes: Array(text.utf8)))
      #expect(refused.status == 400 && refused.text.contains("That is no key."), "\(text)")
    }
    // As a person pastes it.
    let line = try Self.key.fileText.replacing("\n", with: " ").replacing(" ", with: "+")
    #expect(try await post("/settings/keys", "text=++\(line)").status == 303)
    #expect(fileNames(inFolder: directory.keys).isEmpty)
  }

  @Test func aKeyIsTrustedForNamesOnly() async throws {
    let key = "key=\(try Self.key.hexadecimal)&compared=yes"
    for fields in ["", "&others=A+Name!", "&others=..%2Fx", "&dataset=%C3%A4", "&others=,"] {
      let refused = try await post("/settings/keys/trust", key + fields)
      #expect(refused.status == 400 && refused.text.contains("Say what the key may sign"))
    }
    #expect(try await post("/settings/keys/trust", "key=00&dataset=a&compared=yes").status == 400)
    #expect(try Keyring(folder: directory.keys).entries.isEmpty)
    #expect(
      try await post("/settings/keys/trust", key + "&others=birds,+mammals&unnamed=yes").status
        == 303)
    let page = try await text("/settings/keys")
    #expect(page.contains("It may sign: birds, mammals, files that do not say what they are."))
    #expect(try await visit("/settings/keys/trust?key=zz").status == 303)
  }

  @Test func aKeyIsForgottenOrNeverTrustedAgain() async throws {
    try await trust()
    let id = try Self.key.id
    #expect(try await text("/settings/keys/forget?key=\(id)").contains("Stop trusting this key?"))
    #expect(try await visit("/settings/keys/forget?key=0000000000000000").status == 303)
    #expect(try await post("/settings/keys/forget", "key=\(id)").status == 400)
    #expect(try await post("/settings/keys/forget", "key=\(id)&action=remove").status == 303)
    #expect(try Keyring(folder: directory.keys).entries.isEmpty)
    #expect(try await post("/settings/keys/forget", "key=\(id)&action=remove").status == 404)
    // It may be trusted again, but for one that was revoked.
    try await trust()
    #expect(try await post("/settings/keys/forget", "key=\(id)&action=revoke").status == 303)
    let refused = try await post(
      "/settings/keys/trust", "key=\(try Self.key.hexadecimal)&dataset=sample&compared=yes")
    #expect(refused.status == 409 && refused.text.contains("never trusted again"))
    guard case .failed(let refusal) = try await send(Self.sample) else {
      Issue.record("a pack of a revoked key was taken, or waits")
      return
    }
    #expect(refusal.kind == .revoked)
    #expect(try await text("/settings/keys").contains("never trusted again"))
  }
}

import Foundation
import STOLData
import STOLPack
import TestSupport
import Testing

@testable import STOLImport
@testable import STOLTrust
@testable import STOLMedia

@Suite("Making media packs")
struct MediaArchiveWriterTests {
  /// Makes a pack of a folder that was changed in some way.
  private func make(
    taxa: [Int] = [8], buildTime: BuildTime? = nil,
    files: (String) throws -> Void = { _ in },
    changing change: (inout [String: Any]) -> Void = { _ in }
  ) throws -> MediaManifest {
    let folder = try TemporaryFolder()
    try TestMedia.writeFolder(folder("d"), taxa: taxa, changing: change)
    try files(folder("d"))
    let writer = MediaArchiveWriter(
      folder: folder("d"), id: try TestMedia.id("animals"), releaseNumber: 1, buildTime: buildTime)
    do {
      _ = try writer.write(to: folder("out"))
    } catch {
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["d"])
      throw error
    }
    return try MediaArchive(path: folder("out")).manifest
  }

  private func image(_ change: [String: Any?]) -> (inout [String: Any]) -> Void {
    { manifest in
      var about = TestMedia.about(8, "8.png")
      for (name, value) in change { about[name] = value }
      manifest["images"] = [about]
    }
  }

  @Test func fillsInSizesDigestsAndTypes() throws {
    let manifest = try make(taxa: [8, 1])
    #expect(manifest.images.map(\.byteCount) == [9, 9])
    #expect(manifest.images.map(\.about.taxon.id) == ["8", "1"])
    #expect(manifest.images[0].digest == SHA256.digest(of: TestMedia.image("8")))
    #expect(manifest.images.map(\.type) == [.png, .png])
  }

  @Test func givesTheSameBytesAgain() throws {
    let folder = try TemporaryFolder()
    let first = try TestMedia.container(in: folder, "a")
    let second = try TestMedia.container(in: folder, "b")
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: first))
        == Data(contentsOf: URL(fileURLWithPath: second)))
  }

  @Test func manifestsAreReadAsTheyAreWritten() throws {
    let title = "\"quoted\\\" \u{1F981} e\u{301} \u{E9} </script> \u{202E}"
    let manifest = try make(changing: { $0["title"] = title })
    #expect(manifest.title.unicodeScalars.elementsEqual(title.unicodeScalars))
    #expect(try MediaManifest(bytes: manifest.bytes) == manifest)
  }

  @Test(arguments: [
    "../8.png", "/etc/passwd", "a/8.png", "a\\8.png", "C:8.png", "..", ".", ".hidden", "", "a b",
    "8\u{0}.png", "8.png\n", "\u{FF0E}\u{FF0E}", "l\u{F6}we.png",
    String(repeating: "x", count: 129),
  ])
  func refusesNamesThatCouldBePaths(_ name: String) throws {
    let error = #expect(throws: MediaError.self) { try make(changing: image(["file": name])) }
    guard case .imageMalformed(_, let reason)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.hasPrefix("file: "))
  }

  @Test func refusesLinksAndMissingFiles() throws {
    let system = #expect(throws: MediaError.self) {
      try make(files: { folder in
        try FileManager.default.removeItem(atPath: folder + "/8.png")
        try FileManager.default.createSymbolicLink(
          atPath: folder + "/8.png", withDestinationPath: "/etc/hostname")
      })
    }
    guard case .file? = system else {
      Issue.record("\(String(describing: system))")
      return
    }
    #expect(throws: MediaError.self) { try make(changing: image(["file": "none.png"])) }
    #expect(throws: MediaError.self) {
      try make(files: { try FileManager.default.removeItem(atPath: $0 + "/manifest.json") })
    }
  }

  @Test func refusesImagesOfNoTypeOfAnotherTypeOrTooLarge() throws {
    func replacing(_ bytes: [UInt8]) -> (String) throws -> Void {
      { try Data(bytes).write(to: URL(fileURLWithPath: $0 + "/8.png")) }
    }
    let none = "its bytes are none of png, jpeg, webp, heic"
    for bytes in [Array("<svg/>".utf8), Array(TestMedia.png.dropLast()), [0]] {
      expectError(.imageMalformed(image: "8.png", reason: none)) {
        _ = try make(files: replacing(bytes))
      }
    }
    expectError(.imageType(image: "8.png", expected: .jpeg)) {
      _ = try make(changing: image(["type": "jpeg"]))
    }
    expectError(.imageMalformed(image: "8.png", reason: "0 bytes, not from 1 to 16777216")) {
      _ = try make(files: replacing([]))
    }
    let large = TestMedia.png + [UInt8](repeating: 0, count: MediaLayout.imageLimit)
    #expect(throws: MediaError.self) { try make(files: replacing(large)) }
    #expect(try make(files: replacing(Array(large.dropLast(8)))).images[0].byteCount == 16 << 20)
  }

  @Test func needsABuildTimeFromSomewhere() throws {
    expectError(.buildTimeMissing) { _ = try make(changing: { $0["buildTime"] = nil }) }
    let time = try #require(BuildTime("2026-05-05"))
    let manifest = try make(buildTime: time, changing: { $0["buildTime"] = nil })
    #expect(manifest.release.buildTime == time)
  }

  @Test func limitsTheNumberOfImages() throws {
    let image = TestMedia.about(8, "8.png")
    expectError(.manifestMalformed(reason: "images: 10001, not from 1 to 10000")) {
      _ = try make(changing: { $0["images"] = Array(repeating: image, count: 10_001) })
    }
    let twice = "file: another image has this name"
    expectError(.imageMalformed(image: "8.png", reason: twice)) {
      _ = try make(changing: { $0["images"] = Array(repeating: image, count: 10_000) })
    }
  }

  @Test func tellsTypesByTheirFirstBytes() {
    let webp = Array("RIFF".utf8) + [1, 2, 3, 4] + Array("WEBPVP8".utf8)
    let heic = [0, 0, 0, 24] + Array("ftypheic".utf8)
    #expect(MediaImageType(bytes: TestMedia.png) == .png)
    #expect(MediaImageType(bytes: [0xFF, 0xD8, 0xFF] as [UInt8]) == .jpeg)
    #expect(MediaImageType(bytes: webp) == .webp)
    #expect(MediaImageType(bytes: heic) == .heic)
    for bytes in [TestMedia.png, [0xFF, 0xD8, 0xFF], Array(webp.prefix(12)), heic] {
      for length in bytes.indices {
        #expect(MediaImageType(bytes: bytes[..<length]) == nil)
      }
    }
  }
}

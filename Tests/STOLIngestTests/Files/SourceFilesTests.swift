import Foundation
import STOLIngest
import TestSupport
import Testing
import STOLFormats

struct SourceFilesTests {
  private static let content: [(String, String)] = [
    ("data/Taxon.tsv", "id\tname\n1\tAus\n"), ("meta.xml", "<archive/>"), ("Ünï.txt", "x"),
  ]

  private func expectContent(_ files: SourceFiles, _ names: [String]) throws {
    #expect(files.names == names)
    for (name, text) in Self.content {
      let found = try #require(
        files.find(name.split(separator: "/").suffix(1).joined().uppercased()))
      #expect(found == name)
      #expect(try files.contents(of: found, limit: 100) == Array(text.utf8))
    }
    #expect(files.find("nothing") == nil)
    #expect(throws: FormatError.missingFile(path: files.path, name: "nothing")) {
      try files.open("nothing")
    }
    #expect(throws: FormatError.self) { try files.contents(of: "meta.xml", limit: 5) }
  }

  private static let names = ["data/Taxon.tsv", "meta.xml", "Ünï.txt"]

  @Test(arguments: [false, true]) func readsZips(isDeflated: Bool) throws {
    let folder = try TemporaryFolder()
    var zip = ZipBuilder()
    try zip.add("data/".utf8, [], mode: 0o40755)
    for (name, text) in Self.content {
      try zip.add(name.utf8, Array(text.utf8), isDeflated: isDeflated)
    }
    try zip.add("__MACOSX/._meta.xml".utf8, [1])
    let path = try folder.write(zip.archive, to: "named.whl")
    try expectContent(SourceFiles(path: path), Self.names)
  }

  @Test(arguments: [false, true]) func readsTars(isCompressed: Bool) throws {
    let folder = try TemporaryFolder()
    var tar = TarBuilder()
    tar.add("./", [], type: "5")
    for (name, text) in Self.content { tar.add("./" + name, Array(text.utf8)) }
    let bytes = isCompressed ? try gzip(tar.archive) : tar.archive
    try expectContent(SourceFiles(path: folder.write(bytes, to: "a")), Self.names)
  }

  @Test func readsFolders() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder("data"), withIntermediateDirectories: true)
    for (name, text) in Self.content { try folder.write(text.utf8, to: name) }
    try folder.write([1], to: ".hidden")
    try folder.makePipe("pipe")
    try FileManager.default.createSymbolicLink(atPath: folder("link"), withDestinationPath: "/")
    try FileManager.default.createSymbolicLink(
      atPath: folder("link.txt"), withDestinationPath: "meta.xml")
    try expectContent(SourceFiles(path: folder.path), Self.names)
  }

  @Test func readsOneFileAndOneCompressedFile() throws {
    let folder = try TemporaryFolder()
    let text = Array("id\tname\n".utf8)
    let plain = try SourceFiles(path: folder.write(text, to: "a.txt"))
    #expect(plain.names == ["a.txt"])
    #expect(try plain.contents(of: "a.txt", limit: 100) == text)
    let compressed = try SourceFiles(path: folder.write(gzip(text), to: "b.txt.gz"))
    #expect(compressed.names == ["b.txt"])
    #expect(try compressed.contents(of: "b.txt", limit: 100) == text)
    try folder.write([], to: "empty")
    #expect(try SourceFiles(path: folder("empty")).contents(of: "empty", limit: 0) == [])
  }

  @Test func inflatesCompressedFilesInFoldersAndArchives() throws {
    let folder = try TemporaryFolder()
    let long = [UInt8](repeating: 0x61, count: 3_000_000)
    try folder.write(gzip(long), to: "t.txt.gz")
    #expect(try SourceFiles(path: folder.path).contents(of: "t.txt", limit: 1 << 30) == long)
    var zip = ZipBuilder()
    try zip.add("t.txt.gz".utf8, gzip(long))
    try folder.write(zip.archive, to: "z.zip")
    let files = try SourceFiles(path: folder("z.zip"))
    let stream = try files.open("t.txt")
    var count = 0
    while case let chunk = try stream.next(), !chunk.isEmpty { count += chunk.count }
    #expect(count == long.count)
  }

  @Test func aPipeIsRefusedAtOnce() throws {
    let folder = try TemporaryFolder()
    try folder.makePipe("pipe")
    #expect(throws: FormatError.self) { try SourceFiles(path: folder("pipe")) }
    #expect(throws: FormatError.self) { try SourceFiles(path: folder("missing")) }
  }

  @Test func namesInNoKnownEncodingAreRepairedOrReplaced() throws {
    let folder = try TemporaryFolder()
    var zip = ZipBuilder()
    try zip.add([0x61, 0xE9, 0x62], [1], isUTF8: false)
    try zip.add([0x62, 0xFF], [1])
    try zip.add("c".utf8, [2])
    let files = try SourceFiles(path: folder.write(zip.archive, to: "z"))
    #expect(files.names == ["a\u{FFFD}b", "c", "entry 2"])
    #expect(try files.contents(of: "c", limit: 1) == [2])
  }

  @Test func filesThatHardlyShrinkAreNoBombs() throws {
    let folder = try TemporaryFolder()
    var generator = SeededGenerator(seed: 3)
    let bytes = (0..<2_000_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
    var zip = ZipBuilder()
    var tar = TarBuilder()
    for name in ["a", "b", "c"] {
      try zip.add(name.utf8, bytes, isDeflated: true)
      tar.add(name, bytes)
    }
    var limits = SourceLimits()
    limits.ratioFloor = 1024
    limits.ratioLimit = 4
    for archive in [zip.archive, tar.archive, try gzip(tar.archive)] {
      let files = try SourceFiles(path: folder.write(archive, to: "a"), limits: limits)
      for name in files.names.reversed() {
        #expect(try files.contents(of: name, limit: 1 << 30) == bytes)
      }
    }
  }

  @Test func filesOfArchivesAreReadInAnyOrder() throws {
    let folder = try TemporaryFolder()
    var zip = ZipBuilder()
    var tar = TarBuilder()
    let contents = ["a": 0x61, "b": 0x62, "c": 0x63].mapValues {
      [UInt8](repeating: $0, count: 600_000)
    }
    for (name, bytes) in contents.sorted(by: { $0.key < $1.key }) {
      try zip.add(name.utf8, bytes, isDeflated: true)
      tar.add(name, bytes)
    }
    for archive in [zip.archive, tar.archive] {
      let files = try SourceFiles(path: folder.write(archive, to: "x"))
      for number in 0..<81 {
        // Some are read only in part, as for the first lines of a table.
        let order = [27, 9, 3, 1].map { ["a", "b", "c"][number / $0 % 3] }
        for (place, name) in order.enumerated() {
          if (place + number).isMultiple(of: 3) {
            #expect(try files.open(name).next().first == contents[name]?.first)
          } else {
            #expect(try files.contents(of: name, limit: 1 << 20) == contents[name])
          }
        }
        let streams = try order.map { try ($0, files.open($0)) }
        for (name, stream) in streams + streams {
          #expect(try stream.next().first == contents[name]?.first)
        }
      }
    }
  }

  @Test func theLeastDeepOfTwoFilesIsFound() throws {
    let folder = try TemporaryFolder()
    var tar = TarBuilder()
    for name in ["a/b/T.txt", "z/t.txt", "a/c/t.txt"] { tar.add(name, []) }
    let files = try SourceFiles(path: folder.write(tar.archive, to: "t"))
    #expect(files.find("t.txt") == "z/t.txt")
    #expect(files.find("A/B/t.TXT") == "a/b/T.txt")
  }
}

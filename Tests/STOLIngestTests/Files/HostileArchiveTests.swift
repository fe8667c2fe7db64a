import STOLIngest
import TestSupport
import Testing
import STOLFormats

struct HostileArchiveTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func isUnsafe(_ bytes: [UInt8]) throws -> Bool {
    let path = try folder.write(bytes, to: "a")
    do {
      _ = try SourceFiles(path: path)
      return false
    } catch {
      guard case .unsafeArchive = error else { throw error }
      return true
    }
  }

  private static let names = [
    "/etc/passwd", "../a", "a/../../b", "a/..", "..\\a", "\\a", "C:\\a", "C:/a", "a\nb", "a\u{7F}",
    "a\u{1B}[2Jb", "a\u{85}b",
  ]

  @Test(arguments: names) func refusesNamesThatLeadOut(name: String) throws {
    var zip = ZipBuilder()
    try zip.add("good.txt".utf8, [1])
    try zip.add(name.utf8, [1])
    #expect(try isUnsafe(zip.archive))
    var tar = TarBuilder()
    tar.add("good.txt", [1])
    tar.add(name, [1])
    #expect(try isUnsafe(tar.archive))
    #expect(try isUnsafe(gzip(tar.archive)))
  }

  @Test(arguments: ["1", "2", "3", "4", "6"] as [Character])
  func refusesLinksAndDevicesInTars(type: Character) throws {
    var tar = TarBuilder()
    tar.add("a", [], type: type)
    #expect(try isUnsafe(tar.archive))
  }

  @Test(arguments: [0o120777, 0o20666, 0o60666]) func refusesLinksAndDevicesInZips(
    mode: Int
  ) throws {
    var zip = ZipBuilder()
    try zip.add("a".utf8, Array("/etc/passwd".utf8), mode: mode)
    #expect(try isUnsafe(zip.archive))
  }

  @Test func refusesTwoFilesOfOneName() throws {
    var zip = ZipBuilder()
    try zip.add("a".utf8, [1])
    try zip.add("./a".utf8, [2])
    #expect(try isUnsafe(zip.archive))
  }

  @Test func aNameWithNULNeverReachesAnyone() throws {
    var zip = ZipBuilder()
    try zip.add("a.txt\u{0}../../b".utf8, [1])
    let files = try? SourceFiles(path: folder.write(zip.archive, to: "a"))
    #expect(files == nil || files?.names == ["a.txt"])
  }

  @Test func anEncryptedFileIsNamed() throws {
    var zip = ZipBuilder()
    try zip.add("secret.txt".utf8, [UInt8](repeating: 1, count: 40), isEncrypted: true)
    let path = try folder.write(zip.archive, to: "a")
    do {
      _ = try SourceFiles(path: path)
      Issue.record("it was opened")
    } catch {
      #expect(error.description.contains("secret.txt is encrypted"))
    }
  }

  @Test func refusesBombs() throws {
    var limits = SourceLimits()
    limits.ratioFloor = 1 << 20
    limits.ratioLimit = 20
    let zeros = [UInt8](repeating: 0, count: 8 << 20)
    var zip = ZipBuilder()
    try zip.add("a".utf8, zeros, isDeflated: true)
    for bytes in [zip.archive, try gzip(zeros)] {
      let files = try SourceFiles(path: folder.write(bytes, to: "a"), limits: limits)
      let name = files.names[0]
      do {
        _ = try files.contents(of: name, limit: .max)
        Issue.record("it was read")
      } catch {
        guard case .unsafeArchive(_, name, _) = error else { throw error }
      }
      _ = try SourceFiles(path: folder("a")).contents(of: name, limit: .max)
    }
  }

  @Test func limitsEntriesAndBytes() throws {
    var tar = TarBuilder()
    for name in ["a", "b", "c"] { tar.add(name, [UInt8](repeating: 1, count: 1000)) }
    let path = try folder.write(tar.archive, to: "a")
    var limits = SourceLimits()
    limits.entryLimit = 2
    #expect(throws: FormatError.tooLarge(path: path, what: "it has 3 files or more", limit: 2)) {
      try SourceFiles(path: path, limits: limits)
    }
    limits = SourceLimits()
    limits.byteLimit = 2999
    #expect(throws: FormatError.self) { try SourceFiles(path: path, limits: limits) }
    limits.byteLimit = 3000
    let files = try SourceFiles(path: path, limits: limits)
    for _ in 0..<2 {
      for name in files.names { #expect(try files.contents(of: name, limit: 1000).count == 1000) }
    }
  }

  @Test func aLengthThatNoDiskHoldsIsRefusedBeforeItIsSkipped() throws {
    var tar = TarBuilder()
    tar.add("a", [1], byteCount: 0o7_777_777_777)
    tar.add("b", [1])
    var limits = SourceLimits()
    limits.byteLimit = 1 << 29
    let path = try folder.write(gzip(tar.archive), to: "a")
    #expect(throws: FormatError.self) { try SourceFiles(path: path, limits: limits) }
  }

  /// Opens and reads everything; how it fails is its own matter.
  private func read(_ bytes: [UInt8]) throws -> [[UInt8]]? {
    let path = try folder.write(bytes, to: "cut")
    guard let files = try? SourceFiles(path: path) else { return nil }
    var contents: [[UInt8]] = []
    for name in files.names {
      guard let bytes = try? files.contents(of: name, limit: 1 << 20) else { return nil }
      contents.append(bytes)
    }
    return contents
  }

  @Test func noTruncationOfAZipGivesWrongBytes() throws {
    var zip = ZipBuilder()
    try zip.add("a.txt".utf8, Array("some text, some text".utf8), isDeflated: true)
    try zip.add("b.txt".utf8, Array("other".utf8))
    let whole = try #require(try read(zip.archive))
    #expect(whole.count == 2)
    for length in 4..<zip.archive.count { #expect(try read(Array(zip.archive[..<length])) == nil) }
  }

  @Test func noTruncationOfACompressedTarGivesWrongBytes() throws {
    var tar = TarBuilder()
    tar.add("a.txt", Array("some text".utf8))
    let bytes = try gzip(tar.archive)
    for length in 20..<bytes.count { _ = try read(Array(bytes[..<length])) }
    for length in stride(from: 512, to: 1024, by: 7) {
      #expect(
        try read(Array(tar.archive[..<length])) != [Array("some text".utf8)] || length >= 1024)
    }
  }

  @Test func flippedBytesOfAZipNeverCrash() throws {
    var zip = ZipBuilder()
    try zip.add("a.txt".utf8, Array("some text, some text".utf8), isDeflated: true)
    let bytes = zip.archive
    for offset in bytes.indices {
      for mask: UInt8 in [1, 0xFF] {
        var changed = bytes
        changed[offset] ^= mask
        _ = try read(changed)
      }
    }
  }

  @Test func aCutGzipFileSaysWhichFile() throws {
    let bytes = try gzip((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) })
    let path = try folder.write(bytes.dropLast(100), to: "t.txt.gz")
    let files = try SourceFiles(path: path)
    #expect(
      throws: FormatError.unreadable(path: path, reason: "the gzip stream ends too early")
    ) { try files.contents(of: "t.txt", limit: 1 << 20) }
  }
}

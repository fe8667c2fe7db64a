import Foundation
import STOLGzip
import STOLSystem
import TestSupport
import Testing

@testable import STOLImport
@testable import STOLTrust
@testable import STOLPack

@Suite("Containers")
struct ContainerTests {
  @Test(arguments: TestContainer.Kind.allCases)
  func carriesWhatWasPutIn(_ kind: TestContainer.Kind) throws {
    let folder = try TemporaryFolder()
    try TestContainer.write(kind, to: folder("a.stol"))
    let contents = try TestContainer.read(folder("a.stol"))
    let database = try Data(contentsOf: URL(fileURLWithPath: TestContainer.database))
    #expect(contents[.database] == Array(database))
    if kind == .pack {
      let pack = try Data(contentsOf: URL(fileURLWithPath: TestContainer.pack))
      #expect(contents[.pack] == Array(pack))
    }
    let container = try Container(path: folder("a.stol")).verified(by: TestContainer.keyring)
    #expect(container.signer == (try TestContainer.key.verifyingKey))
    #expect(container.header.schemaVersion == 1)
    #expect(container.header.parts.count == (kind == .pack ? 2 : 1))
    #expect(container.header.release == (kind == .plain ? nil : try TestContainer.release))
    #expect(container.header.releaseNumber == (kind == .plain ? 0 : 7))
    #expect(try folder.contents == ["a.stol"])
  }

  @Test(arguments: TestContainer.Kind.allCases)
  func sameInputAndKeyGiveTheSameBytes(_ kind: TestContainer.Kind) throws {
    #expect(try TestContainer.bytes(kind) == TestContainer.bytes(kind))
  }

  @Test(arguments: TestContainer.Kind.allCases)
  func everyFlippedBitIsRefused(_ kind: TestContainer.Kind) throws {
    let folder = try TemporaryFolder()
    let bytes = try TestContainer.bytes(kind)
    for bit in 0..<bytes.count * 8 {
      var wrong = bytes
      wrong[bit / 8] ^= 1 << UInt8(bit % 8)
      let path = try folder.write(wrong, to: "a.stol")
      #expect(throws: ContainerError.self, "bit \(bit)") { try TestContainer.read(path) }
    }
    print("\(kind): \(bytes.count * 8) flipped bits refused")
  }

  @Test(arguments: TestContainer.Kind.allCases)
  func everyTruncationAndAnyTailIsRefused(_ kind: TestContainer.Kind) throws {
    let folder = try TemporaryFolder()
    let bytes = try TestContainer.bytes(kind)
    for count in 0..<bytes.count {
      let path = try folder.write(bytes.prefix(count), to: "a.stol")
      #expect(throws: ContainerError.self, "length \(count)") { try TestContainer.read(path) }
    }
    for tail in [[0], [1], bytes] {
      let path = try folder.write(bytes + tail, to: "a.stol")
      #expect(throws: ContainerError.self) { try TestContainer.read(path) }
    }
  }

  @Test func signatureIsCheckedBeforeAnyDecompression() throws {
    let folder = try TemporaryFolder()
    for kind in TestContainer.Kind.allCases {
      var bytes = try TestContainer.bytes(kind)
      let signature =
        kind == .plain || kind == .release
        ? ContainerLayout.V1.signature : ContainerLayout.V2.signature
      bytes[signature.lowerBound] ^= 1
      // A body that zlib would refuse too.
      for index in bytes.indices.suffix(20) { bytes[index] = 0xFF }
      let path = try folder.write(bytes, to: "a.stol")
      #expect(throws: ContainerError.signatureInvalid) { try TestContainer.read(path) }
    }
  }

  @Test func aSecondMemberOrTailUnderAGoodSignatureIsRefused() throws {
    let folder = try TemporaryFolder()
    let member = try TestContainer.gzip(TestContainer.sqlite)
    for tail in [member, [0], [UInt8](repeating: 0, count: 1 << 19)] {
      let path = try folder.write(TestContainer.signed(body: member + tail), to: "a.stol")
      #expect(throws: ContainerError.trailingData(part: .database)) { try TestContainer.read(path) }
    }
    let path = try folder.write(TestContainer.signed(body: member), to: "a.stol")
    #expect(try TestContainer.read(path)[.database] == TestContainer.sqlite)
  }

  @Test func bodiesThatAreNoDatabaseAreRefused() throws {
    let folder = try TemporaryFolder()
    let bodies: [([UInt8], ContainerError)] = [
      (
        try TestContainer.gzip([]),
        .databaseCorrupt(detail: "it does not begin as a SQLite database")
      ),
      (
        try TestContainer.gzip(Array("SQLite format 4\0 and more".utf8)),
        .databaseCorrupt(detail: "it does not begin as a SQLite database")
      ),
      (
        Array(try TestContainer.gzip(TestContainer.sqlite).dropLast()),
        .bodyCorrupt(part: .database, .truncated)
      ),
      (Array("no gzip, but a text".utf8), .bodyCorrupt(part: .database, .corrupt("zlib code -3"))),
    ]
    for (body, error) in bodies {
      let path = try folder.write(TestContainer.signed(body: body), to: "a.stol")
      #expect(throws: error) { try TestContainer.read(path) }
    }
  }

  @Test func decompressionStopsAtTheSignedLength() throws {
    let folder = try TemporaryFolder()
    let key = try TestContainer.key
    for (difference, error) in [
      (-1, ContainerError.bodyTooLong(part: .database, limit: (1 << 20) - 1)),
      (1, .bodyTooShort(part: .database, expected: (1 << 20) + 1, got: 1 << 20)),
      (0, .checksumMismatch(part: .database, isDecompressed: true)),
    ] {
      let content = TestContainer.sqlite + [UInt8](repeating: 0, count: (1 << 20) - 16)
      let block = ReleaseBlock(
        release: try TestContainer.release, keyID: key.verifyingKey.id,
        contentByteCount: content.count + difference, contentDigest: SHA256.digest(of: []))
      let body = try TestContainer.gzip(content, extraField: block.extraField)
      let path = try folder.write(TestContainer.signed(body: body), to: "a.stol")
      let container = try Container(path: path).verified(by: TestContainer.keyring)
      var got = 0
      #expect(throws: error) {
        try container.decompress(container.header.parts[0]) { got += $0.count }
      }
      #expect(got <= block.contentByteCount)
    }
  }

  @Test func aBombStopsAtTheLimit() throws {
    #expect(ContainerLayout.contentLimit == 4 << 30)
    let folder = try TemporaryFolder()
    // 64 MiB of zeros after the head, 64 KB compressed; plain version 1 signs no length.
    let content = TestContainer.sqlite + [UInt8](repeating: 0, count: 64 << 20)
    let body = try TestContainer.gzip(content)
    let path = try folder.write(TestContainer.signed(body: body), to: "a.stol")
    var container = try Container(path: path).verified(by: TestContainer.keyring)
    container.contentLimit = 1 << 20
    var got = 0
    var error: ContainerError?
    do {
      try container.decompress(container.header.parts[0]) { got += $0.count }
    } catch let caught as ContainerError {
      error = caught
    }
    #expect(error == .bodyTooLong(part: .database, limit: 1 << 20))
    #expect(got <= 1 << 20)
  }

  @Test func bytesThatChangeMidwayAreRefused() throws {
    let folder = try TemporaryFolder()
    let good = try TestContainer.bytes(.plain)
    // Another valid body of the same length, not signed.
    var other = try TestContainer.gzip(Array("SQLite format 3\0other".utf8))
    other = good.prefix(108) + other
    other += [UInt8](repeating: 0, count: good.count - other.count)
    for replacement in [other, Array(good.prefix(200)), []] {
      let path = try folder.write(good, to: "a.stol")
      let container = try Container(path: path).verified(by: TestContainer.keyring)
      let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
      try handle.truncate(atOffset: UInt64(replacement.count))
      try handle.seek(toOffset: 0)
      try handle.write(contentsOf: Data(replacement))
      try handle.close()
      #expect(throws: ContainerError.self) { try container.decompress(container.header.parts[0]) }
    }
    // A change that decompresses well is found by hashing again: only the gzip time differs.
    var retimed = good
    retimed[108 + 4] ^= 1
    let path = try folder.write(good, to: "a.stol")
    let container = try Container(path: path).verified(by: TestContainer.keyring)
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try handle.write(contentsOf: Data(retimed))
    try handle.close()
    #expect(throws: ContainerError.fileChanged) {
      try container.decompress(container.header.parts[0])
    }
  }

  @Test func aFileThatIsReplacedByNameChangesNothing() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(TestContainer.bytes(.release), to: "a.stol")
    let container = try Container(path: path).verified(by: TestContainer.keyring)
    try FileManager.default.removeItem(atPath: path)
    _ = try folder.write(Array("something else".utf8), to: "a.stol")
    try container.decompress(container.header.parts[0])
  }

  @Test func linksPipesDevicesAndFoldersAreRefused() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(TestContainer.bytes(.plain), to: "a.stol")
    try FileManager.default.createSymbolicLink(atPath: folder("link"), withDestinationPath: path)
    try folder.makePipe("pipe")
    for (path, code) in [
      (folder("link"), .symbolicLink), (folder("pipe"), .invalidArgument),
      ("/dev/zero", .invalidArgument), (folder.path, .isFolder), (folder("absent"), .noSuchFile),
    ] as [(String, SystemErrorCode)] {
      #expect(
        throws: ContainerError.fileUnreadable(
          SystemError(operation: "open", path: path, code: code))
      ) { try Container(path: path).byteCount }
    }
  }

  @Test func filesThatAreTooLargeAreRefusedUnread() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(TestContainer.bytes(.plain), to: "a.stol")
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try handle.truncate(atOffset: 1 << 31 + 1)
    try handle.close()
    #expect(throws: ContainerError.fileTooLarge(bytes: 1 << 31 + 1)) {
      try Container(path: path).byteCount
    }
  }

  @Test func newerVersionsAreNamed() throws {
    let folder = try TemporaryFolder()
    var bytes = try TestContainer.bytes(.database)
    bytes[7] = 3
    var path = try folder.write(bytes, to: "a.stol")
    #expect(throws: ContainerError.newerFormat(version: 3)) { try TestContainer.read(path) }
    bytes[7] = 2
    bytes[8] = 9
    path = try folder.write(bytes, to: "a.stol")
    #expect(throws: ContainerError.newerFormat(version: 9)) { try TestContainer.read(path) }
    for bytes in [[], Array("STOL".utf8), Array("SQLite format 3\0".utf8)] {
      path = try folder.write(bytes, to: "a.stol")
      #expect(throws: ContainerError.notAStolFile) { try TestContainer.read(path) }
    }
  }

  @Test func cancelsBetweenPieces() throws {
    struct Cancelled: Error {}
    let folder = try TemporaryFolder()
    let path = try folder.write(TestContainer.bytes(.pack), to: "a.stol")
    #expect(throws: Cancelled.self) {
      _ = try Container(path: path).verified(by: TestContainer.keyring) { _, _ in throw Cancelled()
      }
      .signer
    }
    #expect(throws: Cancelled.self) {
      let writer = ContainerWriter(schemaVersion: 1, release: nil, key: try TestContainer.key)
      try writer.writeVersion1(database: TestContainer.database, to: folder("b.stol")) { _, _ in
        throw Cancelled()
      }
    }
    #expect(try folder.contents == ["a.stol"])
  }
}

import Testing

@testable import STOLTrust

@Suite("SHA-256 by every library")
struct SHA256Tests {
  @Test(arguments: Library.allCases)
  func agreesWithFIPS180(_ library: Library) throws {
    let million = String(repeating: "a", count: 1_000_000)
    for (text, digest) in [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (million, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ] {
      var hash = library.sha256()
      hash.update(Array(text.utf8))
      #expect(Hexadecimal.text(hash.finish()) == digest)
      #expect(SHA256.digest(of: Array(text.utf8)).description == digest)
    }
  }

  /// Every length to 300 bytes and some beyond, whole and in pieces, and read before the end.
  @Test func librariesAgree() {
    for count in Array(0...300) + [1023, 1024, 65_537] {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255) }
      var digests: Set<[UInt8]> = [SHA256.digest(of: bytes).bytes]
      for library in Library.allCases {
        var whole = library.sha256()
        var pieces = library.sha256()
        whole.update(bytes)
        var rest = bytes[...]
        while !rest.isEmpty {
          let piece = rest.prefix(.random(in: 0...(count / 3 + 1)))
          pieces.update(Array(piece))
          _ = pieces.finish()
          rest = rest.dropFirst(piece.count)
        }
        digests.formUnion([whole.finish(), pieces.finish()])
      }
      #expect(digests.count == 1, "\(count) bytes")
    }
  }
}

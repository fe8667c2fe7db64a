import Foundation
import Testing

@testable import STOLTrust

@Suite("Ed25519 by every library")
struct Ed25519Tests {
  /// RFC 8032, section 7.1: seed, public key, message, signature.
  static let vectors = [
    (
      "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
      "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
      "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
        + "d25bf5f0595bbe24655141438e7a100b"
    ),
    (
      "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
      "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
      "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
        + "387b2eaeb4302aeeb00d291612bb0c00"
    ),
    (
      "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
      "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
      "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc659"
        + "4a7c15e9716ed28dc027beceea1ec40a"
    ),
  ]

  @Test(arguments: Library.allCases)
  func agreesWithTheRFC(_ library: Library) throws {
    for (seedText, publicKey, message, signature) in Self.vectors {
      let (seed, key) = (try seed(seedText.hexadecimal), try publicKey.hexadecimal)
      let (message, signature) = (try message.hexadecimal, try signature.hexadecimal)
      #expect(library.publicKey(ofSeed: seed) == key)
      let own = try #require(library.signature(of: message, seed: seed))
      #expect(library.isValid(own, message, key))
      #expect(library.isValid(signature, message, key))
      #if !canImport(CryptoKit)
      // Apple's own library gives another one every time.
      #expect(own == signature)
      #endif
    }
  }

  @Test(arguments: Library.allCases)
  func refusesSeedsOfAnotherLength(_ library: Library) throws {
    for count in [0, 31, 33, 64] {
      let seed = try seed([UInt8](repeating: 7, count: count))
      #expect(library.publicKey(ofSeed: seed) == nil)
      #expect(library.signature(of: [1], seed: seed) == nil)
    }
  }

  @Test(arguments: Library.allCases)
  func freshSeedsDiffer(_ library: Library) throws {
    let keys = try (0..<8).map { _ in
      let seed = try #require(library.randomSeed())
      return try #require(library.publicKey(ofSeed: seed))
    }
    #expect(Set(keys).count == keys.count)
  }

  /// A key and its signature of the bytes 1, 2, 3.
  private static func signed(
    _ library: Library
  ) throws -> (key: [UInt8], signature: [UInt8]) {
    let seed = try seed([UInt8](repeating: 1, count: 32))
    return (
      try #require(library.publicKey(ofSeed: seed)),
      try #require(library.signature(of: [1, 2, 3], seed: seed))
    )
  }

  @Test(arguments: Library.allCases)
  func everyFlippedBitOfASignatureIsRefused(_ library: Library) throws {
    let (key, signature) = try Self.signed(library)
    for bit in 0..<512 {
      var wrong = signature
      wrong[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(!library.isValid(wrong, [1, 2, 3], key))
    }
    #expect(!library.isValid(signature, [1, 2], key))
    for count in 0..<64 {
      let short = Array(signature.prefix(count))
      #expect(!library.isValid(short, [1, 2, 3], key))
    }
    for key in [[], Array(key.dropLast()), key + [0]] {
      #expect(!library.isValid(signature, [1, 2, 3], key))
    }
  }

  @Test(arguments: Library.allCases)
  func refusesSNotBelowTheGroupOrder(_ library: Library) throws {
    // S + L signs the same in the equation; accepted, it would make a second signature.
    var (key, signature) = try Self.signed(library)
    var carry = 0
    for index in 0..<32 {
      let sum = Int(signature[32 + index]) + Int(EncodedPoint.groupOrder[index]) + carry
      signature[32 + index] = UInt8(sum & 255)
      carry = sum >> 8
    }
    #expect(carry == 0)
    #expect(!library.isValid(signature, [1, 2, 3], key))
  }

  /// Points of order 1, 2, 4 and 8, encodings of them that are not canonical, no point at all, and a
  /// length other than 32 bytes.
  @Test(
    arguments: Encodings.ofSmallOrder + [
      "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
      "0200000000000000000000000000000000000000000000000000000000000000",
      "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f70751", "",
    ])
  func refusesBadPublicKeys(_ text: String) throws {
    #expect(throws: KeyError.invalidPublicKey) { try VerifyingKey(bytes: text.hexadecimal) }
  }

  /// A library that takes everything, behind the same rules.
  private enum Credulous: Ed25519Library {
    static func randomSeed() -> SecretBytes? { nil }
    static func publicKey(ofSeed seed: SecretBytes) -> [UInt8]? { nil }
    static func signature(of message: [UInt8], seed: SecretBytes) -> [UInt8]? { nil }
    static func mayBeOfPrimeOrder(_ point: [UInt8]) -> Bool { true }
    static func accepts(signature: [UInt8], of message: [UInt8], publicKey: [UInt8]) -> Bool {
      true
    }
  }

  @Test func rulesHoldWhateverALibraryTakes() throws {
    let point = try Self.vectors[0].1.hexadecimal
    func isValid(r: [UInt8], s: [UInt8], key: [UInt8]) -> Bool {
      Credulous.isValid(signature: r + s, of: [], publicKey: key)
    }
    let zero = [UInt8](repeating: 0, count: 32)
    #expect(isValid(r: point, s: zero, key: point))
    for text in Encodings.ofSmallOrder {
      #expect(!isValid(r: try text.hexadecimal, s: zero, key: point))
      #expect(!isValid(r: point, s: zero, key: try text.hexadecimal))
    }
    // The order itself, and numbers that differ from it in one byte.
    let order = EncodedPoint.groupOrder
    #expect(!isValid(r: point, s: order, key: point))
    for place in order.indices {
      for byte in UInt8.min ... .max where byte != order[place] {
        var s = order
        s[place] = byte
        #expect(isValid(r: point, s: s, key: point) == (byte < order[place]))
      }
    }
    for count in [0, 31, 33] {
      #expect(!isValid(r: point, s: [UInt8](repeating: 0, count: count), key: point))
    }
  }

  static let wycheproof = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent(".build-wycheproof/ed25519_test.json")

  private struct Wycheproof: Decodable {
    struct Case: Decodable {
      let tcId: Int
      let msg: String
      let sig: String
      let result: String
      let flags: [String]
    }
    struct Key: Decodable { let pk: String }
    struct Group: Decodable {
      let publicKey: Key
      let tests: [Case]
    }
    let numberOfTests: Int
    let testGroups: [Group]
  }

  @Test(
    .enabled(
      if: FileManager.default.fileExists(atPath: wycheproof.path),
      "Wycheproof's cases are not here; get them with Tools/fetch-wycheproof"),
    arguments: Library.allCases)
  func agreesWithWycheproof(_ library: Library) throws {
    let all = try JSONDecoder().decode(Wycheproof.self, from: Data(contentsOf: Self.wycheproof))
    var count = 0
    for group in all.testGroups {
      let key = try group.publicKey.pk.hexadecimal
      for test in group.tests {
        // What Wycheproof calls acceptable has a key of small order, which is refused, or one with a part
        // of small order, which is refused where the library can tell.
        let isValid = library.isValid(try test.sig.hexadecimal, try test.msg.hexadecimal, key)
        let isMixed = test.result == "acceptable" && test.flags == ["MixedOrderPublicKey"]
        if !isMixed || library != .cryptoKit {
          #expect(isValid == (test.result == "valid"), "case \(test.tcId)")
        }
        count += 1
      }
    }
    #expect(count == all.numberOfTests)
    print("Wycheproof: \(count) EdDSA cases by \(library)")
  }
}

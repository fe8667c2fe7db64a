import Foundation
import Testing

@testable import STOLImport
@testable import STOLTrust
import STOLSystem

@Suite("Ed25519 and SHA-256")
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

  @Test(arguments: vectors)
  func agreesWithTheRFC(seed: String, publicKey: String, message: String, signature: String) throws
  {
    let key = try SigningKey(seed: TestKey.secret(seed.hexadecimal))
    #expect(Hexadecimal.text(key.verifyingKey.bytes) == publicKey)
    #expect(Hexadecimal.text(try key.signature(of: message.hexadecimal)) == signature)
    #expect(
      key.verifyingKey.isValid(signature: try signature.hexadecimal, of: try message.hexadecimal))
  }

  @Test func everyFlippedBitOfASignatureIsRefused() throws {
    let key = try TestKey.signing(1)
    let signature = try key.signature(of: [1, 2, 3])
    for bit in 0..<512 {
      var wrong = signature
      wrong[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(!key.verifyingKey.isValid(signature: wrong, of: [1, 2, 3]))
    }
    #expect(!key.verifyingKey.isValid(signature: signature, of: [1, 2]))
    for count in 0..<64 {
      #expect(
        !key.verifyingKey.isValid(signature: Array(signature.prefix(count)), of: [1, 2, 3]))
    }
  }

  @Test func refusesSNotBelowTheGroupOrder() throws {
    // S + L signs the same in the equation; accepted, it would make a second signature.
    let order = try "edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010".hexadecimal
    let key = try TestKey.signing(2)
    var signature = try key.signature(of: [7])
    var carry = 0
    for index in 0..<32 {
      let sum = Int(signature[32 + index]) + Int(order[index]) + carry
      signature[32 + index] = UInt8(sum & 255)
      carry = sum >> 8
    }
    #expect(carry == 0)
    #expect(!key.verifyingKey.isValid(signature: signature, of: [7]))
  }

  /// Points of order 1, 2, 4 and 8, encodings of them that are not canonical, no point at all, and a
  /// length other than 32 bytes.
  @Test(arguments: [
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0000000000000000000000000000000000000000000000000000000000000080",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "0100000000000000000000000000000000000000000000000000000000000080",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
    "0200000000000000000000000000000000000000000000000000000000000000",
    "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f70751", "",
  ])
  func refusesBadPublicKeys(_ text: String) throws {
    #expect(throws: KeyError.invalidPublicKey) { try VerifyingKey(bytes: text.hexadecimal) }
  }

  @Test func sha256AgreesWithFIPS180() throws {
    for (text, digest) in [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ] {
      #expect(SHA256.digest(of: Array(text.utf8)).description == digest)
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
      "Wycheproof's cases are not here; get them with Tools/fetch-wycheproof"))
  func agreesWithWycheproof() throws {
    let all = try JSONDecoder().decode(Wycheproof.self, from: Data(contentsOf: Self.wycheproof))
    var count = 0
    for group in all.testGroups {
      // What Wycheproof calls acceptable has a key with a part of small order: refused here.
      let key = try? VerifyingKey(bytes: group.publicKey.pk.hexadecimal)
      for test in group.tests {
        let signature = try test.sig.hexadecimal
        let isValid = try key?.isValid(signature: signature, of: test.msg.hexadecimal)
        #expect((isValid ?? false) == (test.result == "valid"), "case \(test.tcId)")
        count += 1
      }
    }
    #expect(count == all.numberOfTests)
    print("Wycheproof: \(count) EdDSA cases")
  }
}

#if !canImport(CryptoKit)
import CSodium
import Testing

@testable import STOLTrust

/// What only strict rules refuse, made with libsodium's arithmetic of points.
@Suite("Strict rules of Ed25519") @safe
struct StrictRulesTests {
  typealias Bytes = [UInt8]

  init() { Sodium.start }

  private func scalar(_ number: UInt8) -> Bytes { [number] + Bytes(repeating: 0, count: 31) }

  private func sum(_ left: Bytes, _ right: Bytes) throws -> Bytes {
    var point = Bytes(repeating: 0, count: 32)
    try #require(unsafe crypto_core_ed25519_add(&point, left, right) == 0)
    return point
  }

  private func basePoint(times factor: Bytes) throws -> Bytes {
    var point = Bytes(repeating: 0, count: 32)
    try #require(unsafe crypto_scalarmult_ed25519_base_noclamp(&point, factor) == 0)
    return point
  }

  private func randomScalar() -> Bytes {
    var factor = Bytes(repeating: 0, count: 32)
    unsafe crypto_core_ed25519_scalar_random(&factor)
    return factor
  }

  /// The multiples 0 to 7 of a point of order 8.
  private func torsion() throws -> [Bytes] {
    let eighth = try Encodings.ofOrderEight.hexadecimal
    var points = [try Encodings.ofSmallOrder[0].hexadecimal]
    while points.count < 8 { points.append(try sum(points[points.count - 1], eighth)) }
    return points
  }

  /// k = SHA-512(R, A, message) modulo L; and modulo 8, as the points of small order see it, before L.
  private func challenge(_ r: Bytes, _ key: Bytes, _ message: Bytes) -> Bytes {
    let text = r + key + message
    var hash = Bytes(repeating: 0, count: 64)
    _ = unsafe crypto_hash_sha512(&hash, text, UInt64(text.count))
    var k = Bytes(repeating: 0, count: 32)
    unsafe crypto_core_ed25519_scalar_reduce(&k, hash)
    return k
  }

  /// The signature with S = r + k a, whatever encodings of R and A go into k.
  private func signature(
    r: Bytes, encoded rPoint: Bytes, secret: Bytes, publicKey: Bytes, message: Bytes
  ) -> Bytes {
    let k = challenge(rPoint, publicKey, message)
    var (product, s) = (Bytes(repeating: 0, count: 32), Bytes(repeating: 0, count: 32))
    unsafe crypto_core_ed25519_scalar_mul(&product, k, secret)
    unsafe crypto_core_ed25519_scalar_add(&s, r, product)
    return rPoint + s
  }

  @Test func theTableHasEveryPointOfSmallOrder() throws {
    let canonical = Set(try Encodings.ofSmallOrder.prefix(8).map { try $0.hexadecimal })
    #expect(Set(try torsion()) == canonical)
    for text in Encodings.ofSmallOrder {
      let bytes = try text.hexadecimal
      #expect(EncodedPoint.isOfSmallOrder(bytes) || !EncodedPoint.isCanonical(bytes), "\(text)")
      for library in Library.allCases { #expect(!library.isValid(publicKey: bytes), "\(text)") }
    }
  }

  /// By construction: points of the prime-order group, alone and with each of the points of small order.
  @Test func tellsWhichPointsAreOfPrimeOrder() throws {
    let small = try torsion()
    var taken = 0
    for _ in 0..<200 {
      let point = try basePoint(times: randomScalar())
      for (order, other) in small.enumerated() {
        let mixed = try sum(point, other)
        #expect(EncodedPoint.isCanonical(mixed) && !EncodedPoint.isOfSmallOrder(mixed))
        // CryptoKit cannot tell. Nor can a libsodium of before 2026, where the part is of order 2.
        #expect(Library.cryptoKit.isValid(publicKey: mixed))
        if order == 0 { #expect(SodiumEd25519.isValid(publicKey: mixed)) }
        if order > 0, order != 4 { #expect(!SodiumEd25519.isValid(publicKey: mixed)) }
        if order > 0, SodiumEd25519.isValid(publicKey: mixed) { taken += 1 }
      }
    }
    print("libsodium takes \(taken) of 1400 points with a part of small order for valid")
  }

  /// y from p - 237 to 2^255 - 1, of either sign; from p on none is canonical.
  @Test func tellsWhichEncodingsAreCanonical() {
    for low in UInt8.min ... .max {
      for high: UInt8 in [0x7F, 0xFF] {
        let bytes = [low] + Bytes(repeating: 0xFF, count: 30) + [high]
        #expect(EncodedPoint.isCanonical(bytes) == (low < 0xED))
      }
    }
    for _ in 0..<1000 {
      let bytes = (0..<32).map { _ in UInt8.random(in: 0...255) }
      #expect(EncodedPoint.isCanonical(bytes))
    }
  }

  /// Any of 16 messages has a signature of zeros by a key that nobody had to make.
  @Test func refusesPairsOfPointsOfSmallOrder() throws {
    var taken = 0
    for key in try Encodings.ofSmallOrder.map({ try $0.hexadecimal }) {
      for r in try Encodings.ofSmallOrder.map({ try $0.hexadecimal }) {
        for message in (0..<16).map({ [UInt8($0)] }) {
          let forged = r + scalar(0)
          for library in Library.allCases { #expect(!library.isValid(forged, message, key)) }
          #expect(!Library.sodium.accepts(forged, message, key))
          if Library.cryptoKit.accepts(forged, message, key) { taken += 1 }
        }
      }
    }
    // What the rules are for: without them CryptoKit's interface takes such signatures.
    #expect(taken > 100)
    print("swift-crypto alone takes \(taken) of 3136 signatures by points of small order")
  }

  @Test func refusesAnRThatIsZero() throws {
    let (secret, message) = (randomScalar(), Bytes("message".utf8))
    let key = try basePoint(times: secret)
    for (place, text) in Encodings.ofSmallOrder.enumerated() {
      let forged = signature(
        r: scalar(0), encoded: try text.hexadecimal, secret: secret, publicKey: key,
        message: message)
      for library in Library.allCases { #expect(!library.isValid(forged, message, key)) }
      // S B = k A, and R is zero: the equation holds.
      #expect(Library.cryptoKit.accepts(forged, message, key) == (place == 0))
    }
  }

  /// A key with a part of small order signs what some libraries accept.
  ///
  /// These are its holder's own signatures, and no others. An R with such a part is refused by all.
  @Test func refusesSignaturesWithAPartOfSmallOrder() throws {
    var taken = 0
    for (place, other) in try torsion().enumerated().dropFirst() {
      let (secret, r) = (randomScalar(), randomScalar())
      let key = try basePoint(times: secret)
      let mixedKey = try sum(key, other)
      let rPoint = try basePoint(times: r)
      let mixedR = try sum(rPoint, other)
      for message in (0..<64).map({ [UInt8($0)] }) {
        // Valid without the cofactor where k is a multiple of the order of the small part.
        let byKey = signature(
          r: r, encoded: rPoint, secret: secret, publicKey: mixedKey, message: message)
        // Valid with the cofactor alone.
        let byR = signature(r: r, encoded: mixedR, secret: secret, publicKey: key, message: message)
        let plain = signature(
          r: r, encoded: rPoint, secret: secret, publicKey: key, message: message)
        for library in Library.allCases {
          #expect(library.isValid(plain, message, key))
          #expect(!library.isValid(byR, message, key))
        }
        if place != 4 { #expect(!Library.sodium.isValid(byKey, message, mixedKey)) }
        if Library.cryptoKit.isValid(byKey, message, mixedKey) { taken += 1 }
      }
    }
    // Otherwise CONTAINER.md need not speak of them.
    #expect(taken > 0)
  }

  @Test func librariesSignAndCheckTheSame() throws {
    for count in 0..<400 {
      let bytes = (0..<32).map { _ in UInt8.random(in: 0...255) }
      var message = (0..<count).map { _ in UInt8.random(in: 0...255) }
      let keys = try Library.allCases.map {
        try #require($0.publicKey(ofSeed: seed(bytes)))
      }
      var signatures = try Library.allCases.map {
        try #require($0.signature(of: message, seed: seed(bytes)))
      }
      #expect(Set(keys).count == 1 && Set(signatures).count == 1)
      for library in Library.allCases {
        #expect(library.isValid(signatures[0], message, keys[0]))
      }
      let bit = Int.random(in: 0..<(512 + 8 * count))
      if bit < 512 {
        signatures[0][bit / 8] ^= 1 << UInt8(bit % 8)
      } else {
        message[(bit - 512) / 8] ^= 1 << UInt8(bit % 8)
      }
      for library in Library.allCases {
        #expect(!library.isValid(signatures[0], message, keys[0]))
      }
    }
  }
}
#endif

/// How much work it is to try a passphrase: the parameters of Argon2id.
public struct PassphraseCost: Equatable, Sendable {
  /// The number of passes over the memory.
  public let passCount: UInt32
  /// The memory, in KiB.
  public let memoryKiB: UInt32

  /// So much work.
  package init(passCount: UInt32, memoryKiB: UInt32) {
    (self.passCount, self.memoryKiB) = (passCount, memoryKiB)
  }

  /// What new keys get: 256 MiB, about a second.
  public static let standard = PassphraseCost(passCount: 3, memoryKiB: 256 << 10)
  /// The least that a key file may ask for: for what nobody can guess, and for tests.
  package static let least = PassphraseCost(passCount: 1, memoryKiB: 8)

  /// Whether a key file may ask for this: one from elsewhere must not take all memory or hours.
  var isAcceptable: Bool {
    (1...16).contains(passCount) && (8...(1 << 20)).contains(memoryKiB)
  }
}

/// An Ed25519 secret key, with which containers and keyrings are signed.
///
/// Its bytes never leave this type but into a key file, sealed with a passphrase.
public struct SigningKey: Sendable, CustomStringConvertible, CustomReflectable {
  /// The public key that belongs to it.
  public let verifyingKey: VerifyingKey
  let seed: SecretBytes

  /// A new random key.
  public init() throws(KeyError) {
    guard let seed = Ed25519.randomSeed() else { throw .outOfMemory }
    try self.init(seed: seed)
  }

  /// The key that grows from `seed`, of 32 bytes.
  init(seed: SecretBytes) throws(KeyError) {
    guard let publicKey = Ed25519.publicKey(ofSeed: seed) else { throw .outOfMemory }
    verifyingKey = try VerifyingKey(bytes: publicKey)
    self.seed = seed
  }

  /// The signature of `message`, 64 bytes; the same every time, but for Apple's CryptoKit.
  func signature(of message: [UInt8]) throws(KeyError) -> [UInt8] {
    guard let signature = Ed25519.signature(of: message, seed: seed) else { throw .outOfMemory }
    return signature
  }

  /// The id; never the secret.
  public var description: String { "signing key \(verifyingKey.id)" }
  /// Nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension SigningKey {
  /// Whether bytes begin as a file of a secret key of any version does, which nobody should send anywhere.
  public static func begins(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.starts(with: [0x53, 0x54, 0x4F, 0x4C, 0x00, 0x53, 0x4B])
  }
}

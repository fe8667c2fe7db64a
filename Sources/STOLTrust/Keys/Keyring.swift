/// The keys that are trusted, and the ids of those that never are again.
public struct Keyring: Equatable, Sendable {
  /// Where trust in a key comes from.
  public enum Origin: Hashable, Sendable {
    /// The source of stol.
    case builtIn
    /// The user, who called it `label`.
    case added(label: String)
    /// The keyring that was applied last: in use.
    case current
    /// The same: to be used next.
    case next
  }

  /// A key and where it comes from.
  public struct Entry: Hashable, Sendable {
    /// The key.
    public let key: VerifyingKey
    /// Where it comes from.
    public let origin: Origin
  }

  /// The signed keyring that was applied last.
  struct Applied: Equatable, Sendable {
    let version: Int
    let digest: Digest
  }

  /// All keys, revoked ones too, in the order of their origins.
  public internal(set) var entries: [Entry]
  /// The ids of keys that have been revoked, for good.
  public internal(set) var revokedIDs: Set<KeyID> = []
  var applied: Applied?

  /// The keys built in.
  public init() { self.init(builtIn: BuiltInKeys.all) }

  /// A keyring that starts with these keys.
  init(builtIn keys: [VerifyingKey]) {
    entries = keys.map { Entry(key: $0, origin: .builtIn) }
  }

  /// A keyring of one key only.
  public init(only key: VerifyingKey) {
    entries = [Entry(key: key, origin: .added(label: ""))]
  }

  /// The version of the signed keyring that was applied last, or nil.
  public var appliedVersion: Int? { applied?.version }

  /// The keys that signatures are accepted from, each once.
  public var trustedKeys: [VerifyingKey] {
    var seen = revokedIDs
    return entries.map(\.key).filter { seen.insert($0.id).inserted }
  }

  /// The trusted key with this id.
  ///
  /// - Throws: `KeyError.revoked` or `KeyError.unknown`.
  public func trustedKey(_ id: KeyID) throws(KeyError) -> VerifyingKey {
    guard !revokedIDs.contains(id) else { throw .revoked(id) }
    guard let entry = entries.first(where: { $0.key.id == id }) else { throw .unknown(id) }
    return entry.key
  }

  /// Trusts `key` from now on; a label of printable ASCII tells it from others.
  ///
  /// - Throws: `KeyError.revoked`.
  public mutating func add(_ key: VerifyingKey, label: String) throws(KeyError) {
    guard !revokedIDs.contains(key.id) else { throw .revoked(key.id) }
    let isAdded = entries.contains { $0.key == key && $0.isAdded }
    guard !isAdded else { return }
    entries.append(Entry(key: key, origin: .added(label: Self.plainLabel(label))))
  }

  /// Forgets an added key.
  ///
  /// - Throws: `KeyError.unknown` unless it was added.
  public mutating func remove(_ id: KeyID) throws(KeyError) {
    let kept = entries.filter { !($0.key.id == id && $0.isAdded) }
    guard kept.count < entries.count else { throw .unknown(id) }
    entries = kept
  }

  /// Never trusts the key with this id again, known or not.
  public mutating func revoke(_ id: KeyID) { revokedIDs.insert(id) }

  /// Takes over the keys and revocations of a signed keyring.
  ///
  /// Its keys replace those of the one before; revoked keys stay revoked. The same keyring again
  /// changes nothing.
  ///
  /// - Throws: `KeyError` if its signer is not trusted or revoked, the signature is wrong, or a newer
  ///   keyring has been applied.
  public mutating func apply(_ ring: SignedKeyring) throws(KeyError) {
    let signer = try trustedKey(ring.signerID)
    guard ring.isSigned(by: signer) else { throw .signatureInvalid }
    if let applied, ring.version <= applied.version {
      guard ring.version == applied.version else {
        throw .olderKeyring(version: ring.version, applied: applied.version)
      }
      guard ring.digest == applied.digest else {
        throw .conflictingKeyring(version: ring.version)
      }
      return
    }
    let builtIn = entries.filter { $0.origin == .builtIn }
    let added = entries.filter(\.isAdded)
    entries =
      builtIn + ring.currentKeys.map { Entry(key: $0, origin: .current) }
      + ring.nextKeys.map { Entry(key: $0, origin: .next) } + added
    revokedIDs.formUnion(ring.revokedIDs)
    applied = Applied(version: ring.version, digest: ring.digest)
  }

  /// What of a label can stand in the file: printable ASCII, 64 characters.
  private static func plainLabel(_ label: String) -> String {
    let bytes = label.utf8.filter { $0 > 32 && $0 < 127 }
    return String(decoding: bytes.prefix(64), as: UTF8.self)
  }
}

extension Keyring.Entry {
  fileprivate var isAdded: Bool {
    if case .added = origin { true } else { false }
  }
}

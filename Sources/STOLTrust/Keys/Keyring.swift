/// The keys that are trusted, what each may sign, and the ids of those that never are again.
public struct Keyring: Equatable, Sendable {
  /// Where trust in a key comes from.
  public enum Origin: Hashable, Sendable {
    /// The source of stol.
    case builtIn
    /// The user, who called it `label`.
    case added(label: String)
    /// The keyring that was applied last.
    case keyring
  }

  /// A key, what it may sign, and where trust in it comes from.
  public struct Entry: Hashable, Sendable {
    /// The key.
    public let key: VerifyingKey
    /// What it may sign.
    public let role: KeyRole
    /// Of which datasets; nil for every one.
    public let scope: KeyScope?
    /// Where trust in it comes from.
    public let origin: Origin

    init(_ key: VerifyingKey, _ role: KeyRole, scope: KeyScope? = nil, _ origin: Origin) {
      self.key = key
      self.role = role
      self.scope = scope
      self.origin = origin
    }
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

  /// How far the version of a keyring may be above that of the one applied before.
  public static let versionJumpLimit = 100

  /// The keys built in.
  public init() { self.init(builtIn: BuiltInKeys.all) }

  /// A keyring that starts with these keys.
  init(builtIn keys: [(key: VerifyingKey, role: KeyRole)]) {
    entries = keys.map { Entry($0.key, $0.role, .builtIn) }
  }

  /// A keyring of one key only, which may sign what it likes.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - revokedIDs: those of keys that are not trusted, even this one.
  public init(only key: VerifyingKey, revokedIDs: Set<KeyID> = []) {
    entries = [Entry(key, .current, .added(label: ""))]
    self.revokedIDs = revokedIDs
  }

  /// A keyring of one key only, without what is revoked here.
  ///
  /// - Parameter key: the key.
  /// - Returns: the keyring.
  /// - Throws: `KeyError.otherRole` for one that signs keyrings here, and so nothing else.
  public func only(_ key: VerifyingKey) throws(KeyError) -> Keyring {
    guard !entries.contains(where: { $0.key == key && $0.role.signsKeyrings }) else {
      throw .otherRole(key.id)
    }
    return Keyring(only: key, revokedIDs: revokedIDs)
  }

  /// The version of the signed keyring that was applied last, or nil.
  public var appliedVersion: Int? { applied?.version }

  /// The keys that sign databases and images, each once; of some only releases of some datasets count.
  public var trustedKeys: [VerifyingKey] { keys { !$0.role.signsKeyrings } }

  /// The keys that sign keyrings, each once.
  public var rootKeys: [VerifyingKey] { keys(where: \.role.signsKeyrings) }

  private func keys(where isWanted: (Entry) -> Bool) -> [VerifyingKey] {
    var seen = revokedIDs
    return entries.filter(isWanted).map(\.key).filter { seen.insert($0.id).inserted }
  }

  /// The trusted key with this id, for a release of a dataset.
  ///
  /// - Parameters:
  ///   - id: the id of the key.
  ///   - dataset: the dataset; nil for a file that names none.
  /// - Returns: the key.
  /// - Throws: `KeyError.revoked`, `.unknown`, `.outOfScope`.
  public func trustedKey(_ id: KeyID, for dataset: DatasetID?) throws(KeyError) -> VerifyingKey {
    guard !revokedIDs.contains(id) else { throw .revoked(id) }
    let found = entries.filter { $0.key.id == id && !$0.role.signsKeyrings }
    guard let first = found.first else { throw .unknown(id) }
    guard found.contains(where: { $0.scope?.includes(dataset) ?? true }) else {
      throw .outOfScope(id, dataset)
    }
    return first.key
  }

  /// Trusts `key` from now on for releases of some datasets, and of those for which it is trusted already.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - label: printable ASCII that tells it from others.
  ///   - scope: the datasets.
  /// - Throws: `KeyError.revoked`, `.otherRole` for one that signs keyrings.
  public mutating func add(
    _ key: VerifyingKey, label: String, for scope: KeyScope
  ) throws(KeyError) {
    try requireNew(key) { $0.role.signsKeyrings }
    guard let index = entries.firstIndex(where: { $0.key == key && $0.isAdded }) else {
      entries.append(
        Entry(key, .current, scope: scope, .added(label: Self.plainLabel(label))))
      return
    }
    let before = entries[index]
    entries[index] = Entry(
      key, .current, scope: before.scope.map { $0.union(scope) }, before.origin)
  }

  /// Lets `key` sign keyrings from now on, and nothing else.
  ///
  /// - Throws: `KeyError.revoked`, `.otherRole` for one that signs databases.
  public mutating func addRoot(_ key: VerifyingKey, label: String) throws(KeyError) {
    try requireNew(key) { !$0.role.signsKeyrings }
    guard !entries.contains(where: { $0.key == key && $0.isAdded }) else { return }
    entries.append(Entry(key, .root, .added(label: Self.plainLabel(label))))
  }

  private func requireNew(
    _ key: VerifyingKey, _ isOther: (Entry) -> Bool
  ) throws(KeyError) {
    guard !revokedIDs.contains(key.id) else { throw .revoked(key.id) }
    guard !entries.contains(where: { $0.key == key && isOther($0) }) else {
      throw .otherRole(key.id)
    }
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
  /// - Throws: `KeyError` if its signer may not sign keyrings or is revoked, the signature is wrong, a
  ///   newer keyring has been applied, its version is far above that of the one before, or it touches
  ///   recovery keys without the signature of one.
  public mutating func apply(_ ring: SignedKeyring) throws(KeyError) {
    let signer = try keyringSigner(ring.signerID)
    guard ring.isSigned(by: signer.key) else { throw .signatureInvalid }
    if let applied, ring.version <= applied.version {
      guard ring.version == applied.version else {
        throw .olderKeyring(version: ring.version, applied: applied.version)
      }
      guard ring.digest == applied.digest else {
        throw .conflictingKeyring(version: ring.version)
      }
      return
    }
    guard ring.version - (applied?.version ?? 0) <= Self.versionJumpLimit else {
      throw .keyringJump(version: ring.version, applied: applied?.version ?? 0)
    }
    if signer.role == .root { try requireSameRecoveryKeys(ring) }
    var after = revokedIDs
    after.formUnion(ring.revokedIDs)
    guard (ring.rootKeys + ring.recoveryKeys).contains(where: { !after.contains($0.id) }) else {
      throw .noRootLeft
    }
    entries =
      entries.filter { $0.origin == .builtIn } + ring.rootKeys.map { Entry($0, .root, .keyring) }
      + ring.recoveryKeys.map { Entry($0, .recovery, .keyring) }
      + ring.currentKeys.map { Entry($0, .current, .keyring) }
      + ring.nextKeys.map { Entry($0, .next, .keyring) } + entries.filter(\.isAdded)
    revokedIDs = after
    applied = Applied(version: ring.version, digest: ring.digest)
  }

  /// The key with this id as one that signs keyrings; as a recovery key, if it is one.
  private func keyringSigner(_ id: KeyID) throws(KeyError) -> Entry {
    guard !revokedIDs.contains(id) else { throw .revoked(id) }
    let found = entries.filter { $0.key.id == id }
    guard !found.isEmpty else { throw .unknown(id) }
    guard
      let signer = found.first(where: { $0.role == .recovery })
        ?? found.first(where: { $0.role == .root })
    else { throw .notARoot(id) }
    return signer
  }

  /// Once there are recovery keys, a stolen root key cannot get rid of them.
  private func requireSameRecoveryKeys(_ ring: SignedKeyring) throws(KeyError) {
    let known = Set(entries.filter { $0.role == .recovery }.map(\.key.id)).subtracting(revokedIDs)
    guard !known.isEmpty else { return }
    let listed = Set(ring.recoveryKeys.map(\.id)).subtracting(revokedIDs)
    guard listed == known, known.isDisjoint(with: ring.revokedIDs) else {
      throw .recoveryKeyNeeded(ring.signerID)
    }
  }

  /// What of a label can stand in the file: printable ASCII, 64 characters.
  private static func plainLabel(_ label: String) -> String {
    let bytes = label.utf8.filter { $0 > 32 && $0 < 127 }
    return String(decoding: bytes.prefix(64), as: UTF8.self)
  }
}

extension Keyring.Entry {
  var isAdded: Bool {
    if case .added = origin { true } else { false }
  }
}

import STOLStore
import STOLSystem
import STOLTrust

/// `key.json` beside a locked journal: its data key, under a passphrase and under a recovery code, Format/JOURNAL.md.
///
/// The same line stands in it twice, so that one that is damaged costs nothing.
struct KeyFile: Equatable {
  /// What is going on with the journal.
  enum State: String {
    /// All of it is locked.
    case locked
    /// It is being locked or unlocked, or that was interrupted.
    case changing
  }

  /// What the data key lies under.
  enum Slot: String {
    case passphrase, recovery

    /// What it is sealed together with, so that neither stands for the other one.
    var context: String { "stol journal key 1 \(rawValue)" }
  }

  var state: State
  /// What tells one data key from another one.
  let keyID: String
  var passphrase: SealedSecret
  var recovery: SealedSecret

  static let name = "key.json"
  private static let format = "stol-journal-key"
  private static let version = 1
  private static let limit = 1 << 14
  private static let digestMember = ",\"digest\":\""

  /// The file in the folder of a journal; nil where there is none.
  ///
  /// - Throws: `StoreError`
  static func read(in folder: String) throws(StoreError) -> KeyFile? {
    let path = "\(folder)/\(name)"
    let bytes: [UInt8]
    do {
      guard try isPresent(path) else { return nil }
      bytes = try RegularFile(path: path, followsLinks: false).bytes(at: 0, limit: limit)
    } catch {
      throw .system(error)
    }
    if let found = find(in: bytes) { return found }
    throw .noKeys(path: path, reason: "is damaged")
  }

  /// Writes the file durably.
  ///
  /// - Throws: `StoreError`
  func write(in folder: String) throws(StoreError) {
    let path = "\(folder)/\(Self.name)"
    do {
      TemporaryFiles.removeLeftovers(of: path)
      var file = try ReplacementFile(path: path, isOwnersOnly: true)
      try file.append(line + line)
      try file.finish()
    } catch {
      throw StoreError(writing: error, path: path)
    }
  }

  private var line: [UInt8] {
    let text =
      "{\"format\":\"\(Self.format)\",\"version\":\(Self.version),\"state\":\"\(state.rawValue)\""
      + ",\"key\":\"\(keyID)\",\"passphrase\":\(Self.text(passphrase))"
      + ",\"recovery\":\(Self.text(recovery))"
    let digest = SHA256.digest(of: Array(text.utf8))
    return Array("\(text)\(Self.digestMember)\(digest)\"}\n".utf8)
  }

  /// The same file with another state.
  func with(_ state: State) -> KeyFile {
    var file = self
    file.state = state
    return file
  }

  private static func text(_ secret: SealedSecret) -> String {
    "{\"passes\":\(secret.cost.passCount),\"memory_kib\":\(secret.cost.memoryKiB)"
      + ",\"salt\":\"\(Hexadecimal.text(secret.salt))\",\"nonce\":\"\(Hexadecimal.text(secret.nonce))\""
      + ",\"sealed\":\"\(Hexadecimal.text(secret.sealed))\"}"
  }

  /// The first line that is whole, wherever it stands: a file may be cut, or its ends of lines be others.
  private static func find(in bytes: [UInt8]) -> KeyFile? {
    let (start, digest) = (Array("{\"format\":".utf8), Array(digestMember.utf8))
    for first in bytes.indices where bytes[first...].starts(with: start) {
      let places = first..<bytes.count
      guard let member = places.first(where: { bytes[$0...].starts(with: digest) }) else {
        return nil
      }
      // Behind the digits of the digest are a quotation mark and a brace.
      let end = member + digest.count + 2 * Digest.byteCount + 2
      if end <= bytes.count, let found = parse(bytes[first..<end] + [0x0A]) { return found }
    }
    return nil
  }

  /// What a line says; nil where it is not whole, to the byte.
  private static func parse(_ line: ArraySlice<UInt8>) -> KeyFile? {
    let bytes = Array(line)
    guard let node = try? JSONScanner.document(bytes),
      node.word("format") == format, node.number("version") == UInt32(version),
      let state = node.word("state").flatMap(State.init(rawValue:)),
      let keyID = node.word("key"),
      let passphrase = node["passphrase"].flatMap(secret),
      let recovery = node["recovery"].flatMap(secret)
    else { return nil }
    let file = KeyFile(state: state, keyID: keyID, passphrase: passphrase, recovery: recovery)
    return file.line == bytes ? file : nil
  }

  private static func secret(_ node: JSONNode) -> SealedSecret? {
    guard let passes = node.number("passes"), let memory = node.number("memory_kib"),
      let salt = node.word("salt").flatMap({ Hexadecimal.bytes($0) }),
      let nonce = node.word("nonce").flatMap({ Hexadecimal.bytes($0) }),
      let sealed = node.word("sealed").flatMap({ Hexadecimal.bytes($0) })
    else { return nil }
    return try? SealedSecret(
      cost: PassphraseCost(passCount: passes, memoryKiB: memory), salt: salt, nonce: nonce,
      sealed: sealed)
  }
}

extension JSONNode {
  fileprivate func word(_ name: String) -> String? {
    guard case .text(let text)? = self[name]?.value else { return nil }
    return text
  }

  fileprivate func number(_ name: String) -> UInt32? {
    guard case .number(let digits)? = self[name]?.value else { return nil }
    return UInt32(digits)
  }
}

extension StoreError {
  /// The error that a system call on the way to a file amounts to.
  init(writing error: SystemError, path: String) {
    if error.code.isNoSpace {
      self = .noSpace(path: path)
    } else if error.code.isReadOnly {
      self = .readOnly(path: path)
    } else {
      self = .system(error)
    }
  }
}

import STOLSystem

/// The short name of a key: the first 8 bytes of the SHA-256 of its public key.
public struct KeyID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The number of its bytes.
  public static let byteCount = 8
  /// The bytes.
  public let bytes: [UInt8]

  /// The id that `bytes` are, if there are as many as one has.
  init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = Array(bytes)
  }

  /// The id written as 16 lower-case hexadecimal digits.
  public init?(_ text: some StringProtocol) {
    guard let bytes = Hexadecimal.bytes(text) else { return nil }
    self.init(bytes)
  }

  fileprivate init(ofPublicKey bytes: [UInt8]) {
    self.bytes = Array(SHA256.digest(of: bytes).bytes.prefix(Self.byteCount))
  }

  /// 16 hexadecimal digits.
  public var description: String { Hexadecimal.text(bytes) }
  /// Whether one id is before another in the order of their bytes.
  public static func < (a: KeyID, b: KeyID) -> Bool { a.bytes.lexicographicallyPrecedes(b.bytes) }
}

/// An Ed25519 public key, with which signatures are checked.
public struct VerifyingKey: Hashable, Sendable, CustomStringConvertible {
  /// The 32 bytes.
  public let bytes: [UInt8]
  /// The short name.
  public let id: KeyID

  /// The key with these bytes.
  ///
  /// - Throws: `KeyError.invalidPublicKey` unless they are the canonical encoding of a point in the
  ///   prime-order group.
  public init(bytes: some Collection<UInt8>) throws(KeyError) {
    let bytes = Array(bytes)
    guard Ed25519.isValid(publicKey: bytes) else { throw .invalidPublicKey }
    self.bytes = bytes
    id = KeyID(ofPublicKey: bytes)
  }

  /// Whether `signature` is this key's for `message`.
  ///
  /// - Complexity: O(length of the message)
  public func isValid(signature: [UInt8], of message: [UInt8]) -> Bool {
    Ed25519.isValid(signature: signature, of: message, publicKey: bytes)
  }

  /// The key as text: its id and its bytes in hexadecimal.
  public var description: String { "\(id) \(Hexadecimal.text(bytes))" }

  /// The key whose text is `words`: an id and 64 digits that belong together.
  init(words: some Collection<Substring>, line: Int) throws(KeyError) {
    let words = Array(words)
    guard words.count == 2, let id = KeyID(words[0]), let bytes = Hexadecimal.bytes(words[1]),
      bytes.count == Ed25519.publicKeyByteCount
    else {
      throw .malformed(line: line, reason: "a key is its id and 64 hexadecimal digits")
    }
    try self.init(bytes: bytes)
    guard self.id == id else {
      throw .malformed(line: line, reason: "the id \(id) is not the one of the key, \(self.id)")
    }
  }
}

extension VerifyingKey {
  private static let kind = "stol-ed25519"
  private static let longestFile = 256

  /// What the names of public key files end with.
  public static let fileSuffix = ".pub"

  /// Reads a public key file: one line, Format/CONTAINER.md section 7.
  public init(path: String) throws(KeyError) {
    try self.init(
      fileText: KeyFile.text(path: path, limit: Self.longestFile, kind: "a stol public key"))
  }

  /// The key that the text of a public key file is.
  public init(fileText text: String) throws(KeyError) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count == 1 || lines.count == 2 && lines[1].isEmpty else {
      throw .malformed(line: 2, reason: "a public key file is one line")
    }
    let words = lines[0].split(separator: " ", omittingEmptySubsequences: false)
    guard words.first == Self.kind[...] else {
      throw .wrongKind(expected: "a stol public key (a line that begins with \(Self.kind))")
    }
    try self.init(words: words.dropFirst(), line: 1)
  }

  /// The key whose 32 bytes are these 64 lower-case hexadecimal digits.
  public init(hexadecimal text: some StringProtocol) throws(KeyError) {
    guard let bytes = Hexadecimal.bytes(text) else { throw .invalidPublicKey }
    try self.init(bytes: bytes)
  }

  /// The 64 digits.
  public var hexadecimal: String { Hexadecimal.text(bytes) }

  /// The content of a public key file.
  package var fileText: String { "\(Self.kind) \(self)\n" }

  /// Writes a public key file, where none may be yet.
  public func write(to path: String) throws(KeyError) {
    try KeyFile.create(path, Array(fileText.utf8), isOwnersOnly: false)
  }
}

/// Reads and makes the small files of this folder.
enum KeyFile {
  static func create(_ path: String, _ bytes: [UInt8], isOwnersOnly: Bool) throws(KeyError) {
    do { try createFile(path, bytes, isOwnersOnly: isOwnersOnly) } catch { throw .system(error) }
  }

  static func bytes(path: String, limit: Int, kind: String) throws(KeyError) -> [UInt8] {
    do {
      let file = try RegularFile(path: path, followsLinks: true)
      let bytes = try file.bytes(at: 0, limit: limit + 1)
      guard bytes.count <= limit else { throw KeyError.wrongKind(expected: kind) }
      return bytes
    } catch let error as SystemError {
      throw .system(error)
    } catch {
      throw .wrongKind(expected: kind)
    }
  }

  static func text(path: String, limit: Int, kind: String) throws(KeyError) -> String {
    let bytes = try bytes(path: path, limit: limit, kind: kind)
    guard bytes.allSatisfy({ $0 == 10 || $0 >= 32 && $0 < 127 }) else {
      throw .wrongKind(expected: kind)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

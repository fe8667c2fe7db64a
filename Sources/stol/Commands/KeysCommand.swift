import STOLTrust
import ArgumentParser
import STOLAnswers
import STOLSystem

/// The command `stol db keys`.
struct KeysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys", abstract: "The keys whose databases are trusted.",
    discussion: """
        stol db keys add release.pub
        stol db keys list
        stol db keys apply 2026.stolkeys
      """,
    subcommands: [
      ListKeysCommand.self, AddKeyCommand.self, RemoveKeyCommand.self, RevokeKeyCommand.self,
      SignKeyringCommand.self, ApplyKeyringCommand.self,
    ])
}

/// A key id among the arguments: 16 hexadecimal digits.
struct KeyIDArgument: ExpressibleByArgument {
  let id: KeyID

  init?(argument: String) {
    guard let id = KeyID(argument) else { return nil }
    self.id = id
  }
}

/// The command `stol db keys list`.
struct ListKeysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the keys and what they are trusted for.",
    discussion: """
        stol db keys list
        stol db keys list --json
      """)

  @OptionGroup var keyring: KeyringOptions

  @Flag(help: "Print a JSON array.")
  var json = false

  func run() throws {
    let keyring = try keyring.load()
    let columns = ["id", "origin", "state", "label", "key"]
    let format: OutputFormat = json ? .json : Terminal.isOutput ? .table : .tsv
    var writer = RowWriter(format, columns: columns)
    let known = Set(keyring.entries.map(\.key.id))
    let unknown = keyring.revokedIDs.subtracting(known).sorted()
    for (id, entry) in keyring.entries.map({ ($0.key.id, $0) }) + unknown.map({ ($0, nil) }) {
      let (origin, label): (String, String?) =
        switch entry?.origin {
        case .builtIn: ("built in", nil)
        case .current: ("keyring", nil)
        case .next: ("keyring, next", nil)
        case .added(let label): ("added", label)
        case nil: ("unknown", nil)
        }
      writer.beginRow()
      writer.text("id", id.description)
      writer.text("origin", origin)
      writer.text("state", keyring.revokedIDs.contains(id) ? "revoked" : "trusted")
      writer.text("label", label)
      writer.text("key", entry.map { String($0.key.description.suffix(64)) })
      try writer.endRow()
    }
    try writer.present()
  }
}

/// The command `stol db keys add`.
struct AddKeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Trust a key from now on.",
    discussion: """
      Its owner can then sign databases, and keyrings that bring in and revoke keys. Compare the id \
      with the owner first.

        stol db keys add release.pub
      """)

  @Argument(help: "The public key, NAME.pub.", completion: .file(extensions: ["pub"]))
  var file: String

  @OptionGroup var keyring: KeyringOptions

  func run() throws {
    let key = try about(file) { try VerifyingKey(path: file) }
    let name = file.split(separator: "/").last.map(String.init) ?? file
    let label = name.hasSuffix(".pub") ? String(name.dropLast(4)) : name
    _ = try keyring.update { ring throws(KeyError) in try ring.add(key, label: label) }
    writeStandardError("\(key.id): trusted\n")
  }
}

/// The command `stol db keys remove`.
struct RemoveKeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Forget a key that was added.",
    discussion: """
        stol db keys remove 0123456789abcdef
      """)

  @Argument(help: "The id of the key: 16 hexadecimal digits.")
  var id: KeyIDArgument

  @OptionGroup var keyring: KeyringOptions

  func run() throws {
    _ = try keyring.update { ring throws(KeyError) in try ring.remove(id.id) }
    writeStandardError("\(id.id): removed\n")
  }
}

/// The command `stol db keys revoke`.
struct RevokeKeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revoke", abstract: "Never trust a key again.",
    discussion: """
      For good: a revoked key cannot be added again.

        stol db keys revoke 0123456789abcdef
      """)

  @Argument(help: "The id of the key: 16 hexadecimal digits.")
  var id: KeyIDArgument

  @OptionGroup var keyring: KeyringOptions

  func run() throws {
    _ = try keyring.update { ring throws(KeyError) in ring.revoke(id.id) }
    writeStandardError("\(id.id): revoked\n")
  }
}

/// The command `stol db keys sign-ring`.
struct SignKeyringCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign-ring", abstract: "Make a signed keyring, to rotate or revoke keys.",
    discussion: """
      Whoever applies it trusts the current and the next keys instead of those of the keyring \
      before, and never again the revoked ones.

        stol db keys sign-ring -o 2.stolkeys --key a.key --version-number 2 \\
          --current a.pub --next b.pub --revoke 0123456789abcdef
      """)

  @Option(
    name: [.customShort("o"), .long], help: "Where to write the keyring.",
    completion: .file(extensions: ["stolkeys"]))
  var output: String

  @Option(
    help: ArgumentHelp("The secret key that signs.", valueName: "file"),
    completion: .file(extensions: ["key"]))
  var key: String

  @Option(help: ArgumentHelp("Greater than that of the keyring before.", valueName: "n"))
  var versionNumber: Int32

  @Option(
    help: ArgumentHelp("A public key in use; may be repeated.", valueName: "file"),
    completion: .file(extensions: ["pub"]))
  var current: [String]

  @Option(
    help: ArgumentHelp("A public key to be used next; may be repeated.", valueName: "file"),
    completion: .file(extensions: ["pub"]))
  var next: [String] = []

  @Option(help: ArgumentHelp("The id of a key to revoke; may be repeated.", valueName: "id"))
  var revoke: [KeyIDArgument] = []

  @OptionGroup var passphrase: PassphraseOptions

  func run() throws {
    let currentKeys = try keys(current)
    let nextKeys = try keys(next)
    let signingKey = try passphrase.open(key)
    let ring = try about(output) {
      try SignedKeyring(
        version: Int(versionNumber), currentKeys: currentKeys, nextKeys: nextKeys,
        revokedIDs: revoke.map(\.id), signedBy: signingKey)
    }
    try ring.write(to: output)
    writeStandardError(
      "\(output): version \(ring.version), \(currentKeys.count + nextKeys.count) keys, "
        + "\(ring.revokedIDs.count) revoked, key \(ring.signerID)\n")
  }

  private func keys(_ paths: [String]) throws -> [VerifyingKey] {
    try paths.map { path in try about(path) { try VerifyingKey(path: path) } }
  }
}

/// The command `stol db keys apply`.
struct ApplyKeyringCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply", abstract: "Take over a signed keyring.",
    discussion: """
      Its signer must be trusted. An older keyring than the one applied is refused.

        stol db keys apply 2.stolkeys
      """)

  @Argument(help: "The keyring.", completion: .file(extensions: ["stolkeys"]))
  var file: String

  @OptionGroup var keyring: KeyringOptions

  func run() throws {
    try about(file) {
      let ring = try SignedKeyring(path: file)
      let after = try keyring.update { keyring throws(KeyError) in try keyring.apply(ring) }
      writeStandardError(
        "\(file): version \(ring.version) applied, \(after.trustedKeys.count) keys trusted\n")
    }
  }
}

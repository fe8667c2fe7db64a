import STOLTrust
import ArgumentParser
import STOLAnswers
import STOLSystem

/// The command `stol db keys`.
struct KeysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys", abstract: "The keys whose databases are trusted.",
    discussion: """
        stol db keys add release.pub --dataset mammals
        stol db keys list
        stol db keys apply 2026.stolkeys
      """,
    subcommands: [
      ListKeysCommand.self, AddKeyCommand.self, RemoveKeyCommand.self, RevokeKeyCommand.self,
      SignKeyringCommand.self, RotateKeyringCommand.self, ApplyKeyringCommand.self,
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
    let columns = ["id", "role", "origin", "datasets", "state", "label", "key"]
    let format: OutputFormat = json ? .json : Terminal.isOutput ? .table : .tsv
    var writer = RowWriter(format, columns: columns)
    let known = Set(keyring.entries.map(\.key.id))
    let unknown = keyring.revokedIDs.subtracting(known).sorted()
    for (id, entry) in keyring.entries.map({ ($0.key.id, $0) }) + unknown.map({ ($0, nil) }) {
      let (origin, label): (String, String?) =
        switch entry?.origin {
        case .builtIn: ("built in", nil)
        case .keyring: ("keyring", nil)
        case .added(let label): ("added", label)
        case nil: ("unknown", nil)
        }
      writer.beginRow()
      writer.text("id", id.description)
      writer.text("role", entry?.role.rawValue)
      writer.text("origin", origin)
      if json {
        writer.texts("datasets", entry?.scope?.names ?? [])
      } else {
        writer.text("datasets", entry.map(Self.datasets))
      }
      writer.text("state", keyring.revokedIDs.contains(id) ? "revoked" : "trusted")
      writer.text("label", label)
      writer.text("key", entry.map { String($0.key.description.suffix(64)) })
      try writer.endRow()
    }
    try writer.present()
  }

  private static func datasets(_ entry: Keyring.Entry) -> String {
    entry.role.signsKeyrings ? "keyrings" : entry.scope?.names.joined(separator: " ") ?? "all"
  }
}

/// The command `stol db keys add`.
struct AddKeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Trust a key from now on.",
    discussion: """
      Its owner can then sign releases of the datasets that you name, and nothing else. Compare the \
      id with the owner first.

        stol db keys add release.pub --dataset mammals
        stol db keys add release.pub --dataset mammals --dataset birds
        stol db keys add old.pub --unnamed

      With --root its owner signs no database, but keyrings, which bring in keys for every dataset \
      and revoke others.

        stol db keys add root.pub --root
      """)

  @Argument(help: "The public key, NAME.pub.", completion: .file(extensions: ["pub"]))
  var file: String

  @Option(
    help: ArgumentHelp("A dataset that it may sign; may be repeated.", valueName: "id"))
  var dataset: [String] = []

  @Flag(help: "It may sign files of version 1, which name no dataset.")
  var unnamed = false

  @Flag(help: "It may sign keyrings, and nothing else.")
  var root = false

  @OptionGroup var keyring: KeyringOptions

  func validate() throws {
    guard root != (unnamed || !dataset.isEmpty) else {
      throw ValidationError(
        root
          ? "a key signs keyrings or databases: either --root, or --dataset and --unnamed"
          : "for what may the key sign? add --dataset ID")
    }
    for id in dataset where DatasetID(id) == nil {
      throw ValidationError("--dataset takes 1 to 64 of the characters a-z, 0-9, dot and hyphen")
    }
  }

  func run() throws {
    let key = try about(file) { try VerifyingKey(path: file) }
    let name = file.split(separator: "/").last.map(String.init) ?? file
    let label = name.hasSuffix(".pub") ? String(name.dropLast(4)) : name
    let scope = KeyScope(datasets: dataset.compactMap(DatasetID.init), includesUnnamed: unnamed)
    let after = try keyring.update { ring throws(KeyError) in
      if root {
        try ring.addRoot(key, label: label)
      } else {
        try ring.add(key, label: label, for: scope)
      }
    }
    // It keeps what it was trusted for before.
    let entries = after.entries.filter { $0.key == key && !$0.role.signsKeyrings }
    let isForAll = entries.contains { $0.scope == nil }
    let names = isForAll ? ["every dataset"] : entries.flatMap { $0.scope?.names ?? [] }
    writeStandardError(
      "\(key.id): trusted for \(root ? "keyrings" : names.joined(separator: ", "))\n")
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
      Whoever applies it trusts its keys instead of those of the keyring before, and never again \
      the revoked ones. Root and recovery keys sign keyrings, current and next ones databases; a key \
      has one role. Once a recovery key is trusted, only such a key can bring in, drop or revoke recovery \
      keys: keep it off line.

        stol db keys sign-ring -o 1.stolkeys --key root.key --version-number 1 \\
          --root root.pub --recovery safe.pub --current a.pub --next b.pub
        stol db keys rotate 1.stolkeys -o 2.stolkeys --key root.key --next c.pub
      """)

  @Option(
    name: [.customShort("o"), .long], help: "Where to write the keyring.",
    completion: .file(extensions: ["stolkeys"]))
  var output: String

  @Option(
    help: ArgumentHelp("The secret key that signs: a root or recovery key.", valueName: "file"),
    completion: .file(extensions: ["key"]))
  var key: String

  @Option(help: ArgumentHelp("Greater than that of the keyring before.", valueName: "n"))
  var versionNumber: Int32

  @Option(
    help: ArgumentHelp("A public key that signs keyrings; may be repeated.", valueName: "file"),
    completion: .file(extensions: ["pub"]))
  var root: [String]

  @Option(
    help: ArgumentHelp("One that is kept off line; may be repeated.", valueName: "file"),
    completion: .file(extensions: ["pub"]))
  var recovery: [String] = []

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
    let (roots, recoveries) = (try VerifyingKey.all(root), try VerifyingKey.all(recovery))
    let (currents, nexts) = (try VerifyingKey.all(current), try VerifyingKey.all(next))
    let signingKey = try passphrase.open(key)
    let ring = try about(output) {
      try SignedKeyring(
        version: Int(versionNumber), rootKeys: roots, recoveryKeys: recoveries,
        currentKeys: currents, nextKeys: nexts, revokedIDs: revoke.map(\.id), signedBy: signingKey)
    }
    try ring.writeAndSay(to: output)
  }
}

/// The command `stol db keys rotate`.
struct RotateKeyringCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rotate", abstract: "Make the keyring that follows one: its next keys are in use.",
    discussion: """
      The keys in use now are no longer listed; with --revoke-old they are revoked too. Root and \
      recovery keys stay.

        stol db keys rotate 1.stolkeys -o 2.stolkeys --key root.key --next c.pub
        stol db keys rotate 1.stolkeys -o 2.stolkeys --key root.key --next c.pub --revoke-old
      """)

  @Argument(help: "The keyring before.", completion: .file(extensions: ["stolkeys"]))
  var file: String

  @Option(
    name: [.customShort("o"), .long], help: "Where to write the keyring.",
    completion: .file(extensions: ["stolkeys"]))
  var output: String

  @Option(
    help: ArgumentHelp("The secret key that signs: a root or recovery key.", valueName: "file"),
    completion: .file(extensions: ["key"]))
  var key: String

  @Option(
    help: ArgumentHelp("A public key to be used next; may be repeated.", valueName: "file"),
    completion: .file(extensions: ["pub"]))
  var next: [String] = []

  @Flag(help: "Revoke the keys in use now, for good.")
  var revokeOld = false

  @OptionGroup var passphrase: PassphraseOptions

  func run() throws {
    let before = try about(file) { try SignedKeyring(path: file) }
    let nexts = try VerifyingKey.all(next)
    let signingKey = try passphrase.open(key)
    let ring = try about(file) {
      try before.rotated(nextKeys: nexts, revokesOld: revokeOld, signedBy: signingKey)
    }
    try ring.writeAndSay(to: output)
  }
}

extension VerifyingKey {
  /// The public keys in files; errors name the file.
  fileprivate static func all(_ paths: [String]) throws -> [VerifyingKey] {
    try paths.map { path in try about(path) { try VerifyingKey(path: path) } }
  }
}

extension SignedKeyring {
  /// Writes the keyring and says what it holds.
  fileprivate func writeAndSay(to path: String) throws {
    try about(path) { try write(to: path) }
    writeStandardError(
      "\(path): version \(version), \(rootKeys.count + recoveryKeys.count) keys for keyrings, "
        + "\(currentKeys.count + nextKeys.count) for databases, \(revokedIDs.count) revoked, "
        + "signed by \(signerID)\n")
  }
}

/// The command `stol db keys apply`.
struct ApplyKeyringCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply", abstract: "Take over a signed keyring.",
    discussion: """
      Its signer must be a root or recovery key that is trusted. An older keyring than the one \
      applied is refused, and one whose version is more than 100 above.

        stol db keys apply 2.stolkeys
      """)

  @Argument(help: "The keyring.", completion: .file(extensions: ["stolkeys"]))
  var file: String

  @OptionGroup var keyring: KeyringOptions

  func run() throws {
    try about(file) {
      let ring = try SignedKeyring(path: file)
      let before = try keyring.load()
      let after = try keyring.update { keyring throws(KeyError) in try keyring.apply(ring) }
      writeStandardError("\(file): \(Self.change(from: before, to: after))\n")
    }
  }

  /// What is trusted now that was not, in words.
  private static func change(from before: Keyring, to after: Keyring) -> String {
    let version = before.appliedVersion ?? 0
    let revoked = after.revokedIDs.subtracting(before.revokedIDs)
    return "version \(after.appliedVersion ?? 0) applied, "
      + (version == 0 ? "none before; " : "version \(version) before; ")
      + "\(after.rootKeys.count) keys sign keyrings, \(after.trustedKeys.count) databases, "
      + "\(revoked.count) newly revoked"
  }
}

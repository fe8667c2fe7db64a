import STOLTrust
import ArgumentParser
import STOLData
import STOLSystem

/// Where the keyring is kept.
struct KeyringOptions: ParsableArguments {
  @OptionGroup var home: HomeOptions

  /// The folder of the keyring.
  var folder: String { get throws { try home.directory.keys } }

  /// The keyring.
  func load() throws -> Keyring { try Keyring.kept(in: folder) }

  /// Changes the keyring.
  func update(_ change: (inout Keyring) throws(KeyError) -> Void) throws -> Keyring {
    TemporaryFiles.removeWhenInterrupted()
    return try Keyring.update(folder: folder, change)
  }
}

extension Keyring {
  /// Only the public key in the file `key`, else the keyring kept in `folder`; errors name the file.
  ///
  /// A key that has been revoked stays so, whoever names it, and one that signs keyrings signs nothing else.
  static func chosen(_ key: String?, orKeptIn folder: String) throws -> Keyring {
    let kept = try kept(in: folder)
    guard let key else { return kept }
    return try about(key) { try kept.only(try VerifyingKey(path: key)) }
  }

  /// The keyring kept in `folder`; errors name its file.
  static func kept(in folder: String) throws -> Keyring {
    try Keyring(folder: folder)
  }
}

/// Where the passphrase of a secret key comes from.
struct PassphraseOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Read the passphrase from the first line of a file, or of the standard input for -.",
      valueName: "file"),
    completion: .file())
  var passphraseFile: String?

  /// The passphrase, from the file, or typed on the terminal, twice for a new one.
  func read(isNew: Bool) throws -> SecretBytes {
    try Self.read(passphraseFile, isNew: isNew, option: "--passphrase-file")
  }

  /// A passphrase, from a file that an option names, or typed on the terminal, twice for a new one.
  static func read(
    _ file: String?, isNew: Bool, option: String, prompt: String? = nil
  ) throws -> SecretBytes {
    let prompt = prompt ?? (isNew ? "New passphrase: " : "Passphrase: ")
    var bytes = try line(file, prompt: prompt, option)
    guard !bytes.isEmpty else {
      throw CommandFailure(
        .usage,
        file.map { "\(option) \($0): the first line is empty" }
          ?? "the passphrase is empty; type one")
    }
    if isNew, file == nil {
      var again = try line(file, prompt: "The same again: ", option)
      let isSame = again == bytes
      SecretBytes.wipe(&again)
      guard isSame else {
        SecretBytes.wipe(&bytes)
        throw CommandFailure(.usage, "the passphrases differ; try again")
      }
    }
    guard let secret = SecretBytes(moving: &bytes) else { throw KeyError.outOfMemory }
    return secret
  }

  /// The secret key in a file, opened with the passphrase; errors name the file.
  func open(_ path: String) throws -> SigningKey {
    let secret = try read(isNew: false)
    return try about(path) { try SigningKey(path: path, passphrase: secret) }
  }

  private static func line(
    _ file: String?, prompt: String, _ option: String
  ) throws -> [UInt8] {
    guard let file else {
      do {
        if let line = try HiddenInput.line(prompt: prompt) { return line }
      } catch {
        // Interrupted, as by any other command.
        throw ExitCode(130)
      }
      throw CommandFailure(
        .usage, "no terminal to ask for the passphrase; add \(option) FILE")
    }
    let input = try ByteInput(path: file == "-" ? nil : file)
    // The array never grows, so that no copy stays behind.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(2 * HiddenInput.limit)
    var chunk: [UInt8] = []
    defer {
      SecretBytes.wipe(&bytes)
      SecretBytes.wipe(&chunk)
    }
    while bytes.count <= HiddenInput.limit && !bytes.contains(10) {
      try input.read(into: &chunk, limit: HiddenInput.limit)
      guard !chunk.isEmpty else { break }
      bytes += chunk
      SecretBytes.wipe(&chunk)
    }
    var end = bytes.firstIndex(of: 10) ?? bytes.count
    guard end <= HiddenInput.limit else {
      throw CommandFailure(
        .usage,
        "\(file): a passphrase has at most \(HiddenInput.limit) bytes")
    }
    if end > 0, bytes[end - 1] == 13 { end -= 1 }
    return Array(bytes[..<end])
  }
}

import STOLSystem
public import STOLData
public import STOLTrust

/// How far the installation of a media pack has come.
public struct MediaProgress: Equatable, Sendable {
  /// What is being done, in this order.
  public enum Stage: String, CaseIterable, Sendable {
    /// Copying the container beside the packs that are installed.
    case copying
    /// Checking its signature and digests.
    case verifying
    /// Decompressing it and checking every image.
    case unpacking
    /// Giving the pack its name.
    case finalizing
  }

  /// The stage.
  public let stage: Stage
  /// How much of the stage is done, in 0...1.
  public let fractionCompleted: Double

  package init(_ stage: Stage, _ done: Int = 0, of total: Int = 0) {
    self.stage = stage
    fractionCompleted = total > 0 ? Double(done) / Double(total) : 0
  }
}

/// One installation of a media pack from a signed container.
///
/// Nothing that is installed changes before the last step, which is one rename. Until then all files
/// are in a folder of the installation's own, which it removes when it fails or is cancelled; what a
/// killed one leaves is removed by the next. Installations wait for each other.
public struct MediaImport: Sendable {
  /// Whether an older release, or the same with other images, may replace the installed one.
  public var allowsDowngrade = false

  private let path: String
  private let store: MediaPackStore
  private let keyring: Keyring

  /// An installation of the container at `path` into `directory`.
  public init(of path: String, into directory: DataDirectory, trusting keyring: Keyring) {
    self.path = path
    store = MediaPackStore(in: directory)
    self.keyring = keyring
  }

  /// Installs the pack.
  ///
  /// - Parameter progress: called often; what it throws ends the installation and is thrown on.
  /// - Returns: the pack as it is installed.
  /// - Throws: `MediaError`, or what `progress` throws; what was installed before stays as it was.
  /// - Complexity: O(length of the container and of its content)
  public func run(progress: (MediaProgress) throws -> Void = { _ in }) throws -> MediaPack {
    try MediaError.wrapping {
      let staging = try store.stage { try progress(MediaProgress(.copying)) }
      let copy = staging.folder + "/container.stol-media"
      try Container.copy(from: path, to: copy) { done, total in
        try progress(MediaProgress(.copying, done, of: total))
      }
      let unpacked = staging.folder + "/images"
      let container = try Container(path: copy).verified(by: keyring) { done, total in
        try progress(MediaProgress(.verifying, done, of: total))
      }
      let part = try container.header.requiredPart(.media)
      guard let id = container.header.release.flatMap({ MediaPackID($0.dataset.text) }) else {
        throw MediaError.manifestMalformed(reason: "the container names no pack")
      }
      let installed = try store.soundArchive(of: id)
      let record = ReleaseRecord(folder: store.folder)
      let digest = part.contentDigest?.description ?? ""
      try requireNewer(
        id, container.header.releaseNumber, digest, than: installed, record.highest(of: id.text))

      var output = try ReplacementFile(path: unpacked)
      _ = try Self.check(
        container, into: { try output.append($0) },
        progress: { done, total in try progress(MediaProgress(.unpacking, done, of: total)) })
      try output.finish()
      let signer = container.signer.id.description
      _ = consume container

      let archive = try MediaArchive(path: unpacked)
      if let installed, installed.manifest.release.number == archive.manifest.release.number,
        installed.head != archive.head, !allowsDowngrade
      {
        let number = archive.manifest.release.number
        throw MediaError.downgrade(pack: id, installed: number, offered: number)
      }
      try progress(MediaProgress(.finalizing))
      try record.note(
        id.text, number: archive.manifest.release.number, digest: digest, keyID: signer)
      try staging.install(unpacked, as: id)
      return MediaPack(archive, isBundled: false, keyID: signer)
    }
  }

  /// Refuses an older release than any that was installed, and the same with other images, unless that is
  /// asked for.
  private func requireNewer(
    _ id: MediaPackID, _ number: UInt32, _ digest: String, than installed: MediaArchive?,
    _ highest: ReleaseRecord.Release?
  ) throws(MediaError) {
    guard !allowsDowngrade else { return }
    let last = max(installed?.manifest.release.number ?? 0, highest?.number ?? 0)
    let isOther = highest?.number == number && highest?.digest != digest
    guard number >= last, !isOther else {
      throw .downgrade(pack: id, installed: last, offered: number)
    }
  }

  /// Decompresses the media of a container and checks manifest and images.
  ///
  /// - Parameters:
  ///   - container: one that carries media.
  ///   - sink: what takes the pieces that passed so far.
  ///   - progress: called after each piece; what it throws is thrown on.
  /// - Returns: what the archive says of itself.
  /// - Throws: `MediaError`, `ContainerError`, or what `sink` or `progress` throws.
  package static func check(
    _ container: borrowing VerifiedContainer, into sink: ([UInt8]) throws -> Void = { _ in },
    progress: ContainerProgress = { _, _ in }
  ) throws -> MediaManifest {
    let part = try container.header.requiredPart(.media)
    var check = MediaArchiveCheck(byteCount: part.contentByteCount ?? 0)
    try container.decompress(
      part,
      into: { piece in
        try check.update(piece)
        try sink(piece)
      }, progress: progress)
    let manifest = try check.finish()
    guard manifest.release == container.header.release else {
      throw MediaError.otherRelease(
        manifest: manifest.release.text, container: container.header.release?.text ?? "none")
    }
    return manifest
  }
}

extension Release {
  /// The release in a few words.
  fileprivate var text: String { "\(dataset) release \(number) of \(buildTime)" }
}

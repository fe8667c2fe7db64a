public import STOLTrust
public import STOLSystem

/// Why images are refused, cannot be found, or cannot be removed.
public enum MediaError: Error, Equatable, Sendable {
  /// The container is refused: its signature, its digests, or what it carries.
  case container(ContainerError)
  /// A file could not be read, written or removed.
  case file(SystemError)
  /// The file does not begin as an archive of images.
  case notAnArchive
  /// The archive was made by a newer stol.
  case newerArchive(version: UInt32)
  /// The archive ends before its manifest does.
  case archiveTruncated
  /// The images that the manifest lists have another length than what follows it.
  case lengthMismatch(expected: Int, got: Int)
  /// The archive would be longer than `limit` bytes.
  case tooLarge(limit: Int)
  /// The manifest has not the digest that the archive states.
  case manifestChecksum
  /// The manifest breaks the rule named by `reason`.
  case manifestMalformed(reason: String)
  /// The manifest is of an older stol: its images name taxa by numbers alone.
  case olderManifest
  /// Neither the manifest nor the signer says when the pack was made.
  case buildTimeMissing
  /// What the manifest says of an image breaks the rule named by `reason`.
  case imageMalformed(image: String, reason: String)
  /// The bytes of an image are not of the type that the manifest states.
  case imageType(image: String, expected: MediaImageType)
  /// The bytes of an image have not the digest that the manifest states.
  case imageChecksum(image: String)
  /// The manifest is of another pack or release than the container around it.
  case otherRelease(manifest: String, container: String)
  /// A newer release of the pack is installed, or the same release with other images.
  case downgrade(pack: MediaPackID, installed: UInt32, offered: UInt32)
  /// No such pack is installed.
  case notInstalled(MediaPackID)
  /// Another process installs or removes packs in this folder.
  case inUse(folder: String)
  /// The pack came with the app and cannot be deleted.
  case bundled(MediaPackID)
}

extension MediaError: StolError {
  /// What kind of trouble it is.
  public var kind: ErrorKind {
    switch self {
    case .container(let error): error.kind
    case .file(let error): error.kind
    case .newerArchive, .olderManifest, .tooLarge, .bundled, .inUse, .buildTimeMissing: .usage
    case .downgrade: .older
    case .notInstalled: .notFound
    default: .damaged
    }
  }

  /// One line: what is wrong, where, and what to do.
  public var description: String {
    switch self {
    case .container(.notAStolFile):
      "not a media pack (the magic bytes are missing); make one with: stol media sign"
    case .container(let error): error.description
    case .file(let error): error.description
    case .notAnArchive:
      "not an archive of images (the magic bytes are missing); make one with: stol media sign"
    case .newerArchive(let version):
      "made by a newer stol (archive version \(version)); update stol"
    case .archiveTruncated:
      "corrupt: the archive ends before its manifest does; get the file again"
    case .lengthMismatch(let expected, let got):
      "corrupt: the images should take \(expected) bytes, \(got) are there; get the file again"
    case .tooLarge(let limit): "more than an archive of images may have (\(limit) bytes)"
    case .manifestChecksum: "corrupt: checksum of the manifest differs; get the file again"
    case .manifestMalformed(let reason): "manifest: \(reason); its maintainer must mend that"
    case .olderManifest:
      "made for an older stol, whose images named taxa by numbers alone; get it anew from its maintainer, "
        + "who signs it again with: stol media sign"
    case .buildTimeMissing:
      "does not say when the pack was made; add --build-time 2026-01-31T12:00:00Z"
    case .imageMalformed(let image, let reason):
      "image \(image): \(reason); its maintainer must mend that"
    case .imageType(let image, let expected):
      "image \(image): its bytes are not \(expected); its maintainer must mend that"
    case .imageChecksum(let image):
      "corrupt: checksum of the image \(image) differs; get the file again"
    case .otherRelease(let manifest, let container):
      "the manifest is of \(manifest), the container of \(container); get the file again"
    case .downgrade(let pack, let installed, let offered):
      offered < installed
        ? "refused: release \(offered) of \(pack) is older than release \(installed), which was "
          + "installed; if that is meant: --allow-downgrade"
        : "refused: release \(offered) of \(pack) was installed already, with other images; "
          + "if that is meant: --allow-downgrade"
    case .notInstalled(let pack): "no media pack \(pack) is installed; see: stol media list"
    case .inUse(let folder):
      "\(folder): another process installs or removes images now; try again once it has ended"
    case .bundled(let pack): "the media pack \(pack) came with the app and cannot be deleted"
    }
  }

  /// Runs `body`; what the rooms below throw becomes a `MediaError`.
  static func wrapping<Result: ~Copyable>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as ContainerError {
      throw Self.container(error)
    } catch let error as SystemError {
      throw Self.file(error)
    }
  }
}

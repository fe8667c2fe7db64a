import STOLSystem
public import STOLTrust

/// Makes an archive of the images in a folder, whose `manifest.json` a maintainer wrote.
///
/// The same folder, id, release and build time give the same bytes.
public struct MediaArchiveWriter: Sendable {
  /// The name of the file that says what the images are.
  public static let manifestName = "manifest.json"

  private let folder: String
  private let id: MediaPackID
  private let releaseNumber: UInt32
  private let buildTime: BuildTime?

  /// A writer for the images in `folder`.
  ///
  /// - Parameters:
  ///   - folder: where `manifest.json` and the images that it lists are.
  ///   - id: the pack.
  ///   - releaseNumber: grows from release to release, from 1.
  ///   - buildTime: when the pack was made; nil for what the manifest states as `buildTime`.
  public init(folder: String, id: MediaPackID, releaseNumber: UInt32, buildTime: BuildTime?) {
    self.folder = folder
    self.id = id
    self.releaseNumber = releaseNumber
    self.buildTime = buildTime
  }

  /// Writes the archive to `path`.
  ///
  /// Sizes, digests, and types where the manifest does not state them, are those of the files.
  ///
  /// - Returns: the release, to sign a container of the archive with, and the number of images.
  /// - Throws: `MediaError`, or what `progress` throws; a file that was at `path` stays.
  /// - Complexity: O(bytes of all images), which are read twice.
  public func write(
    to path: String, progress: ContainerProgress = { _, _ in }
  ) throws -> (release: Release, imageCount: Int) {
    try MediaError.wrapping {
      let manifest = try filledManifest(progress)
      let text = manifest.bytes
      guard text.count <= MediaLayout.manifestLimit else {
        throw MediaError.manifestMalformed(
          reason: "longer than \(MediaLayout.manifestLimit) bytes")
      }
      let head = ArchiveHead(
        manifestByteCount: text.count, manifestDigest: SHA256.digest(of: text))
      let start = head.bytes + text
      var output = try ReplacementFile(path: path)
      try output.append(start)
      guard start.count + manifest.imageByteCount <= MediaLayout.archiveLimit else {
        throw MediaError.tooLarge(limit: MediaLayout.archiveLimit)
      }
      for (index, image) in manifest.images.enumerated() {
        let bytes = try bytes(of: image.file)
        guard SHA256.digest(of: bytes) == image.digest else {
          throw MediaError.imageChecksum(image: image.file)
        }
        try output.append(bytes)
        try progress(manifest.images.count + index + 1, 2 * manifest.images.count)
      }
      try output.finish()
      return (manifest.release, manifest.images.count)
    }
  }

  /// An image as the maintainer describes it.
  private struct Draft {
    let about: MediaEntry.About
    let type: MediaImageType?
  }

  /// The maintainer's manifest with what the files say.
  private func filledManifest(_ progress: ContainerProgress) throws -> MediaManifest {
    let object = try ManifestObject(manifest: manifestText())
    let (stated, title, licence) = try object.ofManifest { () throws(ManifestObject.Fault) in
      (
        try ManifestObject.optionalText(object.buildTime, "buildTime"),
        try ManifestObject.text(object.title, "title"),
        try ManifestObject.optionalText(object.licence, "licence")
      )
    }
    let release = try release(stated: stated)
    let drafts = try object.eachImage { (image) throws(ManifestObject.Fault) in
      Draft(about: try image.about(), type: try image.statedType())
    }
    var images: [MediaEntry] = []
    for draft in drafts {
      let bytes = try bytes(of: draft.about.file)
      guard let type = MediaImageType(bytes: bytes) else {
        throw MediaError.imageMalformed(
          image: draft.about.file, reason: "its bytes are none of \(ManifestObject.typeNames)")
      }
      guard draft.type == nil || draft.type == type else {
        throw MediaError.imageType(image: draft.about.file, expected: draft.type ?? type)
      }
      images.append(
        MediaEntry(
          about: draft.about, type: type, byteCount: bytes.count,
          digest: SHA256.digest(of: bytes)))
      try progress(images.count, 2 * drafts.count)
    }
    return MediaManifest(
      id: id, release: release, title: title, licence: licence, images: images)
  }

  /// The release, made at the time that the signer or else the manifest states.
  private func release(stated text: String?) throws(MediaError) -> Release {
    guard let time = buildTime ?? text.flatMap({ BuildTime($0) }) else {
      guard text == nil else {
        throw .manifestMalformed(reason: "buildTime: not a time as 2026-01-31T12:00:00Z")
      }
      throw .buildTimeMissing
    }
    guard let dataset = DatasetID(id.text),
      let release = Release(dataset: dataset, number: releaseNumber, buildTime: time)
    else { throw .manifestMalformed(reason: "release: counts from 1") }
    return release
  }

  private func manifestText() throws -> [UInt8] {
    let file = try RegularFile(path: folder + "/" + Self.manifestName, followsLinks: true)
    let bytes = try file.bytes(at: 0, limit: MediaLayout.manifestLimit + 1)
    guard bytes.count <= MediaLayout.manifestLimit else {
      throw MediaError.manifestMalformed(reason: "longer than \(MediaLayout.manifestLimit) bytes")
    }
    return bytes
  }

  private func bytes(of name: String) throws -> [UInt8] {
    let file = try RegularFile(path: folder + "/" + name, followsLinks: false)
    let bytes = try file.bytes(at: 0, limit: MediaLayout.imageLimit + 1)
    guard (1...MediaLayout.imageLimit).contains(bytes.count) else {
      throw MediaError.imageMalformed(
        image: name,
        reason: "\(file.byteCount) bytes, not from 1 to \(MediaLayout.imageLimit)")
    }
    return bytes
  }
}

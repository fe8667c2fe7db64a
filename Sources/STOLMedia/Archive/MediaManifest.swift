import STOLData
package import STOLTrust

/// What a manifest says of one image.
struct MediaEntry: Equatable, Sendable {
  /// What people write about an image.
  struct About: Equatable, Sendable {
    let taxon: TaxonReference
    let file: String
    let title: String
    let author: String
    let licence: String
    let source: String
  }

  let about: About
  let type: MediaImageType
  let byteCount: Int
  let digest: Digest

  var file: String { about.file }

  /// Checks how an image begins, and its digest.
  func check(_ start: [UInt8], _ found: Digest) throws(MediaError) {
    guard MediaImageType(bytes: start) == type else {
      throw .imageType(image: file, expected: type)
    }
    guard found == digest else { throw .imageChecksum(image: file) }
  }
}

/// What an archive says of itself and its images: Format/MEDIA.md section 3.
package struct MediaManifest: Equatable, Sendable {
  let id: MediaPackID
  /// The release, which the container around the archive names too.
  package let release: Release
  let title: String
  let licence: String?
  let images: [MediaEntry]

  /// The number of images.
  package var imageCount: Int { images.count }
  /// The bytes of all images.
  var imageByteCount: Int { images.reduce(0) { $0 + $1.byteCount } }

  /// Where each image begins, counted from the first.
  var imageOffsets: [Int] {
    var end = 0
    return images.map { image in
      defer { end += image.byteCount }
      return end
    }
  }
}

extension MediaManifest {
  /// Reads the manifest that `bytes` are.
  ///
  /// - Throws: `MediaError.manifestMalformed` or `.imageMalformed`.
  /// - Complexity: O(n)
  init(bytes: [UInt8]) throws(MediaError) {
    let object = try ManifestObject(manifest: bytes)
    let (id, release, title, licence) = try object.ofManifest {
      () throws(ManifestObject.Fault) in
      guard let id = MediaPackID(try ManifestObject.text(object.id, "id")) else {
        throw .init("id: not 1 to \(DatasetID.limit) of a-z, 0-9, dot and hyphen")
      }
      return (
        id, try object.release(of: id), try ManifestObject.text(object.title, "title"),
        try ManifestObject.optionalText(object.licence, "licence")
      )
    }
    self.init(
      id: id, release: release, title: title, licence: licence,
      images: try object.eachImage { (image) throws(ManifestObject.Fault) in try image.entry() })
    guard imageByteCount <= MediaLayout.archiveLimit else {
      throw .tooLarge(limit: MediaLayout.archiveLimit)
    }
  }

  /// The manifest as JSON; the same every time.
  var bytes: [UInt8] {
    var text = "{\"id\":\(quoted(id.text)),\"release\":\(release.number)"
    text += ",\"buildTime\":\(quoted(release.buildTime.description))"
    text += ",\"title\":\(quoted(title))"
    if let licence { text += ",\"licence\":\(quoted(licence))" }
    text += ",\"images\":["
    for (index, image) in images.enumerated() {
      let about = image.about
      text += index == 0 ? "\n" : ",\n"
      text += "{\"taxon\":\(object(about.taxon)),\"file\":\(quoted(about.file))"
      text += ",\"title\":\(quoted(about.title)),\"author\":\(quoted(about.author))"
      text += ",\"licence\":\(quoted(about.licence)),\"source\":\(quoted(about.source))"
      text += ",\"type\":\(quoted(image.type.rawValue)),\"byteCount\":\(image.byteCount)"
      text += ",\"sha256\":\(quoted(image.digest.description))}"
    }
    return Array((text + "\n]}\n").utf8)
  }

  /// A reference as JSON, without what it does not say.
  private func object(_ taxon: TaxonReference) -> String {
    var text = "{"
    if let space = taxon.idSpace { text += "\"idSpace\":\(quoted(space))," }
    text += "\"id\":\(quoted(taxon.id)),\"name\":\(quoted(taxon.name))"
    if !taxon.authorship.isEmpty { text += ",\"authorship\":\(quoted(taxon.authorship))" }
    if let year = taxon.year { text += ",\"year\":\(year)" }
    if !taxon.rank.isEmpty { text += ",\"rank\":\(quoted(taxon.rank))" }
    if !taxon.kingdoms.isEmpty {
      text += ",\"kingdoms\":[\(taxon.kingdoms.map(quoted).joined(separator: ","))]"
    }
    return text + "}"
  }

  /// A text of a manifest as JSON; control characters, which would need more, are none in it.
  private func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}

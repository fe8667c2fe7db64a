import STOLSystem
import STOLTrust

/// A file that may become a photo: it was looked at, and is not kept yet.
package struct PhotoFile: Hashable, Sendable {
  /// All of it.
  package let bytes: [UInt8]
  /// What it is called, without a folder; nil where that is no name.
  package let name: String?
  /// What it says.
  package let facts: PhotoFacts
  /// What the journal notes about it.
  package let file: MediaFile

  /// Looks at a file.
  ///
  /// - Throws: `JournalError.photo`
  /// - Complexity: O(number of bytes)
  package init(_ bytes: [UInt8], name: String?) throws(JournalError) {
    do {
      facts = try PhotoFacts(bytes)
    } catch {
      throw .photo(name: name ?? "photo", error)
    }
    self.bytes = bytes
    self.name = name.flatMap { name in (try? requireName(name, "name")).map { _ in name } }
    file = MediaFile(
      sha256: SHA256.digest(of: bytes), type: facts.type, byteCount: bytes.count,
      width: facts.width, height: facts.height, orientation: facts.exif.orientation)
  }

  /// Looks at the file at `path`.
  ///
  /// - Throws: `JournalError.photo`, `SystemError`
  package init(path: String) throws {
    let opened = try RegularFile(path: path, followsLinks: true)
    // One that is too large is not read.
    let bytes = try opened.bytes(at: 0, limit: PhotoFacts.byteLimit + 1)
    do throws(JournalError) {
      try self.init(bytes, name: path.split(separator: "/").last.map(String.init))
    } catch {
      guard case .photo(_, let fault) = error else { throw error }
      throw JournalError.photo(name: path, fault)
    }
  }

  /// The photo of something that it becomes, where and when the camera says that it was taken.
  package func photo(of target: JournalID) -> Photo {
    var photo = Photo(
      id: Photo.id(of: file.sha256, target: target), target: target, file: file)
    photo.name = name
    photo.time = facts.exif.time
    photo.utcOffsetMin = facts.exif.utcOffsetMin
    photo.position = facts.exif.position
    photo.elevationCm = facts.exif.elevationCm
    return photo
  }
}

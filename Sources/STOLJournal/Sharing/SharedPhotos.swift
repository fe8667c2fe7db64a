import GRDB
import STOLTrust

/// Photos that others may have: each is a copy that says nothing but the image, and so another file with another UUID.
extension Sharing {
  /// What others may have of a photo: of one that is open what is said of it, else the image alone.
  func shared(
    _ photo: Photo, _ level: Privacy, _ reader: RecordReader
  ) throws -> SharedRecord? {
    guard level != .private, let copy else { return nil }
    guard let file = try copy(photo), take(file.sha256, isObscured: level != .open) else {
      return nil
    }
    guard level == .obscured, let target = try reader.head(photo.target) else {
      var shared = photo
      (shared.id, shared.file) = (name(photo.id), file)
      return SharedRecord(record: .photo(shared))
    }
    let shared = Photo(
      id: name(photo.id),
      target: self.level(of: target.id) == .open ? photo.target : name(photo.target), file: file)
    return SharedRecord(record: .photo(shared), isObscured: true)
  }

  /// How exactly others may know a photo: no more exactly than what it is of.
  func level(
    of photo: Photo, _ head: RecordReader.Head, _ reader: RecordReader
  ) throws -> Privacy {
    guard let target = try reader.head(photo.target) else { return .private }
    let targetLevel = try level(of: reader.record(target), target, reader)
    // What leaves of these says nothing, so that there is nothing left to be a photo of.
    let isGone = targetLevel != .open && (target.kind == .place || target.kind == .note)
    return isGone ? .private : level(of: head.id).stricter(targetLevel)
  }
}

extension JournalFile {
  /// A copy of the file of a photo that says nothing but the image; nil where the file is lost or damaged.
  private func stripped(_ file: MediaFile) -> PhotoFile? {
    guard let bytes = try? media.bytes(of: file), let copy = try? PhotoStripping.stripped(bytes)
    else { return nil }
    return try? PhotoFile(copy, name: nil)
  }

  /// What becomes of the files of photos in an export of their records.
  func strippedFile(of photo: Photo) -> MediaFile? { stripped(photo.file)?.file }

  /// Writes the files of photos into the folder media of a folder, where an import of records finds them.
  ///
  /// - Parameters:
  ///   - folder: the folder.
  ///   - privacy: for whom it is: for others copies that say nothing but the image, and of those photos alone that an
  ///     export of records for others has.
  /// - Returns: how many there are.
  /// - Throws: `JournalError.lostFile`, `SystemError`, `StoreError`
  package func exportMedia(to folder: String, for privacy: ExportPrivacy) throws -> Int {
    guard case .shared = privacy else { return try exportMedia(to: folder) }
    var files: Set<MediaFile> = []
    let sharing = try sharing(for: privacy) { photo in
      files.insert(photo.file)
      return photo.file
    }
    try forEachRecord(of: nil, by: sharing, kinds: [.photo]) { _ in }
    let target = MediaFolder(path: folder + "/media")
    var written: Set<Digest> = []
    // The times of the copies would say in which order photos were kept.
    for file in files.sorted(by: { $0.sha256.bytes.lexicographicallyPrecedes($1.sha256.bytes) }) {
      guard let copy = stripped(file) else {
        // One that is lost is named.
        _ = try media.bytes(of: file)
        continue
      }
      _ = try target.keep(copy)
      written.insert(copy.file.sha256)
    }
    return written.count
  }

  /// What others may have of the file of a photo: nil for nothing.
  ///
  /// - Throws: `JournalError.lostFile`, `StoreError`
  package func bytes(of photo: Photo, for privacy: ExportPrivacy) throws -> [UInt8]? {
    guard let sharing = try sharing(for: privacy, copying: { $0.file }) else {
      return try bytes(of: photo)
    }
    let isShared = try read { database in
      try sharing.begin(self, database)
      let reader = RecordReader(database: database)
      guard let head = try reader.head(photo.id), head.deletedMs == nil else { return false }
      return try sharing.shared(.photo(photo), head, reader) != nil
    }
    guard isShared else { return nil }
    let kept = try bytes(of: photo)
    do throws(PhotoFault) {
      return try PhotoStripping.stripped(kept)
    } catch {
      throw JournalError.photo(name: photo.name ?? "\(photo.id)", error)
    }
  }
}

import Foundation
import GRDB
import STOLStore
import STOLSystem
import STOLTrust

/// How many files of photos have thumbnails once they were made.
package struct ThumbnailCounts: Equatable, Sendable {
  /// Those that have them.
  package internal(set) var made = 0
  /// Those of which none can be made.
  package internal(set) var none = 0
  /// Those that are missing, or other files than they were.
  package internal(set) var lost = 0
}

extension JournalFile {
  /// The thumbnails beside the journal.
  var thumbnails: ThumbnailFolder {
    ThumbnailFolder(beside: keys.folder, keys.sealing)
  }

  /// One thread of a process keeps thumbnails: temporary files have the number of the process.
  private static let turns = Locked(())

  /// The live photo with a UUID.
  ///
  /// - Throws: `JournalError.unknown`, `JournalError.deleted`, `StoreError`
  package func photo(_ id: JournalID) throws -> Photo {
    guard let kept = try record(id), case .photo(let photo) = kept.record else {
      throw JournalError.unknown(id: id, needed: "photo")
    }
    guard kept.deletedAt == nil else { throw JournalError.deleted(id: id) }
    return photo
  }

  /// A small image of a photo: a JPEG file, seen the right way up, with nothing that the camera wrote.
  ///
  /// It is kept, and made where it is not there yet; where it cannot be kept it is made each time.
  ///
  /// - Returns: nil where none can be made: of a PNG, WebP or HEIC file in which the camera put none, and of a JPEG
  ///   image that cannot be decoded in less than 64 MB.
  /// - Throws: `JournalError.lostFile`, `StoreError`
  /// - Complexity: O(1) once it is there, else O(number of bytes of the file)
  package func thumbnail(of file: MediaFile, _ size: ThumbnailSize) throws -> [UInt8]? {
    // The journal may be locked meanwhile, and they lie elsewhere then.
    let thumbnails = thumbnails
    if let kept = thumbnails.bytes(of: file.sha256, size) { return kept.isEmpty ? nil : kept }
    let made = Thumbnail.files(of: try media.bytes(of: file))
    Self.turns.withLock { _ in
      for size in ThumbnailSize.allCases {
        try? thumbnails.keep(made[size] ?? [], of: file.sha256, size)
      }
    }
    do {
      // A purge that did not see it yet has removed the row.
      if try !hasRow(file.sha256) { try? thumbnails.remove(file.sha256) }
    } catch {
      try? thumbnails.remove(file.sha256)
      throw error
    }
    return made[size]
  }

  /// Makes the thumbnails that are missing, of all live photos.
  ///
  /// - Throws: `StoreError`
  /// - Complexity: O(number of bytes of the photos without)
  package func makeThumbnails() throws -> ThumbnailCounts {
    var counts = ThumbnailCounts()
    var seen: Set<Digest> = []
    try eachPhoto { photo in
      guard seen.insert(photo.file.sha256).inserted else { return }
      do {
        // The small one is kept first, so that with the large one both are there.
        if try thumbnail(of: photo.file, .large) == nil {
          counts.none += 1
        } else {
          counts.made += 1
        }
      } catch JournalError.lostFile {
        counts.lost += 1
      }
    }
    return counts
  }

  private func hasRow(_ digest: Digest) throws -> Bool {
    try read { database in
      try Bool.fetchOne(
        database, sql: "SELECT EXISTS(SELECT 1 FROM media WHERE sha256 = ?)",
        arguments: [Data(digest.bytes)]) ?? false
    }
  }
}

import Foundation
import GRDB
import STOLStore
import STOLSystem
import STOLTrust

/// What a check finds of the files beside a journal.
public struct MediaReport: Equatable, Sendable {
  /// What is not as it should be, in a line each: files that are missing, or others than they were.
  public internal(set) var faults: [String] = []
  /// Files that belong to no photo, by their paths: what a process left that was killed.
  public internal(set) var orphans: [String] = []
}

extension JournalFile {
  /// The files beside the journal.
  var media: MediaFolder {
    MediaFolder(beside: keys.folder, keys.sealing)
  }

  /// Keeps files, within a change: they are there before what refers to them, and gone where one cannot be kept.
  func keep(_ files: [PhotoFile]) throws {
    var kept: [PhotoFile] = []
    for file in files {
      do {
        if try media.keep(file) { kept.append(file) }
      } catch {
        for file in kept { try? removeDurably(media.path(of: file.file.sha256)) }
        throw ForeignError(error: error)
      }
    }
  }

  /// The photo of something that a file is, or becomes.
  ///
  /// - Returns: what is there already, with what was said of it since; else a new one, where and when the camera says
  ///   that it was taken.
  /// - Throws: `StoreError`
  package func photo(_ file: PhotoFile, of target: JournalID) throws -> Photo {
    var photo = file.photo(of: target)
    guard let kept = try record(photo.id) else { return photo }
    if kept.deletedAt == nil, case .photo(let known) = kept.record { return known }
    // One that was taken away stays so, and can be brought back.
    photo.id = JournalID()
    return photo
  }

  // MARK: - Reading

  /// The live photos of a record, of its notes, and of what was seen in an event or of an individual.
  ///
  /// - Returns: those of the record itself first, then in their places, then in the order in which they were kept.
  /// - Throws: `JournalError.unknown` where there is no such record; `StoreError`
  package func photos(of id: JournalID) throws -> [KeptRecord] {
    try read { database in
      let reader = RecordReader(database: database)
      guard let head = try reader.head(id) else {
        throw JournalError.unknown(id: id, needed: "record")
      }
      return try Row.fetchAll(
        database,
        sql: """
          WITH owner(id) AS (
            SELECT ?1 UNION SELECT id FROM occurrence WHERE event_id = ?1 OR organism_id = ?1),
          about(id) AS (
            SELECT id FROM owner
            UNION SELECT n.id FROM owner JOIN note n ON n.target_id = owner.id)
          SELECT r.* FROM about JOIN photo p ON p.target_id = about.id
            JOIN record r ON r.id = p.id AND r.deleted_ms IS NULL
          ORDER BY p.target_id <> ?1, p.ordinal IS NULL, p.ordinal, p.id
          """, arguments: [head.id]
      ).map { KeptRecord(try reader.stored(try RecordReader.Head($0))) }
    }
  }

  /// The live photos of the journal in the order in which they were kept, a page at a time.
  ///
  /// - Parameters:
  ///   - after: the last photo of the page before; nil for the first page.
  ///   - limit: how many a page has.
  /// - Returns: the page; it is the last one where it has fewer.
  /// - Throws: `StoreError`
  /// - Complexity: O(limit + log n)
  package func photos(after: JournalID? = nil, limit: Int) throws -> [KeptRecord] {
    try read { database in
      let reader = RecordReader(database: database)
      let last = try after.flatMap { try reader.head($0)?.id } ?? 0
      return try Row.fetchAll(
        database,
        sql: """
          SELECT r.* FROM photo p JOIN record r ON r.id = p.id
          WHERE p.id > ? AND r.deleted_ms IS NULL ORDER BY p.id LIMIT ?
          """, arguments: [last, max(0, limit)]
      ).map { KeptRecord(try reader.stored(try RecordReader.Head($0))) }
    }
  }

  /// Gives all live photos to `body`, in the order in which they were kept, a thousand at a time.
  ///
  /// - Throws: what `body` throws; `StoreError`
  /// - Complexity: O(n log n)
  package func eachPhoto(_ body: (Photo) throws -> Void) throws {
    var last: JournalID?
    while true {
      let page = try photos(after: last, limit: 1000)
      for case .photo(let photo) in page.map(\.record) { try body(photo) }
      last = page.last?.record.id
      if page.count < 1000 { return }
    }
  }

  /// The bytes of a photo, as they were kept.
  ///
  /// - Throws: `JournalError.lostFile`
  package func bytes(of photo: Photo) throws(JournalError) -> [UInt8] {
    try media.bytes(of: photo.file)
  }

  /// How many files of live photos are gone, or have another length; `checkMedia` reads all of them.
  ///
  /// - Throws: `StoreError`
  /// - Complexity: O(n log n)
  package func lostFileCount() throws -> Int {
    let files = try read { try Self.mediaFiles($0, areLive: true) }
    return files.count { !media.has($0) }
  }

  /// Writes the files of all live photos into the folder media of a folder, byte for byte.
  func exportMedia(to folder: String) throws -> Int {
    let target = MediaFolder(path: folder + "/media")
    let files = try read { try Self.mediaFiles($0, areLive: true) }
    for file in files {
      _ = try target.keep(try PhotoFile(try media.bytes(of: file), name: nil))
    }
    return files.count
  }

  // MARK: - Checking

  /// Looks at all files beside the journal: whether that of each live photo is there and what it was, and whether a
  /// photo, deleted or not, has it.
  ///
  /// - Throws: `StoreError`
  /// - Complexity: O(number of bytes)
  package func checkMedia() throws -> MediaReport {
    var report = MediaReport()
    for file in try read({ try Self.mediaFiles($0, areLive: true) }) {
      do throws(JournalError) {
        let photo = try PhotoFile(
          try media.bytes(of: file), name: media.path(of: file.sha256))
        if photo.file != file {
          report.faults.append(
            "media: \(media.path(of: file.sha256)): is another image than its row says")
        }
      } catch {
        report.faults.append("media: \(error)")
      }
    }
    // One that another process keeps has its row soon: rows are asked for behind files.
    let paths = mediaPaths()
    let known = Set(try mediaFiles().map { media.path(of: $0.sha256) })
    report.orphans = paths.filter { !known.contains($0) }
    return report
  }

  /// Removes the files that belong to no photo, and thumbnails of such.
  ///
  /// Those of a damaged journal that was set aside are among them: see `damagedFiles`.
  ///
  /// - Returns: their paths, without those of thumbnails.
  /// - Throws: `StoreError`
  @discardableResult
  package func removeOrphans() throws -> [String] {
    guard !mediaPaths().isEmpty || fileExists(thumbnails.path) else { return [] }
    // Who keeps a file has the same lock until its row is there.
    return try file.withDatabase(isChange: true) { database in
      let known = Set(try Self.mediaFiles(database).map(\.sha256))
      let paths = Set(known.map { media.path(of: $0) })
      let orphans = mediaPaths().filter { !paths.contains($0) }
      for orphan in orphans { try removeDurably(orphan) }
      try thumbnails.removeAll(but: known)
      return orphans
    }
  }

  /// How many files beside the journal no live photo has.
  func unneededFileCount() throws -> Int {
    let paths = mediaPaths()
    let needed = Set(
      try read { try Self.mediaFiles($0, areLive: true) }.map { media.path(of: $0.sha256) })
    return paths.count { !needed.contains($0) }
  }

  /// The paths of all files of photos; beside a locked journal, of those that are not sealed too, which somebody kept
  /// who did not know yet that it is.
  private func mediaPaths() -> [String] {
    let readable = keys.sealing.map { _ in MediaFolder(beside: keys.folder, nil).folder.paths() }
    return media.folder.paths() + (readable ?? [])
  }

  private func mediaFiles() throws -> [MediaFile] { try read { try Self.mediaFiles($0) } }

  /// The files of all photos, or of those alone that are not deleted.
  private static func mediaFiles(
    _ database: Database, areLive: Bool = false
  ) throws -> [MediaFile] {
    let live = """
      WHERE EXISTS (SELECT 1 FROM photo p JOIN record r ON r.id = p.id
        WHERE p.media_id = m.id AND r.deleted_ms IS NULL)
      """
    return try Row.fetchAll(
      database, sql: "SELECT * FROM media m \(areLive ? live : "") ORDER BY m.id"
    ).map { try RecordReader.mediaFile($0) }
  }
}

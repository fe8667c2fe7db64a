import Foundation
import STOLSystem

/// What becomes of photos that belong to a file.
public enum PhotoChoice: String, CaseIterable, Sendable {
  /// They are kept.
  case keep
  /// They are left out, and counted.
  case skip
}

/// What becomes of the photos of a file, and where they lie.
package struct PhotoImport: Sendable {
  /// What becomes of them.
  package let choice: PhotoChoice
  /// The folder of the file; nil where it is in none.
  private let folder: String?

  /// The photos of a file.
  ///
  /// - Parameters:
  ///   - choice: what becomes of them.
  ///   - file: the path of the file beside which they lie; nil where none lies beside it.
  package init(_ choice: PhotoChoice, beside file: String? = nil) {
    self.choice = choice
    folder = file.map { file in
      file.lastIndex(of: "/").map { String(file[...$0]) } ?? "./"
    }
  }

  /// The photo of another program's list: a text in base64, one in an object, or the name of a file beside the list.
  func file(_ node: JSONNode) throws(JournalError) -> PhotoFile {
    let names = ["imageData", "data", "file"]
    let value = names.lazy.compactMap { node[$0] }.first ?? node
    guard case .text(let text) = value.value else {
      throw Self.unread(node.shown)
    }
    if text.contains("."), let folder {
      // Only what lies beside it, or below that.
      let parts = text.split(separator: "/", omittingEmptySubsequences: false)
      guard !parts.contains(".."), !text.hasPrefix("/"), !text.contains("\0") else {
        throw Self.unread(text)
      }
      return try Self.file(folder + text)
    }
    // "data:image/jpeg;base64," may stand before it.
    let digits = text.hasPrefix("data:") ? text.drop { $0 != "," }.dropFirst() : text[...]
    guard let data = Data(base64Encoded: String(digits)), !data.isEmpty else {
      throw Self.unread(text)
    }
    return try PhotoFile([UInt8](data), name: nil)
  }

  private static func unread(_ value: String) -> JournalError {
    .invalid(
      field: "photo", value: String(value.prefix(20)),
      remedy: "a photo in base64, or the name of a file beside this one")
  }

  private static func file(_ path: String) throws(JournalError) -> PhotoFile {
    do {
      return try PhotoFile(path: path)
    } catch let error as JournalError {
      throw error
    } catch {
      let code = (error as? SystemError)?.code.description
      throw .lostFile(path: path, reason: "cannot be read: \(code ?? "\(error)")")
    }
  }

  /// The file that a record of the journal names, in the folder media beside its list.
  fileprivate func file(of photo: Photo) throws(JournalError) -> PhotoFile {
    let folder = MediaFolder(path: (self.folder ?? "./") + "media")
    let path = folder.path(of: photo.file.sha256)
    guard self.folder != nil else {
      throw .lostFile(
        path: path, reason: "cannot be found: the standard input lies in no folder")
    }
    let found = try Self.file(path)
    guard found.file == photo.file else {
      throw .lostFile(path: path, reason: "is not the file that the record names")
    }
    return found
  }
}

/// Adds the files of photos to rows of records, or leaves the photos out.
final class PhotoFilesReader: ImportReader {
  private let reader: any ImportReader
  private let choice: PhotoChoice
  private let isThere: (MediaFile) -> Bool
  private let file: (Photo) throws(JournalError) -> PhotoFile

  /// The rows of `reader`; `file` gives the file of a photo where it is not there already.
  init(
    _ reader: any ImportReader, _ choice: PhotoChoice, isThere: @escaping (MediaFile) -> Bool,
    file: @escaping (Photo) throws(JournalError) -> PhotoFile
  ) {
    (self.reader, self.choice, self.isThere, self.file) = (reader, choice, isThere, file)
  }

  func next() throws -> Result<ImportRow, ImportRefusal>? {
    guard let next = try reader.next() else { return nil }
    guard case .success(var row) = next else { return next }
    for case .photo(let photo) in row.records {
      guard choice == .keep else {
        row.flags.append(
          ImportFlag(
            column: "photo", value: "\(photo.id)", reason: "left out: --photos keep takes it"))
        continue
      }
      // What is there need not lie beside the file too.
      if isThere(photo.file) { continue }
      do throws(JournalError) {
        row.files.append(try file(photo))
      } catch {
        var reason = error.description
        if case .lostFile(let path, let why) = error { reason = "\(path) \(why)" }
        row.lost = ImportRefusal(
          line: row.line, column: "file", value: String("\(photo.file.sha256)".prefix(8)),
          reason: "is no photo that is there: \(reason)",
          remedy: "put the file there; 'stol journal import --photos skip' takes the records alone")
      }
    }
    if choice == .skip { row.records.removeAll { $0.kind == .photo } }
    return .success(row)
  }
}

extension JournalFile {
  /// What reads a file of a layout, with the photos that belong to it.
  ///
  /// - Throws: as `JSONLayout.reader`.
  package func reader(
    _ layout: JSONLayout, _ chunks: ByteChunks, photos: PhotoImport,
    mapping: TableMapping = TableMapping(), acceptsNullIsland: Bool = false
  ) throws -> any ImportReader {
    let reader = try layout.reader(
      chunks, photos: photos, mapping: mapping, acceptsNullIsland: acceptsNullIsland)
    switch layout {
    case .json, .jsonl:
      return PhotoFilesReader(reader, photos.choice, isThere: media.has) {
        photo throws(JournalError) in try photos.file(of: photo)
      }
    case .treetracker, .watchtree, .umilog, .geojson: return reader
    }
  }
}

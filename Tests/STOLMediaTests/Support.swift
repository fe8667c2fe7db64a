import Foundation
import GRDB
import STOLData
import STOLPack
import TestSupport
import Testing

@testable import STOLImport
@testable import STOLTrust
@testable import STOLMedia

/// A data directory and what lies in its folder of media packs.
struct Home {
  let folder: TemporaryFolder
  var directory: DataDirectory { DataDirectory(override: folder("home")) }
  var store: MediaPackStore { MediaPackStore(in: directory) }

  init() throws { folder = try TemporaryFolder() }

  @discardableResult
  func add(
    _ path: String, allowingDowngrade: Bool = false,
    progress: (MediaProgress) throws -> Void = { _ in }
  ) throws -> MediaPack {
    var work = MediaImport(of: path, into: directory, trusting: try TestMedia.keyring)
    work.allowsDowngrade = allowingDowngrade
    return try work.run(progress: progress)
  }

  /// All files in the folder of media packs but the list of the highest releases, with their bytes.
  var files: [String: Data] {
    get throws {
      var files: [String: Data] = [:]
      for name in (try? FileManager.default.subpathsOfDirectory(atPath: directory.media)) ?? [] {
        guard name != "releases.txt" else { continue }
        files[name] = FileManager.default.contents(atPath: directory.media + "/" + name) ?? Data()
      }
      return files
    }
  }

  func cache(bundled: [String] = [], _ pack: Pack? = nil) -> LocalMediaCache {
    LocalMediaCache(directory: directory, bundled: bundled) { pack }
  }
}

/// Small media packs.
enum TestMedia {
  static let vectors = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Format/vectors")

  /// The key that signs, 32 times 1.
  static var key: SigningKey {
    get throws {
      var bytes = [UInt8](repeating: 1, count: 32)
      return try SigningKey(seed: try #require(SecretBytes(moving: &bytes)))
    }
  }
  static var keyring: Keyring { get throws { Keyring(only: try key.verifyingKey) } }

  static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Bytes that begin as a PNG and go on with `text`.
  static func image(_ text: String) -> [UInt8] { png + Array(text.utf8) }

  static func id(_ text: String) throws -> MediaPackID { try #require(MediaPackID(text)) }

  /// What a taxon of `pack` is called.
  private static func name(of taxon: Int) -> String {
    [
      1: "Eukaryota", 4: "Mammalia", 6: "Felidae", 8: "Panthera leo", 100: "Viruses",
      900: "Panthera leo", 901: "Mammalia",
    ][taxon]
      ?? "Taxon \(taxon)"
  }

  /// The members of the description of an image.
  static func about(_ taxon: Int, _ file: String) -> [String: Any] {
    [
      "taxon": ["id": "\(taxon)", "name": name(of: taxon)], "file": file,
      "title": "Title of \(taxon)", "author": "Author",
      "licence": "CC0-1.0", "source": "",
    ]
  }

  /// Writes a folder as a maintainer would: an image for each taxon, whose bytes say so.
  static func writeFolder(
    _ path: String, taxa: [Int], content: String = "",
    changing: (inout [String: Any]) -> Void = { _ in }
  ) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for taxon in taxa {
      try Data(image("\(taxon)\(content)")).write(
        to: URL(fileURLWithPath: "\(path)/\(taxon).png"))
    }
    var manifest: [String: Any] = [
      "title": "Test", "licence": "CC0-1.0", "buildTime": "2026-01-01T00:00:00Z",
      "images": taxa.map { about($0, "\($0).png") },
    ]
    changing(&manifest)
    try JSONSerialization.data(withJSONObject: manifest).write(
      to: URL(fileURLWithPath: path + "/manifest.json"))
  }

  /// Writes an archive of these taxa's images.
  @discardableResult
  static func archive(
    in folder: TemporaryFolder, _ name: String = "a.stolimages", id: String = "animals",
    release: UInt32 = 1, taxa: [Int] = [1, 8], content: String = ""
  ) throws -> String {
    try writeFolder(folder(name + ".d"), taxa: taxa, content: content)
    let writer = MediaArchiveWriter(
      folder: folder(name + ".d"), id: try self.id(id), releaseNumber: release, buildTime: nil)
    _ = try writer.write(to: folder(name))
    return folder(name)
  }

  /// Writes a signed container of these taxa's images.
  static func container(
    in folder: TemporaryFolder, _ name: String = "a.stol-media", id: String = "animals",
    release: UInt32 = 1, taxa: [Int] = [1, 8], content: String = ""
  ) throws -> String {
    let archive = try archive(
      in: folder, name + ".stolimages", id: id, release: release, taxa: taxa, content: content)
    return try sign(archive, as: folder(name), id: id, release: release)
  }

  /// Signs any archive.
  static func sign(
    _ archive: String, as path: String, id: String = "animals", release: UInt32 = 1
  ) throws -> String {
    let dataset = try #require(DatasetID(id))
    let time = try #require(BuildTime("2026-01-01T00:00:00Z"))
    let release = try #require(Release(dataset: dataset, number: release, buildTime: time))
    try ContainerWriter(schemaVersion: 0, release: release, key: try key).writeMedia(
      archive: archive, to: path)
    return path
  }

  /// A taxonomy of a chain 1 > 4 > 6 > 8 and a second root 100; 900 was merged into 8, 901 into 4.
  static func pack(in folder: TemporaryFolder) throws -> Pack {
    let path = folder("taxa.sqlite")
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { database in
      try database.execute(
        sql: """
          CREATE TABLE schema_version (version INTEGER NOT NULL);
          INSERT INTO schema_version VALUES (1);
          CREATE TABLE taxa (id INTEGER PRIMARY KEY, parent_id INTEGER, rank TEXT NOT NULL,
            scientific_name TEXT NOT NULL, author TEXT, year INTEGER,
            status TEXT NOT NULL DEFAULT 'accepted', conservation TEXT);
          CREATE TABLE names (id INTEGER PRIMARY KEY, taxon_id INTEGER NOT NULL,
            name TEXT NOT NULL, lang TEXT NOT NULL, name_type TEXT NOT NULL,
            is_preferred INTEGER NOT NULL DEFAULT 0);
          CREATE TABLE refs (id INTEGER PRIMARY KEY, taxon_id INTEGER, citation TEXT, url TEXT,
            ref_type TEXT);
          CREATE TABLE traits (id INTEGER PRIMARY KEY, taxon_id INTEGER NOT NULL,
            trait_key TEXT NOT NULL, trait_value TEXT NOT NULL, unit TEXT, source_ref INTEGER);
          CREATE TABLE merged_taxa (id INTEGER PRIMARY KEY, into_id INTEGER NOT NULL);
          INSERT INTO taxa (id, parent_id, rank, scientific_name) VALUES
            (1, NULL, 'domain', 'Eukaryota'), (4, 1, 'class', 'Mammalia'),
            (6, 4, 'family', 'Felidae'), (8, 6, 'species', 'Panthera leo'),
            (100, NULL, 'domain', 'Viruses');
          INSERT INTO merged_taxa VALUES (900, 8), (901, 4);
          """)
    }
    try queue.close()
    _ = try PackCompiler(path: path).compile(to: folder("taxa.stolpack"))
    return try Pack(path: folder("taxa.stolpack"))
  }
}

/// Fails unless `body` throws this error.
func expectError(
  _ expected: MediaError, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () throws -> Void
) {
  #expect(throws: expected, sourceLocation: sourceLocation) { try body() }
}

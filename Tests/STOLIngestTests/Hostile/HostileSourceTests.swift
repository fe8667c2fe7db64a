import STOLSystem
import STOLFormats
import Foundation
import GRDB
import STOLIngest
import TestSupport
import Testing

/// Damaged sources: an error that says what is wrong, or a database that is sound; never a crash.
///
/// `STOL_FIRST_MUTATION` is the seed of the first.
@Suite("Hostile sources")
struct HostileSourceTests {
  private static let mutationCount = UInt64(Sweep.count(few: 150, full: 5_000))
  private static let first =
    ProcessInfo.processInfo.environment["STOL_FIRST_MUTATION"].flatMap { UInt64($0) } ?? 0

  /// Ingests files, which may make an error, and looks at what was made.
  private func ingest(
    _ source: ValidSource, _ files: [String: [UInt8]], _ seed: UInt64, isZipped: Bool = false
  ) throws -> Bool {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder("source"), withIntermediateDirectories: true)
    var zip = ZipBuilder()
    for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
      if isZipped, name != ValidSource.mappingName {
        try zip.add(name.utf8, bytes, isDeflated: seed.isMultiple(of: 2))
      } else {
        try folder.write(bytes, to: name == ValidSource.mappingName ? name : "source/" + name)
      }
    }
    var path = folder("source")
    if isZipped {
      var bytes = zip.archive
      var mutator = Mutator(seed: seed)
      if seed % 4 > 1 { mutator.damage(&bytes) }
      path = try folder.write(bytes, to: "source.zip")
    }
    let mapping = source.files[ValidSource.mappingName].map { _ in folder(ValidSource.mappingName) }
    return try ingest(
      IngestSource(kind: source.kind, path: path, mappingPath: mapping), in: folder,
      "\(source.name), seed \(seed)", packs: seed.isMultiple(of: 16))
  }

  private func ingest(
    _ source: IngestSource, in folder: TemporaryFolder, _ comment: String, packs: Bool = false
  ) throws -> Bool {
    let report: IngestReport
    do {
      report = try Ingestion(source).write(to: folder("taxa.sqlite"))
    } catch {
      if case .database(_, let reason) = error as? IngestError {
        Issue.record("\(comment): \(reason)")
      }
      #expect(!"\(error)".isEmpty)
      #expect(error is IngestError || error is FormatError || error is SystemError, "\(error)")
      return false
    }
    try SoundDatabase.check(
      folder("taxa.sqlite"), report, packsIn: packs ? folder : nil, comment)
    return true
  }

  @Test(arguments: ValidSource.all)
  func damagedFilesGiveAnErrorOrASoundDatabase(_ source: ValidSource) throws {
    let whole = source.files.mapValues { Array($0.utf8) }
    #expect(try source.isZipped || ingest(source, whole, 0))
    #expect(try ingest(source, whole, 0, isZipped: true))
    var madeCount = 0
    for seed in Self.first..<Self.first + Self.mutationCount {
      var mutator = Mutator(seed: seed)
      var files = whole
      let name = mutator.pick(files.keys.sorted())
      var bytes = files[name] ?? []
      mutator.damage(&bytes)
      files[name] = bytes
      if try ingest(source, files, seed, isZipped: source.isZipped || seed % 8 == 7) {
        madeCount += 1
      }
    }
    // Damage of which nothing is left tests nothing.
    #expect(madeCount > 0)
  }

  @Test func damagedDatabasesGiveAnErrorOrASoundDatabase() throws {
    let folder = try TemporaryFolder()
    try FurtherFormatsTests.writeSpeciesFiles(to: folder("whole.sqlite"))
    let whole = try folder.bytes(of: "whole.sqlite")
    let source = IngestSource(kind: .sfga, path: folder("source.sqlite"))
    var madeCount = 0
    for seed in Self.first..<Self.first + Self.mutationCount {
      var bytes = whole
      var mutator = Mutator(seed: seed)
      if seed > 0 { mutator.damage(&bytes) }
      try folder.write(bytes, to: "source.sqlite")
      if try ingest(source, in: folder, "sfga, seed \(seed)") { madeCount += 1 }
    }
    #expect(madeCount > 0)
  }

  @Test func deepDescriptionsOverflowNothing() throws {
    for depth in [1_000, 300_000] {
      let folder = try TemporaryFolder()
      let text = String(repeating: "<a>", count: depth)
      try folder.write(Array(text.utf8), to: "meta.xml")
      try folder.write(Array("id,scientificName\n1,Aus bus\n".utf8), to: "core.csv")
      #expect(
        try !ingest(IngestSource(kind: .dwca, path: folder.path), in: folder, "meta.xml"))
      let other = try TemporaryFolder()
      let closed = "<eml><dataset>" + text + String(repeating: "</a>", count: depth)
      try other.write(Array((closed + "</dataset></eml>").utf8), to: "eml.xml")
      try other.write(
        Array("taxonID,scientificName,taxonRank\n1,Aus bus,species\n".utf8), to: "core.csv")
      _ = try ingest(IngestSource(kind: .dwca, path: other.path), in: other, "eml.xml")
    }
  }
}

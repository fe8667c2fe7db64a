import Foundation
import STOLIngest
import Testing
import STOLFormats

@Suite(
  .enabled(
    if: RealSources.isAvailable("dwca/vascan.zip"), "needs ../shared/data/reference/dwca/vascan.zip"
  ))
struct RealFilesTests {
  @Test func readsAllOfADarwinCoreArchive() throws {
    let files = try SourceFiles(path: RealSources.root + "/dwca/vascan.zip")
    #expect(files.names.count == 7)
    let archive = try ArchiveDescriptor(
      files.contents(of: "meta.xml", limit: ArchiveDescriptor.byteLimit), path: "meta.xml")
    let findings = Findings()
    for table in [archive.core] + archive.extensions {
      for name in table.files {
        let file = try #require(files.find(name))
        let expected = try files.contents(of: file, limit: 1 << 30).count { $0 == 0x0A }
        var reader = TableReader(try files.open(file), table.layout, onFinding: findings.ofRows)
        var count = 0
        while try reader.next() { count += 1 }
        #expect(count == expected - table.layout.headerRowCount)
      }
    }
    #expect(findings.counts.isEmpty)
    let metadata = try DatasetMetadata(
      of: files, metadataFile: archive.metadataFile, findings: findings)
    #expect(metadata.title == "Database of Vascular Plants of Canada (VASCAN)")
    #expect(metadata.licence == "http://creativecommons.org/publicdomain/zero/1.0/legalcode")
    #expect(metadata.version == "37.15" && metadata.issued == "2024-08-29")
  }

  @Test func readsAColDPArchiveWhoseTablesLieInAFolder() throws {
    let files = try SourceFiles(path: RealSources.root + "/coldp_ptero/ptero-yaml.coldp.zip")
    let name = try #require(files.find("Taxon.csv"))
    #expect(name == "data/taxon.csv")
    let findings = Findings()
    let head = try files.open(name).next()
    var reader = TableReader(
      try files.open(name), .guess(fileName: name, head: head), onFinding: findings.ofRows)
    let columns = ColumnMap(try #require(try reader.header()))
    let id = try columns.requiredIndex("ID", file: name)
    var count = 0
    while try reader.next() {
      if !reader.isEmpty(id) { count += 1 }
    }
    #expect(count > 1000 && findings.counts.isEmpty)
    let metadata = try DatasetMetadata(of: files, findings: findings)
    #expect(metadata.licence == "CC0")
  }

  @Test func readsADumpOfGBIFsTable() throws {
    let files = try SourceFiles(path: RealSources.root + "/gbif_simple/simple.txt.gz")
    #expect(files.names == ["simple.txt"])
    var reader = TableReader(try files.open("simple.txt"), .tabs, onFinding: { _, _ in })
    #expect(try reader.next())
    #expect(reader.columnCount == 30)
    #expect(reader.integer(0) == 414 && reader.isEmpty(1) && reader.equals(19, "Asterales"))
  }

  @Test func readsDumpFilesOfNCBIAndOpenTree() throws {
    let findings = Findings()
    let nodes = try SourceFiles(path: RealSources.root + "/ncbi_names_sample")
    var reader = TableReader(try nodes.open("nodes.dmp"), .dump, onFinding: findings.ofRows)
    while try reader.next() { #expect(reader.integer(0) != nil) }
    #expect(reader.columnCount == 13)
    let tree = try SourceFiles(path: RealSources.root + "/ott_aster/ncbi_aster")
    let file = try tree.open("taxonomy.tsv")
    var rows = TableReader(file, .dump, onFinding: findings.ofRows)
    #expect(
      try rows.header() == ["uid", "parent_uid", "name", "rank", "sourceinfo", "uniqname", "flags"])
    while try rows.next() { #expect(!rows.isEmpty(2)) }
    #expect(findings.counts.isEmpty)
  }

  @Test func opensEveryArchiveOfTheTestSet() throws {
    let root = RealSources.root + "/col_testset/dwca/"
    var count = 0
    for folder in try FileManager.default.contentsOfDirectory(atPath: root) {
      let files = try SourceFiles(path: root + folder)
      guard let name = files.find("meta.xml") else { continue }
      let archive = try ArchiveDescriptor(files.contents(of: name, limit: 1 << 20), path: name)
      let file = try #require(archive.core.files.first.flatMap(files.find))
      var reader = TableReader(
        try files.open(file), archive.core.layout, onFinding: { _, _ in })
      #expect(try reader.next(), "\(folder)")
      _ = try DatasetMetadata(of: files, metadataFile: archive.metadataFile, findings: Findings())
      count += 1
    }
    #expect(count > 15)
  }
}

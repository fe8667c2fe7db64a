import Foundation
import TestSupport
import Testing
import STOLSystem

/// `stol ingest` as a person meets it; the parts are tested in STOLIngestTests.
struct IngestTests {
  private static let taxa = """
    taxonID\tparentNameUsageID\tacceptedNameUsageID\tscientificName\ttaxonRank\ttaxonomicStatus
    k\t\t\tAnimalia\tkingdom\taccepted
    f\tk\t\tFelidae Fischer von Waldheim, 1817\tfamily\taccepted
    g\tf\t\tPanthera Oken, 1816\tgenus\taccepted
    leo\tg\t\tPanthera leo (Linnaeus, 1758)\tspecies\taccepted
    old\t\tleo\tFelis leo Linnaeus, 1758\tspecies\tsynonym
    sub\tleo\t\tPanthera leo persica (Meyer, 1826)\tsubspecies\taccepted
    lost\tnobody\t\tAus bus\tspecies\taccepted

    """

  /// A folder with an archive that is well, and the command in a home of its own.
  private static func archive() throws -> (folder: TemporaryFolder, source: String) {
    let folder = try TemporaryFolder()
    let source = folder("archive")
    try FileManager.default.createDirectory(atPath: source, withIntermediateDirectories: true)
    try folder.write(Array(taxa.utf8), to: "archive/taxon.tsv")
    return (folder, source)
  }

  @Test func ingestsPacksAndAnswersByTheIdsOfTheSource() throws {
    let (folder, source) = try Self.archive()
    let made = try Command()(
      "ingest", "dwca", source, "-o", folder("x.sqlite"), "--report", folder("x.json"))
    #expect(made.status == 0)
    #expect(made.text.isEmpty)
    #expect(made.errorLines.first?.contains("x.sqlite: 6 taxa (2 roots)") == true)
    #expect(made.errorText.contains("1 synonym\n"))
    #expect(made.errorText.contains("(lost: Aus bus)"))
    #expect(try folder.contents == ["archive", "x.json", "x.sqlite"])
    #expect(try Command()("pack", folder("x.sqlite"), "-q").status == 0)
    let stol = Command(pack: folder("x.stolpack"))
    for name in ["leo", "Panthera leo", "felis leo", "old"] {
      let found = try stol("query", "show", name, "--json")
      #expect(found.text.contains("\"scientificName\":\"Panthera leo\""), "\(name)")
    }
    for name in ["sub", "Panthera leo persica"] {
      let found = try stol("query", "show", name, "--json")
      #expect(found.text.contains("\"scientificName\":\"Panthera leo persica\""), "\(name)")
    }
    let batch = try stol("query", "lineage", "-", "--jsonl", input: "old\nsub\nleo\n")
    #expect(batch.lines.map { $0.contains("\"status\":\"synonym\"") } == [true, false, false])
  }

  /// What is built in has its name before a file or a folder that is called alike.
  @Test func aFolderNamedLikeABuiltInMappingIsNoMapping() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder("gtdb"), withIntermediateDirectories: true)
    let table = Array("G1\td__Bacteria;p__Bacillota\n".utf8)
    try folder.write(table, to: "gtdb/bac120_taxonomy_r220.tsv")
    try folder.write(table, to: "bac120_taxonomy_r220.tsv")
    try folder.write(Array("lineage = Feature ID [;]\n".utf8), to: "qiime")
    for words in [
      "gtdb", "bac120_taxonomy_r220.tsv", "csv bac120_taxonomy_r220.tsv --mapping gtdb",
    ] {
      let made = try Command().shell("cd '\(folder.path)' && stol ingest \(words) -o x.sqlite")
      expect(made, status: 0)
      #expect(made.errorText.contains("2 taxa (1 root)"), "\(words)")
    }
    try folder.write(Array("Feature ID\tTaxon\na;b;c\tx;y\n".utf8), to: "q.tsv")
    for (mapping, count) in [("qiime", 2), ("./qiime", 3)] {
      let made = try Command().shell(
        "cd '\(folder.path)' && stol ingest csv q.tsv --mapping \(mapping) -o x.sqlite")
      expect(made, status: 0)
      #expect(made.errorText.contains("\(count) taxa (1 root)"), "\(mapping)")
    }
  }

  @Test func schemaOneSaysThatItLosesIDsThatAreTexts() throws {
    let (folder, source) = try Self.archive()
    let made = try Command()("ingest", "dwca", source, "-o", folder("x.sqlite"), "--schema", "1")
    #expect(made.status == 0)
    #expect(made.errorText.contains("warning: schema 1 has no place for ids that are texts"))
    let all = try Command()("ingest", "dwca", source, "-o", folder("y.sqlite"))
    #expect(!all.errorText.contains("warning"))
  }

  @Test func aDistanceOfNothingIsExplained() throws {
    let (folder, source) = try Self.archive()
    expect(try Command()("ingest", "dwca", source, "-o", folder("x.sqlite"), "-q"), status: 0)
    expect(try Command()("pack", folder("x.sqlite"), "-q"), status: 0)
    let stol = Command(pack: folder("x.stolpack"))
    for query in ["distance", "lca"] {
      let zero = try stol("query", query, "leo", "sub")
      expect(zero, status: 0)
      #expect(zero.errorText == "0 steps: no main rank lies between these two taxa\n")
      for taxa in [["leo", "leo"], ["g", "sub"]] {
        #expect(try stol("query", query, taxa[0], taxa[1]).errorText == "")
      }
    }
    for query in ["distance", "lca", "compare"] {
      func json(_ a: String, _ b: String) throws -> String {
        try stol("query", query, a, b, "--jsonl").text
      }
      #expect(try json("leo", "sub").contains("\"distance\":0,\"isZeroApart\":true,"))
      #expect(try !json("leo", "leo").contains("isZeroApart"))
      #expect(try !json("g", "sub").contains("isZeroApart"))
    }
    let zero = try stol("query", "compare", "leo", "sub", "--table").text
    #expect(zero.contains("distance: 0 steps, as no main rank lies between them\n"))
    let one = try stol("query", "compare", "g", "sub", "--table").text
    #expect(one.contains("distance: 1 step\n"))
  }

  @Test func saysNothingWhenAskedTo() throws {
    let (folder, source) = try Self.archive()
    let made = try Command()("ingest", "dwca", source, "-o", folder("x.sqlite"), "-q")
    #expect(made.status == 0)
    #expect(made.errorText.isEmpty)
    #expect(made.text.isEmpty)
  }

  @Test(
    arguments: [
      (["ingest", "gbiff", "x", "-o", "y"], 2, "'gbiff' is no kind of source"),
      (["ingest", "dwca", "nowhere.zip", "-o", "y"], 6, "nowhere.zip"),
      (["ingest", "dwca", "x", "-o", "y", "--mapping", "z"], 2, "--mapping is for tables"),
      (["ingest", "dwca", "x", "-o", "y", "--schema", "2"], 2, "--schema"),
      (["ingest", "dwca", "x", "-o", "y", "--id-space", "A B"], 2, "no id space"),
      (["ingest", "dwca", "x", "-o", "y", "--schema", "1", "--no-implied-root"], 2, "schema 3"),
      (["ingest", "dwca", "x", "-o", "y", "--add", "vascan.zip"], 6, "vascan.zip"),
      (["ingest", "csv", "x", "-o", "y"], 2, "--mapping"),
    ] as [([String], Int32, String)])
  func refusesWithTheNextStep(_ words: [String], _ status: Int32, _ text: String) throws {
    let folder = try TemporaryFolder()
    let quoted = words.map { "'\($0)'" }.joined(separator: " ")
    let outcome = try Command().shell("cd '\(folder.path)' && stol \(quoted)")
    #expect(outcome.status == status)
    #expect(outcome.errorText.contains(text), "\(outcome.errorText)")
    #expect(try folder.contents.isEmpty)
  }

  @Test func neverReplacesItsSource() throws {
    let (folder, source) = try Self.archive()
    let file = source + "/taxon.tsv"
    let outcome = try Command()("ingest", "dwca", file, "-o", file)
    #expect(outcome.status == 2)
    #expect(try folder.bytes(of: "archive/taxon.tsv") == Array(Self.taxa.utf8))
  }

  /// Sources that mean harm: one clear error or a counted skip, and nothing beside the output.
  @Test(arguments: Hostile.allCases)
  func survives(_ hostile: Hostile) throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder("in"), withIntermediateDirectories: true)
    let made = try Command().shell(
      "cd '\(folder("in"))' && python3 - <<'END'\n\(hostile.script)\nEND")
    #expect(made.status == 0, "\(made.errorText)")
    let before = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    let outcome = try Command().shell(
      "cd '\(folder.path)' && stol ingest dwca 'in/\(hostile.file)' -o out.sqlite --report r.json")
    #expect(!outcome.isSignalled && !outcome.isTimedOut)
    var expected = before
    if outcome.status == 0 {
      #expect(hostile.isSkipped, "\(outcome.errorText)")
      let report = String(decoding: try folder.bytes(of: "r.json"), as: UTF8.self)
      #expect(report.contains("\"\(hostile.text)\""), "\(report)")
      expected = (before + ["out.sqlite", "r.json"]).sorted()
    } else {
      #expect(!hostile.isSkipped, "\(outcome.errorText)")
      #expect([2, 3].contains(outcome.status))
      #expect(outcome.errorLines.count == 1)
      #expect(outcome.errorText.contains(hostile.text), "\(outcome.errorText)")
    }
    let after = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    #expect(after == expected)
    #expect(!FileManager.default.fileExists(atPath: "/tmp/stol-was-here"))
  }

  enum Hostile: String, CaseIterable {
    case parentPath, absolutePath, symbolicLink, hardLink, bomb, externalEntity, laughs
    case wrongColumns, mixedEncodings, longLine, truncated, locationOutside, noTaxa

    var file: String {
      switch self {
      case .symbolicLink, .hardLink: "a.tar.gz"
      case .wrongColumns, .mixedEncodings, .longLine: "taxon.tsv"
      default: "a.zip"
      }
    }

    /// Whether it is a counted skip.
    var isSkipped: Bool { [.wrongColumns, .mixedEncodings, .longLine].contains(self) }

    /// What the error says, or which finding counts it.
    var text: String {
      switch self {
      case .parentPath, .absolutePath, .symbolicLink, .hardLink:
        "nothing was read from this archive"
      case .bomb: "more than"
      case .externalEntity, .laughs: "entit"
      case .wrongColumns: "wrongColumnCount"
      case .mixedEncodings: "windows1252"
      case .longLine: "rowTooLong"
      case .truncated: "a.zip"
      case .locationOutside: "/etc/passwd"
      case .noTaxa: "there is no taxon in it"
      }
    }

    /// Python that makes it.
    var script: String {
      let head = """
        import io, tarfile, zipfile
        ROWS = "taxonID\\ttaxonRank\\tscientificName\\n1\\tgenus\\tAus\\n2\\tgenus\\tBus\\n"
        META = '''<archive xmlns="http://rs.tdwg.org/dwc/text/"><core encoding="UTF-8"
          fieldsTerminatedBy="\\\\t" linesTerminatedBy="\\\\n" ignoreHeaderLines="1"
          rowType="http://rs.tdwg.org/dwc/terms/Taxon"><files><location>LOCATION</location></files>
          <id index="0"/><field index="1" term="http://rs.tdwg.org/dwc/terms/taxonRank"/>
          <field index="2" term="http://rs.tdwg.org/dwc/terms/scientificName"/></core></archive>'''
        def zipped(**files):
            with zipfile.ZipFile("a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
                for name, text in files.items():
                    archive.writestr(name.replace("__", "/").replace("_", "."), text)

        """
      switch self {
      case .parentPath: return head + "zipped(taxon_tsv=ROWS, **{'../out_tsv': ROWS})"
      case .absolutePath: return head + "zipped(taxon_tsv=ROWS, **{'/tmp/stol-was-here': ROWS})"
      case .symbolicLink, .hardLink:
        let type = self == .hardLink ? "LNKTYPE" : "SYMTYPE"
        return head + """
          with tarfile.open("a.tar.gz", "w:gz") as archive:
              entry = tarfile.TarInfo("taxon.tsv"); entry.size = len(ROWS)
              archive.addfile(entry, io.BytesIO(ROWS.encode()))
              link = tarfile.TarInfo("link.tsv"); link.type = tarfile.\(type)
              link.linkname = "/etc/passwd"; archive.addfile(link)
          """
      case .bomb:
        return head + """
          with zipfile.ZipFile("a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
              with archive.open("taxon.tsv", "w", force_zip64=True) as file:
                  file.write(ROWS.encode())
                  for _ in range(600): file.write(b"\\n" * (1 << 20))
          """
      case .externalEntity:
        return head + """
          zipped(taxon_tsv=ROWS, meta_xml='<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
              + META.replace("LOCATION", "&x;"))
          """
      case .laughs:
        return head + """
          E = "".join('<!ENTITY e%d "%s">' % (n, ("&e%d;" % (n - 1)) * 10 if n else "ha") for n in range(12))
          zipped(taxon_tsv=ROWS, meta_xml="<!DOCTYPE a [" + E + "]>" + META.replace("LOCATION", "&e11;"))
          """
      case .wrongColumns:
        return head
          + "open('taxon.tsv', 'w').write(ROWS + '3\\tgenus\\n4\\tgenus\\tCus\\tx\\ty\\n')"
      case .mixedEncodings:
        return head
          + "open('taxon.tsv', 'wb').write(ROWS.encode() + '3\\tgenus\\tÄus\\n'.encode('latin-1'))"
      case .longLine:
        return head + """
          with open("taxon.tsv", "w") as file:
              file.write(ROWS + "3\\tgenus\\t")
              for _ in range(64): file.write("x" * (1 << 20))
              file.write("\\n4\\tgenus\\tCus\\n")
          """
      case .truncated:
        return head + """
          zipped(taxon_tsv=ROWS * 1000)
          whole = open("a.zip", "rb").read(); open("a.zip", "wb").write(whole[:len(whole) // 2])
          """
      case .locationOutside:
        return head
          + "zipped(taxon_tsv=ROWS, meta_xml=META.replace('LOCATION', '../../../etc/passwd'))"
      case .noTaxa: return head + "zipped(taxon_tsv=ROWS.split('\\n')[0] + '\\n')"
      }
    }
  }
}

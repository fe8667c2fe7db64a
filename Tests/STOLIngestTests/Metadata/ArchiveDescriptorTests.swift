import STOLIngest
import Testing
import STOLFormats

struct ArchiveDescriptorTests {
  private func descriptor(_ xml: String) throws -> ArchiveDescriptor {
    try ArchiveDescriptor(Array(xml.utf8), path: "meta.xml")
  }

  @Test func readsCoreAndExtensions() throws {
    let xml = """
      <?xml version="1.0" encoding="UTF-8"?>
      <archive xmlns="http://rs.tdwg.org/dwc/text/" metadata="eml.xml">
        <core encoding="ISO-8859-1" fieldsTerminatedBy="\\t" linesTerminatedBy="\\r\\n"
          fieldsEnclosedBy="&quot;" ignoreHeaderLines="1"
          rowType="http://rs.tdwg.org/dwc/terms/Taxon">
          <files><location>taxon.txt</location><location> ./more.txt </location></files>
          <id index="0"/>
          <field index="1" term="http://rs.tdwg.org/dwc/terms/scientificName"/>
          <field term="http://rs.tdwg.org/dwc/terms/nomenclaturalCode" default="ICN"
            vocabulary="http://x/"/>
        </core>
        <extension fieldsTerminatedBy="," fieldsEnclosedBy="" rowType="V">
          <files><location>v.csv</location></files><coreid index="2"/>
        </extension>
      </archive>
      """
    let archive = try descriptor(xml)
    #expect(archive.metadataFile == "eml.xml")
    var layout = TableLayout(delimiter: 0x09, quote: 0x22, headerRowCount: 1)
    layout.encoding = .latin1
    #expect(archive.core.layout == layout)
    #expect(archive.core.rowType == "http://rs.tdwg.org/dwc/terms/Taxon")
    #expect(archive.core.files == ["taxon.txt", "more.txt"])
    #expect(archive.core.idIndex == 0)
    #expect(archive.core.columns.index("scientificName") == 1)
    #expect(archive.core.columns.index("nomenclaturalCode") == nil)
    #expect(archive.core.fields[1].defaultValue == "ICN")
    let other = try #require(archive.extensions.first)
    #expect(other.layout == TableLayout(delimiter: 0x2C))
    #expect(other.idIndex == 2)
  }

  @Test func theDefaultsAreThoseOfTheGuide() throws {
    let archive = try descriptor(
      "<archive><core><files><location>a</location></files></core></archive>")
    #expect(archive.core.layout == .commas)
  }

  @Test func aTabThatXMLHasMadeASpaceIsATab() throws {
    let archive = try descriptor(
      "<archive><core fieldsTerminatedBy='\t' fieldsEnclosedBy='' linesTerminatedBy='\n'><files>"
        + "<location>a</location></files></core></archive>")
    #expect(archive.core.layout == .tabs)
  }

  @Test(arguments: [
    "/etc/passwd", "../taxon.txt", "a/../../b", "http://example.org/taxon.txt", "file:taxon.txt",
    "a\\b",
  ])
  func refusesLocationsElsewhere(location: String) {
    #expect(
      throws: FormatError.unsafeArchive(
        path: "meta.xml", entry: location,
        reason: "a location must be the name of a file in the archive")
    ) {
      try descriptor(
        "<archive><core><files><location>\(location)</location></files></core></archive>")
    }
  }

  @Test(arguments: [
    """
    <!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>
    <archive metadata="&x;"><core><files><location>&x;</location></files></core></archive>
    """,
    """
    <!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
    <!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;&c;">]>
    <archive>&d;</archive>
    """,
    "<!DOCTYPE a [<!ENTITY % p SYSTEM \"http://example.org/x\"> %p;]><archive/>",
  ])
  func refusesEntities(xml: String) {
    #expect(
      throws: FormatError.unreadable(
        path: "meta.xml",
        reason: "it declares XML entities, which no description needs; remove its DOCTYPE")
    ) { try descriptor(xml) }
  }

  @Test(arguments: [
    "", "<archive>", "<archive/>", "<archive><core/></archive>", "\u{0}", "a",
    "<archive><core><files><location>a</location></files><id index='-1'/></core></archive>",
    "<archive><core><files><location>a</location></files><id index='99999999'/></core></archive>",
    "<archive><core encoding='EBCDIC'><files><location>a</location></files></core></archive>",
    "<archive><core fieldsTerminatedBy='\\n'><files><location>a</location></files></core></archive>",
    "<archive><core><files><location>a</location></files><field index='1'/></core></archive>",
  ])
  func saysWhatIsWrong(xml: String) {
    #expect {
      try descriptor(xml)
    } throws: {
      if case FormatError.unreadable(path: "meta.xml", _) = $0 { true } else { false }
    }
  }

  @Test func refusesDepthAndSize() {
    let deep = String(repeating: "<a>", count: 100_000)
    #expect(throws: FormatError.self) { try descriptor(deep) }
    let long = "<archive>" + String(repeating: " ", count: 1 << 20) + "</archive>"
    #expect(throws: FormatError.self) { try descriptor(long) }
  }

  @Test func everyTruncationIsRefused() throws {
    let xml = "<archive><core><files><location>a</location></files></core></archive>"
    for length in 0..<xml.utf8.count {
      #expect(throws: FormatError.self) { try descriptor(String(xml.prefix(length))) }
    }
  }
}

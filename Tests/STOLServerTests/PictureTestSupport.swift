import Foundation
#if canImport(FoundationXML)
import FoundationXML
#endif
import STOLPack
import TestSupport

@testable import STOLServer

/// Rows of a small taxonomy, and the pack that they make.
struct Rows {
  var taxa: [TaxonRow] = []
  var names: [NameRow] = []

  /// Adds a taxon and gives its id: its number, from 1.
  @discardableResult
  mutating func add(
    _ scientificName: String, _ rank: String, below parent: Int64? = nil, _ common: String? = nil,
    language: String = "en"
  ) -> Int64 {
    let id = Int64(taxa.count + 1)
    taxa.append(
      TaxonRow(id: id, parentID: parent, rank: rank, scientificName: scientificName))
    if let common {
      names.append(
        NameRow(id: id, taxonID: id, name: common, language: language, type: "common"))
    }
    return id
  }

  func pack() throws -> Pack {
    let path = NSTemporaryDirectory() + "/" + UUID().uuidString + ".stolpack"
    defer { try? FileManager.default.removeItem(atPath: path) }
    try write(to: path)
    return try Pack(PackBytes(copying: Array(Data(contentsOf: URL(fileURLWithPath: path)))))
  }

  /// Writes the pack to a file.
  func write(to path: String) throws {
    var writer = PackWriter()
    for row in taxa { try writer.add(row) }
    for row in names { try writer.add(row) }
    _ = try writer.finish(path: path)
  }

  /// A random forest; `reach` is how far back a parent may lie.
  static func random(count: Int, reach: Int, _ generator: inout SeededGenerator) -> Rows {
    var rows = Rows()
    var depths: [Int] = []
    for index in 0..<count {
      var parent: Int?
      if index > 0, Int.random(in: 0..<20, using: &generator) > 0 {
        parent = Int.random(in: max(0, index - reach)..<index, using: &generator)
      }
      if let candidate = parent, depths[candidate] >= 7 { parent = nil }
      let depth = parent.map { depths[$0] + 1 } ?? 0
      depths.append(depth)
      let rank = depth + Int.random(in: 0...(7 - depth), using: &generator)
      let common: String? =
        Bool.random(using: &generator)
        ? ["lion", "Common English oak of the north", "猫又 獅子", "ligne", "W"]
          .randomElement(using: &generator) : nil
      rows.add(
        "Taxon\(index)", MainRank.allCases[rank].name, below: parent.map { Int64($0 + 1) }, common)
    }
    return rows
  }
}

/// Every taxon of a tree has its parent among those before it: all trees of `count` taxa.
func allParents(_ count: Int) -> [[Int?]] {
  guard count > 0 else { return [[]] }
  return allParents(count - 1).flatMap { shorter in
    ([nil] + (0..<count - 1).map(Int?.some)).map { shorter + [$0] }
  }
}

/// Whether a program for XML reads all of a text, and what the names of its elements are.
final class XMLElements: NSObject, XMLParserDelegate {
  private(set) var names: [String] = []
  private(set) var text = ""

  static func read(_ bytes: [UInt8]) -> XMLElements? {
    let elements = XMLElements()
    let parser = XMLParser(data: Data(bytes))
    parser.delegate = elements
    return parser.parse() ? elements : nil
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    names.append(name)
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }
}

extension Box {
  /// Whether the two share more than an edge.
  func intersects(_ box: Box) -> Bool {
    min(x + width, box.x + box.width) - max(x, box.x) > 0.01
      && min(y + height, box.y + box.height) - max(y, box.y) > 0.01
  }
}

extension Picture.Mark {
  /// The labels in it.
  var labels: [Label] {
    switch self {
    case .shape: []
    case .label(let label): [label]
    case .link(_, _, let marks): marks.flatMap(\.labels)
    }
  }
}

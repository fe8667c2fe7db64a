import Foundation
import STOLPack
import TestSupport

/// Rows of a taxonomy, kept so that an oracle can read what the writer got.
struct TestTaxonomy {
  var taxa: [TaxonRow] = []
  var names: [NameRow] = []
  var traits: [TraitRow] = []
  var sources: [DataSource] = []

  /// Compiles the rows and opens the pack from a copy of its bytes.
  func pack() throws -> Pack {
    let folder = FileManager.default.temporaryDirectory.path
    let path = "\(folder)/\(UUID().uuidString).stolpack"
    defer { try? FileManager.default.removeItem(atPath: path) }
    var writer = PackWriter()
    for source in sources { _ = try writer.addSource(source) }
    for row in taxa { try writer.add(row) }
    for row in names { try writer.add(row) }
    for row in traits { try writer.add(row) }
    _ = try writer.finish(path: path)
    return try Pack(PackBytes(copying: Array(Data(contentsOf: URL(fileURLWithPath: path)))))
  }
}

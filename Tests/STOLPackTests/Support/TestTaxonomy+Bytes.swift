import Foundation
import STOLPack
import TestSupport

extension TestTaxonomy {
  /// What compiling warns of.
  func warnings() throws -> [CompileWarning] {
    let folder = FileManager.default.temporaryDirectory.path
    let path = "\(folder)/\(UUID().uuidString).stolpack"
    defer { try? FileManager.default.removeItem(atPath: path) }
    var writer = PackWriter()
    for row in taxa { try writer.add(row) }
    for row in names { try writer.add(row) }
    return try writer.finish(path: path).warnings
  }

  /// Compiles the rows, with ids that are retired, to the bytes of a pack.
  func packBytes(
    merged: [(id: Int64, into: Int64)] = [], deleted: [Int64] = [],
    dataset: [(key: String, value: String)] = []
  ) throws -> [UInt8] {
    let folder = FileManager.default.temporaryDirectory.path
    let path = "\(folder)/\(UUID().uuidString).stolpack"
    defer { try? FileManager.default.removeItem(atPath: path) }
    var writer = PackWriter()
    for source in sources { _ = try writer.addSource(source) }
    for row in taxa { try writer.add(row) }
    for row in names { try writer.add(row) }
    for row in traits { try writer.add(row) }
    for (id, target) in merged { writer.addMergedID(id, into: target) }
    for id in deleted { writer.addDeletedID(id) }
    for (key, value) in dataset { try writer.addDatasetValue(value, for: key) }
    _ = try writer.finish(path: path)
    return try Array(Data(contentsOf: URL(fileURLWithPath: path)))
  }
}

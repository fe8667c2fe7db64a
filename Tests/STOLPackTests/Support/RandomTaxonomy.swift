import Foundation
import STOLPack

/// A small deterministic generator: SplitMix64 (Steele, Lea and Flood 2014).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

/// Rows of a taxonomy, kept so that an oracle can read what the writer got.
struct TestTaxonomy {
  var taxa: [TaxonRow] = []
  var names: [NameRow] = []
  var traits: [TraitRow] = []

  /// Compiles the rows and opens the pack from a copy of its bytes.
  func pack() throws -> Pack {
    let folder = FileManager.default.temporaryDirectory.path
    let path = "\(folder)/\(UUID().uuidString).stolpack"
    defer { try? FileManager.default.removeItem(atPath: path) }
    var writer = PackWriter()
    for row in taxa { try writer.add(row) }
    for row in names { try writer.add(row) }
    for row in traits { try writer.add(row) }
    _ = try writer.finish(path: path)
    return try Pack(PackBytes(copying: Array(Data(contentsOf: URL(fileURLWithPath: path)))))
  }
}

import TestSupport
import Testing

@testable import STOLPack

/// Packs that somebody changed, with all checksums made right: those that `verify` accepts keep their word.
///
/// What nothing in a pack can prove (a year, an author, another name in its place) may differ.
struct MutatedPackTests {
  @Test func whatVerifyAcceptsFindsEveryNameThatItShows() throws {
    var accepted = 0
    var rejected = 0
    let sources = try [DamagedPack.bytes.get(), DamagedPack.textBytes.get()] + Self.random()
    for seed in 0..<UInt64(Sweep.count(few: 600, full: 4_000)) {
      var random = SeededGenerator(seed: seed)
      var parts = try PackParts(sources[Int(seed) % sources.count])
      for _ in 0..<Int.random(in: 1...3, using: &random) { Self.mutate(&parts, &random) }
      guard let pack = try? Pack(PackBytes(copying: parts.encoded())),
        (try? pack.verify()) != nil
      else {
        rejected += 1
        continue
      }
      accepted += 1
      let faults = Self.faults(of: pack)
      #expect(faults.isEmpty, "seed \(seed): \(faults.prefix(3))")
    }
    // Neither may be rare, or nothing has been tried.
    #expect(accepted > 20 && rejected > 200, "\(accepted) accepted, \(rejected) rejected")
  }

  /// Packs over names that look alike.
  private static func random() throws -> [[UInt8]] {
    try (0..<4).map { (seed: UInt64) in
      var random = SeededGenerator(seed: seed)
      return try RandomNames(&random).taxonomy(&random).packBytes()
    }
  }

  /// One change: a bit, a letter, a value of a column, two values exchanged, or a row of a table.
  private static func mutate(_ parts: inout PackParts, _ random: inout SeededGenerator) {
    let sections = Section.allCases.filter { !(parts.contents[$0] ?? []).isEmpty }
    guard let section = sections.randomElement(using: &random) else { return }
    var bytes = parts.contents[section] ?? []
    let place = Int.random(in: 0..<bytes.count, using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1: bytes[place] = UInt8.random(in: 97...122, using: &random)
    case 2:
      bytes.swapAt(place, Int.random(in: 0..<bytes.count, using: &random))
    case 3 where section.encoding == .packed && parts.directory[section].count > 1:
      parts.edit(section) { values in
        let row = Int.random(in: 0..<values.count, using: &random)
        values.swapAt(row, Int.random(in: 0..<values.count, using: &random))
      }
      return
    case 4 where section.encoding == .strings && parts.directory[section].count > 0:
      parts.editStrings(section) { strings in
        let row = Int.random(in: 0..<strings.count, using: &random)
        strings[row] += "x"
      }
      return
    default: bytes[place] &+= 1
    }
    parts.contents[section] = bytes
  }

  /// What a pack shows that is not so, by asking it one thing after another.
  private static func faults(of pack: Pack) -> [String] {
    var faults: [String] = []
    let view = pack.view
    let tree = view.tree
    var parents: [TaxonOrdinal?] = []
    for index in 0..<view.taxonCount {
      let taxon = TaxonOrdinal(index)
      parents.append(tree.parent(of: taxon))
      if let id = view.sourceID(of: taxon), view.ids.resolve(sourceID: id).taxon != taxon {
        faults.append("\(id) does not lead to \(taxon)")
      }
      if view.taxa.ranks[view.taxa.rank(of: taxon)].rawValue.isEmpty {
        faults.append("\(taxon) has no rank")
      }
    }
    for number in 0..<view.taxonCount + view.names.furtherCount {
      let name = NameOrdinal(number)
      let text = view.names.text(of: name)
      let taxon = view.names.taxon(of: name)
      guard !Folder.fold(text).isEmpty, !view.isImplied(taxon) else { continue }
      let hits = view.search(SearchQuery(text, mode: .exact, limit: .max))
      if !hits.contains(where: { $0.taxon == taxon }) { faults.append("\(text) is not found") }
    }
    func lineage(_ taxon: TaxonOrdinal) -> [TaxonOrdinal] {
      var way = [taxon]
      while let parent = parents[way[way.count - 1].index], way.count <= parents.count {
        way.append(parent)
      }
      return way
    }
    for index in 0..<view.taxonCount {
      let (a, b) = (TaxonOrdinal(index), TaxonOrdinal((index * 7 + 3) % view.taxonCount))
      let (up, other) = (lineage(a), lineage(b))
      if tree.depth(of: a) != up.count - 1 { faults.append("\(a) is not as deep") }
      if tree.lowestCommonAncestor(a, b) != up.first(where: other.contains) {
        faults.append("\(a) and \(b) have another common ancestor")
      }
    }
    return faults
  }
}

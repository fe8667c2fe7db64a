import STOLData
import STOLPack
import TestSupport
import Testing

@testable import STOLJournal

/// Names that several taxa have, of which those within one are meant.
@Suite("Names within a taxon")
struct WithinTests {
  /// A taxon as the test made it.
  private struct Node {
    let id: Int
    let parent: Int?
    let rank: String
    let name: String
    var synonyms: [String] = []
  }

  /// Two kingdoms with families whose genera and species share few names.
  private static func taxonomy(_ generator: inout SeededGenerator) -> [Node] {
    let genera = ["Aus", "Bus", "Cus"]
    let epithets = ["ater", "bonus", "citus"]
    var nodes: [Node] = []
    func add(_ parent: Int?, _ rank: String, _ name: String) -> Int {
      nodes.append(Node(id: nodes.count + 1, parent: parent, rank: rank, name: name))
      return nodes.count
    }
    for kingdom in ["Animalia", "Plantae"] {
      let top = add(nil, "kingdom", kingdom)
      for number in 1...2 {
        let family = add(top, "family", "\(kingdom.prefix(4))\(["", "inae", "ales"][number])idae")
        for genus in genera.shuffled(using: &generator).prefix(2) {
          let above = add(family, "genus", genus)
          for epithet in epithets.shuffled(using: &generator).prefix(2) {
            let species = add(above, "species", "\(genus) \(epithet)")
            if Bool.random(using: &generator), let other = genera.randomElement(using: &generator),
              let word = epithets.randomElement(using: &generator), other != genus
            {
              nodes[species - 1].synonyms.append("\(other) \(word)")
            }
          }
        }
      }
    }
    return nodes
  }

  private static func sql(_ nodes: [Node]) -> String {
    let taxa = nodes.map { node in
      "(\(node.id), \(node.parent.map(String.init) ?? "NULL"), '\(node.rank)', '\(node.name)')"
    }
    let synonyms = nodes.flatMap { node in
      node.synonyms.map { "(\(node.id), '\($0)', 'la', 'synonym')" }
    }
    return """
      INSERT INTO dataset VALUES ('id_space', 'test');
      INSERT INTO taxa (id, parent_id, rank, scientific_name) VALUES \(taxa.joined(separator: ","));
      INSERT INTO names (taxon_id, name, lang, name_type)
        SELECT * FROM (VALUES \(synonyms.joined(separator: ",")));
      """
  }

  @Test(arguments: 0..<24 as Range<UInt64>)
  func whatOneTaxonWithinHasAsItsNameIsThat(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let nodes = Self.taxonomy(&generator)
    let folder = try TemporaryFolder()
    let pack = try Pack(path: try Taxonomy.compile(Self.sql(nodes), in: folder, "within"))
    let view = pack.view
    let names = Set(nodes.flatMap { [$0.name] + $0.synonyms }).sorted()
    func isWithin(_ node: Node, _ top: Node) -> Bool {
      var next: Int? = node.id
      while let id = next {
        if id == top.id { return true }
        next = nodes[id - 1].parent
      }
      return false
    }
    var narrowedCount = 0
    for top in nodes {
      let found = view.resolve("\(top.id)").taxon
      let clade = try #require(found)
      var reader = JournalNameReader(within: clade)
      for name in names {
        let inside = nodes.filter {
          isWithin($0, top) && ($0.name == name || $0.synonyms.contains(name))
        }
        let reading = reader.read(name, in: view)
        if inside.count < 2 {
          #expect(reading.taxon?.id == inside.first.map { "\($0.id)" }, "\(top): \(reading)")
          narrowedCount += inside.count
        } else if let taxon = reading.taxon {
          #expect(inside.contains { "\($0.id)" == taxon.id }, "\(top): \(reading)")
        }
      }
      // A lone epithet is no name, whatever genus is asked for.
      for name in ["ater", " ater", "ater L.", "A. ater"] {
        let reading = reader.read(name, in: view)
        #expect(reading.taxon == nil, "\(top): \(reading)")
      }
    }
    #expect(narrowedCount > nodes.count)
  }
}

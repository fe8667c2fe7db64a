import STOLPack
import TestSupport
import Testing

@testable import STOLServer

@Suite struct CladeCountsTests {
  /// What a clade has, from the rows alone.
  private func counted(_ rows: Rows) -> [Int64?: CladeFacts] {
    var facts: [Int64?: CladeFacts] = [:]
    for row in rows.taxa {
      let code = row.conservation ?? ""
      let isSpecies = row.rank == "species"
      var step: Int64? = row.id
      while true {
        var sum = facts[step] ?? CladeFacts()
        sum.speciesCount += isSpecies ? 1 : 0
        sum.genusCount += row.rank == "genus" ? 1 : 0
        sum.assessedCount += isSpecies && !["", "NE", "DD", "NA"].contains(code) ? 1 : 0
        sum.threatenedCount += isSpecies && ["CR", "EN", "VU"].contains(code) ? 1 : 0
        facts[step] = sum
        guard let id = step else { break }
        step = rows.taxa[Int(id) - 1].parentID
      }
    }
    return facts
  }

  @Test func everyCladeHasWhatItsRowsHave() throws {
    var generator = SeededGenerator(seed: 28)
    for count in [1, 63, 64, 65, 128, 129, 1000, 1280] {
      var rows = Rows.random(count: count, reach: 1 + count / 3, &generator)
      let codes: [String?] = [nil, "LC", "NT", "VU", "EN", "CR", "EX", "NE", "DD"]
      for index in rows.taxa.indices {
        rows.taxa[index].conservation = codes.randomElement(using: &generator) ?? nil
      }
      let pack = try rows.pack()
      let view = pack.view
      let counts = CladeCounts(of: view)
      let expected = counted(rows)
      #expect(counts.facts(of: nil, in: view) == expected[nil] ?? CladeFacts(), "\(count)")
      for row in rows.taxa {
        let found = view.ids.taxon(TaxonID(rawValue: row.id))
        let taxon = try #require(found)
        #expect(counts.facts(of: taxon, in: view) == expected[row.id], "\(count): \(row.id)")
      }
    }
  }

  @Test func childrenStandInTheOrderAskedFor() throws {
    var generator = SeededGenerator(seed: 28)
    let rows = Rows.random(count: 600, reach: 40, &generator)
    let pack = try rows.pack()
    let view = pack.view
    let counts = CladeCounts(of: view)
    let parents: [TaxonOrdinal?] = [nil] + Array(view.tree.taxa)
    for parent in parents {
      let named = parent.map { view.tree.children(of: $0) } ?? view.tree.roots
      for order in ChildOrder.allCases {
        let children = view.children(of: parent, by: order, counts)
        #expect(Set(children) == Set(named) && children.count == named.count)
        let keys = children.map { child in
          switch order {
          case .name: 0
          case .size: counts.facts(of: child, in: view).speciesCount
          case .prominence: view.taxa.prominence(of: child)
          }
        }
        #expect(keys == keys.sorted(by: >))
        for (a, b) in zip(children, children.dropFirst()).enumerated().filter({
          keys[$0.offset] == keys[$0.offset + 1]
        }).map(\.element) {
          #expect(a < b)
        }
      }
    }
  }

  @Test func aRowSaysGeneraAndThreats() {
    #expect(CladeFacts().note == nil)
    let facts = CladeFacts(
      speciesCount: 9, genusCount: 1200, assessedCount: 1300, threatenedCount: 4)
    #expect(facts.note == "in 1,200 genera, 4 of 1,300 assessed threatened")
  }
}

@testable import STOLPack
import Testing

/// Damage to what only searches read that leaves all checksums right.
struct SearchVerificationTests {
  @Test(arguments: [
    Section.trieNodes, .reverseOrder, .reverseNodes, .hashNames, .trieBest, .completeWords,
    .completeName,
  ])
  func rejectsEveryOtherValue(section: Section) throws {
    let count = try PackParts(DamagedPack.bytes.get()).directory[section].count
    var missed: [Int] = []
    for row in 0..<count {
      let rejected = try DamagedPack.rejectedSection { $0.edit(section) { $0[row] ^= 1 } }
      // A node or an order may first be missed by another check; never by none.
      if rejected == nil { missed.append(row) }
    }
    #expect(count > 0)
    #expect(missed.isEmpty)
  }

  /// The byte, the first word and the first child, of the first nodes, the last one and what follows.
  @Test(arguments: [Section.trieNodes, .reverseNodes])
  func rejectsEveryOtherBitOfANode(section: Section) throws {
    let entry = try PackParts(DamagedPack.bytes.get()).directory[section]
    var missed: [String] = []
    for row in [0, 1, entry.count - 2, entry.count - 1] {
      for bit in 0..<entry.width {
        let rejected = try DamagedPack.rejectedSection { $0.edit(section) { $0[row] ^= 1 << bit } }
        // Words may be missed on their way first.
        if rejected == nil { missed.append("\(row), bit \(bit)") }
      }
    }
    #expect(entry.count > 2)
    #expect(entry.width > 8)
    #expect(missed.isEmpty)
  }

  @Test(arguments: 0..<32)
  func rejectsEveryOtherBitOfLetters(bit: Int) throws {
    let count = try PackParts(DamagedPack.bytes.get()).directory[.wordLetters].count
    var missed: [Int] = []
    for word in 0..<count / 4 {
      let rejected = try DamagedPack.rejectedSection {
        $0.flip(.wordLetters, at: word * 4 + bit / 8, 1 << UInt8(bit % 8))
      }
      if rejected != "word.letters" { missed.append(word) }
    }
    #expect(count > 0)
    #expect(missed.isEmpty)
  }

  @Test func rejectsLettersOfFewerWords() throws {
    let section = try DamagedPack.rejectedSection {
      $0.contents[.wordLetters]?.removeLast(4)
      $0.directory[.wordLetters].count -= 4
    }
    #expect(section == "word.letters")
  }

  @Test func rejectsWordsInAnotherReversedOrder() throws {
    let section = try DamagedPack.rejectedSection { $0.edit(.reverseOrder) { $0.swapAt(2, 3) } }
    #expect(section == "reverse.order")
  }

  @Test func rejectsMissingNodeOfTheReversedTrie() throws {
    let section = try DamagedPack.rejectedSection {
      $0.edit(.reverseNodes) { $0.remove(at: $0.count - 2) }
    }
    #expect(section == "reverse.nodes")
  }

  @Test func rejectsTrieWithoutNodes() throws {
    let section = try DamagedPack.rejectedSection {
      $0.edit(.trieNodes) { $0.removeAll() }
      $0.edit(.trieBest) { $0.removeAll() }
    }
    #expect(section == "trie.nodes")
  }

  @Test func rejectsByteOfTheRoot() throws {
    let section = try DamagedPack.rejectedSection { $0.flip(.trieNodes, at: 0, 0x61) }
    #expect(section == "trie.nodes")
  }

  @Test func rejectsAnotherNumberOfBestTaxa() throws {
    let section = try DamagedPack.rejectedSection { $0.edit(.trieBest) { $0.append(0) } }
    #expect(section == "trie.best")
  }

  @Test func rejectsBestTaxaOfAnotherNode() throws {
    let section = try DamagedPack.rejectedSection { parts in
      parts.edit(.trieBest) { values in
        let other = values.firstIndex { $0 != values[0] } ?? 0
        values.swapAt(0, other)
      }
    }
    #expect(section == "trie.best")
  }

  @Test func acceptsWidthOfNodesThatOrdinalsMayNotHave() throws {
    for width in [33, 56, 64] {
      #expect(Section.trieNodes.description.width.allows(width))
      #expect(Section.reverseNodes.description.width.allows(width))
      #expect(!Section.trieBest.description.width.allows(width))
    }
    #expect(!Section.trieNodes.description.width.allows(57))
    let section = try DamagedPack.rejectedSection {
      $0.edit(.reverseNodes) { $0[1] = 1 << 56 }
    }
    #expect(section == "reverse.nodes")
  }

  @Test func rejectsBucketsThatBeginElsewhere() throws {
    var missed: [Int] = []
    var values: [Int] = []
    var parts = try PackParts(DamagedPack.bytes.get())
    parts.editMonotone(.hashStarts) { values = $0 }
    for row in values.indices.dropFirst().dropLast() where values[row] > values[row - 1] {
      let rejected = try DamagedPack.rejectedSection { parts in
        parts.editMonotone(.hashStarts) { $0[row] -= 1 }
      }
      if rejected != "hash.starts" { missed.append(row) }
    }
    #expect(values.count > 2)
    #expect(missed.isEmpty)
  }

  @Test func rejectsWholeNamesInAnotherOrder() throws {
    let section = try DamagedPack.rejectedSection { $0.edit(.hashNames) { $0.swapAt(0, 1) } }
    #expect(section == "hash.names")
  }

  @Test func rejectsAnotherNumberOfWholeNamesOrBuckets() throws {
    for section in [Section.hashStarts, .hashNames] {
      let rejected = try DamagedPack.rejectedSection { parts in
        parts.directory[section].count -= 1
      }
      #expect(rejected == section.name)
    }
  }

  @Test func rejectsMissingCompletions() throws {
    let section = try DamagedPack.rejectedSection {
      $0.edit(.completeWords) { $0.removeLast() }
      $0.edit(.completeName) { $0.removeLast(10) }
    }
    #expect(section == "complete.words")
  }

  @Test func rejectsCompletionsInAnotherOrder() throws {
    let section = try DamagedPack.rejectedSection { $0.edit(.completeName) { $0.swapAt(0, 1) } }
    #expect(section == "complete.name")
  }

  @Test func rejectsAnotherNumberOfCompletions() throws {
    let section = try DamagedPack.rejectedSection { $0.edit(.completeName) { $0.removeLast() } }
    #expect(section == "complete.name")
  }
}

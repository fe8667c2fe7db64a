@testable import STOLPack
import Testing

/// Damage to what only searches read that leaves all checksums right.
struct SearchVerificationTests {
  @Test(arguments: [
    Section.trieChild, .trieWord, .wordLetters, .reverseOrder, .reverseChild, .reverseWord,
    .completeNode, .completeName,
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

  @Test(arguments: [Section.trieByte, .reverseByte])
  func rejectsEveryOtherByte(section: Section) throws {
    let count = try PackParts(DamagedPack.bytes.get()).directory[section].count
    var missed: [Int] = []
    for row in 0..<count {
      let rejected = try DamagedPack.rejectedSection { $0.flip(section, at: row, 1) }
      if rejected == nil { missed.append(row) }
    }
    #expect(count > 1)
    #expect(missed.isEmpty)
  }

  @Test func rejectsOtherLettersOfAWord() throws {
    let section = try DamagedPack.rejectedSection { $0.edit(.wordLetters) { $0[3] ^= 1 << 4 } }
    #expect(section == "word.letters")
  }

  @Test func rejectsAnotherLengthOfAWord() throws {
    let section = try DamagedPack.rejectedSection { $0.edit(.wordLetters) { $0[3] += 1 << 26 } }
    #expect(section == "word.letters")
  }

  @Test func rejectsWordsInAnotherReversedOrder() throws {
    let section = try DamagedPack.rejectedSection { $0.edit(.reverseOrder) { $0.swapAt(2, 3) } }
    #expect(section == "reverse.order")
  }

  @Test func rejectsMissingNodeOfTheReversedTrie() throws {
    let section = try DamagedPack.rejectedSection {
      $0.flip(.reverseByte, at: 0, 0)
      $0.contents[.reverseByte]?.removeLast()
      $0.directory[.reverseByte].count -= 1
      $0.edit(.reverseChild) { $0.removeLast() }
      $0.edit(.reverseWord) { $0.removeLast() }
    }
    #expect(section == "reverse.child")
  }

  @Test func rejectsByteOfTheRoot() throws {
    let section = try DamagedPack.rejectedSection { $0.flip(.trieByte, at: 0, 0x61) }
    #expect(section == "trie.byte")
  }

  @Test func rejectsTriesThatAreNotOfOneLength() throws {
    let section = try DamagedPack.rejectedSection { $0.edit(.trieWord) { $0.append(0) } }
    #expect(section == "trie.word")
  }

  @Test func rejectsMissingCompletions() throws {
    let section = try DamagedPack.rejectedSection {
      $0.edit(.completeNode) { $0.removeLast() }
      $0.edit(.completeName) { $0.removeLast(10) }
    }
    #expect(section == "complete.node")
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

@testable import STOLPack
import Testing

/// Damage to names, words, posting lists and traits that leaves all checksums right.
struct NameVerificationTests {
  @Test func rejectsBinomialWithoutAGenus() throws {
    let section = try DamagedPack.rejectedSection { $0.edit(.scientificName) { $0[0] |= 1 } }
    #expect(section == "name.scientific")
  }

  @Test func rejectsNameOfNoPhrase() throws {
    let section = try DamagedPack.rejectedSection { $0.edit(.scientificName) { $0[0] = 1 << 20 } }
    #expect(section == "phrase.marks")
  }

  @Test func rejectsSiblingsOutOfOrder() throws {
    let section = try DamagedPack.rejectedSection { $0.edit(.scientificName) { $0.swapAt(2, 3) } }
    #expect(section == "name.scientific")
  }

  @Test func rejectsFurtherNameAsScientificName() throws {
    let section = try DamagedPack.rejectedSection {
      let wordCount = UInt64($0.header.wordCount)
      $0.edit(.scientificName) { $0[46 - 8] = 2 * wordCount }
    }
    #expect(section == "phrase.marks")
  }

  @Test func rejectsPhraseWordOutOfRange() throws {
    let section = try DamagedPack.rejectedSection {
      let wordCount = UInt64($0.header.wordCount)
      $0.edit(.phraseWords) { $0[0] = wordCount }
    }
    #expect(section == "phrase.words")
  }

  @Test func rejectsPhrasesThatDoNotHoldAllWords() throws {
    let section = try DamagedPack.rejectedSection {
      $0.editMonotone(.phraseStarts) { $0[$0.count - 1] += 1 }
    }
    #expect(section == "phrase.starts")
  }

  @Test func rejectsAWordOfNoNumber() throws {
    let section = try DamagedPack.rejectedSection {
      let wordCount = UInt64($0.header.wordCount)
      $0.edit(.scientificName) { names in
        if let taxon = names.firstIndex(where: { $0 >= 2 * wordCount }) {
          names[taxon] = 3 * wordCount
        }
      }
    }
    #expect(section == "name.scientific")
  }

  @Test(arguments: [0, -1]) func rejectsMarksOfOtherTaxa(offset: Int) throws {
    let section = try DamagedPack.rejectedSection { $0.flip(.phraseMarks, at: offset, 0x80) }
    #expect(section == "phrase.marks")
  }

  @Test func rejectsWrongCountsOfMarks() throws {
    let section = try DamagedPack.rejectedSection { $0.edit(.phraseCounts) { $0[0] = 1 } }
    #expect(section == "phrase.counts")
  }

  @Test(arguments: [254, 256]) func rejectsShapeOutOfRange(number: UInt64) throws {
    let section = try DamagedPack.rejectedSection { $0.edit(.phraseShape) { $0[0] = number } }
    #expect(section == "phrase.shape")
  }

  @Test func rejectsAnotherShape() throws {
    let section = try DamagedPack.rejectedSection { $0.editStrings(.shapes) { $0.swapAt(0, 1) } }
    #expect(section == "phrase.shape")
  }

  /// It gives the same names, and is longer than it need be.
  @Test func rejectsAShapeThatNoWriterTakes() throws {
    let section = try DamagedPack.rejectedSection { $0.editStrings(.shapes) { $0[0] = "a" } }
    #expect(section == "phrase.shape")
  }

  @Test func rejectsShapesOutOfOrder() throws {
    let section = try DamagedPack.rejectedSection {
      $0.editStrings(.shapes) { $0.swapAt(1, 2) }
      $0.edit(.phraseShape) { numbers in
        for row in numbers.indices where [1, 2].contains(numbers[row]) {
          numbers[row] = 3 - numbers[row]
        }
      }
    }
    #expect(section == "text.shapes")
  }

  @Test func rejectsAShapeOfNoPhrase() throws {
    let section = try DamagedPack.rejectedSection {
      $0.editStrings(.shapes) { $0.append("BABA") }
      $0.edit(.spellingShape) { for row in $0.indices { $0[row] += 1 } }
    }
    #expect(section == "text.shapes")
  }

  @Test func rejectsACommonShapeAmongRareOnes() throws {
    let section = try DamagedPack.rejectedSection { $0.edit(.spellingShape) { $0[0] = 0 } }
    #expect(section == "spelling.shape")
  }

  @Test func rejectsSpellingsInAnotherOrder() throws {
    let section = try DamagedPack.rejectedSection { $0.edit(.spellingShape) { $0.swapAt(0, 1) } }
    #expect(section == "spelling.shape")
  }

  @Test func rejectsAPhraseWithoutShape() throws {
    let section = try DamagedPack.rejectedSection {
      $0.edit(.phraseShape) { shapes in
        if let phrase = shapes.firstIndex(where: { $0 < 255 }) { shapes[phrase] = 255 }
      }
    }
    #expect(section == "spelling.phrase")
  }

  @Test func rejectsRareShapesOfOtherPhrases() throws {
    let section = try DamagedPack.rejectedSection {
      $0.editMonotone(.spellingPhrase) { $0[0] += 1 }
    }
    #expect(section == "spelling.phrase")
  }

  @Test func rejectsSpellingOutOfRange() throws {
    let section = try DamagedPack.rejectedSection {
      $0.editMonotone(.spellingStarts) { $0[$0.count - 1] += 100 }
    }
    #expect(section == "spelling.starts")
  }

  @Test func rejectsSpellingThatIsNotUTF8() throws {
    let section = try DamagedPack.rejectedSection { $0.flip(.spellingText, at: 0, 0x80) }
    #expect(section == "spelling.text")
  }

  @Test func rejectsASpellingThatFoldsToOtherWords() throws {
    let section = try DamagedPack.rejectedSection { parts in
      guard var text = parts.contents[.spellingText] else { return }
      text[0] = UInt8(ascii: "X")
      parts.contents[.spellingText] = text
    }
    #expect(section == "phrase.words")
  }

  @Test func rejectsWordsThatAreNotThoseOfTheSpelling() throws {
    let section = try DamagedPack.rejectedSection { parts in
      // The first word in the list of the first name that is spelled out.
      var phrase = 0
      parts.editMonotone(.spellingPhrase) { phrase = $0[0] }
      var word = 0
      parts.editMonotone(.phraseStarts) { word = $0[phrase] }
      parts.edit(.phraseWords) { $0[word] = $0[word] == 0 ? 1 : 0 }
    }
    #expect(section == "phrase.words")
  }

  @Test func rejectsNameOfNoTaxon() throws {
    let section = try DamagedPack.rejectedSection {
      $0.editMonotone(.nameTaxon) { $0[$0.count - 1] = 46 }
    }
    #expect(section == "name.taxon")
  }

  @Test func rejectsNameTypeOutOfRange() throws {
    let section = try DamagedPack.rejectedSection { $0.edit(.nameType) { $0[0] = 4 } }
    #expect(section == "name.type")
  }

  @Test func rejectsLanguageOutOfRange() throws {
    let section = try DamagedPack.rejectedSection { $0.edit(.nameLanguage) { $0[0] = 3 } }
    #expect(section == "name.language")
  }

  @Test func rejectsPreferenceOutOfRange() throws {
    let section = try DamagedPack.rejectedSection { $0.edit(.namePreferred) { $0[0] = 2 } }
    #expect(section == "name.preferred")
  }

  @Test func rejectsWordsOutOfOrder() throws {
    let section = try DamagedPack.rejectedSection { $0.editWords { $0.swapAt(1, 2) } }
    #expect(section == "word.text")
  }

  @Test func rejectsEqualWords() throws {
    let section = try DamagedPack.rejectedSection { $0.editWords { $0[2] = $0[1] } }
    #expect(section == "word.text")
  }

  @Test func rejectsWordThatIsNotUTF8() throws {
    let section = try DamagedPack.rejectedSection { $0.editWords { $0[2].append(0xFF) } }
    #expect(section == "word.text")
  }

  @Test func rejectsWordWithASpace() throws {
    let section = try DamagedPack.rejectedSection { $0.editWords { $0[2].append(0x20) } }
    #expect(section == "word.text")
  }

  @Test func rejectsBlocksOfWordsThatDoNotHoldAllText() throws {
    let section = try DamagedPack.rejectedSection {
      $0.edit(.wordBlocks) { $0[$0.count - 1] += 1 }
    }
    #expect(section == "word.blocks")
  }

  @Test func rejectsMissingPosting() throws {
    let section = try DamagedPack.rejectedSection {
      $0.edit(.postingNames) { $0.remove(at: 0) }
      $0.editMonotone(.postingStarts) { for row in 1..<$0.count { $0[row] -= 1 } }
    }
    #expect(section == "posting.names")
  }

  @Test func rejectsExtraPosting() throws {
    let section = try DamagedPack.rejectedSection {
      $0.edit(.postingNames) { $0.insert(85, at: $0.count) }
      $0.editMonotone(.postingStarts) { $0[$0.count - 1] += 1 }
    }
    #expect(section == "posting.starts")
  }

  @Test func rejectsPostingsOutOfOrder() throws {
    let section = try DamagedPack.rejectedSection {
      let start = Self.longList($0)
      $0.edit(.postingNames) { $0.swapAt(start, start + 1) }
    }
    #expect(section == "posting.names")
  }

  @Test func rejectsPostingOfAnotherName() throws {
    let section = try DamagedPack.rejectedSection { $0.edit(.postingNames) { $0[0] ^= 1 } }
    #expect(section == "posting.names")
  }

  @Test func rejectsListsThatDoNotHoldAllNames() throws {
    let section = try DamagedPack.rejectedSection {
      $0.editMonotone(.postingStarts) { $0[$0.count - 1] += 1 }
    }
    #expect(section == "posting.starts")
  }

  @Test func rejectsTraitPairOutOfRange() throws {
    let section = try DamagedPack.rejectedSection { $0.edit(.traitPair) { $0[1] = 9 } }
    #expect(section == "trait.pair")
  }

  @Test func rejectsTraitPairsOutOfOrder() throws {
    let section = try DamagedPack.rejectedSection { $0.edit(.traitPair) { $0.swapAt(0, 1) } }
    #expect(section == "trait.pair")
  }

  @Test func rejectsTraitOfNoTaxon() throws {
    let section = try DamagedPack.rejectedSection {
      $0.editMonotone(.traitTaxon) { $0[$0.count - 1] = 46 }
    }
    #expect(section == "trait.taxon")
  }

  @Test func rejectsTraitKeyOutOfRange() throws {
    let section = try DamagedPack.rejectedSection { $0.edit(.pairKey) { $0[0] = 2 } }
    #expect(section == "pair.key")
  }

  @Test func rejectsTraitValueOutOfRange() throws {
    let section = try DamagedPack.rejectedSection { $0.edit(.pairValue) { $0[0] = 9 } }
    #expect(section == "pair.value")
  }

  @Test func rejectsTraitUnitOutOfRange() throws {
    let section = try DamagedPack.rejectedSection { $0.edit(.pairUnit) { $0[0] = 2 } }
    #expect(section == "pair.unit")
  }

  @Test func rejectsPairsOutOfOrder() throws {
    let section = try DamagedPack.rejectedSection {
      for section in [Section.pairKey, .pairValue, .pairUnit] {
        $0.edit(section) { $0.swapAt(1, 2) }
      }
    }
    #expect(["pair.key", "pair.value", "pair.unit"].contains(section))
  }

  @Test func rejectsPairThatIsThereTwice() throws {
    let section = try DamagedPack.rejectedSection {
      for section in [Section.pairKey, .pairValue, .pairUnit] {
        $0.edit(section) { $0[2] = $0[1] }
      }
    }
    #expect(["pair.key", "pair.value", "pair.unit"].contains(section))
  }

  /// Where the first posting list of two names or more starts.
  private static func longList(_ parts: PackParts) -> Int {
    var parts = parts
    var start = 0
    parts.editMonotone(.postingStarts) { starts in
      start = zip(starts, starts.dropFirst()).first { $1 - $0 > 1 }.map { $0.0 } ?? 0
    }
    return start
  }
}

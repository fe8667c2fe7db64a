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
    #expect(section == "name.scientific")
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
    #expect(["name.scientific", "posting.names"].contains(section))
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

  @Test func rejectsStyleOutOfRange() throws {
    let section = try DamagedPack.rejectedSection { $0.edit(.phraseStyle) { $0[0] = 4 } }
    #expect(section == "phrase.style")
  }

  @Test func rejectsSpelledOutPhraseWithoutSpelling() throws {
    let section = try DamagedPack.rejectedSection {
      $0.edit(.phraseStyle) { styles in
        if let phrase = styles.firstIndex(where: { $0 < 3 }) { styles[phrase] = 3 }
      }
    }
    #expect(section == "spelling.phrase")
  }

  @Test func rejectsSpellingOfAPhraseInAnotherStyle() throws {
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
      // The first word of the first name that is spelled out.
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
      $0.edit(.postingStarts) { for row in 1..<$0.count { $0[row] -= 1 } }
    }
    #expect(section == "posting.names")
  }

  @Test func rejectsExtraPosting() throws {
    let section = try DamagedPack.rejectedSection {
      $0.edit(.postingNames) { $0.insert(85, at: $0.count) }
      $0.edit(.postingStarts) { $0[$0.count - 1] += 1 }
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
      $0.edit(.postingStarts) { $0[$0.count - 1] += 1 }
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
    parts.edit(.postingStarts) { starts in
      start = zip(starts, starts.dropFirst()).first { $1 - $0 > 1 }.map { Int($0.0) } ?? 0
    }
    return start
  }
}

@testable import STOLPack
import Testing

/// Damage to encodings and tables that leaves all checksums right.
struct EncodingVerificationTests {
  @Test func bytesBehindTheEndAreNotCalledTruncated() {
    let (longer, shorter) = (
      PackError.truncated(section: "file", need: 128, got: 192),
      PackError.truncated(section: "file", need: 192, got: 128)
    )
    #expect(longer.description == "corrupt: 64 bytes follow the end of the file")
    #expect(shorter.description == "truncated: file needs 192 bytes, got 128")
  }

  @Test func rejectsUnusedBitOfAPackedSection() throws {
    let section = try DamagedPack.rejectedSection { $0.flip(.rank, at: -1, 0x80) }
    #expect(section == "taxon.rank")
  }

  @Test func rejectsUnusedBitBehindTheLowBitsOfAMonotoneSection() throws {
    let section = try DamagedPack.rejectedSection {
      let entry = $0.directory[.nameTaxon]
      let end = Layout.packedByteCount(count: entry.count, width: entry.width)
      $0.flip(.nameTaxon, at: end - 1, 0x80)
    }
    #expect(section == "name.taxon")
  }

  @Test func rejectsUnusedBitAmongTheHighBitsOfAMonotoneSection() throws {
    let section = try DamagedPack.rejectedSection {
      let shape = Self.shape($0.directory[.nameTaxon])
      $0.flip(.nameTaxon, at: shape.lowByteCount + shape.highByteCount - 1, 0x80)
    }
    #expect(section == "name.taxon")
  }

  @Test func rejectsUnusedBitBehindTheSamplesOfAMonotoneSection() throws {
    let section = try DamagedPack.rejectedSection {
      $0.flip(.nameTaxon, at: -1, Self.unusedSampleBits($0.directory[.nameTaxon]))
    }
    #expect(section == "name.taxon")
  }

  @Test func rejectsWrongSample() throws {
    let section = try DamagedPack.rejectedSection {
      let shape = Self.shape($0.directory[.nameTaxon])
      $0.flip(.nameTaxon, at: shape.lowByteCount + shape.highByteCount, 1)
    }
    #expect(section == "name.taxon")
  }

  @Test func rejectsParameterThatIsNotTheLastValue() throws {
    let section = try DamagedPack.rejectedSection { $0.directory[.nameTaxon].parameter -= 1 }
    #expect(section == "name.taxon")
  }

  @Test func rejectsUnusedNibbleOfTheLastBlock() throws {
    let section = try DamagedPack.rejectedSection {
      let width = $0.directory[.parent].width
      $0.flip(.parent, at: 2 * (10 + 2 * width) + 7, 0x10)
    }
    #expect(section == "tree.parent")
  }

  @Test func rejectsUnusedBitOfTheLastBlock() throws {
    let section = try DamagedPack.rejectedSection {
      let width = $0.directory[.parent].width
      $0.flip(.parent, at: 2 * (10 + 2 * width) + 9, 0x80)
    }
    #expect(section == "tree.parent")
  }

  @Test func rejectsUnusedParentOfTheLastBlock() throws {
    let section = try DamagedPack.rejectedSection { $0.flip(.parent, at: -9, 0x80) }
    #expect(section == "tree.parent")
  }

  @Test func rejectsBitBehindTheBlocks() throws {
    let section = try DamagedPack.rejectedSection { $0.flip(.parent, at: -1, 0x80) }
    #expect(section == "tree.parent")
  }

  @Test func rejectsOffsetsOfStringsOutOfOrder() throws {
    let section = try DamagedPack.rejectedSection { $0.flip(.authors, at: 8, 0x40) }
    #expect(section == "text.authors")
  }

  @Test func rejectsFirstOffsetOfStringsThatIsNotZero() throws {
    let section = try DamagedPack.rejectedSection { $0.flip(.authors, at: 0, 1) }
    #expect(section == "text.authors")
  }

  @Test func rejectsStringsThatAreNotUTF8() throws {
    let section = try DamagedPack.rejectedSection { $0.flip(.authors, at: -1, 0x80) }
    #expect(section == "text.authors")
  }

  @Test func rejectsBytesBehindTheLastString() throws {
    let section = try DamagedPack.rejectedSection { $0.contents[.authors]?.append(0x61) }
    #expect(section == "text.authors")
  }

  @Test func rejectsLanguagesOutOfOrder() throws {
    let section = try DamagedPack.rejectedSection {
      $0.editStrings(.languages) { $0.swapAt(0, 1) }
    }
    #expect(section == "text.languages")
  }

  @Test func rejectsLanguagesWithoutLatin() throws {
    let section = try DamagedPack.rejectedSection { $0.editStrings(.languages) { $0[2] = "zz" } }
    #expect(section == "text.languages")
  }

  @Test func rejectsLanguageThatIsThereTwice() throws {
    let section = try DamagedPack.rejectedSection { $0.editStrings(.languages) { $0[1] = $0[0] } }
    #expect(section == "text.languages")
  }

  @Test func rejectsAuthorsOutOfOrder() throws {
    let section = try DamagedPack.rejectedSection { $0.editStrings(.authors) { $0.swapAt(1, 2) } }
    #expect(section == "text.authors")
  }

  @Test func rejectsAuthorsWithoutNone() throws {
    let section = try DamagedPack.rejectedSection { $0.editStrings(.authors) { $0[0] = "A" } }
    #expect(section == "text.authors")
  }

  @Test func rejectsConservationCodesInAnotherOrder() throws {
    let section = try DamagedPack.rejectedSection {
      $0.editStrings(.conservationCodes) { $0.swapAt(1, 2) }
    }
    #expect(section == "text.conserv")
  }

  @Test func rejectsTraitKeysOutOfOrder() throws {
    let section = try DamagedPack.rejectedSection {
      $0.editStrings(.traitKeys) { $0.swapAt(0, 1) }
    }
    #expect(section == "text.traitkeys")
  }

  @Test func rejectsTraitValuesOutOfOrder() throws {
    let section = try DamagedPack.rejectedSection {
      $0.editStrings(.traitValues) { $0.swapAt(0, 1) }
    }
    #expect(section == "text.traitvals")
  }

  @Test func rejectsTraitUnitsWithoutNone() throws {
    let section = try DamagedPack.rejectedSection { $0.editStrings(.traitUnits) { $0[0] = "a" } }
    #expect(section == "text.traitunits")
  }

  @Test func rejectsFactsOutOfOrder() throws {
    let section = try DamagedPack.rejectedSection { $0.editStrings(.dataset) { $0.swapAt(0, 2) } }
    #expect(section == "dataset")
  }

  @Test func rejectsFactWithoutAValue() throws {
    let section = try DamagedPack.rejectedSection { $0.editStrings(.dataset) { $0.removeLast() } }
    #expect(section == "dataset")
  }

  /// Only ids and years have a base.
  @Test func rejectsBaseWhereThereIsNone() throws {
    let section = try DamagedPack.rejectedSection { $0.directory[.depth].base = 1 }
    #expect(section == "tree.depth")
  }

  @Test func rejectsParameterWhereThereIsNone() throws {
    let section = try DamagedPack.rejectedSection { $0.directory[.depth].parameter = 1 }
    #expect(section == "tree.depth")
  }

  @Test func rejectsFrontCodingThatSharesTooLittle() throws {
    let section = try DamagedPack.rejectedSection { Self.shareLess(&$0) }
    #expect(section == "word.text")
  }

  private static func shape(_ entry: SectionEntry) -> MonotoneShape {
    MonotoneShape(count: entry.count, width: entry.width, bound: entry.parameter)
  }

  /// A bit of the last byte, where the samples leave it unused; none where they fill the section.
  private static func unusedSampleBits(_ entry: SectionEntry) -> UInt8 {
    let samples = (entry.count + MonotoneShape.sampleInterval - 1) / MonotoneShape.sampleInterval
    return samples % 2 == 1 ? 0x80 : 0
  }

  /// Codes the second word of the first block as if it shared nothing with the first.
  private static func shareLess(_ parts: inout PackParts) {
    guard let text = parts.contents[.wordText] else { return }
    // One byte of two lengths, the lower one that of the bytes which follow.
    let at = 1 + Int(text[0])
    let shared = Int(text[at] >> 4)
    let changed =
      text[..<at] + [text[at] & 15 + text[at] >> 4] + text[1..<1 + shared] + text[(at + 1)...]
    parts.contents[.wordText] = Array(changed)
    parts.directory[.wordText].count = changed.count
    parts.edit(.wordBlocks) { for row in 1..<$0.count { $0[row] += UInt64(shared) } }
  }
}

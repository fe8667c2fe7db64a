@testable import STOLPack
import Testing

/// Damage to tree, columns and ids that leaves all checksums right.
struct VerificationTests {
  @Test func rejectsParentThatDoesNotPrecedeItsChild() throws {
    let section = try DamagedPack.rejectedSection { $0.editParents { $0[20] = 21 } }
    #expect(section == "tree.parent")
  }

  @Test func rejectsParentOffThePathFromTheRoot() throws {
    let section = try DamagedPack.rejectedSection { $0.editParents { $0[20] = 3 } }
    #expect(section == "tree.parent")
  }

  @Test func rejectsParentThatIsAGrandparent() throws {
    let section = try DamagedPack.rejectedSection { $0.editParents { $0[20] = 1 } }
    #expect(section == "tree.depth")
  }

  @Test func rejectsSecondRoot() throws {
    let section = try DamagedPack.rejectedSection { $0.editParents { $0[20] = 0 } }
    #expect(section == "tree.depth")
  }

  @Test func rejectsWrongDepth() throws {
    let section = try DamagedPack.rejectedSection { $0.edit(.depth) { $0[20] += 1 } }
    #expect(section == "tree.depth")
  }

  @Test func rejectsWrongMinimumOfBlocks() throws {
    let section = try DamagedPack.rejectedSection { $0.edit(.sparseTable) { $0[1] += 1 } }
    #expect(section == "tree.sparse")
  }

  @Test func rejectsWrongPlaceOfAMinimumFromTheBlockStart() throws {
    let section = try DamagedPack.rejectedSection { $0.flip(.parent, at: 2, 0x05) }
    #expect(section == "tree.parent")
  }

  @Test func rejectsWrongPlaceOfAMinimumToTheBlockEnd() throws {
    let section = try DamagedPack.rejectedSection { $0.flip(.parent, at: 9, 0x80) }
    #expect(section == "tree.parent")
  }

  /// Of equal parents the first one counts.
  @Test func rejectsLaterPlaceOfAMinimum() throws {
    let section = try DamagedPack.rejectedSection {
      let blockByteCount = 10 + 2 * $0.directory[.parent].width
      $0.flip(.parent, at: blockByteCount, 0x10)
    }
    #expect(section == "tree.parent")
  }

  @Test func rejectsRankOutOfRange() throws {
    let section = try DamagedPack.rejectedSection { $0.edit(.rank) { $0[3] = 8 } }
    #expect(section == "taxon.rank")
  }

  @Test func rejectsStatusOutOfRange() throws {
    let section = try DamagedPack.rejectedSection { $0.edit(.status) { $0[3] = 2 } }
    #expect(section == "taxon.status")
  }

  @Test func rejectsConservationCodeOutOfRange() throws {
    let section = try DamagedPack.rejectedSection { $0.edit(.conservation) { $0[3] = 10 } }
    #expect(section == "taxon.conserv")
  }

  @Test func rejectsAuthorOutOfRange() throws {
    let section = try DamagedPack.rejectedSection { $0.edit(.author) { $0[3] = 3 } }
    #expect(section == "taxon.author")
  }

  @Test func rejectsWrongMarkOfACommonName() throws {
    let section = try DamagedPack.rejectedSection { $0.edit(.hasCommonName) { $0[0] = 1 } }
    #expect(section == "taxon.known")
  }

  @Test func rejectsProminenceOutOfRange() throws {
    let section = try DamagedPack.rejectedSection { $0.edit(.prominence) { $0[0] = 64 } }
    #expect(section == "taxon.promin")
  }

  @Test func rejectsAnotherGrammarOfALanguage() throws {
    let section = try DamagedPack.rejectedSection { $0.edit(.languageGrammar) { $0[0] ^= 1 } }
    #expect(section == "lang.grammar")
  }

  @Test func rejectsAWordAsLinkThatIsNone() throws {
    let section = try DamagedPack.rejectedSection { $0.edit(.linkWords) { $0.append(0) } }
    #expect(section == "word.links")
  }

  @Test func rejectsIdsOutOfOrder() throws {
    let section = try DamagedPack.rejectedSection { $0.edit(.idOrder) { $0.swapAt(3, 4) } }
    #expect(section == "id.order")
  }

  @Test func rejectsOrdinalOutOfRangeInTheOrderOfIds() throws {
    let section = try DamagedPack.rejectedSection { $0.edit(.idOrder) { $0[3] = 46 } }
    #expect(section == "id.order")
  }

  @Test func rejectsDuplicateId() throws {
    let section = try DamagedPack.rejectedSection { $0.edit(.idValue) { $0[3] = $0[2] } }
    #expect(section == "id.order")
  }

  /// A reader looks for no id below the base.
  @Test func rejectsAnIdThatOverflows() throws {
    let section = try DamagedPack.rejectedSection { $0.directory[.idValue].base = .max - 100 }
    #expect(section == "id.order")
  }

  @Test func rejectsARetiredIdThatOverflows() throws {
    let section = try DamagedPack.rejectedSection { $0.directory[.mergedID].base = .max }
    #expect(section == "id.merged")
  }

  @Test func rejectsIdInTheWrongBucket() throws {
    let section = try DamagedPack.rejectedSection { $0.edit(.idDirectory) { $0[1] += 1 } }
    #expect(section == "id.order")
  }

  @Test func rejectsBucketsThatDoNotHoldAllIds() throws {
    let section = try DamagedPack.rejectedSection {
      $0.edit(.idDirectory) { $0[$0.count - 1] -= 1 }
    }
    #expect(section == "id.directory")
  }

  @Test func rejectsMergedIdOfATaxon() throws {
    let section = try DamagedPack.rejectedSection {
      $0.edit(.mergedID) { $0[$0.count - 1] = 505 - 7 }
    }
    #expect(section == "id.merged")
  }

  @Test func rejectsMergedIdsOutOfOrder() throws {
    let section = try DamagedPack.rejectedSection { $0.edit(.mergedID) { $0.swapAt(0, 1) } }
    #expect(section == "id.merged")
  }

  @Test func rejectsMergedIdThatLeadsToNoTaxon() throws {
    // Taxa and names there are 101; name 46 is no synonym whose own id this is.
    for target in [UInt64(46), 101] {
      let section = try DamagedPack.rejectedSection { $0.edit(.mergedInto) { $0[0] = target } }
      #expect(section == "id.mergedinto", "\(target)")
    }
  }

  @Test func rejectsDeletedIdThatIsMerged() throws {
    let section = try DamagedPack.rejectedSection {
      $0.edit(.deletedID) { $0[0] = 0 }
      $0.directory[.deletedID].base = 8
    }
    #expect(section == "id.deleted")
  }

  @Test func rejectsBaseThatIsNotTheLeastId() throws {
    let section = try DamagedPack.rejectedSection {
      $0.edit(.idValue) { for row in $0.indices { $0[row] += 1 } }
      $0.directory[.idValue].base -= 1
      $0.edit(.idDirectory) { $0 = [0, 46] }
      $0.directory[.idDirectory].parameter = 63
    }
    #expect(section == "id.value")
  }

  @Test func acceptsAPackPutTogetherAgain() throws {
    let bytes = try DamagedPack.bytes.get()
    let isSame = try PackParts(bytes).encoded() == bytes
    #expect(isSame)
    let section = DamagedPack.rejectedSection(of: bytes)
    #expect(section == nil)
    // What is edited without a change is written as it was.
    let unchanged = try DamagedPack.rejectedSection {
      for section in Section.allCases {
        switch section.encoding {
        case .packed: $0.edit(section) { _ in }
        case .monotone: $0.editMonotone(section) { _ in }
        case .strings: $0.editStrings(section) { _ in }
        case .blocks: $0.editParents { _ in }
        case .bytes: $0.editWords { _ in }
        }
      }
    }
    #expect(unchanged == nil)
  }

  @Test func noSectionOfBothPacksIsEmpty() throws {
    let numbers = try PackParts(DamagedPack.bytes.get())
    let texts = try PackParts(DamagedPack.textBytes.get())
    let empty = Section.allCases.filter {
      numbers.directory[$0].count == 0 && texts.directory[$0].count == 0
    }
    #expect(empty.isEmpty)
  }

  @Test func rejectsEveryPaddingByte() throws {
    let bytes = try DamagedPack.bytes.get()
    let parts = try PackParts(bytes)
    var end = 128 + Section.allCases.count * 64
    var missed: [Int] = []
    var count = 0
    for next in Section.allCases.map({ parts.directory[$0] }) {
      for offset in end..<next.offset {
        var damaged = bytes
        damaged[offset] = 1
        if DamagedPack.rejectedSection(of: damaged) != "padding" { missed.append(offset) }
        count += 1
      }
      end = next.offset + next.byteCount
    }
    for offset in end..<bytes.count {
      var damaged = bytes
      damaged[offset] = 1
      if DamagedPack.rejectedSection(of: damaged) != "padding" { missed.append(offset) }
    }
    #expect(missed.isEmpty)
    #expect(count > 0)
  }

  @Test func rejectsEveryReservedByteOfTheHeader() throws {
    var missed: [Int] = []
    // The flags, then what follows the digest of the database.
    for offset in Array(60..<64) + Array(96..<120) {
      var damaged = try DamagedPack.bytes.get()
      damaged[offset] = 4
      Self.repairHeader(&damaged)
      if DamagedPack.rejectedSection(of: damaged) != "header" { missed.append(offset) }
    }
    #expect(missed.isEmpty)
  }

  @Test func rejectsEveryReservedFlagOfTheDirectory() throws {
    var missed: [Int] = []
    for bit in 1..<16 {
      var damaged = try DamagedPack.bytes.get()
      damaged[128 + 62 + bit / 8] |= 1 << UInt8(bit % 8)
      let sum = Checksum.of(Array(damaged[128..<128 + Section.allCases.count * 64]))
      for place in 0..<4 { damaged[120 + place] = UInt8(sum >> UInt32(place * 8) & 0xFF) }
      Self.repairHeader(&damaged)
      if DamagedPack.rejectedSection(of: damaged) != "directory" { missed.append(bit) }
    }
    #expect(missed.isEmpty)
  }

  private static func repairHeader(_ bytes: inout [UInt8]) {
    let sum = Checksum.of(Array(bytes[..<124]))
    for place in 0..<4 { bytes[124 + place] = UInt8(sum >> UInt32(place * 8) & 0xFF) }
  }
}

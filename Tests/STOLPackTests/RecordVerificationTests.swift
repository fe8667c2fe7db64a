import Testing

@testable import STOLPack

/// Damage to ranks, ids as texts, sources and records that leaves all checksums right.
struct RecordVerificationTests {
  @Test func acceptsThePackAsItIs() throws {
    let section = try DamagedPack.rejectedTextSection { _ in }
    #expect(section == nil)
  }

  /// A value of a column that is not allowed, or that something else contradicts.
  struct Change: Sendable, CustomTestStringConvertible {
    let section: Section
    let row: Int
    let value: UInt64
    /// Where it is found, if that is not in the section itself.
    let reporter: String
    var testDescription: String { "\(section.name)[\(row)] = \(value)" }

    init(_ section: Section, _ row: Int, _ value: UInt64, _ reporter: String? = nil) {
      self.section = section
      self.row = row
      self.value = value
      self.reporter = reporter ?? section.name
    }
  }

  static let changes: [Change] = [
    Change(.rankMain, 0, 9), Change(.mainDepth, 5, 7), Change(.mainDepth, 0, 1),
    Change(.code, 3, 9), Change(.taxonSource, 3, 3), Change(.nameSource, 3, 3),
    Change(.traitSource, 3, 3), Change(.recordAuthor, 2, 2), Change(.recordStatus, 2, 3),
    Change(.recordWords, 2, 3), Change(.recordCode, 2, 3), Change(.recordSensu, 2, 3),
    Change(.recordRank, 2, 40), Change(.idBlocks, 1, 3, "id.text"), Change(.mergedInto, 1, 60),
    Change(.mergedInto, 1, 5, "id.merged"),
  ]

  @Test(arguments: changes)
  func rejectsAValueThatDoesNotBelong(_ change: Change) throws {
    let got = try DamagedPack.rejectedTextSection {
      $0.edit(change.section) { $0[change.row] = change.value }
    }
    #expect(got == change.reporter)
  }

  /// Every value of every new column, changed by its last bit.
  @Test func rejectsEveryChangeThatAnotherSectionContradicts() throws {
    var missed: [String] = []
    for section in [Section.rankPlace, .rankMain, .mainDepth, .idBlocks, .mergedInto] {
      let count = try PackParts(DamagedPack.textBytes.get()).directory[section].count
      for row in 0..<count {
        let got = try DamagedPack.rejectedTextSection { $0.edit(section) { $0[row] ^= 1 } }
        if got == nil { missed.append("\(section.name)[\(row)]") }
      }
    }
    // Places may change as long as they ascend; a main rank may have two words.
    #expect(missed.allSatisfy { $0.hasPrefix("rank.") }, "\(missed)")
  }

  @Test func rejectsRanksOutOfOrder() throws {
    let places = try DamagedPack.rejectedTextSection { $0.edit(.rankPlace) { $0.swapAt(0, 1) } }
    #expect(places == "rank.place")
    let words = try DamagedPack.rejectedTextSection {
      $0.editStrings(.ranks) { $0.swapAt($0.count - 1, $0.count - 2) }
    }
    #expect(words == "rank.place")
    let twice = try DamagedPack.rejectedTextSection { $0.editStrings(.ranks) { $0[1] = $0[0] } }
    #expect(twice == "text.ranks")
    let missing = try DamagedPack.rejectedTextSection { $0.edit(.rankMain) { $0[1] = 0 } }
    #expect(missing == "rank.main")
  }

  @Test(arguments: [Section.codes, .nameStatuses, .statusWords, .sensuPhrases])
  func rejectsATableWithoutNone(_ section: Section) throws {
    let got = try DamagedPack.rejectedTextSection { $0.editStrings(section) { $0[0] = "A" } }
    #expect(got == section.name)
  }

  @Test func rejectsAStatusOfNamesThatIsNotKnown() throws {
    let got = try DamagedPack.rejectedTextSection { $0.editStrings(.nameStatuses) { $0[1] = "x" } }
    #expect(got == "text.namestatus")
  }

  @Test func rejectsASourceThatLacksAFact() throws {
    let got = try DamagedPack.rejectedTextSection {
      $0.editStrings(.sourceFacts) { $0.removeLast() }
    }
    #expect(["source.facts", "taxon.source"].contains(got))
  }

  @Test func rejectsAnotherTextOfAnId() throws {
    var missed: [Int] = []
    let count = try PackParts(DamagedPack.textBytes.get()).contents[.idText]?.count ?? 0
    for offset in 0..<count {
      for bits in [UInt8(1), 0x80] {
        let got = try DamagedPack.rejectedTextSection { $0.flip(.idText, at: offset, bits) }
        if got == nil { missed.append(offset) }
      }
    }
    #expect(count > 50)
    #expect(missed.isEmpty)
  }

  @Test func rejectsTextsWhereIdsAreNumbers() throws {
    let got = try DamagedPack.rejectedSection {
      $0.contents[.idText] = [0]
      $0.directory[.idText].count = 1
    }
    #expect(got == "id.text")
    let flag = try DamagedPack.rejectedSection { $0.header.hasTextIDs = true }
    #expect(flag == "id.blocks")
    let noFlag = try DamagedPack.rejectedTextSection { $0.header.hasTextIDs = false }
    #expect(noFlag == "id.blocks")
  }

  @Test func rejectsAnImpliedRootThatIsNone() throws {
    let got = try DamagedPack.rejectedSection { $0.header.hasImpliedRoot = true }
    #expect(got == "id.value")
    let missing = try DamagedPack.rejectedTextSection { $0.header.hasImpliedRoot = false }
    #expect(missing == "id.text")
  }

  @Test func rejectsAnImpliedRootWithoutTaxa() throws {
    var header = Header()
    header.hasImpliedRoot = true
    header.fileByteCount = 128
    let bytes = header.encoded()
    #expect(
      throws: PackError.corrupt(
        section: "header", position: 60, reason: "an implied root without taxa")
    ) { try Header(reading: bytes.rawSpan) }
  }

  @Test func rejectsNamesOfRecordsThatDoNotAscend() throws {
    let twice = try DamagedPack.rejectedTextSection {
      $0.editMonotone(.recordName) { $0[3] = $0[2] }
    }
    #expect(twice == "record.name")
    let outside = try DamagedPack.rejectedTextSection {
      $0.editMonotone(.recordName) { $0[$0.count - 1] = 1000 }
    }
    #expect(outside == "record.name")
  }

  @Test func rejectsAnEmptyRecord() throws {
    // The first record is that of a taxon: its only field.
    let got = try DamagedPack.rejectedTextSection {
      $0.edit(.recordWords) { $0[0] = 0 }
      $0.edit(.recordSensu) { $0[0] = 0 }
    }
    #expect(got == "record.name")
  }

  @Test(arguments: [Section.recordAuthor, .recordYear, .recordRank, .recordCode])
  func rejectsWhatATaxonSaysItself(_ section: Section) throws {
    let got = try DamagedPack.rejectedTextSection { $0.edit(section) { $0[0] = 1 } }
    #expect(got == section.name)
  }

  @Test func rejectsIdsOfNamesThatDoNotHoldTheText() throws {
    let end = try DamagedPack.rejectedTextSection {
      $0.editMonotone(.recordIDStarts) { $0[$0.count - 1] += 1 }
    }
    #expect(end == "record.idstarts")
    let start = try DamagedPack.rejectedTextSection {
      $0.editMonotone(.recordIDStarts) { $0[0] = 1 }
    }
    #expect(start == "record.idstarts")
    let text = try DamagedPack.rejectedTextSection { $0.flip(.recordIDText, at: 0, 0x80) }
    #expect(text == "record.idtext")
    let other = try DamagedPack.rejectedTextSection { $0.flip(.recordIDText, at: 0, 1) }
    #expect(["id.mergedinto", "id.merged"].contains(other))
  }
}

import TestSupport
import Testing

@testable import STOLPack

/// Names found by the hash of their folded form: PACK.md section 8.
struct WholeNameTests {
  struct Hash: CustomTestStringConvertible {
    var text: String
    var hash: UInt64
    var testDescription: String { "\"\(text)\"" }
  }

  /// As another implementation of PACK.md gives them.
  @Test(arguments: [
    Hash(text: "", hash: 0x0000_0000_0000_0000),
    Hash(text: "a", hash: 0x46B5_2CC0_6D66_FBD0),
    Hash(text: "panther", hash: 0x32AA_5D57_7967_EA1D),
    Hash(text: "panthera", hash: 0x11C3_0225_6D24_BC5B),
    Hash(text: "pantheras", hash: 0x890C_3205_4992_2A5A),
    Hash(text: "panthera leo", hash: 0x2EA2_E448_07DF_FA2F),
    Hash(text: "panthera leo pe", hash: 0x2E18_0937_9422_851E),
    Hash(text: "panthera leo per", hash: 0x5D55_36B9_BA5C_837B),
    Hash(text: "panthera leo persica", hash: 0xF390_FC5D_E989_8AFB),
    Hash(text: "лев", hash: 0x8F3C_7014_8451_FD2E),
  ])
  func hashesAreThoseOfTheFormat(_ this: Hash) {
    let hash = NameHash.hash(Array(this.text.utf8).span)
    #expect(hash == this.hash)
  }

  @Test func everyNameHasOnePlaceAndPlacesAscend() {
    var random = SeededGenerator(seed: 1)
    for count in [0, 1, 2, 3, 4, 5, 7, 8, 9, 100, 1_000, 4_097] {
      let hashes = (0..<count).map { _ in UInt64.random(in: 0...(.max), using: &random) }
      let shape = NameHash(nameCount: count)
      let table = WholeNameTable(hashes)
      #expect(table.starts.count == count / 2 + 2)
      #expect(table.starts.first == 0 && table.starts.last == count)
      #expect(count == 0 || (2...4).contains(shape.tagCount))
      var seen = Set<Int>()
      for bucket in 0..<shape.bucketCount {
        let values = table.values[table.starts[bucket]..<table.starts[bucket + 1]]
        #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 })
        for value in values {
          let name = Int(value % UInt64(count))
          seen.insert(name)
          let slot = shape.slot(of: hashes[name])
          #expect(slot.bucket == bucket && slot.tag == value / UInt64(count))
        }
      }
      #expect(seen.count == count)
    }
  }

  /// Every text of a few letters and spaces is a name, or is none.
  @Test func allSmallNamesAreFoundAndNothingElse() throws {
    let texts = Misspelling.allTexts(of: ["a", "B", " "], upTo: 5).filter { !$0.isEmpty }
    for step in [1, 3] {
      let names = stride(from: 0, to: texts.count, by: step).map { texts[$0] }
      let pack = try Self.pack(names)
      Self.expectEqualNames(in: pack, texts)
    }
  }

  @Test func randomNamesAreThoseOfBruteForce() throws {
    for seed in 0..<UInt64(Sweep.count(few: 20, full: 400)) {
      var random = SeededGenerator(seed: seed)
      let names = RandomNames(&random)
      let pack = try Pack(PackBytes(copying: names.taxonomy(&random).packBytes()))
      let view = pack.view
      var texts: [String] = []
      for number in 0..<view.names.count {
        let text = view.names.text(of: NameOrdinal(number))
        texts += [text, text.uppercased(), "\"\(text)\"", " \(text)  ", String(text.dropLast())]
      }
      Self.expectEqualNames(in: pack, texts, "seed \(seed)")
    }
  }

  @Test func manyEqualNamesAreAllFoundInOrder() throws {
    let count = 3_000
    let pack = try Self.pack(
      (0..<count).map { $0 % 3 == 0 ? "other \($0)" : "Environmental sample" })
    try pack.verify()
    let hits = pack.view.search(
      SearchQuery("environmental sample", mode: .exact, limit: .max))
    #expect(hits.count == count * 2 / 3)
    #expect(zip(hits, hits.dropFirst()).allSatisfy { $0.taxon < $1.taxon })
    let first = pack.view.search(SearchQuery("environmental sample", mode: .exact, limit: 3))
    #expect(first == Array(hits.prefix(3)))
    #expect(pack.view.search(SearchQuery("other 3", mode: .exact)).count == 1)
  }

  @Test func namesThatAQueryCannotBeAreNotFoundAndHideNothing() throws {
    let long = String(repeating: "a", count: SearchQuery.maximumByteCount + 1)
    let longest = String(repeating: "b", count: SearchQuery.maximumByteCount)
    let pack = try Self.pack([long, longest, "\u{200B}", "Aus"])
    try pack.verify()
    for (text, count) in [(long, 0), (longest, 1), ("\u{200B}", 0), ("", 0), (" ", 0), ("aus", 1)] {
      #expect(pack.view.search(SearchQuery(text, mode: .exact)).count == count)
    }
  }

  /// Whatever the table says, a name that is given is the one asked for.
  @Test func damagedTablesHideNamesAndInventNone() throws {
    let intact = try Pack(PackBytes(copying: DamagedPack.bytes.get()))
    for seed in 0..<UInt64(Sweep.count(few: 300, full: 3_000)) {
      var random = SeededGenerator(seed: seed)
      var parts = try PackParts(DamagedPack.bytes.get())
      for section in [Section.hashStarts, .hashNames] {
        var bytes = parts.contents[section] ?? []
        for _ in 0..<Int.random(in: 0...8, using: &random) {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] =
            UInt8.random(in: 0...255, using: &random)
        }
        parts.contents[section] = bytes
      }
      let pack = try Pack(PackBytes(copying: parts.encoded()))
      for number in 0..<intact.view.names.count {
        let text = intact.view.names.text(of: NameOrdinal(number))
        let query = SearchQuery(text, mode: .exact, limit: .max)
        let wrong = Set(pack.view.search(query).map(\.taxon)).subtracting(
          intact.view.search(query).map(\.taxon))
        #expect(wrong.isEmpty, "seed \(seed), \(text)")
      }
    }
  }

  @Test func plainTextsFoldAsTheirBytesDo() {
    var random = SeededGenerator(seed: 2)
    let bytes = Array("abyzABYZ    -.09_\"`\t(@[~\u{7F}".utf8)
    var mismatches = Mismatches()
    for _ in 0..<Sweep.count(few: 20_000, full: 1_000_000) {
      let few = Int.random(in: 1...bytes.count, using: &random)
      let text = (0..<Int.random(in: 0...40, using: &random)).map { _ in
        bytes[Int.random(in: 0..<few, using: &random)]
      }
      let folded = text.map { byte -> UInt8 in
        switch byte {
        case 0...0x20, 0x7F, UInt8(ascii: "_"): 0x20
        case UInt8(ascii: "\""), UInt8(ascii: "`"): UInt8(ascii: "'")
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte + 32
        default: byte
        }
      }
      let expected = folded.split(separator: 0x20).joined(separator: [0x20])
      mismatches.compare(
        Array(Folder.fold(String(decoding: text, as: UTF8.self)).utf8), Array(expected),
        String(decoding: text, as: UTF8.self))
    }
    let first = mismatches.first
    #expect(first == nil)
  }

  /// A pack of taxa with these names, all without a parent.
  private static func pack(_ names: [String]) throws -> Pack {
    var taxonomy = TestTaxonomy()
    taxonomy.taxa = names.enumerated().map { number, name in
      TaxonRow(id: Int64(number + 1), parentID: nil, rank: "species", scientificName: name)
    }
    return try Pack(PackBytes(copying: taxonomy.packBytes()))
  }

  /// Compares what is found with all names that fold to the same.
  private static func expectEqualNames(
    in pack: Pack, _ texts: [String], _ note: String = ""
  ) {
    let view = pack.view
    var namesOfText: [[UInt8]: [NameOrdinal]] = [:]
    for number in 0..<view.names.count {
      let name = NameOrdinal(number)
      namesOfText[Array(Folder.fold(view.names.text(of: name)).utf8), default: []].append(name)
    }
    var session = SearchSession()
    var mismatches = Mismatches()
    for text in texts {
      let folded = Array(Folder.fold(text).utf8)
      let isQuoted = text.count > 1 && text.hasPrefix("\"") && text.hasSuffix("\"")
      var names = folded.isEmpty ? [] : namesOfText[folded] ?? []
      if names.isEmpty, isQuoted {
        let inner = Array(Folder.fold(String(text.dropFirst().dropLast())).utf8)
        names = inner.isEmpty ? [] : namesOfText[inner] ?? []
      }
      session.search(SearchQuery(text, mode: .exact, limit: .max), in: view)
      mismatches.compare(
        Set(session.hits.map(\.taxon)), Set(names.map { view.names.taxon(of: $0) }), text + note)
      mismatches.compare(
        session.hits.allSatisfy { names.contains($0.name) && $0.matchClass == .exactName }, true,
        text + note)
      let expected: SearchSession.Equal =
        folded.isEmpty
        ? .none
        : (namesOfText[folded] ?? []).count > 1
          ? .several : namesOfText[folded].map { .one($0[0]) } ?? .none
      mismatches.compare(
        "\(session.namesEqual(to: folded, in: view))", "\(expected)", text + note)
    }
    let first = mismatches.first
    #expect(first == nil)
  }
}

import TestSupport
import Testing

@testable import STOLPack

/// Shapes of names: PACK.md section 7.
struct NameShapeTests {
  struct Spelling: CustomTestStringConvertible {
    var folded: String
    var text: String
    var shape: String?
    var testDescription: String { "\"\(text)\"" }
  }

  @Test(arguments: [
    Spelling(folded: "culex", text: "culex", shape: ""),
    Spelling(folded: "culex", text: "Culex", shape: "B"),
    Spelling(folded: "x", text: "X", shape: "A"),
    Spelling(folded: "culex sp. bold:aaa1234", text: "Culex sp. BOLD:AAA1234", shape: "Ba a AA"),
    Spelling(folded: "culex sp. a bc", text: "Culex sp. A_bC", shape: "Ba a A_bA"),
    Spelling(folded: "(mrna) x-1", text: "(mRNA) X-1", shape: "bA A"),
    Spelling(folded: "deformed wing", text: "DefOrmed wing", shape: "BbbB"),
    Spelling(folded: "a  b", text: "A  b", shape: "A"),
    Spelling(folded: "12 34 x", text: "12 34_x", shape: " _"),
    Spelling(folded: "лев x", text: "лев X", shape: " A"),
    Spelling(folded: "лев x", text: "Лев X", shape: nil),
    Spelling(folded: "fox", text: "föx", shape: nil),
    Spelling(folded: "fox a", text: "fox  a", shape: nil),
    Spelling(folded: "fox a", text: "fox\ta", shape: nil),
    Spelling(folded: "'fox'", text: "\"fox\"", shape: nil),
    Spelling(folded: "k", text: "\u{212A}", shape: nil),
    Spelling(folded: "", text: "_", shape: nil),
  ])
  func shapesAreThoseOfTheFormat(_ this: Spelling) {
    var shape: [UInt8] = []
    let text = Array(this.text.utf8)
    let isFound = NameShape.find(text.span, folded: Array(this.folded.utf8), into: &shape)
    #expect((isFound ? String(decoding: shape, as: UTF8.self) : nil) == this.shape)
    guard isFound else { return }
    var name = Array("?".utf8) + Array(this.folded.utf8)
    NameShape.apply(shape.rawSpan, to: &name, from: 1)
    #expect(String(decoding: name.dropFirst(), as: UTF8.self) == this.text)
  }

  /// Of all small texts those have a shape that differ from their folding by capitals and underscores,
  /// and it gives them back.
  @Test func allSmallTexts() {
    var folder = Folder()
    var folded: [UInt8] = []
    var shape: [UInt8] = []
    for text in Misspelling.allTexts(of: ["a", "B", " ", "_", "1", "é"], upTo: 6) {
      let bytes = Array(text.utf8)
      folder.fold(bytes.span, into: &folded)
      let isFound = NameShape.find(bytes.span, folded: folded, into: &shape)
      let alike = text.lowercased().split(separator: "_", omittingEmptySubsequences: false)
        .joined(separator: " ")
      #expect(isFound == (!folded.isEmpty && alike.utf8.elementsEqual(folded)))
      guard isFound else { continue }
      NameShape.apply(shape.rawSpan, to: &folded, from: 0)
      #expect(folded == bytes)
      #expect(shape.last != UInt8(ascii: " ") && shape.last != UInt8(ascii: "a"))
    }
  }

  @Test func damagedShapesChangeCapitalsAndUnderscoresOnly() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<20_000 {
      let folded = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        Array("ab -1é".utf8).randomElement(using: &random) ?? 0
      }
      let shape = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        Int.random(in: 0..<8, using: &random) > 0
          ? Array("aAbB_ ".utf8).randomElement(using: &random) ?? 0
          : UInt8.random(in: 0...255, using: &random)
      }
      var name = folded
      NameShape.apply(shape.rawSpan, to: &name, from: 0)
      let back = name.map { (byte: UInt8) -> UInt8 in
        byte == UInt8(ascii: "_") ? UInt8(ascii: " ") : (65...90).contains(byte) ? byte + 32 : byte
      }
      #expect(back == folded)
    }
  }

  /// Names with all kinds of separators, capitals and accents, with more shapes than phrases state
  /// themselves, come back byte for byte.
  @Test func namesComeBack() throws {
    var random = SeededGenerator(seed: 11)
    let pieces = [
      "a", "B", "ab", "Ab", "aB", "AB", "sp.", "BOLD", ":", "12", "-", "_", " ", "  ", " ", " ",
      "é", "É", "x\u{301}", "ﬁ", "Ж", "\"", "`", "\t", "×", "(", ")", "\u{200B}", "K\u{212A}",
    ]
    var taxonomy = TestTaxonomy()
    var texts = [
      "\u{200B}", "_", "__", "X", "x", "1", "A b", "a_B", String(repeating: "aB ", count: 21_845),
    ]
    texts += [String(repeating: "X", count: 65_536), String(repeating: "x_", count: 32_767) + "Y"]
    // Few names with what folds to something else have a shape.
    let plain = pieces.prefix(16)
    while texts.count < 4_000 {
      let count = Int.random(in: 1...9, using: &random)
      let from = texts.count.isMultiple(of: 3) ? pieces[...] : plain
      let text = (0..<count).map { _ in from.randomElement(using: &random) ?? "a" }.joined()
      texts.append(text)
    }
    for (number, text) in texts.enumerated() {
      let parent = number % 3 == 2 ? Int64(number) : nil
      taxonomy.taxa.append(
        TaxonRow(id: Int64(number + 1), parentID: parent, rank: "genus", scientificName: text))
      taxonomy.names.append(
        NameRow(
          id: Int64(number + 1), taxonID: Int64(number + 1), name: String(text.reversed()),
          language: "en", type: "common"))
    }
    let pack = try Pack(PackBytes(copying: taxonomy.packBytes()))
    try pack.verify()
    let view = pack.view
    #expect(pack.sections.contains { $0.name == "text.shapes" && $0.count > 300 })
    for (number, text) in texts.enumerated() {
      guard let taxon = view.ids.taxon(TaxonID(rawValue: Int64(number + 1))) else {
        Issue.record("\(number) is missing")
        continue
      }
      let shown = view.names.scientificName(of: taxon)
      #expect(shown.utf8.elementsEqual(text.utf8), "\(text)")
      let further = view.names.furtherNames(of: taxon).map { view.names.text(of: $0) }
      #expect(further.count == 1)
      #expect(further.first?.utf8.elementsEqual(String(text.reversed()).utf8) ?? false, "\(text)")
    }
  }
}

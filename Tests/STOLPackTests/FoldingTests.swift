import Foundation
import STOLPack
import TestSupport
import Testing

/// Folding: PACK.md section 11.
struct FoldingTests {
  /// Compares the foldings of texts with what they should be.
  private static func firstMismatch(_ cases: [(String, String)]) -> String? {
    var mismatches = Mismatches()
    for (text, expected) in cases {
      mismatches.compare(
        Array(Folder.fold(text).unicodeScalars), Array(expected.unicodeScalars), "\"\(text)\"")
    }
    return mismatches.first
  }

  @Test func foldsTheCaseOfASCII() {
    let mismatch = Self.firstMismatch([
      ("Panthera LEO", "panthera leo"), ("azAZ09", "azaz09"), ("@[\\]^{|}~", "@[\\]^{|}~"),
      ("", ""),
    ])
    #expect(mismatch == nil)
  }

  @Test func dropsMarksAfterLatinGreekAndCyrillicLetters() {
    let mismatch = Self.firstMismatch([
      ("Löwe", "lowe"), ("ñandú", "nandu"), ("Hươu cao cổ", "huou cao co"), ("Λέων", "λεων"),
      ("Ἄρκτος", "αρκτοσ"), ("Ёжик", "ежик"), ("Йод", "иод"), ("a\u{301}\u{323}b", "ab"),
      ("а\u{301}", "а"), ("ω\u{342}", "ω"),
    ])
    #expect(mismatch == nil)
  }

  @Test func keepsMarksOfOtherScripts() {
    let mismatch = Self.firstMismatch([
      ("हाथी", "हाथी"), ("सिंह", "सिंह"), ("ガラス", "カ\u{3099}ラス"),
      ("ぱんだ", "は\u{309A}んた\u{3099}"), ("ｶﾞﾗｽ", "カ\u{3099}ラス"), ("ช้าง", "ช้าง"),
      ("قِطّ", "قِطّ"), ("שׁ", "שׁ"), ("1\u{301}", "1\u{301}"),
    ])
    #expect(mismatch == nil)
  }

  @Test func putsMarksInCanonicalOrder() {
    let mismatch = Self.firstMismatch([
      ("क\u{301}\u{323}", "क\u{323}\u{301}"), ("क\u{323}\u{301}", "क\u{323}\u{301}"),
      // Marks of one class stay as they are; one of class 0 is a fence.
      ("क\u{301}\u{302}", "क\u{301}\u{302}"), ("क\u{302}\u{301}", "क\u{302}\u{301}"),
      ("क\u{301}\u{93F}\u{323}", "क\u{301}\u{93F}\u{323}"),
    ])
    #expect(mismatch == nil)
  }

  @Test func replacesLigaturesAndBarredLetters() {
    let mismatch = Self.firstMismatch([
      ("Großer", "grosser"), ("STRAẞE", "strasse"), ("Æsculus", "aesculus"), ("Œufs", "oeufs"),
      ("Sørøya", "soroya"), ("Łoś", "los"), ("Đđð", "ddd"), ("Þorskur", "thorskur"), ("ħŧı", "hti"),
      ("İ", "i"), ("Ǿǣ", "oae"), ("ﬁnch ﬄ ﬆ", "finch ffl st"), ("Ĳ ǅ", "ij dz"),
    ])
    #expect(mismatch == nil)
  }

  @Test func makesTheHybridSignAWordOfItsOwn() {
    let mismatch = Self.firstMismatch([
      ("Mentha × piperita", "mentha x piperita"), ("Mentha ×piperita", "mentha x piperita"),
      ("Mentha× piperita", "mentha x piperita"), ("Mentha×piperita", "mentha x piperita"),
      ("×Cupressocyparis", "x cupressocyparis"), ("10×", "10 x"), ("×", "x"), ("××", "x x"),
      ("Mentha\u{A0}✕piperita", "mentha x piperita"), ("Xanthium", "xanthium"),
      ("Mentha xpiperita", "mentha xpiperita"), ("a×\u{301}b", "a x \u{301}b"),
    ])
    #expect(mismatch == nil)
  }

  @Test func givesDashesAndQuotesOneForm() {
    let mismatch = Self.firstMismatch([
      ("✕ ✖", "x x"), ("‐‑‒–—―−－", "--------"),
      ("‘’“”„«»‹›′″`´\"ʻʼ", "''''''''''''''''"), ("snake_case", "snake case"),
    ])
    #expect(mismatch == nil)
  }

  @Test func collapsesSpacesAndDropsThoseAtTheEnds() {
    let mismatch = Self.firstMismatch([
      ("  a   b  ", "a b"), ("\ta\r\nb\u{85}c", "a b c"), ("a\u{A0}b\u{3000}c\u{2028}d", "a b c d"),
      ("__a__", "a"), (" ", ""), ("\u{0}", ""),
    ])
    #expect(mismatch == nil)
  }

  @Test func decomposesHangulAndFullWidthForms() {
    let mismatch = Self.firstMismatch([
      ("각", "\u{1100}\u{1161}\u{11A8}"), ("가", "\u{1100}\u{1161}"),
      ("힣", "\u{1112}\u{1175}\u{11C2}"),
      ("가\u{11A8}", "\u{1100}\u{1161}\u{11A8}"), ("Ｐａｎ１", "pan1"), ("①Ⅷ№", "1viiino"),
    ])
    #expect(mismatch == nil)
  }

  @Test func dropsFormatCharactersAndVariationSelectors() {
    let mismatch = Self.firstMismatch([
      ("a\u{200B}b\u{200D}c\u{AD}d\u{FEFF}e", "abcde"), ("\u{200F}שלום\u{200E}", "שלום"),
      ("葛\u{FE00}葛\u{E0100}", "葛葛"), ("a\u{2060}\u{301}b", "ab"), ("\u{200B}", ""),
      ("🏴\u{E0067}\u{E007F}", "🏴"),
    ])
    #expect(mismatch == nil)
  }

  @Test func keepsMarksThatFollowNoLetter() {
    let mismatch = Self.firstMismatch([
      ("\u{301}", "\u{301}"), ("\u{301} a", "\u{301} a"), ("a \u{301}b", "a \u{301}b"),
      ("¨", "\u{308}"), ("a¨b", "a \u{308}b"), ("-\u{301}", "-\u{301}"),
    ])
    #expect(mismatch == nil)
  }

  @Test func equalsTheVectors() throws {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Format/vectors/v2/folding.tsv")
    let text = String(decoding: try Data(contentsOf: path), as: UTF8.self)
    var cases: [(String, String)] = []
    // By scalars: a line may begin with a combining mark.
    for line in text.unicodeScalars.split(separator: "\n") {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      try #require(fields.count == 2)
      cases.append((String(fields[0]), String(fields[1])))
    }
    #expect(cases.count >= 150)
    let mismatch = Self.firstMismatch(cases + cases.map { ($0.1, $0.1) })
    #expect(mismatch == nil)
  }

  @Test func isIdempotentForEveryScalar() {
    var mismatches = Mismatches()
    for scalar in Self.assignedScalars {
      for text in [String(scalar), "a" + String(scalar), "क" + String(scalar) + "\u{323}b"] {
        let once = Folder.fold(text)
        mismatches.require(
          Folder.fold(once).utf8.elementsEqual(once.utf8), "\(scalar.escaped(asASCII: true))")
      }
    }
    let first = mismatches.first
    #expect(first == nil)
  }

  @Test func leavesNoCapitalNorDoubleSpace() {
    var mismatches = Mismatches()
    for scalar in Self.assignedScalars {
      let folded = Folder.fold("a" + String(scalar) + "b")
      let bytes = Array(folded.utf8)
      let isClean =
        bytes.first == UInt8(ascii: "a") && bytes.last == UInt8(ascii: "b")
        && !bytes.contains { $0 < 32 || $0 == 127 || (65...90).contains($0) }
        && !folded.contains("  ")
      mismatches.require(isClean, "\(scalar.escaped(asASCII: true)) gives \(folded)")
    }
    let first = mismatches.first
    #expect(first == nil)
  }

  @Test func composedAndDecomposedTextsFoldAlike() {
    var mismatches = Mismatches()
    for scalar in Self.assignedScalars {
      // Later versions of Unicode, which the platform may have, decompose more.
      guard let age = scalar.properties.age, age.major <= 14 else { continue }
      for text in [String(scalar), "a" + String(scalar) + "z"] {
        let folded = Folder.fold(text)
        for form in [
          text.decomposedStringWithCanonicalMapping, text.precomposedStringWithCanonicalMapping,
        ] {
          mismatches.require(
            Folder.fold(form).utf8.elementsEqual(folded.utf8), "\(scalar.escaped(asASCII: true))")
        }
      }
    }
    let first = mismatches.first
    #expect(first == nil)
  }

  /// Several names folded by one folder, which keeps its buffers, give what a new one gives.
  @Test func aFolderForgetsTheNameBefore() {
    var folder = Folder()
    var output: [UInt8] = []
    var mismatches = Mismatches()
    let texts = ["a", "\u{301}", "a ", "b", "क\u{323}", " \u{301}", "", "क\u{301}", "z", "\u{323}"]
    for first in texts {
      for second in texts {
        folder.fold(first, into: &output)
        folder.fold(second, into: &output)
        mismatches.compare(output, Array(Folder.fold(second).utf8), "\(first), \(second)")
      }
    }
    let first = mismatches.first
    #expect(first == nil)
  }

  private static var assignedScalars: [Unicode.Scalar] {
    (0...0x1FFFF).compactMap { Unicode.Scalar(UInt32($0)) }
      .filter { $0.properties.generalCategory != .unassigned }
  }
}

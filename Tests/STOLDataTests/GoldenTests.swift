import Foundation
import STOLData
import TestSupport
import Testing

@testable import STOLPack

/// Golden tests: the vectors of the format.
struct GoldenTests {
  @Test(arguments: Vectors.names)
  func writesVectorByteForByte(name: String) throws {
    let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).stolpack"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let database = Vectors.folder.appendingPathComponent("valid/\(name).sqlite").path
    _ = try PackCompiler(path: database).compile(to: path)
    let written = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    let isSame = written == (try Vectors.bytes("valid/\(name).stolpack"))
    #expect(isSame, "valid/\(name).stolpack is not what the writer makes")
  }

  /// The dump was made by the reader in Python, from the specification alone.
  @Test(arguments: Vectors.names)
  func readsVectorAsIndependentReaderDoes(name: String) throws {
    let pack = try Pack(PackBytes(copying: Vectors.bytes("valid/\(name).stolpack")))
    try pack.verify()
    let expected = try Vectors.lines("valid/\(name).jsonl")
    let got = Dump.lines(of: pack)
    #expect(got.count == expected.count)
    for (line, other) in zip(got, expected) where line != other {
      Issue.record("\(name): got \(line), expected \(other)")
    }
  }

  @Test func reportsEveryDamageOfTheVectors() throws {
    let cases = try DamageCase.all()
    #expect(cases.count >= 72)
    for damage in cases {
      let bytes = PackBytes(copying: try damage.bytes())
      let reporter: String
      if let pack = try? Pack(bytes) {
        do {
          try pack.verify()
          reporter = "never"
        } catch {
          reporter = "verify"
        }
      } else {
        reporter = "open"
      }
      #expect(reporter == damage.reporter, "\(damage.name)")
    }
  }
}

/// The dump of Tools/read-pack, from this reader.
private enum Dump {
  static func lines(of pack: Pack) -> [String] {
    let view = pack.view
    var lines = [header(pack, view)]
    for index in 0..<view.taxonCount { lines.append(taxon(TaxonOrdinal(index), view)) }
    let merged = view.ids.mergedPairs.map { "[\($0.0.rawValue),\($0.1.rawValue)]" }
    let deleted = view.ids.deletedIDs.map { String($0.rawValue) }
    lines.append(
      "{\"merged\":[\(merged.joined(separator: ","))],\"deleted\":[\(deleted.joined(separator: ","))]}"
    )
    for word in 0..<view.names.vocabulary.count {
      let names = view.postings.rows(of: word).map { String(view.postings[$0].rawValue) }
      lines.append(
        "{\"word\":\(quoted(view.names.vocabulary.string(word))),\"names\":[\(names.joined(separator: ","))]}"
      )
    }
    return lines
  }

  private static func header(_ pack: Pack, _ view: borrowing PackView) -> String {
    let header = pack.header
    let facts = view.dataset.all.map { "\(quoted($0.key)):\(quoted($0.value))" }
    let source = header.source
    return "{\"pack\":{\"major\":1,\"minor\":0,\"taxa\":\(header.taxonCount),"
      + "\"further\":\(header.nameCount),\"words\":\(header.wordCount),"
      + "\"phrases\":\(header.phraseCount),\"source\":{\"length\":\(source.byteCount),"
      + "\"crc\":\(source.checksum),\"stamp\":\(source.stamp)},\"schema\":\(header.schemaVersion),"
      + "\"dataset\":{\(facts.joined(separator: ","))},\"ranks\":\(list(view.taxa.ranks.all.map(\.rawValue))),"
      + "\"statuses\":\(list(view.taxa.statuses.all)),"
      + "\"conservation\":\(list(view.taxa.conservationCodes.all)),"
      + "\"languages\":\(list(view.names.languages.all))}}"
  }

  private static func taxon(_ ordinal: TaxonOrdinal, _ view: borrowing PackView) -> String {
    let taxon = view.taxon(ordinal)
    let names = view.furtherNames(of: ordinal).map { name in
      "{\"name\":\(quoted(name.name)),\"type\":\"\(name.nameType.rawValue)\","
        + "\"lang\":\(quoted(name.language)),\"preferred\":\(name.isPreferred)}"
    }
    let traits = view.traitList(of: ordinal).map { trait in
      "{\"key\":\(quoted(trait.key)),\"value\":\(quoted(trait.value)),"
        + "\"unit\":\(trait.unit.map(quoted) ?? "null")}"
    }
    return "{\"ordinal\":\(ordinal.rawValue),\"id\":\(taxon.id.rawValue),"
      + "\"parent\":\(taxon.parentID.map { String($0.rawValue) } ?? "null"),"
      + "\"depth\":\(view.tree.depth(of: ordinal)),\"rank\":\(quoted(taxon.rank.rawValue)),"
      + "\"status\":\(quoted(taxon.status.rawValue)),"
      + "\"conservation\":\(taxon.conservationStatus.map(quoted) ?? "null"),"
      + "\"year\":\(taxon.year.map { String($0) } ?? "null"),"
      + "\"author\":\(taxon.author.map(quoted) ?? "null"),"
      + "\"known\":\(view.taxa.hasCommonName(ordinal)),"
      + "\"scientificName\":\(quoted(taxon.scientificName)),"
      + "\"names\":[\(names.joined(separator: ","))],\"traits\":[\(traits.joined(separator: ","))]}"
  }

  private static func list(_ strings: [String]) -> String {
    "[" + strings.map(quoted).joined(separator: ",") + "]"
  }

  /// The vectors hold no control characters.
  private static func quoted(_ text: String) -> String {
    let escaped = text.replacingOccurrences(of: "\\", with: "\\\\")
      .replacingOccurrences(of: "\"", with: "\\\"")
    return "\"\(escaped)\""
  }
}

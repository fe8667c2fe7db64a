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
    let merged = view.ids.mergedPairs.map { id, _ in
      switch view.ids.resolve(id) {
      case .merged(let taxon): "[\(id.rawValue),\(taxon.rawValue)]"
      case .synonym(_, let name): "[\(id.rawValue),\(name.rawValue)]"
      default: "no merged id"
      }
    }
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
    let digest = source.sha256.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
    let sources = view.sources.map { source in
      object([
        ("kind", text(source.kind)), ("name", text(source.name)),
        ("release", text(source.release)), ("licence", text(source.licence)),
        ("citation", text(source.citation)), ("url", text(source.url)),
      ])
    }
    let ranks = (0..<view.taxa.ranks.count).map { number in
      let row = RankRow(number)
      let place = view.taxa.ranks.place(of: row).map { String($0 + 1) }
      let main = view.taxa.ranks.mainRank(of: row).map { String($0.rawValue + 1) }
      return object([
        ("rank", quoted(view.taxa.ranks[row].rawValue)), ("place", place ?? "null"),
        ("main", main ?? "null"),
      ])
    }
    let pack = object([
      ("major", "2"), ("minor", "0"), ("taxa", "\(header.taxonCount)"),
      ("further", "\(header.nameCount)"), ("words", "\(header.wordCount)"),
      ("phrases", "\(header.phraseCount)"),
      (
        "source",
        object([
          ("length", "\(source.byteCount)"), ("crc", "\(source.checksum)"),
          ("stamp", "\(source.stamp)"), ("sha256", quoted(digest.joined())),
        ])
      ), ("impliedRoot", "\(header.hasImpliedRoot)"), ("textIDs", "\(header.hasTextIDs)"),
      ("schema", "\(header.schemaVersion)"), ("dataset", "{\(facts.joined(separator: ","))}"),
      ("sources", "[\(sources.joined(separator: ","))]"),
      ("ranks", "[\(ranks.joined(separator: ","))]"), ("statuses", list(view.taxa.statuses.all)),
      ("conservation", list(view.taxa.conservationCodes.all)),
      ("languages", list(view.names.languages.all)),
    ])
    return object([("pack", pack)])
  }

  private static func taxon(_ ordinal: TaxonOrdinal, _ view: borrowing PackView) -> String {
    let taxon = view.taxon(ordinal)
    let names = view.names.furtherNames(of: ordinal).map { name in
      object([
        ("name", quoted(view.names.text(of: name))),
        ("type", quoted(view.names.type(of: name).rawValue)),
        ("lang", quoted(view.names.languages[view.names.language(of: name)])),
        ("preferred", "\(view.names.isPreferred(name))"),
        ("source", number(view.names.source(of: name))), ("record", record(of: name, view)),
      ])
    }
    let traits = zip(view.traitList(of: ordinal), view.traits.sources(of: ordinal)).map {
      object([
        ("key", quoted($0.key)), ("value", quoted($0.value)), ("unit", text($0.unit)),
        ("source", number($1)),
      ])
    }
    let id = taxon.sourceID.map { view.ids.areTexts ? quoted($0) : $0 }
    return object([
      ("ordinal", "\(ordinal.rawValue)"), ("id", id ?? "null"), ("key", "\(taxon.id.rawValue)"),
      ("parent", view.tree.parent(of: ordinal).map { "\($0.rawValue)" } ?? "null"),
      ("depth", "\(view.tree.depth(of: ordinal))"),
      ("mainDepth", "\(view.tree.mainDepth(of: ordinal))"), ("rank", quoted(taxon.rank.rawValue)),
      ("status", quoted(taxon.status.rawValue)), ("conservation", text(taxon.conservationStatus)),
      ("year", taxon.year.map { String($0) } ?? "null"), ("author", text(taxon.author)),
      ("code", text(taxon.code)), ("source", number(view.taxa.source(of: ordinal))),
      ("known", "\(view.taxa.hasCommonName(ordinal))"),
      ("prominence", "\(view.taxa.prominence(of: ordinal))"),
      ("scientificName", quoted(taxon.scientificName)),
      ("record", record(of: NameOrdinal(rawValue: ordinal.rawValue), view)),
      ("names", "[\(names.joined(separator: ","))]"),
      ("traits", "[\(traits.joined(separator: ","))]"),
    ])
  }

  private static func record(of name: NameOrdinal, _ view: borrowing PackView) -> String {
    guard view.names.records.ownIDs.row(of: name.index) != nil else { return "null" }
    let record = view.names.record(of: name)
    return object([
      ("author", text(record.authorship)), ("year", record.year.map { String($0) } ?? "null"),
      ("rank", text(record.rank?.rawValue)), ("status", text(record.status?.rawValue)),
      ("words", text(record.statusText)), ("code", text(record.code)),
      ("sensu", text(record.sensu)), ("id", text(record.sourceID)),
    ])
  }

  private static func object(_ members: [(String, String)]) -> String {
    "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
  }

  private static func text(_ text: String?) -> String { text.map(quoted) ?? "null" }

  private static func number(_ number: Int) -> String { number > 0 ? String(number) : "null" }

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

import STOLPack
import TestSupport
import Testing

@testable import STOLIngest

/// Sources that are large in one way; `Tools/tests/steps_test.py` counts what their rows cost.
@Suite("Large sources", .serialized)
struct LargeSourceTests {
  enum Shape: CaseIterable {
    /// Each row is below the one before, the last one first in the file or last.
    case chainDown, chainUp
    /// The same, of a rank that has no place.
    case cladeChain
    /// The same, and each row has columns.
    case chainWithColumns
    /// Each row is a synonym of the one before.
    case synonymChain
    /// All rows are synonyms of one.
    case manySynonyms
    /// Each synonym is one of all rows before, as far as they fit.
    case manyAccepted
    /// All rows have one name, and name it as that of their parents, with other authors.
    case oneNameByName
    /// Each row names a parent with authors of its own, all of one name.
    case oneNameWithManyAuthors
    /// Genera of one name, and species with columns that name it.
    case oneNameInColumns
    /// All rows have one id.
    case oneID

    func row(_ number: Int, of count: Int) -> SmallSource.Row {
      var row = SmallSource.Row(id: "\(number + 1)", name: "Nomen", rank: "genus")
      row.name += "abcdefghij".dropFirst(number % 10).prefix(1)
      let before = number == 0 ? "" : "\(number)"
      switch self {
      case .chainDown: row.parentID = before
      case .chainUp: row.parentID = number + 1 == count ? "" : "\(number + 2)"
      case .cladeChain:
        row.parentID = before
        row.rank = number == 0 ? "family" : "clade"
      case .chainWithColumns:
        row.parentID = before
        row.classification = [(.kingdom, "Regnum"), (.family, "Familia")]
        row.rank = number == 0 ? "genus" : "clade"
      case .synonymChain: row.acceptedIDs = number == 0 ? [] : [before]
      case .manySynonyms: row.acceptedIDs = number == 0 ? [] : ["1"]
      case .manyAccepted: row.acceptedIDs = (max(1, number - 20)..<max(1, number)).map { "\($0)" }
      case .oneNameByName:
        row.name = "Nomen"
        row.authorship = number.isMultiple(of: 2) ? "Smith" : "Miller"
        row.parentName = number.isMultiple(of: 2) ? "Nomen Miller" : "Nomen Smith"
      case .oneNameWithManyAuthors: row.parentName = "Nomen " + Self.author(number)
      case .oneNameInColumns:
        row.name = number.isMultiple(of: 2) ? "Nomen" : "Nomen novum"
        row.rank = number.isMultiple(of: 2) ? "genus" : "species"
        row.classification = number.isMultiple(of: 2) ? [] : [(.genus, "Nomen")]
      case .oneID: row.id = "1"
      }
      return row
    }

    private static func author(_ number: Int) -> String {
      "A"
        + String(number).map { String("abcdefghij".dropFirst(Int("\($0)") ?? 0).prefix(1)) }
        .joined()
    }
  }

  @Test(arguments: Shape.allCases, [1000, 10_000, 100_000])
  func everyRowHasAFate(_ shape: Shape, count: Int) throws {
    let folder = try TemporaryFolder()
    let source = SmallSource((0..<count).map { shape.row($0, of: count) })
    let intake = try source.intake(beside: folder("large.sqlite"))
    let resolution = try Resolver.resolve(intake)
    let writer = try TaxonomyWriter(
      path: folder("large.sqlite"), schemaVersion: 3, onStep: { _, _ in }, isCancelled: { false })
    _ = try writer.writeUsages(intake, resolution)
    try writer.writeSources(
      [IngestReport.Source(IngestSource(kind: .dwca, path: "rows"), intake)], idSpace: nil)
    resolution.count(into: intake)
    if count < 20_000 {
      let faults = try writer.write { try SoundDatabase.faults($0) }
      #expect(faults.isEmpty)
    }
    #expect(intake.account.files[0].outcomes.values.reduce(0, +) == count)
  }
}

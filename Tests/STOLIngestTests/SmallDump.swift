import Foundation
import GRDB
import STOLIngest
import TestSupport

/// A dump of NCBI's form, small enough to know by heart, with what real ones have.
enum SmallDump {
  static let nodes = [
    "1\t1\tno rank", "2759\t131567\tsuperkingdom", "131567\t1\tno rank", "33208\t2759\tkingdom",
    "9681\t33208\tfamily", "338152\t9681\tsubfamily", "9688\t338152\tgenus", "9689\t9688\tspecies",
    "83386\t9689\tsubspecies", "4565\t33090\tspecies", "33090\t2759\tkingdom",
  ]
  static let names = [
    "1\troot\t\tscientific name", "2759\tEukaryota\t\tscientific name",
    "2759\teukaryotes\t\tblast name", "131567\tcellular organisms\t\tscientific name",
    "33208\tMetazoa\t\tscientific name", "9681\tFelidae\t\tscientific name",
    "9681\tcat family\t\tgenbank common name", "338152\tPantherinae\t\tscientific name",
    "9688\tPanthera\t\tscientific name", "9688\tPanthera Oken, 1816\t\tauthority",
    "9689\tFelis leo Linnaeus, 1758\t\tsynonym", "9689\tPanthera leo\t\tscientific name",
    "9689\tPanthera leo (Linnaeus, 1758)\t\tauthority", "9689\tlion\t\tgenbank common name",
    "9689\tAfrican lion\t\tcommon name", "9689\tpersonal::holotype\t\ttype material",
    "83386\tPanthera leo persica\t\tscientific name", "83386\tAsiatic lion\t\tcommon name",
    "4565\tTriticum aestivum\t\tscientific name", "4565\tbread wheat\t\tcommon name",
    "33090\tViridiplantae\t\tscientific name",
  ]
  static let merged = ["77\t9689", "78\t83386", "79\t999"]
  static let deleted = ["80", "81"]

  /// Writes the dump into a folder and gives its path.
  static func write(
    in folder: TemporaryFolder, nodes: [String] = nodes, names: [String] = names,
    merged: [String] = merged, deleted: [String] = deleted
  ) throws -> String {
    let path = folder("dump")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for (name, rows) in [
      ("nodes", nodes), ("names", names), ("merged", merged), ("delnodes", deleted),
    ] {
      let text = rows.map { $0.replacing("\t", with: "\t|\t") + "\t|\n" }.joined()
      try text.write(toFile: "\(path)/\(name).dmp", atomically: false, encoding: .utf8)
    }
    return path
  }
}

/// What a query over a database gives, a line a row.
func rows(_ path: String, _ sql: String) throws -> [String] {
  var configuration = Configuration()
  configuration.readonly = true
  return try DatabaseQueue(path: path, configuration: configuration).read { database in
    try Row.fetchAll(database, sql: sql).map { row in
      row.databaseValues.map { value in
        switch value.storage {
        case .null: "-"
        case .int64(let number): "\(number)"
        case .double(let number): "\(number)"
        case .string(let text): text
        case .blob(let bytes): "\(bytes.count) bytes"
        }
      }.joined(separator: "|")
    }
  }
}

extension IngestReport.Source {
  /// Files whose outcomes do not add up to their rows.
  var unaccounted: [String] {
    files.filter { $0.outcomes.values.reduce(0, +) != $0.rows }.map(\.name)
  }
}

import Foundation
import STOLFormats
import STOLNames

/// Reads answers of Open Tree's services, version 3: taxonomy/taxon_info with its children and lineage,
/// taxonomy/subtree, tree_of_life/subtree as Newick or arguson, tree_of_life/node_info.
///
/// Every taxon that an answer names counts as a row; what several rows say of one is put together, and
/// those after the first are `.joined`. A taxon is below the one that encloses it, or below the next of
/// its lineage. Newick states no ranks: two words are a species, its genus the one word before, and the
/// endings -idae, -aceae, -ales and -formes mean families and orders.
final class OpenTreeAnswers {
  /// As much as the services answer; an object of JSON takes up to 45 times its length in memory.
  private static let byteLimit = 24 << 20

  /// What all answers say of one taxon.
  struct Taxon {
    var id: Int64
    var name = ""
    var parent: Int64?
    var rank = ""
    var flags: [String] = []
    var synonyms: [String] = []
    var file = 0
  }

  private let files: SourceFiles
  private let intake: Intake
  private var taxa: [Taxon] = []
  private var places: [Int64: Int] = [:]
  /// How many rows each file has.
  private var rowCounts: [Int] = []

  init(_ files: SourceFiles, _ intake: Intake) {
    self.files = files
    self.intake = intake
  }

  /// Whether there is a file that an answer can be: one with ids of Open Tree in it.
  static func isPresent(in files: SourceFiles) throws -> Bool {
    for name in files.names where isAnswer(name) {
      let head = String(decoding: try files.head(of: name), as: UTF8.self)
      let signs = name.lowercased().hasSuffix(".json") ? ["\"ott_id\"", "\"newick\""] : ["ott"]
      if signs.contains(where: head.contains) { return true }
    }
    return false
  }

  /// Whether a file is called as answers are.
  static func isAnswer(_ name: String) -> Bool {
    let lower = name.lowercased()
    return [".json", ".tre", ".nwk", ".newick"].contains(where: lower.hasSuffix)
  }

  func read() throws {
    intake.metadata = OpenTreeReader.metadata
    let names = files.names.filter(Self.isAnswer)
    for name in names {
      rowCounts.append(0)
      let bytes = try files.contents(of: name, limit: Self.byteLimit)
      if name.lowercased().hasSuffix(".json") {
        try readJSON(bytes, name)
      } else {
        readTree(bytes)
      }
    }
    for (file, name) in names.enumerated() {
      intake.account.begin(name)
      for _ in 0..<rowCounts[file] { try intake.countRow() }
      var rowCount = rowCounts[file]
      for taxon in taxa where taxon.file == file {
        rowCount -= 1
        try add(taxon)
      }
      if rowCount > 0 { intake.account.add(.joined, count: rowCount) }
    }
  }

  private func add(_ taxon: Taxon) throws {
    var usage = SourceUsage()
    usage.id = "\(taxon.id)"
    if let parent = taxon.parent { usage.parentID = "\(parent)" }
    let hasPlace = try intake.add(
      &usage, rank: taxon.rank, name: taxon.name, OpenTreeFlags(taxon.flags),
      hasChildren: parents.contains(taxon.id), line: nil)
    guard hasPlace else { return }
    for synonym in taxon.synonyms {
      let parts = ScientificNameParser.parse(intake.clean(synonym, line: nil))
      guard !parts.canonicalName.isEmpty, parts.canonicalName != usage.name else { continue }
      try intake.add(
        .synonym(
          name: parts.canonicalName, authorship: parts.authorship, year: parts.year, rank: "",
          sensu: parts.phrase),
        of: taxon.id, isFurther: true)
    }
  }

  private lazy var parents: Set<Int64> = Set(taxa.compactMap(\.parent))

  /// Notes what one row says of a taxon; what is known already stays.
  private func note(_ stated: Taxon) {
    rowCounts[rowCounts.count - 1] += 1
    guard let place = places[stated.id] else {
      places[stated.id] = taxa.count
      var taxon = stated
      taxon.file = rowCounts.count - 1
      taxa.append(taxon)
      return
    }
    if taxa[place].name.isEmpty { taxa[place].name = stated.name }
    if taxa[place].rank.isEmpty { taxa[place].rank = stated.rank }
    if taxa[place].parent == nil { taxa[place].parent = stated.parent }
    if taxa[place].flags.isEmpty { taxa[place].flags = stated.flags }
    if taxa[place].synonyms.isEmpty { taxa[place].synonyms = stated.synonyms }
  }

  // MARK: JSON

  private func readJSON(_ bytes: [UInt8], _ name: String) throws {
    let root: Any
    do {
      root = try JSONSerialization.jsonObject(with: Data(bytes), options: [.fragmentsAllowed])
    } catch {
      throw FormatError.unreadable(path: name, reason: "it is no JSON, or nested too deep")
    }
    // Enclosing taxa come before what they enclose.
    var waiting: [(value: Any, parent: Int64?)] = [(root, nil)]
    while let (value, parent) = waiting.popLast() {
      if let list = value as? [Any] {
        for element in list.reversed() { waiting.append((element, parent)) }
      } else if let object = value as? [String: Any] {
        let own = try read(object, below: parent)
        for key in Self.enclosing {
          if let inner = object[key] { waiting.append((inner, own ?? parent)) }
        }
      }
    }
  }

  /// Keys whose values hold further taxa.
  private static let enclosing = ["children", "arguson", "taxon_info", "mrca", "nearest_taxon"]

  /// Notes the taxon that an object is about, and its lineage.
  private func read(_ object: [String: Any], below parent: Int64?) throws -> Int64? {
    if let newick = object["newick"] as? String { readTree(Array(newick.utf8)) }
    let lineage = (object["lineage"] as? [[String: Any]] ?? []).compactMap {
      Self.taxon($0["taxon"] as? [String: Any] ?? $0)
    }
    var own = Self.taxon(object["taxon"] as? [String: Any] ?? object)
    own?.parent = parent ?? lineage.first?.id
    if let own { note(own) }
    for (index, var ancestor) in lineage.enumerated() {
      ancestor.parent = index + 1 < lineage.count ? lineage[index + 1].id : nil
      note(ancestor)
    }
    return own?.id
  }

  private static func taxon(_ object: [String: Any]) -> Taxon? {
    guard let id = (object["ott_id"] as? NSNumber)?.int64Value, id > 0 else { return nil }
    var taxon = Taxon(id: id)
    taxon.name = object["name"] as? String ?? object["unique_name"] as? String ?? ""
    taxon.rank = object["rank"] as? String ?? ""
    taxon.flags = object["flags"] as? [String] ?? []
    taxon.synonyms = object["synonyms"] as? [String] ?? []
    return taxon
  }

  // MARK: Newick

  private func readTree(_ bytes: [UInt8]) {
    let tree = OpenTreeNewick(bytes)
    for taxon in tree.taxa { note(taxon) }
  }
}

/// The rows of species of a file of UmiLog, which its sightings name.
struct UmiLogSpecies {
  private typealias Names = (common: String?, scientific: String?)

  private var known: [String: Names] = [:]
  private var used: Set<String> = []

  /// How many of them no sighting has named so far.
  var unusedCount: Int { known.count - used.count }
  var usedCount: Int { used.count }

  /// Takes a row; of one that comes again the first one holds.
  mutating func add(_ row: inout ImportObject) throws(ImportRefusal) {
    guard let id = try row.text("id") else {
      throw row.refusal("id", "", "missing", "what tells the species from others")
    }
    let names = (common: try row.text("name"), scientific: try row.text("scientific_name"))
    row.leaveTheRest()
    guard let first = known.updateValue(names, forKey: id) else { return }
    known[id] = first
    guard first != names else { return }
    let (column, value) =
      first.scientific == names.scientific
      ? ("name", names.common ?? "") : ("scientific_name", names.scientific ?? "")
    throw row.refusal(
      column, value, "is not what an earlier row says of this id", "give each species its own id")
  }

  /// What a sighting was taken for; nil where no row has the id and a name.
  ///
  /// The name is the scientific one, which can be looked up; a common one beside it stays as the remark.
  mutating func identification(_ key: String, of sighting: JournalID) -> Identification? {
    guard let names = known[key], let name = names.scientific ?? names.common else { return nil }
    used.insert(key)
    let common = names.scientific == names.common ? nil : names.common
    let beside = names.scientific == nil ? nil : common
    var identification = Identification(
      id: Self.id(of: sighting, name, beside), occurrence: sighting, verbatimName: name)
    identification.remarks = beside
    return identification
  }

  /// The common name that stood beside the scientific one in the row that an identification is from: its UUID is made
  /// of both, so that no other remark is taken for one.
  static func commonName(of identification: Identification) -> String? {
    guard let remarks = identification.remarks else { return nil }
    let texts = [remarks, ImportNames.withoutRemark(remarks)].compactMap { $0 }
    return texts.first {
      identification.id == id(of: identification.occurrence, identification.verbatimName, $0)
    }
  }

  private static func id(of sighting: JournalID, _ name: String, _ common: String?) -> JournalID {
    sighting.derived(
      "identification\n" + ([name, common].compactMap { $0 }).joined(separator: "\n"))
  }
}

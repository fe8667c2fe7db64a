import GRDB
import STOLData

/// What a file says otherwise than the journal, or an earlier row, has it; that stays.
struct ImportDifference {
  let flag: ImportFlag
  /// Whether it is but a position nearby, as each measurement has another one.
  let isSlight: Bool

  /// What becomes of it.
  enum Remedy: String {
    case update = "--update takes what the file says"
    case firstHolds = "what was said first holds"
    case needsOwnID = "another one needs a UUID of its own"
  }

  /// What a record says otherwise than what is there, a member at a time.
  ///
  /// - Parameters:
  ///   - record: what it would be.
  ///   - stored: what is there.
  ///   - remedy: what becomes of it.
  ///   - name: what a record is called that is referred to.
  /// - Returns: a difference for each member.
  /// - Throws: what an encoder and `name` throw.
  static func all(
    of record: JournalRecord, from stored: JournalRecord, _ remedy: Remedy,
    name: (JournalID) throws -> String? = { _ in nil }
  ) throws -> [ImportDifference] {
    var found: [ImportDifference] = []
    func compare(_ path: String, _ new: ArraySlice<UInt8>?, _ old: ArraySlice<UInt8>?) throws {
      guard new != old else { return }
      if path == "position", let position = record.position {
        found.append(
          ImportDifference(
            "\(record.kind.rawValue).\(path)", position, from: stored.position, remedy))
        return
      }
      if let inNew = try new.flatMap({ try JournalLines.members(of: $0) }),
        let inOld = try old.flatMap({ try JournalLines.members(of: $0) })
      {
        for name in Set(inNew.keys).union(inOld.keys).sorted() {
          try compare("\(path).\(name)", inNew[name], inOld[name])
        }
        return
      }
      let known = try shown(old, name)
      let flag = ImportFlag(
        column: "\(record.kind.rawValue).\(path)", value: try shown(new, name),
        reason: "differs from what is there"
          + (known.isEmpty ? "" : ", '\(known)'") + ", which stays: \(remedy.rawValue)")
      found.append(ImportDifference(flag: flag, isSlight: false))
    }
    let (new, old) = (try JournalLines.members(of: record), try JournalLines.members(of: stored))
    for member in Set(new.keys).union(old.keys).sorted() {
      try compare(member, new[member], old[member])
    }
    return found
  }

  private init(flag: ImportFlag, isSlight: Bool) { (self.flag, self.isSlight) = (flag, isSlight) }

  private init(_ column: String, _ position: Position, from other: Position?, _ remedy: Remedy) {
    let value = "\(position.latitudeText), \(position.longitudeText)"
    guard let other else {
      flag = ImportFlag(
        column: column, value: value,
        reason: "is more than what is there, which stays: \(remedy.rawValue)")
      isSlight = false
      return
    }
    let distance = position.distanceM(to: other)
    let limit = max(Self.nearM, position.uncertaintyM ?? 0, other.uncertaintyM ?? 0)
    isSlight = distance <= Double(limit)
    flag = ImportFlag(
      column: column, value: value,
      reason: "lies \(Int(distance.rounded())) m from where it is, and stays there: "
        + (remedy == .update ? "--update moves it" : remedy.rawValue))
  }

  /// What a member says, as one reads it: in the place of UUIDs what they are those of.
  private static func shown(
    _ json: ArraySlice<UInt8>?, _ name: (JournalID) throws -> String?
  ) throws -> String {
    guard let json else { return "" }
    func text(_ node: JSONNode) throws -> String {
      switch node.value {
      case .text(let text): try JournalID(text).flatMap(name) ?? text
      case .list(let list): try list.map(text).joined(separator: ", ")
      case .object(let members):
        try members.map { "\($0.name) \(try text($0.node))" }.joined(separator: " ")
      default: node.shown
      }
    }
    return try text(try JSONScanner.document(Array(json)))
  }

  /// A record that belongs to an occurrence that is there, and is not there itself.
  init(new record: JournalRecord, _ remedy: Remedy) {
    isSlight = false
    flag = ImportFlag(
      column: record.kind.rawValue, value: record.shown,
      reason: "is more than what is there, which stays: \(remedy.rawValue)")
  }

  /// An organism that is another taxon than it was.
  init(_ name: String, ofOrganismThatWas other: String) {
    isSlight = false
    flag = ImportFlag(
      column: "identification", value: name,
      reason: "is said of an organism that was \(other): two of one name need a --source each")
  }

  private static let nearM = 100
}

extension JournalRecord {
  /// What it is called, where it has a name.
  fileprivate var ownName: String? {
    switch self {
    case .place(let place): place.name
    case .organism(let organism): organism.name
    case .collection(let collection): collection.name
    case .person(let person): person.name
    case .identification(let identification): identification.verbatimName
    case .photo(let photo): photo.name
    case .event, .occurrence, .note, .measure: nil
    }
  }

  /// What tells a person which one it is.
  fileprivate var shown: String {
    switch self {
    case .event(let event): event.start.text
    case .note(let note): note.text
    case .measure(let measure):
      "\(measure.type) " + (measure.number.map(String.init) ?? measure.text ?? "")
    default: ownName ?? "\(id)"
    }
  }
}

extension RowImporter {
  /// Takes out what would change what was there before, and all of a row whose occurrence was there, or is that of
  /// an earlier row; says what it was.
  func takeOut(
    of steps: inout [Step], _ shown: JournalRecord?, in records: [JournalRecord], _ row: ImportRow
  ) throws -> [ImportDifference] {
    guard !steps.isEmpty else { return [] }
    let isThere = shown?.kind == .occurrence && !steps.contains { $0.isAddition(of: shown?.id) }
    let known = isThere ? try shown.flatMap { try writer.head($0.id) } : nil
    let isRepeated = known.map { $0.id > lastID || updated.contains($0.uuid) } ?? false
    guard isRepeated || !options.updates else { return [] }
    let taken = known == nil ? steps.filter(\.isUpdate) : steps
    if known == nil {
      steps.removeAll(where: \.isUpdate)
      takeOutUnused(of: &steps, taken)
    } else {
      steps = []
    }
    let remedy = isRepeated ? ImportDifference.Remedy.firstHolds : .update
    return try taken.flatMap { step in
      switch step {
      case .add(.identification(let new)): return try differences(of: new, row, remedy)
      case .add(let record): return [ImportDifference(new: record, remedy)]
      case .update(let record, _, let before):
        return try ImportDifference.all(of: record, from: before.record, remedy) {
          try name(of: $0, in: records)
        }
      case .complete(let record, let head):
        return try ImportDifference.all(of: record, from: writer.reader.record(head), remedy) {
          try name(of: $0, in: records)
        }
      }
    }
  }

  /// Takes out new records to which nothing refers but what was taken out.
  private func takeOutUnused(of steps: inout [Step], _ taken: [Step]) {
    func references(_ steps: [Step]) -> [JournalID] {
      steps.flatMap { $0.record.references.map(\.id) }
    }
    var wanted = Set(references(taken))
    while true {
      let used = Set(references(steps))
      let unused = steps.filter { step in
        let id = step.record.id
        return step.isAddition(of: id) && wanted.contains(id) && !used.contains(id)
      }
      guard !unused.isEmpty else { return }
      wanted.formUnion(references(unused))
      let ids = Set(unused.map(\.record.id))
      steps.removeAll { ids.contains($0.record.id) }
    }
  }

  /// What an identification says otherwise than the one that holds of an occurrence that is there.
  private func differences(
    of new: Identification, _ row: ImportRow, _ remedy: ImportDifference.Remedy
  ) throws -> [ImportDifference] {
    guard let owner = try writer.head(new.occurrence),
      let last = try lastIdentification(of: owner.id)
    else { return [ImportDifference(new: .identification(new), remedy)] }
    var merged = new
    merged.id = last.id
    // What is looked up is not what the file says.
    if !row.keepsNames { (merged.taxon, merged.match) = (last.taxon, last.match) }
    merged.qualifier = new.qualifier ?? last.qualifier
    merged.cultivar = new.cultivar ?? last.cultivar
    merged.rootstock = new.rootstock ?? last.rootstock
    merged.date = new.date ?? last.date
    merged.remarks = new.remarks ?? last.remarks
    return try ImportDifference.all(
      of: .identification(merged), from: .identification(last), remedy)
  }

  /// The identification of an occurrence that holds.
  func lastIdentification(of occurrence: Int64) throws -> Identification? {
    guard
      let last = try Int64.fetchOne(
        writer.database.cachedStatement(
          sql: "SELECT max(id) FROM identification WHERE occurrence_id = ?"),
        arguments: [occurrence]),
      case .identification(let known) = try writer.reader.record(try writer.reader.head(last))
    else { return nil }
    return known
  }

  /// What a record is called that a row refers to.
  func name(of id: JournalID, in records: [JournalRecord]) throws -> String? {
    if let record = records.first(where: { $0.id == id }) { return record.ownName }
    return try writer.head(id).flatMap { try writer.reader.record($0).ownName }
  }

  /// Identifications of organisms that were there, and of another taxon.
  func otherTaxa(in records: [JournalRecord], _ steps: [Step]) throws -> [ImportDifference] {
    var found: [ImportDifference] = []
    for case .add(.occurrence(let occurrence)) in steps {
      guard let organism = occurrence.organism, let head = try writer.head(organism),
        head.id <= lastID
      else { continue }
      for case .add(.identification(let identification)) in steps {
        guard identification.occurrence == occurrence.id, let taxon = identification.taxon,
          let row = try Row.fetchOne(
            writer.database.cachedStatement(
              sql: """
                SELECT t.id_space, t.id_text, t.name FROM occurrence o
                  JOIN sighting s ON s.occurrence_id = o.id JOIN taxon_ref t ON t.id = s.taxon_ref_id
                WHERE o.organism_id = ? AND o.id <= ? ORDER BY o.id DESC LIMIT 1
                """), arguments: [head.id, lastID])
        else { continue }
        let (space, id) = (try row.value("id_space") as String, try row.value("id_text") as String)
        let name = try row.value("name") as String
        // A genus that became one of its species is none.
        let isPart = name.hasPrefix(taxon.name + " ") || taxon.name.hasPrefix(name + " ")
        if (space, id) != (taxon.idSpace ?? "", taxon.id), !isPart {
          found.append(ImportDifference(identification.verbatimName, ofOrganismThatWas: name))
        }
      }
    }
    return found
  }
}

import GRDB
import STOLData

/// What a file says otherwise than the journal, or an earlier row, has it; that stays.
struct ImportDifference {
  let flag: ImportFlag
  /// Whether it is but a position nearby, as each measurement has another one.
  let isSlight: Bool

  /// A record that differs from what is there.
  ///
  /// - Parameters:
  ///   - record: what it would be.
  ///   - stored: what is there.
  ///   - isUpdatable: whether it may become what the file says.
  /// - Throws: what an encoder throws.
  init(_ record: JournalRecord, from stored: JournalRecord, isUpdatable: Bool) throws {
    let (new, old) = (try JournalLines.members(of: record), try JournalLines.members(of: stored))
    let names = Set(new.keys).union(old.keys).filter { new[$0] != old[$0] }.sorted()
    let column = names.map { "\(record.kind.rawValue).\($0)" }.joined(separator: ", ")
    if names == ["position"], let position = record.position, let other = stored.position {
      let distance = position.distanceM(to: other)
      let limit = max(Self.nearM, position.uncertaintyM ?? 0, other.uncertaintyM ?? 0)
      isSlight = distance <= Double(limit)
      flag = ImportFlag(
        column: column, value: "\(record.id)",
        reason: "lies \(Int(distance.rounded())) m from where it is, and stays there"
          + (isUpdatable ? ": --update moves it" : ""))
      return
    }
    isSlight = false
    let remedy =
      isUpdatable
      ? ": --update takes what the file says"
      : record.kind == .identification
        ? ": another one needs a UUID of its own" : ": what was said first holds"
    flag = ImportFlag(
      column: column, value: "\(record.id)",
      reason: "differs from what is there, which stays" + remedy)
  }

  /// A record that belongs to an occurrence that is there, and is not there itself.
  init(new record: JournalRecord) {
    isSlight = false
    flag = ImportFlag(
      column: record.kind.rawValue, value: "\(record.id)",
      reason: "is more than what is there, which stays: --update takes what the file says")
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

extension RowImporter {
  /// Identifications of organisms that were there, and of another taxon.
  func otherTaxa(in records: [JournalRecord], _ steps: [Step]) throws -> [ImportDifference] {
    var found: [ImportDifference] = []
    for case .add(.occurrence(let occurrence)) in steps {
      guard let organism = occurrence.organism, let head = try writer.reader.head(organism),
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

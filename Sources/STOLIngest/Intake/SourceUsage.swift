package import STOLPack
package import STOLNames

/// What one row of a source says about one name.
///
/// Texts are as their `Normalising` functions return them; empty where a row says nothing.
package struct SourceUsage {
  /// The source's own id.
  package var id = ""
  /// The scientific name without authorship.
  package var name = ""
  /// The authorship.
  package var authorship = ""
  /// The year of description.
  package var year: Int?
  /// The rank; nil where the row states none.
  package var rank: SourceRank?
  /// What the row says it is; nil where it says nothing.
  package var status: TaxonomicStatus?
  /// The id of the parent.
  package var parentID = ""
  /// The name of the parent, with or without authorship, for rows without its id, or with one that
  /// is not there.
  package var parentName = ""
  /// The ids of the accepted taxa; several for a synonym pro parte.
  package var acceptedIDs: [String] = []
  /// The text that `acceptedIDs` are parts of; if it is itself an id, the parts do not count.
  package var undividedAcceptedID = ""
  /// The name of the accepted taxon, for rows without its id, or with one that is not there.
  package var acceptedName = ""
  /// The names of higher taxa by rank, in columns of the row, the highest first.
  package var classification: [(rank: MainRank, name: String)] = []
  /// The IUCN code.
  package var conservation: String?
  /// The number of the line in its file, for messages.
  package var line = 0

  package init() {}
  /// Writes what `init(_:)` reads: all but rank, status, line and undivided id, which the columns of a
  /// `UsageTable` and the account stand for.
  func write(to record: inout RecordBuilder) {
    record.add(name)
    record.add(authorship)
    writeFurther(to: &record)
  }

  /// Writes the same with a name and an authorship that are in UTF-8 already, in place of its own.
  func write(name: Span<UInt8>, authorship: Span<UInt8>, to record: inout RecordBuilder) {
    record.add(name)
    record.add(authorship)
    writeFurther(to: &record)
  }

  private func writeFurther(to record: inout RecordBuilder) {
    record.add(year: year)
    record.add(id)
    record.add(conservation ?? "")
    record.add(parentID)
    record.add(parentName)
    record.add(acceptedName)
    record.add(acceptedIDs.count)
    for accepted in acceptedIDs { record.add(accepted) }
    record.add(classification.count)
    for entry in classification {
      record.add(entry.rank.rawValue)
      record.add(entry.name)
    }
  }

  init(_ record: inout RecordReader) {
    name = record.text()
    authorship = record.text()
    year = record.year()
    id = record.text()
    let conservation = record.text()
    if !conservation.isEmpty { self.conservation = conservation }
    parentID = record.text()
    parentName = record.text()
    acceptedName = record.text()
    for _ in 0..<record.number() { acceptedIDs.append(record.text()) }
    for _ in 0..<record.number() {
      let rank = MainRank(rawValue: record.number()) ?? .species
      classification.append((rank, record.text()))
    }
  }
}

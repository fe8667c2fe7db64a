/// What is known of one name, in numbers of `SharedTexts`; 0 for nothing.
struct StoredRecord {
  var author: UInt32 = 0
  var year = EncodedSection.noYear
  /// The number of the rank plus one.
  var rank: UInt32 = 0
  var status: UInt32 = 0
  var words: UInt32 = 0
  var code: UInt32 = 0
  var sensu: UInt32 = 0
  /// Its own id, or "".
  var sourceID = ""

  var isEmpty: Bool {
    author | rank | status | words | code | sensu == 0 && year == EncodedSection.noYear
      && sourceID.isEmpty
  }
}

extension StoredRecord {
  /// What a row of `names` says.
  ///
  /// - Throws: `CompileError.row` for an unknown status.
  init(_ row: borrowing NameRow, _ texts: inout SharedTexts) throws(CompileError) {
    if let status = row.status, NameStatus(rawValue: status) == nil {
      throw .row(table: "names", id: row.id, reason: .unknownStatus(status))
    }
    author = SharedTexts.number(row.author, in: &texts.authors)
    year = row.year ?? EncodedSection.noYear
    if let word = row.rank, !word.isEmpty { rank = texts.ranks.intern(word) + 1 }
    status = SharedTexts.number(row.status, in: &texts.nameStatuses)
    words = SharedTexts.number(row.statusText, in: &texts.statusWords)
    code = SharedTexts.number(row.code, in: &texts.codes)
    sensu = SharedTexts.number(row.sensu, in: &texts.sensuPhrases)
    sourceID = row.sourceID ?? ""
  }
}

/// The records of names in the order of the pack: PACK.md section 7.
struct NameRecords {
  private var names: [Int] = []
  private var records: [StoredRecord] = []

  init(_ order: TreeOrder, _ taxa: TaxonTable, _ further: FurtherNames, _ rows: NameTable) {
    for (taxon, row) in order.rows.enumerated() {
      if let record = taxa.remark(Int(row)) { append(record, of: taxon) }
    }
    for (number, source) in further.sources.enumerated() {
      let record =
        switch source {
        case .name(let row): rows.record(Int(row))
        case .synonymTaxon(let row): taxa.record(ofSynonym: Int(row))
        }
      if let record { append(record, of: order.count + number) }
    }
  }

  private mutating func append(_ record: StoredRecord, of name: Int) {
    names.append(name)
    records.append(record)
  }

  /// Marks the ranks that names have.
  func markRanks(_ isUsed: inout [Bool]) {
    for record in records where record.rank > 0 { isUsed[Int(record.rank) - 1] = true }
  }

  /// Writes the records: PACK.md section 7.
  func write<Output: SectionOutput & ~Copyable>(
    _ ranks: RankRows, _ texts: SharedTexts.NewRows, to file: inout Output
  ) throws(Output.Failure) {
    try file.write(.recordName, .monotone(names))
    try file.write(.recordAuthor, .packed(records.map { texts.authors[Int($0.author)] }))
    try file.write(.recordYear, .years(records.map { $0.year }))
    try file.write(
      .recordRank,
      .packed(records.map { $0.rank == 0 ? 0 : ranks.newRows[Int($0.rank) - 1] + 1 }))
    try file.write(.recordStatus, .packed(records.map { texts.nameStatuses[Int($0.status)] }))
    try file.write(.recordWords, .packed(records.map { texts.statusWords[Int($0.words)] }))
    try file.write(.recordCode, .packed(records.map { texts.codes[Int($0.code)] }))
    try file.write(.recordSensu, .packed(records.map { texts.sensuPhrases[Int($0.sensu)] }))
    var ids = TextColumn()
    for record in records { ids.append(record.sourceID) }
    try file.write(.recordIDStarts, .monotone([0] + ids.ends))
    try file.write(.recordIDText, .plain(ids.bytes))
  }
}

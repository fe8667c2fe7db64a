internal import STOLSystem

extension PackWriter {
  /// Writes the pack to `path`, replacing a file that is there only once the new one is complete.
  ///
  /// - Throws: `CompileError` if the rows make no forest, `SystemError` if the file cannot be written;
  ///   nothing is left behind then.
  /// - Complexity: O(n log n)
  public consuming func finish(
    path: String, onStage: (Stage) -> Void = { _ in }
  ) throws -> Report {
    onStage(.ordering)
    try taxa.checkKeys()
    let order = try TreeOrder(taxa, RankFacts(texts.ranks), &warnings)
    let further = try names.ordered(by: order, taxa: taxa, &warnings)
    let traitRows = traits.ordered(by: order, &warnings)
    let retired = try RetiredIDs(
      merged: merged, deleted: deleted, taxa: taxa, names: names, order, further, &warnings)
    let records = NameRecords(order, taxa, further, names)
    let ranks = RankRows(texts.ranks, isUsed: usedRanks(records))
    let warnings = warnings.all
    if treatsWarningsAsErrors, let first = warnings.first { throw CompileError.warning(first) }

    onStage(.naming)
    let index = NameIndex(order: order, taxa: taxa, further: further, names: names)

    onStage(.writing)
    var header = Header()
    header.taxonCount = order.count
    header.nameCount = further.count
    header.wordCount = index.words.count
    header.phraseCount = index.phrases.count
    header.source = source
    header.schemaVersion = schemaVersion
    header.hasImpliedRoot = taxa.impliedRow != nil
    header.hasTextIDs = taxa.hasTextIDs
    var file = try PackFile(path: path)
    try writeTables(ranks, to: &file)
    try order.write(to: &file)
    let rows = texts.newRows
    var facts = names.countCommonNames(further, taxonCount: order.count)
    for trait in traitRows { facts[Int(trait.taxon)].traitCount += 1 }
    try taxa.write(order, ranks, rows, facts, to: &file)
    try taxa.writeIDs(order.rows, to: &file)
    try retired.write(to: &file)
    try taxa.writeSourceIDs(order.rows, to: &file)
    try index.writeNames(to: &file)
    try names.write(further, taxa, to: &file)
    try records.write(ranks, rows, to: &file)
    try index.write(further, to: &file)
    try traits.write(traitRows, to: &file)
    try file.finish(header)
    var report = Report()
    report.taxonCount = order.count
    report.rootCount = order.rootCount
    report.nameCount = further.count
    report.wordCount = index.words.count
    report.traitCount = traitRows.count
    report.warnings = warnings
    return report
  }

  /// Which ranks a taxon or a name has, by their numbers.
  private func usedRanks(_ records: NameRecords) -> [Bool] {
    var isUsed = [Bool](repeating: false, count: texts.ranks.strings.count)
    for rank in taxa.ranks { isUsed[Int(rank)] = true }
    records.markRanks(&isUsed)
    return isUsed
  }

  /// The strings that columns refer to.
  private func writeTables(_ ranks: RankRows, to file: inout PackFile) throws(SystemError) {
    let facts = dataset.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    try file.write(.dataset, .strings(facts.flatMap { [$0.key, $0.value] }))
    try file.write(.sourceFacts, .strings(sources.flatMap { $0.texts.map { $0 ?? "" } }))
    try file.write(.ranks, .strings(ranks.words))
    try file.write(.rankPlace, .packed(ranks.places))
    try file.write(.rankMain, .packed(ranks.mainRanks))
    try file.write(.statuses, .strings(Self.statuses))
    try file.write(.conservationCodes, .strings(taxa.conservationTable.strings))
    let languages = names.languageTable.strings
    try file.write(.languages, .strings(languages))
    try file.write(.languageGrammar, .packed(languages.map { Grammar.number(ofLanguage: $0) }))
    try file.write(.authors, .strings(texts.authors.sorted(keeping: 1).strings))
    try file.write(.codes, .strings(texts.codes.sorted(keeping: 1).strings))
    try file.write(.nameStatuses, .strings(texts.nameStatuses.sorted(keeping: 1).strings))
    try file.write(.statusWords, .strings(texts.statusWords.sorted(keeping: 1).strings))
    try file.write(.sensuPhrases, .strings(texts.sensuPhrases.sorted(keeping: 1).strings))
    let traitTables = traits.tables
    try file.write(.traitKeys, .strings(traitTables.keys.strings))
    try file.write(.traitValues, .strings(traitTables.values.strings))
    try file.write(.traitUnits, .strings(traitTables.units.strings))
  }
}

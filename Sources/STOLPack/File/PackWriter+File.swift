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
    let order = try TreeOrder(taxa, &warnings)
    let further = try names.ordered(by: order, taxa: taxa, &warnings)
    let traitRows = traits.ordered(by: order, &warnings)
    let retired = try RetiredIDs(merged: merged, deleted: deleted, taxa: taxa, order, &warnings)
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
    var file = try PackFile(path: path)
    try writeTables(to: &file)
    try order.write(to: &file)
    try taxa.write(order, further, to: &file)
    try retired.write(to: &file)
    try index.write(further, names, to: &file)
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

  /// The strings that columns refer to.
  private func writeTables(to file: inout PackFile) throws(SystemError) {
    let facts = dataset.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    try file.write(.dataset, .strings(facts.flatMap { [$0.key, $0.value] }))
    try file.write(.ranks, .strings(MainRank.allCases.map(\.name)))
    try file.write(.statuses, .strings(Self.statuses))
    try file.write(.conservationCodes, .strings(taxa.conservationTable.strings))
    try file.write(.languages, .strings(names.languageTable.strings))
    try file.write(.authors, .strings(taxa.authorTable.strings))
    let traitTables = traits.tables
    try file.write(.traitKeys, .strings(traitTables.keys.strings))
    try file.write(.traitValues, .strings(traitTables.values.strings))
    try file.write(.traitUnits, .strings(traitTables.units.strings))
  }
}

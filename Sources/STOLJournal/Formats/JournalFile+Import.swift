extension JournalFile {
  /// Keeps what a file says, in one batch that can be undone as one; one row that cannot be kept spoils no other.
  ///
  /// What is there already is left as it is unless `options` say otherwise, so that the same file again changes
  /// nothing. Records of an archive become one with those that are there: Format/JOURNAL.md, "Two copies of a journal".
  ///
  /// - Parameters:
  ///   - reader: the file.
  ///   - options: how.
  ///   - names: what looks up names; nil where all stay as they are.
  ///   - stepCount: after how many records what follows from those that were there before is brought up to date.
  ///   - onRow: told of each row, in their order; what it throws undoes all.
  ///   - isEnded: whether nobody wants it any more, which undoes all; asked behind the last row too.
  /// - Returns: what became of the rows.
  /// - Throws: `ImportRefusal`, where the first one is to end it; `CancellationError`; what `reader` and `onRow` throw;
  ///   `StoreError`. Then nothing has changed.
  /// - Complexity: O(number of rows); memory does not depend on it, but for what the reader remembers.
  package func importing(
    _ reader: any ImportReader, _ options: ImportOptions = ImportOptions(),
    names: ImportNames? = nil, stepCount: Int = 20_000,
    onRow: (ImportedRow) throws -> Void = { _ in }, isEnded: () -> Bool = { false }
  ) throws -> ImportSummary {
    var isBegun = false
    var summary = try change(
      SaveKind.import.rawValue, isRehearsal: options.isDryRun, isLarge: true
    ) { writer in
      // The reader does not begin again, where the store does once it has mended an index.
      guard !isBegun else { throw RecordReader.broken("an index was mended: import it again") }
      isBegun = true
      let importer = try RowImporter(
        writer, options, of: reader.roundTrip, stepCount: stepCount)
      let rows = RowsAhead(reader, names: names)
      defer { rows.finish() }
      while let next = try ForeignError.wrapping({ try rows.next(unless: isEnded) }) {
        let row = try importer.take(next)
        if case .success(let found) = next, row.refusal == nil, !options.isDryRun {
          // They are there before anything that refers to them.
          for file in found.files { try ForeignError.wrapping { _ = try media.keep(file) } }
        }
        try ForeignError.wrapping { try onRow(row) }
        if options.isStrict, let refusal = row.refusal { throw ForeignError(error: refusal) }
      }
      try importer.finishMerging()
      return importer.summary
    }
    summary.beside = reader.beside
    if options.isDryRun { summary.batch = nil }
    return summary
  }
}

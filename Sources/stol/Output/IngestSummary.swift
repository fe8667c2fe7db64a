import STOLAnswers
import STOLIngest
import STOLSystem

/// What a person wants to know of an ingestion: how much there is now, and what was odd.
struct IngestSummary {
  let report: IngestReport
  let path: String
  let seconds: String
  let reportPath: String?

  /// Some lines, none longer than a terminal's, except for examples.
  var text: String {
    let totals = report.totals
    let roots = Self.counted(totals.roots, "root", "roots")
    var lines = ["\(path): \(Self.counted(totals.taxa, "taxon", "taxa")) (\(roots)), \(seconds) s"]
    for (count, one, many) in [
      (totals.impliedRoots, "root that the source does not have", "roots that it does not have"),
      (totals.synonyms, "synonym", "synonyms"),
      (totals.vernaculars, "common or vernacular name", "common and vernacular names"),
      (totals.references, "reference", "references"), (totals.traits, "trait", "traits"),
      (totals.conservation, "IUCN code", "IUCN codes"),
      (totals.merged, "id that leads to another taxon", "ids that lead to another taxon"),
      (totals.deleted, "deleted id", "deleted ids"),
    ] where count > 0 {
      lines.append("  " + Self.counted(count, one, many))
    }
    if totals.lostIDs > 0 {
      lines.append(
        "  warning: schema 1 has no place for ids that are texts; "
          + Self.counted(totals.lostIDs, "taxon has a number", "taxa have numbers")
          + " in their place that the source does not know: leave out --schema 1 to keep them")
    }
    for source in report.sources {
      if let matching = source.matching { lines.append("  " + Self.text(source, matching)) }
      lines += Self.list(source.unreadFiles)
      guard !source.findings.isEmpty else { continue }
      lines.append(
        report.sources.count == 1 ? "What was odd:" : "What was odd in \(source.path):")
      lines += Self.table(source.findings)
    }
    if reportPath == nil, report.sources.contains(where: { !$0.findings.isEmpty }) {
      lines.append("(--report FILE.json says more, and what became of every row)")
    }
    return lines.map { Escaping.terminal($0) + "\n" }.joined()
  }

  private static func counted(_ count: Int, _ one: String, _ many: String) -> String {
    "\(count) \(count == 1 ? one : many)"
  }

  private static func text(
    _ source: IngestReport.Source, _ matching: IngestReport.Matching
  ) -> String {
    "\(source.path): \(matching.byID) taxa found by id, \(matching.byName) by name, "
      + "\(matching.bySynonym) by synonym; \(matching.taxaAdded) added, "
      + "\(matching.ambiguous) ambiguous, \(matching.unmatched) not needed"
      + (matching.cut == 0 ? "" : ", \(matching.cut) left out")
  }

  /// The files that might have been read, of many the first.
  private static func list(_ unreadFiles: [String: String]) -> [String] {
    let files = unreadFiles.sorted { $0.key < $1.key }.filter { _, reason in
      reason.hasPrefix("no reader") || reason.contains("stol ingest")
    }
    let lines = files.prefix(10).map { name, reason in "  not read: \(name) (\(reason))" }
    return lines + (files.count > 10 ? ["  not read: and \(files.count - 10) more"] : [])
  }

  /// A line for each kind, the most frequent first, and an example.
  private static func table(_ findings: [String: IngestReport.Found]) -> [String] {
    let rows = findings.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    let width = rows.map { String($0.value.count).count }.max() ?? 0
    return rows.map { _, found in
      let count = String(found.count)
      let space = String(repeating: " ", count: width - count.count)
      let example = found.examples.first.map { " (\($0))" } ?? ""
      return "  \(space)\(count)  \(found.rule)\(example)"
    }
  }
}

package import STOLFormats

/// Reads a table that iNaturalist exports, with any of its 35 to 94 columns.
///
/// Coordinates that only the observer may see come before those that everybody sees.
package final class INaturalistTableReader: ImportReader {
  private let table: ForeignTable

  package var beside: ImportBeside { table.beside }
  package var byteCount: Int? { table.byteCount }

  /// Whether the first bytes of a file are the header of such a table.
  static func isHeader(_ head: [UInt8]) -> Bool {
    let names = TableHeader.names(in: head)
    return ["id", "observed_on", "scientific_name"].allSatisfy(names.contains)
      && !names.isDisjoint(with: ["quality_grade", "time_observed_at", "geoprivacy", "taxon_id"])
  }

  /// Reads a table.
  ///
  /// - Parameters:
  ///   - stream: the file, at its beginning.
  ///   - fileName: what it is called.
  /// - Throws: `JournalError.invalid` for one without the columns, `FormatError`.
  package init(_ stream: SourceStream, fileName: String) throws {
    table = try ForeignTable(stream, fileName: fileName)
    for column in ["id", "observed_on"] where !table.has(column) {
      throw JournalError.invalid(
        field: "file", value: fileName,
        remedy: "a table with the column \(column): choose it in the export of iNaturalist")
    }
  }

  package func next() throws -> Result<ImportRow, ImportRefusal>? { try table.next { try row() } }

  private func row() throws -> ImportRow {
    guard let id = table.text("id") else {
      throw table.refusal("id", "is missing", "the number of the observation")
    }
    let (start, offset) = try time()
    var seen = INaturalistObservation(id: id, start: start, utcOffsetMin: offset)
    let isHidden = try truth("coordinates_obscured") ?? false
    let own = try table.position(
      "private_latitude", "private_longitude", within: "positional_accuracy")
    let shown = try table.position(
      "latitude", "longitude",
      within: isHidden && table.has("public_positional_accuracy")
        ? "public_positional_accuracy" : "positional_accuracy")
    seen.position = own ?? shown
    seen.isObscured = isHidden && own == nil
    seen.privacy = INaturalistObservation.privacy(
      table.text("geoprivacy"), table.text("taxon_geoprivacy"), isHidden ? "obscured" : nil)
    let places = (table.text("private_place_guess"), table.text("place_guess"))
    seen.placeName = places.0 ?? places.1
    (seen.login, seen.personName) = (table.text("user_login"), table.text("user_name"))
    seen.remarks = table.text("description")
    let tags = (table.text("tag_list") ?? "").split(separator: ",").map { $0.trimmed() }
    seen.tags = Set(tags.filter { !$0.isEmpty })
    seen.isCaptive = try truth("captive_cultivated")
    let names = (
      table.text("scientific_name"), table.text("species_guess"), table.text("common_name")
    )
    seen.name = names.0 ?? names.1
    seen.commonName = names.0 == nil ? nil : names.2
    if seen.name == nil { table.flag("scientific_name", "has no name") }
    var row = try table.row(seen.records, Self.sources)
    row.commonName = seen.commonName
    row.hints = hints()
    return row
  }

  private static let sources: KeyValuePairs = [
    "date": "observed_on", "latitude": "latitude", "longitude": "longitude",
    "uncertainty_m": "positional_accuracy", "name": "place_guess", "tag": "tag_list",
    "verbatim_name": "scientific_name", "remarks": "description",
  ]

  private func hints() -> [ImportRow.Hint] {
    let ranks = ["kingdom", "phylum", "class", "order", "family"]
    let stated = ranks.compactMap { rank in
      table.text("taxon_\(rank)_name").map { ImportRow.Hint(rank: rank, name: $0) }
    }
    let group = INaturalistObservation.hint(ofGroup: table.text("iconic_taxon_name"))
    return stated.isEmpty ? [group].compactMap { $0 } : stated
  }

  /// The local time: the date, with the time of day where what else is said agrees on one.
  private func time() throws -> (time: LocalTime, utcOffsetMin: Int?) {
    let (written, moment) = (table.text("observed_on_string"), table.text("time_observed_at"))
    guard let text = table.text("observed_on") else {
      throw table.refusal("observed_on", "is missing", "the journal needs to know when it was")
    }
    guard let day = try? LocalTime(text) else {
      throw table.refusal("observed_on", "is no date", "as 2026-03-15")
    }
    guard let moment else { return (day, nil) }
    guard let found = ImportTime(moment.replacing(" UTC", with: "Z")),
      let offset = found.utcOffsetMin
    else {
      table.flag("time_observed_at", "is no moment, and was left out")
      return (day, nil)
    }
    // One that is not in UTC is by the clock there.
    if offset != 0 { return (found.time, offset) }
    let time = INaturalistObservation.time(on: day, written, found.time.firstSecond)
    if !time.time.hasTimeOfDay { table.leave("time_observed_at") }
    return time
  }

  private func truth(_ column: String) throws -> Bool? {
    switch table.text(column)?.lowercased() {
    case nil: nil
    case "true", "t", "1": true
    case "false", "f", "0": false
    default: throw table.refusal(column, "is neither true nor false", "true or false")
    }
  }
}

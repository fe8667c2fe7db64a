import STOLPack
import STOLSearch

extension Schema {
  /// The fields of the name that matched, besides its text.
  static let nameColumns = ["nameStatus", "nameAuthor", "nameYear", "sensu", "nameID"]

  /// The columns that a batch of taxa ends with: by which name each was found, where that is not the
  /// accepted one; of a set, those of its members joined by ";".
  package static let matchColumns = ["matchedName"] + nameColumns

  /// Writes the record of a name that matched.
  static func writeRecord(
    of name: NameOrdinal, _ view: borrowing PackView, to writer: inout RowWriter
  ) {
    let record = view.names.record(of: name)
    guard view.isScientific(name) else {
      return writeMatched(
        record, MatchType(of: name, in: view.names), isJSONNumber: view.ids.fitJSONNumbers,
        to: &writer)
    }
    // What the columns of the taxon say is not made into texts on the way.
    let taxon = TaxonOrdinal(rawValue: name.rawValue)
    if let status = record.status {
      writer.word("nameStatus", status.rawValue)
    } else {
      writer.text("nameStatus") { view.appendStatus(of: taxon, to: &$0) }
    }
    writer.optionalText("nameAuthor") { view.appendAuthor(of: taxon, to: &$0) }
    writer.number("nameYear", view.taxa.year(of: taxon))
    writer.text("sensu", record.sensu)
    writer.null("nameID")
  }

  /// Writes the record of a name that matched; the id of a taxon is not one of its name.
  static func writeMatched(
    _ record: NameRecord, _ matchType: MatchType, isJSONNumber: Bool, to writer: inout RowWriter
  ) {
    let status = record.status ?? (matchType == .synonym ? .synonym : nil)
    writer.text("nameStatus", status?.rawValue)
    writer.text("nameAuthor", record.authorship)
    writer.number("nameYear", record.year)
    writer.text("sensu", record.sensu)
    writer.nameID(
      "nameID", matchType == .scientific ? nil : record.sourceID, isJSONNumber: isJSONNumber)
  }

  /// Writes by which names taxa were found: in JSON, where there are any, as fields of the answer or, of
  /// a set, as an array; else as the last cells.
  static func write(
    _ matches: [TaxonMatch?], isSet: Bool, _ view: borrowing PackView, to writer: inout RowWriter
  ) {
    guard matches.contains(where: { $0?.name != nil }) else { return }
    guard !writer.format.isStructured || !isSet else {
      return writer.array("matchedNames") { writer in
        for case let match? in matches where match.name != nil {
          writer.object { writer in
            writer.text("member", match.text)
            write(match.name, view, to: &writer)
          }
        }
      }
    }
    if !writer.format.isStructured { writer.skip(to: matchColumns[0]) }
    if matches.count == 1 {
      write(matches[0]?.name, view, to: &writer)
    } else {
      writer.join(matches.count) { write(matches[$0]?.name, view, to: &$1) }
    }
  }

  private static func write(
    _ name: NameOrdinal?, _ view: borrowing PackView, to writer: inout RowWriter
  ) {
    guard let name else {
      for column in matchColumns { writer.null(column) }
      return
    }
    writer.text("matchedName", name, view)
    writeRecord(of: name, view, to: &writer)
  }
}

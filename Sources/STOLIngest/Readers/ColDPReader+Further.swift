import STOLPack
import STOLFormats
import STOLNames

extension ColDPReader {
  // MARK: NameReference

  /// References of names go to the taxa and synonyms that have them; those that are there already are
  /// `.joined`.
  func readNameReferences(
    _ rows: inout TableReader, _ columns: ColumnMap, _ names: ColDPNameTable?
  ) throws {
    let nameID = columns.index("nameID")
    let referenceID = columns.index("referenceID")
    while try intake.next(&rows) {
      let id = rows.value(nameID)
      guard let owner = owner(ofName: id, names) else {
        intake.leaveOut(.unknownTaxon, rows.line, "name \(id)")
        continue
      }
      try references.attachRow(rows.value(referenceID), to: owner, line: rows.line)
    }
  }

  /// The taxon or synonym that has a name; a usage's id in NameUsage is also that of its name.
  private func owner(ofName id: String, _ names: ColDPNameTable?) -> Int64? {
    if let row = names?.row(id) { return names?.owner(row) }
    guard names == nil || hasNameUsages, let taxon = taxon(id) else { return nil }
    return intake.keepsAllRanks ? TaxonID(sourceText: id).rawValue : taxon
  }

  // MARK: VernacularName

  func readVernaculars(_ rows: inout TableReader, _ columns: ColumnMap) throws {
    let taxonID = columns.index("taxonID", "ID")
    let nameColumn = columns.index("name", "vernacularName")
    let languageColumn = columns.index("language")
    let preferred = columns.index("preferred", "isPreferredName")
    while try intake.next(&rows) {
      let id = rows.value(taxonID)
      let name = intake.clean(rows.value(nameColumn), line: rows.line)
      guard !name.isEmpty else {
        intake.leaveOut(.emptyName, rows.line, "taxon \(id)")
        continue
      }
      let language = intake.language(rows.value(languageColumn), line: rows.line)
      try intake.add(
        .vernacular(
          name: name, language: language, isPreferred: rows.isTrue(preferred)),
        of: id)
    }
  }

  // MARK: Distribution

  /// Of a distribution its IUCN code and its references are kept, not the area.
  func readDistributions(_ rows: inout TableReader, _ columns: ColumnMap) throws {
    let taxonID = columns.index("taxonID")
    let threatStatus = columns.index("threatStatus")
    let referenceID = columns.index("referenceID")
    while try intake.next(&rows) {
      let id = rows.value(taxonID)
      guard let taxon = taxon(id) else {
        intake.leaveOut(.unknownTaxon, rows.line, "taxon \(id)")
        continue
      }
      var isNew = false
      for row in references.rows(rows.value(referenceID), line: rows.line)
      where try references.attach(row, to: taxon, .ecology) { isNew = true }
      let code = intake.conservationCode(rows.value(threatStatus), line: rows.line)
      if let code, taxon == TaxonID(sourceText: id).rawValue {
        try intake.add(.conservation(code: code), of: id)
      } else if isNew {
        intake.account.add(.reference)
      } else {
        intake.account.ignore(
          code == nil ? RowAccount.areaReason : "about a synonym, which has no traits or codes")
      }
    }
  }

  // MARK: TaxonProperty

  /// A property is a trait, with its name in lower case as the key.
  ///
  /// The page follows the citation; ordinal and remarks have no place.
  func readProperties(_ rows: inout TableReader, _ columns: ColumnMap) throws {
    let taxonID = columns.index("taxonID")
    let property = columns.index("property")
    let valueColumn = columns.index("value")
    let referenceID = columns.index("referenceID")
    let page = columns.index("page")
    while try intake.next(&rows) {
      let key = Self.traitKey(rows.value(property))
      let value = NameCleaner.clean(rows.value(valueColumn)).text
      guard !key.isEmpty, !value.isEmpty else {
        intake.account.ignore("no property or no value")
        continue
      }
      var citation = ""
      if let row = references.rows(rows.value(referenceID), line: rows.line).first {
        citation = try references.citation(row).text
        let page = rows.value(page)
        if !page.isEmpty { citation += citation.hasSuffix(".") ? " P. \(page)." : ", p. \(page)" }
      }
      try intake.add(.trait(key: key, value: value, citation: citation), of: rows.value(taxonID))
    }
  }

  /// "body_length" of "bodyLength", "Body length" and "body-length".
  static func traitKey(_ property: String) -> String {
    var key = ""
    var wasLower = false
    for scalar in NameCleaner.clean(property).text.unicodeScalars {
      let isWord = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      if (!isWord || wasLower && scalar.properties.isUppercase) && !key.isEmpty
        && !key.hasSuffix("_")
      {
        key += "_"
      }
      if isWord { key += scalar.properties.lowercaseMapping }
      wasLower = scalar.properties.isLowercase
    }
    while key.hasSuffix("_") { key.removeLast() }
    return key
  }
}

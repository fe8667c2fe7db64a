import STOLPack
import STOLNames
import STOLFormats

extension ColDPReader {
  /// The columns of Synonym.
  private struct Columns {
    let id, taxon, name, phrase, references: Int?

    init(_ columns: ColumnMap) {
      id = columns.index("ID")
      taxon = columns.index("taxonID")
      name = columns.index("nameID")
      phrase = columns.index("namePhrase")
      references = columns.index("referenceID")
    }
  }

  /// A name that several rows make a synonym: pro parte.
  private struct Group {
    var usage: SourceUsage
    var references: [(taxon: String, list: String)] = []
  }

  /// Reads Synonym, twice: how many rows a name has must be known before the first is added.
  ///
  /// A row without an id gets that of its name, or "synonym:" and that if a taxon has it. Rows without
  /// ids that have one name are one synonym of several taxa; those after the first are `.joined`.
  func readSynonyms(_ names: ColDPNameTable) throws {
    try readFile("synonym", isCounted: false) { rows, columns in
      let columns = Columns(columns)
      while try rows.next() {
        guard rows.value(columns.id).isEmpty, let name = names.row(rows.value(columns.name)) else {
          continue
        }
        names.noteSynonym(name)
      }
    }
    let taxa = intake.usages.table
    let hasTaxon = { [intake] (id: String) in
      taxa.row(TaxonID(sourceText: id).rawValue, ids: intake.usages.ids) != nil
    }
    var groups: [Int: Group] = [:]
    var order: [Int] = []
    try readFile("synonym") { rows, columns in
      let columns = Columns(columns)
      while try intake.next(&rows) {
        let taxon = rows.value(columns.taxon)
        guard let row = names.row(rows.value(columns.name)) else {
          // Without a name, which the account says.
          var usage = SourceUsage()
          usage.id = rows.value(columns.name)
          usage.line = rows.line
          try intake.add(usage)
          continue
        }
        let key = TaxonID(sourceText: taxon).rawValue
        if names.isName(row, ofTaxon: key) {
          intake.account.add(.ignored)
          continue
        }
        let name = try names.name(row)
        names.use(row, bySynonymOf: key)
        if var group = groups[row], rows.value(columns.id).isEmpty {
          if !taxon.isEmpty, !group.usage.acceptedIDs.contains(taxon) {
            group.usage.acceptedIDs.append(taxon)
          }
          group.references.append((taxon, rows.value(columns.references)))
          groups[row] = group
          intake.account.add(.joined)
          continue
        }
        var usage = SourceUsage(name, line: rows.line)
        usage.status = .synonym
        usage.addPhrase(
          name.phrase, intake.clean(rows.value(columns.phrase), line: rows.line))
        if !taxon.isEmpty { usage.acceptedIDs = [taxon] }
        let list = rows.value(columns.references)
        usage.id = rows.value(columns.id)
        if usage.id.isEmpty {
          usage.id = hasTaxon(name.id) ? "synonym:\(name.id)" : name.id
          if names.isSynonymOfSeveral(row) {
            groups[row] = Group(usage: usage, references: [(taxon, list)])
            order.append(row)
            continue
          }
        }
        try intake.add(usage)
        try attach(name.references, list, of: taxon, line: rows.line)
      }
      for row in order {
        guard let group = groups[row] else { continue }
        try intake.add(group.usage)
        let name = try names.name(row)
        for (taxon, list) in group.references {
          try attach(name.references, list, of: taxon, line: group.usage.line)
        }
      }
    }
  }

  private func attach(
    _ lists: String..., of taxon: String, line: Int
  ) throws {
    guard !taxon.isEmpty else { return }
    for list in lists {
      for row in references.rows(list, line: line) {
        _ = try references.attach(row, to: TaxonID(sourceText: taxon).rawValue, .taxonomy)
      }
    }
  }
}

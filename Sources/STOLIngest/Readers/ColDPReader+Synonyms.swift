import STOLPack
import STOLNames
import STOLFormats

extension ColDPReader {
  /// The columns of Synonym.
  private struct Columns {
    let id, taxon, name, status, phrase, references: Int?

    init(_ columns: ColumnMap) {
      id = columns.index("ID")
      taxon = columns.index("taxonID")
      name = columns.index("nameID")
      status = columns.index("status")
      phrase = columns.index("namePhrase")
      references = columns.index("referenceID")
    }
  }

  /// A name that several rows make a synonym: pro parte.
  private struct Group {
    var usage: SourceUsage
    var references: [String] = []
  }

  /// Reads Synonym, twice: how many rows a name has must be known before the first is added.
  ///
  /// A row without an id stays without one: that of its name is an id among names, and may be a taxon's too.
  /// While it is read it is known by that, or by "synonym:" and that if a taxon has it. Rows without ids
  /// that have one name are one synonym of several taxa; those after the first are `.joined`.
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
          intake.account.ignore("the accepted name of the same taxon")
          continue
        }
        let name = try names.name(row)
        if var group = groups[row], rows.value(columns.id).isEmpty {
          if !taxon.isEmpty, !group.usage.acceptedIDs.contains(taxon) {
            group.usage.acceptedIDs.append(taxon)
          }
          group.references.append(rows.value(columns.references))
          groups[row] = group
          intake.account.add(.joined)
          continue
        }
        var usage = SourceUsage(name, line: rows.line)
        intake.takeStatus(rows.value(columns.status), of: &usage)
        usage.status = .synonym
        usage.addPhrase(intake.clean(rows.value(columns.phrase), line: rows.line))
        if !taxon.isEmpty { usage.acceptedIDs = [taxon] }
        let list = rows.value(columns.references)
        usage.id = rows.value(columns.id)
        if usage.id.isEmpty {
          usage.hasOwnID = false
          usage.id = hasTaxon(name.id) ? "synonym:\(name.id)" : name.id
        }
        names.use(row, bySynonym: intake.referenced(usage))
        if rows.value(columns.id).isEmpty {
          if names.isSynonymOfSeveral(row) {
            groups[row] = Group(usage: usage, references: [list])
            order.append(row)
            continue
          }
        }
        try intake.add(usage)
        try attach(name.references + [list], of: usage)
      }
      for row in order {
        guard let group = groups[row] else { continue }
        try intake.add(group.usage)
        try attach(try names.name(row).references + group.references, of: group.usage)
      }
    }
  }

  private func attach(_ lists: [String], of synonym: SourceUsage) throws {
    guard !synonym.acceptedIDs.isEmpty else { return }
    for list in lists {
      for row in references.rows(list, line: synonym.line) {
        _ = try references.attach(row, to: intake.referenced(synonym), .taxonomy)
      }
    }
  }
}

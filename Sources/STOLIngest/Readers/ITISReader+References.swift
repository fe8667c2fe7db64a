extension ITISReader {
  /// Where references are: publications, experts and other sources, each with an id of two columns.
  private static let tables: [(name: String, prefix: String, id: String)] = [
    ("publications", "pub_id_prefix", "publication_id"),
    ("experts", "expert_id_prefix", "expert_id"),
    ("other_sources", "source_id_prefix", "source_id"),
  ]

  /// Reads the references, and in reference_links which taxa they belong to.
  ///
  /// One that says what another one said is `.joined`.
  ///
  /// - Parameter unit: what references of a unit are of, or nil if there is no such unit.
  /// - Throws: `IngestError`
  func readReferences(unit: (Int64) -> Int64?) throws {
    let references = try ReferenceTable(intake)
    var hasAny = false
    for (table, prefix, id) in Self.tables where database.has(table, id) {
      hasAny = true
      let names = Self.parts[table] ?? []
      try begin(table, reading: [prefix, id] + names)
      let columns = ([prefix, id] + names).map { database.column(table, $0) }
      try database.forEachRow("SELECT \(columns.joined(separator: ", ")) FROM \(table)") {
        row throws in
        try intake.countRow()
        let values = names.indices.map { row.text($0 + 2) }
        try references.add(
          id: Self.key(row.text(0), row.text(1)), citation: Self.citation(table, values), url: "")
      }
    }
    guard hasAny else { return }
    try references.close()
    let links = "reference_links"
    if database.has(links, "tsn", "documentation_id") {
      try begin(links, reading: ["tsn", "doc_id_prefix", "documentation_id"])
      let prefix = database.column(links, "doc_id_prefix")
      try database.forEachRow(
        "SELECT tsn, \(prefix), documentation_id FROM \(links) ORDER BY tsn, rowid"
      ) { row throws in
        try intake.countRow()
        guard let tsn = row.integer(0), let unit = unit(tsn) else {
          return intake.leaveOut(.unknownTaxon, nil, "tsn \(row.text(0))")
        }
        let key = Self.key(row.text(1), row.text(2))
        guard let reference = references.row(key) else {
          intake.note(.unknownReference, nil, key)
          intake.account.ignore("no reference that is there")
          return
        }
        let isNew = try references.attach(reference, to: unit, .taxonomy)
        intake.account.add(isNew ? .reference : .joined)
      }
    }
    references.count()
  }

  private static func key(_ prefix: String, _ id: String) -> String {
    "\(prefix.uppercased()) \(id)"
  }

  /// The columns that make a citation.
  private static let parts = [
    "publications": [
      "reference_author", "actual_pub_date", "listed_pub_date", "title", "publication_name",
      "pages",
      "publisher", "pub_place",
    ],
    "experts": ["expert", "exp_comment"],
    "other_sources": ["source", "source_type", "version", "acquisition_date"],
  ]

  private static func citation(_ table: String, _ values: [String]) -> String {
    guard table == "publications" else {
      return values.filter { !$0.isEmpty }.joined(separator: ", ")
    }
    let date = values[1].isEmpty ? values[2] : values[1]
    let publisher = [values[6], values[7]].filter { !$0.isEmpty }.joined(separator: ", ")
    return ReferenceTable.citation(
      author: values[0], year: String(date.prefix(4)), title: values[3],
      container: values[4] == values[3] ? "" : values[4], pages: values[5], details: publisher)
  }
}

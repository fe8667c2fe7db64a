package import STOLFormats

/// What a table seems to say, as a mapping that a person looks over.
package enum TableProposal {
  private static let sampleCount = 20

  /// A mapping file for a table: entries for columns whose names are known, comments for what a person has to say.
  ///
  /// Nothing is guessed that changes a number: a unit stands in an entry only where the column's name has it, and the
  /// order of day and month is asked for.
  ///
  /// - Parameters:
  ///   - stream: the table, at its beginning.
  ///   - fileName: what it is called.
  /// - Returns: the text of the file.
  /// - Throws: `FormatError`
  package static func text(of stream: SourceStream, fileName: String) throws -> String {
    let (head, whole) = try ImportFormat.peek(stream)
    // What is shown comes from the beginning alone.
    func again() -> SourceStream {
      var rest = head
      return SourceStream(name: stream.name) { () throws(FormatError) in
        defer { rest = [] }
        return rest
      }
    }
    var layout = TableLayout.guess(fileName: fileName, head: head)
    layout.areNullWordsEmpty = true
    var rows = TableReader(whole, layout, fileName: fileName) { _, _ in }
    let header = try rows.header() ?? []
    var samples = header.map { _ in [String]() }
    var first: [String] = []
    var count = 0
    while count < sampleCount, try rows.next() {
      for index in header.indices {
        let text = rows.text(index)
        if count == 0 { first.append(text) }
        if !text.isEmpty { samples[index].append(text) }
      }
      count += 1
    }
    guard TableMapping.own(header) == nil else { return ownText }
    let lines = lines(header, samples, first, fileName)
    return try shown(lines) { mapping in
      try TableImportReader(again(), fileName: fileName, mapping: mapping)
    }
  }

  /// A mapping file for the features of a map, likewise.
  ///
  /// - Parameters:
  ///   - stream: the map, at its beginning.
  ///   - format: what it is.
  ///   - fileName: what it is called.
  /// - Returns: the text of the file.
  /// - Throws: `FormatError`, `JournalError`
  package static func text(
    of stream: SourceStream, as format: ImportFormat, fileName: String
  ) throws -> String {
    var source = try MapReader.source(stream, format)
    var features: [MapFeature] = []
    while features.count < sampleCount, let found = try source.next() {
      if case .success(let feature) = found { features.append(feature) }
    }
    let isOwn = features.contains { feature in
      feature.extended.contains { $0.name == TableField.occurrenceUUID.rawValue }
    }
    guard !isOwn else { return ownText }
    var header: [String] = []
    var samples: [[String]] = []
    for column in features.flatMap(\.columns) {
      if let index = header.firstIndex(of: column.name) {
        samples[index].append(column.text)
      } else {
        header.append(column.name)
        samples.append([column.text])
      }
    }
    let first = header.map { name in
      features.first?.columns.first { $0.name == name }?.text ?? ""
    }
    let lines = lines(header, samples, first, fileName)
    return try shown(lines) { mapping in
      try MapReader(SampledFeatures(features), format, mapping, acceptsNullIsland: false)
    }
  }

  /// What a file seems to say where it is a table of another program; nil for what needs no mapping.
  ///
  /// - Throws: `UnreadFile`, `FormatError`
  package static func text(ofFileAt path: String, fileName: String) throws -> String? {
    guard JournalArchive.form(ofFileAt: path) == nil else { return nil }
    let (format, whole) = try ImportFormat.detect(ImportSource.stream(path))
    guard format.isTable else { return nil }
    let proposal = try text(of: whole, fileName: fileName)
    return proposal == ownText ? nil : proposal
  }

  private static let ownText = "# An export of the journal: it needs no mapping.\n"

  /// A mapping with what its first rows would be kept as.
  private static func shown(
    _ lines: [String], _ reader: (TableMapping) throws -> any ImportReader
  ) throws -> String {
    var lines = lines
    do {
      let mapping = try TableMapping(contentsOf: lines.joined(separator: "\n"))
      for text in try ImportPreview.lines(of: reader(mapping)) {
        lines.append("#   " + line(text))
      }
    } catch let error as JournalError {
      lines.append("#   " + line("\(error)"))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The lines of a mapping up to what it makes of the first rows.
  private static func lines(
    _ header: [String], _ samples: [[String]], _ first: [String], _ fileName: String
  ) -> [String] {
    var lines: [String] = []
    var taken: Set<TableMapping.Target> = []
    let hasGenus = header.contains { known[parts(of: $0).word] == .field(.genus) }
    for (name, values) in zip(header, samples) {
      lines += propose(name, values, besideGenus: hasGenus, &taken)
    }
    lines += questions(header, samples, taken, fileName)
    lines.append("# The first row says:")
    for (name, value) in zip(header, first) where !value.isEmpty {
      lines.append("#   \(line(name)): \(line(value))")
    }
    lines.append("# As it stands, this mapping would store:")
    return lines
  }

  /// A text that ends no line of the file.
  private static func line(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }

  /// The line for a column.
  private static func propose(
    _ name: String, _ values: [String], besideGenus hasGenus: Bool,
    _ taken: inout Set<TableMapping.Target>
  ) -> [String] {
    let shown = line(name)
    let examples = values.prefix(3).map(line).joined(separator: ", ")
    guard !name.isEmpty, shown == name, !name.hasPrefix("#"), !name.hasPrefix("="),
      !name.hasPrefix(" ")
    else {
      return ["# The column '\(shown)' has a name that no mapping can have: rename it to take it."]
    }
    let (word, unit) = parts(of: name)
    // Beside a genus the species is its epithet alone.
    let target: TableMapping.Target? =
      hasGenus && word == "species" ? .field(.species) : known[word]
    guard let target, !taken.contains(target) else {
      return ["# \(name)=?   (\(examples))"]
    }
    taken.insert(target)
    guard target.unit != nil else { return ["\(name)=\(target.name)"] }
    guard let unit else {
      return ["# In which unit? \(examples)", "# \(name)=\(target.name):?"]
    }
    return ["\(name)=\(target.name):\(unit)"]
  }

  private static func questions(
    _ header: [String], _ samples: [[String]], _ taken: Set<TableMapping.Target>,
    _ fileName: String
  ) -> [String] {
    var lines: [String] = []
    if !taken.contains(.field(.date)) {
      lines.append("# No column is a date: say when it was, for all rows.")
      lines.append("# =date=?")
    }
    let names: [TableField] = [.name, .genus, .species, .infraspecies, .cultivar]
    if names.allSatisfy({ !taken.contains(.field($0)) }) {
      lines.append("# No column is a name: rows are kept without one.")
    }
    let isUnclear = samples.joined().contains { text in
      (try? CellText.time(text, .dmy, "date")) != nil
        && (try? CellText.time(text, nil, "date")) == nil
    }
    if isUnclear { lines.append("# =dates=?   (dmy, mdy: in which order day and month stand)") }
    if !taken.contains(.field(.id)) {
      lines.append("# No column is an identifier: a row is told from others by all of its cells.")
    }
    if taken.contains(.field(.id)) || taken.contains(.field(.organism)) {
      lines.append("# Where the identifiers are from: the same for a later file from there.")
      lines.append(source(of: fileName).map { "=source=\($0)" } ?? "# =source=?   (as Cornell)")
    }
    return lines
  }

  /// What a file is called, without folders and what stands behind the first point; nil for the standard input.
  private static func source(of fileName: String) -> String? {
    guard fileName != ImportFormat.standardInput else { return nil }
    let last = fileName.split(separator: "/").last ?? ""
    let stem = line(String(last.prefix { $0 != "." }))
    return stem.isEmpty ? nil : stem
  }

  /// The letters and digits of a column's name, and the unit that stands in brackets or behind an underscore.
  private static func parts(of name: String) -> (word: String, unit: String?) {
    var text = asciiLowercased(name)
    var unit: String?
    let words = Units.all.map(\.word)
    if let open = text.lastIndex(where: { $0 == "(" || $0 == "[" }) {
      let inside = text[text.index(after: open)...].prefix { $0 != ")" && $0 != "]" }
      if words.contains(String(inside)) {
        unit = String(inside)
        text = String(text[..<open])
      }
    } else if let last = text.split(whereSeparator: { "_. ".contains($0) }).last,
      words.contains(String(last)), last.count > 1, last.count < text.count
    {
      unit = String(last)
      text = String(text.dropLast(last.count))
    }
    return (text.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }, unit)
  }

  /// What columns are usually called.
  private static let known: [String: TableMapping.Target] = {
    var known: [String: TableMapping.Target] = [:]
    let words: [TableField: String] = [
      .id: "id treeid occurrenceid objectid catalognumber ref",
      .name:
        "name scientificname botanic botanicalname botanical species taxon latinname scientific",
      .genus: "genus", .species: "specificepithet epithet", .infraspecies: "infraspecificepithet",
      .authorship: "scientificnameauthorship author authorship",
      .vernacular: "common commonname vernacularname",
      .cultivar: "cultivar", .rootstock: "rootstock", .kingdom: "kingdom", .family: "family",
      .latitude: "latitude lat y decimallatitude",
      .longitude: "longitude lon lng long x decimallongitude",
      .uncertainty: "uncertainty accuracy coordinateuncertaintyinmeters gpsaccuracy",
      .elevation: "elevation altitude alt",
      .date: "date eventdate observed observedon year yearinv inventorydate surveydate",
      .time: "time eventtime", .planted: "planted dateplanted plantingdate",
      .count: "count individualcount number quantity", .sex: "sex", .lifeStage: "lifestage stage",
      .behaviour: "behaviour behavior", .remarks: "remarks occurrenceremarks comments",
      .notes: "notes note", .place: "place site park location locatedin", .locality: "locality",
      .country: "countrycode", .organism: "tag tagnumber treetag organismname",
      .collections: "collection", .tags: "tags",
    ]
    for (field, names) in words {
      for name in names.split(separator: " ") { known[String(name)] = .field(field) }
    }
    let measures = [
      "dbh_mm": "dbh diameter diameterbreastheight trunkdiameter",
      "girth_mm": "girth circumference",
      "height_cm": "height treeheight", "crown_cm": "crown crownwidth spread", "health": "health",
      "stems": "stems",
    ]
    for (key, names) in measures {
      for name in names.split(separator: " ") { known[String(name)] = .measure(key) }
    }
    return known
  }()
}

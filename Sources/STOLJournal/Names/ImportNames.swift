import STOLData
package import STOLPack

/// Looks up the names of a file that is imported, each once.
package final class ImportNames {
  private struct Question: Hashable {
    let name: String
    let hints: [ImportRow.Hint]
  }

  /// A text that a file says is a name of a taxon.
  private struct Claim: Hashable {
    let text: String
    let taxon: TaxonReference
  }

  private let pack: Pack
  private let accept: ImportOptions.Acceptance
  private var reader: JournalNameReader
  private var known: [Question: (reading: NameReading, near: NameSuggestion?)] = [:]
  /// Whether names are not those of taxa that files say they are.
  private var doubts: [Claim: Bool] = [:]
  /// What common names say against taxa.
  private var contradictions: [Claim: String?] = [:]
  private static let keptCount = 65_536

  /// What looks up names in a pack.
  ///
  /// - Parameters:
  ///   - pack: the pack.
  ///   - accept: which names are identifications.
  ///   - within: a taxon that whatever is identified must be, or be within.
  package init(
    in pack: Pack, accept: ImportOptions.Acceptance = .exact, within: TaxonOrdinal? = nil
  ) {
    self.pack = pack
    self.accept = accept
    reader = JournalNameReader(within: within)
  }

  /// A row with the taxa of its names, and with what is odd about these.
  func resolve(_ row: ImportRow) -> ImportRow {
    // What an archive says is as its journal had it.
    guard row.moments == nil else { return row }
    var row = row
    var (withdrawn, doubts): ([ImportFlag], [ImportFlag]) = ([], [])
    for index in row.records.indices {
      guard case .identification(var identification) = row.records[index] else { continue }
      if identification.taxon == nil, !row.keepsNames, !row.hasCommonName {
        identification = resolve(identification, hints: row.hints)
        if let commonName = row.commonName,
          let flag = withdraw(&identification, beside: commonName)
        {
          withdrawn.append(row.cells?.shown(flag) ?? flag)
        }
      }
      if let doubted = doubted(identification) {
        identification = doubted.identification
        doubts.append(doubted.flag)
      }
      row.records[index] = .identification(identification)
    }
    row.flags = withdrawn + row.flags + doubts
    return row
  }

  /// An identification with the taxon of its name, where it has one; what the row says beside the name stays.
  package func resolve(
    _ identification: Identification, hints: [ImportRow.Hint]
  ) -> Identification {
    let name = identification.verbatimName
    // What a column says beside the name may be a doubt as well as what stands behind it.
    let beside = identification.qualifier.flatMap { name.contains($0) ? nil : " \($0)" } ?? ""
    let (reading, near) = find(name + beside, hints)
    var resolved = reading.identification(of: identification.occurrence, id: identification.id)
    resolved.verbatimName = name
    resolved.qualifier = identification.qualifier ?? resolved.qualifier
    resolved.cultivar = identification.cultivar ?? resolved.cultivar
    resolved.rootstock = identification.rootstock
    resolved.date = identification.date
    resolved.remarks = identification.remarks
    if let near {
      resolved.taxon = near.taxon
      resolved.match = .fuzzy
      let remark = "\(Self.takenFor)\(near.matchedName), which differs by one letter"
      resolved.remarks = [identification.remarks, remark].compactMap { $0 }
        .joined(separator: Self.remarkSeparator)
    }
    return resolved
  }

  /// What a name that is no identification may mean; one that is known, but beside which a row says otherwise, may be
  /// what it says.
  func question(_ identification: Identification, hints: [ImportRow.Hint]) -> NameQuestion {
    let name = identification.verbatimName
    let reading = find(name, hints).reading
    let known = reading.taxon.map {
      NameSuggestion(taxon: $0, matchedName: $0.name, difference: "none")
    }
    return NameQuestion(
      verbatimName: name, rowCount: 1,
      reason: known == nil ? reading.reason : "another name beside it says otherwise",
      candidates: [known].compactMap { $0 } + reading.suggestions)
  }

  private static let takenFor = "taken for "
  private static let remarkSeparator = "; "

  /// What remarks were before a name was taken for one that differs by a letter; nil where it was not.
  static func withoutRemark(_ remarks: String) -> String? {
    remarks.ranges(of: remarkSeparator + takenFor).last.map { String(remarks[..<$0.lowerBound]) }
  }

  /// Makes an identification a suggestion where a common name beside its name is that of another taxon.
  ///
  /// The common name may be that of a higher taxon, as "oak", or of one within it; of several that have it one is
  /// enough. One that the database does not have says nothing.
  ///
  /// - Returns: what is odd; nil where nothing is.
  package func withdraw(
    _ identification: inout Identification, beside commonName: String
  ) -> ImportFlag? {
    guard let taxon = identification.taxon else { return nil }
    let question = Claim(text: commonName, taxon: taxon)
    if contradictions.count >= Self.keptCount { contradictions.removeAll(keepingCapacity: true) }
    let other = contradictions[question] ?? otherTaxon(of: question)
    contradictions[question] = .some(other)
    guard let other else { return nil }
    (identification.taxon, identification.match) = (nil, .none)
    return ImportFlag(
      column: TableField.vernacular.rawValue, value: commonName,
      reason: "is a common name of \(other), and not of \(taxon.name): the name is a suggestion")
  }

  /// What the database calls the best known taxon that has a common name; nil where the name is that of the taxon in
  /// question, or of nothing.
  private func otherTaxon(of question: Claim) -> String? {
    let pack = pack
    let view = pack.view
    let named = reader.taxa(commonlyNamed: question.text, in: view)
    guard let best = named.first, let taxon = view.resolve(question.taxon).taxon else { return nil }
    let agrees = named.contains { other in
      other == taxon || view.tree.isAncestor(other, of: taxon)
        || view.tree.isAncestor(taxon, of: other)
    }
    return agrees ? nil : view.names.scientificName(of: best)
  }

  /// An identification that a file says is exact, as one that was chosen, where its name is not that of its taxon; nil
  /// where it is, or nobody says so.
  package func doubted(
    _ identification: Identification
  ) -> (identification: Identification, flag: ImportFlag)? {
    guard identification.match == .exact, let reference = identification.taxon else { return nil }
    let claim = Claim(text: identification.verbatimName, taxon: reference)
    if doubts.count >= Self.keptCount { doubts.removeAll(keepingCapacity: true) }
    let isDoubted = doubts[claim] ?? isDoubted(claim)
    doubts[claim] = isDoubted
    guard isDoubted else { return nil }
    var doubted = identification
    doubted.match = .chosen
    let flag = ImportFlag(
      column: "match", value: identification.match.rawValue,
      reason:
        "\"\(identification.verbatimName)\" is no name of \(reference.name): kept as chosen")
    return (doubted, flag)
  }

  /// Whether a name is not that of a taxon, neither by its own words nor by the database.
  private func isDoubted(_ claim: Claim) -> Bool {
    let stated = StatedNames(claim.text, in: claim.taxon.kingdoms)
    if stated.contains(claim.taxon.name) { return false }
    let known = find(claim.text, []).reading.taxon
    if let known, known.id == claim.taxon.id, known.idSpace == claim.taxon.idSpace { return false }
    let pack = pack
    let view = pack.view
    guard let taxon = view.resolve([claim.taxon]).first?.taxon else { return true }
    return !stated.contains(view.names.scientificName(of: taxon))
      && !view.names.furtherNames(of: taxon).contains {
        view.names.type(of: $0) == .synonym && stated.contains(view.names.text(of: $0))
      }
  }

  private func find(
    _ name: String, _ hints: [ImportRow.Hint]
  ) -> (reading: NameReading, near: NameSuggestion?) {
    let question = Question(name: name, hints: hints)
    if let found = known[question] { return found }
    if known.count >= Self.keptCount { known.removeAll(keepingCapacity: true) }
    let pack = pack
    let view = pack.view
    let reading = reader.read(name, hints: hints.map { ($0.rank, $0.name) }, in: view)
    let near = accept == .fuzzy ? Self.near(reading) : nil
    known[question] = (reading, near)
    return (reading, near)
  }

  /// The only taxon that a name may mean, where its genus is spelt as the database spells it and but one letter of
  /// the rest differs.
  static func near(_ reading: NameReading) -> NameSuggestion? {
    guard reading.taxon == nil, reading.status == "fuzzy", reading.suggestions.count == 1,
      let only = reading.suggestions.first
    else { return nil }
    let found = only.matchedName.split(separator: " ")
    let written = reading.verbatimName.split(whereSeparator: \.isWhitespace)
    guard found.count > 1, written.count >= found.count,
      written[0].lowercased() == found[0].lowercased(),
      // What stands behind it are authors.
      written.count == found.count
        || written[found.count].first.map({ $0.isUppercase || $0 == "(" })
          == true,
      distance(
        written[..<found.count].joined(separator: " ").lowercased(),
        found.joined(separator: " ").lowercased()) == 1
    else { return nil }
    return only
  }

  /// How many letters have to be put in, taken out or replaced to make one text of another (Levenshtein).
  private static func distance(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a), Array(b))
    var row = Array(0...b.count)
    for (i, letter) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in b.enumerated() {
        let above = row[j + 1]
        row[j + 1] = min(min(above, row[j]) + 1, diagonal + (letter == other ? 0 : 1))
        diagonal = above
      }
    }
    return row[b.count]
  }
}

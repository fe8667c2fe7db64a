package import STOLMatch
package import STOLPack

/// A column that says what became of a name.
package enum MatchColumn: Sendable {
  case status, score, reason, taxonID, acceptedName, acceptedAuthorship, rank, matchedName,
    matchedID
  case matchedAuthorship, edits, lineage, candidates, points
  /// The ancestor of a rank, or the taxon itself.
  case ancestor(RankColumn)
  /// A field of GBIF's service, or of GNverifier.
  case gbif(GBIFField)
  case gn(GNField)

  private static let plain: [(String, MatchColumn)] = [
    ("status", .status), ("score", .score), ("reason", .reason), ("taxonID", .taxonID),
    ("acceptedName", .acceptedName), ("acceptedAuthorship", .acceptedAuthorship), ("rank", .rank),
    ("matchedName", .matchedName), ("matchedAuthorship", .matchedAuthorship),
    ("matchedID", .matchedID), ("edits", .edits), ("distance", .edits), ("lineage", .lineage),
    ("candidates", .candidates), ("points", .points),
  ]

  /// The words for columns, but for ranks.
  package static var names: [String] { plain.map(\.0) }

  /// Those that are added where nobody says which.
  package static let usual = "status,score,reason,taxonID,acceptedName,rank,matchedName"

  /// The columns that a list with commas asks for, each with its name: words, or ranks of the pack.
  ///
  /// - Throws: `UnknownRank` for a word that is neither.
  package static func columns(
    _ list: String, _ ranks: borrowing RankTable
  ) throws(UnknownRank) -> [(name: String, column: MatchColumn)] {
    var columns: [(name: String, column: MatchColumn)] = []
    for part in list.split(separator: ",") {
      var trimmed = part.drop { $0 == " " }
      while trimmed.last == " " { trimmed.removeLast() }
      guard !trimmed.isEmpty else { continue }
      let word = String(trimmed)
      if let found = plain.first(where: { $0.0.lowercased() == word.lowercased() }) {
        columns.append((found.0, found.1))
      } else {
        let found: [RankColumn]
        do { found = try RankColumn.columns(word, ranks) } catch {
          throw UnknownRank(word: word, known: names + error.known, what: "column or rank")
        }
        for rank in found { columns.append((rank.name, .ancestor(rank))) }
      }
    }
    return columns
  }

  /// The fields of GBIF's service, in a table.
  package static let gbifColumns: [(name: String, column: MatchColumn)] = GBIFField.allCases.map {
    ($0.rawValue, .gbif($0))
  }
  /// The fields of GNverifier's tables.
  package static let gnColumns: [(name: String, column: MatchColumn)] = GNField.allCases.map {
    ($0.rawValue, .gn($0))
  }

  /// Appends what the column says of a match.
  package func append(
    _ match: NameMatch, _ query: MatchQuery, _ view: borrowing PackView, to output: inout [UInt8]
  ) {
    func accepted(_ text: (Taxon) -> String?) {
      if let taxon = match.taxon, let text = text(view.taxon(taxon)) { output += text.utf8 }
    }
    func matched(_ text: (NameRecord) -> String?) {
      if let name = match.name, let text = text(view.record(of: name)) { output += text.utf8 }
    }
    switch self {
    case .status: output += match.status.rawValue.utf8
    case .score: if match.taxon != nil { output.append(decimal: Int64(match.score)) }
    case .reason: output += match.reason.utf8
    case .taxonID: if let taxon = match.taxon { view.ids.appendSourceID(of: taxon, to: &output) }
    case .acceptedName:
      if let taxon = match.taxon {
        view.names.appendText(of: NameOrdinal(rawValue: taxon.rawValue), to: &output)
      }
    case .acceptedAuthorship: accepted { $0.author }
    case .rank: if let taxon = match.taxon { output += view.rank(of: taxon).rawValue.utf8 }
    case .matchedName: if let name = match.name { view.names.appendText(of: name, to: &output) }
    case .matchedAuthorship: matched { $0.authorship }
    case .matchedID: matched { $0.sourceID }
    case .edits: if match.taxon != nil { output.append(decimal: Int64(match.edits)) }
    case .lineage:
      guard let taxon = match.taxon else { return }
      for (number, ancestor) in (view.tree.ancestors(of: taxon) + [taxon])
        .filter({ !view.isImplied($0) }).enumerated()
      {
        if number > 0 { output += "; ".utf8 }
        view.names.appendText(of: NameOrdinal(rawValue: ancestor.rawValue), to: &output)
      }
    case .candidates:
      for (number, candidate) in match.candidates.enumerated() {
        if number > 0 { output += "; ".utf8 }
        output += Self.shown(candidate, view).utf8
      }
    case .points:
      if let best = match.candidates.first {
        output += best.points.map { "\($0.part)=\($0.value)" }.joined(separator: "; ").utf8
      }
    case .ancestor(let rank):
      guard let taxon = match.taxon, let found = rank.ancestor(of: taxon, view) else { return }
      view.names.appendText(of: NameOrdinal(rawValue: found.rawValue), to: &output)
    case .gbif(let field): output += (field.text(match, view) ?? "").utf8
    case .gn(let field): output += (field.text(match, query, view) ?? "").utf8
    }
  }

  /// A candidate in one cell: the id of its taxon, the name and its authors.
  static func shown(_ candidate: MatchCandidate, _ view: borrowing PackView) -> String {
    let id = view.sourceID(of: candidate.taxon) ?? ""
    let name = view.names.text(of: candidate.name)
    let authorship = view.record(of: candidate.name).authorship
    return [id, name, authorship].compactMap { $0 }.joined(separator: " ")
  }
}

/// The fields of an answer of GBIF's species match, as its clients name them.
package enum GBIFField: String, CaseIterable, Sendable {
  case usageKey, acceptedUsageKey, scientificName, canonicalName, rank, status, confidence, note
  case matchType, kingdom, phylum
  case `class`
  case order, family, genus, species, synonym

  func text(_ match: NameMatch, _ view: borrowing PackView) -> String? {
    if self == .matchType { return Self.matchType(match) }
    if self == .note { return match.reason }
    guard let taxon = match.taxon else { return self == .confidence ? "100" : nil }
    let name = match.name
    let isSynonym = name.map { !view.names.isScientific($0) } ?? false
    switch self {
    case .usageKey:
      if isSynonym, let name, let own = view.record(of: name).sourceID { return own }
      return view.sourceID(of: taxon)
    case .acceptedUsageKey: return isSynonym ? view.sourceID(of: taxon) : nil
    case .scientificName:
      guard let name else { return view.names.scientificName(of: taxon) }
      return [view.names.text(of: name), view.record(of: name).authorship].compactMap { $0 }
        .joined(separator: " ")
    case .canonicalName:
      return name.map { view.names.text(of: $0) } ?? view.names.scientificName(of: taxon)
    case .rank:
      return (name.flatMap { view.record(of: $0).rank } ?? view.rank(of: taxon)).rawValue
        .uppercased()
    case .status: return isSynonym ? "SYNONYM" : "ACCEPTED"
    case .confidence: return "\(match.score)"
    case .synonym: return isSynonym ? "true" : "false"
    case .kingdom, .phylum, .class, .order, .family, .genus, .species:
      var next: TaxonOrdinal? = taxon
      while let ancestor = next {
        if view.taxa.mainRank(of: ancestor)?.name == rawValue {
          return view.names.scientificName(of: ancestor)
        }
        next = view.tree.parent(of: ancestor)
      }
      return nil
    case .matchType, .note: return nil
    }
  }

  private static func matchType(_ match: NameMatch) -> String {
    switch match.status {
    case .exact, .synonym: "EXACT"
    case .fuzzy: "VARIANT"
    case .partial: "HIGHERRANK"
    case .ambiguous, .notFound, .invalid: "NONE"
    }
  }
}

/// The columns of GNverifier's tables.
package enum GNField: String, CaseIterable, Sendable {
  case kind = "Kind"
  case matchType = "MatchType"
  case editDistance = "EditDistance"
  case scientificName = "ScientificName"
  case matchedName = "MatchedName"
  case matchedCanonical = "MatchedCanonical"
  case taxonID = "TaxonId"
  case currentName = "CurrentName"
  case synonym = "Synonym"
  case dataSourceID = "DataSourceId"
  case dataSourceTitle = "DataSourceTitle"
  case classificationPath = "ClassificationPath"
  case error = "Error"

  func text(_ match: NameMatch, _ query: MatchQuery, _ view: borrowing PackView) -> String? {
    switch self {
    case .kind: return "BestMatch"
    case .matchType: return Self.matchType(match)
    case .scientificName: return query.name
    case .error: return match.status == .invalid ? match.reason : nil
    case .dataSourceID: return nil
    case .dataSourceTitle: return view.dataset.name
    default: break
    }
    guard let taxon = match.taxon else { return nil }
    let canonical =
      match.name.map { view.names.text(of: $0) } ?? view.names.scientificName(of: taxon)
    switch self {
    case .editDistance: return "\(match.edits)"
    case .matchedName:
      let authorship = match.name.flatMap { view.record(of: $0).authorship }
      return [canonical, authorship].compactMap { $0 }.joined(separator: " ")
    case .matchedCanonical: return canonical
    case .taxonID:
      return match.name.flatMap { view.record(of: $0).sourceID } ?? view.sourceID(of: taxon)
    case .currentName:
      let accepted = view.taxon(taxon)
      return [accepted.scientificName, accepted.author].compactMap { $0 }.joined(separator: " ")
    case .synonym:
      return match.name.map { view.names.isScientific($0) ? "false" : "true" } ?? "false"
    case .classificationPath:
      return (view.tree.ancestors(of: taxon) + [taxon]).filter { !view.isImplied($0) }
        .map { view.names.scientificName(of: $0) }.joined(separator: "|")
    default: return nil
    }
  }

  private static func matchType(_ match: NameMatch) -> String {
    let isSpelt = match.edits == 0
    return switch match.status {
    case .exact, .synonym: "Exact"
    case .fuzzy: "Fuzzy"
    case .partial: isSpelt ? "PartialExact" : "PartialFuzzy"
    case .ambiguous:
      match.candidates.first?.difference == NameDifference.none ? "Exact" : "Fuzzy"
    case .notFound, .invalid: "NoMatch"
    }
  }
}

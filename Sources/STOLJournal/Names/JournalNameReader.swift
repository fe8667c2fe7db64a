import STOLData
import STOLMatch
package import STOLPack

/// Reads names by the library of `stol match`, and remembers what took long.
package struct JournalNameReader: ~Copyable {
  private var matcher = NameMatcher()
  private var known: [String: NameReading] = [:]
  /// Names are looked for within this taxon only.
  private let within: TaxonOrdinal?
  /// So many readings are kept; then it begins anew.
  private static let keptCount = 16_384
  private static let suggestionCount = 5
  /// Names have less where their authors or higher taxa contradict, where somebody doubted them, where they are
  /// misapplied, or those of another taxon too.
  private static let leastScore = 95

  /// A reader for one pack.
  ///
  /// - Parameter within: a taxon that whatever is identified must be, or be within.
  package init(within: TaxonOrdinal? = nil) { self.within = within }

  /// What can be made of a name.
  ///
  /// - Parameters:
  ///   - name: the name, exactly as it was written.
  ///   - hints: higher taxa that it is said to be in, each with its rank.
  ///   - view: the pack, always the same.
  /// - Returns: what can be made of it.
  package mutating func read(
    _ name: String, hints: [(rank: String, name: String)] = [], in view: borrowing PackView
  ) -> NameReading {
    let key = ([name] + hints.flatMap { [$0.rank, $0.name] }).joined(separator: "\t")
    if let reading = known[key] { return reading }
    if known.count >= Self.keptCount { known.removeAll(keepingCapacity: true) }
    let reading = readAnew(name, hints, view)
    known[key] = reading
    return reading
  }

  private mutating func readAnew(
    _ name: String, _ hints: [(rank: String, name: String)], _ view: borrowing PackView
  ) -> NameReading {
    let match = matcher.match(MatchQuery(name, hints: hints), in: view)
    let parts = matcher.reading(of: name)
    func joined(_ roles: Set<String>) -> String? {
      let words = parts.dropFirst().filter { roles.contains($0.role) }.map { $0.text }
      return words.isEmpty ? nil : words.joined(separator: " ")
    }
    var qualifier = joined(["qualifier", "compared", "designation"])
    var cultivar = joined(["cultivar"])
    cultivar = cultivar.map { text in
      String(
        text.drop { "'\"\u{2018}\u{201C}".contains($0) }.reversed()
          .drop { "'\"\u{2019}\u{201D}".contains($0) }.reversed())
    }
    // Whoever names another author's use of a name does not mean the taxon that has it.
    let isOfOthers = joined(["phrase"])?.contains("auct") ?? false
    let isCertain =
      match.difference == NameDifference.none && match.score >= Self.leastScore && !isOfOthers
    let isOne: Bool
    switch match.status {
    case .exact, .synonym: isOne = isCertain
    case .partial:
      // "Aus sp." and "Aus cf. bus" say no more than the genus, and say so; of "Aus bus/cus" it is what all
      // of them are in.
      let isOfSeveral = match.name == nil && name.contains("/")
      if isOfSeveral { qualifier = name }
      isOne = isCertain && (isOfSeveral || qualifier != nil && match.name != nil)
    case .fuzzy, .ambiguous, .notFound, .invalid: isOne = false
    }
    let taxon = match.taxon.flatMap { taxon in
      isOne && isWithin(taxon, view) ? view.reference(to: taxon) : nil
    }
    return NameReading(
      verbatimName: name, taxon: taxon,
      qualifier: qualifier.flatMap { $0.isEmpty ? nil : $0 },
      cultivar: cultivar.flatMap { $0.isEmpty ? nil : $0 }, status: match.status.rawValue,
      reason: isOne && taxon == nil ? "not within the taxon that was asked for" : match.reason,
      suggestions: taxon == nil ? suggestions(match, view) : [])
  }

  private func isWithin(_ taxon: TaxonOrdinal, _ view: borrowing PackView) -> Bool {
    guard let within else { return true }
    return taxon == within || view.tree.isAncestor(within, of: taxon)
  }

  private func suggestions(_ match: NameMatch, _ view: borrowing PackView) -> [NameSuggestion] {
    var found = match.candidates.map { candidate in
      (taxon: candidate.taxon, name: Optional(candidate.name), text: candidate.difference.rawValue)
    }
    if let taxon = match.taxon {
      found.insert((taxon, match.name, match.difference?.rawValue ?? match.reason), at: 0)
    }
    var suggestions: [NameSuggestion] = []
    var seen: Set<TaxonOrdinal> = []
    for (taxon, name, difference) in found where suggestions.count < Self.suggestionCount {
      guard isWithin(taxon, view), seen.insert(taxon).inserted,
        let reference = view.reference(to: taxon)
      else { continue }
      let text = name.map { view.names.text(of: $0) } ?? view.names.scientificName(of: taxon)
      suggestions.append(
        NameSuggestion(taxon: reference, matchedName: text, difference: difference))
    }
    return suggestions
  }
}

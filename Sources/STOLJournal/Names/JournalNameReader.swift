import STOLData
import STOLMatch
import STOLNames
package import STOLPack

/// Reads names by the library of `stol match`, and remembers what took long.
package struct JournalNameReader: ~Copyable {
  private typealias Hint = (rank: String, name: String)

  /// A taxon that a name may mean.
  private struct Likely {
    let taxon: TaxonOrdinal
    let name: NameOrdinal?
    let difference: String
  }

  /// What was found of a name.
  private struct Found {
    /// What the name, or what of it a database may know, stands for.
    var match: NameMatch
    /// What was looked for, without authors.
    var asked: String
    /// The taxon that it is, without a doubt.
    var taxon: TaxonOrdinal?
    var qualifier: String?
    var cultivar: String?
    /// What keeps the name that is known from being it.
    var obstacle: NameObstacle?
  }

  private var matcher = NameMatcher()
  private var names = NameReader()
  private var known: [String: NameReading] = [:]
  /// Names are looked for within this taxon only.
  private let within: TaxonOrdinal?
  /// So many readings are kept; then it begins anew.
  private static let keptCount = 16_384
  /// So many are suggested that are merely similar, those that are more than similar among them.
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
    _ name: String, _ hints: [Hint], _ view: borrowing PackView
  ) -> NameReading {
    // A grave accent stands for the quotation mark that some keyboards lack.
    let text = name.replacing("`", with: "'")
    let genus = hints.last { $0.rank == "genus" }?.name
    let higher = hints.filter { $0.rank != "genus" }
    let several = ancestorOfSeveral(text, higher, view)
    var found = several ?? findWithRemark(text, higher, view)
    if let taxon = found.taxon ?? found.match.taxon, let genus,
      !isIn(genus, taxon, found.match.name, view)
    {
      found.obstacle = .genus(genus)
    } else if let taxon = found.taxon, !isWithin(taxon, view) {
      found.obstacle = .outside
    }
    if found.obstacle != nil { found.taxon = nil }
    let taxon = found.taxon.flatMap { view.reference(to: $0) }
    let common = taxon == nil ? commonNames(text, within, view) : []
    var (status, reason) = (found.match.status.rawValue, NameReason.sentence(found.match))
    if several != nil, found.obstacle == nil {
      (status, reason) = (MatchStatus.partial.rawValue, "what all of several taxa are in")
    } else if !common.isEmpty,
      !found.match.candidates.contains(where: { Self.isSpelt($0.name, found, view) })
    {
      (status, reason) =
        common.count == 1
        ? ("common", "a common name")
        : (MatchStatus.ambiguous.rawValue, "a common name of \(common.count) taxa")
    } else if let obstacle = found.obstacle {
      (status, reason) = (MatchStatus.partial.rawValue, obstacle.sentence)
    }
    return NameReading(
      verbatimName: name, taxon: taxon,
      qualifier: Self.fitting(several == nil ? found.qualifier : name),
      cultivar: Self.fitting(found.cultivar), status: status, reason: reason,
      suggestions: taxon == nil ? suggestions(found, common, view) : [])
  }

  /// A text that a record can hold: reading may put spaces between words.
  private static func fitting(_ text: String?) -> String? {
    text.flatMap { $0.utf8.count <= JournalLimits.nameByteCount ? $0 : nil }
  }

  private func isWithin(_ taxon: TaxonOrdinal, _ view: borrowing PackView) -> Bool {
    guard let within else { return true }
    return taxon == within || view.tree.isAncestor(within, of: taxon)
  }

  /// Whether a taxon, or the name by which it was found, is of a genus, or what the genus is in.
  private func isIn(
    _ genus: String, _ taxon: TaxonOrdinal, _ name: NameOrdinal?, _ view: borrowing PackView
  ) -> Bool {
    let wanted = Self.withoutSigns(genus)
    func begins(_ text: String) -> Bool {
      Self.withoutSigns(text).split(separator: " ").first.map(String.init) == wanted
    }
    if let name, begins(view.names.text(of: name)) { return true }
    if begins(view.names.scientificName(of: taxon)) { return true }
    return view.resolve(genus).taxon.map { view.tree.isAncestor(taxon, of: $0) } ?? false
  }

  // MARK: - What a name is

  /// What a name stands for; of several taxa the one within that which was asked for, as where a row says so.
  private mutating func best(
    _ name: String, _ hints: [Hint], _ view: borrowing PackView
  ) -> NameMatch {
    let match = matcher.match(MatchQuery(name, hints: hints), in: view)
    guard let within else { return match }
    let isUnclear =
      match.taxon.map { match.score < Self.leastScore || !isWithin($0, view) }
      ?? (match.status == .ambiguous)
    guard isUnclear else { return match }
    // What is in another genus or family of the same name is not in what that one is in.
    let above = view.tree.ancestors(of: within).last {
      !view.isImplied($0) && view.rank(of: $0).rawValue != "genus"
    }
    let narrowing = [above, within].compactMap { $0 }.map { taxon in
      (rank: view.rank(of: taxon).rawValue, name: view.names.scientificName(of: taxon))
    }
    let narrowed = matcher.match(MatchQuery(name, hints: narrowing + hints), in: view)
    let taxon = narrowed.status == .ambiguous || narrowed.difference == .hint ? nil : narrowed.taxon
    // A genus is put before a lone epithet, and in the place of one letter.
    let isMeant =
      narrowing.last?.rank != "genus"
      || Self.firstWord(name) == narrowed.name.flatMap { Self.firstWord(view.names.text(of: $0)) }
    let isNarrowed = isMeant && (taxon.map { isWithin($0, view) } ?? false)
    if isNarrowed, narrowed.score >= Self.leastScore { return narrowed }
    return only(match, view) ?? (isNarrowed ? narrowed : match)
  }

  /// The only taxon within that has all of a name, as its own or as a synonym, where nothing speaks against it.
  private func only(_ match: NameMatch, _ view: borrowing PackView) -> NameMatch? {
    var taxa: Set<TaxonOrdinal> = []
    for candidate in match.candidates
    where candidate.difference == .none && isWithin(candidate.taxon, view)
      && candidate.points.allSatisfy({ $0.value >= 0 || $0.part == "synonym" })
    {
      taxa.insert(candidate.taxon)
    }
    guard taxa.count == 1, let taxon = taxa.first else { return nil }
    return NameMatch.decided(taxon, "name")
  }

  private static func firstWord(_ name: String) -> Substring? {
    withoutSigns(name).split(separator: " ").first
  }

  /// What all of the taxa are in that a text with slashes names, "Aus bus/cus"; nil where not all of them are known.
  private mutating func ancestorOfSeveral(
    _ text: String, _ hints: [Hint], _ view: borrowing PackView
  ) -> Found? {
    guard text.contains("/") else { return nil }
    var taxa: Set<TaxonOrdinal> = []
    var match: NameMatch?
    for name in WrittenName.alternatives(in: text) {
      let found = find(name, hints, view)
      guard let taxon = found.taxon, found.qualifier == nil, found.cultivar == nil else {
        return nil
      }
      taxa.insert(taxon)
      match = found.match
    }
    guard let match, let ancestor = view.tree.lowestCommonAncestor(taxa), !view.isImplied(ancestor)
    else { return nil }
    return Found(match: match, asked: text, taxon: ancestor)
  }

  /// What a name is, perhaps with a remark behind it, which may be a common name of the taxon.
  private mutating func findWithRemark(
    _ text: String, _ hints: [Hint], _ view: borrowing PackView
  ) -> Found {
    let whole = find(text, hints, view)
    let isOpen = whole.taxon == nil
    guard let (name, remark) = WrittenName.withoutRemark(text, isOneWordEnough: isOpen) else {
      return whole
    }
    let points = whole.match.candidates.first { $0.name == whole.match.name }?.points ?? []
    if isName(text, whole.match, view)
      || points.contains(where: { $0.part == "author" && $0.value > 0 })
    {
      return whole
    }
    var found = find(name, hints, view)
    guard found.taxon != nil || whole.taxon == nil else { return whole }
    let isCommon = found.taxon.map { isCommonName(remark, of: $0, view) } ?? false
    // One word may be an author.
    guard isCommon || WrittenName.withoutRemark(text) != nil else { return whole }
    found.qualifier = [found.qualifier, remark].compactMap { $0 }.joined(separator: " ")
    if found.taxon != nil, !isCommon {
      found.taxon = nil
      found.obstacle = NameWords.first(in: remark).map { .doubt($0) } ?? .unread(remark)
    }
    return found
  }

  /// What a name is, with a cultivar only where it can have one.
  private mutating func find(
    _ text: String, _ hints: [Hint], _ view: borrowing PackView
  ) -> Found {
    var found = findPart(text, hints, view)
    guard let taxon = found.taxon, let cultivar = found.cultivar else { return found }
    let quoted = "'\(cultivar)'"
    let isCommon = isCommonName(quoted, of: taxon, view)
    guard isCommon || !isCultivated(taxon, view) || isTaxon(cultivar, view) else { return found }
    found.cultivar = nil
    found.qualifier = [found.qualifier, quoted].compactMap { $0 }.joined(separator: " ")
    if !isCommon { (found.taxon, found.obstacle) = (nil, .unread(quoted)) }
    return found
  }

  /// What a name is: all of it; else all but a cultivar; else what its own words say that it is a part of.
  private mutating func findPart(
    _ text: String, _ hints: [Hint], _ view: borrowing PackView
  ) -> Found {
    let written = WrittenName(text, &names)
    var found = Found(
      match: best(text, hints, view),
      asked: written.canonicalName.isEmpty ? text : written.canonicalName,
      qualifier: written.qualifier, cultivar: written.cultivar)
    let isInDatabase = isName(text, found.match, view)
    // Databases of sequences have names such as "Aus sp." for a sample, which nobody else means.
    let isOfSample = isInDatabase && written.isOpen && !written.hasDesignation
    if isInDatabase, !isOfSample {
      found.taxon = found.match.taxon
      (found.qualifier, found.cultivar) = (nil, nil)
      return found
    }
    if let obstacle = written.obstacle {
      found.obstacle = obstacle
      suggestName(of: written, &found, hints, view)
      return found
    }
    if !isOfSample, isCertain(found.match, written, view) {
      found.obstacle = obstacle(found.match, written, view)
      if found.obstacle == nil { found.taxon = found.match.taxon }
      if case .authors(let text)? = found.obstacle { found.qualifier = text }
      return found
    }
    if written.cultivar != nil || isOfSample || written.isMended, !written.name.isEmpty {
      let plain = WrittenName(written.name, &names)
      let match = best(written.name, hints, view)
      let isOne = isCertain(match, plain, view)
      if isOne || !written.isMended { (found.match, found.asked) = (match, plain.canonicalName) }
      if isOne {
        found.obstacle = obstacle(match, plain, view)
        if found.obstacle == nil { found.taxon = match.taxon }
        return found
      }
    }
    for (name, part) in written.wholes {
      let whole = WrittenName(name, &names)
      let match = best(name, hints, view)
      // A variety of a synonym need not be one of the taxon that the synonym is of.
      guard isCertain(match, whole, view), let accepted = match.name,
        view.names.isScientific(accepted)
      else { continue }
      found.match = match
      found.asked = whole.canonicalName
      found.qualifier = [part, found.qualifier].compactMap { $0 }.joined(separator: " ")
      found.obstacle = obstacle(match, whole, view) ?? obstacle(ofPart: part, written)
      if found.obstacle == nil { found.taxon = match.taxon }
      return found
    }
    if !written.authorship.isEmpty, !WrittenAuthors.isPlausible(written.authorship) {
      found.obstacle = .authors(written.authorship)
    }
    return found
  }

  /// Makes the name without what stands beside it the first suggestion, if it is known.
  private mutating func suggestName(
    of written: WrittenName, _ found: inout Found, _ hints: [Hint], _ view: borrowing PackView
  ) {
    guard !written.canonicalName.isEmpty else { return }
    let match = best(written.canonicalName, hints, view)
    if match.taxon != nil { found.match = match }
  }

  /// Whether the database has all of a text as a name.
  private func isName(_ text: String, _ match: NameMatch, _ view: borrowing PackView) -> Bool {
    guard match.score >= Self.leastScore, let name = match.name,
      match.status == .exact || match.status == .synonym
    else { return false }
    return Folder.fold(view.names.text(of: name)) == Folder.fold(text)
  }

  /// Whether what was found is what is meant: letter for letter, and nothing contradicts.
  private func isCertain(
    _ match: NameMatch, _ written: WrittenName, _ view: borrowing PackView
  ) -> Bool {
    guard match.score >= Self.leastScore, let name = match.name, written.obstacle == nil else {
      return false
    }
    switch match.status {
    case .exact, .synonym: return match.difference == NameDifference.none
    // "Aus sp." and "Aus cf. bus" say no more than the genus, and say so.
    case .partial: return match.difference == NameDifference.none && written.isOpen
    // The sign of a hybrid says what it is, and is no part of its name: article H.3 of the botanical code.
    case .fuzzy:
      return match.difference == .ending && match.edits == 0
        && Self.withoutSigns(view.names.text(of: name)) == Folder.fold(written.canonicalName)
    case .ambiguous, .notFound, .invalid: return false
    }
  }

  private static func withoutSigns(_ name: String) -> String {
    Folder.fold(
      name.split(separator: " ").filter { !["x", "X", "×"].contains($0) }
        .joined(separator: " ").replacing("×", with: ""))
  }

  // MARK: - What it may be

  /// Whether a name is all of what was asked for, letter for letter.
  private static func isSpelt(
    _ name: NameOrdinal?, _ found: Found, _ view: borrowing PackView
  ) -> Bool {
    guard let name else { return false }
    return withoutSigns(view.names.text(of: name)) == Folder.fold(found.asked)
  }

  /// The taxa of the whole database for which a text is a common name, the best known first.
  package func taxa(
    commonlyNamed text: String, in view: borrowing PackView
  ) -> [TaxonOrdinal] {
    commonNames(text, nil, view).map(\.taxon)
  }

  /// The taxa within one for which the text is a common name, the best known first.
  func commonNames(
    _ text: String, _ within: TaxonOrdinal?, _ view: borrowing PackView
  ) -> [(taxon: TaxonOrdinal, name: NameOrdinal)] {
    var filter = SearchFilter()
    filter.clade = within.map { view.tree.subtree(of: $0) }
    let texts = [text, WrittenName.withoutRemark(text)?.name].compactMap { $0 }
    for text in texts {
      // Words for nothing name nothing, such as "NA".
      let named = view.resolve(text, filter: filter)
      guard named != .notFound, named != .invalid else { continue }
      let hits = view.search(
        SearchQuery(text, mode: .exact, words: .asTyped, limit: .max, filter: filter))
      let found = hits.filter {
        !view.names.isScientific($0.name) && view.names.type(of: $0.name) != .synonym
          && !view.isImplied($0.taxon)
      }
      if !found.isEmpty { return found.map { ($0.taxon, $0.name) } }
    }
    return []
  }

  /// What is spelt so, then all that have it as a common name, then some that are merely similar.
  private func suggestions(
    _ found: Found, _ common: [(taxon: TaxonOrdinal, name: NameOrdinal)],
    _ view: borrowing PackView
  ) -> [NameSuggestion] {
    var likely: [Likely] = []
    if let taxon = found.match.taxon {
      let difference = found.match.difference?.rawValue ?? MatchStatus.partial.rawValue
      likely.append(Likely(taxon: taxon, name: found.match.name, difference: difference))
    }
    for candidate in found.match.candidates {
      likely.append(
        Likely(
          taxon: candidate.taxon, name: candidate.name, difference: candidate.difference.rawValue))
    }
    let equal = likely.filter { Self.isSpelt($0.name, found, view) }
    let similar = likely.filter { !Self.isSpelt($0.name, found, view) }
    var suggestions: [NameSuggestion] = []
    var seen: Set<TaxonOrdinal> = []
    func suggest(_ likely: Likely) {
      guard isWithin(likely.taxon, view), seen.insert(likely.taxon).inserted,
        let reference = view.reference(to: likely.taxon)
      else { return }
      let name =
        likely.name.map { view.names.text(of: $0) }
        ?? view.names.scientificName(of: likely.taxon)
      suggestions.append(
        NameSuggestion(taxon: reference, matchedName: name, difference: likely.difference))
    }
    for other in equal { suggest(other) }
    for (taxon, name) in common {
      suggest(Likely(taxon: taxon, name: name, difference: NameSuggestion.commonName))
    }
    let most = max(suggestions.count, Self.suggestionCount)
    for other in similar where suggestions.count < most { suggest(other) }
    return suggestions
  }
}

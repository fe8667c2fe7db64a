import STOLData
import STOLMatch
import STOLNames
import STOLPack

/// What a database says against a name that it has.
extension JournalNameReader {
  /// What keeps a name that a database has from being what is meant.
  func obstacle(
    _ match: NameMatch, _ written: WrittenName, _ view: borrowing PackView
  ) -> NameObstacle? {
    guard let name = match.name, let taxon = match.taxon else { return nil }
    let spelt = view.names.text(of: name)
    // A hybrid of a species is not that species.
    let signs = Self.signs(in: spelt)
    if written.isHybrid && !signs.inside || written.isHybridGenus && !signs.before {
      return .hybrid
    }
    if let subgenus = written.subgenus, !isKnown(subgenus, spelt, taxon, view) {
      return .unread("(\(subgenus))")
    }
    if let genus = written.genusOfSubgenus, !isKnown(genus, spelt, taxon, view) {
      return .unread(genus)
    }
    guard !written.authorship.isEmpty else { return nil }
    let record = view.record(of: name)
    guard record.authorship != nil || record.year != nil else {
      return WrittenAuthors.isPlausible(written.authorship) ? nil : .authors(written.authorship)
    }
    let points = match.candidates.first { $0.name == name }?.points ?? []
    guard points.contains(where: { $0.part == "author" && $0.value > 0 }) else {
      return .otherAuthors(written.authorship)
    }
    // What is dated 1827 may have come out in 1828.
    if let own = record.year ?? AuthorshipParser.year(in: record.authorship ?? ""),
      let year = AuthorshipParser.year(in: written.authorship), abs(own - year) > 1
    {
      return .otherYear(written.authorship, own)
    }
    return nil
  }

  /// What keeps a part of a species that the database does not have from being one.
  func obstacle(ofPart part: String, _ written: WrittenName) -> NameObstacle? {
    if let word = NameWords.first(in: part) { return .doubt(word) }
    // Each epithet has its marker.
    guard part.split(separator: " ").count.isMultiple(of: 2) else { return .unread(part) }
    let isPlausible =
      written.authorship.isEmpty || WrittenAuthors.isPlausible(written.authorship)
    return isPlausible ? nil : .authors(written.authorship)
  }

  /// Whether a remark in parentheses, brackets or quotes is a common name of a taxon, and no doubt.
  func isCommonName(
    _ remark: String, of taxon: TaxonOrdinal, _ view: borrowing PackView
  ) -> Bool {
    let text = String(remark.dropFirst().dropLast())
    return NameWords.first(in: text) == nil
      && commonNames(text, nil, view).contains { $0.taxon == taxon }
  }

  /// Whether a text is a name of some taxon.
  func isTaxon(_ text: String, _ view: borrowing PackView) -> Bool {
    let hits = view.search(SearchQuery(text, mode: .exact, words: .asTyped, limit: .max))
    return hits.contains { !view.isImplied($0.taxon) }
  }

  /// Whether a taxon is a plant, which alone have cultivars, or may be one for all that the database says.
  func isCultivated(_ taxon: TaxonOrdinal, _ view: borrowing PackView) -> Bool {
    let kingdoms = view.reference(to: taxon)?.kingdoms ?? []
    guard !KingdomNames.sayKingdom(kingdoms) else { return StatedNames.mayBeCultivated(kingdoms) }
    let families = view.tree.ancestors(of: taxon).flatMap {
      KingdomNames.kingdoms(ofFamily: view.names.scientificName(of: $0))
    }
    return families.isEmpty || families.contains("plantae")
  }

  /// Whether a subgenus, or the genus of one, is what a taxon is in.
  private func isKnown(
    _ name: String, _ spelt: String, _ taxon: TaxonOrdinal, _ view: borrowing PackView
  ) -> Bool {
    let wanted = Folder.fold(name)
    func words(_ text: String) -> [String] {
      Folder.fold(text).split { " ()".contains($0) }.map(String.init)
    }
    if words(spelt).prefix(2).contains(wanted) { return true }
    return view.tree.ancestors(of: taxon).contains {
      words(view.names.scientificName(of: $0)).last == wanted
    }
  }

  /// Whether a name has the sign of a hybrid before its first word, and before another one.
  private static func signs(in name: String) -> (before: Bool, inside: Bool) {
    let words = name.split(separator: " ").map { word in
      word.hasPrefix("×") || word == "x" || word == "X"
    }
    return (words.first ?? false, words.dropFirst().contains(true))
  }
}

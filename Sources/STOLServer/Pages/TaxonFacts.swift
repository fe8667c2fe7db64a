import STOLPack

/// What the page of a taxon says in short: one fact a sentence.
struct TaxonFacts {
  let found: TaxonDescription

  private var card: TaxonCard { found.card }

  var sentences: [Html] {
    [place, branches, size, share, threat, status].compactMap(\.self)
      + TraitSheet(of: found.traits).sentences.map { Html($0) }
      + [closest, languages].compactMap(\.self)
  }

  private var place: Html? {
    let rank = Html(Words.withArticle(card.taxon.rank.rawValue))
    let isRanked = Words.says(card.taxon.rank)
    guard let parent = found.ancestors.last, !parent.taxon.isImplied else {
      return Html(isRanked ? .factRankedRoot : .factUnrankedRoot, ["rank": rank])
    }
    return Html(
      isRanked ? .factRanked : .factUnranked, ["rank": rank, "clade": Layout.clade(parent)])
  }

  private var branches: Html? {
    guard found.childCount > 0 else { return nil }
    let branches = Words[.branches, count: found.childCount]
    return Html(Words[.factBranches, ["branches": branches]])
  }

  private var size: Html? { found.facts.sentence.map { Html($0) } }

  /// How much of what it stands directly below it is.
  private var share: Html? {
    guard let parent = found.ancestors.last, !parent.taxon.isImplied,
      let whole = found.surroundings?.speciesCount, found.facts.speciesCount > 0, whole > 1
    else { return nil }
    return Html {
      Html(
        card.taxon.rank == .species ? .factOneOf : .factPartOf,
        [
          "species": Html(Words[.speciesCount, count: whole]), "clade": Layout.clade(parent),
          "part": Html(Words.grouped(found.facts.speciesCount)),
        ])
      " "
      if card.taxon.rank != .species { CladeShare.bar(found.facts.speciesCount, of: whole) }
    }
  }

  private var threat: Html? {
    found.facts.threat.map { sentence in
      Html {
        sentence
        " "
        CladeShare.bar(
          found.facts.threatenedCount, of: found.facts.assessedCount, class: "bar threat")
      }
    }
  }

  private var status: Html? {
    guard let code = card.taxon.conservationStatus else { return nil }
    let (title, sentence) = Words.conservation(code)
    // German nouns keep their capitals, others begin with one behind a colon.
    let status = Words.language == .en ? title.lowercased() : title
    return Html(Words[.factStatus, ["status": status, "meaning": sentence]])
  }

  private var closest: Html? {
    guard let closest = found.closest else { return nil }
    let isTie = closest.kinCount > 1
    return Html(
      isTie ? .factClosestTie : .factClosest,
      [
        "count": Html(Words.grouped(closest.kinCount)),
        "taxon": tag("a", .href(Address(.taxon(closest.card.address)))) {
          Layout.name(closest.card.title, language: closest.card.commonName?.language)
        },
        "kinship": Layout.kinship(card, closest.card, closest.ancestor, isOfAll: isTie),
      ])
  }

  private var languages: Html? {
    let count = found.names.languages.count { !["", "und"].contains($0.language) }
    guard count > 0 else { return nil }
    return Html(Words[.factLanguages, ["languages": Words[.languages, count: count]]])
  }
}

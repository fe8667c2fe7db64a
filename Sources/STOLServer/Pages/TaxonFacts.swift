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
    let rank =
      Words.says(card.taxon.rank)
      ? "is \(Words.withArticle(card.taxon.rank.rawValue))" : "has no rank"
    guard let parent = found.ancestors.last, !parent.taxon.isImplied else {
      return Html("This \(rank) and a root of the tree.")
    }
    return Html {
      "This \(rank) in "
      Layout.clade(parent)
      "."
    }
  }

  private var branches: Html? {
    guard found.childCount > 0 else { return nil }
    return Html("It has \(Words.count(found.childCount, "branch", "branches")) directly below it.")
  }

  private var size: Html? { found.facts.sentence.map { Html($0) } }

  /// How much of what it stands directly below it is.
  private var share: Html? {
    guard let parent = found.ancestors.last, !parent.taxon.isImplied,
      let whole = found.surroundings?.speciesCount, found.facts.speciesCount > 0, whole > 1
    else { return nil }
    return Html {
      card.taxon.rank == .species
        ? "It is one of the \(Words.grouped(whole)) species of "
        : "It has \(Words.grouped(found.facts.speciesCount)) of the \(Words.grouped(whole)) species of "
      Layout.clade(parent)
      " here. "
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
    return Html("Red List status: \(title.lowercased()). \(sentence)")
  }

  private var closest: Html? {
    guard let closest = found.closest else { return nil }
    let isTie = closest.kinCount > 1
    return Html {
      isTie
        ? "One of its \(Words.grouped(closest.kinCount)) closest relatives of the same rank here is "
        : "Its closest relative of the same rank here is "
      tag("a", .href(Address(.taxon(closest.card.address)))) {
        Layout.name(closest.card.title, language: closest.card.commonName?.language)
      }
      ": "
      Layout.kinship(card, closest.card, closest.ancestor, isTie ? "all" : "both")
      "."
    }
  }

  private var languages: Html? {
    let count = found.names.languages.count { !["", "und"].contains($0.language) }
    guard count > 0 else { return nil }
    return Html("It has names in \(Words.count(count, "language", "languages")).")
  }
}

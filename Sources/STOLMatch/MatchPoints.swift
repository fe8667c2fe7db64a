import STOLNames
import STOLPack

/// What agrees and what contradicts, in points.
enum MatchPoints {
  static let name = 100
  static let genusEdit = -7
  static let epithetEdit = -5
  static let ending = -1
  static let sameAuthor = 12
  static let sameYear = 6
  static let otherAuthor = -14
  static let otherYear = -6
  static let sameRank = 6
  static let otherRank = -60
  static let otherCode = -40
  static let synonym = -3
  static let synonymOfOneWord = -1
  static let doubtful = -4
  static let misapplied = -10
  /// Taxa with no more points between them fit equally.
  static let tie = 2

  /// Whether a part is a higher taxon that was said beside the name.
  static func isHint(_ part: String) -> Bool {
    ![
      "name", "ending", "epithet", "genus", "author", "year", "rank", "code", "synonym",
      "misapplied", "doubtful",
    ].contains(part)
  }

  /// What a hint of a rank gives where it agrees.
  static func agreement(_ rank: String) -> Int { -contradictionByGBIF(rank) / 2 }

  /// What a hint of a rank gives where it contradicts.
  static func contradiction(_ rank: String) -> Int {
    switch rank {
    case "kingdom", "domain": -40
    case "phylum": -30
    case "class": -20
    case "order", "family": -18
    default: otherPlace
    }
  }

  /// The same as GBIF's service has it.
  static func contradictionByGBIF(_ rank: String) -> Int {
    switch rank {
    case "kingdom", "domain": -40
    case "phylum", "class", "order": -15
    case "family": -18
    default: otherPlace
    }
  }

  /// What it gives where the taxon is near, so that another classification may be meant.
  static let otherPlace = -10

  /// The rank in which both are then: families change from one order to the next, and orders within a class.
  static func nearness(_ rank: String) -> MainRank? {
    switch rank {
    case "family", "order": .class
    case "class": .phylum
    default: nil
    }
  }
}

extension NameMatcher {
  /// Weighs a candidate; `isWhole` where it is not only a part of what was asked for.
  func points(
    of candidate: MatchCandidate, _ asked: Asked, isWhole: Bool, _ view: borrowing PackView
  ) -> [MatchPoint] {
    var points = [MatchPoint(part: "name", value: MatchPoints.name)]
    func add(_ part: String, _ value: Int) {
      if value != 0 { points.append(MatchPoint(part: part, value: value)) }
    }
    switch candidate.difference {
    case .none, .fewerEpithets, .genusOnly, .hint: break
    case .ending, .scanner: add("ending", MatchPoints.ending)
    case .epithet, .epithetTwo: add("epithet", MatchPoints.epithetEdit * candidate.edits)
    case .farther: add("epithet", MatchPoints.epithetEdit * candidate.edits)
    case .genus, .genusTwo, .genusAndEpithet, .uninomial, .uninomialTwo:
      add("genus", MatchPoints.genusEdit * candidate.edits)
    }
    // Most names are the only one of theirs, and nothing is asked of them that a record would say.
    let isScientific = view.names.isScientific(candidate.name)
    let record =
      isScientific && !asked.needsRecords ? NameRecord() : view.record(of: candidate.name)
    if isWhole, asked.needsRecords {
      switch compareAuthors(asked, record) {
      case .equal:
        add("author", asked.authorship.isEmpty ? MatchPoints.sameYear : MatchPoints.sameAuthor)
        if let own = record.year ?? AuthorshipParser.year(in: record.authorship ?? ""),
          let year = asked.year ?? AuthorshipParser.year(in: asked.authorship),
          abs(own - year) > 1
        {
          add("year", MatchPoints.otherYear)
        }
      case .different: add("author", MatchPoints.otherAuthor)
      case .unknown: break
      }
      if let rank = asked.rank, let own = record.rank?.rawValue {
        add("rank", Self.areCompatible(rank, own))
      }
    }
    for hint in asked.hints.entries where !hint.taxa.isEmpty {
      let agrees =
        hint.taxa.contains {
          $0 == candidate.taxon || view.tree.isAncestor($0, of: candidate.taxon)
        } || hint.rank == "genus" && beginsWith(hint.name, candidate.name, view)
      // "genus" is what a letter of it costs.
      let part = hint.rank == "genus" ? "given genus" : hint.rank
      if agrees {
        add(part, MatchPoints.agreement(hint.rank))
      } else if hint.areOfRank {
        let isNear = MatchPoints.nearness(hint.rank).map { rank in
          hint.taxa.contains { areTogether($0, candidate.taxon, in: rank, view) }
        }
        let loss =
          options.followsGBIF
          ? MatchPoints.contradictionByGBIF(hint.rank)
          : isNear ?? false ? MatchPoints.otherPlace : MatchPoints.contradiction(hint.rank)
        add(part, loss)
      }
    }
    if let code = asked.code.flatMap(NomenclaturalCode.init(word:)),
      let own = record.code.flatMap({ NomenclaturalCode(word: $0) }), code != own
    {
      add("code", MatchPoints.otherCode)
    }
    if !isScientific {
      // Genera in different groups may have one name, and which of them is a synonym says little.
      let isLight = options.followsGBIF && !asked.names[0].contains(UInt8(ascii: " "))
      add("synonym", isLight ? MatchPoints.synonymOfOneWord : MatchPoints.synonym)
    }
    switch record.status {
    case .misapplied:
      // "auct." asks for just that.
      add("misapplied", asked.isOfOthers ? MatchPoints.sameAuthor : MatchPoints.misapplied)
    case .provisional, .ambiguous, .inPart, .bare: add("doubtful", MatchPoints.doubtful)
    case nil where isScientific && !isAccepted(candidate.taxon, view):
      add("doubtful", MatchPoints.doubtful)
    default: break
    }
    return points
  }

  /// Whether two taxa are in one of a rank, or below one.
  private func areTogether(
    _ a: TaxonOrdinal, _ b: TaxonOrdinal, in rank: MainRank, _ view: borrowing PackView
  ) -> Bool {
    guard let common = view.tree.lowestCommonAncestor(a, b) else { return false }
    return (view.tree.ancestors(of: common) + [common]).contains {
      view.taxa.mainRank(of: $0).map { $0 >= rank } ?? false
    }
  }

  /// Whether a name can have the authors that were asked for; most databases have none.
  private func compareAuthors(_ asked: Asked, _ record: NameRecord) -> AuthorshipComparison {
    guard record.authorship != nil || record.year != nil else { return .unknown }
    return AuthorshipComparison.compare(
      asked.authorship, year: asked.year, record.authorship ?? "", year: record.year)
  }

  func isAccepted(_ taxon: TaxonOrdinal, _ view: borrowing PackView) -> Bool {
    view.taxa.statuses[view.taxa.status(of: taxon)] == TaxonStatus.accepted.rawValue
  }

  /// Whether the first word of a name is this one.
  private func beginsWith(
    _ genus: String, _ name: NameOrdinal, _ view: borrowing PackView
  ) -> Bool {
    let text = view.names.text(of: name)
    return text.utf8.starts(with: genus.utf8)
      && (text.utf8.count == genus.utf8.count
        || text.utf8.dropFirst(genus.utf8.count).first == UInt8(ascii: " "))
  }

  /// What two ranks give; one that says nothing fits all, and those below species fit one another.
  private static func areCompatible(_ a: String, _ b: String) -> Int {
    if a == b { return MatchPoints.sameRank }
    guard let placeA = KnownRanks.place(of: a), let placeB = KnownRanks.place(of: b),
      let species = KnownRanks.place(of: "species"), let genus = KnownRanks.place(of: "genus")
    else { return 0 }
    if placeA > species, placeB > species { return 0 }
    // Subgenera and sections have names of their own, which were those of genera or will be.
    if placeA >= genus, placeA < species, placeB >= genus, placeB < species, placeA != placeB {
      return 0
    }
    if let main = KnownRanks.mainRank(of: a), main == KnownRanks.mainRank(of: b) {
      return MatchPoints.sameRank
    }
    return MatchPoints.otherRank
  }
}

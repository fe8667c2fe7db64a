import STOLNames

extension TaxonMatcher {
  /// A name of a source that is added, with what tells it from others of its spelling.
  struct Name {
    let text: String
    let authorship: String
    let year: Int?
    let level: Int?
    let isSynonym: Bool
    /// The taxon that it is a name of.
    let home: Home
    /// What `KingdomSigns` says of that.
    let kingdom: Int
  }

  /// A name, of a taxon that is stated there.
  func name(
    _ text: String, _ authorship: String, _ year: Int?, level: Int?, isSynonym: Bool, of home: Home
  ) throws -> Name {
    Name(
      text: text, authorship: authorship, year: year, level: level, isSynonym: isSynonym,
      home: home, kingdom: try kingdoms.number(of: home))
  }

  /// Whether two names of one spelling can be one.
  enum Fit {
    case same
    case otherAuthors
    case otherKingdom
    /// A kingdom is not known of both, and they are in other groups.
    case otherGroups
  }

  /// Whether a name can be that of a taxon, or one of its synonyms, with that authorship.
  func fit(
    _ name: Name, _ authorship: String, _ year: Int?, of home: Home, isSynonym: Bool
  ) throws -> Fit {
    if !name.isSynonym, !isSynonym, Self.kingdom(name.text, name.level) != nil {
      // Who has named a kingdom says nothing.
      return .same
    }
    let kingdom = try kingdoms.number(of: home)
    if kingdoms.areApart(name.kingdom, kingdom) { return .otherKingdom }
    let authors = AuthorshipComparison.compare(
      name.authorship, year: name.year, authorship, year: year)
    if authors == .different { return .otherAuthors }
    let areSameAuthors =
      authors == .equal && !name.authorship.isEmpty && !authorship.isEmpty
    let mayBeTwo =
      (name.isSynonym || isSynonym || !name.text.contains(" ")
        || name.level == SourceRank.genus.level) && KingdomSigns.isOftenGivenTwice(name.level)
    guard mayBeTwo, !areSameAuthors,
      !kingdoms.sayKingdom(name.kingdom) || !kingdoms.sayKingdom(kingdom),
      try kingdoms.haveOtherGroups(name.home, home)
    else { return .same }
    return .otherGroups
  }

  /// Takes rows for the taxa of their name in other groups if something below both is the same.
  ///
  /// - Complexity: O(n · depth) if there are such rows.
  func confirm(
    _ homonyms: inout [Int: Set<Int64>], _ matches: inout [Match], _ added: Resolution,
    _ matching: inout IngestReport.Matching
  ) {
    guard !homonyms.isEmpty else { return }
    for row in matches.indices {
      guard case .taxon(let id) = matches[row] else { continue }
      for ancestor in added.ancestors(of: row) {
        guard let taxa = homonyms[ancestor],
          let taxon = taxa.sorted().first(where: { isAbove($0, id) })
        else { continue }
        matches[ancestor] = .taxon(taxon)
        matching.byName += 1
        homonyms[ancestor] = nil
      }
    }
  }

  /// Whether a taxon of the database is below another one.
  private func isAbove(_ taxon: Int64, _ id: Int64) -> Bool {
    var id = id
    while let place = place(of: id) {
      let source = known[Int(place.source)]
      var next = source.resolution.targets[Int(place.row)]
      while next != Resolution.none, source.id(Int(next)) == Intake.none {
        next = source.resolution.targets[Int(next)]
      }
      guard next != Resolution.none else { return false }
      id = source.id(Int(next))
      if id == taxon { return true }
    }
    return false
  }

  /// Of kingdoms that are one elsewhere the one of that very name, else the one that the others are in.
  func settled(_ kingdoms: Set<Int64>, _ name: Name) throws -> Set<Int64> {
    let ofName = try kingdoms.filter { id in
      guard let place = place(of: id) else { return false }
      let text = try known[Int(place.source)].intake.text(Int(place.row))
      return Resolver.key(text.name) == Resolver.key(name.text)
    }
    if ofName.count == 1 { return ofName }
    let left = ofName.isEmpty ? kingdoms : ofName
    return left.filter { id in !left.contains { isAbove($0, id) } }
  }
}

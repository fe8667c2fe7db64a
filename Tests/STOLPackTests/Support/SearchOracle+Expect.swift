import STOLPack

extension SearchOracle {
  /// Notes where a search, on its own and with a session, does not answer as brute force does.
  ///
  /// `filter` says in the words of the source what `query.filter` says.
  func expect(
    _ query: SearchQuery, filter: Filter = Filter(), in view: borrowing PackView,
    _ session: inout SearchSession, _ mismatches: inout Mismatches
  ) {
    let languages = Set(query.preferredLanguages.map { view.names.languages[$0] })
    func what(_ how: String = "") -> String {
      let distance = query.maximumDistance.map(String.init) ?? "nil"
      return "\(query.mode) k=\(distance) \(query.words) \(languages) limit=\(query.limit)\(how) "
        + "\(query.text.prefix(80).debugDescription) \(filter.isEmpty ? "" : "\(filter)")"
    }
    let all = search(
      query.text, mode: query.mode, maximumDistance: query.maximumDistance, words: query.words,
      preferring: languages, filter: filter)
    let expected = Array(all.prefix(query.limit))
    let hits = view.search(query)
    compare(hits, expected, &mismatches) { what() }
    session.search(query, in: view)
    compare(session.hits, expected, &mismatches) { what(" session") }
    let scores = hits.map(\.relevanceScore)
    mismatches.require(
      scores.allSatisfy { (0...1).contains($0) } && scores == scores.sorted(by: >),
      "scores \(scores) of \(what())")
    mismatches.require(session.hits.map(\.relevanceScore) == scores, "session scores of \(what())")
    guard hits.count == expected.count else { return }
    for index in expected.indices.dropFirst()
    where key(expected[index], preferring: languages)
      == key(expected[index - 1], preferring: languages)
    {
      mismatches.require(scores[index] == scores[index - 1], "score \(index) of \(what())")
    }
  }

  private func compare(
    _ hits: [SearchHit], _ expected: [Hit], _ mismatches: inout Mismatches, _ what: () -> String
  ) {
    let got = hits.map {
      Hit(
        taxon: $0.taxon.index, name: Int($0.name.rawValue), matchClass: $0.matchClass.rawValue,
        distance: $0.distance)
    }
    let index = zip(got, expected).prefix { $0 == $1 }.count
    mismatches.require(
      got == expected,
      "\(what()): \(got.count) hits, expected \(expected.count); the first that differs is "
        + "\(described(got, index)), expected \(described(expected, index)); "
        + "missing \(expected.filter { !got.contains($0) }.count), "
        + "too many \(got.filter { !expected.contains($0) }.count)")
  }

  private func described(_ hits: [Hit], _ index: Int) -> String {
    guard hits.indices.contains(index) else { return "none" }
    let hit = hits[index]
    let name = names.indices.contains(hit.name) ? names[hit.name].text : "?"
    return "taxon \(hit.taxon) by name \(hit.name) \"\(name)\", class \(hit.matchClass), "
      + "distance \(hit.distance)"
  }
}

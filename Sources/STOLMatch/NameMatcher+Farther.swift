import STOLNames
import STOLPack

/// Names that are more than two letters away, for whoever wants the likeliest answer whatever its score.
extension NameMatcher {
  /// The name that is least unlike the one that is asked for; nil where a score so low is no answer, or where
  /// nothing is like it.
  ///
  /// Looked at are whole names within three letters, and those of the genus whose epithets differ in a
  /// third of their letters at most.
  ///
  /// - Complexity: that of a search within three edits, and O(n) for the n names of the genus.
  mutating func answerByFarther(
    _ asked: Asked, _ refused: inout [MatchCandidate], _ view: borrowing PackView
  ) -> NameMatch? {
    guard options.leastScore <= MatchScore.base(.farther) / 10, !asked.isOpen else { return nil }
    let name = asked.names[0]
    let words = Folder.fold(String(decoding: name, as: UTF8.self)).utf8
      .split(separator: UInt8(ascii: " ")).map { Array($0) }
    guard words.count > 1, words[0].count > 1 else { return nil }
    found.removeAll()
    var best = Int.max
    findWithinThree(of: name, words, &best, view)
    findInGenus(words, &best, view)
    guard !found.isEmpty else { return nil }
    return decide(asked, isWhole: true, &refused, view)
  }

  private mutating func findWithinThree(
    of name: [UInt8], _ asked: [[UInt8]], _ best: inout Int, _ view: borrowing PackView
  ) {
    var text = [UInt8(ascii: "\"")]
    text += name
    text.append(UInt8(ascii: "\""))
    session.search(
      text.span,
      SearchQuery(
        "", mode: .fuzzy, maximumDistance: SearchQuery.greatestDistance, limit: Self.fartherLimit),
      in: view)
    for hit in session.hits where hit.matchClass == .fuzzyName {
      offer(hit.name, asked, &best, view)
    }
  }

  private mutating func findInGenus(
    _ asked: [[UInt8]], _ best: inout Int, _ view: borrowing PackView
  ) {
    let genus = asked[0]
    for edits in 0...1 {
      session.search(
        genus.span,
        SearchQuery(
          "", mode: edits == 0 ? .exact : .fuzzy, maximumDistance: edits, limit: Self.genusLimit),
        in: view)
      var genera: [TaxonOrdinal] = []
      for hit in session.hits
      where (hit.matchClass == .exactName || hit.matchClass == .fuzzyName)
        && view.rank(of: hit.taxon).rawValue == "genus" && isName(hit.name, view)
      {
        genera.append(hit.taxon)
      }
      for taxon in genera {
        let clade = view.tree.subtree(of: taxon)
        guard clade.count <= Self.greatestGenus else { continue }
        for taxon in clade {
          offer(NameOrdinal(rawValue: taxon.rawValue), asked, &best, view)
          for name in view.names.furtherNames(of: taxon) { offer(name, asked, &best, view) }
        }
      }
      if !genera.isEmpty { return }
    }
  }

  /// Keeps a name if nothing was more like the one that is asked for.
  private mutating func offer(
    _ name: NameOrdinal, _ asked: [[UInt8]], _ best: inout Int, _ view: borrowing PackView
  ) {
    let taxon = view.names.taxon(of: name)
    guard isName(name, view), !view.isImplied(taxon) else { return }
    let words = words(of: name, view)
    guard words.count == asked.count else { return }
    var edits = 0
    var cost = 0
    for (number, pair) in zip(asked, words).enumerated() where pair.0 != pair.1 {
      let distance = WordDistance.between(pair.0, pair.1)
      let plain = NameStem.soundDistance(pair.0, pair.1)
      let longest = max(pair.0.count, pair.1.count)
      // Less than a third of a genus, and a third of an epithet, unless they sound alike.
      guard 3 * min(distance, plain + 1) <= longest - (number == 0 ? 1 : 0) else { return }
      edits += distance
      // A genus is misspelt less often.
      cost += 2 * plain + distance + (number == 0 ? 1 : 0)
    }
    guard cost <= best else { return }
    if cost < best { found.removeAll() }
    best = cost
    found.add(MatchCandidate(name: name, taxon: taxon, difference: .farther, edits: edits))
  }

  private static let fartherLimit = 256
  private static let genusLimit = 16
  /// A genus with more names is none.
  private static let greatestGenus = 20_000
}

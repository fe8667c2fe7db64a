/// Names that equal a text as a whole: what is asked for most, told with the fewest reads.
extension SearchSession {
  /// Offers the names that equal `text`; the only one that there is, is returned instead.
  mutating func matchWholeNames(
    _ text: borrowing FoldedText, as matchClass: MatchClass = .exactName, _ query: SearchQuery,
    _ view: borrowing PackView
  ) -> NameOrdinal? {
    let names = view.names.folded
    var rows = view.wholeNames.rows(for: text)
    var first: NameOrdinal?
    var hasMore = false
    while let name = view.wholeNames.next(&rows) {
      guard names.isFolded(name, text) else { continue }
      guard let other = first else {
        first = name
        continue
      }
      if !hasMore { offer(other, matchClass, 0, query, view) }
      hasMore = true
      offer(name, matchClass, 0, query, view)
    }
    return hasMore ? nil : first
  }

  /// Offers all names that equal the text of the query.
  mutating func offerWholeNames(_ query: SearchQuery, _ view: borrowing PackView) {
    let bytes = text.bytes
    guard !bytes.isEmpty,
      let only = matchWholeNames(FoldedText(folded: bytes.span), query, view)
    else { return }
    offer(only, .exactName, 0, query, view)
  }

  /// Offers all names that the words of the query make when they are put together.
  mutating func offerJoinedNames(_ query: SearchQuery, _ view: borrowing PackView) {
    candidate.removeAll(keepingCapacity: true)
    for word in text.wordBytes { candidate.append(contentsOf: text.bytes[word]) }
    let bytes = candidate
    guard let only = matchWholeNames(FoldedText(folded: bytes.span), as: .exactForm, query, view)
    else { return }
    offer(only, .exactForm, 0, query, view)
  }

  /// Adds the hit of the only name that equals the text; there is nothing to put in order.
  mutating func addOnlyHit(
    _ name: NameOrdinal, _ query: SearchQuery, _ view: borrowing PackView
  ) {
    let taxon = view.names.taxon(of: name)
    guard view.passes(taxon, name, query.filter) else { return }
    let firstKey = HitKey.first(.exactName, distance: 0)
    addHit(taxon, name, key(of: name, taxon, .exactName, firstKey, query, view))
  }

  /// What names equal a text.
  package enum Equal: Sendable {
    /// No name of any kind.
    case none
    /// Exactly one.
    case one(NameOrdinal)
    /// Several, perhaps of one taxon.
    case several
  }

  /// Which names equal a text that folding leaves as it is; the same as a search for it by
  /// `SearchQuery.Mode.exact` finds.
  ///
  /// - Complexity: O(length)
  package mutating func namesEqual(to text: [UInt8], in view: borrowing PackView) -> Equal {
    text.isEmpty ? .none : view.namesEqual(to: FoldedText(folded: text.span))
  }
}

extension PackView {
  /// Which names equal a text that is not empty.
  ///
  /// - Complexity: O(length)
  func namesEqual(to text: borrowing FoldedText) -> SearchSession.Equal {
    let folded = names.folded
    var rows = wholeNames.rows(for: text)
    var found: NameOrdinal?
    while let name = wholeNames.next(&rows) {
      guard folded.isFolded(name, text) else { continue }
      if found != nil { return .several }
      found = name
    }
    return found.map { .one($0) } ?? .none
  }
}

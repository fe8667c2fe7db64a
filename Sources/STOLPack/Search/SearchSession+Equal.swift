/// Names that equal a plain text: what is asked for most, told with the fewest reads.
extension SearchSession {
  /// What names equal a text.
  package enum Equal: Sendable {
    /// No name of any kind.
    case none
    /// Exactly one.
    case one(NameOrdinal)
    /// Several, perhaps of one taxon.
    case several
  }

  /// Which names equal one or two words of small letters of ASCII and hyphens, with a space between them;
  /// the same as a search for the text by `SearchQuery.Mode.exact` finds.
  ///
  /// - Complexity: that of the search; nothing is put in order.
  package mutating func namesEqual(
    to text: [UInt8], in view: borrowing PackView
  ) -> Equal {
    let bytes = text.span
    var space = 0
    while space < bytes.count, bytes[space] != 0x20 { space &+= 1 }
    let isBinomial = space < bytes.count
    let firstBytes = bytes.extracting(0..<space)
    let lastBytes = isBinomial ? bytes.extracting(space &+ 1..<bytes.count) : firstBytes
    guard let last = view.names.vocabulary.find(lastBytes) else { return .none }
    let rows = view.postings.rows(of: last)
    var found = Equal.none
    // In a short list the first word is compared where it stands.
    guard rows.count > Self.shortList, isBinomial else {
      for row in rows {
        let name = view.postings[row]
        guard name.index < view.names.count else { continue }
        if isEqual(name, last, firstBytes, isBinomial, view) { found.add(name) }
      }
      return found
    }
    guard let first = view.names.vocabulary.find(firstBytes) else { return .none }
    let firstRows = view.postings.rows(of: first)
    guard firstRows.count &* Self.shortList < rows.count else {
      for row in rows {
        let name = view.postings[row]
        guard name.index < view.names.count else { continue }
        if isBinomialOf(name, first, last, view) { found.add(name) }
      }
      return found
    }
    for row in firstRows {
      let name = view.postings[row]
      guard name.index < view.names.count else { continue }
      switch view.names.storedForm(of: name) {
      case .binomial: continue
      case .phrase: if isBinomialOf(name, first, last, view) { found.add(name) }
      case .uninomial:
        let species = view.tree.subtree(of: TaxonOrdinal(name.index)).columnIndices.dropFirst()
        for row in view.postings.rows(of: last, in: species) {
          let other = view.postings[row]
          if view.names.storedForm(of: other) == .binomial,
            view.tree.storedParent(other.index) == name.index &+ 1
          {
            found.add(other)
          }
        }
      }
    }
    return found
  }

  /// Shorter lists are read rather than compared with others.
  private static let shortList = 4

  /// Whether a name has the words `first` and `last` and no others.
  @inline(__always)
  private func isBinomialOf(
    _ name: NameOrdinal, _ first: Int, _ last: Int, _ view: borrowing PackView
  ) -> Bool {
    switch view.names.form(of: name) {
    case .uninomial: return false
    case .binomial(let genus, let epithet): return genus == first && epithet == last
    case .phrase:
      let ends = view.names.ends(name)
      return ends.count == 2 && ends.first == first && ends.last == last
    }
  }

  /// Whether a name is the word `last`, or for a binomial that word behind one of the bytes `first`.
  @inline(__always)
  private func isEqual(
    _ name: NameOrdinal, _ last: Int, _ first: Span<UInt8>, _ isBinomial: Bool,
    _ view: borrowing PackView
  ) -> Bool {
    switch view.names.form(of: name) {
    case .uninomial(let word): return !isBinomial && word == last
    case .binomial(let genus, let epithet):
      return isBinomial && epithet == last && view.names.vocabulary.equals(genus, first)
    case .phrase:
      let ends = view.names.ends(name)
      guard ends.last == last else { return false }
      return isBinomial
        ? ends.count == 2 && view.names.vocabulary.equals(ends.first, first) : ends.count == 1
    }
  }
}

extension SearchSession.Equal {
  /// Counts one more name.
  @inline(__always)
  fileprivate mutating func add(_ name: NameOrdinal) {
    if case .none = self { self = .one(name) } else { self = .several }
  }
}

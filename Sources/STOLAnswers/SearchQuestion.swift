package import STOLPack

/// Which taxa have a name like the input.
package struct SearchQuestion: Question {
  package static let columns = Schema.hitColumns

  private let mode: SearchQuery.Mode
  private let maximumDistance: Int?
  private let order: SearchQuery.Order

  package init(mode: SearchQuery.Mode, maximumDistance: Int?, order: SearchQuery.Order) {
    self.mode = mode
    self.maximumDistance = maximumDistance
    self.order = order
  }

  package func prepare(_ context: inout QuestionContext, isBatch: Bool) {
    context.query = SearchQuery(
      "", mode: mode, maximumDistance: maximumDistance, order: order,
      // A row has room for the best hit only.
      limit: isBatch && !context.format.isStructured ? 1 : context.limit ?? .max,
      filter: context.filter)
  }

  package func answer(
    _ input: QuestionInput, _ view: borrowing PackView, _ context: inout QuestionContext
  ) -> Answer<[SearchHit]> {
    guard isAskable(input.bytes, context.filter) else { return .failed(.invalid) }
    context.session.search(input.bytes.span, context.query, in: view)
    if context.format == .table { context.query.text = input.text }
    let hits = context.session.hits
    guard let best = hits.first else { return Answer(status: .notFound, value: []) }
    return Answer(status: best.matchClass <= .allWords ? .exact : .fuzzy, value: hits)
  }

  private func isAskable(_ text: ArraySlice<UInt8>, _ filter: SearchFilter) -> Bool {
    guard text.count <= SearchQuery.maximumByteCount else { return false }
    // Most texts begin with a letter or a digit.
    if let first = text.first, first > UInt8(ascii: " "), first < 0x80 { return true }
    return !filter.isEmpty || String(decoding: text, as: UTF8.self).contains { !$0.isWhitespace }
  }

  package func rowCount(of hits: [SearchHit]) -> Int { hits.count }

  package func writeRow(
    _ row: Int, of hits: [SearchHit], _ view: borrowing PackView,
    _ context: borrowing QuestionContext, to writer: inout RowWriter
  ) {
    let hit = hits[row]
    Schema.writeFields(of: hit, view, to: &writer)
    writer.mark {
      MatchedLetters.ranges(
        of: context.query.text, in: view.names.text(of: hit.name), matchClass: hit.matchClass)
    }
  }
}

/// Which taxa are of a rank, clades together and siblings by name.
package struct RankQuestion: TaxonListQuestion {
  package init() {}

  package func answer(
    _ input: QuestionInput, _ view: borrowing PackView, _ context: inout QuestionContext
  ) -> Answer<TaxonList> {
    guard let rank = view.taxa.ranks.row(of: TaxonRank(rawValue: input.text.lowercased())) else {
      return .failed(.invalid)
    }
    var filter = context.filter
    filter.rank = rank
    var taxa: [TaxonOrdinal] = []
    for taxon in filter.clade ?? view.tree.taxa {
      if view.passes(taxon, filter) { taxa.append(taxon) }
    }
    return Answer(
      status: taxa.isEmpty ? .notFound : .exact, value: TaxonList(taxa, limit: context.limit))
  }
}

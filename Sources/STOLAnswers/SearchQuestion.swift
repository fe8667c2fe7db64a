import STOLMatch
package import STOLPack

/// Which taxa have a name like the input.
package struct SearchQuestion: Question {
  package static let columns = Schema.hitColumns
  package static let namesTaxa = false

  /// What was found.
  package struct Value {
    package let hits: [SearchHit]
    /// Whether the limit left out others.
    package let isCut: Bool
  }

  private let mode: SearchQuery.Mode
  private let maximumDistance: Int?
  private let words: SearchQuery.Words

  package init(mode: SearchQuery.Mode, maximumDistance: Int?, words: SearchQuery.Words) {
    self.mode = mode
    self.maximumDistance = maximumDistance
    self.words = words
  }

  /// An exact name is sooner looked up than its row kept, unless it leads to very many taxa.
  package var leastRememberedByteCount: Int { mode == .exact ? 1 << 10 : 0 }

  package func prepare(_ context: inout QuestionContext, isBatch: Bool) {
    context.query = SearchQuery(
      "", mode: mode, maximumDistance: maximumDistance, words: words,
      preferredLanguages: context.languages.wished,
      // One more than is shown tells whether there are others.
      limit: rowLimit(context, isBatch: isBatch).map { $0 + 1 } ?? .max, filter: context.filter)
    context.isBatch = isBatch
  }

  /// The most rows: a line of cells has room for one hit.
  private func rowLimit(_ context: borrowing QuestionContext, isBatch: Bool) -> Int? {
    isBatch && !context.format.isStructured ? 1 : context.limit
  }

  package func answer(
    _ input: QuestionInput, _ view: borrowing PackView, _ context: inout QuestionContext
  ) -> Answer<Value> {
    guard isAskable(input.bytes, context.filter) else { return .failed(.invalid) }
    var text = input.bytes
    let given = (context.query.mode, context.query.limit)
    defer { (context.query.mode, context.query.limit) = given }
    // Without text, what passes the filters is all that was asked for.
    guard !text.allSatisfy({ $0 == UInt8(ascii: " ") }) else {
      let value = find(text, view, &context).value
      return Answer(
        status: value.hits.isEmpty ? .notFound : .exact, value: value, isCut: value.isCut)
    }
    let isHigherTaxon: Bool
    switch context.reader.read(text, context.query, &context.session, in: view) {
    case .id(let found, let hits): return answer(found, hits, context)
    case .authored(let found, let hits):
      if context.format == .table, let name = hits.first?.name {
        context.query.text = view.names.text(of: name)
      }
      return answer(found, hits, context)
    case .text(let read, let mode, let isPart):
      (text, isHigherTaxon) = (read, isPart)
      context.query.mode = mode
    }
    let (value, second) = find(text, view, &context)
    if context.format == .table { context.query.text = String(decoding: text, as: UTF8.self) }
    guard let best = value.hits.first, SearchReader.isAnswer(best, to: text, mode, in: view) else {
      return Answer(status: .notFound, value: Value(hits: [], isCut: false))
    }
    var answer = judged(best, second, value, isHigherTaxon, text, view, &context)
    // A line of cells holds the best hit, whatever the limit.
    if !context.isBatch || context.format.isStructured { answer.isCut = value.isCut }
    if isHigherTaxon, answer.status == .partial {
      answer.matches = [TaxonMatch(input.text, .partial, best.taxon)]
    }
    return answer
  }

  /// Several that fit equally are found, as all else that matches.
  package func isFound(_ answer: Answer<Value>) -> Bool {
    answer.isFound || answer.status == .ambiguous
  }

  /// The answer where it is known which taxa a text means, by their ids or by a name with authors.
  private func answer(
    _ found: TaxonResolution, _ known: [SearchHit], _ context: borrowing QuestionContext
  ) -> Answer<Value> {
    let isPicked = known.count < 2 || !context.isBatch || context.format.isStructured
    let hits = Array(known.prefix(isPicked ? context.limit ?? .max : 0))
    let isCut = isPicked && hits.count < known.count
    return Answer(
      status: found.status, value: Value(hits: hits, isCut: isCut), candidates: found.candidates,
      isCut: isCut)
  }

  /// The status of what was found; where several taxa fit equally, all of them.
  private func judged(
    _ best: SearchHit, _ second: SearchHit?, _ value: Value, _ isHigherTaxon: Bool,
    _ text: ArraySlice<UInt8>, _ view: borrowing PackView, _ context: inout QuestionContext
  ) -> Answer<Value> {
    let isWhole = best.matchClass == .exactName || best.matchClass == .fuzzyName
    let isTied = second.map { fitsEqually($0, best, view) } ?? false
    guard isWhole, isTied else {
      let status =
        isHigherTaxon || !isWhole ? .partial : status(ofWhole: best, view)
      // What only begins alike is named where nothing else does; a line never picks one of several.
      let isOpen = isTied && context.isBatch && !context.format.isStructured
      guard isOpen else { return Answer(status: status, value: value) }
      let (taxa, isCut) = firstCandidates(text, view, &context)
      return Answer<Value>(status: status, candidates: taxa, isCut: isCut)
    }
    let isPicked = !context.isBatch || context.format.isStructured
    return Answer(
      status: .ambiguous, value: isPicked ? value : nil,
      candidates: candidates(like: best, text, view, &context))
  }

  private func status(ofWhole hit: SearchHit, _ view: borrowing PackView) -> AnswerStatus {
    if hit.matchClass == .fuzzyName { return hit.distance == 0 ? .exact : .fuzzy }
    if view.isScientific(hit.name) { return .exact }
    return view.names.type(of: hit.name) == .synonym ? .synonym : .common
  }

  /// Whether a hit matches as well as another one: a scientific name that is whole goes before others.
  private func fitsEqually(_ hit: SearchHit, _ best: SearchHit, _ view: borrowing PackView) -> Bool
  {
    hit.matchClass == best.matchClass && hit.distance == best.distance
      && (best.matchClass != .exactName
        || view.isScientific(hit.name) == view.isScientific(best.name))
  }

  /// All taxa that match as well as the best one.
  private func candidates(
    like best: SearchHit, _ text: ArraySlice<UInt8>, _ view: borrowing PackView,
    _ context: inout QuestionContext
  ) -> [TaxonOrdinal] {
    context.query.limit = .max
    if best.matchClass == .exactName { context.query.mode = .exact }
    context.session.search(text.span, context.query, in: view)
    var taxa: [TaxonOrdinal] = []
    for hit in context.session.hits where fitsEqually(hit, best, view) && !view.isImplied(hit.taxon)
    {
      taxa.append(hit.taxon)
    }
    return taxa
  }

  /// The best of what begins like a text, within the limit, and whether that left out others.
  private func firstCandidates(
    _ text: ArraySlice<UInt8>, _ view: borrowing PackView, _ context: inout QuestionContext
  ) -> ([TaxonOrdinal], isCut: Bool) {
    let limit = context.limit
    context.query.limit = limit.map { $0 + 1 } ?? .max
    context.session.isOneFewerEnough = true
    defer { context.session.isOneFewerEnough = false }
    context.session.search(text.span, context.query, in: view)
    let hits = context.session.hits
    // Where completions are stored, others than those are taken for granted.
    let isCut = limit.map { hits.count > $0 || context.session.areHitsStored && hits.count == $0 }
    let taxa = hits.prefix(limit ?? .max).map { $0.taxon }
    return (taxa.filter { !view.isImplied($0) }, isCut ?? false)
  }

  /// The hits within the limit, and the second of all.
  private func find(
    _ text: ArraySlice<UInt8>, _ view: borrowing PackView, _ context: inout QuestionContext
  ) -> (value: Value, second: SearchHit?) {
    // What a line has room for is decided by what matches without an edit, where anything does.
    let isLine = context.isBatch && !context.format.isStructured && context.query.mode == .auto
    if isLine { context.query.mode = .prefix }
    context.session.search(text.span, context.query, in: view)
    if isLine, context.session.hits.isEmpty {
      context.query.mode = .auto
      context.session.search(text.span, context.query, in: view)
    }
    var hits = context.session.hits
    // A root that no source has is no answer to a text.
    if !text.isEmpty, let implied = hits.firstIndex(where: { view.isImplied($0.taxon) }) {
      if hits.count == context.query.limit {
        context.query.limit += 1
        context.session.search(text.span, context.query, in: view)
        context.query.limit -= 1
        hits = context.session.hits
      }
      hits.remove(at: implied)
    }
    let second = hits.dropFirst().first
    let isCut = hits.count == context.query.limit
    if isCut { hits.removeLast() }
    return (Value(hits: hits, isCut: isCut), second)
  }

  private func isAskable(_ text: ArraySlice<UInt8>, _ filter: SearchFilter) -> Bool {
    guard text.count <= SearchQuery.maximumByteCount else { return false }
    // Most texts begin with a letter or a digit.
    if let first = text.first, first > UInt8(ascii: " "), first < 0x80 { return true }
    return !filter.isEmpty || String(decoding: text, as: UTF8.self).contains { !$0.isWhitespace }
  }

  package func rowCount(of value: Value) -> Int { value.hits.count }
  package func taxon(ofRow row: Int, of value: Value) -> TaxonOrdinal? { value.hits[row].taxon }

  package func writeRow(
    _ row: Int, of value: Value, _ view: borrowing PackView,
    _ context: borrowing QuestionContext, to writer: inout RowWriter
  ) {
    let hit = value.hits[row]
    Schema.writeFields(of: hit, view, to: &writer)
    writer.mark {
      MatchedLetters.ranges(
        of: context.query.text, in: view.names.text(of: hit.name), matchClass: hit.matchClass)
    }
  }
}

/// Which taxa are of a rank, clades together and siblings by name.
package struct RankQuestion: TaxonListQuestion {
  package static let namesTaxa = false

  package init() {}

  package func answer(
    _ input: QuestionInput, _ view: borrowing PackView, _ context: inout QuestionContext
  ) -> Answer<TaxonList> {
    guard let rank = view.taxa.ranks.rows(named: input.text).first else {
      return .failed(.invalid)
    }
    var filter = context.filter
    filter.rank = rank
    var taxa: [TaxonOrdinal] = []
    for taxon in filter.clade ?? view.tree.taxa {
      if view.passes(taxon, filter) { taxa.append(taxon) }
    }
    let list = TaxonList(taxa, limit: context.limit)
    return Answer(
      status: taxa.isEmpty ? .notFound : .exact, value: list, isCut: list.omittedCount > 0)
  }
}

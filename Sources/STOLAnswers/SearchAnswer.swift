package import STOLPack
package import STOLSearch

/// The answer to a search as owned values, for a page.
package struct SearchAnswer: Sendable {
  package let status: AnswerStatus
  package let results: [SearchResult]
  /// Whether the limit left out others.
  package let isCut: Bool
  /// The taxa that fit equally, where several do.
  package let candidates: [TaxonID]
  /// What the text is to the taxon, of a name in open nomenclature.
  package let sentence: String?
}

extension SearchQuestion {
  /// The answer to one text, names in `languages` first; the memory of `session` is used again.
  package func answer(
    _ text: String, _ filter: SearchFilter, _ languages: LanguagePreference, limit: Int,
    in view: borrowing PackView, _ session: inout SearchSession
  ) -> SearchAnswer {
    var context = QuestionContext(
      filter: filter, languages: languages, limit: limit, format: .table)
    swap(&context.session, &session)
    defer { swap(&context.session, &session) }
    prepare(&context, isBatch: false)
    let answer = answer(QuestionInput(arguments: [text]), view, &context)
    return SearchAnswer(
      status: answer.status,
      results: (answer.value?.hits ?? []).map {
        SearchResult($0, query: context.query.text, in: view)
      },
      isCut: answer.value?.isCut ?? false, candidates: answer.candidates.map { view.ids[$0] },
      sentence: answer.matches.first.flatMap { $0?.sentence(view) })
  }
}

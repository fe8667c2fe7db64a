import STOLAnswers
import STOLData
import STOLJournal

extension Pages {
  /// As many names are asked about on the page.
  private static let shownQuestionCount = 100

  /// The names that nobody decided, each with what it may be.
  func questions(
    _ outcome: ImportOutcome, _ taxa: [TaxonReference: SeenTaxon]
  ) -> Html? {
    guard !outcome.questions.isEmpty else { return nil }
    let asked = outcome.questions.filter { !$0.candidates.isEmpty }
    let shown = asked.prefix(Self.shownQuestionCount)
    let unknown = outcome.questions.filter(\.candidates.isEmpty)
    return tag("div", .class("decisions"), .id("names")) {
      if !shown.isEmpty {
        tag("h2") {
          "\(Words.count(asked.count, "name needs", "names need").capitalisedFirst) a decision"
        }
        tag("p") {
          "They are not known letter for letter, or stand for several. What you leave open stays as it is written."
        }
        for question in shown { decision(question, taxa) }
        if asked.count > shown.count {
          tag("p", .class("note")) {
            "\(Words.grouped(asked.count - shown.count)) more stay open; each can be decided on the page of its sighting."
          }
        }
      }
      if !unknown.isEmpty {
        tag("p", .class("note")) {
          "\(Words.count(unknown.count, "name is", "names are").capitalisedFirst) like none that is known, and stay as written: "
          tag("bdi") {
            unknown.prefix(12).map(\.verbatimName).joined(separator: ", ")
              + (unknown.count > 12 ? ", …" : "")
          }
        }
      }
    }
  }

  private func decision(_ question: NameQuestion, _ taxa: [TaxonReference: SeenTaxon]) -> Html {
    let name = Self.decisionPrefix + question.key
    return tag("fieldset", .class("decision")) {
      tag("legend") {
        tag("bdi") { question.verbatimName }
        ", \(Words.count(question.rowCount, "row", "rows"))"
      }
      tag("p", .class("note")) { "\(question.reason.capitalisedFirst)." }
      for candidate in question.candidates {
        tag("label", .class("choose")) {
          void(
            "input", .type("radio"), .name(name), .value(candidate.taxon.written))
          tag("span") {
            taxa[candidate.taxon]?.names ?? SeenTaxon.scientific(candidate.taxon.name)
            " "
            tag("span", .class("badge rank")) { candidate.taxon.rank }
          }
        }
      }
      tag("label", .class("choose")) {
        void(
          "input", .type("radio"), .name(name), .value(""), Attribute("checked", isSet: true))
        "Leave it open"
      }
    }
  }
}

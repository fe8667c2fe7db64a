import STOLAnswers
import STOLData
import STOLJournal
import STOLPack

extension Pages {
  /// What was seen on the tree of life: a drawing, and the same as a list.
  func journalLifeTree(_ visit: Visit, _ journal: LocalJournal) async throws -> Reply {
    let question = try await question(visit, JournalFilter(visit.query), journal)
    let entries = try await journal.lifeList(question.query)
    let tree = withView(visit) { view, languages in
      var seen: [TaxonOrdinal: Int] = [:]
      var absentCount = 0
      for (entry, outcome) in zip(entries, view.resolve(entries.map(\.taxon))) {
        if let taxon = outcome.taxon {
          seen[taxon, default: 0] &+= entry.sightingCount
        } else {
          absentCount += 1
        }
      }
      return LifeTree(
        of: seen, absentCount: absentCount, question.filter, in: view, languages)
    }
    switch visit.address.form {
    case .json: return .json { tree.write(to: &$0) }
    case .svg: return .picture(tree.picture(format(visit)))
    case .page, .csv, .tsv: break
    }
    let place = try await placeName(question.filter.place, journal)
    return journalPage(visit, .lifeTree, "Life list") {
      filterForm(visit, .lifeTree, question)
      chosen(question, .lifeTree, place)
      tag("p", .class("lead")) {
        "\(Words.count(tree.taxonCount, "taxon was", "taxa were").capitalisedFirst) seen, with their families and orders."
        if tree.absentCount > 0 {
          " \(Words.count(tree.absentCount, "other is", "others are").capitalisedFirst) in no place of this tree: see the list."
        }
      }
      lifeOrders(question.filter, isByName: false, isTree: true)
      if tree.nodes.isEmpty {
        tag("p") { "Nothing yet." }
      } else {
        figure(visit, list: tree.list) { tree.picture($0) }
      }
    }
  }

  /// A tree of life on which nothing was seen.
  func emptyLifeTree(_ visit: Visit) -> Reply { .picture(LifeTree().picture(format(visit))) }

  /// The ways in which a life list is shown.
  func lifeOrders(_ filter: JournalFilter, isByName: Bool, isTree: Bool) -> Html {
    Layout.chips(
      "Order",
      [
        ("New ones first", filter.address(.life), !isByName && !isTree),
        (
          "By name", Address(.journal(.life), query: filter.fields.adding("sort", "name")),
          isByName
        ),
        ("On the tree of life", filter.address(.lifeTree), isTree),
      ])
  }
}

import ArgumentParser
import STOLAnswers
import STOLPack
import STOLSearch

/// What settles which taxon an ambiguous name means.
struct ChoiceOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Only taxa of this rank.", valueName: "rank"))
  var rank: String?

  @Option(help: ArgumentHelp("Only taxa within this clade (id or name).", valueName: "taxon"))
  var within: String?

  /// The filter that the options amount to.
  func filter(_ view: borrowing PackView) throws -> SearchFilter {
    let clade = try within.map { view.ids[try view.taxon(named: $0)] }
    return try TaxonFilter(rank: rank.map { TaxonRank(rawValue: $0) }, within: clade)
      .resolved(in: view)
  }
}

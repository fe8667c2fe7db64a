import ArgumentParser
import STOLAnswers

/// The command `stol query lca`.
struct LCACommand: Query {
  static let configuration = CommandConfiguration(
    commandName: "lca", abstract: "Find the lowest common ancestor of taxa.",
    discussion: """
      In a batch, one set a line, members separated by tabs. Taxa of different trees have none.

        stol query lca "Panthera leo" "Canis lupus" "Homo sapiens"
        stol query lca - < pairs.tsv
      """)

  @Argument(help: "Two or more ids or names, or - for many sets.") var taxa: [String] = []
  @OptionGroup var options: QueryOptions

  var arguments: [String] { taxa }
  var question: LCAQuestion { LCAQuestion() }
}

/// The command `stol query distance`.
struct DistanceCommand: Query {
  static let configuration = CommandConfiguration(
    commandName: "distance", abstract: "Count the edges between two taxa.",
    discussion: """
        stol query distance lion tiger
        stol query distance - < pairs.tsv
      """)

  @Argument(help: "Two ids or names, or - for many pairs.") var taxa: [String] = []
  @OptionGroup var options: QueryOptions

  var arguments: [String] { taxa }
  var question: DistanceQuestion { DistanceQuestion() }

  func validate() throws { try requirePair(taxa, options) }
}

/// Refuses any number of arguments but two, none, or one that is a batch.
func requirePair(_ taxa: [String], _ options: QueryOptions) throws {
  let isBatch = try BatchSource(arguments: taxa, input: options.input) != nil
  guard taxa.count == 2 || taxa.isEmpty || isBatch else {
    throw ValidationError("needs two taxa, got \(taxa.count); quote names with spaces")
  }
}

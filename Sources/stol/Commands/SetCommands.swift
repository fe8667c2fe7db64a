import ArgumentParser
import STOLAnswers
import STOLPack
import STOLSystem

/// The command `stol query lca`.
struct LCACommand: Query {
  static let configuration = CommandConfiguration(
    commandName: "lca", abstract: "Find the lowest common ancestor of taxa.",
    discussion: """
      In a batch, one set a line, members separated by tabs. Taxa of different trees have none. \
      --skip-unknown leaves out members that name no taxon; one that names several still makes the set \
      ambiguous. With --majority, the deepest taxon that has this share of the members at it or below it.

        stol query lca "Panthera leo" "Canis lupus" "Homo sapiens"
        stol query lca - < pairs.tsv
        stol query lca - --separator , --skip-unknown < sets.csv
        stol query lca --from hits.tsv --weights --majority 0.8
      """)

  @Argument(help: "Two or more ids or names, or - for many sets.") var taxa: [String] = []
  @OptionGroup var setOptions: SetOptions
  @Flag(help: "Leave out members that name no taxon, and say which they are.")
  var skipUnknown = false
  @Option(
    help: ArgumentHelp(
      "Ask only for this share of the members, above 0.5 and 1 at most (default: 1).",
      valueName: "share"))
  var majority: Double?
  @Flag(help: "Every member is followed by its weight, in a column of its own; with --majority.")
  var weights = false
  @Option(help: .rank) var rank: String?
  @OptionGroup var options: QueryOptions

  var arguments: [String] { taxa }
  var memberFile: String? { setOptions.from }
  var separator: [UInt8] { setOptions.separatorBytes }
  var question: LCAQuestion {
    LCAQuestion(skipsUnknown: skipUnknown, share: majority, isWeighted: weights)
  }

  func validate() throws {
    try setOptions.refuseSeparator(taxa, options)
    if let majority, !(majority > 0.5 && majority <= 1) {
      throw ValidationError(
        "--majority must be above 0.5, so that one taxon has it, and 1 at most, got \(majority)")
    }
    if weights, majority == nil { throw ValidationError("--weights needs --majority") }
  }

  func failure(
    _ answer: Answer<CommonAncestor>, _ view: borrowing PackView, _ filter: SearchFilter
  ) throws -> CommandFailure {
    guard answer.status != .invalid else {
      let invalid = answer.unresolved.filter { $0.status == .invalid && !skipUnknown }
      if let failure = view.failure(of: invalid, filter) { throw failure }
      return CommandFailure(
        .usage,
        "weights must be numbers, one a member, none of them negative, not all of them 0, "
          + "with a sum below 1.8e308")
    }
    let unresolved = answer.unresolved.filter { !skipUnknown || $0.status == .ambiguous }
    if let failure = view.failure(of: unresolved, filter) { throw failure }
    guard answer.status != .notFound else {
      return CommandFailure(.notFound, "none of the members names a taxon")
    }
    return CommandFailure(
      .notFound,
      majority == nil
        ? "no common ancestor: the taxa are in different trees"
        : "no taxon has this share: the taxa are in different trees")
  }

  func note(_ answer: Answer<CommonAncestor>) -> String? {
    answer.value?.isZeroApart == true ? CommonAncestor.zeroApart : nil
  }
}

/// Where the members of a set come from.
struct SetOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Read the members of one set from this file, a line each (- is the standard input).",
      valueName: "file"),
    completion: .file())
  var from: String?

  @Option(
    help: ArgumentHelp(
      "What stands between the members of a line (default: a tab).", valueName: "text"))
  var separator: String?

  /// The same as bytes.
  var separatorBytes: [UInt8] { Array((separator ?? "\t").utf8) }

  func validate() throws {
    guard separator?.isEmpty == true else { return }
    throw ValidationError("--separator needs at least one character")
  }

  /// Refuses a separator where no line is read.
  func refuseSeparator(_ taxa: [String], _ options: QueryOptions) throws {
    guard separator != nil, from == nil,
      try BatchSource(arguments: taxa, input: options.input) == nil
    else { return }
    throw ValidationError("--separator is for lines, of a batch or of --from")
  }
}

/// The command `stol query distance`.
struct DistanceCommand: Query {
  static let configuration = CommandConfiguration(
    commandName: "distance", abstract: "Count the steps of main ranks between two taxa.",
    discussion: """
      Between taxa of other ranks the distance may be 0, which is said, in JSON as isZeroApart.

        stol query distance lion tiger
        stol query distance - < pairs.tsv
      """)

  @Argument(help: "Two ids or names, or - for many pairs.") var taxa: [String] = []
  @Option(help: .rank) var rank: String?
  @OptionGroup var options: QueryOptions

  var arguments: [String] { taxa }
  var question: DistanceQuestion { DistanceQuestion() }

  func check() throws { try requirePair(taxa, options) }

  func note(_ answer: Answer<CommonAncestor>) -> String? {
    answer.value?.isZeroApart == true ? CommonAncestor.zeroApart : nil
  }
}

extension CommonAncestor {
  /// Why the distance of different taxa is 0.
  static let zeroApart = "0 steps: no main rank lies between these two taxa"
}

/// Refuses any number of arguments but two, none, or one that is a batch.
func requirePair(_ taxa: [String], _ options: QueryOptions) throws {
  let isBatch = try BatchSource(arguments: taxa, input: options.input) != nil
  guard taxa.count == 2 || taxa.isEmpty || isBatch else {
    throw ValidationError("needs two taxa, got \(taxa.count); quote names with spaces")
  }
}

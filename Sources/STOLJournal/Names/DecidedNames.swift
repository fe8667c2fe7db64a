import STOLData
package import STOLPack

/// A name in a file that is no identification by itself: a person has to say what it is.
package struct NameQuestion: Equatable, Sendable {
  /// The name as the file has it.
  package let verbatimName: String
  /// How many rows have it.
  package internal(set) var rowCount: Int
  /// Why it is no identification, as a person would say it.
  package let reason: String
  /// What it may mean; none where nobody can say.
  package let candidates: [NameSuggestion]

  /// What stands for the name where a text of any length cannot.
  package var key: String { Self.key(of: verbatimName) }

  /// What stands for a name where a text of any length cannot.
  package static func key(of verbatimName: String) -> String {
    "\(JournalID(naming: ["name in a file", verbatimName]))"
  }
}

/// A file whose names are looked up, with what a person said of those that are no identifications.
///
/// A name is what was said of it where that is one of the taxa that it may mean; of all others nothing is taken
/// silently.
package final class DecidedNames: ImportReader {
  private let reader: any ImportReader
  private let names: ImportNames
  private let decisions: [String: String]
  private var places: [String: Int] = [:]
  /// The names that nobody decided, in the order of the file.
  package private(set) var questions: [NameQuestion] = []
  /// How many names were decided.
  package private(set) var decidedCount = 0
  private var decided: Set<String> = []
  /// As many different names are asked about; the rest stays as it is written.
  private static let questionLimit = 10_000

  package var beside: ImportBeside { reader.beside }
  package var byteCount: Int? { reader.byteCount }

  /// A file and what was said of its names.
  ///
  /// - Parameters:
  ///   - reader: the file.
  ///   - pack: what names are looked up in.
  ///   - decisions: the taxa that were chosen, as `TaxonReference.written`, by `NameQuestion.key`.
  package init(_ reader: any ImportReader, in pack: Pack, decisions: [String: String]) {
    self.reader = reader
    self.decisions = decisions
    names = ImportNames(in: pack)
  }

  package func next() throws -> Result<ImportRow, ImportRefusal>? {
    guard let row = try reader.next() else { return nil }
    return row.map(decide)
  }

  private func decide(_ row: ImportRow) -> ImportRow {
    var resolved = names.resolve(row)
    guard row.moments == nil, !row.keepsNames, !row.hasCommonName else { return resolved }
    for index in resolved.records.indices {
      guard case .identification(var identification) = resolved.records[index],
        identification.taxon == nil
      else { continue }
      let name = identification.verbatimName
      let key = NameQuestion.key(of: name)
      let question = names.question(identification, hints: row.hints)
      if let chosen = decisions[key],
        let taxon = question.candidates.first(where: { $0.taxon.written == chosen })?.taxon
      {
        (identification.taxon, identification.match) = (taxon, .chosen)
        resolved.records[index] = .identification(identification)
        if decided.insert(key).inserted { decidedCount += 1 }
      } else {
        ask(question)
      }
    }
    return resolved
  }

  private func ask(_ question: NameQuestion) {
    if let place = places[question.verbatimName] {
      questions[place].rowCount += 1
    } else if questions.count < Self.questionLimit {
      places[question.verbatimName] = questions.count
      questions.append(question)
    }
  }
}

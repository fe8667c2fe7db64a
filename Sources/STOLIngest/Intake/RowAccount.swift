/// What became of a row.
package enum RowOutcome: String, CaseIterable, Sendable {
  /// A taxon of one of the eight ranks.
  case taxon
  /// A taxon of another rank, which stands for its nearest ancestor of those eight.
  case collapsed
  /// A synonym.
  case synonym
  /// A common or vernacular name.
  case vernacular
  /// A reference.
  case reference
  /// A trait.
  case trait
  /// An IUCN code.
  case conservation
  /// An id that was merged into another one.
  case merged
  /// An id that was deleted.
  case deleted
  /// A name without a place in the tree: counted, left out.
  case bareName
  /// A row whose id was there before: counted, left out.
  case duplicate
  /// A row without a name: counted, left out.
  case emptyName
  /// A row about a taxon that the source does not have, or that found no place: counted, left out.
  case unknownTaxon
  /// In a source that was added to another one: about a taxon that the first one does not have.
  case unmatched
  /// In a source that was added to another one: the first one says the same.
  case alreadyThere
  /// Part of another row: a name that is a row of its own, an author, the parts of a reference.
  case joined
  /// A row about something that the schema has no place for, as distributions.
  case ignored
}

/// Counts what became of every row of every file of a source.
package final class RowAccount {
  /// One file.
  package struct File {
    /// Its name in the source.
    package var name: String
    /// How many rows it has, headers and blank lines not counted.
    package var rowCount = 0
    /// What became of them.
    package var outcomes: [RowOutcome: Int] = [:]
    /// Entries that rows gave beyond their outcome, as a reference in a column.
    package var furtherCount = 0
    var firstUsage = 0
    var usageCount = 0
  }

  /// In the order in which they were read.
  package private(set) var files: [File] = []
  private(set) var currentFile = 0
  private var usageCount = 0

  init() {}

  /// Rows that come now are of the file `name`.
  package func begin(_ name: String) {
    currentFile = files.count
    files.append(File(name: name, firstUsage: usageCount))
  }

  func countRow() { files[currentFile].rowCount += 1 }

  /// Notes what became of rows of a file, which is a number or a `mark`; nil is the current one.
  package func add(_ outcome: RowOutcome, file: Int? = nil, count: Int = 1) {
    guard count > 0 else { return }
    let file = file ?? currentFile
    if file >= Self.further {
      files[file - Self.further].furtherCount += count
    } else {
      files[file].outcomes[outcome, default: 0] += count
    }
  }

  /// Stands for the current file, and for whether its row has another outcome already.
  func mark(isFurther: Bool) -> Int { isFurther ? currentFile + Self.further : currentFile }

  /// More files than any source has.
  private static let further = 1 << 32

  /// Corrects what became of one row, once that is known.
  func move(from: RowOutcome, to: RowOutcome) {
    for file in files.indices where files[file].outcomes[from, default: 0] > 0 {
      files[file].outcomes[from, default: 0] -= 1
      if files[file].outcomes[from] == 0 { files[file].outcomes[from] = nil }
      files[file].outcomes[to, default: 0] += 1
      return
    }
  }

  /// Corrects what became of all rows of one kind.
  func moveAll(from: RowOutcome, to: RowOutcome) {
    for file in files.indices {
      guard let count = files[file].outcomes.removeValue(forKey: from) else { continue }
      files[file].outcomes[to, default: 0] += count
    }
  }

  func noteUsages(_ count: Int) {
    usageCount = count
    files[currentFile].usageCount = count - files[currentFile].firstUsage
  }

  /// "file, line: what", for examples.
  package func place(_ line: Int?, _ what: String) -> String {
    let name = files.isEmpty ? "" : files[currentFile].name
    return line.map { "\(name), line \($0): \(what)" } ?? "\(name): \(what)"
  }
}

import STOLFormats

/// What became of a row.
package enum RowOutcome: String, CaseIterable, Sendable {
  /// A taxon.
  case taxon
  /// In schema 1: a taxon of another rank than the eight, which stands for its nearest ancestor of these.
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
  /// Not in the part of the source that was asked for: counted, left out.
  case cut
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
  /// In a source that was added to another one: a synonym of which that says otherwise.
  case conflict
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
    /// Why rows were ignored, with the number of them; they add up to that outcome.
    package fileprivate(set) var reasons: [String: Int] = [:]
    /// Columns that nobody reads, each with the reason.
    package fileprivate(set) var unreadColumns: [String: String] = [:]
    var firstUsage = 0
    var usageCount = 0
  }

  /// Why a row of a distribution is ignored.
  static let areaReason = "an area without an IUCN category"

  /// In the order in which they were read.
  package private(set) var files: [File] = []
  /// All files of the source.
  private var names: [String] = []
  private var explanations: [String: String] = [:]
  private(set) var currentFile = 0
  private var usageCount = 0

  init() {}

  /// Why no row of what says whose dataset it is was read.
  static let isDescription = "it describes the dataset"

  /// States which files a source has.
  func noteFiles(_ names: [String]) { self.names = names }

  /// Says why no row of a file was read, where the reader knows more than its name says.
  func explain(_ file: String, _ reason: String) { explanations[file] = reason }

  /// The files that no row was read from, and that nobody knows.
  var unknownFiles: [String] { unreadFiles.filter { $1 == Self.isUnknown }.keys.sorted() }

  private static let isUnknown = "no reader of this kind of source knows it"

  /// The files that no row was read from, each with the reason.
  package var unreadFiles: [String: String] {
    let read = Set(files.map(\.name))
    var unread: [String: String] = [:]
    for name in names where !read.contains(name) {
      let last = name.split(separator: "/").last.map { $0.lowercased() } ?? ""
      let isDescription = ["meta.xml", "eml.xml"].contains(last) || last.hasPrefix("metadata.")
      let isText = ["readme", "license", "licence", "source", "citation"]
        .contains(String(last.prefix(while: \.isLetter)))
      unread[name] =
        isDescription
        ? Self.isDescription
        : isText
          ? "it is for people"
          : explanations[name] ?? Self.isUnknown
    }
    return unread
  }

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

  /// Notes that rows of a file were read and say nothing that is kept, and why.
  func ignore(_ reason: String, file: Int? = nil, count: Int = 1) {
    guard count > 0 else { return }
    add(.ignored, file: file, count: count)
    let file = file ?? currentFile
    if file < Self.further { files[file].reasons[reason, default: 0] += count }
  }

  /// Notes columns of the current file that nobody reads.
  ///
  /// - Parameters:
  ///   - columns: what `ColumnMap.unread` says.
  ///   - reason: why nobody asked for them; nil where their names say it.
  func noteUnread(_ columns: [String: String], because reason: String? = nil) {
    for (name, stated) in columns {
      files[currentFile].unreadColumns[name] =
        stated == ColumnMap.isUnasked ? reason ?? UnreadColumn.reason(name) : stated
    }
  }

  /// Notes columns of the current file that nobody reads, whose names say why.
  func noteUnread(_ columns: [String]) {
    for name in columns { files[currentFile].unreadColumns[name] = UnreadColumn.reason(name) }
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

  /// Corrects what became of all rows of one kind: they are ignored.
  func ignoreAll(_ outcome: RowOutcome, _ reason: String) {
    for file in files.indices {
      guard let count = files[file].outcomes.removeValue(forKey: outcome) else { continue }
      ignore(reason, file: file, count: count)
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

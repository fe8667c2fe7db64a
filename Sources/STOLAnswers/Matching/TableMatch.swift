package import STOLFormats
package import STOLMatch
package import STOLPack
import STOLSystem

/// Matches the names of a table, and writes its rows as they are with more columns.
package struct TableMatch: Sendable {
  /// What was read and what became of it.
  package struct Part: Sendable {
    /// The rows, written.
    package var bytes: [UInt8] = []
    /// How many rows have each status.
    package var counts: [MatchStatus: Int] = [:]
    /// The rows with another number of fields than the header, by line.
    package var ragged: [(line: Int, count: Int)] = []
    /// The line of the row in which a quote is not closed.
    package var unclosed: Int?
    /// What a person should look at.
    package var review: [ReviewRow] = []
  }

  let fields: MatchFields
  private let columns: [MatchColumn]
  let options: NameMatcher.Options
  /// What separates the cells that are added.
  private let delimiter: UInt8
  private let isQuoted: Bool
  /// How many fields each row should have; nil for any number.
  private let fieldCount: Int?
  var decisions: MatchDecisions
  private let collectsReview: Bool
  /// Whether something is added that tells of all candidates, or of what was asked.
  private let needsCandidates: Bool
  private let needsQuery: Bool
  /// What each thread has answered so far.
  private let caches = Locked<[AnswerCache]>([])

  /// A way to match rows.
  ///
  /// - Parameters:
  ///   - fields: which columns say what.
  ///   - columns: what is added.
  ///   - options: what counts as an answer.
  ///   - delimiter: what separates cells.
  ///   - isQuoted: whether cells may stand in quotes.
  ///   - fieldCount: how many fields each row should have; nil for any number.
  ///   - decisions: what a person has decided of names before.
  ///   - collectsReview: whether to note what a person should look at.
  package init(
    _ fields: MatchFields, adding columns: [MatchColumn], _ options: NameMatcher.Options,
    delimiter: UInt8,
    isQuoted: Bool, fieldCount: Int?, decisions: MatchDecisions = MatchDecisions(),
    collectsReview: Bool = false
  ) {
    self.fields = fields
    self.columns = columns
    self.options = options
    self.delimiter = delimiter
    self.isQuoted = isQuoted
    self.fieldCount = fieldCount
    self.decisions = decisions
    self.collectsReview = collectsReview
    needsCandidates = columns.contains { column in
      switch column {
      case .candidates, .points: true
      default: false
      }
    }
    needsQuery = columns.contains { column in
      if case .gn = column { true } else { false }
    }
  }

  /// Matches some rows, on as many threads as the machine runs at once.
  ///
  /// - Parameters:
  ///   - block: the rows.
  ///   - cursor: what finds them and their fields.
  ///   - pack: where their names are looked for.
  /// - Returns: what became of them, in their order.
  package func match(_ block: RowBlock, _ cursor: RowCursor, in pack: Pack) -> [Part] {
    let count = min(processorCount(), block.pieces.count)
    let taken = Locked(0)
    let parts = inParallel(count) { number in
      var parts: [(piece: Int, part: Part)] = []
      var worker = Worker(cursor, options, takeCache(number))
      while true {
        let piece = taken.withLock { next in
          defer { next += 1 }
          return next
        }
        guard piece < block.pieces.count else { break }
        parts.append((piece, match(block, block.pieces[piece], &worker, in: pack)))
      }
      let cache = worker.cache
      caches.withLock { $0[number] = cache }
      return parts
    }
    return parts.joined().sorted { $0.piece < $1.piece }.map(\.part)
  }

  /// What a thread has answered so far; it gives it back at the end.
  private func takeCache(_ number: Int) -> AnswerCache {
    caches.withLock { caches in
      while caches.count <= number { caches.append(AnswerCache()) }
      var cache = AnswerCache()
      swap(&cache, &caches[number])
      return cache
    }
  }

  /// What a thread needs, which keeps its memory from row to row.
  private struct Worker: ~Copyable {
    var matcher: NameMatcher
    var row: RowCursor
    var cache: AnswerCache
    var name: [UInt8] = []
    var key: [UInt8] = []
    /// How many rows have each status.
    var counts: [Int] = []

    init(_ row: RowCursor, _ options: NameMatcher.Options, _ cache: AnswerCache) {
      matcher = NameMatcher(options: options)
      self.row = row
      self.cache = cache
    }

    /// What the name stands for, as long as it is a plain one.
    mutating func matchPlain(in view: borrowing PackView) -> NameMatch? {
      // Another reference to the same array: the matcher changes while the name is read.
      let name = name
      return matcher.matchPlain(name.span, in: view)
    }
  }

  private func match(
    _ block: RowBlock, _ piece: RowBlock.Piece, _ worker: inout Worker, in pack: Pack
  ) -> Part {
    var part = Part()
    part.bytes.reserveCapacity(3 * piece.range.count)
    worker.counts = [Int](repeating: 0, count: MatchStatus.allCases.count)
    let view = pack.view
    let bytes = block.bytes
    var line = piece.line
    var next = piece.range.lowerBound
    while next < piece.range.upperBound {
      _ = worker.row.find(in: bytes, from: next)
      next = worker.row.lineEnd.upperBound
      part.bytes.append(contentsOf: bytes[worker.row.row])
      let status: MatchStatus
      if worker.row.isUnclosed {
        part.unclosed = part.unclosed ?? line
        status = .invalid
        add(.invalid("a quote is not closed"), nil, view, to: &part)
      } else if let fieldCount, worker.row.fieldCount != fieldCount {
        part.ragged.append((line, worker.row.fieldCount))
        status = .invalid
        // What is missing is filled up, so that what is added stands in its columns.
        if worker.row.fieldCount < fieldCount {
          part.bytes += repeatElement(delimiter, count: fieldCount - worker.row.fieldCount)
        }
        let query = fields.query(worker.row, of: bytes)
        add(
          .invalid("\(worker.row.fieldCount) fields in place of \(fieldCount)"), query, view,
          to: &part)
      } else {
        status = addAnswer(of: bytes, &worker, view, to: &part)
      }
      worker.counts[Self.number(status)] += 1
      if worker.row.lineEnd.isEmpty {
        part.bytes.append(UInt8(ascii: "\n"))
      } else {
        part.bytes.append(contentsOf: bytes[worker.row.lineEnd])
      }
      line += max(worker.row.lineEndCount, 1)
    }
    for (status, count) in zip(MatchStatus.allCases, worker.counts) where count > 0 {
      part.counts[status] = count
    }
    return part
  }

  /// The place of a status among all.
  private static func number(_ status: MatchStatus) -> Int {
    switch status {
    case .exact: 0
    case .synonym: 1
    case .fuzzy: 2
    case .partial: 3
    case .ambiguous: 4
    case .notFound: 5
    case .invalid: 6
    }
  }

  /// Adds what became of the row of a worker, and gives its status.
  private func addAnswer(
    of bytes: [UInt8], _ worker: inout Worker, _ view: borrowing PackView, to part: inout Part
  ) -> MatchStatus {
    fields.readKey(worker.row, of: bytes, into: &worker.key)
    let hash = AnswerCache.hash(worker.key)
    // A name that a person should look at was noted when it came first.
    if let status = worker.cache.append(answerTo: worker.key, hash, to: &part.bytes) {
      return status
    }
    let start = part.bytes.count
    var query: MatchQuery?
    let match: NameMatch
    if decisions.count == 0, !needsCandidates,
      fields.readLoneName(worker.row, of: bytes, into: &worker.name),
      let plain = worker.matchPlain(in: view)
    {
      match = plain
      if needsQuery { query = fields.query(worker.row, of: bytes) }
    } else {
      query = fields.query(worker.row, of: bytes)
      if let query {
        match = decisions.match(of: query, view) ?? worker.matcher.match(query, in: view)
      } else {
        match = .invalid("the name is no UTF-8")
      }
    }
    add(match, query, view, to: &part)
    worker.cache.keep(part.bytes[start...], match.status, to: worker.key, hash)
    return match.status
  }

  /// Adds what columns and the review say of a row.
  private func add(
    _ match: NameMatch, _ query: MatchQuery?, _ view: borrowing PackView, to part: inout Part
  ) {
    let asked = query ?? Self.nothing
    for column in columns {
      part.bytes.append(delimiter)
      let start = part.bytes.count
      column.append(match, asked, view, to: &part.bytes)
      escape(from: start, in: &part.bytes)
    }
    if collectsReview, let query, ReviewRow.isNeeded(match) {
      part.review.append(ReviewRow(query, match, view))
    }
  }

  private static let nothing = MatchQuery("")

  /// What became of the name of a row: what was decided of it, else what the matcher says.
  func match(
    _ row: RawTable.Row, _ query: MatchQuery?, _ matcher: inout NameMatcher,
    _ view: borrowing PackView
  ) -> NameMatch {
    if let fieldCount, row.fields.count != fieldCount {
      return .invalid("\(row.fields.count) fields in place of \(fieldCount)")
    }
    guard let query else { return .invalid("the name is no UTF-8") }
    return decisions.match(of: query, view) ?? matcher.match(query, in: view)
  }

  /// The header of the table with the names of the columns that are added; one that the table has already
  /// gets "stol_" in front.
  package func header(_ row: RawTable.Row, _ names: [String]) -> [UInt8] {
    var bytes = row.bytes
    var known = Set(
      row.fields.indices.map {
        String(decoding: row.field($0) ?? [], as: UTF8.self).lowercased()
      })
    for name in names {
      bytes.append(delimiter)
      let start = bytes.count
      var own = name
      while !known.insert(own.lowercased()).inserted { own = "stol_" + own }
      bytes += own.utf8
      escape(from: start, in: &bytes)
    }
    return bytes + (row.lineEnd.isEmpty ? [UInt8(ascii: "\n")] : row.lineEnd)
  }

  /// Writes the cell that begins at `start` in the dialect of the table.
  private func escape(from start: Int, in output: inout [UInt8]) {
    let quote = UInt8(ascii: "\"")
    var index = start
    while index < output.count {
      let byte = output[index]
      if byte == delimiter || byte == quote || byte == UInt8(ascii: "\n")
        || byte == UInt8(ascii: "\r")
      {
        break
      }
      index += 1
    }
    guard index < output.count else { return }
    guard isQuoted else {
      // Without quotes nothing else can stand for what separates fields and rows.
      for index in index..<output.count
      where output[index] == delimiter || output[index] == UInt8(ascii: "\n")
        || output[index] == UInt8(ascii: "\r")
      {
        output[index] = UInt8(ascii: " ")
      }
      return
    }
    let cell = output[start...].map { $0 }
    output.removeLast(cell.count)
    output.append(quote)
    for byte in cell {
      if byte == quote { output.append(quote) }
      output.append(byte)
    }
    output.append(quote)
  }
}

/// A name that a person should look at, once however many rows have it.
package struct ReviewRow: Hashable, Sendable {
  /// The name as it stands in the table, with what was said beside it.
  package let name: String
  package let status: String
  package let score: Int
  package let reason: String
  /// The taxon that was taken, or that might be.
  package let suggestion: String
  package let candidates: [String]

  package init(_ query: MatchQuery, _ match: NameMatch, _ view: borrowing PackView) {
    name = MatchDecisions.key(query)
    status = match.status.rawValue
    score = match.score
    reason = match.reason
    suggestion = match.taxon.flatMap { view.sourceID(of: $0) } ?? ""
    candidates = match.candidates.map { MatchColumn.shown($0, view) }
  }

  /// All but names that are spelt as they are in the pack, without a contradiction.
  package static func isNeeded(_ match: NameMatch) -> Bool {
    switch match.status {
    case .exact, .synonym: match.score < Self.sureScore
    case .fuzzy, .partial, .ambiguous, .notFound: true
    case .invalid: false
    }
  }

  private static let sureScore = 95

  /// The columns of the file for review; a person fills the last one.
  package static let columns = [
    "name", "status", "score", "reason", "suggestedID", "candidates", "decision",
  ]

  /// Its line in a file for review, with what a person has decided of it.
  package func line(decision: String = "") -> [UInt8] {
    let cells = [
      name, status, "\(score)", reason, suggestion, candidates.joined(separator: "; "), decision,
    ]
    var line: [UInt8] = []
    for (number, cell) in cells.enumerated() {
      if number > 0 { line.append(UInt8(ascii: ",")) }
      var bytes = Array(cell.utf8)
      Escaping.escape(&bytes, from: 0, for: .commaSeparatedCell)
      line += bytes
    }
    return line + [UInt8(ascii: "\n")]
  }

  /// The first line of a file for review.
  package static var header: [UInt8] { Array((columns.joined(separator: ",") + "\n").utf8) }
}

/// What a person has decided of names: an id for each, or that it is none.
package struct MatchDecisions: Sendable {
  /// By name: the id of the taxon; nil for none.
  private var ids: [String: String?] = [:]

  package init() {}

  /// How many names are decided.
  package var count: Int { ids.count }

  /// Notes that a name means the taxon with this id, or for "none" nothing.
  package mutating func add(_ name: String, _ decision: String) {
    ids[name] = decision.lowercased() == "none" ? .some(nil) : decision
  }

  /// The name as decisions know it: with its authors, where these stand in a column of their own.
  package static func key(_ query: MatchQuery) -> String {
    [query.name, query.authorship].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Whether something was decided of a name.
  func has(_ query: MatchQuery) -> Bool { !ids.isEmpty && id(of: query) != nil }

  /// What was decided of a name as it is, or as a file for review writes it.
  private func id(of query: MatchQuery) -> String?? {
    let key = Self.key(query)
    if let id = ids[key] { return .some(id) }
    var cell = Array(key.utf8)
    Escaping.escape(&cell, from: 0, for: .commaSeparatedCell)
    if cell.count > 1, cell.first == UInt8(ascii: "\""), cell.last == UInt8(ascii: "\"") {
      cell = Array(cell.dropFirst().dropLast())
    }
    let written = String(decoding: cell, as: UTF8.self)
      .split(separator: "\"\"", omittingEmptySubsequences: false).joined(separator: "\"")
    guard written != key, let id = ids[written] else { return nil }
    return .some(id)
  }

  /// What was decided of a name; nil where nothing was.
  func match(of query: MatchQuery, _ view: borrowing PackView) -> NameMatch? {
    guard !ids.isEmpty, let decision = id(of: query) else { return nil }
    guard let decision else { return .decided(nil, "decided: none") }
    guard let taxon = view.resolve(sourceID: decision).taxon else {
      return .decided(nil, "decided: \(decision), which the pack does not have")
    }
    return .decided(taxon, "decided")
  }
}

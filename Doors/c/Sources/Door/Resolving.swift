import STOLMatch
import STOLPack

/// What became of an input: as stol.h lists the words of `stol query`.
enum Status: UInt8 {
  case exact = 0
  case synonym
  case common
  case merged
  case deleted
  case fuzzy
  case partial
  case ambiguous
  case notFound
  case invalid
}

extension TaxonResolution {
  var status: Status {
    switch self {
    case .found: .exact
    case .synonym: .synonym
    case .common: .common
    case .merged: .merged
    case .ambiguous: .ambiguous
    case .deleted: .deleted
    case .notFound: .notFound
    case .invalid: .invalid
    }
  }
}

extension PackView {
  func taxa(
    ofIDs numbers: Span<Int64>, _ taxa: inout MutableSpan<UInt32>,
    _ statuses: inout MutableSpan<UInt8>
  ) {
    // The ids of taxa first: they are most of what is asked for. Numbers that stand for texts are none.
    ids.taxa(numbers, into: &taxa)
    for row in numbers.indices {
      var status = Status.exact
      if taxa[row] == none || TaxonID(rawValue: numbers[row]).standsForText
        || isImplied(TaxonOrdinal(rawValue: taxa[row]))
      {
        let found = resolve(sourceID: String(numbers[row]))
        taxa[row] = found.taxon?.rawValue ?? none
        status = found.status
      }
      if row < statuses.count { statuses[row] = status.rawValue }
    }
  }

  func ids(of taxa: Span<UInt32>, _ found: inout MutableSpan<Int64>) throws(DoorError) {
    let argument = Argument(2, "taxa")
    let count = taxonCount
    for row in taxa.indices {
      guard let taxon = try taxon(taxa[row], count, argument), !isImplied(taxon) else {
        found[row] = .min
        continue
      }
      found[row] = ids[taxon].rawValue
    }
  }

  func taxa(
    ofIDTexts texts: borrowing TextColumn, _ taxa: inout MutableSpan<UInt32>,
    _ statuses: inout MutableSpan<UInt8>
  ) throws(DoorError) {
    let space = idSpace.map { Array($0.utf8) + [UInt8(ascii: ":")] }
    for row in 0..<texts.count {
      let found = try texts.string(row).map { resolve(idText: $0, space) } ?? .invalid
      taxa[row] = found.taxon?.rawValue ?? none
      if row < statuses.count { statuses[row] = found.status.rawValue }
    }
  }

  /// What the source calls by a text, spaces around it and the id space before it dropped.
  private func resolve(idText text: String, _ space: [UInt8]?) -> TaxonResolution {
    var rest = text[...]
    while let first = rest.first, first.isWhitespace { rest.removeFirst() }
    while let last = rest.last, last.isWhitespace { rest.removeLast() }
    if let space, rest.utf8.starts(with: space) {
      rest = Substring(rest.utf8.dropFirst(space.count))
    }
    guard !rest.isEmpty, rest.utf8.count <= SearchQuery.maximumByteCount else { return .invalid }
    return resolve(sourceID: String(rest))
  }

  func resolve(
    _ texts: borrowing TextColumn, _ filter: SearchFilter, _ taxa: inout MutableSpan<UInt32>,
    _ names: inout MutableSpan<UInt32>, _ statuses: inout MutableSpan<UInt8>
  ) throws(DoorError) {
    var written = WrittenNames()
    var ahead = ReadingAhead()
    for row in 0..<texts.count {
      try ahead.read(row, of: texts, in: self)
      var found = TaxonResolution.invalid
      var isPart = false
      // What the filter takes away may still be named by a part of the text.
      if let plain = resolvePlain(try texts.bytes(row), filter: filter), plain != .notFound {
        found = plain
      } else if let text = try texts.string(row) {
        (found, isPart) = written.resolve(text, filter: filter, in: self)
      }
      taxa[row] = found.taxon?.rawValue ?? none
      if row < names.count { names[row] = found.name?.rawValue ?? none }
      if row < statuses.count {
        // The genus of "Quercus sp." is a part of what the text says.
        let status = isPart && found.taxon != nil ? Status.partial : found.status
        statuses[row] = status.rawValue
      }
    }
  }
}

/// Reads ahead what the names of a column need that come next.
struct ReadingAhead {
  private var names = NameReadAhead()
  /// The first row that has not been read for.
  private var next = 0

  /// Reads for a batch of names that begins with `row`, unless that was read for.
  @inline(__always)
  mutating func read(
    _ row: Int, of texts: borrowing TextColumn, in view: borrowing PackView
  ) throws(DoorError) {
    if row == next { try readBatch(of: texts, in: view) }
  }

  private mutating func readBatch(
    of texts: borrowing TextColumn, in view: borrowing PackView
  ) throws(DoorError) {
    let end = min(next + NameReadAhead.capacity, texts.count)
    while next < end {
      names.note(try texts.bytes(next), in: view)
      next += 1
    }
    names.read(in: view)
  }
}

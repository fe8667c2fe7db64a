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
  /// What the source calls by a number.
  @inline(__always)
  func resolve(number: Int64) -> TaxonResolution {
    // The ids of taxa first: they are most of what is asked for. Numbers that stand for texts are none.
    if !TaxonID(rawValue: number).standsForText, let taxon = ids.taxon(TaxonID(rawValue: number)),
      !isImplied(taxon)
    {
      return .found(taxon)
    }
    return resolve(sourceID: String(number))
  }

  func taxa(
    ofIDs numbers: Span<Int64>, _ taxa: inout MutableSpan<UInt32>,
    _ statuses: inout MutableSpan<UInt8>
  ) {
    for row in numbers.indices {
      let found = resolve(number: numbers[row])
      taxa[row] = found.taxon?.rawValue ?? none
      if row < statuses.count { statuses[row] = found.status.rawValue }
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
    for row in 0..<texts.count {
      let found = try texts.string(row).map { resolve($0, filter: filter) } ?? .invalid
      taxa[row] = found.taxon?.rawValue ?? none
      if row < names.count { names[row] = found.name?.rawValue ?? none }
      if row < statuses.count { statuses[row] = found.status.rawValue }
    }
  }
}

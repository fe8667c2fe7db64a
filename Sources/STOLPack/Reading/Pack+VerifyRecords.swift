/// The checks of ranks, ids as texts, and records of names.
extension Verification {
  /// The rank table: ranks with a place first, by place, then by their bytes; a word for each main rank.
  static func ranks(
    _ ranks: borrowing RankTable, _ bytes: RawSpan, _ directory: Directory
  ) throws(PackError) {
    let places = bytes.packed(.rankPlace, directory)
    let words = ranks.all.map { $0.rawValue }
    for row in 1..<max(1, words.count) {
      // Those without a place, stored as 0, come last.
      let (last, next) = (places.raw(row - 1) &- 1, places.raw(row) &- 1)
      let isAscending =
        last < next
        || (last == next && words[row - 1].utf8.lexicographicallyPrecedes(words[row].utf8))
      try require(isAscending, .rankPlace, row, "the ranks are out of order")
    }
    for rank in MainRank.allCases {
      let isThere = (0..<words.count).contains { ranks.mainRank(of: RankRow($0)) == rank }
      try require(isThere, .rankMain, 0, "no word for the main rank \(rank.name)")
    }
  }

  /// The main-rank depths: what the ranks of a taxon and its ancestors give.
  static func mainDepths(_ view: borrowing PackView) throws(PackError) {
    for index in 0..<view.taxonCount {
      let taxon = TaxonOrdinal(index)
      let above = view.tree.parent(of: taxon).map { view.tree.mainDepth(of: $0) } ?? 0
      let expected = above + (view.taxa.mainRank(of: taxon) == nil ? 0 : 1)
      try require(
        view.tree.mainDepth(of: taxon) == expected, .mainDepth, index,
        "not the number of main ranks on the way from the root")
    }
  }

  /// The implied root, and ids as texts: each has its key, and there is one way to code them.
  static func sourceIDs(
    _ view: borrowing PackView, _ bytes: RawSpan, _ header: Header, _ directory: Directory
  ) throws(PackError) {
    if header.hasImpliedRoot {
      let isImplied = view.ids[TaxonOrdinal(0)].rawValue == Layout.impliedRootID
      try require(isImplied, .idValue, 0, "not the key of an implied root")
      try require(view.tree.storedParent(0) == 0, .parent, 0, "an implied root with a parent")
    }
    guard header.hasTextIDs else {
      return try require(directory[.idText].count == 0, .idText, 0, "texts where ids are numbers")
    }
    let texts = FrontCodedTexts(
      bytes.section(.idText, directory), blocks: bytes.packed(.idBlocks, directory))
    var text: [UInt8] = []
    var ends: [Int] = []
    for index in 0..<view.taxonCount {
      let start = text.count
      texts.append(index, to: &text)
      ends.append(text.count)
      let id = text.rawSpan.clamped(start..<text.count)
      guard !view.isImplied(TaxonOrdinal(index)) else {
        try require(id.isEmpty, .idText, index, "an implied root with an id")
        continue
      }
      try require(
        !id.isEmpty && id.byteCount <= Layout.maximumNameByteCount && id.isUTF8, .idText, index,
        "empty, too long or not valid UTF-8")
      try require(
        TaxonID(sourceText: id.text()) == view.ids[TaxonOrdinal(index)], .idText, index,
        "the key is not that of the text")
    }
    let coded = FrontCode(count: ends.count, bytes: text) {
      ($0 == 0 ? 0 : ends[$0 - 1])..<ends[$0]
    }
    try require(coded.text.map(UInt32.init), .idText, bytes, directory)
    try require(coded.blocks, .idBlocks, bytes, directory)
  }

  /// Records: in the order of names, none empty, those of taxa without what the taxa say themselves.
  static func records(
    _ bytes: RawSpan, _ header: Header, _ directory: Directory
  ) throws(PackError) {
    let names = bytes.monotone(.recordName, directory)
    let starts = bytes.monotone(.recordIDStarts, directory)
    let text = bytes.section(.recordIDText, directory)
    let count = names.count
    try require(starts[0] == 0, .recordIDStarts, 0, "the first id does not start at 0")
    var isEmpty = [Bool](repeating: true, count: count)
    for section in recordColumns {
      let column = bytes.packed(section, directory)
      let isOfTaxa = [.recordStatus, .recordWords, .recordSensu].contains(section)
      for row in 0..<count where column.raw(row) > 0 {
        isEmpty[row] = false
        try require(
          isOfTaxa || names[row] >= header.taxonCount, section, row, "the taxon says it itself")
      }
    }
    for row in 0..<count {
      try require(
        row == 0 || names[row - 1] < names[row], .recordName, row, "the names do not ascend")
      let range = starts.range(row)
      try require(range.upperBound <= text.byteCount, .recordIDStarts, row, "out of range")
      try require(
        range.count <= Layout.maximumNameByteCount && text.clamped(range).isUTF8, .recordIDText,
        range.lowerBound, "not valid UTF-8, or too long")
      try require(
        range.isEmpty || names[row] >= header.taxonCount, .recordIDStarts, row,
        "the taxon says it itself")
      try require(!isEmpty[row] || !range.isEmpty, .recordName, row, "the record is empty")
    }
    try require(starts[count] == text.byteCount, .recordIDStarts, count, "not the whole text")
  }

  private static let recordColumns: [Section] = [
    .recordAuthor, .recordYear, .recordRank, .recordStatus, .recordWords, .recordCode, .recordSensu,
  ]

  /// Own ids of synonyms lead to them, and ids lead to nothing but taxa and synonyms whose own they are.
  static func idsOfNames(
    _ view: borrowing PackView, _ bytes: RawSpan, _ header: Header, _ directory: Directory
  ) throws(PackError) {
    let ownIDs = view.names.records.ownIDs
    /// The key of the own id of a synonym.
    func key(_ name: NameOrdinal, _ row: Int) -> TaxonID? {
      guard !view.names.isScientific(name), view.names.type(of: name) == .synonym else {
        return nil
      }
      let text = ownIDs.utf8(row)
      guard !text.isEmpty else { return nil }
      return TaxonID(sourceText: text.text(), amongTexts: header.hasTextIDs)
    }
    let merged = bytes.packed(.mergedID, directory)
    let targets = bytes.packed(.mergedInto, directory)
    for row in 0..<merged.count where targets[row] >= header.taxonCount {
      let name = NameOrdinal(targets[row])
      let own = ownIDs.row(of: name.index).flatMap { key(name, $0) }
      try require(
        own == TaxonID(rawValue: merged.signed(row)), .mergedInto, row,
        "the id is not that of the name")
    }
    let names = bytes.monotone(.recordName, directory)
    for row in 0..<names.count {
      guard let own = key(NameOrdinal(names[row]), row) else { continue }
      let isFound =
        switch view.ids.resolve(own) {
        case .found, .synonym: true
        case .common, .merged, .ambiguous, .deleted, .notFound, .invalid: false
        }
      try require(isFound, .mergedID, row, "the own id of a synonym is missing")
    }
  }
}

extension Verification {
  /// Ids: unique, none beyond 64 bits, order and directory right, retired ids apart from living ones.
  static func ids(
    _ ids: borrowing IDView, _ bytes: RawSpan, _ directory: Directory
  ) throws(PackError) {
    let values = bytes.packed(.idValue, directory)
    let order = bytes.packed(.idOrder, directory)
    let buckets = bytes.packed(.idDirectory, directory)
    let shift = UInt64(truncatingIfNeeded: directory[.idDirectory].parameter)
    try require(shift < 64, .idDirectory, 0, "the shift is too large")
    try require(
      buckets.count >= 1 && buckets[buckets.count - 1] == values.count && buckets[0] == 0,
      .idDirectory, 0, "the buckets do not hold all ids")
    for bucket in 1..<max(1, buckets.count) {
      let lower = buckets[bucket - 1]
      let upper = buckets[bucket]
      try require(lower <= upper, .idDirectory, bucket, "the starts decrease")
      for position in lower..<upper {
        let taxon = order[position]
        try require(taxon < values.count, .idOrder, position, "out of range")
        let key = values.raw(taxon)
        try require(
          key >> shift == UInt64(bucket - 1), .idOrder, position, "the id is in the wrong bucket")
        try require(
          position == 0
            || values.raw(order[position - 1]) < key
              && values.signed(order[position - 1]) < values.signed(taxon),
          .idOrder, position,
          "the ids do not ascend")
      }
    }
    if values.count > 0 {
      try require(values.raw(order[0]) == 0, .idValue, order[0], "the base is not the least id")
    }
    try retired(.mergedID, ids, bytes, directory)
    try retired(.deletedID, ids, bytes, directory)
    let deleted = bytes.packed(.deletedID, directory)
    for row in 0..<deleted.count {
      let resolution = ids.resolve(TaxonID(rawValue: deleted.signed(row)))
      try require(resolution == .deleted, .deletedID, row, "the id stands for a taxon")
    }
  }

  private static func retired(
    _ section: Section, _ ids: borrowing IDView, _ bytes: RawSpan, _ directory: Directory
  ) throws(PackError) {
    let column = bytes.packed(section, directory)
    for row in 0..<column.count {
      try require(row > 0 || column.raw(0) == 0, section, 0, "the base is not the least id")
      try require(
        row == 0
          || column.raw(row - 1) < column.raw(row) && column.signed(row - 1) < column.signed(row),
        section, row, "the ids do not ascend")
      let id = TaxonID(rawValue: column.signed(row))
      try require(ids.taxon(id) == nil, section, row, "the id is that of a taxon")
    }
  }

  /// Forms of names, phrases and spellings.
  static func names(_ bytes: RawSpan, _ header: Header, _ directory: Directory) throws(PackError) {
    let parents = TreeView(bytes, directory: directory, taxonCount: header.taxonCount)
    let scientific = bytes.packed(.scientificName, directory)
    let marks = bytes.section(.phraseMarks, directory)
    let counts = bytes.packed(.phraseCounts, directory)
    let starts = bytes.monotone(.phraseStarts, directory)
    let words = header.wordCount
    var phrase = header.nameCount
    for taxon in 0..<marks.byteCount * 8 {
      if taxon % 64 == 0 {
        try require(
          counts[taxon / 64] == phrase - header.nameCount, .phraseCounts, taxon / 64,
          "not the number of marks before")
      }
      let isMarked = marks.uint8(at: taxon / 8) >> UInt8(taxon % 8) & 1 == 1
      let stored = taxon < header.taxonCount ? scientific[taxon] : 0
      try require(
        isMarked == (taxon < header.taxonCount && stored >= 2 * words), .phraseMarks, taxon,
        "the mark does not tell whether there is a phrase")
      if isMarked {
        try require(
          stored < 3 * words || stored == 3 * words && starts.range(phrase).isEmpty,
          .scientificName, taxon, "no such first word")
        phrase += 1
      } else if taxon < header.taxonCount, stored & 1 == 1 {
        let parent = parents.storedParent(taxon) - 1
        let isUninomial =
          parent >= 0 && scientific[parent] & 1 == 0 && scientific[parent] < 2 * words
        try require(isUninomial, .scientificName, taxon, "the parent has no single word to take")
      }
    }
    try require(
      phrase == header.phraseCount, .phraseMarks, header.taxonCount, "not a mark for each phrase")
    try require(
      starts[0] == 0 && starts[header.phraseCount] == directory[.phraseWords].count, .phraseStarts,
      0, "the phrases do not hold all words")
  }

  /// Words: strictly ascending, valid, without spaces.
  static func vocabulary(
    _ vocabulary: borrowing Vocabulary, _ bytes: RawSpan, _ directory: Directory
  ) throws(PackError) {
    let blocks = bytes.packed(.wordBlocks, directory)
    let text = bytes.section(.wordText, directory)
    try require(
      blocks[blocks.count - 1] == text.byteCount && blocks[0] == 0, .wordBlocks, 0,
      "the blocks do not hold all text")
    var last: [UInt8] = []
    var word: [UInt8] = []
    for number in 0..<vocabulary.count {
      word.removeAll(keepingCapacity: true)
      vocabulary.append(number, to: &word)
      try require(
        !word.isEmpty && !word.contains(UInt8(ascii: " ")) && word.rawSpan.isUTF8, .wordText,
        number, "not a word")
      try require(
        last.isEmpty || last.lexicographicallyPrecedes(word), .wordText, number,
        "the words do not ascend")
      try require(
        vocabulary.find(word.span) == number, .wordText, number, "the word is not found")
      swap(&last, &word)
    }
  }

  /// Siblings, and roots, by scientific name, then id.
  static func siblings(_ view: borrowing PackView) throws(PackError) {
    // The last taxon seen at each depth.
    var last: [TaxonOrdinal] = []
    for index in 0..<view.taxonCount {
      let taxon = TaxonOrdinal(index)
      let depth = view.tree.depth(of: taxon)
      // An implied root comes first whatever it is called.
      if depth < last.count, !view.isImplied(last[depth]) {
        try require(
          view.order(last[depth], taxon, trustsPlaces: false) < 0, .scientificName, index,
          "siblings are out of order")
      }
      last.removeLast(max(0, last.count - depth))
      last.append(taxon)
    }
  }

  /// Posting lists: each holds exactly the names with its word.
  static func postings(
    _ view: borrowing PackView, _ bytes: RawSpan, _ header: Header, _ directory: Directory
  ) throws(PackError) {
    let starts = bytes.monotone(.postingStarts, directory)
    let names = bytes.packed(.postingNames, directory)
    try require(
      starts[0] == 0 && starts[header.wordCount] == names.count, .postingStarts, 0,
      "the lists do not hold all names")
    // The next row of each list; names come in ascending order.
    var next = (0..<header.wordCount).map { starts[$0] }
    for name in 0..<header.anyNameCount {
      var words: [Int] = []
      view.names.forEachWord(of: NameOrdinal(name)) { words.append($0) }
      if view.names.storedForm(of: NameOrdinal(name)) == .binomial { words.removeFirst() }
      for word in Set(words) {
        let row = next[word]
        next[word] += 1
        try require(
          row < starts[word + 1] && names[row] == name, .postingNames, row,
          "the list of word \(word) lacks name \(name)")
      }
    }
    for word in 0..<header.wordCount {
      try require(
        next[word] == starts[word + 1], .postingStarts, word,
        "the list holds a name without the word")
    }
  }

  /// Traits: pairs ascending, in all and within a taxon.
  static func traits(_ bytes: RawSpan, _ directory: Directory) throws(PackError) {
    let keys = bytes.packed(.pairKey, directory)
    let values = bytes.packed(.pairValue, directory)
    let units = bytes.packed(.pairUnit, directory)
    for pair in 1..<max(1, keys.count) {
      let last = (keys[pair - 1], values[pair - 1], units[pair - 1])
      try require(
        last < (keys[pair], values[pair], units[pair]), .pairKey, pair, "the pairs do not ascend")
    }
    let taxa = bytes.monotone(.traitTaxon, directory)
    let pairs = bytes.packed(.traitPair, directory)
    for row in 1..<max(1, pairs.count) {
      try require(
        taxa[row - 1] < taxa[row] || pairs[row - 1] < pairs[row], .traitPair, row,
        "the pairs do not ascend")
    }
  }
}

// What batches write for each of their lines: without a text in between, and without a copy of the columns,
// of which there are many.
extension PackView {
  /// Appends the scientific name or another one of a taxon as the source spells it, in UTF-8.
  ///
  /// - Complexity: O(length)
  package func appendText(of name: NameOrdinal, to output: inout [UInt8]) {
    names.appendText(of: name, to: &output)
  }

  /// Whether a name is the scientific name of a taxon.
  @inline(__always)
  package func isScientific(_ name: NameOrdinal) -> Bool { name.index < taxonCount }

  /// Appends the word of the rank of a taxon.
  ///
  /// - Complexity: O(length)
  package func appendRank(of taxon: TaxonOrdinal, to output: inout [UInt8]) {
    taxa.ranks.append(taxa.rank(of: taxon), to: &output)
  }

  /// Appends the conservation code of a taxon, of which most have none; returns whether it has one.
  package func appendConservation(of taxon: TaxonOrdinal, to output: inout [UInt8]) -> Bool {
    taxa.conservationCodes.append(taxa.conservation(of: taxon), to: &output)
  }

  /// Appends the authorship of the scientific name of a taxon; returns whether it has one.
  package func appendAuthor(of taxon: TaxonOrdinal, to output: inout [UInt8]) -> Bool {
    taxa.authors.append(taxa.author(of: taxon), to: &output)
  }

  /// Appends the status of a taxon.
  package func appendStatus(of taxon: TaxonOrdinal, to output: inout [UInt8]) {
    _ = taxa.statuses.append(taxa.status(of: taxon), to: &output)
  }

  /// The number that the source writes for a taxon; nil where it writes texts, and for an implied root.
  ///
  /// - Complexity: O(1)
  package func number(of taxon: TaxonOrdinal) -> Int64? {
    ids.areTexts || ids.isImplied(taxon) ? nil : ids[taxon].rawValue
  }

  /// The taxon that has a number as its id, where a text is that in its shortest form and the source writes
  /// numbers; nil for any other text, and where the taxon does not pass the filter.
  ///
  /// - Complexity: O(1) where ids are spread evenly, O(log n) at worst.
  package func taxon(numbered text: ArraySlice<UInt8>, _ filter: SearchFilter) -> TaxonOrdinal? {
    guard (1...18).contains(text.count), !ids.areTexts else { return nil }
    let zero = UInt8(ascii: "0")
    var value: Int64 = 0
    for byte in text {
      guard byte &- zero < 10 else { return nil }
      value = value &* 10 &+ Int64(byte &- zero)
    }
    guard text.count == 1 || text.first != zero, let taxon = ids.taxon(TaxonID(rawValue: value))
    else { return nil }
    return filter.isEmpty || passes(taxon, filter) ? taxon : nil
  }
}

extension RankTable {
  /// Appends the word of a rank.
  fileprivate func append(_ row: RankRow, to output: inout [UInt8]) {
    _ = names.append(row, to: &output)
  }
}

extension StringTable {
  /// Appends string `row`, in UTF-8; returns whether it has any.
  @inline(__always)
  fileprivate func append(_ row: Row, to output: inout [UInt8]) -> Bool {
    let text = utf8(row)
    output.append(contentsOf: text)
    return text.byteCount > 0
  }
}

extension MissingValue {
  /// Whether a line of a batch is one of them, whatever its case, spaces around it apart.
  ///
  /// It is not generic: such a function is not made for its type in another module.
  ///
  /// - Complexity: O(length)
  package static func isOne(_ text: ArraySlice<UInt8>) -> Bool {
    // Hardly a text is as short and begins like one of them.
    guard let first = text.first(where: { $0 != UInt8(ascii: " ") }) else { return false }
    switch first {
    case UInt8(ascii: "-"), UInt8(ascii: "?"), UInt8(ascii: "N"), UInt8(ascii: "n"),
      UInt8(ascii: "U"), UInt8(ascii: "u"):
      return isWord(text)
    default: return false
    }
  }
}

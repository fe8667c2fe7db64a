extension NameView {
  /// The sign of the order of two scientific names by their bytes.
  func spelledOrder(
    _ a: TaxonOrdinal, _ b: TaxonOrdinal, _ buffers: inout (a: [UInt8], b: [UInt8])
  ) -> Int {
    if let order = phraseOrder(a, b, &buffers) { return order }
    buffers.a.removeAll(keepingCapacity: true)
    buffers.b.removeAll(keepingCapacity: true)
    appendText(of: NameOrdinal(a.index), to: &buffers.a)
    appendText(of: NameOrdinal(b.index), to: &buffers.b)
    return buffers.a == buffers.b ? 0 : buffers.a.lexicographicallyPrecedes(buffers.b) ? -1 : 1
  }

  /// The same for two phrases that begin with the same words, written alike; nil for others.
  ///
  /// Only the first words that differ are read: of one genus there may be a hundred thousand strains.
  private func phraseOrder(
    _ a: TaxonOrdinal, _ b: TaxonOrdinal, _ buffers: inout (a: [UInt8], b: [UInt8])
  ) -> Int? {
    guard case .phrase(let phraseA, let firstA) = form(of: NameOrdinal(a.index)),
      case .phrase(let phraseB, let firstB) = form(of: NameOrdinal(b.index)),
      firstA == firstB, firstA >= 0,
      case .shape(let shapeA) = spellings.spelling(ofPhrase: phraseA),
      case .shape(let shapeB) = spellings.spelling(ofPhrase: phraseB)
    else { return nil }
    let rowsA = wordRows(of: phraseA)
    let rowsB = wordRows(of: phraseB)
    let most = min(rowsA.count, rowsB.count)
    var same = 0
    while same < most,
      phraseWords[rowsA.lowerBound &+ same] == phraseWords[rowsB.lowerBound &+ same]
    {
      same &+= 1
    }
    if same == rowsA.count, same == rowsB.count { return shapeA == shapeB ? 0 : nil }
    let symbolsA = spellings.symbols(ofShape: shapeA)
    let symbolsB = spellings.symbols(ofShape: shapeB)
    guard let start = NameShape.starts(behind: same &+ 1, symbolsA, symbolsB) else { return nil }
    if same == most { return rowsA.count < rowsB.count ? -1 : 1 }
    write(rowsA.dropFirst(same), symbolsA.clamped(start.a..<symbolsA.byteCount), to: &buffers.a)
    write(rowsB.dropFirst(same), symbolsB.clamped(start.b..<symbolsB.byteCount), to: &buffers.b)
    return buffers.a.lexicographicallyPrecedes(buffers.b) ? -1 : 1
  }

  /// Writes the first word of `rows` as a shape spells it, and what divides it from the next one.
  private func write(_ rows: Range<Int>, _ symbols: RawSpan, to output: inout [UInt8]) {
    output.removeAll(keepingCapacity: true)
    vocabulary.append(phraseWords[rows.lowerBound], to: &output)
    if rows.count > 1 { output.append(UInt8(ascii: " ")) }
    NameShape.apply(symbols, to: &output, from: 0)
  }
}

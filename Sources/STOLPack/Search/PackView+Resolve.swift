/// What an id, or a text that should name one taxon, stands for.
public enum TaxonResolution: Equatable, Sendable {
  /// This taxon, by id or by name.
  case found(TaxonOrdinal)
  /// This taxon, through a synonym of it or the own id of one.
  case synonym(TaxonOrdinal, NameOrdinal)
  /// This taxon, through a common name of it.
  case common(TaxonOrdinal, NameOrdinal)
  /// This taxon, through an id that was merged into it.
  case merged(TaxonOrdinal)
  /// Several taxa, best known first; for an id, where it is that of a name of several, or also a name.
  case ambiguous([TaxonOrdinal])
  /// An id that was deleted.
  case deleted
  /// Nothing that the source has heard of.
  case notFound
  /// Blank, or longer than a query may be.
  case invalid

  /// The taxon, where it is one.
  public var taxon: TaxonOrdinal? {
    switch self {
    case .found(let taxon), .merged(let taxon), .synonym(let taxon, _), .common(let taxon, _): taxon
    case .ambiguous, .deleted, .notFound, .invalid: nil
    }
  }

  /// The taxa that the text names equally well, best known first; none where it is one.
  public var candidates: [TaxonOrdinal] {
    guard case .ambiguous(let taxa) = self else { return [] }
    return taxa
  }

  /// The name that led to the taxon, where it is not the accepted one.
  public var name: NameOrdinal? {
    switch self {
    case .synonym(_, let name), .common(_, let name): name
    case .found, .merged, .ambiguous, .deleted, .notFound, .invalid: nil
    }
  }
}

extension PackView {
  /// The taxon that `text` names: an id, else a scientific name, else a synonym or common name.
  ///
  /// Nothing is guessed: a name of several taxa is ambiguous, unless `filter` leaves one of them, and so
  /// is a text that is the id of one and a name of another. What the filter excludes is not found, by id
  /// neither. A number, and an id behind its id space, as in "col:4CGXP", is never a name. Only whole names
  /// count; scientific names go before others, which count alike. Words that tables have for nothing, as
  /// "NA", name only a taxon whose scientific name they are.
  ///
  /// - Complexity: O(log n) for an id or a rare name.
  public func resolve(_ text: String, filter: SearchFilter = SearchFilter()) -> TaxonResolution {
    if !ids.areTexts, let number = Self.plainNumber(text.utf8) {
      return withAllTaxa(ids.resolve(TaxonID(rawValue: number)), filter)
    }
    let isPlain = text.withUTF8Span { Self.isPlain($0) }
    let id = isPlain ? (text: text, isCertain: false) : idText(text)
    if id.isCertain { return withAllTaxa(ids.resolve(sourceID: id.text), filter) }
    guard text.utf8.count <= SearchQuery.maximumByteCount,
      isPlain || text.contains(where: { !$0.isWhitespace })
    else { return .invalid }
    let named = resolve(name: text, filter)
    guard ids.haveTexts else { return named }
    let identified = withAllTaxa(ids.resolve(sourceID: id.text), filter)
    guard named != .notFound else { return identified }
    var taxa = (identified.taxon.map { [$0] } ?? identified.candidates).filter {
      passes($0, filter)
    }
    // An id that the source retired is none beside a name that it uses.
    if case .merged = identified { return named }
    guard !taxa.isEmpty else { return named }
    for taxon in named.taxon.map({ [$0] }) ?? named.candidates where !taxa.contains(taxon) {
      taxa.append(taxon)
    }
    guard taxa.count == 1 else { return .ambiguous(taxa) }
    if case .found = named { return named }
    return identified
  }

  /// What a plain text in UTF-8 names as the only name of all: what `resolve` says, with no copy of the text; nil
  /// where it takes that to tell.
  ///
  /// - Complexity: O(length)
  public func resolvePlain(
    _ text: Span<UInt8>, filter: SearchFilter = SearchFilter()
  ) -> TaxonResolution? {
    guard text.count <= SearchQuery.maximumByteCount, Self.isPlain(text), FoldedText.isPlain(text),
      !ids.haveTexts, case .one(let name) = namesEqual(to: FoldedText(plain: text))
    else { return nil }
    return resolve(only: name, text, filter)
  }

  /// What the source calls by this text, in exactly this form; ambiguous for the own id of a name that
  /// is used for several taxa.
  ///
  /// - Complexity: that of `IDView.resolve(sourceID:)`; for the own id of a name, that of finding the
  ///   name too.
  public func resolve(sourceID text: String) -> TaxonResolution {
    withAllTaxa(ids.resolve(sourceID: text))
  }

  /// What an id written so stands for, perhaps behind its id space, and whether it cannot be a name; nil
  /// for what can be no id.
  ///
  /// - Complexity: O(1) for most texts of a source whose ids are numbers.
  package func identified(by utf8: ArraySlice<UInt8>) -> (found: TaxonResolution, isCertain: Bool)?
  {
    if !ids.haveTexts {
      guard let last = utf8.last(where: { $0 > UInt8(ascii: " ") }), last < 0x80,
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(last)
      else { return nil }
    }
    let id = idText(String(decoding: utf8, as: UTF8.self))
    return (resolve(sourceID: id.text), id.isCertain)
  }

  private func resolve(name text: String, _ filter: SearchFilter) -> TaxonResolution {
    // Quotes around a text may be part of a name.
    if text.utf8.first != UInt8(ascii: "\"") {
      switch namesEqual(to: text) {
      case .none: return .notFound
      case .one(let name): return text.withUTF8Span { resolve(only: name, $0, filter) }
      case .several: break
      }
    }
    let hits = search(
      SearchQuery(text, mode: .exact, words: .asTyped, limit: .max, filter: filter))
    let scientific = hits.filter { names.isScientific($0.name) && !isImplied($0.taxon) }
    if let hit = scientific.first {
      return scientific.count == 1 ? .found(hit.taxon) : .ambiguous(scientific.map { $0.taxon })
    }
    let others = hits.filter { !names.isScientific($0.name) }
    guard let hit = others.first, !MissingValue.isWord(text.utf8) else { return .notFound }
    guard others.count == 1 else { return .ambiguous(others.map { $0.taxon }) }
    return names.type(of: hit.name) == .synonym
      ? .synonym(hit.taxon, hit.name) : .common(hit.taxon, hit.name)
  }

  /// Which names equal a text.
  private func namesEqual(to text: String) -> SearchSession.Equal {
    text.withUTF8Span { text in
      if FoldedText.isPlain(text) { return namesEqual(to: FoldedText(plain: text)) }
      var folder = Folder()
      var folded: [UInt8] = []
      folder.fold(text, into: &folded)
      return folded.isEmpty ? .none : namesEqual(to: FoldedText(folded: folded.span))
    }
  }

  /// What the only name that equals a text stands for.
  private func resolve(
    only name: NameOrdinal, _ text: Span<UInt8>, _ filter: SearchFilter
  ) -> TaxonResolution {
    let taxon = names.taxon(of: name)
    guard passes(taxon, name, filter) else { return .notFound }
    if names.isScientific(name) { return isImplied(taxon) ? .notFound : .found(taxon) }
    if MissingValue.isWord(text) { return .notFound }
    return names.type(of: name) == .synonym ? .synonym(taxon, name) : .common(taxon, name)
  }

  /// All taxa for which the name is used whose own id was found, as each use has the same id; the one
  /// that `filter` leaves of several.
  private func withAllTaxa(
    _ found: TaxonResolution, _ filter: SearchFilter = SearchFilter()
  ) -> TaxonResolution {
    guard case .synonym(_, let name) = found, let id = names.record(of: name).sourceID else {
      return filtered(found, filter)
    }
    var uses: [(taxon: TaxonOrdinal, name: NameOrdinal)] = []
    let text = names.text(of: name)
    for hit in search(SearchQuery(text, mode: .exact, words: .asTyped, limit: .max)) {
      let use = names.furtherNames(of: hit.taxon).first { names.hasOwnID($0, id) }
      if let use { uses.append((hit.taxon, use)) }
    }
    guard uses.count > 1 else { return filtered(found, filter) }
    let passing = uses.filter { passes($0.taxon, filter) }
    guard let first = passing.first else { return .notFound }
    return passing.count == 1
      ? .synonym(first.taxon, first.name) : .ambiguous(passing.map { $0.taxon })
  }

  /// What an id stands for; nothing where the filter excludes its taxon.
  private func filtered(
    _ resolution: TaxonResolution, _ filter: SearchFilter
  ) -> TaxonResolution {
    guard let taxon = resolution.taxon, !passes(taxon, filter) else { return resolution }
    return .notFound
  }

  /// The number that a text is in its shortest form, if it is one of at most 18 digits.
  ///
  /// Such a number is its own key, so that nothing else needs to be compared.
  private static func plainNumber(_ text: String.UTF8View) -> Int64? {
    guard (1...18).contains(text.count) else { return nil }
    var value: Int64 = 0
    for byte in text {
      guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
      value = value &* 10 &+ Int64(byte &- UInt8(ascii: "0"))
    }
    return text.first == UInt8(ascii: "0") && text.count > 1 ? nil : value
  }

  /// Whether a text begins with a letter of ASCII, ends without a space and has no colon, as most names:
  /// it is what `idText` makes of it, and no number.
  private static func isPlain(_ text: Span<UInt8>) -> Bool {
    guard text.count > 0, text[0] | 0x20 >= UInt8(ascii: "a"),
      text[0] | 0x20 <= UInt8(ascii: "z"),
      text[text.count &- 1] > UInt8(ascii: " "), text[text.count &- 1] < 0x80
    else { return false }
    for index in text.indices where text[index] == UInt8(ascii: ":") { return false }
    return true
  }

  /// What of a text may be an id: without spaces around it and, if it is that of the pack, without its id
  /// space; and whether it cannot be a name.
  private func idText(_ text: String) -> (text: String, isCertain: Bool) {
    var rest = Substring(text)
    while let first = rest.first, first.isWhitespace { rest.removeFirst() }
    while let last = rest.last, last.isWhitespace { rest.removeLast() }
    if rest.utf8.contains(UInt8(ascii: ":")) {
      let space = addressSpace + ":"
      if rest.utf8.starts(with: space.utf8) { return (String(rest.dropFirst(space.count)), true) }
    }
    return (String(rest), Int64(rest) != nil)
  }

  /// What stands for an id space where a database names none: alone in references, with the mark of the
  /// database in ids.
  package static let unstatedIDSpace = "unstated"

  /// What stands before an id that is one of this database only: its id space, or "unstated-1a2b3c4d",
  /// which equals that of no other.
  ///
  /// - Complexity: that of `idSpace`
  package var addressSpace: String { idSpace ?? "\(Self.unstatedIDSpace)-\(sourceMark)" }

  /// Names that may have been meant by a text that names nothing, three at most, best known first, each
  /// text once.
  ///
  /// What is spelled alike, else what begins like the longest possible beginning of the text.
  public func nearMisses(_ text: String, filter: SearchFilter = SearchFilter()) -> [NameOrdinal] {
    let count = 3
    // Several taxa may have one name.
    var query = SearchQuery(
      text, mode: .fuzzy, words: .asTyped, limit: 4 * count, filter: filter)
    while query.text.count > 2 {
      var texts: Set<String> = []
      let near = search(query).filter {
        !isImplied($0.taxon) && texts.insert(names.text(of: $0.name)).inserted
      }
      guard near.isEmpty else { return near.prefix(count).map { $0.name } }
      query.text.removeLast()
      query.mode = .prefix
    }
    return []
  }
}

/// The words that tables have where there is nothing.
package enum MissingValue {
  private static let words = [
    "-", "--", "?", "n/a", "na", "nan", "nil", "none", "not available", "null", "unknown",
  ]

  private static let greatestByteCount = 13

  /// As below, without a copy of a longer text.
  static func isWord(_ text: Span<UInt8>) -> Bool {
    var (start, end) = (0, text.count)
    while start < end, text[start] == UInt8(ascii: " ") { start &+= 1 }
    while end > start, text[end &- 1] == UInt8(ascii: " ") { end &-= 1 }
    return end &- start <= greatestByteCount
      && isWord(text.extracting(start..<end).rawSpan.text().utf8)
  }

  /// Whether a text in UTF-8 is one of them, whatever its case, spaces around it apart.
  ///
  /// - Complexity: O(length)
  static func isWord(_ text: some BidirectionalCollection<UInt8>) -> Bool {
    var rest = text[...]
    while rest.first == UInt8(ascii: " ") { rest.removeFirst() }
    while rest.last == UInt8(ascii: " ") { rest.removeLast() }
    // Hardly a name begins like one of them.
    guard rest.count <= greatestByteCount, let first = rest.first,
      "-?nu".utf8.contains(first.lowercasedASCII)
    else {
      return false
    }
    return words.contains { $0.utf8.elementsEqual(rest.lazy.map { $0.lowercasedASCII }) }
  }
}

extension UInt8 {
  /// The small letter, for a capital of ASCII.
  package var lowercasedASCII: UInt8 {
    self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self + 32 : self
  }
}

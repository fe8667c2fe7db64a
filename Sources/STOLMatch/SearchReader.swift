public import STOLPack

/// What a text that somebody looks for stands for, before names are searched for it.
public enum SearchReading {
  /// An id: what it stands for, and its taxa.
  case id(TaxonResolution, [SearchHit])
  /// A name with its authors behind it: what it stands for, and its taxa, each by the name that was meant.
  case authored(TaxonResolution, [SearchHit])
  /// Nothing but a text: what of it is to be searched for, and how; and whether that is what stands before a
  /// marker of open nomenclature, as the genus of "Quercus sp.".
  case text(ArraySlice<UInt8>, SearchQuery.Mode, isPart: Bool)
}

/// Reads texts that people look for: names or parts of them, ids, names with their authors, and names in open
/// nomenclature.
///
/// The memory of the last text is used again; any number of threads may look in one pack, each with its own.
public struct SearchReader: ~Copyable {
  private var authored = AuthoredNames()

  /// One without memory yet.
  public init() {}

  /// What a text stands for that is neither blank nor longer than a query may be.
  ///
  /// - Parameters:
  ///   - text: the text, in UTF-8.
  ///   - query: what is asked for besides the text.
  ///   - session: memory for searches, which loses its hits.
  ///   - view: the pack.
  /// - Returns: what it means, or what is to be searched for.
  /// - Complexity: that of an exact search; where nothing begins so, of a match.
  public mutating func read(
    _ text: ArraySlice<UInt8>, _ query: SearchQuery, _ session: inout SearchSession,
    in view: borrowing PackView
  ) -> SearchReading {
    var mode = query.mode
    if let (found, isCertain) = view.identified(by: text) {
      if let id = Self.readID(found, text, query.filter, view) { return id }
      // A number is looked for in names, but nothing that is only like it.
      if isCertain, mode == .auto { mode = .prefix }
    }
    if mode != .contains, MissingValue.isOne(text) {
      mode = .exact
    } else if query.mode != .exact, let known = OpenName.certainPart(of: text),
      !Self.hasWholeName(text, query, &session, view)
    {
      return .text(known, .exact, isPart: true)
    }
    if AuthoredNames.mayHaveAuthors(text),
      let authored = readAuthored(text, query, mode, &session, view)
    {
      return authored
    }
    return .text(text, mode, isPart: false)
  }

  /// Whether what was found first answers a text: words that tables have for nothing name only a taxon whose
  /// scientific name they are, unless they are looked for inside words.
  ///
  /// - Complexity: O(length)
  public static func isAnswer(
    _ best: SearchHit, to text: ArraySlice<UInt8>, _ mode: SearchQuery.Mode,
    in view: borrowing PackView
  ) -> Bool {
    mode == .contains || view.names.isScientific(best.name) || !MissingValue.isOne(text)
  }

  /// What an id stands for; nil where none was found, or its taxon does not pass the filter.
  private static func readID(
    _ found: TaxonResolution, _ text: ArraySlice<UInt8>, _ filter: SearchFilter,
    _ view: borrowing PackView
  ) -> SearchReading? {
    if case .notFound = found { return nil }
    // A text may be an id and a name.
    let resolved = view.resolve(String(decoding: text, as: UTF8.self), filter: filter)
    let taxa = (resolved.taxon.map { [$0] } ?? resolved.candidates)
      .filter { view.passes($0, filter) }
    guard !taxa.isEmpty || resolved == .deleted else { return nil }
    let name = taxa.count == 1 ? resolved.name : nil
    return .id(resolved, taxa.map { SearchHit(identified: $0, name) })
  }

  /// A name with its authors behind it, where nothing has or begins with the whole text; else nil.
  @inline(never)
  private mutating func readAuthored(
    _ text: ArraySlice<UInt8>, _ query: SearchQuery, _ mode: SearchQuery.Mode,
    _ session: inout SearchSession, _ view: borrowing PackView
  ) -> SearchReading? {
    var plain = query
    plain.mode = mode == .exact ? .exact : .prefix
    plain.limit = 1
    session.search(text.span, plain, in: view)
    guard session.hits.isEmpty else { return nil }
    let uses = authored.uses(of: text, passing: query.filter, in: view)
    guard let use = uses.first else { return nil }
    let found: TaxonResolution =
      uses.count > 1
      ? .ambiguous(uses.map { $0.taxon })
      : view.names.isScientific(use.name) ? .found(use.taxon) : .synonym(use.taxon, use.name)
    return .authored(found, uses.map { SearchHit(identified: $0.taxon, $0.name) })
  }

  /// Whether a taxon has the whole text as a name.
  private static func hasWholeName(
    _ text: ArraySlice<UInt8>, _ query: SearchQuery, _ session: inout SearchSession,
    _ view: borrowing PackView
  ) -> Bool {
    var whole = query
    whole.mode = .exact
    whole.limit = 1
    session.search(text.span, whole, in: view)
    return !session.hits.isEmpty
  }
}

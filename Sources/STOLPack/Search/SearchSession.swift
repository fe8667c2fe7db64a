/// Searches one query after another and keeps its memory in between.
///
/// A warm session allocates nothing on the heap. Sessions are independent: any number of threads may
/// search one pack, each with its own.
public struct SearchSession: ~Copyable {
  /// The hits of the last search, in order.
  public private(set) var hits: [SearchHit] = []

  /// Whether completions that the pack stores, which has no eleventh, may answer a search for one more.
  package var isOneFewerEnough = false
  /// Whether the hits of the last search are such completions: many names begin so.
  package private(set) var areHitsStored = false

  var text = QueryText()
  /// Whether a name equals the text of the query with the double quotes around it.
  private(set) var hasNameInQuotes = false
  var list = HitList()
  var walk = VocabularyWalk()
  var masks = LetterMasks()
  var editDistance = EditDistance()
  /// The words of the query, each with its number in the vocabulary or nil.
  var wordNumbers: [Int?] = []
  /// What counts as a word of the query, and where what does for each one lies.
  var forms: [WordForm] = []
  var formRanges: [Range<Int>] = []
  /// Words that have those of the query somewhere.
  var around = WordsAround()
  var stem: [UInt8] = []
  var otherStem: [UInt8] = []
  var candidate: [UInt8] = []
  /// The words that begin with the last word of the query.
  var lastWords = 0..<0
  /// Names that have been verified already.
  var seen = NameSet()
  // Buffers of one name.
  var nameWords: [Int] = []
  var nameBytes: [UInt8] = []
  var wordBytes: [UInt8] = []
  var nameScalars: [UInt32] = []
  var assignment = WordAssignment()
  /// Words of the query and the edits within which one of them must be in a name.
  var shares: [(word: Int, edits: Int)] = []
  var longLists: [LongList] = []
  /// Words of the query with others between them.
  var apart: [Int] = []
  var planCosts: [Int] = []
  var planChoices: [Int] = []
  /// The search for names has found all words within so many edits of the first word of the query.
  var nearEdits = -1
  /// Words of which all the names that begin with them have been verified.
  var finishedWords: [Int] = []
  /// What is like the last word of the query, where names were looked for by it.
  var likeLast = LikeWords()
  /// All names and beginnings of names with fewer edits have been found before.
  var leastEdits = 1
  /// The letters of each word of the query.
  var wordLetters: [WordLetters] = []
  var nameLetters: [LetterSet] = []
  /// The letters of the query.
  var queryLetters = LetterSet(rawValue: 0)
  /// The letters of each end of the query, the whole of it first; empty until they are asked for.
  var endLetters: [LetterSet] = []
  /// The first word of the last name of two words, and the first two of the last longer one.
  var genus = NameStart()
  var start = NameStart()
  var firstWords = FirstWords()
  private var letterWords = 0..<0
  /// What of the query is to be looked for behind or before words that many names have.
  var rests = RestList()
  /// Nodes of the trie whose words are still to be matched.
  private var promisingNodes: [WordTrie.Node] = []

  /// Whether what similar names are found with has been asked for.
  var hasPrefetched = false

  /// Whether stored completions may answer; they may not where they are made.
  var usesStoredCompletions = true

  /// A session without memory yet.
  public init() {}

  /// Finds names; `hits` holds them until the next search.
  ///
  /// Hits are ordered by match class and distance, of whole names those that are scientific first; then by
  /// prominence, rank, status, scientific name (UTF-8 bytes) and id. Where languages are preferred, of names of
  /// one class those in them and scientific ones come first, unless they are only similar. A taxon appears once, with its best
  /// name. An empty text lists the taxa that pass the filter, if there is one; where it asks for a
  /// language, those with a name in it. The result is the first `limit` hits of that order, and nothing within it is ever missed.
  ///
  /// - Complexity: exact words are found in O(length), similar ones by a walk over the part of the
  ///   vocabulary that the distance leaves; then O(m) for m matching names.
  public mutating func search(_ query: SearchQuery, in view: borrowing PackView) {
    query.text.withUTF8Span { search($0, query, in: view) }
  }

  /// Finds names that match `text`, in UTF-8, instead of the text of `query`.
  public mutating func search(
    _ text: Span<UInt8>, _ query: SearchQuery, in view: borrowing PackView
  ) {
    hits.removeAll(keepingCapacity: true)
    areHitsStored = false
    guard query.limit > 0, text.count <= SearchQuery.maximumByteCount else { return }
    list.start(limit: query.limit)
    let isExact = query.mode == .exact
    letterWords = isExact ? 0..<0 : view.names.vocabulary.letterWords
    if isExact, FoldedText.isPlain(text) {
      if let only = matchWholeNames(FoldedText(plain: text), query, view) {
        return addOnlyHit(only, query, view)
      }
      return addHits(view)
    }
    self.text.set(text)
    hasNameInQuotes = false
    if self.text.isQuoted, query.mode != .fuzzy { matchInQuotes(text, query, view) }
    if hasNameInQuotes, isExact || self.text.isEmpty {
      // The quotes are part of the name that was meant.
    } else if self.text.isEmpty {
      guard !query.filter.isEmpty, self.text.isBlank else { return }
      browse(query, view)
    } else {
      match(query, view)
    }
    addHits(view)
  }

  /// Adds what has been found, in order.
  private mutating func addHits(_ view: borrowing PackView) {
    list.finish(view)
    for candidate in list.candidates { addHit(candidate.taxon, candidate.name, candidate.key) }
    forgetHugeBuffers()
  }

  /// Gives memory back that hardly any query needs.
  private mutating func forgetHugeBuffers() {
    list.forgetHugeBuffers()
    walk.forgetHugeBuffers()
    likeLast.forgetHugeBuffers()
    seen.forgetHugeBuffers()
    around.forgetHugeBuffers()
    if promisingNodes.capacity > Self.hugeCount { promisingNodes = [] }
  }

  /// Buffers of more elements are not kept for the next query.
  static let hugeCount = 1 << 13

  /// Offers names that equal the text with the double quotes around it, as sources have some.
  private mutating func matchInQuotes(
    _ text: Span<UInt8>, _ query: SearchQuery, _ view: borrowing PackView
  ) {
    self.text.set(text, keepsQuotes: true)
    offerWholeNames(query, view)
    hasNameInQuotes = !list.candidates.isEmpty
    self.text.set(text)
  }

  mutating func addHit(_ taxon: TaxonOrdinal, _ name: NameOrdinal, _ key: UInt32) {
    hits.append(
      SearchHit(
        taxon: taxon, name: name, matchClass: HitKey.matchClass(key),
        distance: HitKey.distance(key), relevanceScore: HitKey.score(key)))
  }

  private mutating func match(_ query: SearchQuery, _ view: borrowing PackView) {
    areHitsStored = completeFromStore(query, view)
    if areHitsStored { return }
    switch query.mode {
    case .exact: offerWholeNames(query, view)
    case .prefix: matchWords(text.isQuoted ? .quoted : .prefix, query, view)
    case .auto where text.isQuoted: matchWords(.quoted, query, view)
    case .auto:
      matchWords(.prefix, query, view)
      if query.words == .anyForm, text.isWithoutSpaces, !isComplete(view) {
        matchInsideWords(query, view)
      }
      if list.hasThreeTaxa { return }
      matchAcrossNames(query, view)
      matchSimilar(query, view, isComplete: false)
      if query.words == .anyForm, list.candidates.isEmpty { matchInsideWords(query, view) }
    case .contains:
      matchWords(text.isQuoted ? .quoted : .prefix, query, view)
      if !text.isQuoted, !isComplete(view) { matchInsideWords(query, view) }
    case .fuzzy:
      if text.isQuoted {
        offerWholeNames(query, view)
      } else {
        matchWords(.wholeWords, query, view)
      }
      matchSimilar(query, view, isComplete: true)
    }
  }

  /// Whether the best hits are of classes before those that what stands inside words has.
  private mutating func isComplete(_ view: borrowing PackView) -> Bool {
    list.isComplete(through: .namePrefix, distance: 0, view)
  }

  /// A search for no more hits than this is over where it has found a few.
  static let fewHits = 3

  /// Offers the taxa of the clade, of those with the first trait asked for only these.
  private mutating func browse(_ query: SearchQuery, _ view: borrowing PackView) {
    let clade = (query.filter.clade ?? view.tree.taxa).clamped(to: view.tree.taxa)
    if let wanted = query.filter.traits.first {
      view.traits.forEachTaxon(in: clade, withPairIn: wanted) { browse($0, query, view) }
    } else {
      for taxon in clade { browse(taxon, query, view) }
    }
  }

  /// Offers a taxon, by all its names where languages are asked for.
  private mutating func browse(
    _ taxon: TaxonOrdinal, _ query: SearchQuery, _ view: borrowing PackView
  ) {
    offer(NameOrdinal(taxon.index), .allWords, 0, query, view)
    guard query.filter.languages != nil else { return }
    for name in view.names.furtherNames(of: taxon) {
      offer(name, .allWords, 0, query, view)
    }
  }

  /// Keeps a match if its taxon and its language pass the filter and it can be among the best.
  @inline(__always)
  mutating func offer(
    _ name: NameOrdinal, _ matchClass: MatchClass, _ distance: Int, _ query: SearchQuery,
    _ view: borrowing PackView
  ) {
    let firstKey = HitKey.first(matchClass, distance: distance)
    guard firstKey <= list.bound else { return }
    let taxon = view.names.taxon(of: name)
    guard firstKey | view.leadingKey(taxon) <= list.bound,
      view.passes(taxon, name, query.filter)
    else { return }
    let key = key(of: name, taxon, matchClass, firstKey, query, view)
    guard key <= list.bound else { return }
    list.append(
      HitList.Candidate(
        key: key, nameKey: nameKey(taxon, view), taxon: taxon, name: name,
        nameOrder: view.names.order(of: name)),
      view)
  }

  /// The place of a name among hits, of which `firstKey` is the beginning.
  @inline(__always)
  func key(
    of name: NameOrdinal, _ taxon: TaxonOrdinal, _ matchClass: MatchClass, _ firstKey: UInt32,
    _ query: SearchQuery, _ view: borrowing PackView
  ) -> UInt32 {
    let key = firstKey | view.prominenceKey(taxon)
    guard matchClass < .fuzzyName, !view.names.isScientific(name) else { return key }
    let isOther = !query.preferredLanguages.isEmpty && !query.prefers(name, view)
    guard matchClass == .exactName else { return isOther ? key | HitKey.furtherName : key }
    return key | (isOther ? HitKey.otherLanguage : HitKey.furtherName)
  }

  /// Whether a name can be among the best if its key begins with no less than `firstKey`.
  @inline(__always)
  func canBeAmongBest(
    _ name: NameOrdinal, _ firstKey: UInt32, _ query: SearchQuery, _ view: borrowing PackView
  ) -> Bool {
    guard list.bound <= firstKey | HitKey.greatestRest else { return true }
    let taxon = view.names.taxon(of: name)
    guard firstKey | view.leadingKey(taxon) <= list.bound else { return false }
    let key = firstKey | view.prominenceKey(taxon)
    if key != list.bound { return key < list.bound }
    return !list.isPastLast(taxon, nameKey: nameKey(taxon, view), view)
  }

  /// Calls `body` with `words`; where they are those below a node of the trie, not with words without
  /// a name whose key, of which `firstKey` is the beginning, can be among the best.
  mutating func forEachPromisingWords(
    in words: Range<Int>, below node: Int?, _ firstKey: UInt32, _ view: borrowing PackView,
    _ body: (inout SearchSession, Range<Int>) -> Void
  ) {
    guard let node else { return body(&self, words) }
    let trie = view.names.vocabulary.trie
    // A damaged trie may lead to one node on many ways.
    var remaining = trie.nodeCount
    promisingNodes.removeAll(keepingCapacity: true)
    promisingNodes.append(trie.node(node, words: words))
    while let node = promisingNodes.popLast(), remaining > 0 {
      remaining -= 1
      if firstKey | view.bestTaxa.leastKey(below: node.index) > list.bound { continue }
      if node.children.isEmpty {
        body(&self, node.words)
        continue
      }
      if let word = trie.ending(at: node) { body(&self, word..<word + 1) }
      for child in node.children.reversed() {
        promisingNodes.append(trie.node(child, below: node))
      }
    }
  }

  /// Orders taxa as their names do, where these are such that it can.
  private func nameKey(_ taxon: TaxonOrdinal, _ view: borrowing PackView) -> UInt64 {
    if letterWords.isEmpty { return NameKey.none }
    return switch view.names.form(of: NameOrdinal(taxon.index)) {
    case .uninomial(let word):
      letterWords.contains(word) ? NameKey.uninomial(word) : NameKey.none
    case .binomial(let genus, let epithet):
      letterWords.contains(genus) ? NameKey.binomial(genus, epithet) : NameKey.none
    case .phrase(let phrase, let first):
      letterWords.contains(first) && view.names.spellings.capitalisesFirstWord(ofPhrase: phrase)
        ? NameKey.beginning(first) : NameKey.none
    }
  }
}

/// A set of names that empties in no time.
struct NameSet {
  private var slots = [UInt64](repeating: 0, count: 256)
  private var generation: UInt64 = 1
  private var count = 0

  mutating func removeAll() {
    generation += 1
    count = 0
  }

  /// Gives the memory of a huge set back.
  mutating func forgetHugeBuffers() {
    if slots.count > 4 * SearchSession.hugeCount { self = NameSet() }
  }

  /// Whether `name` was not there yet.
  mutating func insert(_ name: NameOrdinal) -> Bool {
    if count * 2 >= slots.count { grow() }
    let entry = generation << 32 | UInt64(name.rawValue)
    var slot = Self.slot(name.rawValue, slots.count)
    while slots[slot] >> 32 == generation {
      if slots[slot] == entry { return false }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = entry
    count += 1
    return true
  }

  private mutating func grow() {
    let old = slots
    slots = [UInt64](repeating: 0, count: old.count * 2)
    for entry in old where entry >> 32 == generation {
      var slot = Self.slot(UInt32(truncatingIfNeeded: entry), slots.count)
      while slots[slot] >> 32 == generation { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = entry
    }
  }

  private static func slot(_ name: UInt32, _ count: Int) -> Int {
    Int(truncatingIfNeeded: name &* 0x9E37_79B1 &>> 7) & (count - 1)
  }
}

extension PackView {
  /// Finds names; see `SearchSession`, which does the same without allocating.
  public func search(_ query: SearchQuery) -> [SearchHit] {
    var session = SearchSession()
    session.search(query, in: self)
    return session.hits
  }

  /// Whether a taxon passes a filter, whatever its names.
  ///
  /// - Complexity: O(1), or O(log n) where the filter asks for traits.
  public func passes(_ taxon: TaxonOrdinal, _ filter: SearchFilter) -> Bool {
    if let clade = filter.clade, !clade.contains(taxon) { return false }
    if let rank = filter.rank, taxa.rank(of: taxon) != rank { return false }
    if let status = filter.status, taxa.status(of: taxon) != status { return false }
    if let code = filter.conservation, taxa.conservation(of: taxon) != code { return false }
    for wanted in filter.traits where !traits.hasPair(of: taxon, in: wanted) { return false }
    return true
  }

  @inline(__always)
  func passes(_ taxon: TaxonOrdinal, _ name: NameOrdinal, _ filter: SearchFilter) -> Bool {
    filter.isEmpty || passesAll(taxon, name, filter)
  }

  private func passesAll(
    _ taxon: TaxonOrdinal, _ name: NameOrdinal, _ filter: SearchFilter
  ) -> Bool {
    if let languages = filter.languages {
      let language = names.isScientific(name) ? names.latin : names.language(of: name)
      guard let language, languages.contains(language) else { return false }
    }
    return passes(taxon, filter)
  }

  /// The first part of `prominenceKey`, zeros behind it.
  @inline(__always)
  func leadingKey(_ taxon: TaxonOrdinal) -> UInt32 {
    HitKey.distance(ofProminence: taxa.prominence(of: taxon))
  }

  /// The key of a taxon among hits of one class and distance: less comes first.
  func prominenceKey(_ taxon: TaxonOrdinal) -> UInt32 {
    let rank = UInt32(min(taxa.ranks.position(of: taxa.rank(of: taxon)), 255))
    let status = UInt32(min(taxa.status(of: taxon).rawValue, 3))
    return leadingKey(taxon) | rank << 2 | status
  }
}

extension NameView {
  /// Scientific names before common ones before synonyms; preferred ones first; then by number.
  func order(of name: NameOrdinal) -> UInt64 {
    guard !isScientific(name) else { return 0 }
    let type: UInt64 = self.type(of: name) == .synonym ? 2 : 1
    return (type &<< 1 | (isPreferred(name) ? 0 : 1)) &<< 32 | UInt64(name.rawValue)
  }
}

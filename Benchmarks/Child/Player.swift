#if os(Linux)
import Loads
import STOLPack

/// What the child does: it types names letter by letter, picks a hit, looks at it, walks into its
/// children, asks for relatives and compares what it saw last.
struct Player: ~Copyable {
  private let pack: Pack
  private let log: QueryLog
  private var generator: Generator
  private var session = SearchSession()
  private let languages: LanguagePreference
  /// The taxon looked at before.
  private var previous: TaxonOrdinal?
  /// What the screen shows, in UTF-8.
  private var screen: [UInt8] = []
  private var limit = 0

  /// The children that fit on a screen.
  private static let shownChildCount = 50
  private static let longestTypedText = 16

  init(_ pack: Pack, log: QueryLog, seed: UInt64) {
    self.pack = pack
    self.log = log
    generator = Generator(seed: seed)
    languages = LanguagePreference("en", in: pack.view.names)
  }

  /// Plays on until the log has so many queries.
  mutating func play(queries: Int) {
    limit = queries
    let pack = pack  // The view borrows this one, for `self` changes.
    let view = pack.view
    while !isOver {
      if generator.isOne(in: 8) { walkDown(view) } else { typeName(view) }
    }
  }

  private var isOver: Bool { log.count >= limit }

  // MARK: What the child does

  /// Types a name until it is among the completions, sometimes to the end, and looks at what is found.
  private mutating func typeName(_ view: borrowing PackView) {
    let name = randomName()
    let wanted = view.names.taxon(of: name)
    var text = view.names.text(of: name)
    if generator.isOne(in: 4) { text = misspelt(text) }
    let isPatient = generator.isOne(in: 5)
    for count in 1...max(1, min(text.count, Self.longestTypedText)) {
      guard !isOver else { return }
      complete(String(text.prefix(count)), view)
      let isShown = session.hits.contains { $0.taxon == wanted }
      if isShown, !isPatient, generator.isOne(in: 2) { return explore(wanted, view) }
    }
    guard !isOver else { return }
    search(text, view)
    let isShown = session.hits.contains { $0.taxon == wanted }
    if let taxon = isShown ? wanted : session.hits.first?.taxon { explore(taxon, view) }
  }

  /// From a root down to a leaf, looking at everything on the way.
  private mutating func walkDown(_ view: borrowing PackView) {
    var next = view.tree.roots.randomElement(using: &generator)
    while let taxon = next, !isOver {
      show(taxon, view)
      guard !isOver else { return }
      next = children(taxon, view).randomElement(using: &generator)
    }
  }

  /// Looks at a taxon, its neighbourhood, and how it differs from the one before.
  private mutating func explore(_ taxon: TaxonOrdinal, _ view: borrowing PackView) {
    guard !isOver else { return }
    show(taxon, view)
    if !isOver, generator.isOne(in: 2) { relatives(taxon, view) }
    if !isOver, generator.isOne(in: 2) {
      let clade = view.tree.isLeaf(taxon) ? view.tree.parent(of: taxon) ?? taxon : taxon
      let child = children(clade, view).randomElement(using: &generator)
      if let child, !isOver { show(child, view) }
    }
    if let previous, !isOver { compare(taxon, previous, view) }
    previous = taxon
  }

  // MARK: Queries

  private mutating func complete(_ text: String, _ view: borrowing PackView) {
    let query = SearchQuery(text, words: .asTyped, limit: 10)
    begin()
    session.search(query, in: view)
    writeHits(view)
    end(.complete)
  }

  private mutating func search(_ text: String, _ view: borrowing PackView) {
    let query = SearchQuery(text)
    begin()
    session.search(query, in: view)
    writeHits(view)
    end(.search)
  }

  private mutating func show(_ taxon: TaxonOrdinal, _ view: borrowing PackView) {
    begin()
    let record = view.taxon(taxon)
    write("\(record.id.rawValue) \(record.scientificName) \(record.rank) \(record.status)")
    write("\(record.author ?? "") \(record.year ?? 0) \(record.conservationStatus ?? "")")
    for ancestor in view.tree.ancestors(of: taxon) { writeTaxon(ancestor, view) }
    for name in view.furtherNames(of: taxon) { write("\(name.name) \(name.language)") }
    for trait in view.traitList(of: taxon) { write("\(trait.key) \(trait.value)") }
    end(.show)
  }

  private mutating func children(
    _ taxon: TaxonOrdinal, _ view: borrowing PackView
  ) -> ArraySlice<TaxonOrdinal> {
    begin()
    let children = view.tree.children(of: taxon)
    write("\(children.count)")
    for child in children.prefix(Self.shownChildCount) { writeTaxon(child, view) }
    end(.children)
    return children.prefix(Self.shownChildCount)
  }

  private mutating func relatives(_ taxon: TaxonOrdinal, _ view: borrowing PackView) {
    begin()
    for relative in view.relatives(of: taxon, limit: 10) {
      write("\(relative.distance)")
      writeTaxon(relative.taxon, view)
    }
    end(.relatives)
  }

  private mutating func compare(
    _ a: TaxonOrdinal, _ b: TaxonOrdinal, _ view: borrowing PackView
  ) {
    begin()
    let comparison = view.compare(a, b)
    write("\(comparison.distance ?? -1)")
    for taxon in comparison.pathFromA { writeTaxon(taxon, view) }
    for taxon in comparison.pathFromB { writeTaxon(taxon, view) }
    end(.compare)
  }

  private mutating func begin() {
    screen.removeAll(keepingCapacity: true)
    log.begin()
  }

  private func end(_ kind: QueryKind) { log.end(kind, answer: screen) }

  // MARK: The screen

  private mutating func writeHits(_ view: borrowing PackView) {
    for hit in session.hits {
      view.names.appendText(of: hit.name, to: &screen)
      screen.append(UInt8(truncatingIfNeeded: hit.matchClass.rawValue))
      screen.append(UInt8(truncatingIfNeeded: hit.distance))
      for shift in stride(from: 0, to: 32, by: 8) {
        screen.append(UInt8(truncatingIfNeeded: hit.taxon.rawValue >> shift))
      }
    }
  }

  private mutating func writeTaxon(_ taxon: TaxonOrdinal, _ view: borrowing PackView) {
    view.names.appendText(of: NameOrdinal(rawValue: taxon.rawValue), to: &screen)
    if let name = view.commonName(of: taxon, in: languages) {
      view.names.appendText(of: name, to: &screen)
    }
    screen.append(UInt8(ascii: "\n"))
  }

  private mutating func write(_ text: String) {
    screen.append(contentsOf: text.utf8)
    screen.append(UInt8(ascii: "\n"))
  }

  // MARK: Names

  /// A name that the child has heard of: two of three are common names, where there are any.
  private mutating func randomName() -> NameOrdinal {
    let taxa = UInt32(pack.taxonCount)
    let further = UInt32(pack.nameCount)
    let isFurther = further > 0 && !generator.isOne(in: 3)
    let numbers = isFurther ? taxa..<taxa + further : 0..<taxa
    return NameOrdinal(rawValue: .random(in: numbers, using: &generator))
  }

  /// `text` with one letter inserted, lost, replaced or swapped with the next.
  private mutating func misspelt(_ text: String) -> String {
    var letters = Array(text.unicodeScalars)
    guard letters.count > 1 else { return text }
    let place = Int.random(in: 0..<letters.count - 1, using: &generator)
    let letter = Unicode.Scalar(UInt8.random(in: 97...122, using: &generator))
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: letters.insert(letter, at: place)
    case 1: letters.remove(at: place)
    case 2: letters.swapAt(place, place + 1)
    default: letters[place] = letter
    }
    var result = String.UnicodeScalarView()
    result.append(contentsOf: letters)
    return String(result)
  }
}

extension Generator {
  /// True once in so many times.
  fileprivate mutating func isOne(in count: UInt64) -> Bool { next() % count == 0 }
}
#endif

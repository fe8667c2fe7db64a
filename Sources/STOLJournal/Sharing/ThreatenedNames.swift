import STOLNames
import STOLPack

/// Texts that may name something threatened, in whatever words: what is doubtful is kept from others.
///
/// The words of a text are compared with the names of all that is threatened, and not the other way round: these are
/// read once, however many texts there are.
struct ThreatenedNames {
  /// The letters of a word, folded.
  private typealias Word = [UInt32]

  /// The words of all texts, each once, and their numbers.
  private var words: [Word] = []
  private var numbers: [Word: Int] = [:]
  /// The texts as numbers of words, and the texts that have a word.
  private var texts: [[Int]] = []
  private var textsByWord: [[Int]] = []
  /// Words by the hash of what is left of them without any one letter.
  private var shortened: [Int: [Int]] = [:]
  /// The highest threat to what each text may name.
  private(set) var threats: [Threat?]

  /// Finds the threats to what some texts may name.
  ///
  /// - Complexity: O(number of taxa + names of those that are threatened), and more where words agree
  init(_ texts: [String], _ stated: Threats, in view: borrowing PackView) {
    threats = Array(repeating: nil, count: texts.count)
    guard !texts.isEmpty else { return }
    for text in texts { take(text) }
    var name: [UInt8] = []
    // What is within something threatened comes behind it.
    var (criticalEnd, threatenedEnd) = (TaxonOrdinal(rawValue: 0), TaxonOrdinal(rawValue: 0))
    for number in 0..<UInt32(view.taxonCount) {
      let taxon = TaxonOrdinal(rawValue: number)
      switch stated.own(of: taxon, in: view) {
      case .critical: criticalEnd = max(criticalEnd, view.tree.subtree(of: taxon).upperBound)
      case .threatened: threatenedEnd = max(threatenedEnd, view.tree.subtree(of: taxon).upperBound)
      case nil: break
      }
      guard taxon < max(criticalEnd, threatenedEnd) else { continue }
      let threat: Threat = taxon < criticalEnd ? .critical : .threatened
      name = Array(view.names.scientificName(of: taxon).utf8)
      compare(Self.words(of: name), isScientific: true, threat, view)
      for further in view.names.furtherNames(of: taxon) {
        name.removeAll(keepingCapacity: true)
        view.names.appendText(of: further, to: &name)
        let isScientific = view.names.type(of: further) == .synonym
        for words in Self.spellings(of: name) {
          compare(words, isScientific: isScientific, threat, view)
        }
      }
    }
  }

  // MARK: - Words

  private mutating func take(_ text: String) {
    var found: [Int] = []
    for word in Self.words(of: Array(text.utf8)) {
      if let number = numbers[word] {
        found.append(number)
        continue
      }
      let number = words.count
      numbers[word] = number
      words.append(word)
      textsByWord.append([])
      Self.forEachShortened(word) { shortened[$0, default: []].append(number) }
      found.append(number)
    }
    for number in Set(found) { textsByWord[number].append(texts.count) }
    texts.append(found)
  }

  /// The words of a text, folded; what is between them counts for nothing, and an apostrophe within one neither.
  private static func words(of text: [UInt8]) -> [Word] {
    guard text.allSatisfy({ $0 < 0x80 }) else {
      return String(decoding: text, as: UTF8.self)
        .filter { !apostrophes.contains($0) }
        .split { !$0.isLetter }
        .map { Folder.fold(String($0)).unicodeScalars.map(\.value) }.filter { !$0.isEmpty }
    }
    var words: [Word] = []
    var word: Word = []
    for byte in text {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): word.append(UInt32(byte))
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): word.append(UInt32(byte | 0x20))
      case UInt8(ascii: "'"), UInt8(ascii: "`"): break
      default:
        if !word.isEmpty { words.append(word) }
        word.removeAll()
      }
    }
    if !word.isEmpty { words.append(word) }
    return words
  }

  /// The ways in which people write a name: "Grevy's zebra", also "Grevys zebra", "Grevy zebra" and "Grevy s zebra".
  private static func spellings(of name: [UInt8]) -> [[Word]] {
    let written = words(of: name)
    let text = String(decoding: name, as: UTF8.self)
    guard text.contains(where: apostrophes.contains) else { return [written] }
    let parts = text.split { apostrophes.contains($0) }
    let named = parts.enumerated().map { index, part in
      // The s of a possessive is a word by itself.
      index > 0 && part.prefix(while: \.isLetter).lowercased() == "s"
        ? String(part.dropFirst()) : String(part)
    }
    let apart = parts.joined(separator: " ")
    return [written, words(of: Array(named.joined().utf8)), words(of: Array(apart.utf8))]
  }

  private static let apostrophes = Set<Character>("'`\u{B4}\u{2BC}\u{2018}\u{2019}")

  private static func text(of words: some Sequence<Word>) -> String {
    words.map { word in
      String(String.UnicodeScalarView(word.compactMap { Unicode.Scalar($0) }))
    }.joined(separator: " ")
  }

  /// Gives the hashes of a word that is long enough to be misspelt, and of what is left of it without any one letter.
  private static func forEachShortened(_ word: Word, _ body: (Int) -> Void) {
    guard word.count >= nearCount else { return }
    for left in 0...word.count {
      var hasher = Hasher()
      for index in word.indices where index != left { hasher.combine(word[index]) }
      body(hasher.finalize())
    }
  }

  /// Shorter words are misspelt by none.
  private static let nearCount = 4

  /// Whether a word is another one, or that with one letter more, less, changed, or two that changed places.
  private static func isNear(_ a: Word, _ b: Word) -> Bool {
    if a == b { return true }
    let (short, long) = a.count <= b.count ? (a, b) : (b, a)
    guard short.count >= nearCount, long.count - short.count <= 1 else { return false }
    let start = zip(short, long).prefix { $0 == $1 }.count
    let end = zip(short.dropFirst(start).reversed(), long.dropFirst(start).reversed())
      .prefix { $0 == $1 }.count
    let (left, right) = (short.count - start - end, long.count - start - end)
    if right <= 1 { return true }
    return left == 2 && right == 2 && short[start] == long[start + 1]
      && short[start + 1] == long[start]
  }

  // MARK: - Names

  private mutating func compare(
    _ name: [Word], isScientific: Bool, _ threat: Threat, _ view: borrowing PackView
  ) {
    guard let first = name.first, let last = name.last else { return }
    var candidates: Set<Int> = []
    func add(_ word: Word) {
      if let number = numbers[word] { candidates.formUnion(textsByWord[number]) }
    }
    if isScientific {
      let name = name.filter { !Self.markers.contains($0) }
      guard !name.isEmpty else { return }
      add(last)
      Self.forEachShortened(last) { hash in
        for number in shortened[hash] ?? [] where Self.isNear(words[number], last) {
          candidates.formUnion(textsByWord[number])
        }
      }
      for text in candidates where threats[text] != .critical {
        if says(text, name, view) { raise(text, threat) }
      }
    } else {
      for word in [first, last] {
        add(word)
        add(word + [Self.plural])
      }
      for text in candidates where threats[text] != .critical {
        if says(text, common: name, view) { raise(text, threat) }
      }
    }
  }

  private mutating func raise(_ text: Int, _ threat: Threat) {
    if threat == .critical || threats[text] == nil { threats[text] = threat }
  }

  private static let plural = UInt32(UInt8(ascii: "s"))
  /// What may stand in a name beside its words.
  private static let markers = Set(
    ["x", "var", "subsp", "ssp", "f", "forma", "cf", "aff"].map { $0.unicodeScalars.map(\.value) })

  /// Whether a text has all words of a scientific name in their order, the genus perhaps as an initial.
  ///
  /// Misspelt words that are another name are that.
  private func says(_ text: Int, _ name: [Word], _ view: borrowing PackView) -> Bool {
    var found: [Word] = []
    var (isExact, hasInitial) = (true, false)
    for number in texts[text] where found.count < name.count {
      let (word, wanted) = (words[number], name[found.count])
      let isInitial =
        found.count + 1 < name.count && word.count <= Self.initialCount && wanted.starts(with: word)
      guard isInitial || Self.isNear(word, wanted) else { continue }
      if word != wanted {
        if isInitial { hasInitial = true } else { isExact = false }
      }
      found.append(word)
    }
    guard found.count == name.count else { return false }
    // What "T. merula" is short for need not be misspelt.
    return isExact || !hasInitial && !Self.isKnown(found, view)
  }

  /// "P.", "Pa." and "Pan." are initials.
  private static let initialCount = 3

  private static func isKnown(_ words: some Sequence<Word>, _ view: borrowing PackView) -> Bool {
    view.resolve(text(of: words)) != .notFound
  }

  /// Whether a text has the words of a common name beside each other: "lions", "black rhino" for "black rhinoceros".
  private func says(_ text: Int, common name: [Word], _ view: borrowing PackView) -> Bool {
    let here = texts[text].map { words[$0] }
    guard let last = name.last, here.count >= name.count else { return false }
    if name.count == 1 {
      // What is short, or is said of anything, is called so for itself alone.
      guard last.count > 3 || last.contains(where: { $0 > 0x7F }),
        !NameWords.isOrdinary(Self.text(of: name))
      else { return false }
    }
    for start in 0...here.count - name.count {
      let part = here[start..<start + name.count]
      let isSaid = zip(part, name).enumerated().allSatisfy { index, pair in
        let (word, wanted) = pair
        if word == wanted { return true }
        guard index + 1 == name.count else { return false }
        if word == wanted + [Self.plural] { return true }
        let short = word.last == Self.plural ? word.dropLast() : word[...]
        return name.count > 1 && short.count > 3 && wanted.starts(with: short)
      }
      let differing = zip(part, name).filter { $0 != $1 }
      let isMisspelt =
        name.count > 1 && differing.count == 1
        && differing.allSatisfy { $0.count > 4 && Self.isNear($0, $1) }
      guard isSaid || isMisspelt else { continue }
      // A leopard slug is no leopard.
      if name.count == 1, isInLongerName(here, start, view) { continue }
      return true
    }
    return false
  }

  /// Whether a word of a text is part of a longer name.
  private func isInLongerName(
    _ here: [Word], _ index: Int, _ view: borrowing PackView
  ) -> Bool {
    for start in max(0, index - 3)...index {
      for end in max(index, start + 1)...start + 3 where end < here.count {
        if Self.isKnown(here[start...end], view) { return true }
      }
    }
    return false
  }
}

/// Names as sequences of words, with their spelling: PACK.md section 7.
struct PhraseList {
  private var words: [UInt32] = []
  private var starts: [Int] = [0]
  private var shapes = ShapeList()
  private var spellingStarts: [Int] = [0]
  private var spellings: [UInt8] = []

  var count: Int { shapes.numbers.count }

  mutating func append(_ name: NameReader) {
    words.append(contentsOf: name.words)
    starts.append(words.count)
    guard !name.hasShape else { return shapes.append(name.shape) }
    shapes.appendNone()
    spellings.append(contentsOf: name.text.utf8)
    spellingStarts.append(spellings.count)
  }

  mutating func renumber(_ newNumbers: [UInt32]) {
    for index in words.indices { words[index] = newNumbers[Int(words[index])] }
  }

  /// The first word of a phrase, if it has words.
  func firstWord(_ phrase: Int) -> UInt32? {
    starts[phrase] < starts[phrase + 1] ? words[starts[phrase]] : nil
  }

  /// The words of a phrase, each once.
  func distinctWords(_ phrase: Int) -> [UInt32] {
    let all = words[starts[phrase]..<starts[phrase + 1]]
    return all.indices.filter { !all[..<$0].contains(all[$0]) }.map { all[$0] }
  }

  /// Writes all phrases; the first words of those behind the further names stand with their taxa.
  func write<Output: SectionOutput & ~Copyable>(
    to file: inout Output, furtherCount: Int
  ) throws(Output.Failure) {
    var (rest, restStarts): ([UInt32], [Int]) = ([], [0])
    rest.reserveCapacity(words.count)
    restStarts.reserveCapacity(starts.count)
    for phrase in 0..<count {
      let all = words[starts[phrase]..<starts[phrase + 1]]
      rest.append(contentsOf: phrase < furtherCount ? all : all.dropFirst())
      restStarts.append(rest.count)
    }
    try file.write(.phraseStarts, .monotone(restStarts))
    try file.write(.phraseWords, .packed(rest))
    try shapes.write(to: &file)
    try file.write(.spellingStarts, .monotone(spellingStarts))
    try file.write(.spellingText, .plain(spellings))
  }
}

/// The shapes of phrases.
struct ShapeList {
  private var table = WordTable()
  /// How many phrases have each shape.
  private var uses: [Int] = []
  /// The shape of each phrase, or `none`.
  private(set) var numbers: [UInt32] = []

  private static let none = UInt32.max

  mutating func append(_ shape: [UInt8]) {
    let number = table.intern(shape.span)
    if Int(number) == uses.count { uses.append(0) }
    uses[Int(number)] += 1
    numbers.append(number)
  }

  /// Appends a phrase that no shape spells.
  mutating func appendNone() { numbers.append(Self.none) }

  func write<Output: SectionOutput & ~Copyable>(to file: inout Output) throws(Output.Failure) {
    let order = uses.indices.sorted {
      uses[$0] != uses[$1] ? uses[$0] > uses[$1] : table.words.isLess($0, $1)
    }
    var newNumbers = [UInt32](repeating: 0, count: order.count)
    for (new, old) in order.enumerated() { newNumbers[old] = UInt32(new) }
    let common = UInt32(Layout.commonShapeCount)
    var stored: [UInt32] = []
    stored.reserveCapacity(numbers.count)
    var rare: (phrases: [Int], numbers: [UInt32]) = ([], [])
    var textCount: UInt32 = 0
    for (phrase, old) in numbers.enumerated() {
      let number = old == Self.none ? UInt32(order.count) + textCount : newNumbers[Int(old)]
      if old == Self.none { textCount += 1 }
      stored.append(old == Self.none ? common : min(number, common))
      guard stored[phrase] == common else { continue }
      rare.phrases.append(phrase)
      rare.numbers.append(number)
    }
    try file.write(.shapes, .strings(order.map { table.words[$0] }))
    try file.write(.phraseShape, .packed(stored))
    try file.write(.spellingPhrase, .monotone(rare.phrases))
    try file.write(.spellingShape, .packed(rare.numbers))
  }
}

/// How phrases are spelled: PACK.md section 7.
struct SpellingView: ~Escapable {
  /// The spelling of one phrase.
  enum Spelling {
    /// Its words with a space between, turned by a shape.
    case shape(Int)
    /// A text, which no shape gives.
    case text(Int)
  }

  private let shapeNumbers: PackedColumn
  private let shapes: StringTable<NameShape>
  private let phrases: MonotoneColumn
  private let numbers: PackedColumn
  private let starts: MonotoneColumn
  private let text: RawSpan

  @_lifetime(copy bytes)
  init(_ bytes: RawSpan, directory: borrowing Directory) {
    shapeNumbers = bytes.packed(.phraseShape, directory)
    shapes = bytes.strings(.shapes, directory)
    phrases = bytes.monotone(.spellingPhrase, directory)
    numbers = bytes.packed(.spellingShape, directory)
    starts = bytes.monotone(.spellingStarts, directory)
    text = bytes.section(.spellingText, directory)
  }

  /// The spelling of a phrase; nil where a damaged pack has none.
  ///
  /// - Complexity: O(1) for the commonest shapes, O(log n) for others.
  func spelling(ofPhrase phrase: Int) -> Spelling? {
    let stored = shapeNumbers[phrase]
    guard stored >= Layout.commonShapeCount else { return .shape(stored) }
    let row = phrases.lowerBound(phrase)
    guard row < phrases.count, phrases[row] == phrase else { return nil }
    let number = numbers[row]
    return number < shapes.count ? .shape(number) : .text(number &- shapes.count)
  }

  /// Whether a phrase that begins with a letter has one capital in its first word, that letter, and a
  /// space behind that word or no more words; of rare shapes it is not said.
  func capitalisesFirstWord(ofPhrase phrase: Int) -> Bool {
    let stored = shapeNumbers[phrase]
    guard stored < Layout.commonShapeCount else { return false }
    let symbols = symbols(ofShape: stored)
    return symbols.uint8(at: 0) == UInt8(ascii: "B")
      && (symbols.byteCount == 1
        || symbols.uint8(at: 1) == UInt8(ascii: "a") && symbols.uint8(at: 2) == UInt8(ascii: " "))
  }

  /// The symbols of a shape.
  @_lifetime(copy self)
  func symbols(ofShape shape: Int) -> RawSpan { shapes.utf8(TableRow(rawValue: shape)) }

  /// A spelling that is a text.
  @_lifetime(copy self)
  func text(_ row: Int) -> RawSpan { text.clamped(starts.range(row)) }
}

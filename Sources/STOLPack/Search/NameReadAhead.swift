/// Reads ahead what look-ups of some names will need, so that they wait for memory together and not in turn.
///
/// For loops over many names of a large pack: `note` each of a batch, `read` once, then look them up as ever.
/// Only names that are plain are noted; what is read changes no answer.
public struct NameReadAhead {
  /// The most names of a batch.
  public static let capacity = 16

  private var slots: [(bucket: Int, tag: UInt64)] = []
  private var names: [NameOrdinal] = []
  private var words: [Int] = []
  private var offsets: [Int] = []
  /// Of what was read, so that it is.
  private var sum: UInt64 = 0

  /// One without names.
  public init() {}

  /// Notes a name in UTF-8.
  ///
  /// - Complexity: O(length)
  public mutating func note(_ name: Span<UInt8>, in view: borrowing PackView) {
    guard FoldedText.isPlain(name) else { return }
    slots.append(view.wholeNames.slot(of: FoldedText(plain: name)))
  }

  /// Reads what the look-ups of all names that were noted read, and forgets these.
  ///
  /// - Complexity: O(number of names)
  public mutating func read(in view: borrowing PackView) {
    // Each loop needs what the one before has read; within one, no read waits for another name's.
    view.wholeNames.appendCandidates(of: slots, to: &names)
    view.names.folded.appendWords(of: names, to: &words)
    view.names.folded.appendPlaces(ofWords: words, to: &offsets)
    sum ^= view.names.folded.touchTexts(at: offsets)
    slots.removeAll(keepingCapacity: true)
    names.removeAll(keepingCapacity: true)
    words.removeAll(keepingCapacity: true)
    offsets.removeAll(keepingCapacity: true)
  }
}

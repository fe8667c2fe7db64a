/// The limits of Format/JOURNAL.md.
public enum JournalLimits {
  /// The most bytes of a text.
  public static let textByteCount = 65_536
  /// The most bytes of a name, a tag or a word.
  public static let nameByteCount = 1024
  /// The most places or events from the top of a hierarchy to its lowest.
  public static let nestingCount = 8
  /// The most tags of a record, and the most tanks and logs of a dive.
  public static let listCount = 64
  /// The most bytes of the samples of a dive before they are compressed: about a day at one a second.
  public static let samplesByteCount = 393_216
  /// So many days can be undone.
  public static let historyDays = 90
  /// The most bytes of texts in the history, but for the last day.
  static let historyByteCount = 64 << 20
}

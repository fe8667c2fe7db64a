#if hasFeature(Embedded)
// Where there is no system around the engine, for what `File/` asks it elsewhere.

extension RawSpan {
  /// All bytes are in memory.
  func readAhead() {}
}

extension CompletionBuilder {
  /// The completions of a pack, by ascending node.
  static func completions(of pack: Pack) -> [Entry] {
    entries(of: pack, pack.view.namePositions(), share: 0, of: 1).sorted { $0.node < $1.node }
  }
}
#endif

#if hasFeature(Embedded)
// Where there is no system around the engine, for what `File/` asks it elsewhere.

extension RawSpan {
  /// All bytes are in memory.
  func readAhead() {}
}
#endif

/// How exactly others may know where something is.
public enum Privacy: String, JournalWord {
  /// As exactly as it is known.
  case open
  /// Roughly.
  case obscured
  /// Not at all.
  case `private`

  /// Of two the one by which fewer may know.
  func stricter(_ other: Privacy) -> Privacy {
    other == .private || self == .open ? other : self
  }
}

extension KeyedDecodingContainer {
  /// How exactly others may know, which is open where nobody said otherwise.
  func decode(_: Privacy.Type, forKey key: Key) throws -> Privacy {
    try decodeIfPresent(Privacy.self, forKey: key) ?? .open
  }
}

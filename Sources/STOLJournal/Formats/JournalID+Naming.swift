import STOLTrust

extension JournalID {
  /// The UUID of what some words name, always the same: of version 8 (RFC 9562), with the first bits of a SHA-256
  /// digest.
  ///
  /// - Parameter words: what tells it from all others, as the kind, the source and its identifier there.
  package init(naming words: [String]) {
    var bytes = Array("stol journal".utf8)
    for word in words { bytes += Array("\n\(word.utf8.count):\(word)".utf8) }
    self.init(digest: SHA256.digest(of: bytes).bytes)
  }
}

extension StringProtocol {
  /// The text without what stands around it: spaces, or other characters.
  package func trimmed(of isLeftOut: (Character) -> Bool = { $0 == " " }) -> String {
    String(drop(while: isLeftOut).reversed().drop(while: isLeftOut).reversed())
  }
}

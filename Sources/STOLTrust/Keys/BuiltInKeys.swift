/// The public keys that every stol of this source trusts.
///
/// Release keys go here, one line of hexadecimal digits each, as `stol db keygen` writes them into
/// NAME.pub: the key in use and the one that is to follow it; and those that sign keyrings, one of them
/// kept off line. The lists are empty until there is a release: keys are then trusted only once the
/// user adds them with `stol db keys add`.
enum BuiltInKeys {
  static let hexadecimal: [(role: KeyRole, key: String)] = []

  /// The keys; what is no key is left out.
  static var all: [(key: VerifyingKey, role: KeyRole)] {
    hexadecimal.compactMap { role, text in
      Hexadecimal.bytes(text).flatMap { try? VerifyingKey(bytes: $0) }.map { ($0, role) }
    }
  }
}

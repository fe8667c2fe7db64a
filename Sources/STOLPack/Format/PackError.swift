/// Why a pack could not be opened or read.
public enum PackError: Error, Equatable, Sendable {
  /// The file does not begin with the magic bytes of a pack.
  case notAPack
  /// The file was made by a writer of another major version.
  case unsupportedVersion(got: Int, expected: Int)
  /// `section` holds `got` bytes where `need` are required, no more and no less.
  case truncated(section: String, need: Int, got: Int)
  /// A section that every pack must have is absent.
  case missingSection(String)
  /// The pack needs a reader that understands this section.
  case unknownRequiredSection(String)
  /// The stored checksum differs from the one of the bytes.
  case checksum(section: String, expected: UInt32, got: UInt32)
  /// A stored value breaks the rule named by `reason`, at element or byte `position` of `section`.
  case corrupt(section: String, position: Int, reason: String)
  /// The pack was compiled from another database than the one beside it.
  case wrongSource(expected: String, got: String)
  /// The pack is not, byte for byte, what its database compiles to.
  case differs(reason: String)
}

extension PackError: CustomStringConvertible {
  /// One line: what is wrong, and where.
  public var description: String {
    switch self {
    case .notAPack:
      "not a stol pack (the magic bytes are missing); make one with: stol pack TAXA.sqlite"
    case .unsupportedVersion(let got, let expected) where got > expected:
      "pack format \(got), but this stol reads format \(expected): update stol, or "
        + "compile the database again with: stol pack TAXA.sqlite"
    case .unsupportedVersion(let got, let expected):
      "pack format \(got), but this stol reads format \(expected); "
        + "compile the database again with: stol pack TAXA.sqlite"
    case .truncated(let section, let need, let got) where got > need:
      "corrupt: \(got - need) bytes follow the end of the \(section)"
    case .truncated(let section, let need, let got):
      "truncated: \(section) needs \(need) bytes, got \(got)"
    case .missingSection(let name):
      "corrupt: the section \(name) is missing"
    case .unknownRequiredSection(let name):
      "made by a newer stol: the section \(name) is required and unknown here"
    case .checksum(let section, let expected, let got):
      "corrupt: checksum of \(section) is \(hex(got)), expected \(hex(expected))"
    case .corrupt(let section, let position, let reason):
      "corrupt: \(section)[\(position)]: \(reason)"
    case .wrongSource(let expected, let got):
      "the pack was compiled from another database (\(expected)), not from this one (\(got))"
    case .differs(let reason):
      "not what its database compiles to: \(reason); compile it again with: stol pack TAXA.sqlite"
    }
  }

  private func hex(_ value: UInt32) -> String { "0x" + String(value, radix: 16) }
}

import STOLTrust

/// What opens a locked journal beside its passphrase: 160 random bits in 32 digits and letters, and four that show a slip of
/// the pen.
///
/// The digits are those of Crockford's base 32, without letters that look like digits.
struct RecoveryCode {
  private static let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
  private static let groupCount = 9
  private static let groupLength = 4

  /// As it is shown and typed, in nine groups of four.
  let text: String

  /// A new one.
  ///
  /// - Throws: `SealError.outOfMemory`
  init() throws(SealError) {
    let random = DerivedKeys.digest(
      of: Array("stol journal recovery code".utf8), with: try DerivedKeys.random())
    let code = random.prefix(Self.groupLength * (Self.groupCount - 1)).map {
      Self.digits[Int($0 & 31)]
    }
    text = Self.grouped(code + Self.check(code))
  }

  /// One that was typed: spaces, hyphens and small letters are of no account, and O is 0, I and L are 1.
  ///
  /// - Returns: nil where it cannot be one, as with a slip of the pen.
  init?(typed: SecretBytes) {
    var code: [UInt8] = []
    for index in 0..<typed.count {
      let byte = typed.byte(at: index)
      switch byte {
      case UInt8(ascii: "-"), 0...32: continue
      case UInt8(ascii: "o"): code.append(UInt8(ascii: "0"))
      case UInt8(ascii: "i"), UInt8(ascii: "l"): code.append(UInt8(ascii: "1"))
      case UInt8(ascii: "a")...UInt8(ascii: "z"): code.append(byte - 32)
      case UInt8(ascii: "O"): code.append(UInt8(ascii: "0"))
      case UInt8(ascii: "I"), UInt8(ascii: "L"): code.append(UInt8(ascii: "1"))
      default: code.append(byte)
      }
    }
    guard code.count == Self.groupLength * Self.groupCount,
      code.suffix(Self.groupLength).elementsEqual(Self.check(code.dropLast(Self.groupLength)))
    else { return nil }
    text = Self.grouped(code)
  }

  /// It, as what a key is made of.
  ///
  /// - Throws: `SealError.outOfMemory`
  func secret() throws(SealError) -> SecretBytes {
    var bytes = Array(text.utf8)
    guard let secret = SecretBytes(moving: &bytes) else { throw .outOfMemory }
    return secret
  }

  private static func check(_ code: some Sequence<UInt8>) -> [UInt8] {
    SHA256.digest(of: Array(code)).bytes.prefix(groupLength).map { digits[Int($0 & 31)] }
  }

  private static func grouped(_ code: [UInt8]) -> String {
    stride(from: 0, to: code.count, by: groupLength).map {
      String(decoding: code[$0..<min(code.count, $0 + groupLength)], as: UTF8.self)
    }.joined(separator: "-")
  }
}

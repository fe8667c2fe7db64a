/// Bytes in which many texts are looked for, one after another, for which `String` takes ten times as long.
public struct ByteText {
  private let bytes: [UInt8]
  /// Where each pair of bytes stands.
  private var places = [[Int32]](repeating: [], count: 1 << 16)

  /// Takes the bytes of a file, or of a text.
  public init(_ bytes: some Sequence<UInt8>) {
    self.bytes = Array(bytes)
    for index in self.bytes.indices.dropLast() {
      places[Self.pair(self.bytes[index], self.bytes[index + 1])].append(Int32(index))
    }
  }

  /// Whether a text of two bytes or more is there that is not the end of a longer number, where it begins with a digit.
  public func says(_ text: String) -> Bool {
    let wanted = Array(text.utf8)
    precondition(wanted.count > 1)
    let isNumber = Self.isDigit(wanted[0])
    return places[Self.pair(wanted[0], wanted[1])].contains { place in
      let start = Int(place)
      return bytes[start...].starts(with: wanted)
        && !(isNumber && start > 0 && Self.isDigit(bytes[start - 1]))
    }
  }

  private static func pair(_ first: UInt8, _ second: UInt8) -> Int { Int(first) << 8 | Int(second) }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}

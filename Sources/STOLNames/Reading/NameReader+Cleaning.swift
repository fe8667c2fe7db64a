extension NameReader {
  /// Fills `words` with the text, without what is no part of any name.
  ///
  /// Tags go, entities become letters, spaces of all kinds become one, letters of Cyrillic and Greek
  /// that stand among Latin ones become these.
  mutating func clean(_ name: [UInt8]) {
    var isPlain = true
    var hasSpace = false
    var last: UInt8 = 0
    for byte in name {
      if Letters.isSmall(byte), last != UInt8(ascii: ","), last != UInt8(ascii: ";") {
        last = byte
        continue
      }
      switch byte {
      case UInt8(ascii: "<"), UInt8(ascii: "&"), UInt8(ascii: "_"), UInt8(ascii: "!"), 0x80...0xff:
        isPlain = false
      case 0x20, 0x09...0x0d:
        hasSpace = true
        if last == UInt8(ascii: "(") { isPlain = false }
      default:
        if last == 0x20, byte == UInt8(ascii: ")") { isPlain = false }
        if last == UInt8(ascii: ","), Letters.isASCII(byte) { isPlain = false }
        if last == UInt8(ascii: ";"), Letters.isASCII(byte) || byte.isDigit { isPlain = false }
        if last == UInt8(ascii: ":"), byte.isDigit || hasSpace && Letters.isCapital(byte) {
          isPlain = false
        }
      }
      last = byte
    }
    if isPlain {
      words.refill { $0.append(contentsOf: name) }
      return
    }
    var marks = marks
    words.refill { Self.clean(name, hasSpace: hasSpace, &marks, to: &$0) }
    self.marks = marks
  }

  private static func clean(
    _ bytes: [UInt8], hasSpace: Bool, _ marks: inout Marks, to output: inout [UInt8]
  ) {
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "<"):
        if let end = endOfTag(bytes, index) {
          marks.insert(.wasCleaned)
          index = end
          continue
        }
      case UInt8(ascii: "&"):
        if let (scalar, end) = entity(bytes, index) {
          marks.insert(.wasCleaned)
          append(scalar, &marks, to: &output)
          index = end
          continue
        }
        // "&al.".
        if index > 0, bytes[index - 1] == 0x20, index + 1 < bytes.count,
          Letters.isASCII(bytes[index + 1])
        {
          output.append(contentsOf: "& ".utf8)
          index += 1
          continue
        }
      case UInt8(ascii: "!"):
        // That somebody has seen it.
        output.append(0x20)
        index += 1
        continue
      case UInt8(ascii: "_") where !hasSpace:
        marks.insert(.wasCleaned)
        output.append(0x20)
        index += 1
        continue
      case UInt8(ascii: ","):
        output.append(byte)
        index += 1
        if index < bytes.count, Letters.isASCII(bytes[index]) { output.append(0x20) }
        continue
      case UInt8(ascii: ";"):
        output.append(byte)
        index += 1
        if index < bytes.count, Letters.isASCII(bytes[index]) || bytes[index].isDigit {
          output.append(0x20)
        }
        continue
      case 0x20 where output.last == UInt8(ascii: "("):
        // "( Bus )".
        index += 1
        continue
      case UInt8(ascii: ")") where output.last == 0x20 && isOpen(output):
        while output.last == 0x20 { output.removeLast() }
      case UInt8(ascii: ":")
      where index > 1 && (bytes[index - 1].isDigit || bytes[index - 2].isDigit):
        // The page behind a year: "1835:164".
        output.append(byte)
        index += 1
        if index < bytes.count, bytes[index].isDigit { output.append(0x20) }
        continue
      case UInt8(ascii: ":")
      where index > 1 && index + 1 < bytes.count && Letters.isCapital(bytes[index + 1])
        && output.contains(0x20)
        && (Letters.isASCII(bytes[index - 1]) || bytes[index - 1] == UInt8(ascii: "."))
        && !Letters.isCapital(bytes[index - 1]) && !isBarcode(bytes[..<index]):
        // Who has sanctioned the name: "Fr.:Fr."; but not "BOLD:AAA1234".
        output.append(contentsOf: ": ".utf8)
        index += 1
        continue
      case 0x80...0xff:
        let end = min(index + Letters.length(byte), bytes.count)
        guard let scalar = Letters.scalar(bytes, index..<end) else { break }
        if output.last == UInt8(ascii: "."), end + 1 < bytes.count,
          bytes[end] == UInt8(ascii: "."), (0x370..<0x400).contains(scalar.value)
        {
          // "var.δ.bus".
          output.append(0x20)
          append(scalar, &marks, to: &output)
          output.append(contentsOf: ". ".utf8)
          index = end + 1
          continue
        }
        if isOfOtherScript(scalar, bytes, index..<end), let latin = Letters.latin(scalar) {
          marks.insert(.wasCleaned)
          output.append(latin)
        } else {
          append(scalar, &marks, to: &output)
        }
        index = end
        continue
      default: break
      }
      output.append(byte)
      index += 1
    }
  }

  private static func append(
    _ scalar: Unicode.Scalar, _ marks: inout Marks, to output: inout [UInt8]
  ) {
    switch scalar {
    case "†", "‡":
      marks.insert(.isExtinct)
      output.append(0x20)
    case "\u{AD}", "\u{200B}"..."\u{200F}", "\u{FEFF}", "\u{2060}": marks.insert(.wasCleaned)
    case "\u{85}", "\u{A0}", "\u{1680}", "\u{2000}"..."\u{200A}", "\u{2028}", "\u{2029}",
      "\u{202F}",
      "\u{205F}", "\u{3000}":
      output.append(0x20)
    case "’", "‘", "´", "ʼ", "ʹ", "′", "‛", "＇": output.append(UInt8(ascii: "'"))
    case "“", "”", "„", "‟", "«", "»": output.append(UInt8(ascii: "\""))
    case "–", "‐", "‑", "—", "―", "−", "‒", "－": output.append(UInt8(ascii: "-"))
    case "®", "™", "©":
      marks.insert(.wasCleaned)
      output.append(0x20)
    case "ﬁ", "ﬂ", "ﬀ", "ﬃ", "ﬄ", "ﬆ", "ĳ": output.append(contentsOf: Letters.ligature(scalar).utf8)
    case "ſ": output.append(UInt8(ascii: "s"))
    default: output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
  }

  /// Whether parentheses have begun that have not ended.
  private static func isOpen(_ bytes: [UInt8]) -> Bool {
    let last = bytes.last { $0 == UInt8(ascii: "(") || $0 == UInt8(ascii: ")") }
    return last == UInt8(ascii: "(")
  }

  /// Whether text ends with the prefix of a barcode, "Bold".
  private static func isBarcode(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.suffix(4).lazy.map(Letters.lower).elementsEqual("bold".utf8)
  }

  /// The end of "<i>" or "</i>" that begins at `start`, or nil.
  private static func endOfTag(_ bytes: [UInt8], _ start: Int) -> Int? {
    var index = start + 1
    if index < bytes.count, bytes[index] == UInt8(ascii: "/") { index += 1 }
    guard index < bytes.count, Letters.isASCII(bytes[index]) else { return nil }
    for index in index..<min(index + 64, bytes.count) {
      if bytes[index] == UInt8(ascii: ">") { return index + 1 }
      if bytes[index] == UInt8(ascii: "<") { return nil }
    }
    return nil
  }

  /// The letter of "&amp;" or "&#233;" that begins at `start`, and its end.
  private static func entity(_ bytes: [UInt8], _ start: Int) -> (Unicode.Scalar, Int)? {
    guard let end = bytes[start..<min(start + 12, bytes.count)].firstIndex(of: UInt8(ascii: ";"))
    else {
      return nil
    }
    let name = String(decoding: bytes[(start + 1)..<end], as: UTF8.self)
    if name.hasPrefix("#x") || name.hasPrefix("#X") {
      return UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init).map { ($0, end + 1) }
    }
    if name.hasPrefix("#") {
      return UInt32(name.dropFirst()).flatMap(Unicode.Scalar.init).map { ($0, end + 1) }
    }
    return HTMLEntities.byName[name].map { ($0, end + 1) }
  }

  /// Whether a letter of Greek or Cyrillic stands in a word that has Latin ones.
  private static func isOfOtherScript(
    _ scalar: Unicode.Scalar, _ bytes: [UInt8], _ range: Range<Int>
  ) -> Bool {
    guard (0x370..<0x530).contains(scalar.value) else { return false }
    let before = bytes[..<range.lowerBound].reversed().prefix { !NameWords.isSpace($0) }
    let after = bytes[range.upperBound...].prefix { !NameWords.isSpace($0) }
    return before.contains(where: Letters.isASCII) || after.contains(where: Letters.isASCII)
  }
}

extension String {
  /// The number of terminal columns: two for wide East Asian characters and emoji, none for marks.
  var columnCount: Int {
    var count = 0
    for scalar in unicodeScalars {
      if scalar.isASCII {
        count += 1
      } else if scalar.properties.generalCategory == .nonspacingMark
        || scalar.properties.generalCategory == .enclosingMark
        || scalar.properties.generalCategory == .format
      {
        continue
      } else {
        count += scalar.isWide ? 2 : 1
      }
    }
    return count
  }

  /// The text with spaces up to `width` columns.
  func padded(to width: Int, onLeft: Bool = false) -> String {
    let spaces = String(repeating: " ", count: max(0, width - columnCount))
    return onLeft ? spaces + self : self + spaces
  }
}

extension Unicode.Scalar {
  /// Whether the character takes two columns: the East Asian Wide and Fullwidth blocks.
  fileprivate var isWide: Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF,
      0x20000...0x3FFFD:
      true
    default: false
    }
  }
}

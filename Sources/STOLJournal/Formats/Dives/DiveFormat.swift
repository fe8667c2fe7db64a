import STOLFormats

/// The formats of dive logs.
enum DiveFormat {
  /// The format of a file, by its first bytes; nil where it is none of dives.
  static func detect(_ head: [UInt8]) -> ImportFormat? {
    if FITDecoder.isFIT(head) { return .fit }
    if SubsurfaceTableReader.isTable(head) { return .subsurface }
    let text = text(of: head)
    switch rootName(of: text) {
    case "divelog"?: return .subsurface
    case "uddf"?: return .uddf
    // Before version 2 the dives were the root.
    case "dives"?
    where text.contains("<program name='subsurface'")
      || text.contains("<program name=\"subsurface\""):
      return .subsurface
    default: return nil
    }
  }

  /// What a file of dives is that is not read; nil for another file.
  static func unread(_ head: [UInt8]) -> String? {
    let text = text(of: head)
    let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    if start.hasPrefix("FSH|^~"), text.contains("ZXU") || text.contains("ZXL") {
      return "a DL7 file"
    }
    if text.contains("//DIVE NR:"), text.contains("HUDC") {
      return "a file of a Seabear computer (HUDC)"
    }
    let isUDCF = rootName(of: text) == "profile" && text.contains("udcf=")
    return isUDCF ? "a UDCF file" : nil
  }

  /// What reads a file of a format; nil for a format that is none of dives.
  ///
  /// - Parameters:
  ///   - format: the format.
  ///   - chunks: the file.
  ///   - acceptsNullIsland: whether 0 N 0 E is a place like others; else it is left out of dives and their sites.
  /// - Returns: the reader.
  /// - Throws: `JournalError.invalid`
  static func reader(
    _ format: ImportFormat, _ chunks: ByteChunks, acceptsNullIsland: Bool = false
  ) throws -> (any ImportReader)? {
    guard let reader = try wholeReader(format, chunks) else { return nil }
    return acceptsNullIsland ? reader : KnownPlaceReader(reader)
  }

  /// What reads all positions.
  private static func wholeReader(
    _ format: ImportFormat, _ chunks: ByteChunks
  ) throws -> (any ImportReader)? {
    switch format {
    case .subsurface:
      if SubsurfaceTableReader.isTable(try chunks.peek(1 << 16)) {
        try SubsurfaceTableReader(chunks)
      } else {
        try SubsurfaceReader(chunks)
      }
    case .uddf: try UDDFReader(chunks)
    case .fit: try FITDiveReader(chunks)
    default: nil
    }
  }

  /// The beginning of a file as text: of UTF-16 its characters of ASCII.
  private static func text(of head: [UInt8]) -> String {
    let start = head.prefix(4096)
    let isWide = start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF])
    guard isWide else { return String(decoding: start, as: UTF8.self) }
    return String(decoding: start.dropFirst(2).filter { $0 != 0 && $0 < 0x80 }, as: UTF8.self)
  }

  /// The name of the outermost element of an XML document without its prefix; nil for another text.
  static func rootName(of text: String) -> String? {
    var rest = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    func skip(to end: String) -> Bool {
      guard let range = rest.firstRange(of: end) else { return false }
      rest = rest[range.upperBound...].drop(while: \.isWhitespace)
      return true
    }
    while rest.first == "<" {
      if rest.hasPrefix("<!--") {
        guard skip(to: "-->") else { return nil }
      } else if rest.hasPrefix("<?") {
        guard skip(to: "?>") else { return nil }
      } else if rest.hasPrefix("<!") {
        guard skip(to: ">") else { return nil }
      } else {
        let name = rest.dropFirst().prefix { !$0.isWhitespace && $0 != ">" && $0 != "/" }
        return name.split(separator: ":").last.map(String.init)
      }
    }
    return nil
  }
}

import STOLGzip

/// Some bytes as gzip.
func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
  var result: [UInt8] = []
  var encoder = try GzipEncoder(level: 9)
  try encoder.encode(bytes) { result += $0 }
  try encoder.finish { result += $0 }
  return result
}

private func little(_ value: Int, _ count: Int) -> [UInt8] {
  (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}

/// Writes zip archives byte by byte, hostile ones too.
struct ZipBuilder {
  private var body: [UInt8] = []
  private var directory: [UInt8] = []
  private var count = 0

  /// Adds an entry, of which nothing is checked; `mode` is as of `stat`.
  mutating func add(
    _ name: some Sequence<UInt8>, _ bytes: [UInt8], mode: Int = 0o100644, isEncrypted: Bool = false,
    isDeflated: Bool = false, isUTF8: Bool = true
  ) throws {
    // A gzip stream is a header of ten bytes, a DEFLATE stream, CRC and length.
    let compressed = try gzip(bytes)
    let stored = isDeflated ? Array(compressed[10..<compressed.count - 8]) : bytes
    let name = Array(name)
    let common =
      little(20, 2) + little((isEncrypted ? 1 : 0) | (isUTF8 ? 1 << 11 : 0), 2)
      + little(isDeflated ? 8 : 0, 2)
      + little(0, 4) + compressed.suffix(8).prefix(4) + little(stored.count, 4)
      + little(bytes.count, 4) + little(name.count, 2) + little(0, 2)
    directory +=
      [0x50, 0x4B, 1, 2] + little(3 << 8 | 20, 2) + common + little(0, 2) + little(0, 2)
      + little(0, 2) + little(mode << 16, 4) + little(body.count, 4) + name
    body += [0x50, 0x4B, 3, 4] + common + name + stored
    count += 1
  }

  var archive: [UInt8] {
    body + directory + [0x50, 0x4B, 5, 6] + little(0, 4) + little(count, 2) + little(count, 2)
      + little(directory.count, 4) + little(body.count, 4) + little(0, 2)
  }
}

/// Writes tar archives byte by byte, hostile ones too.
struct TarBuilder {
  private var body: [UInt8] = []

  /// Adds an entry: "0" is a file, "1" and "2" are links, "3" and "4" devices, "5" a folder, "6" a pipe;
  /// `byteCount` is the length that it states, nil for the right one.
  mutating func add(
    _ name: String, _ bytes: [UInt8], type: Character = "0", byteCount: Int? = nil
  ) {
    func field(_ text: [UInt8], _ width: Int) -> [UInt8] {
      Array(text.prefix(width)) + [UInt8](repeating: 0, count: max(0, width - text.count))
    }
    func octal(_ value: Int, _ width: Int) -> [UInt8] {
      let digits = String(value, radix: 8)
      return Array((String(repeating: "0", count: width - 1 - digits.count) + digits).utf8) + [0]
    }
    var header =
      field(Array(name.utf8), 100) + octal(0o644, 8) + octal(0, 8) + octal(0, 8)
      + octal(byteCount ?? bytes.count, 12) + octal(0, 12) + Array("        ".utf8)
      + Array(String(type).utf8) + field(Array((type == "0" ? "" : "target").utf8), 100)
      + Array("ustar\u{0}00".utf8)
    header = field(header, 512)
    let sum = header.reduce(0) { $0 + Int($1) }
    header.replaceSubrange(148..<156, with: octal(sum, 7) + [0x20])
    body += header + bytes + [UInt8](repeating: 0, count: (512 - bytes.count % 512) % 512)
  }

  var archive: [UInt8] { body + [UInt8](repeating: 0, count: 1024) }
}

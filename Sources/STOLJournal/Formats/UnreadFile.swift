package import STOLSystem

/// A file that is of none of the formats that are imported.
package struct UnreadFile: Error, Equatable {
  /// What it is called.
  let name: String
  /// What it is: "a JPEG image".
  let what: String
  /// What to do; nil for what is said of all.
  var remedy: String?

  /// The file with a name, by its first bytes; nil where it may be a table or JSON.
  init?(name: String, head: [UInt8]) {
    if let what = DiveFormat.unread(head) {
      (self.name, self.what) = (name, what)
      remedy = "let Subsurface read it and save it, or export it from there as UDDF"
      return
    }
    guard let kind = Self.kind(of: head) else { return nil }
    (self.name, what, remedy) = (name, kind.what, kind.remedy)
  }

  /// What the first bytes of files are, from some byte on, and what to do.
  private static let marks: [(bytes: [UInt8], offset: Int, what: String, remedy: String?)] = [
    ([0xFF, 0xD8, 0xFF], 0, "a JPEG image", photos),
    ([0x89] + Array("PNG".utf8), 0, "a PNG image", photos),
    (Array("WEBP".utf8), 8, "a WebP image", photos),
    (Array("ftyp".utf8), 4, "a HEIC image or a film", photos),
    (Array("GIF8".utf8), 0, "a GIF image", nil),
    (Array("%PDF".utf8), 0, "a PDF document", nil),
    (Array("SQLite format 3\0".utf8), 0, "a SQLite database", nil),
    // Of a file it is unpacked; from a pipe its end, where it says what is in it, cannot be looked at first.
    (Array("PK".utf8) + [3, 4], 0, "a zip archive", "save it as a file, and import that"),
  ]
  private static let photos = "'stol journal photo add' keeps photos"

  private static func kind(of head: [UInt8]) -> (what: String, remedy: String?)? {
    for mark in marks where head.dropFirst(mark.offset).starts(with: mark.bytes) {
      return (mark.what, mark.remedy)
    }
    let text = Array(head.prefix(1024))
    let isUTF16 = text.starts(with: [0xFF, 0xFE]) || text.starts(with: [0xFE, 0xFF])
    if text.contains(0), !isUTF16 { return ("a binary file", nil) }
    let words = String(decoding: text, as: UTF8.self).drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    guard words.first == "<", let next = words.dropFirst().first,
      next == "?" || next == "!" || next.isLetter && next.isASCII
    else { return nil }
    if words.contains("<html") { return ("a web page", nil) }
    if words.contains("<!ENTITY") { return ("XML with entities", "remove its DOCTYPE") }
    return ("an XML file", nil)
  }
}

extension UnreadFile: StolError {
  /// What kind of trouble it is.
  package var kind: ErrorKind { .usage }

  /// One line: which file, what it is, and what is read.
  package var description: String {
    "\(name): is \(what), which is not read: "
      + (remedy
        ?? "tables are, comma-separated or tab-separated, JSON, GPX, KML, GeoJSON, dive logs and Darwin Core archives")
  }
}

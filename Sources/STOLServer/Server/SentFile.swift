/// A file that a request brings: as a part of a form, or as the whole body.
struct SentFile: Sendable {
  /// The field of the form; empty for a body.
  var field = ""
  /// What it is called; empty for a body.
  var name = ""
  /// The media type that was stated, in small letters and without parameters.
  var contentType = ""
  /// What is in it; nothing where it is on the disk.
  var bytes: [UInt8]
  /// Where it is, if not in memory.
  var kept: PrivateFile?

  /// How many bytes it has.
  var byteCount: Int { kept?.byteCount ?? bytes.count }
}

/// What a browser sends of a form with files: multipart/form-data, RFC 7578.
struct MultipartForm {
  /// The fields that are texts, in their order.
  private(set) var fields = Fields()
  /// The files that were chosen.
  private(set) var files: [SentFile] = []

  /// The longest boundary, RFC 2046 section 5.1.1.
  private static let greatestBoundaryByteCount = 70
  /// The fields of a part's head that are read are short.
  static let greatestHeadByteCount = 4096

  /// Reads a whole body; nil for what is no such form, has more parts, or a text that is no UTF-8.
  ///
  /// The field `contentType` of the head names what stands between parts.
  ///
  /// - Complexity: O(length)
  init?(parsing body: [UInt8], contentType: String, atMost greatestCount: Int) {
    guard
      var reader = MultipartReader(
        contentType: contentType, atMost: greatestCount, textsUpTo: body.count)
    else { return nil }
    do {
      try reader.feed(body)
    } catch {
      return nil
    }
    guard reader.isWhole else { return nil }
    (fields, files) = (reader.fields, reader.files)
  }

  /// The file that was chosen, the last of several; nil where none was.
  var file: SentFile? { files.last }

  /// What the head of a part says of it.
  struct Head {
    /// The name of the field.
    let name: String
    /// What the file is called; nil for a text.
    let fileName: String?
    /// The media type, in small letters and without parameters.
    let contentType: String

    /// Reads the lines of a head; nil for what is none.
    init?(_ text: String) {
      var disposition = ""
      var contentType = ""
      for line in text.split(whereSeparator: \.isNewline) {
        let sides = line.split(separator: ":", maxSplits: 1)
        guard sides.count == 2 else { return nil }
        let value = sides[1].drop { $0 == " " }
        switch sides[0].lowercased() {
        case "content-disposition": disposition = String(value)
        case "content-type": contentType = MultipartForm.mediaType(String(value))
        default: break
        }
      }
      guard disposition.lowercased().hasPrefix("form-data"),
        let name = MultipartForm.parameter("name", of: disposition)
      else { return nil }
      self.name = name
      fileName = MultipartForm.parameter("filename", of: disposition)
      self.contentType = contentType
    }
  }

  /// The media type of a header field, in small letters and without parameters.
  static func mediaType(_ field: String) -> String {
    let end = field.firstIndex(of: ";") ?? field.endIndex
    return field[..<end].filter { $0 != " " && $0 != "\t" }.lowercased()
  }

  static func boundary(_ contentType: String) -> String? {
    guard let text = parameter("boundary", of: contentType), !text.isEmpty,
      text.utf8.count <= greatestBoundaryByteCount, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return nil }
    return text
  }

  /// A parameter of a header field, in quotes or not; in quotes a browser writes `%22` for one.
  static func parameter(_ name: String, of field: String) -> String? {
    var rest = field[...]
    while let semicolon = rest.firstIndex(of: ";") {
      rest = rest[rest.index(after: semicolon)...].drop { $0 == " " || $0 == "\t" }
      guard let equals = rest.firstIndex(of: "=") else { return nil }
      let found = rest[..<equals].lowercased()
      rest = rest[rest.index(after: equals)...]
      let value: Substring
      if rest.first == "\"" {
        rest = rest.dropFirst()
        guard let quote = rest.firstIndex(of: "\"") else { return nil }
        value = rest[..<quote]
        rest = rest[rest.index(after: quote)...]
      } else {
        value = rest.prefix { $0 != ";" && $0 != " " }
      }
      if found == name { return String(value).replacing("%22", with: "\"") }
    }
    return nil
  }

  /// Where `pattern` stands first in `bytes` at or behind `start`, or nil.
  static func position(of pattern: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
    guard bytes.count >= pattern.count else { return nil }
    var position = start
    while position <= bytes.count - pattern.count {
      // A line end is rare in what lies between.
      if bytes[position] == pattern[0], bytes[position + 1] == pattern[1] {
        var length = 2
        while length < pattern.count, bytes[position + length] == pattern[length] { length += 1 }
        if length == pattern.count { return position }
      }
      position += 1
    }
    return nil
  }
}

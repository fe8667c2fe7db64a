import STOLSystem

/// Reads a form with files as it comes, so that no more of it need be in memory than one piece.
struct MultipartReader: ~Copyable {
  /// Why a body is refused.
  enum Fault: Error {
    /// It is no such form, has more parts, or a text that is no UTF-8.
    case unreadable
    /// Its texts are longer than may be.
    case tooLong
  }

  private enum State {
    /// Behind what stands between two parts.
    case between
    /// In the head of a part.
    case head
    /// Before the first byte of a part.
    case beginning
    /// In a part.
    case content
    /// Behind the last part.
    case end
  }

  /// What the head of a part says.
  private struct Head {
    var field = ""
    /// Nil for a text.
    var fileName: String?
    var contentType = ""
  }

  /// The longest boundary, RFC 2046 section 5.1.1.
  private static let greatestBoundaryByteCount = 70
  /// The fields of a part's head that are read are short.
  private static let greatestHeadByteCount = 4096

  /// The fields that are texts, in their order.
  private(set) var fields = Fields()
  /// The files that were chosen and have come to their end.
  private(set) var files: [SentFile] = []
  /// Whether all of it has come.
  var isWhole: Bool { state == .end }
  /// Whether the first file has begun.
  private(set) var hasFile = false

  private let mark: [UInt8]
  private let greatestCount: Int
  private var textByteCount: Int
  private let fileByteCount: Int
  private let isOnDisk: Bool
  private var state = State.content
  private var head = Head()
  /// What has come and was not read yet: what stands between parts has a line end before it, also at first.
  private var pending = Array("\r\n".utf8)
  private var position = 0
  private var count = 0
  private var content: [UInt8] = []
  private var writer: PrivateFile.Writer?

  /// Reads a form whose head has the field `contentType`; nil where that names nothing that stands between parts.
  ///
  /// - Parameters:
  ///   - contentType: the field.
  ///   - greatestCount: the most parts.
  ///   - textByteCount: the most bytes of all texts.
  ///   - fileByteCount: how many bytes a file probably has.
  ///   - isOnDisk: whether files come to the disk, and not into memory.
  init?(
    contentType: String, atMost greatestCount: Int, textsUpTo textByteCount: Int,
    expecting fileByteCount: Int = 0, isOnDisk: Bool = false
  ) {
    guard let boundary = MultipartForm.parameter("boundary", of: contentType), !boundary.isEmpty,
      boundary.utf8.count <= Self.greatestBoundaryByteCount,
      boundary.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return nil }
    mark = Array("\r\n--\(boundary)".utf8)
    (self.greatestCount, self.textByteCount) = (greatestCount, textByteCount)
    (self.fileByteCount, self.isOnDisk) = (fileByteCount, isOnDisk)
  }

  /// Reads what comes next.
  ///
  /// - Throws: `Fault`, `SystemError`
  /// - Complexity: O(length)
  mutating func feed(_ bytes: [UInt8]) throws {
    if state == .end { return }
    pending += bytes
    while try step() {}
    pending.removeFirst(position)
    position = 0
  }

  /// Goes on as far as one part of the grammar; whether there is more to read.
  private mutating func step() throws -> Bool {
    let rest = pending.count - position
    switch state {
    case .between:
      guard rest >= 2 else { return false }
      if pending[position...].starts(with: "--".utf8) {
        state = .end
        position = pending.count
        return false
      }
      guard pending[position...].starts(with: "\r\n".utf8), count < greatestCount else {
        throw Fault.unreadable
      }
      count += 1
      state = .head
      return true
    case .head:
      guard let end = place(of: Array("\r\n\r\n".utf8)) else {
        guard rest <= Self.greatestHeadByteCount else { throw Fault.unreadable }
        return false
      }
      guard end - position <= Self.greatestHeadByteCount,
        let text = String(validating: pending[position..<end], as: UTF8.self)
      else { throw Fault.unreadable }
      head = try Self.head(text)
      if head.fileName != nil { hasFile = true }
      if head.fileName != nil {
        if isOnDisk { writer = try .init() } else { content.reserveCapacity(fileByteCount) }
      }
      position = end + 2
      state = .beginning
      return true
    case .beginning:
      guard rest >= mark.count else { return false }
      // An empty part may have one line end less.
      if !pending[position...].starts(with: mark) { position += 2 }
      state = .content
      return true
    case .content:
      guard let end = place(of: mark) else {
        guard count > 0 else {
          if rest >= mark.count { throw Fault.unreadable }
          return false
        }
        let end = max(position, pending.count - mark.count + 1)
        try take(end)
        return false
      }
      if count > 0 {
        try take(end)
        try finishPart()
      } else if end > position {
        throw Fault.unreadable
      }
      position = end + mark.count
      state = .between
      return true
    case .end: return false
    }
  }

  /// Takes what a part has up to a place.
  private mutating func take(_ end: Int) throws {
    guard end > position else { return }
    let bytes = pending[position..<end]
    position = end
    if head.fileName == nil {
      textByteCount -= bytes.count
      guard textByteCount >= 0 else { throw Fault.tooLong }
    } else if isOnDisk {
      try writer?.append(Array(bytes))
      return
    }
    content += bytes
  }

  private mutating func finishPart() throws {
    defer { content = [] }
    guard let fileName = head.fileName else {
      guard let value = String(validating: content, as: UTF8.self) else { throw Fault.unreadable }
      fields.append(head.field, value)
      return
    }
    var file = SentFile(
      field: head.field, name: fileName, contentType: head.contentType, bytes: content)
    if let written = writer.take() { file.kept = try written.finish() }
    // A field for files in which none was chosen has neither.
    if !fileName.isEmpty || file.byteCount > 0 { files.append(file) }
  }

  private static func head(_ text: String) throws(Fault) -> Head {
    var head = Head()
    var disposition = ""
    for line in text.split(whereSeparator: \.isNewline) {
      let sides = line.split(separator: ":", maxSplits: 1)
      guard sides.count == 2 else { throw .unreadable }
      let value = sides[1].drop { $0 == " " }
      switch sides[0].lowercased() {
      case "content-disposition": disposition = String(value)
      case "content-type": head.contentType = MultipartForm.mediaType(String(value))
      default: break
      }
    }
    guard disposition.lowercased().hasPrefix("form-data"),
      let field = MultipartForm.parameter("name", of: disposition)
    else { throw .unreadable }
    head.field = field
    head.fileName = MultipartForm.parameter("filename", of: disposition)
    return head
  }

  /// Where `pattern`, which begins with a line end, stands first in what was not read, or nil.
  private func place(of pattern: [UInt8]) -> Int? {
    guard pending.count - position >= pattern.count else { return nil }
    var place = position
    while place <= pending.count - pattern.count {
      if pending[place] == pattern[0], pending[place + 1] == pattern[1] {
        var length = 2
        while length < pattern.count, pending[place + length] == pattern[length] { length += 1 }
        if length == pattern.count { return place }
      }
      place += 1
    }
    return nil
  }
}

/// Reads multipart/form-data piece by piece: short texts, and one file of any length that is never whole in memory.
///
/// RFC 7578.
struct FileForm {
  /// Why a form cannot be read.
  enum Failure: Error, Equatable {
    /// It is no such form, has a text that is no UTF-8 or too long, too many texts, or a second file.
    case malformed
  }

  /// The texts that have come, in their order.
  private(set) var fields = Fields()
  /// The texts that came before the file, whatever follows it; nil while none has begun.
  private(set) var fieldsBeforeFile: Fields?
  /// What the file is called; nil while none has come, and where none was chosen.
  private(set) var fileName: String?

  /// What may stand in one text.
  static let greatestTextByteCount = 16 << 10

  private enum Place { case boundary, head, text(name: String), file, end }

  private var place = Place.boundary
  /// What stands between parts, with the line end before it.
  private let mark: [UInt8]
  /// What has come and was not read yet; the first boundary has no line end before it.
  private var held = Array("\r\n".utf8)
  private var text: [UInt8] = []
  private static let headEnd = Array("\r\n\r\n".utf8)

  /// A form of which nothing has come; nil if the field `contentType` of a head does not say what stands between parts.
  init?(contentType: String) {
    guard let boundary = MultipartForm.boundary(contentType) else { return nil }
    mark = Array("\r\n--\(boundary)".utf8)
  }

  /// Whether all of it has come.
  var isComplete: Bool { if case .end = place { true } else { false } }

  /// Takes the next bytes; returns those of the file among them.
  ///
  /// - Complexity: O(n)
  mutating func take(_ bytes: [UInt8]) throws(Failure) -> [UInt8] {
    held += bytes
    var position = 0
    var file: [UInt8] = []
    while try step(&position, &file) {}
    held.removeFirst(position)
    return file
  }

  /// Goes on by one part of the form; whether more can be read of what is held.
  private mutating func step(
    _ position: inout Int, _ file: inout [UInt8]
  ) throws(Failure) -> Bool {
    switch place {
    case .end:
      position = held.count
      return false
    case .boundary: return try passBoundary(&position)
    case .head: return try readHead(&position)
    case .text, .file:
      let found = MultipartForm.position(of: mark, in: held, from: position)
      // What may be the beginning of a boundary waits.
      let end = found ?? max(position, held.count - mark.count + 1)
      if case .file = place {
        file += held[position..<end]
      } else {
        text += held[position..<end]
        guard text.count <= Self.greatestTextByteCount else { throw .malformed }
      }
      position = end
      guard found != nil else { return false }
      if case .text(let name) = place {
        guard let value = String(validating: text, as: UTF8.self),
          fields.pairs.count < Fields.greatestCount
        else { throw .malformed }
        fields.append(name, value)
      }
      place = .boundary
      return true
    }
  }

  private mutating func passBoundary(_ position: inout Int) throws(Failure) -> Bool {
    guard held.count - position >= mark.count + 2 else { return false }
    guard held[position...].starts(with: mark) else { throw .malformed }
    position += mark.count + 2
    let end = held[(position - 2)..<position]
    if end.elementsEqual("--".utf8) {
      place = .end
    } else if end.elementsEqual("\r\n".utf8) {
      place = .head
    } else {
      throw .malformed
    }
    return true
  }

  private mutating func readHead(_ position: inout Int) throws(Failure) -> Bool {
    guard let end = MultipartForm.position(of: Self.headEnd, in: held, from: position) else {
      guard held.count - position <= MultipartForm.greatestHeadByteCount else { throw .malformed }
      return false
    }
    guard end - position <= MultipartForm.greatestHeadByteCount,
      let text = String(validating: held[position..<end], as: UTF8.self),
      let head = MultipartForm.Head(text)
    else { throw .malformed }
    position = end + Self.headEnd.count
    guard let name = head.fileName else {
      self.text = []
      place = .text(name: head.name)
      return true
    }
    guard fieldsBeforeFile == nil else { throw .malformed }
    fieldsBeforeFile = fields
    fileName = name.isEmpty ? nil : name
    place = .file
    return true
  }
}

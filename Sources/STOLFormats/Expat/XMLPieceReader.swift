/// Reads an XML document of any length, a piece at a time, with expat.
///
/// Of an element that holds others, as a track its points, beginning and end are told; any other one is given whole.
/// Names are without prefixes.
package final class XMLPieceReader {
  /// What comes next.
  package enum Piece {
    /// An element that holds others begins; the outermost one is always told so.
    case begin(String, line: Int)
    /// An element with all that is in it, and the line that it begins on.
    case element(XMLElement, line: Int)
    /// An element that holds others ends.
    case end(String)
  }

  /// The most bytes of an element that is given whole.
  package static let elementByteLimit = 64 << 20

  private let stream: SourceStream
  private let collector: Collector
  private let parser: XMLEventParser
  private var position = 0
  private var isAtEnd = false
  private var failure: XMLFailure?

  /// A document.
  ///
  /// - Parameters:
  ///   - stream: the document, at its beginning, in an encoding that it states itself.
  ///   - holders: the elements that hold others.
  ///   - attributes: those that are wanted.
  /// - Throws: `XMLFailure` if memory runs out.
  package init(
    _ stream: SourceStream, holders: Set<String>, attributes: [String]
  ) throws(XMLFailure) {
    self.stream = stream
    let collector = Collector(holders, attributes)
    self.collector = collector
    parser = try XMLEventParser(
      onStart: { name, attribute, _ in collector.start(name, attribute) },
      onEnd: { collector.end($0) })
    collector.parser = parser
  }

  /// The line that was read last, from 1.
  package var line: Int { parser.line }

  /// The next piece; nil at the end.
  ///
  /// - Throws: `XMLFailure` behind all pieces that are whole; `FormatError`.
  package func next() throws -> Piece? {
    while true {
      if position < collector.pieces.count {
        defer { position += 1 }
        return collector.pieces[position]
      }
      if let failure { throw failure }
      guard !isAtEnd else { return nil }
      collector.pieces.removeAll(keepingCapacity: true)
      position = 0
      let bytes = try stream.next()
      isAtEnd = bytes.isEmpty
      do {
        try parser.parse(bytes, isLast: isAtEnd)
      } catch {
        failure = error
      }
      collector.takeText()
      failure = collector.failure ?? failure
    }
  }

  /// Makes pieces of what the parser tells.
  private final class Collector {
    weak var parser: XMLEventParser?
    private(set) var failure: XMLFailure?
    var pieces: [Piece] = []
    private let holders: Set<String>
    private let attributes: [String]
    private var openHolders: [String] = []
    private var builder: XMLTreeBuilder?
    private var depth = 0
    private var line = 0
    private var byteCount = 0

    init(_ holders: Set<String>, _ attributes: [String]) {
      (self.holders, self.attributes) = (holders, attributes)
    }

    func start(_ name: String, _ attribute: (String) -> String?) {
      guard failure == nil else { return }
      if builder == nil {
        line = parser?.line ?? 0
        if openHolders.isEmpty || holders.contains(name) {
          openHolders.append(name)
          pieces.append(.begin(name, line: line))
          return
        }
        (builder, depth, byteCount) = (XMLTreeBuilder(), 0, 0)
        parser?.isCollecting = true
      }
      takeText()
      var values: [String: String] = [:]
      for wanted in attributes {
        if let value = attribute(wanted) { values[wanted] = value }
      }
      builder?.start(name, values)
      failure = failure ?? builder?.failure
      depth += 1
    }

    func end(_ name: String) {
      guard failure == nil else { return }
      guard let builder else {
        _ = openHolders.popLast()
        pieces.append(.end(name))
        return
      }
      takeText()
      builder.end()
      depth -= 1
      guard depth == 0 else { return }
      if let root = builder.root { pieces.append(.element(root, line: line)) }
      self.builder = nil
      parser?.isCollecting = false
    }

    /// Gives the text that came so far to the element that is open.
    func takeText() {
      guard let parser, !parser.text.isEmpty else { return }
      byteCount += parser.text.count
      if byteCount > XMLPieceReader.elementByteLimit, failure == nil {
        failure = .tooLarge(
          "it has an element of more than \(XMLPieceReader.elementByteLimit) bytes")
      }
      builder?.append(String(decoding: parser.text, as: UTF8.self))
      parser.text.removeAll(keepingCapacity: true)
    }
  }
}

/// The outermost element of an XML document.
package enum XMLRoot {
  /// Its name without a prefix, by the first bytes of a file; nil where these are no XML, or it begins later.
  ///
  /// - Parameter head: the first bytes, in UTF-8, UTF-16 with a mark, or an encoding like ASCII.
  /// - Returns: the name.
  /// - Complexity: O(number of bytes)
  package static func name(in head: [UInt8]) -> String? {
    var rest = text(of: head)[...]
    while true {
      rest = rest.drop { isSpace($0) }
      guard rest.first == UInt8(ascii: "<") else { return nil }
      if rest.starts(with: "<!--".utf8) {
        guard let after = skip("-->", in: rest.dropFirst(4)) else { return nil }
        rest = after
      } else if rest.starts(with: "<?".utf8) {
        guard let after = skip("?>", in: rest.dropFirst(2)) else { return nil }
        rest = after
      } else if rest.starts(with: "<!".utf8) {
        guard let after = skip(">", in: rest.dropFirst(2)) else { return nil }
        rest = after
      } else {
        let tag = rest.dropFirst().prefix { !isSpace($0) && $0 != 0x2F && $0 != 0x3E }
        guard tag.count < rest.count - 1, tag.first.map(isNameStart) == true else { return nil }
        let name = tag.split(separator: UInt8(ascii: ":")).last ?? tag
        return String(decoding: name, as: UTF8.self)
      }
    }
  }

  /// The bytes without a mark; of UTF-16 those of ASCII, and a question mark for each other unit.
  private static func text(of head: [UInt8]) -> [UInt8] {
    let isLittle = head.starts(with: [0xFF, 0xFE])
    guard isLittle || head.starts(with: [0xFE, 0xFF]) else {
      return head.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(head.dropFirst(3)) : head
    }
    return stride(from: 2, to: head.count - 1, by: 2).map { offset in
      let (low, high) = isLittle ? (offset, offset + 1) : (offset + 1, offset)
      return head[high] == 0 && head[low] < 0x80 ? head[low] : UInt8(ascii: "?")
    }
  }

  private static func skip(_ end: String, in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let mark = Array(end.utf8)
    var rest = bytes
    while let place = rest.firstIndex(of: mark[0]) {
      rest = rest[place...]
      if rest.starts(with: mark) { return rest.dropFirst(mark.count) }
      rest = rest.dropFirst()
    }
    return nil
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  private static func isNameStart(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == UInt8(ascii: "_") || (0x41...0x5A).contains(byte)
      || (0x61...0x7A).contains(byte)
  }
}

import CExpat

/// An element of a long document with all that is in it.
package final class XMLItem {
  /// Its name without a prefix.
  package let name: String
  /// Its attributes in their order, names without a prefix.
  package let attributes: [(name: String, value: String)]
  /// The line that it begins on.
  package let line: Int
  package fileprivate(set) var children: [XMLItem] = []
  /// Its own text from the first character on that is no white space, without that of its children.
  package fileprivate(set) var text = ""

  fileprivate init(name: String, attributes: [(name: String, value: String)], line: Int) {
    (self.name, self.attributes, self.line) = (name, attributes, line)
  }

  /// The value of an attribute.
  package func attribute(_ name: String) -> String? {
    attributes.first { $0.name == name }?.value
  }

  /// The first child of this name.
  package func child(_ name: String) -> XMLItem? { children.first { $0.name == name } }
}

/// A part of a document that was asked for.
package enum XMLPart {
  /// An element that begins; what is in it follows.
  case begin(XMLItem)
  /// The end of such an element.
  case end(String)
  /// An element with all that is in it.
  case whole(XMLItem)
}

/// Reads an XML document of any length that comes in pieces, with expat, and keeps of it what is asked for.
///
/// Declarations of entities are refused, and no other file is ever opened.
@safe
package final class XMLItemParser {
  /// What is to be done with an element.
  package enum Choice {
    /// Look at what is in it.
    case descend
    /// That too, and tell of its beginning and its end.
    case tell
    /// Keep all of it.
    case keep
  }

  /// The parts that were read and that nobody has taken, in their order.
  package var parts: [XMLPart] = []
  /// The line that was read last.
  package private(set) var line = 1

  // SAFETY: made and freed here only; no other object has it.
  private let parser: OpaquePointer
  private let choose: (_ name: String, _ parent: String?) -> Choice
  private var failure: XMLFailure?
  /// The names of elements that are open, and whether they are told of, outside of what is kept.
  private var outer: [(name: String, isTold: Bool)] = []
  /// The elements that are open and kept.
  private var inner: [XMLItem] = []
  private var elementCount = 0
  /// How deep elements may lie in each other.
  private static let depthLimit = 64
  /// How many elements may be in one that is kept.
  package static let elementLimit = 200_000
  /// The most bytes of the text of an element.
  private static let textLimit = 1 << 20

  /// A parser that has read nothing.
  ///
  /// - Parameter choose: what is to be done with an element, by its name and that of the one that it is in, which
  ///   is nil for the outermost.
  /// - Throws: `XMLFailure.tooLarge` if memory runs out.
  package init(
    choose: @escaping (_ name: String, _ parent: String?) -> Choice
  ) throws(XMLFailure) {
    // SAFETY: a new parser, or nil where memory runs out.
    guard let parser = unsafe XML_ParserCreate(nil) else { throw .tooLarge("memory is short") }
    unsafe self.parser = unsafe parser
    self.choose = choose
    setHandlers()
  }

  deinit {
    // SAFETY: the counterpart of `init`; no handler runs any more.
    unsafe XML_ParserFree(parser)
  }

  /// Reads the next piece of the document.
  ///
  /// - Parameters:
  ///   - bytes: the piece; it may end anywhere.
  ///   - isLast: whether nothing follows.
  /// - Throws: `XMLFailure`; `parts` has what came before.
  package func parse(_ bytes: [UInt8], isLast: Bool) throws(XMLFailure) {
    // SAFETY: the handlers run inside XML_Parse only, and this object outlives that call; expat reads
    // the bytes inside the call only, and copies what it keeps.
    let status = withExtendedLifetime(self) {
      unsafe XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
      return unsafe bytes.withUnsafeBytes { block in
        unsafe XML_Parse(
          parser, block.baseAddress?.assumingMemoryBound(to: CChar.self), CInt(block.count),
          isLast ? 1 : 0)
      }
    }
    // SAFETY: the parser is open.
    line = unsafe Int(XML_GetCurrentLineNumber(parser))
    if let failure { throw failure }
    guard status == XML_STATUS_OK else {
      // SAFETY: the parser is open; the text is a constant of the library's.
      let text = unsafe XML_ErrorString(XML_GetErrorCode(parser))
      throw unsafe .malformed(
        line: line, reason: text.map { unsafe String(cString: $0) } ?? "no element")
    }
  }

  private func fail(_ reason: XMLFailure) {
    if failure == nil { failure = reason }
    // SAFETY: called by a handler, as XML_StopParser asks for.
    _ = unsafe XML_StopParser(parser, 0)
  }

  /// Takes the beginning of an element; `attributes` gives its attributes.
  private func begin(_ name: String, _ attributes: () -> [(name: String, value: String)]) {
    guard outer.count + inner.count < Self.depthLimit else {
      return fail(.tooLarge("its XML elements lie too deep"))
    }
    func made() -> XMLItem {
      // SAFETY: the parser is open.
      XMLItem(
        name: name, attributes: attributes(), line: unsafe Int(XML_GetCurrentLineNumber(parser)))
    }
    if let parent = inner.last {
      elementCount += 1
      guard elementCount <= Self.elementLimit else {
        return fail(.tooLarge("an element has more than \(Self.elementLimit) others in it"))
      }
      let item = made()
      parent.children.append(item)
      inner.append(item)
      return
    }
    switch choose(name, outer.last?.name) {
    case .descend: outer.append((name, false))
    case .tell:
      outer.append((name, true))
      parts.append(.begin(made()))
    case .keep:
      elementCount = 0
      inner.append(made())
    }
  }

  private func finish() {
    if let item = inner.popLast() {
      if inner.isEmpty { parts.append(.whole(item)) }
    } else if let (name, isTold) = outer.popLast(), isTold {
      parts.append(.end(name))
    }
  }

  /// Whether text is kept.
  private var isKeeping: Bool { !inner.isEmpty }

  private func append(_ text: String) {
    guard let item = inner.last else { return }
    if item.text.isEmpty, text.utf8.allSatisfy({ $0 == 0x20 || (0x09...0x0D).contains($0) }) {
      return
    }
    guard item.text.utf8.count + text.utf8.count <= Self.textLimit else {
      return fail(.tooLarge("it has a text of more than \(Self.textLimit) bytes"))
    }
    item.text += text
  }

  /// The part of a name behind its prefix.
  private static func localName(_ name: String) -> String {
    guard let mark = name.utf8.lastIndex(of: 0x3A) else { return name }
    return String(name[name.index(after: mark)...])
  }

  private func setHandlers() {
    // SAFETY: each handler gets the object that `parse` has set, which is alive; names and values are
    // NUL-terminated, the list of attributes ends with nil, and all of it is copied at once.
    unsafe XML_SetElementHandler(
      parser,
      { context, name, list in
        guard let context = unsafe context, let name = unsafe name else { return }
        let reader = unsafe Unmanaged<XMLItemParser>.fromOpaque(context).takeUnretainedValue()
        reader.begin(XMLItemParser.localName(unsafe String(cString: name))) {
          var attributes: [(name: String, value: String)] = []
          var index = 0
          while let list = unsafe list, let key = unsafe list[index],
            let value = unsafe list[index + 1]
          {
            attributes.append(
              (
                XMLItemParser.localName(unsafe String(cString: key)),
                unsafe String(cString: value)
              ))
            index += 2
          }
          return attributes
        }
      },
      { context, _ in
        guard let context = unsafe context else { return }
        unsafe Unmanaged<XMLItemParser>.fromOpaque(context).takeUnretainedValue().finish()
      })
    unsafe XML_SetCharacterDataHandler(parser) { context, text, count in
      guard let context = unsafe context, let text = unsafe text else { return }
      let reader = unsafe Unmanaged<XMLItemParser>.fromOpaque(context).takeUnretainedValue()
      guard reader.isKeeping else { return }
      // SAFETY: `count` bytes of valid UTF-8, for the length of the call.
      let bytes = unsafe UnsafeRawBufferPointer(start: text, count: Int(count))
      reader.append(unsafe String(decoding: bytes, as: UTF8.self))
    }
    // SAFETY: as above; called for any entity, internal or external, before it could be used.
    unsafe XML_SetEntityDeclHandler(parser) { context, _, _, _, _, _, _, _, _ in
      guard let context = unsafe context else { return }
      unsafe Unmanaged<XMLItemParser>.fromOpaque(context).takeUnretainedValue()
        .fail(.declaresEntities)
    }
  }
}

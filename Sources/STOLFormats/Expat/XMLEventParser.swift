import CExpat

/// Reads an XML document that comes in pieces, with expat, and tells of its elements as they come.
///
/// For documents of any length: nothing but the text that is asked for is kept. Declarations of entities
/// are refused, and no other file is ever opened.
@safe
final class XMLEventParser {
  /// What is told of the beginning of an element: its name without a prefix, and what gives the value
  /// of an attribute by its name without a prefix, and all of them in their order; valid for the call only.
  typealias Start = (
    _ name: String, _ attribute: (String) -> String?,
    _ attributes: () -> [(name: String, value: String)]
  ) -> Void

  /// The text that came since collecting began.
  var text: [UInt8] = []
  /// Whether text is collected.
  var isCollecting = false

  // SAFETY: made and freed here only; no other object has it.
  private let parser: OpaquePointer
  private let onStart: Start
  private let onEnd: (String) -> Void
  private var failure: XMLFailure?
  private var depth = 0
  /// How deep elements may lie in each other.
  private static let depthLimit = 64
  /// More text than a cell may have.
  private static let textLimit = 1 << 22

  /// A parser that has read nothing.
  ///
  /// - Parameters:
  ///   - onStart: told of each element that begins.
  ///   - onEnd: told of the name of each element that ends.
  /// - Throws: `XMLFailure.tooLarge` if memory runs out.
  init(onStart: @escaping Start, onEnd: @escaping (String) -> Void) throws(XMLFailure) {
    // SAFETY: a new parser, or nil where memory runs out.
    guard let parser = unsafe XML_ParserCreate(nil) else { throw .tooLarge("memory is short") }
    unsafe self.parser = unsafe parser
    self.onStart = onStart
    self.onEnd = onEnd
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
  /// - Throws: `XMLFailure`
  func parse(_ bytes: [UInt8], isLast: Bool) throws(XMLFailure) {
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
    if let failure { throw failure }
    guard status == XML_STATUS_OK else {
      // SAFETY: the parser is open; the text is a constant of the library's.
      let text = unsafe XML_ErrorString(XML_GetErrorCode(parser))
      throw unsafe .malformed(
        line: Int(XML_GetCurrentLineNumber(parser)),
        reason: text.map { unsafe String(cString: $0) } ?? "no element")
    }
  }

  /// The line that is read, from 1.
  var line: Int {
    // SAFETY: the parser is open.
    unsafe Int(XML_GetCurrentLineNumber(parser))
  }

  /// Stops reading, for the first reason that is given; called by a handler.
  func fail(_ reason: XMLFailure) {
    if failure == nil { failure = reason }
    // SAFETY: called by a handler, as XML_StopParser asks for.
    _ = unsafe XML_StopParser(parser, 0)
  }

  private func begin(
    _ name: String, _ each: (_ body: (_ name: String, _ value: () -> String) -> Bool) -> Void
  ) {
    depth += 1
    if depth > Self.depthLimit { return fail(.tooLarge("its XML elements lie too deep")) }
    onStart(
      name,
      { wanted in
        var found: String?
        each { name, value in
          if name == wanted { found = value() }
          return found == nil
        }
        return found
      },
      {
        var all: [(name: String, value: String)] = []
        each { name, value in
          all.append((name, value()))
          return true
        }
        return all
      })
  }

  private func finish(_ name: String) {
    depth -= 1
    onEnd(name)
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
        let reader = unsafe Unmanaged<XMLEventParser>.fromOpaque(context).takeUnretainedValue()
        reader.begin(XMLEventParser.localName(unsafe String(cString: name))) { body in
          var index = 0
          while let list = unsafe list, let key = unsafe list[index],
            let value = unsafe list[index + 1],
            body(
              XMLEventParser.localName(unsafe String(cString: key)),
              { unsafe String(cString: value) })
          {
            index += 2
          }
        }
      },
      { context, name in
        guard let context = unsafe context, let name = unsafe name else { return }
        let reader = unsafe Unmanaged<XMLEventParser>.fromOpaque(context).takeUnretainedValue()
        reader.finish(XMLEventParser.localName(unsafe String(cString: name)))
      })
    unsafe XML_SetCharacterDataHandler(parser) { context, text, count in
      guard let context = unsafe context, let text = unsafe text else { return }
      let reader = unsafe Unmanaged<XMLEventParser>.fromOpaque(context).takeUnretainedValue()
      guard reader.isCollecting else { return }
      // SAFETY: `count` bytes of valid UTF-8, for the length of the call.
      unsafe reader.text.append(contentsOf: UnsafeRawBufferPointer(start: text, count: Int(count)))
      if reader.text.count > XMLEventParser.textLimit {
        reader.fail(.tooLarge("it has a text of more than \(XMLEventParser.textLimit) bytes"))
      }
    }
    // SAFETY: as above; called for any entity, internal or external, before it could be used.
    unsafe XML_SetEntityDeclHandler(parser) { context, _, _, _, _, _, _, _, _ in
      guard let context = unsafe context else { return }
      unsafe Unmanaged<XMLEventParser>.fromOpaque(context).takeUnretainedValue()
        .fail(.declaresEntities)
    }
    // SAFETY: the name is NUL-terminated; the block is that of a call of expat, which copies the map.
    unsafe XML_SetUnknownEncodingHandler(
      parser,
      { _, name, encoding in
        guard let name = unsafe name, let encoding = unsafe encoding,
          unsafe String(cString: name).lowercased() == "windows-1252"
        else { return 0 }
        unsafe withUnsafeMutableBytes(of: &encoding.pointee.map) { block in
          for byte in UInt8.min...UInt8.max {
            unsafe block.storeBytes(
              of: TextDecoder.windows1252(byte).map { CInt($0) } ?? -1,
              toByteOffset: Int(byte) * MemoryLayout<CInt>.size, as: CInt.self)
          }
        }
        unsafe encoding.pointee.convert = nil
        unsafe encoding.pointee.release = nil
        return 1
      }, nil)
  }
}

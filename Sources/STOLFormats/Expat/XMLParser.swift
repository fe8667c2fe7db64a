import CExpat

/// Reads XML documents, with expat.
///
/// No other file is ever opened for one: there is no handler for external entities.
package enum XMLParser {
  /// Reads a whole document.
  ///
  /// - Parameters:
  ///   - bytes: the document, in an encoding that it states itself.
  ///   - limit: how many bytes it may have.
  /// - Returns: its outermost element.
  /// - Throws: `XMLFailure`
  package static func parse(_ bytes: [UInt8], limit: Int) throws(XMLFailure) -> XMLElement {
    guard bytes.count <= limit else {
      throw .tooLarge("it has \(bytes.count) bytes, more than \(limit)")
    }
    // SAFETY: made here, freed at the end of this function, seen by the handlers only meanwhile.
    guard let parser = unsafe XML_ParserCreate(nil) else { throw .tooLarge("memory is short") }
    defer { unsafe XML_ParserFree(parser) }
    let builder = XMLTreeBuilder()
    let session = unsafe Session(parser: parser, builder: builder)
    unsafe setHandlers(parser)
    // SAFETY: the handlers run inside XML_Parse only, and the session outlives that call; expat reads
    // the bytes inside the call only.
    let status = withExtendedLifetime(session) {
      unsafe XML_SetUserData(parser, Unmanaged.passUnretained(session).toOpaque())
      return unsafe bytes.withUnsafeBytes { block in
        unsafe XML_Parse(
          parser, block.baseAddress?.assumingMemoryBound(to: CChar.self), CInt(block.count), 1)
      }
    }
    if let failure = builder.failure { throw failure }
    guard status == XML_STATUS_OK, let root = builder.root else {
      // SAFETY: the parser is open; the text is a constant of the library's.
      let text = unsafe XML_ErrorString(XML_GetErrorCode(parser))
      throw unsafe .malformed(
        line: Int(XML_GetCurrentLineNumber(parser)),
        reason: text.map { unsafe String(cString: $0) } ?? "no element")
    }
    return root
  }

  /// What the handlers get.
  @safe
  private final class Session {
    // SAFETY: the parser is freed after the last use of the session.
    private let parser: OpaquePointer
    let builder: XMLTreeBuilder

    init(parser: OpaquePointer, builder: XMLTreeBuilder) {
      unsafe self.parser = unsafe parser
      self.builder = builder
    }

    /// Ends the parsing once the builder has had enough.
    func stopIfFailed() {
      // SAFETY: called by a handler, as XML_StopParser asks for.
      if builder.failure != nil { _ = unsafe XML_StopParser(parser, 0) }
    }
  }

  private static func setHandlers(_ parser: OpaquePointer) {
    // SAFETY: each handler gets the session that `parse` has set, which is alive; names and values are
    // NUL-terminated, the list of attributes ends with nil, and all of it is copied at once.
    unsafe XML_SetElementHandler(
      parser,
      { context, name, list in
        guard let context = unsafe context, let name = unsafe name else { return }
        let session = unsafe Unmanaged<Session>.fromOpaque(context).takeUnretainedValue()
        var attributes: [String: String] = [:]
        var index = 0
        while let list = unsafe list, let key = unsafe list[index],
          let value = unsafe list[index + 1]
        {
          attributes[XMLTreeBuilder.localName(unsafe String(cString: key))] =
            unsafe String(cString: value)
          index += 2
        }
        session.builder.start(unsafe String(cString: name), attributes)
        session.stopIfFailed()
      },
      { context, _ in
        guard let context = unsafe context else { return }
        unsafe Unmanaged<Session>.fromOpaque(context).takeUnretainedValue().builder.end()
      })
    unsafe XML_SetCharacterDataHandler(parser) { context, text, count in
      guard let context = unsafe context, let text = unsafe text else { return }
      let session = unsafe Unmanaged<Session>.fromOpaque(context).takeUnretainedValue()
      // SAFETY: `count` bytes of valid UTF-8, for the length of the call.
      let bytes = unsafe UnsafeRawBufferPointer(start: text, count: Int(count))
      session.builder.append(unsafe String(decoding: bytes, as: UTF8.self))
    }
    // SAFETY: as above; called for any entity, internal or external, before it could be used.
    unsafe XML_SetEntityDeclHandler(parser) { context, _, _, _, _, _, _, _, _ in
      guard let context = unsafe context else { return }
      let session = unsafe Unmanaged<Session>.fromOpaque(context).takeUnretainedValue()
      session.builder.fail(.declaresEntities)
      session.stopIfFailed()
    }
  }
}

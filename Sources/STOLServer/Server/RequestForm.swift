import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Gives requests of HTTP/1 the form that the rest of the server understands.
///
/// What turns them into general ones drops scheme and host of an absolute target, so that the guard would
/// not see them; before that, this handler makes such a target one that the guard refuses. It drops the
/// version too: a client of HTTP/1.0 expects the connection to be closed, RFC 9112 section 9.3, and so does
/// one that says so in any spelling.
final class RequestForm: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  /// Puts it before the handler that forgets.
  static func add(to pipeline: ChannelPipeline) throws {
    let codec = try pipeline.syncOperations.handler(type: HTTP1ToHTTPServerCodec.self)
    try pipeline.syncOperations.addHandler(RequestForm(), position: .before(codec))
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data) else {
      context.fireChannelRead(data)
      return
    }
    if !head.uri.hasPrefix("/") { head.uri = "*" }
    let words = head.headers[canonicalForm: "connection"].map { $0.lowercased() }
    if (head.version.major, head.version.minor) < (1, 1) || words.contains("close") {
      head.headers.replaceOrAdd(name: "connection", value: "close")
    }
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }
}

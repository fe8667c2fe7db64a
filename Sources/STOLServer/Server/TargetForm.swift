import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Lets only requests through whose target is a path.
///
/// What turns requests of HTTP/1 into general ones drops scheme and host of an absolute target, so
/// that the guard would not see them; before that, this handler makes such a target one that the
/// guard refuses.
final class TargetForm: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  /// Puts it before the handler that forgets.
  static func add(to pipeline: ChannelPipeline) throws {
    let codec = try pipeline.syncOperations.handler(type: HTTP1ToHTTPServerCodec.self)
    try pipeline.syncOperations.addHandler(TargetForm(), position: .before(codec))
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data), !head.uri.hasPrefix("/") else {
      context.fireChannelRead(data)
      return
    }
    head.uri = "*"
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }
}

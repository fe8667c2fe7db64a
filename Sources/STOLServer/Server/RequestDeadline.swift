import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Takes one request of a connection at a time, and closes one that takes too long, whoever is slow:
/// the one who sends or the one who reads.
///
/// A connection that says nothing is closed by the server's idle timeout; this handler bounds what a
/// drop at a time would keep open. Requests that are sent ahead wait, and nothing more is read,
/// until the answer before them is in the socket: so a client that reads nothing costs one answer.
/// After an answer that says `Connection: close` nothing is taken any more: the connection is closed in
/// stages, so that the client gets the answer, RFC 9112 section 9.6.
final class RequestDeadline: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  /// From the head of a request until its answer has gone out.
  static let limit = TimeAmount.seconds(30)
  /// The same for a container that is imported.
  static let uploadLimit = TimeAmount.minutes(30)
  /// The same for what goes through all of a journal.
  static let journalLimit = TimeAmount.minutes(10)
  /// How long a connection may say nothing.
  static let idleLimit = TimeAmount.seconds(10)

  /// As many parts of requests sent ahead wait; what one read from the socket brings beyond that, which no
  /// browser sends, is dropped, and the connection ends after the last answer.
  static let greatestHeldCount = 1024
  /// No browser sends so many parts ahead: a client that does has to take each answer at once.
  static let crowdedHeldCount = 64
  /// How long it may take from then on.
  static let crowdedLimit = TimeAmount.seconds(2)

  /// So much is read at once, and no more before it was answered: some forty short requests.
  private static let readByteCount = 2048
  /// The same for a container, which is one request.
  private static let uploadReadByteCount = 65536

  private enum State {
    /// No request is open.
    case idle
    /// The head of a request has come, not yet its end.
    case receiving
    /// The request is complete, its answer not yet out.
    case answering
    /// The answer is out, the end of the request has not come.
    case discarding
    /// The last answer is out: what still comes is dropped until the client closes too.
    case closing
  }

  private var state = State.idle
  private var timer: Scheduled<Void>?
  /// Whether more parts were held once than browsers send ahead.
  private var isCrowded = false
  /// What came after the request that is being answered.
  private var held: CircularBuffer<HTTPRequestPart> = []
  /// What was asked for while something is held.
  private var isReadWanted = false
  private var isInputClosed = false
  /// Whether the answer that is being written says that it is the last.
  private var isLastAnswer = false
  /// Whether requests were dropped, so that the connection ends after those that are held.
  private var isOverfull = false

  func handlerAdded(context: ChannelHandlerContext) {
    do {
      try readAtOnce(Self.readByteCount, context.channel)
      try RequestForm.add(to: context.pipeline)
    } catch {
      // Without it no request is answered.
      context.close(promise: nil)
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard state != .closing, !isOverfull else { return }
    let part = unwrapInboundIn(data)
    guard !held.isEmpty || state == .answering else { return pass(part, context) }
    guard held.count < Self.greatestHeldCount else {
      isOverfull = true
      return
    }
    held.append(part)
    guard held.count > Self.crowdedHeldCount, !isCrowded else { return }
    isCrowded = true
    close(context.channel, after: Self.crowdedLimit)
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    context.fireChannelReadComplete()
    if state == .closing { context.read() }
  }

  func read(context: ChannelHandlerContext) {
    if held.isEmpty {
      context.read()
    } else {
      isReadWanted = true
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if let event = event as? ChannelEvent, event == .inputClosed, !held.isEmpty {
      isInputClosed = true
    } else {
      context.fireUserInboundEventTriggered(event)
    }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(let head):
      if head.headerFields[.connection] == "close" { isLastAnswer = true }
      fallthrough
    case .body:
      context.write(data, promise: promise)
      return
    case .end: break
    }
    // The answer is out once its last part is in the socket.
    let written = promise ?? context.eventLoop.makePromise()
    written.futureResult.assumeIsolated().whenComplete { _ in self.answered(context) }
    context.write(data, promise: written)
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    held.removeAll()
    context.fireChannelInactive()
  }

  // MARK: - One request at a time

  private func pass(_ part: HTTPRequestPart, _ context: ChannelHandlerContext) {
    switch part {
    case .head(let head):
      state = .receiving
      start(head, context.channel)
    case .body: break
    case .end:
      if state == .discarding { timer?.cancel() }
      state = state == .discarding ? .idle : .answering
    }
    context.fireChannelRead(wrapInboundOut(part))
  }

  /// What goes through all of a journal.
  private static let journalPaths = Set(
    [JournalRoute.export, .import, .lock].flatMap { route in
      [Form.page, .json].map { Address(.journal(route), $0).path[...] }
    })

  /// What takes signed files.
  private static let uploadPaths = Set(
    [Route.databasesImport, .mediaImport].flatMap { route in
      [Form.page, .json].map { Address(route, $0).path[...] }
    })

  private func start(_ head: HTTPRequest, _ channel: any Channel) {
    let path = head.path?.prefix { $0 != "?" }
    let isForm = head.headerFields[.contentType]?.hasPrefix("application/x-www-form") == true
    let isUpload = head.method == .post && !isForm && path.map(Self.uploadPaths.contains) == true
    // Where it fails, an upload is only slower.
    if isUpload { try? readAtOnce(Self.uploadReadByteCount, channel) }
    let isLong = path.map(Self.journalPaths.contains) == true
    close(
      channel,
      after: isUpload
        ? Self.uploadLimit
        : isCrowded ? Self.crowdedLimit : isLong ? Self.journalLimit : Self.limit)
  }

  private func readAtOnce(_ byteCount: Int, _ channel: any Channel) throws {
    let options = channel.syncOptions
    try options?.setOption(.maxMessagesPerRead, value: 1)
    try options?.setOption(
      .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: byteCount))
  }

  private func close(_ channel: any Channel, after time: TimeAmount) {
    timer?.cancel()
    timer = channel.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
  }

  private func answered(_ context: ChannelHandlerContext) {
    if isLastAnswer || isOverfull && held.isEmpty { return finish(context) }
    if state == .receiving {
      // Answered before it had come to its end.
      state = .discarding
      close(context.channel, after: Self.limit)
      return
    }
    state = .idle
    timer?.cancel()
    guard !held.isEmpty else { return }
    while state != .answering, let part = held.popFirst() { pass(part, context) }
    context.fireChannelReadComplete()
    guard held.isEmpty else { return }
    if isInputClosed { context.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
    if isReadWanted {
      isReadWanted = false
      context.read()
    }
  }

  /// Tells the client that no answer follows, and reads on until it closes too, lest bytes that nobody has
  /// read reset the connection and with it the answer.
  private func finish(_ context: ChannelHandlerContext) {
    state = .closing
    held.removeAll()
    close(context.channel, after: Self.limit)
    context.close(mode: .output, promise: nil)
    context.read()
  }
}

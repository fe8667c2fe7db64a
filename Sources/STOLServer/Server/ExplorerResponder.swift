import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import STOLData
import STOLMedia
import STOLPack

/// Turns requests into visits and replies into responses.
struct ExplorerResponder: HTTPResponder {
  typealias Context = BasicRequestContext

  let guardian: RequestGuard
  let pages: Pages
  private let cache = AnswerCache()
  /// Where forms with large files pass, one at a time.
  private let largeForms = Turnstile()

  func respond(to request: Request, context: Context) async throws -> Response {
    do {
      try guardian.check(request.head)
    } catch {
      return refused(error, request)
    }
    await pages.services.noticeSwitch()
    // The guard has seen to it that there is a path.
    let target = request.head.path ?? "/"
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = String(parts[0])
    let query = Fields(parsing: parts.dropFirst().first ?? "")
    let address = Address(path: path).map {
      Address($0.route, $0.form, query: query ?? Fields())
    }
    let (names, words) = languages(of: request, path, address)
    return try await Words.$language.withValue(words) {
      guard let address else { return response(pages.notFound(path), request) }
      guard query != nil else { return response(pages.unreadable(address), request) }
      let visit = Visit(address: address, form: nil, language: names)
      guard address.route == .journal(.new), Self.isLarge(request) else {
        return try await answer(request, target, visit)
      }
      return try await largeForms.run { try await answer(request, target, visit) }
    }
  }

  private func answer(
    _ request: Request, _ target: String, _ asked: Visit
  ) async throws -> Response {
    var visit = asked
    let address = visit.address
    if request.method == .post {
      do {
        if let taker = pages.taker(of: address.route), Self.isUpload(request) {
          return response(
            try await upload(request, visit, to: taker), request, visit.language)
        }
        if Self.takesFiles.contains(address.route), Self.isMultipart(request) {
          (visit.form, visit.files) = try await entry(of: request, visit)
        } else if address.route == .match || address.route == .matchNames {
          if let refusal = try await receiveTable(request, &visit) {
            return response(refusal, request, visit.language)
          }
        } else {
          visit.form = try await form(of: request)
        }
      } catch let refusal as RequestGuard.Refusal {
        return refused(refusal, request)
      }
    }
    guard AnswerCache.keeps(address), visit.form == nil else {
      return response(await pages.reply(to: visit), request, visit.language)
    }
    let snapshot = pages.services.provider.snapshot()
    let images = await pages.services.media.library(in: snapshot.pack)
    let key = AnswerCache.Key(
      target: target, language: visit.language, source: snapshot.pack.source,
      images: images.generation)
    if let bytes = cache[key] {
      return response(Reply(contentType: Reply.jsonType, bytes: bytes), request, visit.language)
    }
    let reply = await pages.reply(to: visit, in: snapshot, with: images)
    if reply.status == 200 { cache.insert(reply.bytes, for: key) }
    return response(reply, request, visit.language)
  }

  // MARK: - Requests

  private static let bytes = "application/octet-stream"
  private static let multipart = "multipart/form-data"
  private static let urlEncoded = "application/x-www-form-urlencoded"

  /// The form that was sent, if it came from a page of this server.
  private func form(of request: Request) async throws -> Fields {
    guard request.headers[.contentType]?.split(separator: ";").first == Self.urlEncoded[...] else {
      throw RequestGuard.Refusal(
        status: .unsupportedMediaType, reason: "a form comes as \(Self.urlEncoded)")
    }
    let buffer: ByteBuffer
    do {
      buffer = try await request.body.collect(upTo: RequestGuard.greatestFormByteCount)
    } catch is NIOTooManyBytesError {
      throw RequestGuard.Refusal(status: .contentTooLarge, reason: "the form is too long")
    }
    guard let form = Fields(parsing: String(buffer: buffer), atMost: Fields.greatestFormCount)
    else {
      throw RequestGuard.Refusal(status: .badRequest, reason: "the form cannot be read")
    }
    try check(token: form[RequestGuard.tokenField])
    return form
  }

  private static func isMultipart(_ request: Request) -> Bool {
    MultipartForm.mediaType(request.headers[.contentType] ?? "") == multipart
  }

  /// The routes whose forms have a file.
  private static let takesFiles: Set<Route> = [.journal(.new), .journal(.import), .keys]

  /// What is longer than this waits until another such form is answered: so memory holds one of them.
  private static let smallByteCount = 1 << 20

  /// Whether a form may need much memory.
  private static func isLarge(_ request: Request) -> Bool {
    guard request.method == .post, isMultipart(request) else { return false }
    return request.headers[.contentLength].flatMap { Int($0) }.map { $0 > smallByteCount } ?? true
  }

  /// A form with files, if it came from a page of this server.
  ///
  /// Nothing of a file is read before that is sure. What is to be imported comes to the disk; a photo, which may be of a locked journal, never does as it is.
  private func entry(of request: Request, _ visit: Visit) async throws -> (Fields, [SentFile]) {
    let unreadable = RequestGuard.Refusal(
      status: .badRequest, reason: "the form cannot be read")
    let isKey = visit.route == .keys
    let tooLarge = RequestGuard.Refusal(
      status: .contentTooLarge, reason: isKey ? "a key is one line" : "a file may have 64 MB")
    let limit =
      isKey ? RequestGuard.greatestFormByteCount : RequestGuard.greatestPhotoFormByteCount
    let stated = request.headers[.contentLength].flatMap { Int($0) } ?? 0
    guard stated <= limit else { throw tooLarge }
    guard
      var reader = MultipartReader(
        contentType: request.headers[.contentType] ?? "", atMost: Fields.greatestCount,
        textsUpTo: RequestGuard.greatestFormByteCount * 4, expecting: max(0, stated),
        isOnDisk: visit.route == .journal(.import))
    else { throw unreadable }
    var byteCount = 0
    do {
      for try await buffer in request.body {
        byteCount += buffer.readableBytes
        guard byteCount <= limit else { throw tooLarge }
        try reader.feed(Array(buffer: buffer))
        if reader.hasFile { try check(token: reader.fields[RequestGuard.tokenField]) }
      }
    } catch MultipartReader.Fault.tooLong {
      throw RequestGuard.Refusal(status: .contentTooLarge, reason: "the form is too long")
    } catch is MultipartReader.Fault {
      throw unreadable
    }
    guard reader.isWhole else { throw unreadable }
    try check(token: reader.fields[RequestGuard.tokenField])
    return (reader.fields, reader.files)
  }

  /// Whether a request brings a signed file: as its body, or in a form.
  private static func isUpload(_ request: Request) -> Bool {
    request.headers[.contentType] == bytes || isMultipart(request)
  }

  /// Keeps the signed file that a browser sends, and begins to install it.
  private func upload(
    _ request: Request, _ visit: Visit, to taker: any UploadTaker
  ) async throws -> Reply {
    let limit = RequestGuard.greatestUploadByteCount
    var upload = Upload(taker: taker, limit: limit, fields: visit.query)
    guard Self.isMultipart(request) else {
      try check(token: request.headers[.stolToken])
      switch try await upload.receive(request.body, mayBegin: { _ in }) {
      case .arrived: return await taker.reply(202)
      case .refused(let status): return await taker.reply(status)
      case .busy: return await taker.reply(409)
      case .noFile:
        throw RequestGuard.Refusal(status: .badRequest, reason: "the body has no file")
      }
    }
    upload.form = FileForm(contentType: request.headers[.contentType] ?? "")
    guard upload.form != nil else {
      throw RequestGuard.Refusal(status: .badRequest, reason: "the form cannot be read")
    }
    let outcome = try await upload.receive(request.body) {
      (fields) throws(RequestGuard.Refusal) in
      try check(token: fields[RequestGuard.tokenField])
    }
    switch outcome {
    case .arrived, .refused: return .seeOther(Address(visit.route))
    case .busy: return pages.problem(visit, 409, Words[.cannotImport], Words[.anotherImport])
    case .noFile(let fields):
      var visit = visit
      visit.form = fields
      return await pages.reply(to: visit)
    }
  }

  /// Takes the names that a form of a page brings, or a program that asks, which changes nothing and so
  /// needs no token.
  ///
  /// - Returns: the answer where they are refused, else nil.
  private func receiveTable(_ request: Request, _ visit: inout Visit) async throws -> Reply? {
    func refused(_ status: Int, _ title: String, _ text: String) -> Reply {
      var reply = pages.problem(visit, status, title, text)
      // What is left of the body is not read.
      reply.fields.append(("connection", "close"))
      return reply
    }
    let stated = request.headers[.contentType] ?? ""
    let mediaType = MultipartForm.mediaType(stated)
    let isForm = mediaType == Self.multipart || mediaType == Self.urlEncoded
    guard isForm || visit.route == .matchNames && MatchSettings.mediaTypes.contains(mediaType)
    else {
      return refused(
        415, "Names cannot be sent so",
        visit.route == .match
          ? "a form comes as \(Self.multipart)"
          : "the header Content-Type is one of: "
            + (MatchSettings.mediaTypes + [Self.multipart, Self.urlEncoded])
            .joined(separator: ", "))
    }
    let limit =
      mediaType == Self.multipart
      ? RequestGuard.greatestTableFormByteCount
      : isForm ? RequestGuard.greatestFormByteCount : MatchSettings.greatestByteCount
    let body: [UInt8]
    do {
      body = Array(buffer: try await request.body.collect(upTo: limit))
    } catch is NIOTooManyBytesError {
      return refused(
        413, Words[.tooMuch],
        isForm && mediaType != Self.multipart
          ? "such a form may have \(Words.bytes(Int64(limit)))" : MatchSettings.limits)
    }
    if mediaType == Self.multipart {
      guard
        let form = MultipartForm(
          parsing: body, contentType: stated, atMost: MatchSettings.greatestRowCount + 64)
      else { return refused(400, Words[.unreadableForm], "it is no \(Self.multipart)") }
      (visit.form, visit.files) = (form.fields, form.files)
    } else if isForm {
      let text = String(validating: body, as: UTF8.self)
      guard let form = text.flatMap({ Fields(parsing: $0, atMost: Fields.greatestFormCount) })
      else { return refused(400, Words[.unreadableForm], "it is no \(Self.urlEncoded)") }
      visit.form = form
    } else {
      (visit.form, visit.files) = (Fields(), [SentFile(contentType: mediaType, bytes: body)])
    }
    if visit.route == .match { try check(token: visit.form?[RequestGuard.tokenField]) }
    return nil
  }

  private func check(token: String?) throws(RequestGuard.Refusal) {
    guard guardian.accepts(token) else {
      throw RequestGuard.Refusal(
        status: .forbidden, reason: "this page is of an earlier start: load it again")
    }
  }

  /// The language of names, as a tag, and that of sentences.
  ///
  /// It is the one that the address asks for, else the one that was chosen, else the one that the browser prefers.
  /// Programs are answered in English.
  private func languages(
    of request: Request, _ path: String, _ address: Address?
  ) -> (names: String?, words: PageLanguage) {
    let accepted = AcceptedLanguages(
      request.headers[values: .acceptLanguage].joined(separator: ","))
    let asked = address?.query["lang"]
    let chosen = pages.services.choices.current.language
    let isOfProgram =
      address.map { Visit(address: $0, form: nil, language: nil).isOfProgram }
      ?? path.hasSuffix(Form.json.rawValue)
    return (
      asked ?? chosen?.tag ?? accepted.first,
      isOfProgram ? .en : asked.flatMap { PageLanguage(tag: $0) } ?? chosen ?? accepted.page
    )
  }

  // MARK: - Responses

  private func refused(_ refusal: RequestGuard.Refusal, _ request: Request) -> Response {
    var fields = SafetyFields.all
    fields[.contentType] = "text/plain; charset=utf-8"
    fields[.connection] = "close"
    if refusal.status == .methodNotAllowed { fields[.allow] = "GET, HEAD, POST" }
    let body = ByteBuffer(string: request.method == .head ? "" : "stol: \(refusal.reason)\n")
    return Response(status: refusal.status, headers: fields, body: ResponseBody(byteBuffer: body))
  }

  /// A body that is sent piece by piece.
  private static func body(of spooled: SpooledBytes) -> ResponseBody {
    ResponseBody(contentLength: spooled.byteCount) { writer in
      var offset = 0
      while offset < spooled.byteCount {
        let bytes = try spooled.bytes(at: offset, limit: 1 << 17)
        guard !bytes.isEmpty else { break }
        try await writer.write(ByteBuffer(bytes: bytes))
        offset += bytes.count
      }
      try await writer.finish(nil)
    }
  }

  private func response(
    _ reply: Reply, _ request: Request, _ names: String? = nil
  ) -> Response {
    var fields = SafetyFields.all
    fields[.contentType] = reply.contentType
    fields[.vary] = "Accept-Language"
    for (name, value) in reply.fields { fields[.parsed(name)] = value }
    let status = HTTPResponse.Status(code: reply.status)
    // What no cache may keep is not asked for again, either.
    let isKept = !reply.fields.contains { $0 == Reply.unkept }
    if reply.status == 200, request.method != .post, isKept {
      let tag = EntityTag(of: reply.bytes, in: Words.language.tag + "," + (names ?? ""))
      fields[.eTag] = tag.text
      if let known = request.headers[.ifNoneMatch], tag.isAmong(known) {
        fields[.contentType] = nil
        return Response(status: .notModified, headers: fields)
      }
    }
    if request.method == .head {
      fields[.contentLength] = String(reply.bytes.count)
      return Response(status: status, headers: fields)
    }
    if let spooled = reply.spooled {
      return Response(status: status, headers: fields, body: Self.body(of: spooled))
    }
    return Response(
      status: status, headers: fields,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: reply.bytes)))
  }
}

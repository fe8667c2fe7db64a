import HTTPTypes
import Testing

@testable import STOLServer

@Suite("Who is answered")
struct RequestGuardTests {
  private let guardian = RequestGuard()

  private func status(
    _ method: HTTPRequest.Method = .get, _ authority: String? = "127.0.0.1:8080",
    _ path: String? = "/", _ fields: [(HTTPField.Name, String)] = []
  ) -> Int {
    guardian.listen(on: 8080)
    var head = HTTPRequest(method: method, scheme: "http", authority: authority, path: path)
    for (name, value) in fields { head.headerFields.append(HTTPField(name: name, value: value)) }
    do {
      try guardian.check(head)
      return 200
    } catch {
      return error.status.code
    }
  }

  @Test func itsOwnNamesAreAnswered() {
    for host in ["127.0.0.1:8080", "localhost:8080"] {
      #expect(status(.get, host) == 200)
      #expect(status(.head, host) == 200)
      #expect(status(.get, host, "/", [(.origin, "http://\(host)")]) == 200)
      #expect(status(.post, host, "/", [(.origin, "http://\(host)")]) == 200)
      #expect(status(.get, host, "/", [(.secFetchSite, "same-origin")]) == 200)
      #expect(status(.get, host, "/", [(.secFetchSite, "none")]) == 200)
    }
  }

  @Test func nothingIsAnsweredBeforeThePortIsKnown() {
    let early = RequestGuard()
    let head = HTTPRequest(
      method: .get, scheme: "http", authority: "127.0.0.1:8080", path: "/")
    #expect(throws: RequestGuard.Refusal.self) { try early.check(head) }
  }

  @Test(arguments: [
    nil, "", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:8081", "127.0.0.1:08080",
    "LOCALHOST:8080", "localhost.:8080", "localhost", "[::1]:8080", "0.0.0.0:8080", "127.1:8080",
    "2130706433:8080", "evil.example:8080", "127.0.0.1:8080@evil.example", "user@127.0.0.1:8080",
    "127.0.0.1:8080,evil.example", "127.0.0.1.nip.io:8080",
  ])
  func otherHostsAreMisdirected(host: String?) { #expect(status(.get, host) == 421) }

  @Test func aSecondHostIsMisdirected() {
    #expect(status(.get, "127.0.0.1:8080", "/", [(.host, "127.0.0.1:8080")]) == 421)
  }

  @Test(arguments: [
    "null", "", "http://127.0.0.1", "http://127.0.0.1:8081", "https://127.0.0.1:8080",
    "http://localhost:8080", "http://127.0.0.1:8080/", "HTTP://127.0.0.1:8080",
    "http://evil.example", "http://127.0.0.1:8080.evil.example",
  ])
  func otherOriginsAreForbidden(origin: String) {
    for method in [HTTPRequest.Method.get, .head, .post] {
      #expect(status(method, "127.0.0.1:8080", "/", [(.origin, origin)]) == 403)
    }
  }

  @Test func twoOriginsAreForbidden() {
    let own = (HTTPField.Name.origin, "http://127.0.0.1:8080")
    #expect(status(.post, "127.0.0.1:8080", "/", [own, own]) == 403)
  }

  @Test(arguments: ["cross-site", "same-site", "", "Same-Origin"])
  func otherSitesAreForbidden(site: String) {
    #expect(status(.get, "127.0.0.1:8080", "/", [(.secFetchSite, site)]) == 403)
  }

  @Test func changesNeedAnOrigin() { #expect(status(.post) == 403) }

  @Test(arguments: ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "get"])
  func otherMethodsAreNotAllowed(method: String) throws {
    #expect(status(try #require(HTTPRequest.Method(method))) == 405)
  }

  @Test(arguments: [nil, "", "*", "http://127.0.0.1:8080/", "evil", "?q"])
  func whatIsNoPathIsRefused(path: String?) { #expect(status(.get, "127.0.0.1:8080", path) == 400) }

  @Test func longAddressesAreRefused() {
    let longest = "/" + String(repeating: "a", count: RequestGuard.greatestTargetByteCount - 1)
    #expect(status(.get, "127.0.0.1:8080", longest) == 200)
    #expect(status(.get, "127.0.0.1:8080", longest + "a") == 414)
  }

  @Test(arguments: ["gzip, chunked", "identity", "chunked, chunked", "Chunked", ""])
  func otherCodingsOfABodyAreRefused(coding: String) {
    let own = (HTTPField.Name.origin, "http://127.0.0.1:8080")
    #expect(status(.post, "127.0.0.1:8080", "/", [own, (.transferEncoding, "chunked")]) == 200)
    #expect(status(.post, "127.0.0.1:8080", "/", [own, (.transferEncoding, coding)]) == 400)
  }

  @Test func aQuestionHasNoBody() {
    #expect(status(.get, "127.0.0.1:8080", "/", [(.contentLength, "0")]) == 200)
    #expect(status(.get, "127.0.0.1:8080", "/", [(.contentLength, "1")]) == 400)
    #expect(status(.get, "127.0.0.1:8080", "/", [(.transferEncoding, "chunked")]) == 400)
  }

  @Test func onlyItsOwnTokenIsAccepted() {
    #expect(guardian.accepts(guardian.token))
    #expect(guardian.token.count == 32)
    #expect(RequestGuard().token != guardian.token)
    for wrong in [
      nil, "", "x", String(guardian.token.dropLast()), guardian.token + "0",
      String(guardian.token.reversed()) + "x", String(repeating: "0", count: 32),
    ] {
      #expect(!guardian.accepts(wrong))
    }
  }
}

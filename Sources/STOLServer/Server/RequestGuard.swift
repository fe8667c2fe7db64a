import HTTPTypes
import Hummingbird
import STOLSystem

/// Decides which requests are answered at all.
///
/// A page of another site may try to reach this server through the browser of whoever has it open:
/// directly, by a form, or under a name of its own that it lets point to this machine (DNS
/// rebinding). So `Host` must be exactly what the address bar shows for this server; `Origin`, where a
/// browser sends one, must be this server's; and what changes something needs `Origin` and a secret
/// that only this server's pages hold.
struct RequestGuard: Sendable {
  /// The longest address.
  static let greatestTargetByteCount = 4096
  /// The longest form.
  static let greatestFormByteCount = 64 << 10
  /// The longest form with a table of names: the table in a form of its own, which is a third longer, and
  /// decisions on its rows.
  static let greatestTableFormByteCount = 4 << 20
  /// The longest form with a photo, which may have 64 MB.
  static let greatestPhotoFormByteCount = (64 << 20) + (64 << 10)
  /// The longest container that is imported through a browser.
  static let greatestUploadByteCount: Int64 = 8 << 30
  /// The field of a form, and of a header, that holds the token.
  static let tokenField = "token"

  /// What pages put into each form, 128 random bits in hexadecimal digits.
  let token: String
  private let hosts = Locked<[String]>([])

  init() {
    var generator = SystemRandomNumberGenerator()
    token = (0..<4).map { _ in
      UInt32.random(in: .min ... .max, using: &generator).digits(8, radix: 16)
    }.joined()
  }

  /// Names the port; before that every request is refused.
  func listen(on port: Int) {
    let suffix = port == 80 ? "" : ":\(port)"
    hosts.withLock { $0 = ["127.0.0.1" + suffix, "localhost" + suffix] }
  }

  /// Why a request is refused.
  struct Refusal: Error, Equatable {
    let status: HTTPResponse.Status
    let reason: String
  }

  /// Refuses what is not meant for this server, before anything of it is read but its head.
  func check(_ head: HTTPRequest) throws(Refusal) {
    guard let authority = head.authority, head.headerFields[values: .host].isEmpty,
      hosts.withLock({ $0.contains(authority) })
    else {
      throw Refusal(
        status: .misdirectedRequest,
        reason: "open the explorer by the address that stol serve printed")
    }
    guard head.method == .get || head.method == .head || head.method == .post else {
      throw Refusal(status: .methodNotAllowed, reason: "only GET, HEAD and POST are answered")
    }
    guard let path = head.path, path.utf8.first == UInt8(ascii: "/") else {
      throw Refusal(status: .badRequest, reason: "the address must be a path")
    }
    guard path.utf8.count <= Self.greatestTargetByteCount else {
      throw Refusal(status: .uriTooLong, reason: "the address is too long")
    }
    let origins = head.headerFields[values: .origin]
    let sites = head.headerFields[values: .secFetchSite]
    guard origins.isEmpty || origins == ["http://" + authority],
      sites.allSatisfy({ $0 == "same-origin" || $0 == "none" })
    else {
      throw Refusal(status: .forbidden, reason: "a page of another site asked")
    }
    let codings = head.headerFields[values: .transferEncoding]
    guard codings.isEmpty || codings == ["chunked"] else {
      throw Refusal(status: .badRequest, reason: "a body comes as it is, or in chunks")
    }
    let lengths = head.headerFields[values: .contentLength]
    if head.method == .post {
      guard !origins.isEmpty else {
        throw Refusal(status: .forbidden, reason: "a change needs the header Origin")
      }
    } else {
      guard codings.isEmpty, lengths.allSatisfy({ $0 == "0" }) else {
        throw Refusal(status: .badRequest, reason: "a question has no body")
      }
    }
  }

  /// Whether `token` is that of this server's pages; takes as long for any text of its length.
  func accepts(_ token: String?) -> Bool {
    guard let token, token.utf8.count == self.token.utf8.count else { return false }
    return zip(token.utf8, self.token.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

extension HTTPField.Name {
  static let host = Self.parsed("host")
  static let secFetchSite = Self.parsed("sec-fetch-site")
  static let stolToken = Self.parsed("stol-token")

  /// A name that is written in this program; it is one.
  static func parsed(_ name: String) -> HTTPField.Name {
    guard let name = HTTPField.Name(name) else { preconditionFailure("no field name: \(name)") }
    return name
  }
}

/// What every answer says to the browser, whatever it holds.
enum SafetyFields {
  /// Nothing comes from anywhere else, no script or style stands in a page, no page is framed.
  static let contentSecurityPolicy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'",
    "connect-src 'self'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'",
  ].joined(separator: "; ")

  static let all: HTTPFields = {
    var fields = HTTPFields()
    fields[.contentSecurityPolicy] = contentSecurityPolicy
    fields[.xContentTypeOptions] = "nosniff"
    fields[.cacheControl] = "no-cache, private"
    for (name, value) in [
      ("referrer-policy", "same-origin"), ("x-frame-options", "DENY"),
      ("cross-origin-resource-policy", "same-origin"),
      ("cross-origin-opener-policy", "same-origin"),
      ("permissions-policy", "camera=(), geolocation=(), microphone=()"),
    ] {
      fields[.parsed(name)] = value
    }
    return fields
  }()
}

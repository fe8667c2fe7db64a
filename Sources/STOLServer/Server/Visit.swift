import STOLAnswers

/// What somebody asks for, after it has passed the guard.
struct Visit: Sendable {
  var address: Address
  /// The fields of a form that was sent; nil for a visit that only looks.
  var form: Fields?
  /// The files that came with it.
  var files: [SentFile] = []
  /// The language in which names are shown, as a BCP 47 tag.
  var language: String?

  var route: Route { address.route }
  var query: Fields { address.query }
  /// The file that came with it, the last of several.
  var file: SentFile? { files.last }
  /// The file of a field.
  func file(of field: String) -> SentFile? { files.last { $0.field == field } }
  /// Whether a program asks, which reads JSON.
  var isOfProgram: Bool { address.form == .json || route.isForPrograms }
}

/// What is answered.
struct Reply: Sendable {
  var status: Int = 200
  var contentType: String
  var bytes: [UInt8]
  /// Further header fields.
  var fields: [(name: String, value: String)] = []
  /// What follows `bytes`, where it may be too much for memory.
  var spooled: SpooledBytes?

  /// The field of an answer that no cache may keep.
  static let unkept = (name: "cache-control", value: "no-store")

  static let jsonType = "application/json; charset=utf-8"

  /// An answer in JSON: an object with the version of the API first.
  static func json(status: Int = 200, _ body: (inout RowWriter) -> Void) -> Reply {
    let object = RowWriter.object { json in
      json.number("apiVersion", API.version)
      body(&json)
    }
    return Reply(status: status, contentType: jsonType, bytes: object + [UInt8(ascii: "\n")])
  }

  /// A plain text to keep under a name of its own.
  static func download(_ text: String, as name: String) -> Reply {
    download(Array(text.utf8), "text/plain", as: name)
  }

  /// A text in UTF-8 to keep under a name of its own.
  static func download(_ bytes: [UInt8], _ mediaType: String, as name: String) -> Reply {
    Reply(
      contentType: mediaType + "; charset=utf-8", bytes: bytes,
      fields: [("content-disposition", "attachment; filename=\"\(name)\"")])
  }

  /// Sends the browser to where the same is found now.
  static func redirect(to address: Address) -> Reply {
    var reply = seeOther(address)
    reply.status = 302
    return reply
  }

  /// Sends the browser on after a form was taken.
  static func seeOther(_ address: Address) -> Reply {
    Reply(
      status: 303, contentType: "text/plain; charset=utf-8", bytes: [],
      fields: [("location", address.text)])
  }
}

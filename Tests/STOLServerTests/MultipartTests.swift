import Testing

@testable import STOLServer

@Suite("Forms with files")
struct MultipartTests {
  private static let type = "multipart/form-data; boundary=----WebKitFormBoundaryAbC"

  private static func form(
    _ body: String, type: String = type, atMost count: Int = 8
  ) -> MultipartForm? {
    MultipartForm(parsing: Array(body.utf8), contentType: type, atMost: count)
  }

  private static let body = """
    ------WebKitFormBoundaryAbC\r
    Content-Disposition: form-data; name="token"\r
    \r
    secret\r
    ------WebKitFormBoundaryAbC\r
    Content-Disposition: form-data; name="text"\r
    \r
    one\r
    --two\r
    \r\n\r
    ------WebKitFormBoundaryAbC\r
    Content-Disposition: form-data; name="empty"\r
    \r
    \r
    ------WebKitFormBoundaryAbC\r
    content-disposition: form-data; name="file"; filename="my %22list%22; a.csv"\r
    Content-Type: text/CSV; charset=utf-8\r
    \r
    id,name\r
    1,Panthera leo\r
    ------WebKitFormBoundaryAbC--\r\n
    """

  @Test func textsAndAFileAreToldApart() throws {
    let form = try #require(Self.form(Self.body))
    #expect(form.fields.pairs.map(\.name) == ["token", "text", "empty"])
    #expect(form.fields.verbatim("text") == "one\r\n--two\r\n\r\n")
    #expect(form.fields.verbatim("empty")?.isEmpty == true)
    let file = try #require(form.file)
    #expect(file.name == "my \"list\"; a.csv")
    #expect(file.contentType == "text/csv")
    #expect(file.bytes == Array("id,name\r\n1,Panthera leo".utf8))
  }

  @Test func aFileKeepsItsBytes() throws {
    let bytes: [UInt8] = [0xEF, 0xBB, 0xBF, 0xFF, 0x0D, 0x0A, 0x2D, 0x2D, 0x00, 0x0D, 0x0D, 0x0A]
    let head = "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x\"\r\n\r\n"
    let body = Array(head.utf8) + bytes + Array("\r\n--b--".utf8)
    let form = MultipartForm(
      parsing: body, contentType: "multipart/form-data; charset=x; boundary=\"b\"", atMost: 1)
    #expect(form?.file?.bytes == bytes)
  }

  @Test func aFieldInWhichNoFileWasChosenHasNone() throws {
    let form = try #require(
      Self.form(
        "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\"\r\n"
          + "Content-Type: application/octet-stream\r\n\r\n\r\n--b--\r\n",
        type: "multipart/form-data; boundary=b"))
    #expect(form.file == nil)
    #expect(form.fields.pairs.isEmpty)
  }

  @Test func whatIsCutOffIsNoForm() {
    let bytes = Array(Self.body.utf8)
    // Behind the last boundary nothing counts.
    let end = bytes.count - 2
    for count in 0..<end {
      let form = MultipartForm(
        parsing: Array(bytes.prefix(count)), contentType: Self.type, atMost: 8)
      #expect(form == nil, "\(count)")
    }
    #expect(MultipartForm(parsing: bytes, contentType: Self.type, atMost: 8) != nil)
  }

  @Test(arguments: [
    "multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=\"\"",
    "multipart/form-data; boundary=\"b", "multipart/form-data; boundary=c",
    "multipart/form-data; boundary=é", "multipart/form-data; charset=b",
    "multipart/form-data; boundary=" + String(repeating: "b", count: 71),
  ])
  func anotherBoundaryIsRefused(type: String) {
    let part = "Content-Disposition: form-data; name=\"a\"\r\n\r\nx"
    #expect(Self.form("--b\r\n\(part)\r\n--b--", type: type) == nil)
    #expect(Self.form("--b\r\n\(part)\r\n--b--", type: "multipart/form-data; boundary=b") != nil)
  }

  @Test(arguments: [
    "Content-Disposition: form-data\r\n\r\nx",
    "Content-Disposition: attachment; name=\"a\"\r\n\r\nx",
    "Content-Type: text/plain\r\n\r\nx", "nonsense\r\n\r\nx", "\r\n\r\nx", "x",
    "Content-Disposition: form-data; name=\"a\r\n\r\nx",
    "Content-Disposition: form-data; name\r\n\r\nx",
  ])
  func whatIsNoPartIsRefused(part: String) {
    #expect(Self.form("--b\r\n\(part)\r\n--b--", type: "multipart/form-data; boundary=b") == nil)
  }

  @Test func textsAreInUTF8() {
    let head = Array("--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n".utf8)
    let type = "multipart/form-data; boundary=b"
    for (value, isText) in [([0xC3, 0xA9], true), ([0xFF], false)] as [([UInt8], Bool)] {
      let form = MultipartForm(
        parsing: head + value + Array("\r\n--b--".utf8), contentType: type, atMost: 1)
      #expect((form != nil) == isText)
    }
  }

  @Test func moreThanSoManyPartsAreRefused() {
    func body(_ count: Int) -> String {
      String(
        repeating: "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n", count: count)
        + "--b--"
    }
    let type = "multipart/form-data; boundary=b"
    #expect(Self.form(body(8), type: type)?.fields.pairs.count == 8)
    #expect(Self.form(body(9), type: type) == nil)
  }

  @Test(arguments: [
    ("text/csv", "text/csv"), ("Text/CSV; charset=utf-8", "text/csv"), (" text/csv ;x", "text/csv"),
    ("", ""),
  ])
  func aMediaTypeIsReadWithoutParameters(field: String, type: String) {
    #expect(MultipartForm.mediaType(field) == type)
  }
}

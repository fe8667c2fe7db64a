import TestSupport
import Testing

@testable import STOLServer

/// A form with a file is read as it comes, wherever it is cut into pieces.
@Suite struct FileFormTests {
  private static let type = "multipart/form-data; boundary=b-1"
  /// What a browser sends: texts first, then a file in which everything stands that looks like a boundary.
  private static let content = "\r\n--b-\r\n--b\r\n\r\n--b-0\r\n\u{0}\r\n\r\n--"
  private static let body =
    "--b-1\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\nsecret\r\n"
    + "--b-1\r\nContent-Disposition: form-data; name=\"downgrade\"\r\n\r\nyes\r\n"
    + "--b-1\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.stol\"\r\n"
    + "Content-Type: application/octet-stream\r\n\r\n\(content)\r\n--b-1--\r\n"

  /// The file and the form after pieces of a body; nil where it is refused.
  private func read(_ body: [UInt8], inPiecesOf count: Int) -> (file: [UInt8], form: FileForm)? {
    guard var form = FileForm(contentType: Self.type) else { return nil }
    var file: [UInt8] = []
    var rest = body[...]
    while !rest.isEmpty {
      guard let bytes = try? form.take(Array(rest.prefix(count))) else { return nil }
      file += bytes
      rest = rest.dropFirst(count)
    }
    return (file, form)
  }

  @Test func piecesOfAnyLengthGiveTheSame() throws {
    let body = Array(Self.body.utf8)
    for count in 1...body.count {
      let (file, form) = try #require(read(body, inPiecesOf: count), "\(count)")
      #expect(file == Array(Self.content.utf8), "\(count)")
      #expect(form.isComplete && form.fileName == "a.stol", "\(count)")
      #expect(form.fields["token"] == "secret" && form.fields["downgrade"] == "yes", "\(count)")
      #expect(form.fieldsBeforeFile == form.fields, "\(count)")
    }
  }

  /// The texts before the file are there before a byte of it is given.
  @Test func textsAreThereBeforeTheFile() throws {
    var form = try #require(FileForm(contentType: Self.type))
    for byte in Self.body.utf8 where try !form.take([byte]).isEmpty {
      #expect(form.fields.pairs.count == 2)
    }
  }

  /// What follows the file was not there when its first byte came, in however few pieces all of it comes.
  @Test func whatFollowsTheFileIsNotBeforeIt() throws {
    let late = "--b-1\r\nContent-Disposition: form-data; name=\"late\"\r\n\r\n1\r\n--b-1--"
    let body = Array(Self.body.replacing("--b-1--", with: late).utf8)
    for count in [1, 9, body.count] {
      let (_, form) = try #require(read(body, inPiecesOf: count))
      #expect(form.isComplete && form.fields["late"] == "1")
      #expect(form.fieldsBeforeFile?["token"] == "secret" && form.fieldsBeforeFile?["late"] == nil)
    }
  }

  @Test func aFormThatIsCutIsNotComplete() throws {
    let body = Array(Self.body.utf8)
    // The last line end may be missing.
    for count in 0..<body.count - 2 {
      guard let (_, form) = read(Array(body.prefix(count)), inPiecesOf: 7) else { continue }
      #expect(!form.isComplete, "\(count)")
    }
  }

  @Test func aFieldInWhichNoFileWasChosenHasNone() throws {
    let head = "Content-Disposition: form-data; name=\"file\"; filename=\"\""
    let body = "--b-1\r\n\(head)\r\n\r\n\r\n--b-1--"
    let (file, form) = try #require(read(Array(body.utf8), inPiecesOf: 5))
    #expect(file.isEmpty && form.fileName == nil && form.isComplete)
  }

  @Test func whatIsNoFormIsRefused() {
    let head = "Content-Disposition: form-data; name=\"a\""
    for body in [
      "", "x", "--b-2\r\n", "--b-1x\r\n", "--b-1\r\nno head\r\n\r\n", "--b-1\r\n\r\n\r\n",
      "--b-1\r\n\(head)\r\n\r\n\(String(repeating: "a", count: 20_000))\r\n--b-1--",
      "--b-1\r\nX: \(String(repeating: "a", count: 5_000))",
      Self.body.replacing("--b-1--", with: "--b-1\r\n\(head); filename=\"b\"\r\n\r\nb\r\n--b-1--"),
      String(repeating: "--b-1\r\n\(head)\r\n\r\n1\r\n", count: 65) + "--b-1--",
    ] {
      let read = read(Array((body + "\r\n\r\n").utf8), inPiecesOf: 1000)
      #expect(read?.form.isComplete != true, "\(body.prefix(60))")
    }
    #expect(FileForm(contentType: "multipart/form-data") == nil)
    #expect(FileForm(contentType: "multipart/form-data; boundary=\"\"") == nil)
  }

  /// Whatever comes, it is refused or read.
  @Test func randomFormsDoNotTrap() {
    var generator = SeededGenerator(seed: 20_261_127)
    let pieces = [
      "--b-1", "\r\n", "\r\n\r\n", "--", "a", ";", "name=", "\"", "filename=", "form-data",
    ]
    for _ in 0..<2000 {
      let body = (0..<Int.random(in: 0..<30, using: &generator)).map { _ in
        pieces.randomElement(using: &generator) ?? ""
      }.joined()
      _ = read(Array(body.utf8), inPiecesOf: Int.random(in: 1...9, using: &generator))
    }
  }
}

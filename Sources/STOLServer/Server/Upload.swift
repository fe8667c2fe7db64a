import Hummingbird
import NIOCore
import STOLSystem
import STOLTrust

/// Who takes a signed file that a browser sends: what imports databases, and what installs images.
protocol UploadTaker: Actor {
  /// The folder in which the file is kept until it is installed.
  nonisolated var uploadFolder: String { get }
  /// Where it is kept there.
  nonisolated var uploadPath: String { get }
  /// Begins to take a file; false where another one has to end first, or none can be taken.
  func beginUpload() -> Bool
  /// As many bytes have come.
  func received(_ byteCount: Int64)
  /// The file is refused; nothing of it is left.
  func refuse(_ refusal: Refusal)
  /// The file is at `uploadPath`; the fields came with it.
  func arrived(_ fields: Fields)
  /// How far it is, for programs.
  func reply(_ status: Int) -> Reply
}

/// A signed file on its way from a browser to whoever installs it: written piece by piece, however long it is.
struct Upload {
  /// How it ended.
  enum Outcome {
    /// All of it has come.
    case arrived
    /// It was refused, for which this is the status.
    case refused(Int)
    /// Another one has to end first.
    case busy
    /// The form has no file, but these texts.
    case noFile(Fields)
  }

  let taker: any UploadTaker
  /// The longest file.
  let limit: Int64
  /// Reads what is sent as a form; nil where the file is all of the body.
  var form: FileForm?
  /// What came beside a body that is the file alone.
  var fields = Fields()

  /// Reads a body to its end, or as far as it is taken.
  ///
  /// - Parameters:
  ///   - body: what is sent.
  ///   - mayBegin: is asked before a byte of the file is kept; what it throws is thrown on.
  /// - Returns: how it ended.
  /// - Throws: what `mayBegin` throws; `RequestGuard.Refusal` for a form that cannot be read.
  mutating func receive(
    _ body: RequestBody, mayBegin: (Fields) throws(RequestGuard.Refusal) -> Void
  ) async throws -> Outcome {
    var file: ReplacementFile?
    var byteCount: Int64 = 0
    var start: [UInt8] = []
    var isBegun = false
    do {
      for try await buffer in body {
        let sent = Array(buffer: buffer)
        let bytes = try form?.take(sent) ?? sent
        guard !bytes.isEmpty else { continue }
        if !isBegun {
          try mayBegin(form?.fieldsBeforeFile ?? fields)
          guard await taker.beginUpload() else { return .busy }
          isBegun = true
          try createFolder(taker.uploadFolder)
          file = try ReplacementFile(path: taker.uploadPath)
        }
        byteCount += Int64(bytes.count)
        guard byteCount <= limit else {
          await taker.refuse(.tooLong(limit))
          return .refused(413)
        }
        if start.count < Container.magicByteCount {
          start += bytes.prefix(Container.magicByteCount - start.count)
          guard start.count < Container.magicByteCount || Container.begins(start) else {
            await taker.refuse(.otherFile)
            return .refused(415)
          }
        }
        try file?.append(bytes)
        await taker.received(byteCount)
      }
      if let form, !form.isComplete { throw FileForm.Failure.malformed }
      guard isBegun else {
        try mayBegin(form?.fields ?? fields)
        return .noFile(form?.fields ?? fields)
      }
      guard start.count == Container.magicByteCount else {
        await taker.refuse(.otherFile)
        return .refused(415)
      }
      try file?.finish()
    } catch let refusal as RequestGuard.Refusal {
      throw refusal
    } catch {
      guard isBegun else {
        throw RequestGuard.Refusal(status: .badRequest, reason: "the form cannot be read")
      }
      let isOfDisk = error is SystemError
      await taker.refuse(isOfDisk ? Refusal(error) : .notArrived("\(error)"))
      return .refused(isOfDisk ? 507 : 400)
    }
    await taker.arrived(form?.fields ?? fields)
    return .arrived
  }
}

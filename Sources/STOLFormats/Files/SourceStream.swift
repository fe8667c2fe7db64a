import STOLGzip
import STOLSystem

/// The bytes of one file of a source, decompressed, a chunk at a time.
package final class SourceStream {
  /// The file, as findings and errors name it.
  package let name: String
  private let read: () throws(FormatError) -> [UInt8]

  /// A stream of what `read` gives; an empty array ends it.
  package init(name: String, read: @escaping () throws(FormatError) -> [UInt8]) {
    self.name = name
    self.read = read
  }

  /// The next bytes; none at the end.
  package func next() throws(FormatError) -> [UInt8] { try read() }

  /// The first bytes, `count` or more of them unless the stream ends before or `isEnough` says so.
  func head(
    _ count: Int, isEnough: ([UInt8]) -> Bool = { _ in false }
  ) throws(FormatError) -> [UInt8] {
    var head: [UInt8] = []
    while head.count < count, !isEnough(head) {
      let bytes = try next()
      if bytes.isEmpty { break }
      head += bytes
    }
    return head
  }
}

extension SourceStream {
  /// How many bytes come at once.
  static let chunkByteCount = 1 << 18

  /// A regular file, as it is.
  ///
  /// - Parameters:
  ///   - name: the file, as findings name it.
  ///   - path: where it is.
  ///   - followsLinks: whether the last part of the path may be a symbolic link.
  /// - Throws: `FormatError.system`
  package convenience init(name: String, path: String, followsLinks: Bool) throws(FormatError) {
    let file = try FileBox(path, followsLinks: followsLinks)
    var offset = 0
    self.init(name: name) { () throws(FormatError) in
      let bytes = try file.bytes(at: offset, limit: Self.chunkByteCount)
      offset += bytes.count
      return bytes
    }
  }

  /// The standard input, decompressed where it is gzip.
  ///
  /// - Throws: `FormatError.system`, `FormatError.unreadable`
  package static func standardInput() throws(FormatError) -> SourceStream {
    let name = "standard input"
    let input = try InputBox()
    let first = try input.next()
    var pending: [UInt8]? = first
    let raw = SourceStream(name: name) { () throws(FormatError) in
      if let bytes = pending {
        pending = nil
        return bytes
      }
      return try input.next()
    }
    guard first.starts(with: [0x1F, 0x8B]) else { return raw }
    return try SourceStream(
      inflating: raw, path: name, budget: SourceBudget(path: name, limits: SourceLimits()))
  }

  /// What a gzip stream decompresses to.
  ///
  /// - Parameters:
  ///   - source: the compressed bytes.
  ///   - path: the source, as errors name it.
  ///   - budget: what is told of everything that comes out.
  /// - Throws: `FormatError.unreadable` if memory runs out.
  convenience init(
    inflating source: SourceStream, path: String, budget: SourceBudget
  ) throws(FormatError) {
    let name = source.name
    let inflater = try Inflater(source, path: path)
    var count = 0
    self.init(name: name) { () throws(FormatError) in
      let bytes = try inflater.next()
      count += bytes.count
      try budget.check(name, delivered: count, stored: inflater.consumedByteCount)
      return bytes
    }
  }
}

/// The standard input, which closures can share.
private final class InputBox {
  private let input: ByteInput

  init() throws(FormatError) {
    do { input = try ByteInput(path: nil) } catch { throw .system(error) }
  }

  func next() throws(FormatError) -> [UInt8] {
    var bytes: [UInt8] = []
    do { try input.read(into: &bytes, limit: SourceStream.chunkByteCount) } catch {
      throw .system(error)
    }
    return bytes
  }
}

/// A file that closures can share.
private final class FileBox {
  private let file: RegularFile

  init(_ path: String, followsLinks: Bool) throws(FormatError) {
    do { file = try RegularFile(path: path, followsLinks: followsLinks) } catch {
      throw .system(error)
    }
  }

  func bytes(at offset: Int, limit: Int) throws(FormatError) -> [UInt8] {
    do { return try file.bytes(at: offset, limit: limit) } catch { throw .system(error) }
  }
}

/// Decompresses a gzip stream that comes in chunks of any length.
private final class Inflater {
  /// Few bytes at a time, so that not much can come of them: 16 MiB at worst.
  private static let inputByteCount = 1 << 14

  private let source: SourceStream
  private let path: String
  private var decoder: GzipDecoder
  private var input: [UInt8] = []
  private var inputOffset = 0
  /// What has come out and was not asked for yet.
  private var output: [[UInt8]] = []
  private var outputOffset = 0
  private(set) var consumedByteCount = 0

  init(_ source: SourceStream, path: String) throws(FormatError) {
    self.source = source
    self.path = path
    do { decoder = try GzipDecoder() } catch {
      throw .unreadable(path: path, reason: error.description)
    }
  }

  func next() throws(FormatError) -> [UInt8] {
    while outputOffset == output.count {
      output.removeAll(keepingCapacity: true)
      outputOffset = 0
      if inputOffset == input.count {
        input = try source.next()
        inputOffset = 0
        if input.isEmpty {
          do { try decoder.finish() } catch { throw failure(error) }
          return []
        }
      }
      let end = min(input.count, inputOffset + Self.inputByteCount)
      let part = Array(input[inputOffset..<end])
      consumedByteCount += part.count
      inputOffset = end
      var pieces: [[UInt8]] = []
      do { try decoder.decode(part) { pieces.append($0) } } catch { throw failure(error) }
      output = pieces
    }
    defer { outputOffset += 1 }
    return output[outputOffset]
  }

  private func failure(_ error: any Error) -> FormatError {
    // A file that is compressed alone is what the path names.
    let isWhole = [source.name, source.name + ".gz"].contains(SourceFiles.lastPart(of: path))
    return .unreadable(path: path, reason: isWhole ? "\(error)" : "\(source.name): \(error)")
  }
}

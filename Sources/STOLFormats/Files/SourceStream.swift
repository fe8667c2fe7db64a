import STOLGzip
import STOLSystem

/// The bytes of one file of a source, decompressed, a chunk at a time.
package final class SourceStream {
  /// The file, as findings and errors name it.
  package let name: String
  /// How many bytes have come out.
  package private(set) var deliveredByteCount = 0
  /// How many will, or nil if nobody says; an archive may lie.
  package let totalByteCount: Int?
  private let read: () throws(FormatError) -> [UInt8]
  private let position: () -> Double?

  /// A stream of what `read` gives; an empty array ends it.
  ///
  /// - Parameters:
  ///   - name: the file.
  ///   - totalByteCount: how many bytes come.
  ///   - position: how much of it has been read, from 0 to 1, where the length cannot say it.
  ///   - read: gives the next bytes.
  package init(
    name: String, totalByteCount: Int? = nil, position: @escaping () -> Double? = { nil },
    read: @escaping () throws(FormatError) -> [UInt8]
  ) {
    self.name = name
    self.totalByteCount = totalByteCount
    self.position = position
    self.read = read
  }

  /// The next bytes; none at the end.
  package func next() throws(FormatError) -> [UInt8] {
    let bytes = try read()
    deliveredByteCount += bytes.count
    return bytes
  }

  /// How much has been read, from 0 to 1, or nil if that is unknown.
  package var fraction: Double? {
    if let position = position() { return min(1, position) }
    guard let total = totalByteCount, total > 0 else { return nil }
    return min(1, Double(deliveredByteCount) / Double(total))
  }
}

extension SourceStream {
  /// How many bytes come at once.
  static let chunkByteCount = 1 << 18

  /// Some bytes, in chunks of a given length.
  package convenience init(
    name: String, bytes: [UInt8], chunkByteCount: Int = SourceStream.chunkByteCount
  ) {
    var offset = 0
    self.init(name: name, totalByteCount: bytes.count) { () throws(FormatError) in
      let end = min(bytes.count, offset + chunkByteCount)
      defer { offset = end }
      return Array(bytes[offset..<end])
    }
  }

  /// A regular file, as it is.
  ///
  /// - Parameters:
  ///   - name: the file, as findings name it.
  ///   - path: where it is.
  ///   - followsLinks: whether the last part of the path may be a symbolic link.
  /// - Throws: `FormatError.system`
  convenience init(name: String, path: String, followsLinks: Bool) throws(FormatError) {
    let file = try FileBox(path, followsLinks: followsLinks)
    var offset = 0
    self.init(name: name, totalByteCount: file.byteCount) { () throws(FormatError) in
      let bytes = try file.bytes(at: offset, limit: Self.chunkByteCount)
      offset += bytes.count
      return bytes
    }
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
    self.init(name: name, position: { source.fraction }) { () throws(FormatError) in
      let bytes = try inflater.next()
      count += bytes.count
      try budget.check(name, delivered: count, stored: inflater.consumedByteCount)
      return bytes
    }
  }
}

/// A file that closures can share.
private final class FileBox {
  let byteCount: Int
  private let file: RegularFile

  init(_ path: String, followsLinks: Bool) throws(FormatError) {
    do {
      let opened = try RegularFile(path: path, followsLinks: followsLinks)
      byteCount = opened.byteCount
      file = consume opened
    } catch { throw .system(error) }
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
    .unreadable(path: path, reason: "\(source.name): \(error)")
  }
}

import CArchive

/// What libarchive reads of a stream, a block at a time.
@safe
final class ArchiveFeed {
  private let stream: SourceStream
  private var pending: ArraySlice<UInt8> = []
  // SAFETY: allocated here, freed in `deinit`; libarchive reads it until it asks for the next block.
  private let block: UnsafeMutableRawBufferPointer
  /// Why the stream ended before its end.
  private(set) var failure: FormatError?

  init(_ stream: SourceStream, blockByteCount: Int) {
    self.stream = stream
    unsafe block = .allocate(byteCount: blockByteCount, alignment: 16)
  }

  deinit { unsafe block.deallocate() }

  /// Lets a new handle read from here, as long as this object lives.
  func open(_ handle: OpaquePointer) -> Int32 {
    let data = unsafe Unmanaged.passUnretained(self).toOpaque()
    // SAFETY: the data is this object, which outlives the handle.
    return unsafe archive_read_open(
      handle, data, nil,
      { _, data, target in
        guard let data = unsafe data, let target = unsafe target else { return -1 }
        let feed = unsafe Unmanaged<ArchiveFeed>.fromOpaque(data).takeUnretainedValue()
        let count = feed.fill()
        unsafe target.pointee = unsafe UnsafeRawPointer(feed.block.baseAddress)
        return count
      }, nil)
  }

  /// Fills the block: with how many bytes; none at the end, -1 where the stream fails.
  private func fill() -> Int {
    if pending.isEmpty {
      do throws(FormatError) {
        pending = try stream.next()[...]
      } catch {
        failure = error
        return -1
      }
    }
    let part = pending.prefix(unsafe block.count)
    // SAFETY: the part is not longer than the block.
    unsafe block.copyBytes(from: part)
    pending = pending.dropFirst(part.count)
    return part.count
  }
}

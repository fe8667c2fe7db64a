import STOLSystem

extension Container {
  /// Copies a container, so that nobody can change it midway, and it is read from its disk once.
  ///
  /// - Parameters:
  ///   - path: the container.
  ///   - copy: where the copy is to be.
  ///   - progress: called after each piece; what it throws is thrown on.
  /// - Throws: `ContainerError` about the container, `SystemError` about the copy, or what `progress`
  ///   throws.
  package static func copy(
    from path: String, to copy: String, progress: ContainerProgress
  ) throws {
    let file: RegularFile
    do {
      file = try RegularFile(path: path, followsLinks: false)
    } catch {
      throw ContainerError.fileUnreadable(error)
    }
    guard file.byteCount <= ContainerLayout.fileLimit else {
      throw ContainerError.fileTooLarge(bytes: file.byteCount)
    }
    var output = try ReplacementFile(path: copy)
    var offset = 0
    while offset < file.byteCount {
      let chunk: [UInt8]
      do {
        chunk = try file.bytes(
          at: offset, limit: min(ContainerLayout.chunkByteCount, file.byteCount - offset))
      } catch {
        throw ContainerError.fileUnreadable(error)
      }
      guard !chunk.isEmpty else { throw ContainerError.fileChanged }
      try output.write(chunk, at: offset)
      offset += chunk.count
      try progress(offset, file.byteCount)
    }
    try output.finish()
  }
}

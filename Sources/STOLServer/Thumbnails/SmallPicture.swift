import CPictures

/// Pictures of media packs made small.
enum SmallPicture {
  /// How large they are: so many pixels the longer edge has at most.
  enum Size: Int, CaseIterable, Sendable {
    /// Beside a name, on screens of two pixels to a point.
    case small = 128
    /// In a gallery.
    case large = 360
  }

  /// A WebP file with the picture in `bytes`, a JPEG, WebP or PNG file; nil for what is none, and for what takes more
  /// than 64 MB of memory.
  ///
  /// What else the file says, as where a photo was taken, is not in it.
  ///
  /// - Complexity: O(number of bytes and pixels)
  static func file(of bytes: [UInt8], size: Size) -> [UInt8]? {
    let capacity = 4 * size.rawValue * size.rawValue + 4096
    let file = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { target, count in
      unsafe bytes.withUnsafeBufferPointer { source in
        // SAFETY: both buffers outlive the call, which reads as many bytes as the one has, writes no more into the
        // other than its capacity, and says how many.
        count = unsafe stol_picture_reduce(
          source.baseAddress, source.count, CInt(size.rawValue), target.baseAddress, capacity)
      }
    }
    // Without the room that was not needed, which `Array(file[...])` would keep.
    return file.isEmpty ? nil : file.map { $0 }
  }
}

import CJPEG

/// JPEG files, by libjpeg.
enum JPEGCodec {
  /// The image of a file, as it lies there.
  ///
  /// - Parameters:
  ///   - file: its bytes, whatever they are.
  ///   - edge: so many pixels the longer edge has at most, at most 1024.
  /// - Returns: the image, and how often something was wrong that it was gone on from; nil where there is none, or it
  ///   takes more than 56 MB of memory, or far longer than its bytes let expect.
  /// - Complexity: O(number of bytes)
  static func image(_ file: ByteField, edge: Int) -> (pixels: Pixels, warningCount: Int)? {
    var samples = [UInt8](repeating: 0, count: 3 * edge * edge)
    var image = stol_jpeg_image()
    let isDecoded = unsafe file.bytes.withUnsafeBufferPointer { bytes in
      unsafe samples.withUnsafeMutableBufferPointer { samples in
        // SAFETY: the range lies within the bytes, by `ByteField`; both buffers outlive the call, which reads the one
        // and writes no more than `edge` by `edge` pixels into the other.
        let part = unsafe UnsafeBufferPointer(rebasing: bytes[file.range])
        return unsafe stol_jpeg_decode(
          part.baseAddress, part.count, CInt(edge), samples.baseAddress, &image)
      }
    }
    guard isDecoded else { return nil }
    let (width, height) = (Int(image.width), Int(image.height))
    samples.removeLast(samples.count - 3 * width * height)
    return (Pixels(width: width, height: height, samples: samples), image.warning_count)
  }

  /// An image made smaller, so that its longer edge has at most `edge` pixels, at most 1024: each is the mean of the
  /// area that it covers.
  static func reduced(_ pixels: Pixels, edge: Int) -> Pixels {
    let longer = max(pixels.width, pixels.height)
    guard longer > edge else { return pixels }
    func reduced(_ length: Int) -> Int { max(1, (length * edge + longer / 2) / longer) }
    let (width, height) = (reduced(pixels.width), reduced(pixels.height))
    let samples = unsafe [UInt8](unsafeUninitializedCapacity: 3 * width * height) { target, count in
      unsafe pixels.samples.withUnsafeBufferPointer { source in
        // SAFETY: by `Pixels` the source has as many samples as its size says, and the target has room for as many as
        // the new size says, which is nowhere larger and has at most `edge` pixels in a row; all of them are written.
        unsafe stol_pixels_reduce(
          source.baseAddress, CInt(pixels.width), CInt(pixels.height), target.baseAddress,
          CInt(width), CInt(height))
      }
      count = 3 * width * height
    }
    return Pixels(width: width, height: height, samples: samples)
  }

  /// A file with an image, which says nothing beside it but the profile of its colours.
  ///
  /// - Parameters:
  ///   - pixels: the image, of at most 1024 by 1024 pixels.
  ///   - quality: from 1 to 100.
  ///   - profile: the content of a segment of at most 65,533 bytes.
  /// - Returns: its bytes.
  static func file(_ pixels: Pixels, quality: Int, profile: ByteField?) -> [UInt8] {
    let profile = profile.map { Array($0.bytes[$0.range]) } ?? []
    let capacity = 2 * pixels.samples.count + profile.count + 4096
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { target, count in
      unsafe pixels.samples.withUnsafeBufferPointer { source in
        unsafe profile.withUnsafeBufferPointer { profile in
          // SAFETY: by `Pixels` the source has as many samples as its size says; all three buffers outlive the call,
          // which stays within their lengths, and says how much of the target it wrote.
          count = unsafe stol_jpeg_encode(
            source.baseAddress, CInt(pixels.width), CInt(pixels.height), CInt(quality),
            profile.isEmpty ? nil : profile.baseAddress, profile.count, target.baseAddress, capacity
          )
        }
      }
    }
    // Without the room that was not needed.
    return Array(bytes[...])
  }
}

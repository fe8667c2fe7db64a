import CJPEG
import TestSupport

/// Photos as a camera takes them, of 2 to 3 MB: a few images, and every file another one.
struct MadePhotos {
  private static let (width, height) = (4000, 3000)
  private static let byteLimit = 3_200_000

  private var images: [[UInt8]] = []

  /// So many different images.
  init(count: Int, seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<count { images.append(Self.image(&generator)) }
  }

  /// The file with a number.
  func file(_ number: Int) -> [UInt8] {
    let image = images[number % images.count]
    // A comment behind the segment that comes first.
    let end = 4 + Int(image[4]) << 8 + Int(image[5])
    let digits = String(number + 10_000_000).utf8
    return image[..<end] + [0xFF, 0xFE, 0, UInt8(2 + digits.count)] + digits + image[end...]
  }

  /// Waves of colours under noise, in the best quality that stays within the limit.
  private static func image(_ generator: inout SeededGenerator) -> [UInt8] {
    var pixels = [UInt8](repeating: 0, count: 3 * width * height)
    let steps = (0..<6).map { _ in Int(generator.next() % 5) + 1 }
    var noise: UInt64 = 0
    for row in 0..<height {
      for column in 0..<width {
        let pixel = 3 * (row * width + column)
        if column % 4 == 0 { noise = generator.next() }
        for colour in 0..<3 {
          let wave = (row * steps[colour] + column * steps[3 + colour]) >> 4 & 511
          let level = 20 + (wave < 256 ? wave : 511 - wave) * 3 / 4
          pixels[pixel + colour] = UInt8(level + Int(noise & 31))
          noise >>= 5
        }
      }
    }
    var bytes: [UInt8] = []
    for quality in stride(from: 95, through: 35, by: -6) {
      bytes = encoded(pixels, quality: quality)
      if !bytes.isEmpty { break }
    }
    return bytes
  }

  /// Empty where it has more bytes than the limit.
  private static func encoded(_ pixels: [UInt8], quality: Int) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: byteLimit) { target, count in
      unsafe pixels.withUnsafeBufferPointer { source in
        // SAFETY: the source has as many samples as the size says; both buffers outlive the call, which stays within
        // them and says how much of the target it wrote.
        count = unsafe stol_jpeg_encode(
          source.baseAddress, CInt(width), CInt(height), CInt(quality), nil, 0, target.baseAddress,
          byteLimit)
      }
    }
  }
}

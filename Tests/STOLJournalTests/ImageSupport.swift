import TestSupport
import Testing

@testable import STOLJournal

/// Images that tests make and look at.
extension Pixels {
  static func random(
    _ width: Int, _ height: Int, _ generator: inout SeededGenerator
  ) -> Pixels {
    Pixels(
      width: width, height: height,
      samples: (0..<3 * width * height).map { _ in UInt8.random(in: 0...255, using: &generator) })
  }

  /// An image that changes slowly, so that little of it is lost.
  static func smooth(_ width: Int, _ height: Int) -> Pixels {
    var samples: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        samples += [
          UInt8(220 * x / width), UInt8(220 * y / height), UInt8(110 * (x + y) / (width + height)),
        ]
      }
    }
    return Pixels(width: width, height: height, samples: samples)
  }

  /// As a file, in which little is lost.
  var file: [UInt8] { JPEGCodec.file(self, quality: 95, profile: nil) }

  /// The image of a file that is whole.
  static func decoded(_ bytes: [UInt8]?, edge: Int = 1024) throws -> Pixels {
    let file = try #require(bytes)
    let image = try #require(JPEGCodec.image(ByteField(file), edge: edge))
    #expect(image.warningCount == 0)
    return image.pixels
  }

  /// The mean of each of so many fields, by their definition.
  func means(columns: Int, rows: Int) -> [UInt8] {
    var means: [UInt8] = []
    for row in 0..<rows {
      for column in 0..<columns {
        for sample in 0..<3 {
          // Each pixel is `columns` wide and `rows` high, each field as wide and high as the image has pixels.
          var sum = 0
          for y in row * height / rows...min(height - 1, (row + 1) * height / rows) {
            let tall = min((y + 1) * rows, (row + 1) * height) - max(y * rows, row * height)
            for x in column * width / columns...min(width - 1, (column + 1) * width / columns) {
              let wide =
                min((x + 1) * columns, (column + 1) * width) - max(x * columns, column * width)
              if min(wide, tall) > 0 {
                sum += wide * tall * Int(samples[3 * (y * width + x) + sample])
              }
            }
          }
          let area = width * height
          means.append(UInt8((sum + area / 2) / area))
        }
      }
    }
    return means
  }

  /// The greatest difference between samples; 256 where there are more of one than of the other.
  static func difference(_ a: [UInt8], _ b: [UInt8]) -> Int {
    a.count == b.count ? zip(a, b).map { abs(Int($0) - Int($1)) }.max() ?? 0 : 256
  }
}
